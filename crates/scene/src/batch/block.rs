//! Eight states at once: what balls prove about each pair.

use super::kinematics::{LANES, LanePose, splat};
use super::lane_ball::LaneBall;
use super::part::Part;
use super::prepared::Prepared;
use smooth_scene_geometry::simd::{F32x8, Kernel, Lanes, Simd, dot};
use smooth_scene_geometry::xyz;

/// A pair about which balls prove nothing in some states.
#[derive(Debug, Clone, Copy)]
pub(super) enum OpenPair {
    /// Place among the pairs of the robot.
    Robot(usize),
    /// Place among the pairs with the world.
    World(usize),
}

/// What was found out about a block: bits are states, the first one lowest.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// States that are proven to be in collision.
    pub colliding: u32,
    /// Pairs that have to be asked about exactly, and in which states.
    pub open: Vec<(OpenPair, u32)>,
    poses: Vec<LanePose>,
    /// Centres of all balls; those of a surface are only up to date if it says so.
    centers: Vec<[F32x8; 3]>,
    is_placed: Vec<bool>,
}

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
    pub findings: &'a mut Findings,
}

impl Kernel for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { prepared, states, asked, until, findings } = self;
        findings.colliding = 0;
        findings.open.clear();
        prepared.chain.poses::<S>(states, &mut findings.poses);
        findings.centers.resize(prepared.balls.len(), [F32x8([0.0; LANES]); 3]);
        findings.is_placed.clear();
        findings.is_placed.resize(prepared.surfaces.len(), false);
        for surface in &prepared.surfaces {
            let center = &prepared.balls[surface.bounding].center;
            findings.centers[surface.bounding] = findings.poses[surface.frame].point::<S>(center);
        }
        let is_over = |colliding: u32| match until {
            Until::FirstCollision => colliding != 0,
            Until::EveryState => colliding == asked,
        };
        for place in 0..prepared.robot_pairs.len() {
            robot_pair::<S>(prepared, place, asked, findings);
            if is_over(findings.colliding) {
                return;
            }
        }
        for place in 0..prepared.world_pairs.len() {
            world_pair::<S>(prepared, place, asked, findings);
            if is_over(findings.colliding) {
                return;
            }
        }
    }
}

impl Findings {
    /// Places the balls of a surface, but the one around the whole, which always is.
    #[inline(always)]
    fn place<S: Simd>(&mut self, prepared: &Prepared, surface: usize) {
        if std::mem::replace(&mut self.is_placed[surface], true) {
            return;
        }
        let found = &prepared.surfaces[surface];
        let pose = &self.poses[found.frame];
        for ball in found.around.clone().chain(found.inside.clone()) {
            self.centers[ball] = pose.point::<S>(&prepared.balls[ball].center);
        }
    }
}

#[inline(always)]
fn within<S: Simd>(distance_squared: S::F32x8, limit: f32) -> u32 {
    distance_squared.simd_le(S::F32x8::splat(limit.into())).to_bitmask()
}

#[inline(always)]
fn distance_squared<S: Simd>(a: &[F32x8; 3], b: &[F32x8; 3]) -> S::F32x8 {
    let apart = xyz!(|k| S::F32x8::from(b[k]) - S::F32x8::from(a[k]));
    dot(&apart, &apart)
}

/// Distance of centres from a ball that stands still.
#[inline(always)]
fn fixed_distance_squared<S: Simd>(centers: &[F32x8; 3], ball: &LaneBall) -> S::F32x8 {
    let center = splat::<S>(&ball.center);
    let apart = xyz!(|k| center[k] - S::F32x8::from(centers[k]));
    dot(&apart, &apart)
}

/// The states, of those that are open, in which a mask holds for one of the pairs. Closures would not be compiled for the
/// instruction set of the kernel.
macro_rules! any {
    ($open:expr, $i:ident in $one:expr, $j:ident in $other:expr => $mask:expr) => {{
        let (open, mut found) = ($open, 0);
        'all: for $i in $one {
            for $j in $other {
                found |= $mask & open;
                if found == open {
                    break 'all;
                }
            }
        }
        found
    }};
    ($open:expr, $i:ident in $one:expr => $mask:expr) => {{
        let (open, mut found) = ($open, 0);
        for $i in $one {
            found |= $mask & open;
            if found == open {
                break;
            }
        }
        found
    }};
}

#[inline(always)]
fn robot_pair<S: Simd>(prepared: &Prepared, place: usize, asked: u32, findings: &mut Findings) {
    let pair = &prepared.robot_pairs[place];
    let a = &prepared.surfaces[pair.a as usize];
    let b = &prepared.surfaces[pair.b as usize];
    let balls = &prepared.balls[..];
    let distance =
        distance_squared::<S>(&findings.centers[a.bounding], &findings.centers[b.bounding]);
    let radii = balls[a.bounding].radius + balls[b.bounding].radius;
    let near = within::<S>(distance, pair.reach.apart_beyond(radii));
    let open = asked & !findings.colliding & near;
    if open == 0 {
        return;
    }
    findings.place::<S>(prepared, pair.a as usize);
    findings.place::<S>(prepared, pair.b as usize);
    let centers = &findings.centers[..];
    let open = any!(open, i in a.around.clone(), j in b.around.clone() => {
        let limit = pair.reach.apart_beyond(balls[i].radius + balls[j].radius);
        within::<S>(distance_squared::<S>(&centers[i], &centers[j]), limit)
    });
    if open == 0 {
        return;
    }
    let touching = any!(open, i in a.inside.clone(), j in b.inside.clone() => {
        let limit = pair.reach.touching_within(balls[i].radius + balls[j].radius);
        within::<S>(distance_squared::<S>(&centers[i], &centers[j]), limit)
    });
    findings.colliding |= touching;
    if open != touching {
        findings.open.push((OpenPair::Robot(place), open & !touching));
    }
}

#[inline(always)]
fn world_pair<S: Simd>(prepared: &Prepared, place: usize, asked: u32, findings: &mut Findings) {
    let pair = &prepared.world_pairs[place];
    let surface = &prepared.surfaces[pair.surface as usize];
    let part: &Part = &prepared.parts[pair.part as usize];
    let balls = &prepared.balls[..];
    let distance = part.distance_squared::<S>(&findings.centers[surface.bounding]);
    let near = within::<S>(distance, pair.reach.apart_beyond(balls[surface.bounding].radius));
    let open = asked & !findings.colliding & near;
    if open == 0 {
        return;
    }
    findings.place::<S>(prepared, pair.surface as usize);
    let centers = &findings.centers[..];
    let open = any!(open, i in surface.around.clone() => {
        let limit = pair.reach.apart_beyond(balls[i].radius);
        within::<S>(part.distance_squared::<S>(&centers[i]), limit)
    });
    if open == 0 {
        return;
    }
    let touching = match &part.inside {
        None => any!(open, i in surface.inside.clone() => {
            let limit = pair.reach.touching_within(balls[i].radius);
            within::<S>(part.distance_squared::<S>(&centers[i]), limit)
        }),
        Some(inside) => any!(open, i in surface.inside.clone(), ball in inside => {
            let limit = pair.reach.touching_within(balls[i].radius + ball.radius);
            within::<S>(fixed_distance_squared::<S>(&centers[i], ball), limit)
        }),
    };
    findings.colliding |= touching;
    if open != touching {
        findings.open.push((OpenPair::World(place), open & !touching));
    }
}
