//! The pairs that are measured: hand-sized bodies.

use crate::ours;
use smooth_scene_geometry::{Ellipsoid, Shape};
use smooth_scene_query::QueryOptions;
use smooth_scene_test_support::families::{PosedPair, Rng, pose, superquadric};

/// Semi-axes, in metres.
const HAND: [f64; 2] = [0.005, 0.03];

/// What the bodies of a set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Exponents 0.3 to 1.7.
    Superellipsoids,
    /// The same with tapers up to 0.4.
    Superovoids,
    Ellipsoids,
    /// Exponents 0.1 to 1.9: from nearly boxes to bodies with edges and tips.
    Wide,
    /// All exponents 1/8.
    Boxy,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Superellipsoids, Kind::Superovoids, Kind::Ellipsoids, Kind::Wide, Kind::Boxy];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Superellipsoids => "superellipsoids",
            Kind::Superovoids => "superovoids",
            Kind::Ellipsoids => "ellipsoids",
            Kind::Wide => "wide",
            Kind::Boxy => "boxy",
        }
    }

    fn shape(self, rng: &mut Rng) -> Shape {
        match self {
            Kind::Superellipsoids => superquadric(rng, HAND, [0.3, 1.7], 0.0),
            Kind::Superovoids => superquadric(rng, HAND, [0.3, 1.7], 0.4),
            Kind::Ellipsoids => Ellipsoid::new(rng.radii(HAND[0], HAND[1])).unwrap().into(),
            Kind::Wide => superquadric(rng, HAND, [0.1, 1.9], 0.0),
            Kind::Boxy => superquadric(rng, HAND, [0.125, 0.125], 0.0),
        }
    }
}

/// A set of the benchmark: pairs apart and pairs overlapping, equally many.
pub struct Set {
    pub kind: Kind,
    pub apart: Vec<PosedPair>,
    pub overlapping: Vec<PosedPair>,
}

impl Set {
    pub fn new(kind: Kind, seed: u64, count: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut set = Self { kind, apart: Vec::new(), overlapping: Vec::new() };
        while set.apart.len() < count || set.overlapping.len() < count {
            let (a, b) = (kind.shape(&mut rng), kind.shape(&mut rng));
            let pair = pose(&mut rng, a, b, [0.1, 1.3]);
            let side = if ours(&pair, &QueryOptions::default()).distance > 0.0 {
                &mut set.apart
            } else {
                &mut set.overlapping
            };
            if side.len() < count {
                side.push(pair);
            }
        }
        set
    }
}

/// The pair one control step later: 0.5 mm and 0.6°.
pub fn moved(pair: &PosedPair, rng: &mut Rng) -> PosedPair {
    let mut next = pair.clone();
    next.pose_b.translation.vector += rng.direction() * 5e-4;
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(rng.direction() * 0.01);
    next.pose_b.rotation = turn * next.pose_b.rotation;
    next
}
