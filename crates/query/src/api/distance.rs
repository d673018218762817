//! Signed distance between two posed shapes: world poses in, one relative pose below, world coordinates out.

use crate::api::half_space::half_space_distance;
use crate::api::options::{DepthMode, QueryOptions};
use crate::api::result::{SignedDistance, SolveStatus, WarmStart, Within};
use crate::ellipsoid::pair::EllipsoidPair;
use crate::solve::common_normal::{Ascent, Outcome};
use crate::solve::core_shape::CoreShape;
use crate::solve::separation::SeparationFunction;
use crate::solve::solver::{CoreAnswer, Problem, Question, Solver};
use crate::solve::surface_pair::SurfacePair;
use crate::superquadric::dents::solve::{confirmed, solve_superquadrics};
use crate::superquadric::pair::SuperquadricPair;
use rayon::prelude::*;
use smooth_scene_geometry::math::{Pose, Vec3, is_finite};
use smooth_scene_geometry::simd::{Kernel, Level, Simd};
use smooth_scene_geometry::{ConvexSurface, HalfSpace, Shape};

/// Two shapes with their world poses.
#[derive(Debug, Clone, Copy)]
pub struct PosedPair<'a> {
    /// Body A.
    pub a: &'a Shape,
    /// Its pose in the world.
    pub pose_a: &'a Pose,
    /// Body B.
    pub b: &'a Shape,
    /// Its pose in the world.
    pub pose_b: &'a Pose,
}

impl PosedPair<'_> {
    /// Whether both poses are numbers: only then is there anything to prove.
    #[inline]
    pub(crate) fn is_finite(&self) -> bool {
        is_finite(self.pose_a) && is_finite(self.pose_b)
    }
}

/// The answer as far as a threshold makes it of interest.
pub(crate) fn within(found: SignedDistance, threshold: f64) -> Within {
    if found.lower > threshold {
        return Within::Farther {
            lower: found.lower,
            normal_ab_w: found.normal_ab_w,
            warm: found.warm,
        };
    }
    Within::Near(found)
}

/// The signed distances of many pairs, spread over all cores. The answers are in the order of the pairs and the same bits
/// for any number of threads.
pub fn distance_batch(pairs: &[PosedPair], options: &QueryOptions) -> Vec<SignedDistance> {
    // Neighbouring pairs cost about the same; blocks keep the bookkeeping small beside a microsecond of work.
    const BLOCK: usize = 64;
    pairs
        .par_iter()
        .with_min_len(BLOCK)
        .map(|pair| {
            let wanted = Wanted { limit: f64::INFINITY, depth: Some(options.depth_mode) };
            answer(pair, &wanted, options, &WarmStart::default())
        })
        .collect()
}

/// What is asked about a pair, rounding included.
pub(crate) struct Wanted {
    pub limit: f64,
    pub depth: Option<DepthMode>,
}

/// Dispatches on the kinds of the two shapes.
pub(crate) fn answer(
    pair: &PosedPair,
    wanted: &Wanted,
    options: &QueryOptions,
    warm: &WarmStart,
) -> SignedDistance {
    if !pair.is_finite() {
        let of_hull = !(pair.a.is_convex() && pair.b.is_convex());
        return SignedDistance::unknown(pair.pose_a.translation.vector, of_hull);
    }
    match (pair.a, pair.b) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            two_half_spaces(a, pair.pose_a, b, pair.pose_b)
        }
        (_, Shape::HalfSpace(b)) => against_half_space(pair.a, pair.pose_a, b, pair.pose_b),
        (Shape::HalfSpace(a), _) => {
            against_half_space(pair.b, pair.pose_b, a, pair.pose_a).swapped()
        }
        (Shape::Compound(_), _) | (_, Shape::Compound(_)) => nearest_parts(pair, wanted, options),
        _ => convex_pair(pair, wanted, options, warm),
    }
}

fn convex_pair(
    pair: &PosedPair,
    wanted: &Wanted,
    options: &QueryOptions,
    warm: &WarmStart,
) -> SignedDistance {
    Level::detect().run(Convex { pair, wanted, options, warm })
}

/// A query about two convex bodies, compiled for each instruction set as a whole.
struct Convex<'q> {
    pair: &'q PosedPair<'q>,
    wanted: &'q Wanted,
    options: &'q QueryOptions,
    warm: &'q WarmStart,
}

