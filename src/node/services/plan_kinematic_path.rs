//! A path that is proven free, in the messages of MoveIt.
//!
//! Read are the start state with what it carries, the group, one goal (joints, or position and orientation of a link), the
//! allowed time, the scaling factors and path constraints on joints, positions, orientations and visibility angles, which are proven to hold on the
//! whole path. What else would restrict the path is refused: trajectory constraints, a limit on the speed of a link. The workspace
//! is where planar and floating joints are sampled. The names of pipeline and planner, the number of attempts and
//! reference trajectories change nothing.

use std::time::Instant;

use super::pose_trajectory::pose_part;
use super::planning::{
    Ended, Goal, PlanQuestion, USUAL_ACCELERATION, USUAL_BLEND, allowed_time, share, trajectory,
};
use super::validity::asked_scene;
use crate::convert::frames::frame;
use crate::convert::joints::Columns;
use crate::convert::pose::{point, pose, rotation};
use crate::convert::{Refusal, Status};
use crate::interfaces::moveit_msgs::msg::{
    Constraints, MotionPlanRequest, MotionPlanResponse, MoveItErrorCodes, OrientationConstraint,
    PositionConstraint, RobotState, WorkspaceParameters,
};
use crate::interfaces::moveit_msgs::srv::{self, GetMotionPlanRequest, GetMotionPlanResponse};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::math::{Pose, Vec3};
use crate::node::constraints::ConstraintSet;
use crate::node::{Context, Service};
use crate::plan::{Endpoint, JointSpace, PathConstraint, PlanError, PlanOptions};
use crate::robot::forward_kinematics;
use crate::scene::PlanningScene;

/// `plan_kinematic_path`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanKinematicPath;

/// Who answers, for the error codes.
const SOURCE: &str = "smooth_scene";

impl Service for PlanKinematicPath {
    type Type = srv::GetMotionPlan;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetMotionPlanRequest,
    ) -> Result<GetMotionPlanResponse, Refusal> {
        let begin = Instant::now();
        let request = request.motion_plan_request;
        let mut response = match answer(context, &request) {
            Ok(response) => response,
            Err(Unanswered::Refused(refusal)) => return Err(refusal),
            Err(Unanswered::NoPath(code)) => MotionPlanResponse { error_code: code, ..Default::default() },
        };
        response.group_name = request.group_name;
        response.planning_time = begin.elapsed().as_secs_f64();
        Ok(GetMotionPlanResponse { motion_plan_response: response })
    }

    fn refuse(&self, refusal: Refusal) -> GetMotionPlanResponse {
        let val = match refusal.status {
            Status::NoState => MoveItErrorCodes::ROBOT_STATE_STALE,
            Status::NoTransform => MoveItErrorCodes::FRAME_TRANSFORM_FAILURE,
            Status::NotComputed
            | Status::Ok
            | Status::Refused
            | Status::NoRobot
            | Status::Overloaded
            | Status::Inactive => MoveItErrorCodes::FAILURE,
        };
        let error_code = code(val, refusal.message);
        let motion_plan_response = MotionPlanResponse { error_code, ..Default::default() };
        GetMotionPlanResponse { motion_plan_response }
    }

    fn refusal(response: &GetMotionPlanResponse) -> Option<Refusal> {
        let code = &response.motion_plan_response.error_code;
        (code.val != MoveItErrorCodes::SUCCESS).then(|| Refusal::bad_request(&code.message))
    }
}

/// Why there is no path.
enum Unanswered {
    Refused(Refusal),
    NoPath(MoveItErrorCodes),
}

