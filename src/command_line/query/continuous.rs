//! Bodies that move: the motions of a question and the fields they add to its answer.

use super::derivatives::Posed;
use super::input_error::InputError;
use super::numbers::finite;
use super::request::Body;
use crate::command_line::status_name::BUDGET_EXHAUSTED;
use crate::geometry::Shape;
use crate::math::Pose;
use crate::query::{
    Motion, MotionOptions, MotionStatus, QueryOptions, RigidMotion, TimeOfImpact, time_of_impact,
};
use serde::Serialize;

/// What a continuous question adds to an answer.
#[derive(Debug, Serialize)]
pub(crate) struct MotionFields {
    /// First contact, `null` when none was found.
    time: Option<f64>,
    closest_time: f64,
    free_until: f64,
    motion_lower: f64,
}

/// The motions of both bodies; a body without `to` stays where it is.
pub(crate) fn motions(a: &Body, b: &Body) -> Result<[RigidMotion; 2], InputError> {
    if matches!((&a.shape, &b.shape), (Shape::HalfSpace(_), Shape::HalfSpace(_))) {
        let reason = "continuous queries (`to`) need at least one body that is not a half_space";
        return Err(InputError(reason.to_owned()));
    }
    Ok([motion(a, "a")?, motion(b, "b")?])
}

fn motion(body: &Body, name: &str) -> Result<RigidMotion, InputError> {
    let start = &body.pose;
    let end = body.to.as_ref().unwrap_or(start);
    if same_rotation(start, end) {
        // Slerp between equal rotations would add rounding errors.
        let shift = end.translation.vector - start.translation.vector;
        return Ok(RigidMotion::translation(start, shift));
    }
    if matches!(body.shape, Shape::HalfSpace(_)) {
        // A rotating unbounded body has no bound on its speed.
        let reason =
            "turns a half_space, which continuous queries cannot answer; it may only be shifted";
        return Err(InputError(format!("{name}.to {reason}")));
    }
    Ok(RigidMotion::between(start, end))
}

/// Whether two orientations are the same to the last bit; q and −q are.
fn same_rotation(start: &Pose, end: &Pose) -> bool {
    let (p, q) = (start.rotation.coords, end.rotation.coords);
    p == q || p == -q
}

/// First contact or closest approach.
pub(crate) fn solve(
    a: &Body,
    b: &Body,
    [motion_a, motion_b]: &[RigidMotion; 2],
    query: &QueryOptions,
) -> TimeOfImpact {
    let options = MotionOptions { query: *query, ..MotionOptions::default() };
    time_of_impact(&a.shape, motion_a, &b.shape, motion_b, &options)
}

/// The bodies at rest in their poses at `time`.
pub(crate) fn bodies_at<'a>(
    a: &'a Body,
    b: &'a Body,
    [motion_a, motion_b]: &[RigidMotion; 2],
    time: f64,
) -> [Posed<'a>; 2] {
    let at = |body: &'a Body, motion: &RigidMotion| Posed {
        shape: &body.shape,
        pose: motion.pose_at(time),
    };
    [at(a, motion_a), at(b, motion_b)]
}

/// The status, if it is that of the motion rather than of the distance at its closest time.
pub(crate) fn status(found: &TimeOfImpact) -> Option<&'static str> {
    (found.status == MotionStatus::BudgetExhausted).then_some(BUDGET_EXHAUSTED)
}

/// The fields a continuous question adds.
pub(crate) fn fields(found: &TimeOfImpact) -> Result<MotionFields, InputError> {
    let TimeOfImpact { time, closest_time, free_until, lower, .. } = *found;
    finite(time.iter().chain([&closest_time, &free_until, &lower]))?;
    Ok(MotionFields { time, closest_time, free_until, motion_lower: lower })
}
