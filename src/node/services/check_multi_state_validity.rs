//! Are several states free? In the messages of MoveIt, which answer for all of them together: the first state that is
//! not valid ends the search, and its contacts are the answer. `check_states` says which states these are.

use super::validity::Question;
use crate::convert::joints::{Columns, check_joint_state};
use crate::interfaces::moveit_msgs::srv::{self, GetMultiStateValidityRequest, GetMultiStateValidityResponse,
};
use crate::convert::Refusal;
use crate::node::{Context, Service};

/// `check_multi_state_validity`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckMultiStateValidity;

impl Service for CheckMultiStateValidity {
    type Type = srv::GetMultiStateValidity;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetMultiStateValidityRequest,
    ) -> Result<GetMultiStateValidityResponse, Refusal> {
        let scene = context.snapshot()?.scene.clone();
        let (count, limit) = (request.joint_states.len(), context.limits.states);
        if count == 0 || count > limit {
            let reason = format!("joint_states has {count} states, must have 1 to {limit}");
            return Err(Refusal::bad_request(reason));
        }
        let GetMultiStateValidityRequest { robot_state, joint_states, group_name, constraints } =
            &request;
        let question = Question::new(context, scene, robot_state, group_name, constraints)?;
        let model = question.scene.model();
        // Every state is looked up before any is checked: a bad one must not hide behind one that is not valid.
        let mut columns = Vec::with_capacity(count);
        for (k, state) in joint_states.iter().enumerate() {
            let place = |why: Refusal| why.within(format!("joint_states[{k}]"));
            check_joint_state(state).map_err(place)?;
            columns.push(Columns::new(model, &state.name).map_err(place)?);
        }
        let (now, max_age) = (context.now, context.max_state_age);
        let mut joints = question.joints.clone();
        // Joints that the first state names need not be known.
        if let Some(first) = joint_states.first() {
            for (name, &position) in first.name.iter().zip(&first.position) {
                if !joints.name.contains(name) {
                    joints.name.push(name.clone());
                    joints.position.push(position);
                }
            }
        }
        let mut positions = context.joints.positions(question.scene.model(), &joints, now, max_age)?;
        let mut response = GetMultiStateValidityResponse::default();
        for (k, (state, columns)) in joint_states.iter().zip(&columns).enumerate() {
            // As in MoveIt each state begins where the one before it ended.
            let put = columns.put(model, &state.position, &mut positions);
            put.map_err(|why| why.within(format!("joint_states[{k}]")))?;
            let verdict = question.decide(context, &positions)?;
            (response.contacts, response.constraint_result) =
                (verdict.contacts, verdict.constraints);
            response.valid = verdict.valid;
            if !verdict.valid {
                tracing::debug!("joint_states[{k}] of {count} is not valid");
                break;
            }
        }
        Ok(response)
    }

    fn refuse(&self, _: Refusal) -> GetMultiStateValidityResponse {
        GetMultiStateValidityResponse { valid: false, ..GetMultiStateValidityResponse::default() }
    }

    fn refusal(_: &GetMultiStateValidityResponse) -> Option<Refusal> {
        None
    }
}