impl From<Refusal> for Unanswered {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<PlanError> for Unanswered {
    fn from(error: PlanError) -> Self {
        Self::NoPath(code(error_value(&error), error.to_string()))
    }
}

fn code(val: i32, message: String) -> MoveItErrorCodes {
    MoveItErrorCodes { val, message, source: SOURCE.into() }
}

fn error_value(error: &PlanError) -> i32 {
    type Code = MoveItErrorCodes;
    match error {
        PlanError::UnknownGroup { .. }
        | PlanError::NothingMoves { .. } => Code::INVALID_GROUP_NAME,
        PlanError::FixedNumberDiffers { .. } => Code::INVALID_GOAL_CONSTRAINTS,
        PlanError::OutOfLimits { which: Endpoint::Start, .. } => Code::START_STATE_INVALID,
        PlanError::OutOfLimits { which: Endpoint::Goal, .. } => Code::GOAL_STATE_INVALID,
        PlanError::InCollision { which: Endpoint::Start, .. } => Code::START_STATE_IN_COLLISION,
        PlanError::InCollision { which: Endpoint::Goal, .. }
        | PlanError::PoseInCollision { .. } => Code::GOAL_IN_COLLISION,
        PlanError::ConstraintViolated { which: Endpoint::Start, .. } => {
            Code::START_STATE_VIOLATES_PATH_CONSTRAINTS
        }
        PlanError::ConstraintViolated { which: Endpoint::Goal, .. } => {
            Code::GOAL_VIOLATES_PATH_CONSTRAINTS
        }
        PlanError::PoseOutOfReach { .. } => Code::NO_IK_SOLUTION,
        PlanError::Scene(crate::scene::SceneError::UnknownLink { .. }) => Code::INVALID_LINK_NAME,
        PlanError::NoConnection { .. } => Code::PLANNING_FAILED,
        // Settings and states that are none, and what a later version may add.
        _ => Code::FAILURE,
    }
}

fn answer(
    context: &mut Context<'_>,
    request: &MotionPlanRequest,
) -> Result<MotionPlanResponse, Unanswered> {
    refuse_what_is_not_planned_for(request)?;
    let scene = context.snapshot()?.scene.clone();
    let (scene, joints) = asked_scene(context, scene, &request.start_state)
        .map_err(|why| why.within("start_state"))?;
    let (now, max_age) = (context.now, context.max_state_age);
    let start = context
        .joints
        .positions(scene.model(), &joints, now, max_age)
        .map_err(|why| why.within("start_state"))?;
    let factor = |field: &str, value: f64| share(field, value);
    let velocity = factor("max_velocity_scaling_factor", request.max_velocity_scaling_factor)?;
    let acceleration =
        factor("max_acceleration_scaling_factor", request.max_acceleration_scaling_factor)?;
    let mut question = PlanQuestion {
        goal: goal(context, &scene, &joints, &start, &request.goal_constraints)?,
        group: request.group_name.clone(),
        start,
        options: PlanOptions::default(),
        blend: USUAL_BLEND,
        allowed: allowed_time("allowed_planning_time", request.allowed_planning_time)?,
        finer: context.second_model.in_place_of(&scene).map_err(Refusal::bad_request)?,
        scene,
    };
    let space = question.space()?;
    question.options.workspace = workspace(&request.workspace_parameters)?;
    question.options.constraints =
        path_constraints(context, &question, &space, &request.path_constraints)
            .map_err(|why| why.within("path_constraints"))?;
    let found = match question.answer(context)? {
        Ended::Proven(found) => found,
        Ended::NoPath(error) => return Err(error.into()),
        Ended::TimedOut => {
            let message = "no path was found in the allowed time".to_owned();
            return Err(Unanswered::NoPath(code(MoveItErrorCodes::TIMED_OUT, message)));
        }
        Ended::Cancelled { reason } => {
            let message = format!("cancelled: {reason}");
            return Err(Unanswered::NoPath(code(MoveItErrorCodes::PREEMPTED, message)));
        }
    };
    let (mut joint_trajectory, _) =
        trajectory(&space, &found, velocity, acceleration * USUAL_ACCELERATION)?;
    let mut response = MotionPlanResponse::default();
    response.trajectory.multi_dof_joint_trajectory = pose_part(&space, &mut joint_trajectory);
    response.trajectory.joint_trajectory = joint_trajectory;
    response.trajectory_start = start_state(&question, &request.start_state);
    response.error_code = code(MoveItErrorCodes::SUCCESS, String::new());
    Ok(response)
}

/// Where planar and floating joints are sampled; the usual range when no box is given.
fn workspace(message: &WorkspaceParameters) -> Result<[[f64; 2]; 3], Refusal> {
    let (min, max) = (&message.min_corner, &message.max_corner);
    let corners = [[min.x, max.x], [min.y, max.y], [min.z, max.z]];
    if corners == [[0.0; 2]; 3] {
        return Ok(PlanOptions::default().workspace);
    }
    for ([lower, upper], axis) in corners.iter().zip(["x", "y", "z"]) {
        if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
            let reason = format!(
                "workspace_parameters: {axis} is {lower} to {upper}, must be finite, the smaller one first"
            );
            return Err(Refusal::bad_request(reason));
        }
    }
    Ok(corners)
}

/// What would restrict the path is refused rather than left out.
fn refuse_what_is_not_planned_for(request: &MotionPlanRequest) -> Result<(), Refusal> {
    let refused = if !request.trajectory_constraints.constraints.is_empty() {
        "trajectory_constraints"
    } else if request.max_cartesian_speed > 0.0 || request.max_cartesian_speed.is_nan() {
        "max_cartesian_speed"
    } else {
        return Ok(());
    };
    Err(Refusal::bad_request(format!("{refused}: not supported, leave it out")))
}

