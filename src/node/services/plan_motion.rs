//! A path that is proven free, or why there is none.

use super::planning::{
    Ended, Found, Goal, PlanQuestion, USUAL_ACCELERATION, USUAL_BLEND, allowed_time, share,
    trajectory,
};
use crate::convert::frames::frame;
use crate::convert::joints::{Columns, check_joint_state};
use crate::convert::pose::pose;
use crate::convert::{Refusal, Status};
use crate::interfaces::srv::{self, PlanMotionRequest, PlanMotionResponse};
use crate::node::{Context, Service};
use crate::plan::{PlanError, PlanOptions, with_margin};

/// `~/plan_motion`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanMotion;

impl Service for PlanMotion {
    type Type = srv::PlanMotion;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: PlanMotionRequest,
    ) -> Result<PlanMotionResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = with_margin(&snapshot.scene, request.margin).map_err(Refusal::bad_request)?;
        let start = context
            .positions(&snapshot, &request.start)
            .map_err(|why| why.within("start"))?;
        let velocity_share = share("max_velocity_scaling", request.max_velocity_scaling)?;
        let acceleration = match request.max_acceleration {
            0.0 => USUAL_ACCELERATION,
            given => given,
        };
        let question = PlanQuestion {
            goal: goal(context, &scene, &start, &request)?,
            group: request.group.clone(),
            start,
            options: options(&request),
            blend: match request.blend {
                0.0 => USUAL_BLEND,
                negative if negative < 0.0 => 0.0,
                given => given,
            },
            allowed: allowed_time("allowed_time", request.allowed_time)?,
            finer: context.second_model.in_place_of(&scene).map_err(Refusal::bad_request)?,
            scene,
        };
        let ended = question.answer(context).map_err(Refusal::bad_request)?;
        let mut response =
            PlanMotionResponse { revision: snapshot.revision, ..PlanMotionResponse::default() };
        match ended {
            Ended::Proven(found) => {
                let space = question.space().map_err(Refusal::bad_request)?;
                let timed = trajectory(&space, &found, velocity_share, acceleration);
                (response.trajectory, response.waypoints) = timed.map_err(Refusal::bad_request)?;
                describe(&found, &mut response);
                response.result = PlanMotionResponse::PROVEN;
            }
            Ended::NoPath(error) => {
                response.result = match &error {
                    PlanError::InCollision { .. } | PlanError::PoseInCollision { .. } => {
                        PlanMotionResponse::IN_COLLISION
                    }
                    _ => PlanMotionResponse::NO_CONNECTION,
                };
                response.message = error.to_string();
            }
            Ended::TimedOut => {
                response.message = "no path was found in the allowed time".into();
                response.result = PlanMotionResponse::TIMED_OUT;
            }
            Ended::Cancelled { reason } => {
                response.message = format!("cancelled: {reason}");
                response.result = PlanMotionResponse::CANCELLED;
            }
        }
        response.status = Status::Ok as u8;
        Ok(response)
    }

    fn refuse(&self, refusal: Refusal) -> PlanMotionResponse {
        PlanMotionResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..PlanMotionResponse::default()
        }
    }

    fn refusal(response: &PlanMotionResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

/// Where to go, from the one field that says it.
fn goal(
    context: &Context<'_>,
    scene: &crate::scene::PlanningScene,
    start: &[f64],
    request: &PlanMotionRequest,
) -> Result<Goal, Refusal> {
    let (names, link) = (&request.goal.name, &request.goal_link);
    match (names.is_empty(), link.is_empty()) {
        (true, true) => Err(Refusal::bad_request("neither goal nor goal_link is given")),
        (false, false) => Err(Refusal::bad_request("both goal and goal_link are given")),
        (false, true) => {
            let within = |why: Refusal| why.within("goal");
            check_joint_state(&request.goal).map_err(within)?;
            let model = scene.model();
            let mut positions = start.to_vec();
            let columns = Columns::new(model, names).map_err(within)?;
            columns.put(model, &request.goal.position, &mut positions).map_err(within)?;
            Ok(Goal::State(positions))
        }
        (true, false) => {
            let poses = context.link_poses(scene, &request.start);
            let (frames, field) =
                (context.frames(&poses), || "goal_pose.header.frame_id".to_owned());
            let base = frame(scene, &request.goal_pose.header, &frames, &field)?;
            let local = pose(&request.goal_pose.pose, &|| "goal_pose".to_owned())?;
            Ok(Goal::Pose { link: link.clone(), pose: base * local })
        }
    }
}

fn options(request: &PlanMotionRequest) -> PlanOptions {
    let usual = PlanOptions::default();
    PlanOptions {
        seed: request.seed,
        max_states: if request.max_states == 0 { usual.max_states } else { request.max_states },
        clearance: match request.clearance {
            0.0 => usual.clearance,
            negative if negative < 0.0 => 0.0,
            given => given,
        },
        ..usual
    }
}

/// What is proven about each piece of the path, the curve at its end included.
fn describe(found: &Found, response: &mut PlanMotionResponse) {
    let Found { plan, path } = found;
    response.length = plan.length;
    (response.states, response.proofs) = (plan.statistics.states, plan.statistics.proofs);
    for (place, segment) in plan.certificate.segments.iter().enumerate() {
        let curve = path.blends.iter().find(|blend| blend.waypoint == place + 1);
        let motions = [Some(segment), curve.map(|curve| &curve.certificate)];
        let tightest = motions.into_iter().flatten().filter_map(|motion| motion.tightest());
        let tightest = tightest.min_by(|a, b| a.clearance.total_cmp(&b.clearance));
        response.clearances.push(tightest.map_or(f64::INFINITY, |pair| pair.clearance));
        let nearest = tightest.map(|pair| pair.surfaces);
        let names = nearest.map(|pair| pair.map(|k| &plan.certificate.surfaces[k as usize].body));
        // Without any pair that may not touch there is nothing to name.
        let names = names.map_or_else(|| [String::new(), String::new()], |pair| pair.map(String::clone));
        response.nearest.extend(names);
    }
}
