//! The nearest pairs of one state, with bounds, witnesses, normals and gradients.

use super::question::{certified, check_request};
use crate::convert::joints::velocity_names;
use crate::convert::proximity::proximity_message;
use crate::interfaces::srv::{self, GetDistanceRequest, GetDistanceResponse};
use crate::convert::{Refusal, Status};
use crate::node::{Context, Service};
use crate::scene::{NearestRequest, PlanningScene};

/// `~/get_distance`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GetDistance;

impl Service for GetDistance {
    type Type = srv::GetDistance;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetDistanceRequest,
    ) -> Result<GetDistanceResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        let max_results = max_results(context, scene, &request)?;
        let mut check = check_request(context, scene, &request.bodies_a, &request.bodies_b)?;
        if request.certify {
            check.query = certified(&check.query);
        }
        let positions = context.positions(&snapshot, &request.joint_state)?;
        let wanted = NearestRequest {
            check,
            max_distance: request.max_distance,
            max_results,
            ..NearestRequest::default()
        };
        let mut found = Vec::new();
        scene.nearest(&positions, &wanted, context.workspace, &mut found)?;
        found.truncate(context.limits.results);
        let mut proximities = Vec::with_capacity(found.len());
        for pair in &found {
            let mut message = proximity_message(scene, pair);
            if request.gradient {
                scene.gradient(context.workspace, pair, &mut message.gradient);
            }
            proximities.push(message);
        }
        let joint_names = if request.gradient { velocity_names(scene.model()) } else { Vec::new() };
        Ok(GetDistanceResponse {
            message: String::new(),
            revision: snapshot.revision,
            proximities,
            joint_names,
            status: Status::Ok as u8,
        })
    }

    fn refuse(&self, refusal: Refusal) -> GetDistanceResponse {
        GetDistanceResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..GetDistanceResponse::default()
        }
    }

    fn refusal(response: &GetDistanceResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

/// How many pairs to search for.
fn max_results(
    context: &Context<'_>,
    scene: &PlanningScene,
    request: &GetDistanceRequest,
) -> Result<usize, Refusal> {
    let limit = context.limits.results;
    let (distance, wanted) = (request.max_distance, request.max_results as usize);
    if distance.is_nan() || distance < 0.0 {
        let reason = format!("max_distance is {distance}, must be 0 or more");
        return Err(Refusal::bad_request(reason));
    }
    if wanted > limit {
        let reason = format!("max_results is {wanted}, must be at most {limit}");
        return Err(Refusal::bad_request(reason));
    }
    if wanted > 0 {
        return Ok(wanted);
    }
    // Finding all pairs at once is faster than the nearest ones in order, as long as they are few.
    let (surfaces, pairs) = scene.robot_size();
    let bodies = pairs.saturating_add(surfaces.saturating_mul(scene.world().len()));
    Ok(if bodies <= limit { usize::MAX } else { limit })
}
