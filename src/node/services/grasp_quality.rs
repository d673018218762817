//! How well a hand holds an object, in many states and poses.

use super::question::states_of;
use crate::convert::frames::frame;
use crate::convert::joints::velocity_names;
use crate::convert::pose::{point_message, pose, vector_message};
use crate::convert::{Refusal, Status};
use crate::dynamics::{
    GraspDetail, GraspPose, GraspQuestion, JudgeError, JudgedGrasp, judge_grasps,
};
use crate::interfaces::geometry_msgs::msg::Wrench;
use crate::interfaces::msg::GraspContact;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::srv::{self, GraspQualityRequest, GraspQualityResponse};
use crate::math::Pose;
use crate::node::{Context, Service};
use crate::query::PrincipalCurvatures;
use crate::scene::{BodyId, PlanningScene, Snapshot};

/// `~/grasp_quality`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraspQuality;

/// Grasps judged between two looks at whether the node goes away.
const BLOCK: usize = 256;

impl Service for GraspQuality {
    type Type = srv::GraspQuality;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GraspQualityRequest,
    ) -> Result<GraspQualityResponse, Refusal> {
        let work = context.fitting.begin();
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        let question = question(scene, &request)?;
        let flat = positions(context, &snapshot, &request)?;
        let object_poses = object_poses(context, scene, &request)?;
        let grasps = grasps(context, scene, &flat, &object_poses)?;
        let mut response =
            GraspQualityResponse { revision: snapshot.revision, ..GraspQualityResponse::default() };
        for (block, poses) in grasps.chunks(BLOCK).enumerate() {
            if let Some(reason) = work.cancelled() {
                return Err(Refusal::failed(format!("cancelled: {reason}")));
            }
            let judged = judge_grasps(scene, &question, poses)
                .map_err(|(place, why)| refused(&request.object, block * BLOCK + place, &why))?;
            judged.iter().for_each(|grasp| add(&mut response, scene, &request, grasp));
            check_size(context, &response)?;
        }
        if request.gradient {
            response.gradient_joints = velocity_names(scene.model());
        }
        response.status = Status::Ok as u8;
        Ok(response)
    }

    fn refuse(&self, refusal: Refusal) -> GraspQualityResponse {
        GraspQualityResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..GraspQualityResponse::default()
        }
    }

    fn refusal(response: &GraspQualityResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

/// What is asked of every grasp.
fn question(
    scene: &PlanningScene,
    request: &GraspQualityRequest,
) -> Result<GraspQuestion, Refusal> {
    let bad = |reason: String| Err(Refusal::bad_request(reason));
    let GraspQualityRequest { margin, friction, edges, .. } = request;
    // Written so that NaN is refused too.
    if !(*margin >= 0.0 && margin.is_finite()) {
        return bad(format!("margin is {margin}, must be 0 or more and finite"));
    }
    if !(*friction > 0.0 && friction.is_finite()) {
        return bad(format!("friction is {friction}, must be above 0 and finite"));
    }
    if !(3..=64).contains(edges) {
        return bad(format!("edges is {edges}, must be 3 to 64"));
    }
    let hand = scene.body_set(&request.hand);
    let hand = hand.map_err(|error| Refusal::bad_request(format!("hand: {error}")))?;
    let Some(hand) = hand else {
        return bad("hand is empty, must name links, attached objects or groups".into());
    };
    let of_world = |body: &BodyId| matches!(body, BodyId::Object(_));
    if let Some(body) = hand.iter().find(of_world) {
        let name = scene.body_name(body);
        return bad(format!("hand: `{name}` is an object of the world, must move with a link"));
    }
    let Some(object) = scene.world().find(&request.object) else {
        return bad(format!("object: the world has no object `{}`", request.object));
    };
    let detail = match (request.gradient, request.contacts) {
        (true, _) => GraspDetail::Gradient,
        (false, true) => GraspDetail::Curvatures,
        (false, false) => GraspDetail::Contacts,
    };
    Ok(GraspQuestion { hand, object, margin: *margin, friction: *friction, edges: *edges, detail })
}

/// The positions of all states, one after the other.
fn positions(
    context: &Context<'_>,
    snapshot: &Snapshot,
    request: &GraspQualityRequest,
) -> Result<Vec<f64>, Refusal> {
    if request.joint_names.is_empty() && request.positions.is_empty() {
        return context.positions(snapshot, &JointState::default());
    }
    states_of(context, &snapshot.scene, &request.joint_names, &request.positions)
}

/// Where the object is to be, in the root.
fn object_poses(
    context: &Context<'_>,
    scene: &PlanningScene,
    request: &GraspQualityRequest,
) -> Result<Vec<Pose>, Refusal> {
    if request.object_poses.is_empty() {
        return Ok(Vec::new());
    }
    let now = JointState::default();
    let links = context.link_poses(scene, &now);
    let field = || "header.frame_id".to_owned();
    let at = frame(scene, &request.header, &context.frames(&links), &field)?;
    let in_root = |(k, message)| Ok(at * pose(message, &|| format!("object_poses[{k}]"))?);
    request.object_poses.iter().enumerate().map(in_root).collect()
}

/// Each state with its pose; the one that is single stands for all.
fn grasps<'a>(
    context: &Context<'_>,
    scene: &PlanningScene,
    flat: &'a [f64],
    poses: &[Pose],
) -> Result<Vec<GraspPose<'a>>, Refusal> {
    let states: Vec<&[f64]> = match scene.model().position_count() {
        // A robot that cannot move has one state.
        0 => vec![&[] as &[f64]],
        width => flat.chunks_exact(width).collect(),
    };
    let count = states.len().max(poses.len());
    if states.len() != count && states.len() != 1 || poses.len() != count && poses.len() > 1 {
        let reason = format!(
            "object_poses has {} poses for {} states, must be none, one or as many",
            poses.len(),
            states.len()
        );
        return Err(Refusal::bad_request(reason));
    }
    let limit = context.limits.states;
    if count > limit {
        return Err(Refusal::bad_request(format!("{count} grasps, must be at most {limit}")));
    }
    let grasp = |k: usize| GraspPose {
        positions: states[k.min(states.len() - 1)],
        object_w: poses.get(k.min(poses.len().saturating_sub(1))).copied(),
    };
    Ok((0..count).map(grasp).collect())
}

