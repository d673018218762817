//! Signed distance between two posed shapes.

use super::certify::prove_highest;
use super::common_normal::{Ascent, Outcome, ascend, duality_gap};
use super::core_shape::CoreShape;
use super::gjk::{Proximity, gjk};
use super::options::{DepthMode, QueryOptions};
use super::penetration::{Depth, deepest};
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
    let size = core_a
        .bounding_radius()
        .max(core_b.bounding_radius())
        .max(offset.norm())
        .max(round_a)
        .max(round_b);
    let problem = Problem {
        size,
        offset,
        rotation_ab: pose_ab.rotation.to_rotation_matrix().into_inner(),
        rolling_radius: core_a.min_radius_of_curvature() + core_b.min_radius_of_curvature(),
        rounding: round_a + round_b,
    };
    let core = match SuperquadricPair::new(&core_a, &core_b, &pose_ab) {
        Some(pair) => solve(&pair, &problem, options, warm),
        None => solve(&SurfacePair::new(core_a, core_b, &pose_ab), &problem, options, warm),
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
        warm: WarmStart { normals_a: [normal; 2], count: 1 },
    }
}

/// What the solver needs to know about the pair besides its separation function.
pub(crate) struct Problem {
    /// Length that tolerances are relative to.
    pub size: f64,
    /// Origin of B in the frame of A.
    pub offset: Vec3,
    pub rotation_ab: Mat3,
    /// Radius of a ball that rolls inside the Minkowski difference of the cores.
    pub rolling_radius: f64,
    /// Sum of the radii that were set aside.
    pub rounding: f64,
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
}

/// Signed distance of the cores.
pub(crate) fn solve(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    warm: &WarmStart,
) -> CoreAnswer {
    let gap = options.gap_tolerance * problem.size;
    let start =
        if warm.count > 0 { warm.normals_a[0] } else { unit_or(&problem.offset, &Vec3::z()) };
    let ascent = ascend(pair, &start, gap, problem.size);
    let at = ascent.jet.at;
    if ascent.outcome == Outcome::GapClosed {
        let upper = at.value + duality_gap(at.value, ascent.jet.tangential());
        return CoreAnswer {
            value: at.value,
            lower: at.value,
            upper,
            normal: ascent.jet.normal,
            point_a: at.point_a,
            point_b: at.point_b,
            status: SolveStatus::Certified,
            evaluations: ascent.evaluations,
        };
    }
    let middle = 0.5 * (at.point_a + at.point_b);
    if at.value < 0.0 && pair.inside_both(&middle) < 0.0 {
        return overlapping(pair, problem, options, &ascent, ascent.evaluations);
    }
    let (proximity, spent) = gjk(pair, ascent.jet, gap, problem.size);
    let evaluations = ascent.evaluations + spent;
    match proximity {
        Proximity::Overlapping { best } => {
            let outcome =
                if best.normal == ascent.jet.normal { ascent.outcome } else { Outcome::Stalled };
            let best = Ascent { jet: best, outcome, evaluations };
            overlapping(pair, problem, options, &best, evaluations)
        }
        Proximity::Apart { lower, upper, normal, point_a, point_b } => CoreAnswer {
            value: lower,
            lower,
            upper,
            normal,
            point_a,
            point_b,
            status: if upper - lower <= 10.0 * gap {
                SolveStatus::Certified
            } else {
                SolveStatus::BudgetExhausted
            },
            evaluations,
        },
    }
}

fn overlapping(
    pair: &impl SeparationFunction,
    problem: &Problem,
    options: &QueryOptions,
    ascent: &Ascent,
    spent: u32,
) -> CoreAnswer {
    let (depth, evaluations) = deepest(pair, ascent, &problem.rotation_ab, problem.size);
    let Depth { value, normal, point_a, point_b } = depth;
    let mut answer = CoreAnswer {
        value,
        lower: value,
        upper: 0.0,
        normal,
        point_a,
        point_b,
        status: SolveStatus::DepthUnproven,
        evaluations: spent + evaluations,
    };
    if options.depth_mode == DepthMode::Certified {
        let tolerance = options.depth_tolerance * problem.size;
        let proof = prove_highest(
            pair,
            value,
            &normal,
            problem.rolling_radius,
            tolerance,
            options.depth_budget,
            problem.size,
        );
        answer.evaluations += proof.evaluations;
        if proof.value > value {
            answer.value = proof.value;
            answer.lower = proof.value;
            answer.normal = proof.normal;
            let at = pair.at(&proof.normal);
            (answer.point_a, answer.point_b) = (at.point_a, at.point_b);
        }
        answer.upper = proof.upper;
        answer.status = if answer.upper - answer.lower <= 1.01 * tolerance {
            SolveStatus::Certified
        } else {
            SolveStatus::BudgetExhausted
        };
    }
    answer
}
