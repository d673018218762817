//! Many states in one call: which are free, and the contacts of those that are not.

use super::question::{check_request, states_of};
use crate::convert::proximity::proximity_message;
use crate::interfaces::srv::{self, CheckStatesRequest, CheckStatesResponse};
use crate::convert::{Refusal, Status};
use crate::node::{Context, Service};
use crate::scene::{PairLevel, PairDistance};

/// `~/check_states`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckStates;

impl Service for CheckStates {
    type Type = srv::CheckStates;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: CheckStatesRequest,
    ) -> Result<CheckStatesResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        let flat = states_of(context, scene, &request.joint_names, &request.positions)?;
        let states: Vec<&[f64]> = flat.chunks_exact(scene.model().position_count()).collect();
        let check = check_request(context, scene, &request.bodies_a, &request.bodies_b)?;
        let mut response =
            CheckStatesResponse { revision: snapshot.revision, ..CheckStatesResponse::default() };
        if request.max_contacts == 0 {
            let touching = scene.states_in_collision(&states, &check)?;
            response.states = touching.into_iter().map(verdict).collect();
        } else {
            let mut contacts = scene.states_contacts(&states, &check, PairLevel::Bodies)?;
            for (state, found) in (0u32..).zip(&mut contacts) {
                response.states.push(verdict(!found.is_empty()));
                deepest_first(found);
                found.truncate(request.max_contacts as usize);
                response.contacts.extend(found.iter().map(|pair| proximity_message(scene, pair)));
                response.contact_states.resize(response.contacts.len(), state);
            }
            let (count, limit) = (response.contacts.len(), context.limits.results);
            if count > limit {
                let reason = format!("{count} contacts, must be at most {limit}: ask for fewer");
                return Err(Refusal::bad_request(reason));
            }
        }
        response.status = Status::Ok as u8;
        Ok(response)
    }

    fn refuse(&self, refusal: Refusal) -> CheckStatesResponse {
        CheckStatesResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..CheckStatesResponse::default()
        }
    }

    fn refusal(response: &CheckStatesResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn verdict(in_contact: bool) -> u8 {
    if in_contact { CheckStatesResponse::COLLISION } else { CheckStatesResponse::FREE }
}

/// Sorts contacts by depth; equal ones stay in the order of bodies.
pub(super) fn deepest_first(contacts: &mut [PairDistance]) {
    contacts.sort_by(|x, y| x.distance.distance.total_cmp(&y.distance.distance));
}