fn refused(object: &str, place: usize, why: &JudgeError) -> Refusal {
    match why {
        // Of the object, whatever the grasp.
        JudgeError::Mass(source) => Refusal::bad_request(format!("object `{object}`: {source}")),
        other => Refusal::bad_request(format!("grasp {place}: {other}")),
    }
}

fn check_size(context: &Context<'_>, response: &GraspQualityResponse) -> Result<(), Refusal> {
    let (count, limit) = (response.contacts.len(), context.limits.results);
    if count <= limit {
        return Ok(());
    }
    let reason = format!("more than {limit} contacts, which is the limit: ask for fewer grasps");
    Err(Refusal::bad_request(reason))
}

/// Adds the answer about one grasp.
fn add(
    response: &mut GraspQualityResponse,
    scene: &PlanningScene,
    request: &GraspQualityRequest,
    grasp: &JudgedGrasp,
) {
    let quality = &grasp.quality;
    response.closed.push(quality.closure.is_closed());
    response.epsilon.push(quality.epsilon);
    response.epsilon_lower.push(quality.epsilon_lower);
    response.volume.push(quality.volume);
    let three = |first: usize| vector_message(&quality.weakest.fixed_rows::<3>(first).into_owned());
    response.weakest.push(Wrench { force: three(0), torque: three(3) });
    response.center.push(point_message(&grasp.options.center_w));
    response.length = grasp.options.length;
    let number = u32::try_from(response.contact_count.len()).expect("limits.states is less");
    let contacts = grasp.contacts.contacts.len();
    response.contact_count.push(u32::try_from(contacts).expect("a grasp has at most 100"));
    if request.contacts {
        response.contacts.extend((0..contacts).map(|k| contact_message(scene, grasp, k)));
    }
    if let Some(gradient) = &grasp.gradient {
        for row in &gradient.epsilon {
            response.gradient_grasps.push(number);
            response.epsilon_gradient.extend(row);
            response.volume_gradient.extend(&gradient.volume);
        }
    }
}

fn contact_message(scene: &PlanningScene, grasp: &JudgedGrasp, k: usize) -> GraspContact {
    let (contact, geometry) = (&grasp.contacts.contacts[k], &grasp.geometry[k]);
    let values = |curvatures: &PrincipalCurvatures| curvatures.values;
    GraspContact {
        body: scene.body_name(grasp.contacts.bodies[k]).to_owned(),
        point: point_message(&contact.point_w),
        normal: vector_message(&contact.normal_w),
        distance: grasp.contacts.pairs[k].distance.distance,
        hand_curvatures: values(&geometry.hand),
        object_curvatures: values(&geometry.object),
    }
}