/// What has to hold along the path, seen from the root.
fn path_constraints(
    context: &Context<'_>,
    question: &PlanQuestion,
    space: &JointSpace,
    message: &Constraints,
) -> Result<Vec<PathConstraint>, Refusal> {
    let (scene, limits) = (&question.scene, context.limits);
    let constraints = ConstraintSet::new(scene, message, context.transforms, limits)?;
    let poses = forward_kinematics(scene.model(), &question.start).map_err(Refusal::bad_request)?;
    constraints.for_path(space, scene, &poses)
}

/// Where to go.
fn goal(
    context: &Context<'_>,
    scene: &PlanningScene,
    joints: &JointState,
    start: &[f64],
    goals: &[Constraints],
) -> Result<Goal, Refusal> {
    let [goal] = goals else {
        let count = goals.len();
        let reason = format!("goal_constraints has {count} entries, must have 1");
        return Err(Refusal::bad_request(reason));
    };
    let found = match (&goal.joint_constraints[..], &goal.position_constraints[..]) {
        _ if !goal.visibility_constraints.is_empty() => {
            Err(Refusal::bad_request("visibility_constraints: not supported, leave them out"))
        }
        (joints, []) if !joints.is_empty() && goal.orientation_constraints.is_empty() => {
            let names: Vec<String> = joints.iter().map(|each| each.joint_name.clone()).collect();
            let values: Vec<f64> = joints.iter().map(|each| each.position).collect();
            let mut positions = start.to_vec();
            let columns = Columns::new(scene.model(), &names)?;
            columns.put(scene.model(), &values, &mut positions)?;
            Ok(Goal::State(positions))
        }
        ([], [position]) => match &goal.orientation_constraints[..] {
            [orientation] => pose_goal(context, scene, joints, position, orientation),
            _ => Err(Refusal::bad_request("a goal for a link needs one orientation constraint")),
        },
        _ => Err(Refusal::bad_request(
            "must be joint constraints, or one position and one orientation constraint",
        )),
    };
    found.map_err(|why| why.within("goal_constraints[0]"))
}

/// The middle of the region and the orientation itself: within every tolerance.
fn pose_goal(
    context: &Context<'_>,
    scene: &PlanningScene,
    joints: &JointState,
    position: &PositionConstraint,
    orientation: &OrientationConstraint,
) -> Result<Goal, Refusal> {
    if position.link_name != orientation.link_name {
        let (a, b) = (&position.link_name, &orientation.link_name);
        let reason = format!("the position is that of `{a}` and the orientation that of `{b}`");
        return Err(Refusal::bad_request(reason));
    }
    let region = &position.constraint_region;
    let [center] = &[&region.primitive_poses[..], &region.mesh_poses[..]].concat()[..] else {
        let count = region.primitive_poses.len() + region.mesh_poses.len();
        let reason = format!("constraint_region has {count} poses, must have 1");
        return Err(Refusal::bad_request(reason));
    };
    let poses = context.link_poses(scene, joints);
    let frames = context.frames(&poses);
    let base = |header, field: &'static str| frame(scene, header, &frames, &|| field.to_owned());
    let place = base(&position.header, "position_constraints[0].header.frame_id")?
        * pose(center, &|| "constraint_region".to_owned())?;
    let turn = base(&orientation.header, "orientation_constraints[0].header.frame_id")?.rotation
        * rotation(&orientation.orientation, &|| "orientation".to_owned())?;
    let offset = &position.target_point_offset;
    let offset = crate::interfaces::geometry_msgs::msg::Point { x: offset.x, y: offset.y, z: offset.z };
    let offset: Vec3 = point(&offset, &|| "target_point_offset".to_owned())?;
    // The point at the offset of the link has to be there, not the link's origin.
    let origin = place.translation.vector - turn * offset;
    let link = position.link_name.clone();
    Ok(Goal::Pose { link, pose: Pose::from_parts(origin.into(), turn) })
}

/// The state that the trajectory begins in: all single joints, and what the request attached.
fn start_state(question: &PlanQuestion, asked: &RobotState) -> RobotState {
    let model = question.scene.model();
    let mut joint_state = JointState::default();
    for (name, value) in model.variable_names().iter().zip(&question.start) {
        if model.joint_id(name).is_some() {
            joint_state.name.push(name.clone());
            joint_state.position.push(*value);
        }
    }
    RobotState {
        joint_state,
        multi_dof_joint_state: asked.multi_dof_joint_state.clone(),
        attached_collision_objects: asked.attached_collision_objects.clone(),
        is_diff: asked.is_diff,
    }
}
