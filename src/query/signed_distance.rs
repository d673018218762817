//! Signed distance between two posed shapes.

use super::certify::prove_highest;
use super::common_normal::{Ascent, Goal, Outcome, ascend, ascend_two, duality_gap};
use super::core_shape::CoreShape;
use super::ellipsoid_pair::EllipsoidPair;
use super::gjk::{Proximity, gjk};
use super::options::{DepthMode, QueryOptions};
use super::penetration::{Deepest, Depth, deepest, deepest_of};
use super::result::{SignedDistance, SolveStatus, WarmStart};
use super::separation::SeparationFunction;
use super::superquadric_pair::SuperquadricPair;
use super::surface_pair::SurfacePair;
use crate::geometry::Shape;
use crate::math::{Mat3, Pose, Vec3, unit_or};

/// The signed distance between `a` and `b`, poses in the world frame.
pub fn distance(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    options: &QueryOptions,
) -> SignedDistance {
    distance_from(a, pose_a, b, pose_b, options, &WarmStart::default())
}

/// As [`distance`], starting from what an earlier query on the same pair found.
pub fn distance_from(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    options: &QueryOptions,
    warm: &WarmStart,
) -> SignedDistance {
    let pose_ab = pose_a.inv_mul(pose_b);
    let ((core_a, round_a), (core_b, round_b)) = (CoreShape::of(a), CoreShape::of(b));
    let offset = pose_ab.translation.vector;
    let size = core_a.reach().max(core_b.reach()).max(offset.norm()).max(round_a).max(round_b);
    let problem = Problem {
        size,
        offset,
        rotation_ab: pose_ab.rotation.to_rotation_matrix().into_inner(),
        cores: [core_a, core_b],
        rounding: round_a + round_b,
    };
    let core = if let Some(pair) = EllipsoidPair::new(&core_a, &core_b, &pose_ab) {
        solve(&pair, &problem, options, warm)
    } else if let Some(pair) = SuperquadricPair::new(&core_a, &core_b, &pose_ab) {
        solve(&pair, &problem, options, warm)
    } else {
        solve(&SurfacePair::new(core_a, core_b, &pose_ab), &problem, options, warm)
    };
    let normal = core.normal;
    let to_world = |p: Vec3| pose_a.rotation * p + pose_a.translation.vector;
    SignedDistance {
        distance: core.value - problem.rounding,
        lower: core.lower - problem.rounding,
        upper: core.upper - problem.rounding,
        witness_a_w: to_world(core.point_a + normal * round_a),
        witness_b_w: to_world(core.point_b - normal * round_b),
        normal_ab_w: pose_a.rotation * normal,
        status: core.status,
        iterations: core.evaluations,
        of_hull: !(a.is_convex() && b.is_convex()),
        warm: core.warm,
    }
}

/// What the solver needs to know about the pair besides its separation function.
pub(crate) struct Problem<'a> {
    /// Length that tolerances are relative to.
    pub size: f64,
    /// Origin of B in the frame of A.
    pub offset: Vec3,
    pub rotation_ab: Mat3,
    pub cores: [CoreShape<'a>; 2],
    /// Sum of the radii that were set aside.
    pub rounding: f64,
}

impl Problem<'_> {
    /// Radius of a ball that rolls inside the Minkowski difference of the cores. Computed when it is needed: it takes
    /// powers, and most queries end before.
    fn rolling_radius(&self) -> f64 {
        self.cores.iter().map(CoreShape::min_radius_of_curvature).sum()
    }
}

/// The answer for the cores, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreAnswer {
    pub value: f64,
    pub lower: f64,
    pub upper: f64,
    pub normal: Vec3,
    pub point_a: Vec3,
    pub point_b: Vec3,
    pub status: SolveStatus,
    pub evaluations: u32,
    pub warm: WarmStart,
}