impl Kernel for Convex<'_> {
    type Output = SignedDistance;

    #[inline(always)]
    fn run<S: Simd>(self) -> SignedDistance {
        let asked = ConvexPair::new(self.pair, self.wanted);
        asked.answer(&asked.solve::<S>(self.options, self.warm))
    }
}

/// A question about two convex bodies, in the frame of A and without their rounding.
pub(crate) struct ConvexPair<'a> {
    pair: PosedPair<'a>,
    rounding: [f64; 2],
    pub problem: Problem<'a>,
    pub question: Question,
}

impl<'a> ConvexPair<'a> {
    #[inline(always)]
    pub fn new(pair: &PosedPair<'a>, wanted: &Wanted) -> Self {
        let pose_ab = pair.pose_a.inv_mul(pair.pose_b);
        let ((core_a, round_a), (core_b, round_b)) = (CoreShape::of(pair.a), CoreShape::of(pair.b));
        let offset = pose_ab.translation.vector;
        let limit = wanted.limit + round_a + round_b;
        let reach = core_a.reach().max(core_b.reach()).max(offset.norm());
        Self {
            pair: *pair,
            rounding: [round_a, round_b],
            problem: Problem {
                size: reach.max(round_a).max(round_b),
                offset,
                rotation_ab: pose_ab.rotation.to_rotation_matrix().into_inner(),
                cores: [core_a, core_b],
            },
            question: Question {
                limit,
                // Only a yes-or-no question is answered by cores that are nearer than their rounding and the margin.
                near: if wanted.depth.is_none() { limit } else { 0.0 },
                depth: wanted.depth,
            },
        }
    }

    /// The evaluator of two superquadrics, if both are.
    #[inline(always)]
    pub fn superquadrics<S: Simd>(&self) -> Option<SuperquadricPair<'a, S>> {
        let Problem { cores, rotation_ab, offset, .. } = &self.problem;
        SuperquadricPair::new(cores, rotation_ab, offset)
    }

    #[inline(always)]
    pub fn solve<S: Simd>(&self, options: &QueryOptions, warm: &WarmStart) -> CoreAnswer {
        let Self { problem, question, .. } = self;
        let Problem { cores, rotation_ab, offset, .. } = problem;
        if let Some(pair) = EllipsoidPair::<S>::new(cores, rotation_ab, offset) {
            Solver { pair: &pair, problem, question, options }.solve(warm)
        } else if let Some(pair) = self.superquadrics::<S>() {
            solve_superquadrics(&pair, problem, question, options, warm)
        } else {
            let pair = SurfacePair::<S>::new(*cores, rotation_ab, offset);
            Solver { pair: &pair, problem, question, options }.solve(warm)
        }
    }

    /// As [`solve`](Self::solve), after a climb that got stuck at `normal`.
    pub fn solve_after_stalled<S: Simd>(
        &self,
        options: &QueryOptions,
        normal: &Vec3,
    ) -> CoreAnswer {
        let Self { problem, question, .. } = self;
        let Some(pair) = self.superquadrics::<S>() else {
            return self.solve::<S>(options, &WarmStart { normals_a: [*normal; 2], count: 1 });
        };
        let first = Ascent { jet: pair.jet(normal), outcome: Outcome::Stalled, evaluations: 1 };
        let solver = Solver { pair: &pair, problem, question, options };
        confirmed(solver.solve_after(&first), &solver)
    }

    /// Puts the rounding back and turns the answer into the world.
    #[inline(always)]
    pub fn answer(&self, core: &CoreAnswer) -> SignedDistance {
        let PosedPair { a, pose_a, b, .. } = self.pair;
        let [round_a, round_b] = self.rounding;
        let (rounding, normal) = (round_a + round_b, core.normal);
        let to_world = |p: Vec3| pose_a.rotation * p + pose_a.translation.vector;
        SignedDistance {
            distance: core.value - rounding,
            lower: core.lower - rounding,
            upper: core.upper - rounding,
            witness_a_w: to_world(core.point_a + normal * round_a),
            witness_b_w: to_world(core.point_b - normal * round_b),
            normal_ab_w: pose_a.rotation * normal,
            status: core.status,
            iterations: core.evaluations,
            of_hull: !(a.is_convex() && b.is_convex()),
            warm: core.warm,
        }
    }
}

