//! Bodies that move: the motions of a question and the fields they add to its answer.

use super::derivatives::Posed;
use super::input_error::InputError;
use super::numbers::finite;
use super::request::Body;
use crate::command_line::status_name::BUDGET_EXHAUSTED;
use crate::geometry::Shape;
use crate::math::{Mat3, Pose};
use crate::query::{
    DeformingBody, Motion, MotionOptions, MotionStatus, QueryOptions, RigidMotion, TimeOfImpact,
    time_of_impact, time_of_impact_deforming,
};
use serde::Serialize;

/// What a continuous question adds to an answer.
#[derive(Debug, Serialize)]
pub(crate) struct MotionFields {
    /// First contact, `null` when none was found.
    time: Option<f64>,
    closest_time: f64,
    #[serde(flatten)]
    proven: Option<ProvenFields>,
}

/// What our own solver proves about a motion.
#[derive(Debug, Serialize)]
struct ProvenFields {
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
) -> Result<TimeOfImpact, InputError> {
    let options = MotionOptions { query: *query, ..MotionOptions::default() };
    if a.map_to.is_none() && b.map_to.is_none() {
        return Ok(time_of_impact(&a.shape, motion_a, &b.shape, motion_b, &options));
    }
    let (a, b) = (deforming(a, motion_a), deforming(b, motion_b));
    time_of_impact_deforming(&a, &b, &options).map_err(|e| InputError(format!("map_to: {e}")))
}

/// The body as it is deformed; one without `map_to` keeps its shape.
pub(crate) fn deforming<'a>(
    body: &'a Body,
    motion: &'a RigidMotion,
) -> DeformingBody<'a, RigidMotion> {
    DeformingBody { shape: &body.shape, map_to: body.map_to.unwrap_or_else(Mat3::identity), motion }
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
    let proven = Some(ProvenFields { free_until, motion_lower: lower });
    Ok(MotionFields { time, closest_time, proven })
}

/// The fields that a solver from the literature adds, which proves nothing.
#[cfg(feature = "baselines")]
pub(crate) fn unproven_fields(
    found: &crate::baselines::MotionAnswer,
) -> Result<MotionFields, InputError> {
    finite(found.contact.iter().chain([&found.closest_time]))?;
    Ok(MotionFields { time: found.contact, closest_time: found.closest_time, proven: None })
}
