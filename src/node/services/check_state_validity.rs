//! Is one state free, and does it meet the constraints? In the messages of MoveIt.
//!
//! The response has no room for a reason: a request that cannot be answered gives `valid = false` without contacts, and
//! the reason goes to the log.

use super::validity::Question;
use crate::interfaces::moveit_msgs::srv::{self, GetStateValidityRequest, GetStateValidityResponse};
use crate::convert::Refusal;
use crate::node::{Context, Service};

/// `check_state_validity`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckStateValidity;

impl Service for CheckStateValidity {
    type Type = srv::GetStateValidity;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetStateValidityRequest,
    ) -> Result<GetStateValidityResponse, Refusal> {
        let scene = context.snapshot()?.scene.clone();
        let GetStateValidityRequest { robot_state, group_name, constraints } = &request;
        let question = Question::new(context, scene, robot_state, group_name, constraints)?;
        let (now, max_age) = (context.now, context.max_state_age);
        let positions =
            context.joints.positions(question.scene.model(), &question.joints, now, max_age)?;
        let verdict = question.decide(context, &positions)?;
        Ok(GetStateValidityResponse {
            contacts: verdict.contacts,
            cost_sources: Vec::new(),
            constraint_result: verdict.constraints,
            valid: verdict.valid,
        })
    }

    fn refuse(&self, _: Refusal) -> GetStateValidityResponse {
        GetStateValidityResponse { valid: false, ..GetStateValidityResponse::default() }
    }

    fn refusal(_: &GetStateValidityResponse) -> Option<Refusal> {
        None
    }
}
