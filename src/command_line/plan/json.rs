//! Answers of `plan` as JSON.

use super::timed::{Question, Timed, Times};
use crate::plan::{JointSpace, NearAtEnd, Plan, PlanError, SegmentCertificate};
use serde_json::{Value, json};
use std::time::Duration;

/// One answer.
pub(crate) fn answer(question: &Question, seed: u64, timed: &Timed) -> Value {
    let of = |time: fn(&Times) -> Duration| timed.times.as_ref().map(|times| micros(time(times)));
    let mut object = json!({
        "solved": timed.answer.is_ok(),
        "proven": timed.answer.is_ok(),
        "seed": seed,
        "group": question.group,
        "plan_us": of(Times::search),
        "proof_us": of(|times| times.proofs),
        "search_us": of(|times| times.searching),
        "shorten_us": of(|times| times.shortening),
        "first_length": timed.first_length,
        "path": null,
    });
    match &timed.answer {
        Ok(plan) => {
            let Value::Object(all) = solved(question, plan) else {
                unreachable!("`solved` makes an object")
            };
            object.as_object_mut().expect("made as one above").extend(all);
        }
        Err(error) => object["reason"] = error.to_string().into(),
    }
    object
}

/// Microseconds with one decimal.
pub(crate) fn micros(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 100.0).round() / 10.0
}

fn solved(question: &Question, plan: &Plan) -> Value {
    let space = JointSpace::new(question.scene, question.group, question.from)
        .expect("the path was planned in this space");
    let path: Vec<Vec<f64>> = plan.waypoints.iter().map(|state| space.point(state)).collect();
    let statistics = &plan.statistics;
    json!({
        "joints": space.names().collect::<Vec<_>>(),
        "path": path,
        "length": plan.length,
        "clearance": finite(plan.certificate.clearance()),
        "near_ends": plan.near_ends.iter().map(near_end).collect::<Vec<_>>(),
        "segments": plan.certificate.segments.iter().map(|s| segment(plan, s)).collect::<Vec<_>>(),
        "statistics": {
            "iterations": statistics.iterations,
            "states": statistics.states,
            "proofs": statistics.proofs,
            "refuted": statistics.refuted,
        },
    })
}

fn near_end(near: &NearAtEnd) -> Value {
    json!({
        "which": near.which.to_string(),
        "bodies": [near.body_a, near.body_b],
        "distance": near.distance,
        "kept": near.kept,
    })
}

fn segment(plan: &Plan, segment: &SegmentCertificate) -> Value {
    json!({
        "clearance": finite(segment.clearance()),
        "nearest": nearest(plan, segment),
        "pairs": segment.pairs.len(),
        "parts": segment.pairs.iter().map(|pair| pair.parts.len()).sum::<usize>(),
    })
}

/// The two bodies with the smallest proven clearance in a segment.
pub(crate) fn nearest<'a>(plan: &'a Plan, segment: &SegmentCertificate) -> Option<[&'a str; 2]> {
    let surfaces = segment.tightest()?.surfaces;
    Some(surfaces.map(|k| plan.certificate.surfaces[k as usize].body.as_str()))
}

/// A clearance; null when there is no pair that could touch.
fn finite(clearance: f64) -> Option<f64> {
    clearance.is_finite().then_some(clearance)
}

/// Bad input.
pub(crate) fn refusal(reason: &dyn std::fmt::Display) -> Value {
    json!({ "error": reason.to_string() })
}

/// Whether an answer ended because the user asked for it.
pub(crate) fn is_cancelled(timed: &Timed) -> bool {
    matches!(timed.answer, Err(PlanError::Cancelled))
}