/// Signed distance of the cores.
pub(crate) fn solve(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    warm: &WarmStart,
) -> CoreAnswer {
    let goal = Goal { gap: options.gap_tolerance * problem.size, ..Goal::top(problem.size) };
    let first = match warm.count {
        0 => ascend(pair, &unit_or(&problem.offset, &Vec3::z()), &goal),
        1 => ascend(pair, &warm.normals_a[0], &goal),
        _ => {
            let [best, other] = ascend_two(pair, [&warm.normals_a[0], &warm.normals_a[1]], &goal);
            let apart = best.jet.at.value > 0.0 || other.jet.at.value > 0.0;
            if !apart && proves_overlap(pair, &best) {
                let depth = deepest_of(pair, &[best, other], problem.size);
                return overlapping(pair, problem, options, &depth);
            }
            let spent = best.evaluations + other.evaluations;
            let higher = if other.jet.at.value > best.jet.at.value { other } else { best };
            Ascent { evaluations: spent, ..higher }
        }
    };
    let at = first.jet.at;
    if first.outcome == Outcome::GapClosed {
        return CoreAnswer {
            value: at.value,
            lower: at.value,
            upper: at.value + duality_gap(at.value, first.jet.tangential()),
            normal: first.jet.normal,
            point_a: at.point_a,
            point_b: at.point_b,
            status: SolveStatus::Certified,
            evaluations: first.evaluations,
            warm: WarmStart { normals_a: [first.jet.normal; 2], count: 1 },
        };
    }
    if at.value < 0.0 && proves_overlap(pair, &first) {
        return search_depth(pair, problem, options, &first);
    }
    let (proximity, spent) = gjk(pair, first.jet, goal.gap, problem.size);
    let evaluations = first.evaluations + spent;
    match proximity {
        Proximity::Overlapping { best } => {
            let unmoved = best.normal == first.jet.normal;
            let outcome = if unmoved { first.outcome } else { Outcome::Stalled };
            search_depth(pair, problem, options, &Ascent { jet: best, outcome, evaluations })
        }
        Proximity::Apart { lower, upper, normal, point_a, point_b } => CoreAnswer {
            value: lower,
            lower,
            upper,
            normal,
            point_a,
            point_b,
            status: if upper - lower <= 10.0 * goal.gap {
                SolveStatus::Certified
            } else {
                SolveStatus::BudgetExhausted
            },
            evaluations,
            warm: WarmStart { normals_a: [normal; 2], count: 1 },
        },
    }
}

/// Whether the point half way between the two support points is inside both bodies.
fn proves_overlap(pair: &impl SeparationFunction, ascent: &Ascent) -> bool {
    let middle = 0.5 * (ascent.jet.at.point_a + ascent.jet.at.point_b);
    pair.inside_both(&middle) < 0.0
}

fn search_depth(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    first: &Ascent,
) -> CoreAnswer {
    let depth = deepest(pair, first, &problem.rotation_ab, problem.rolling_radius(), problem.size);
    overlapping(pair, problem, options, &depth)
}

/// The answer for bodies that overlap, proven from both sides if asked for.
fn overlapping(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    depth: &Deepest,
) -> CoreAnswer {
    let Depth { value, normal, point_a, point_b } = depth.best;
    let mut answer = CoreAnswer {
        value,
        lower: value,
        upper: 0.0,
        normal,
        point_a,
        point_b,
        status: SolveStatus::DepthUnproven,
        evaluations: depth.evaluations,
        warm: WarmStart { normals_a: [normal, depth.runner_up], count: 2 },
    };
    if options.depth_mode == DepthMode::Certified {
        certify(pair, problem, options, &mut answer);
    }
    answer
}

fn certify(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    answer: &mut CoreAnswer,
) {
    let tolerance = options.depth_tolerance * problem.size;
    let proof = prove_highest(
        pair,
        answer.value,
        &answer.normal,
        problem.rolling_radius(),
        tolerance,
        options.depth_budget,
        problem.size,
    );
    answer.evaluations += proof.evaluations;
    if proof.value > answer.value {
        let jet = pair.jet(&proof.normal);
        let ascent = Ascent { jet, outcome: Outcome::Stalled, evaluations: 1 };
        let Deepest { best, evaluations, .. } = deepest_of(pair, &[ascent], problem.size);
        answer.evaluations += evaluations;
        (answer.value, answer.lower, answer.normal) = (best.value, best.value, best.normal);
        (answer.point_a, answer.point_b) = (best.point_a, best.point_b);
        answer.warm.normals_a[0] = best.normal;
    }
    answer.upper = proof.upper.max(answer.lower);
    answer.status = if answer.upper - answer.lower <= 1.01 * tolerance {
        SolveStatus::Certified
    } else {
        SolveStatus::BudgetExhausted
    };
}
