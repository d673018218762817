//! Eight states at once: what single precision proves about each pair.

use super::findings::{Findings, OpenPair};
use super::kinematics::LANES;
use super::pair_order::{PairOrder, QuickPair};
use super::pair_tests::{distance_squared, robot_pair, within, world_pair};
use super::prepared::Prepared;
use smooth_scene_geometry::simd::{Kernel, Simd};

/// When a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// As soon as one state is proven to be in collision.
    FirstCollision,
    EveryState,
}

/// The question about a block. States that are not asked about may be copies of others.
pub(super) struct Block<'a> {
    pub prepared: &'a Prepared,
    pub states: [&'a [f64]; LANES],
    pub asked: u32,
    pub until: Until,
    pub order: &'a mut PairOrder,
    pub findings: &'a mut Findings,
}

impl Kernel for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { prepared, states, asked, until, order, findings } = self;
        findings.begin::<S>(prepared, states);
        let is_over = |colliding: u32| match until {
            Until::FirstCollision => colliding != 0,
            Until::EveryState => colliding == asked,
        };
        order.next_block();
        let pairs = order.take_pairs();
        for &QuickPair { pair, ends: [one, other], apart_beyond } in &pairs {
            let (center, other) = (&findings.bounding[one as usize], other as usize);
            let square = match pair {
                OpenPair::Robot(_) => distance_squared::<S>(center, &findings.bounding[other]),
                OpenPair::World(_) => prepared.parts[other].distance_squared::<S>(center),
            };
            let open = asked & !findings.colliding & within::<S>(square, apart_beyond);
            if open == 0 {
                continue;
            }
            let found = match pair {
                OpenPair::Robot(place) => robot_pair::<S>(prepared, place, open, findings),
                OpenPair::World(place) => world_pair::<S>(prepared, place, open, findings),
            };
            if found.open != 0 {
                findings.open.push((pair, found.open));
            }
            if found.touching != 0 {
                order.touched(pair, found.touching.count_ones());
                findings.colliding |= found.touching;
                if is_over(findings.colliding) {
                    break;
                }
            }
        }
        order.give_back(pairs);
    }
}
