//! Full scenes and diffs.
//!
//! Differences from MoveIt: it clears the matrix before it reads the one of the message, detaches objects when it receives
//! a state without any, and continues after a part it could not read. Here a part that cannot be read refuses the whole
//! message.

use super::attached_object::attached_object;
use super::collision_object::collision_object;
use super::message_frames::MessageFrames;
use crate::convert::joints::joint_state_of;
use crate::convert::moveit::matrix::merged;
use crate::convert::{Limits, Refusal};
use crate::interfaces::moveit_msgs::msg::{
    CollisionObject, PlanningScene as SceneMessage, PlanningSceneWorld,
};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::node::service::Context;
use crate::scene::{
    AllowedCollisionMatrix, LinkSize, MatrixChange, PlanningScene, RobotChange, SceneChange,
    SceneError, Sizes, WorldChange,
};

/// Applies a whole scene, or what is different, and returns the joint positions that it holds.
pub fn planning_scene(
    scene: &mut PlanningScene,
    message: &SceneMessage,
    context: &Context<'_>,
) -> Result<JointState, Refusal> {
    let limits = context.limits;
    let robot = &message.robot_model_name;
    if !robot.is_empty() && robot != scene.model().name() {
        let reason =
            format!("robot_model_name is `{robot}`, the robot is `{}`", scene.model().name());
        return Err(Refusal::bad_request(reason));
    }
    refuse_octomap_of(&message.world, "world.octomap")?;
    let state = &message.robot_state;
    let joints = joint_state_of(scene.model(), &state.joint_state, &state.multi_dof_joint_state)?;
    crate::convert::joints::Columns::new(scene.model(), &joints.name)?;
    let poses = context.link_poses(scene, &joints);
    let mut frames = MessageFrames::new(context.frames(&poses));
    frames.bring(scene, &message.fixed_frame_transforms)?;
    if !message.is_diff {
        scene.apply(WorldChange::RemoveAll)?;
        scene.apply(RobotChange::SetSizes(Sizes::default()))?;
    }
    attached(scene, message, &frames, limits)?;
    matrix(scene, message)?;
    sizes(scene, message)?;
    for object in &message.world.collision_objects {
        collision_object(scene, object, &frames, limits)?;
    }
    drop(poses);
    Ok(joints)
}

/// Puts these objects in the place of all objects of the world. What was said about contacts of objects stays, as in MoveIt:
/// the new ones mostly have the names of the old.
pub fn planning_scene_world(
    scene: &mut PlanningScene,
    message: &PlanningSceneWorld,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    refuse_octomap_of(message, "octomap")?;
    scene.apply(WorldChange::RemoveAll)?;
    message
        .collision_objects
        .iter()
        .try_for_each(|object| collision_object(scene, object, frames, limits))
}

fn refuse_octomap_of(world: &PlanningSceneWorld, field: &str) -> Result<(), Refusal> {
    if world.octomap.octomap.data.is_empty() {
        return Ok(());
    }
    let reason = "octomaps are not part of this scene; send the obstacles as collision objects";
    Err(Refusal::bad_request(format!("{field}: {reason}")))
}

/// Attached objects. A state that is not a difference says all that is attached; if it says nothing, what is attached
/// stays, unless the whole scene is new.
fn attached(
    scene: &mut PlanningScene,
    message: &SceneMessage,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let state = &message.robot_state;
    replace_attached(scene, state.is_diff, !message.is_diff, &state.attached_collision_objects)?;
    for object in &state.attached_collision_objects {
        attached_object(scene, object, frames, limits)?;
    }
    Ok(())
}

/// Takes everything off the robot when the list that follows says all that is attached.
pub(in crate::node) fn replace_attached(
    scene: &mut PlanningScene,
    is_diff: bool,
    even_by_nothing: bool,
    list: &[crate::interfaces::moveit_msgs::msg::AttachedCollisionObject],
) -> Result<(), Refusal> {
    if is_diff || (list.is_empty() && !even_by_nothing) {
        return Ok(());
    }
    if let Some(other) = list.iter().find(|item| item.object.operation != CollisionObject::ADD) {
        let id = &other.object.id;
        let reason = format!("robot_state is not a diff: attached object `{id}` can only be added");
        return Err(Refusal::bad_request(reason));
    }
    let names: Vec<String> = scene.attached().map(|a| a.object.name().to_string()).collect();
    // An object that is named without shapes is the one that is attached already.
    let stays = |name: &str| list.iter().any(|item| item.object.id == name);
    for name in names.into_iter().filter(|name| !stays(name)) {
        scene.apply(RobotChange::Detach { name })?;
    }
    Ok(())
}

fn matrix(scene: &mut PlanningScene, message: &SceneMessage) -> Result<(), Refusal> {
    let given = &message.allowed_collision_matrix;
    let says_nothing = given.entry_names.is_empty() && given.default_entry_names.is_empty();
    if message.is_diff && says_nothing && given.entry_values.is_empty() {
        return Ok(());
    }
    let known = if message.is_diff {
        scene.acm().clone()
    } else if says_nothing {
        described_matrix(scene)
    } else {
        AllowedCollisionMatrix::new()
    };
    let matrix = merged(&known, given)?;
    if matrix != *scene.acm() {
        scene.apply(MatrixChange::Replace(matrix))?;
    }
    Ok(())
}

/// What the description of the robot says about contacts.
fn described_matrix(scene: &PlanningScene) -> AllowedCollisionMatrix {
    let semantics = scene.semantics();
    if semantics.pair_rules.is_empty() && semantics.allowed_by_default.is_empty() {
        AllowedCollisionMatrix::adjacent(scene.model())
    } else {
        AllowedCollisionMatrix::from_semantics(scene.model(), semantics)
    }
}

/// Paddings and scales of links; what is not mentioned stays.
fn sizes(scene: &mut PlanningScene, message: &SceneMessage) -> Result<(), Refusal> {
    let mut changes: Vec<(String, LinkSize)> = Vec::new();
    let mut change = |link: &str, set: &dyn Fn(&mut LinkSize)| {
        let place = changes.iter().position(|(name, _)| name == link).unwrap_or_else(|| {
            changes.push((link.to_string(), scene.sizes().link(link)));
            changes.len() - 1
        });
        set(&mut changes[place].1);
    };
    for padding in &message.link_padding {
        change(&padding.link_name, &|size| size.padding = padding.padding);
    }
    for scale in &message.link_scale {
        change(&scale.link_name, &|size| size.scale = scale.scale);
    }
    if changes.is_empty() {
        return Ok(());
    }
    let changes = changes.into_iter().map(|(link, size)| RobotChange::SetLinkSize { link, size });
    match scene.apply(SceneChange::several(changes)) {
        Ok(_) => Ok(()),
        Err(SceneError::InSeveral { source, .. }) => Err((*source).into()),
        Err(error) => Err(error.into()),
    }
}
