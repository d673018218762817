//! Answers about pairs of bodies.

use super::pose::{point_message, vector_message};
use crate::interfaces::msg::Proximity;
use crate::query::SolveStatus;
use crate::scene::{PairDistance, PlanningScene};

/// A pair as a message, without gradient.
pub fn proximity_message(scene: &PlanningScene, found: &PairDistance) -> Proximity {
    let answer = &found.distance;
    Proximity {
        body_a: scene.body_name(found.body_a).to_string(),
        body_b: scene.body_name(found.body_b).to_string(),
        distance: answer.distance,
        lower: answer.lower,
        upper: answer.upper,
        point_a: point_message(&answer.witness_a_w),
        point_b: point_message(&answer.witness_b_w),
        normal: vector_message(&answer.normal_ab_w),
        gradient: Vec::new(),
        status: match answer.status {
            SolveStatus::Certified => Proximity::CERTIFIED,
            SolveStatus::DepthUnproven => Proximity::DEPTH_UNPROVEN,
            SolveStatus::BudgetExhausted => Proximity::BUDGET_EXHAUSTED,
        },
        of_hull: answer.of_hull,
    }
}
