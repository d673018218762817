//! The table of topics, and the topics of MoveIt that change the scene. Each of those is a function on a scene, and one
//! that applies a message to the store: all of it, or nothing with the reason.

mod attached_object;
mod collision_object;
mod message_frames;
mod planning_scene;
pub(super) mod table;

use std::sync::Arc;

pub use planning_scene::{planning_scene, planning_scene_world};
pub use table::{Direction, TOPICS, Topic, TopicPublisher, TopicRow};

use super::service::Context;
use crate::convert::frames::Frames;
use crate::convert::{Limits, Refusal};
use crate::interfaces::moveit_msgs::msg::{
    AttachedCollisionObject, CollisionObject, PlanningScene as SceneMessage, PlanningSceneWorld,
    RobotState,
};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::scene::{PlanningScene, Snapshot};
use attached_object::attached_object;
use collision_object::collision_object;
use message_frames::MessageFrames;

/// `collision_object`: one object of the world is added, moved or removed.
pub fn on_collision_object(
    context: &Context<'_>,
    message: &CollisionObject,
) -> Result<Arc<Snapshot>, Refusal> {
    let changed = context.store.change(|scene| {
        let given = JointState::default();
        let poses = context.link_poses(scene, &given);
        let frames = MessageFrames::new(context.frames(&poses));
        collision_object(scene, message, &frames, context.limits)
    });
    changed.map(|(_, snapshot)| snapshot)
}

/// `attached_collision_object`: one object is fixed to a link, or taken off it.
pub fn on_attached_collision_object(
    context: &Context<'_>,
    message: &AttachedCollisionObject,
) -> Result<Arc<Snapshot>, Refusal> {
    let changed = context.store.change(|scene| {
        let given = JointState::default();
        let poses = context.link_poses(scene, &given);
        let frames = MessageFrames::new(context.frames(&poses));
        attached_object(scene, message, &frames, context.limits)
    });
    changed.map(|(_, snapshot)| snapshot)
}

/// `planning_scene`: a full scene or a diff. Joint positions in it count as received now.
pub fn on_planning_scene(
    context: &Context<'_>,
    message: &SceneMessage,
) -> Result<Arc<Snapshot>, Refusal> {
    let (joints, snapshot) =
        context.store.change(|scene| planning_scene(scene, message, context))?;
    context.joints.update(&joints, context.now)?;
    Ok(snapshot)
}

/// `planning_scene_world`: all objects of the world, in the place of those that are there.
pub fn on_planning_scene_world(
    context: &Context<'_>,
    message: &PlanningSceneWorld,
) -> Result<Arc<Snapshot>, Refusal> {
    let changed = context.store.change(|scene| {
        let given = JointState::default();
        let poses = context.link_poses(scene, &given);
        let frames = MessageFrames::new(context.frames(&poses));
        planning_scene_world(scene, message, &frames, context.limits)
    });
    changed.map(|(_, snapshot)| snapshot)
}

/// Gives the robot what the state of a question carries. Without a list what is attached stays attached: MoveIt drops it
/// unless the state is called a difference, and then answers for empty hands.
pub(super) fn attach_for_question(
    scene: &mut PlanningScene,
    state: &RobotState,
    frames: Frames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let list = &state.attached_collision_objects;
    planning_scene::replace_attached(scene, state.is_diff, false, list)?;
    let frames = MessageFrames::new(frames);
    list.iter().try_for_each(|object| attached_object(scene, object, &frames, limits))
}