/// The outward normal and the offset of a posed half-space, world frame.
fn plane_of(half_space: &HalfSpace, pose: &Pose) -> (Vec3, f64) {
    let normal_w = pose.rotation * half_space.normal();
    (normal_w, half_space.offset() + normal_w.dot(&pose.translation.vector))
}

fn against_half_space(a: &Shape, pose_a: &Pose, b: &HalfSpace, pose_b: &Pose) -> SignedDistance {
    let (normal_w, offset) = plane_of(b, pose_b);
    half_space_distance(a, pose_a, &normal_w, offset)
}

/// Two half-spaces that face each other exactly are a slab apart; any other two overlap without end.
fn two_half_spaces(a: &HalfSpace, pose_a: &Pose, b: &HalfSpace, pose_b: &Pose) -> SignedDistance {
    let ((normal_a, offset_a), (normal_b, offset_b)) = (plane_of(a, pose_a), plane_of(b, pose_b));
    let facing = (normal_a + normal_b).norm() <= f64::EPSILON;
    let distance = if facing { -offset_a - offset_b } else { f64::NEG_INFINITY };
    SignedDistance {
        distance,
        lower: distance,
        upper: distance,
        witness_a_w: normal_a * offset_a,
        witness_b_w: normal_b * offset_b,
        normal_ab_w: normal_a,
        status: SolveStatus::Certified,
        iterations: 0,
        of_hull: false,
        warm: WarmStart::default(),
    }
}

/// The signed distance of unions: the least over their parts. A pair of parts whose bounding spheres are farther apart
/// than the best answer so far is passed over.
fn nearest_parts(pair: &PosedPair, wanted: &Wanted, options: &QueryOptions) -> SignedDistance {
    let single_a = [(Pose::identity(), pair.a.clone())];
    let single_b = [(Pose::identity(), pair.b.clone())];
    let (parts_a, parts_b) = (parts(pair.a, &single_a), parts(pair.b, &single_b));
    let mut nearest: Option<SignedDistance> = None;
    let mut evaluations = 0;
    for (local_a, a) in parts_a {
        let (pose_a, ball_a) = (pair.pose_a * local_a, a.bounding_sphere());
        let center_a = pose_a * nalgebra::Point3::from(ball_a.center);
        for (local_b, b) in parts_b {
            let (pose_b, ball_b) = (pair.pose_b * local_b, b.bounding_sphere());
            let center_b = pose_b * nalgebra::Point3::from(ball_b.center);
            let bound = (center_b - center_a).norm() - ball_a.radius - ball_b.radius;
            if nearest.as_ref().is_some_and(|nearest| bound > nearest.upper) {
                continue;
            }
            let parts = PosedPair { a, pose_a: &pose_a, b, pose_b: &pose_b };
            let found = convex_pair(&parts, wanted, options, &WarmStart::default());
            evaluations += found.iterations;
            nearest = Some(match nearest {
                Some(nearest) => nearer(&nearest, &found),
                None => found,
            });
        }
    }
    let found =
        nearest.expect("a union has parts, and the first pair of them is never passed over");
    SignedDistance { iterations: evaluations, warm: WarmStart::default(), ..found }
}

/// The parts of a compound, or the shape itself as the only part.
fn parts<'a>(shape: &'a Shape, single: &'a [(Pose, Shape); 1]) -> &'a [(Pose, Shape)] {
    match shape {
        Shape::Compound(compound) => compound.parts(),
        _ => single,
    }
}

/// The nearer of two answers, with bounds that hold for the least of both.
fn nearer(one: &SignedDistance, other: &SignedDistance) -> SignedDistance {
    let best = if other.distance < one.distance { other } else { one };
    let is_open = |found: &SignedDistance| found.status == SolveStatus::BudgetExhausted;
    let any_open = is_open(one) || is_open(other);
    SignedDistance {
        lower: one.lower.min(other.lower),
        upper: one.upper.min(other.upper),
        status: if any_open { SolveStatus::BudgetExhausted } else { best.status },
        of_hull: one.of_hull || other.of_hull,
        ..*best
    }
}
