//! One fuzz case: raw bytes → two shapes, poses, motions and options → every promise of the queries, checked.
//!
//! Shared by the libFuzzer target `fuzz_targets/pair.rs` and by the stable driver `examples/fuzz.rs`.

mod decode;
mod other_queries;

use decode::{Bytes, pose, shape};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{
    DepthMode, QueryOptions, RigidMotion, SignedDistance, SolveStatus, distance,
};

/// Evaluations no query may exceed, whatever the input, besides the budget of the certified mode.
const MAX_ITERATIONS: u32 = 100_000;
/// Contradiction between two proven bounds, relative to the lengths involved, that rounding may explain.
const ROUNDING: f64 = 1e-11;

/// Two posed shapes and the options of the certified query.
#[derive(Debug)]
pub struct Case {
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub pose_b: Pose,
    pub certified: QueryOptions,
    /// Where the bodies move to, if the case has a continuous query.
    pub motions: Option<[RigidMotion; 2]>,
}

/// How much to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promises {
    /// What each answer promises by itself: finite numbers, ordered bounds, a unit normal, bounded work.
    Each,
    /// That, and what answers promise together: consistent bounds, witnesses and support functions, no early surrender.
    All,
}

/// Runs one case. `Ok(false)` when the bytes describe no valid shape, `Err` with the broken promise.
pub fn fuzz_one(data: &[u8], promises: Promises) -> Result<bool, String> {
    let Some(case) = decode(data) else { return Ok(false) };
    check(&case, promises).map_err(|promise| format!("{promise}\n  {case:?}"))?;
    Ok(true)
}

/// The case these bytes stand for; `None` when a constructor refuses a shape.
pub fn decode(data: &[u8]) -> Option<Case> {
    let mut bytes = Bytes { data };
    let (a, b) = (shape(&mut bytes), shape(&mut bytes));
    let (pose_a, pose_b) = (pose(&mut bytes), pose(&mut bytes));
    let certified = QueryOptions {
        gap_tolerance: [1e-10, 1e-14, 1e-3, 1.0][usize::from(bytes.next() % 4)],
        depth_mode: DepthMode::Certified,
        depth_tolerance: [1e-6, 1e-12, 1e-2, 1.0][usize::from(bytes.next() % 4)],
        depth_budget: [500, 0, 1, 3000][usize::from(bytes.next() % 4)],
    };
    let (a, b) = (a.ok()?, b.ok()?);
    if is_half_space(&a) && is_half_space(&b) {
        return None;
    }
    // One body as likely as not sits a body's length from the other: far apart, nothing interesting happens.
    let pose_b = match bytes.next() % 4 {
        0 => pose_b,
        1 => pose_a,
        _ => {
            let reach = finite_radius(&a) + finite_radius(&b);
            let offset = pose_b.translation.vector;
            let near = offset / offset.amax().max(1e-9) * (reach * f64::from(bytes.next()) / 160.0);
            Pose::from_parts((pose_a.translation.vector + near).into(), pose_b.rotation)
        }
    };
    let moves = bytes.next() % 4;
    let motions = (moves > 0).then(|| {
        // As likely as not one body rests. A half-space may not turn.
        let to_a = if moves == 1 { pose(&mut bytes) } else { pose_a };
        let to_b = pose(&mut bytes);
        [motion(&a, &pose_a, &to_a), motion(&b, &pose_b, &to_b)]
    });
    Some(Case { a, pose_a, b, pose_b, certified, motions })
}

fn motion(shape: &Shape, start: &Pose, end: &Pose) -> RigidMotion {
    if start == end || is_half_space(shape) {
        let shift = end.translation.vector - start.translation.vector;
        return RigidMotion::translation(start, shift);
    }
    RigidMotion::between(start, end)
}

fn is_half_space(shape: &Shape) -> bool {
    matches!(shape, Shape::HalfSpace(_))
}

/// The bounding radius, zero for a body without bounds.
fn finite_radius(shape: &Shape) -> f64 {
    Some(shape.bounding_radius()).filter(|radius| radius.is_finite()).unwrap_or(0.0)
}

/// Every promise that can be checked without knowing the answer.
fn check(case: &Case, promises: Promises) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, certified, .. } = case;
    let fast_options = QueryOptions { depth_mode: DepthMode::Fast, ..*certified };
    let answers = [
        ("fast", distance(a, pose_a, b, pose_b, &fast_options)),
        ("certified", distance(a, pose_a, b, pose_b, certified)),
        ("swapped", distance(b, pose_b, a, pose_a, certified)),
    ];
    for (name, answer) in &answers {
        check_numbers(answer, certified).map_err(|promise| format!("{name}: {promise}"))?;
    }
    if promises == Promises::Each {
        return Ok(());
    }
    for (name, shape) in [("a", a), ("b", b)].into_iter().filter(|(_, s)| !is_half_space(s)) {
        check_support(shape).map_err(|promise| format!("support of {name}: {promise}"))?;
    }
    let centres = [pose_a.translation.vector, pose_b.translation.vector];
    let reach = finite_radius(a) + finite_radius(b);
    let scale = reach + centres[0].norm() + centres[1].norm();
    for (name, answer) in &answers {
        check_meaning(answer, case, reach, scale)
            .map_err(|promise| format!("{name}: {promise}"))?;
    }
    // All three enclose the same number.
    let lower = answers.iter().map(|(_, answer)| answer.lower).fold(f64::NEG_INFINITY, f64::max);
    let upper = answers.iter().map(|(_, answer)| answer.upper).fold(f64::INFINITY, f64::min);
    if lower > upper + ROUNDING * scale {
        let bounds = answers.map(|(name, answer)| (name, answer.lower, answer.upper));
        return Err(format!("the bounds contradict each other: {bounds:?}"));
    }
    let known = other_queries::Known { lower, upper, slack: ROUNDING * scale };
    other_queries::check_collide(case, &known).map_err(|promise| format!("collide: {promise}"))?;
    other_queries::check_within(case, &known).map_err(|promise| format!("within: {promise}"))?;
    match &case.motions {
        Some(motions) => other_queries::check_motion(case, motions)
            .map_err(|promise| format!("motion: {promise}")),
        None => Ok(()),
    }
}

/// No support point reaches farther along any direction than the support value there.
fn check_support(shape: &Shape) -> Result<(), String> {
    const DIRECTIONS: [[f64; 3]; 8] = [
        [1.0, 0.0, 0.0],
        [0.0, 0.6, -0.8],
        [0.0, 0.0, 1.0],
        [-0.36, 0.48, 0.8],
        [0.48, -0.64, -0.6],
        [1e-9, 0.0, -1.0],
        [0.8, 0.6, 1e-12],
        [0.577_350_269_2, 0.577_350_269_2, 0.577_350_269_2],
    ];
    let directions = DIRECTIONS.map(|direction| Vec3::from(direction).normalize());
    let radius = shape.bounding_radius();
    for n in &directions {
        let jet = shape.support_jet(n);
        let numbers = jet.point.iter().chain(jet.hessian.iter()).chain([&jet.value]);
        if !numbers.into_iter().all(|x| x.is_finite()) {
            return Err(format!("a number is not finite along {n:?}: {jet:?}"));
        }
        let value = shape.support(n).value;
        if (jet.value - value).abs() > ROUNDING * radius {
            return Err(format!("{value:e} along {n:?}, {:e} with curvature", jet.value));
        }
        for m in &directions {
            let reached = shape.support(m).point.dot(n);
            if reached > value + ROUNDING * radius {
                return Err(format!(
                    "{value:e} along {n:?}, but the point of {m:?} is at {reached:e}"
                ));
            }
        }
    }
    Ok(())
}

/// What an answer promises whatever the pair.
fn check_numbers(answer: &SignedDistance, options: &QueryOptions) -> Result<(), String> {
    let SignedDistance { distance, lower, upper, iterations, .. } = *answer;
    let vectors = [answer.witness_a_w, answer.witness_b_w, answer.normal_ab_w];
    let numbers = vectors.iter().flat_map(|v| v.iter().copied()).chain([distance, lower, upper]);
    if !numbers.into_iter().all(f64::is_finite) {
        return Err(format!("a number is not finite: {answer:?}"));
    }
    if !(lower <= distance && distance <= upper) {
        return Err(format!("{distance:e} is outside its bounds [{lower:e}, {upper:e}]"));
    }
    let length = answer.normal_ab_w.norm();
    if (length - 1.0).abs() > 1e-9 {
        return Err(format!("the normal has length {length}"));
    }
    if iterations > MAX_ITERATIONS + options.depth_budget {
        return Err(format!("{iterations} iterations"));
    }
    Ok(())
}

/// What an answer promises about this pair. `reach` is the sum of the bounding radii.
fn check_meaning(
    answer: &SignedDistance,
    case: &Case,
    reach: f64,
    scale: f64,
) -> Result<(), String> {
    let SignedDistance { distance, lower, upper, iterations, .. } = *answer;
    let apart = (case.pose_b.translation.vector - case.pose_a.translation.vector).norm();
    // A body that contains its origin is no farther than that; any other one still reaches it.
    let holds_origin = |shape: &Shape| shape.inside_outside(&Vec3::zeros()) <= 0.0;
    let both = holds_origin(&case.a) && holds_origin(&case.b);
    let farthest = if both { apart } else { apart + reach };
    let bounded = !is_half_space(&case.a) && !is_half_space(&case.b);
    let impossible = distance < -reach - ROUNDING * scale || distance > farthest + ROUNDING * scale;
    if bounded && impossible {
        return Err(format!(
            "{distance:e} is impossible: centres {apart:e} apart, reach {reach:e}"
        ));
    }
    let gap = upper - lower;
    let between = (answer.witness_b_w - answer.witness_a_w).norm();
    // The witness of a rounded body follows the normal, whose error is of the order of the root of the gap.
    let rounded = is_rounded(&case.a) || is_rounded(&case.b);
    let slack = if rounded { (2.0 * gap * (reach + apart)).sqrt() } else { 0.0 };
    if (between - distance.abs()).abs() > gap + slack + ROUNDING * scale.max(distance.abs()) {
        return Err(format!("{distance:e}, but the points are {between:e} apart"));
    }
    // The proof stops for its tolerance or for its budget; a tolerance near rounding may be out of reach.
    let overlapping = lower < -ROUNDING * scale && upper <= ROUNDING * scale;
    if overlapping
        && answer.status == SolveStatus::BudgetExhausted
        && gap > ROUNDING * scale
        && iterations < case.certified.depth_budget
        && case.certified.depth_tolerance >= 1e-6
    {
        return Err(format!("gave up after {iterations} iterations: [{lower:e}, {upper:e}]"));
    }
    Ok(())
}

/// Whether queries set a rounding of the shape aside.
fn is_rounded(shape: &Shape) -> bool {
    match shape {
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Padded(_) => true,
        Shape::Compound(compound) => compound.parts().iter().any(|(_, part)| is_rounded(part)),
        _ => false,
    }
}
