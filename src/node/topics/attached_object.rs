//! Objects that the robot carries: fixed to a link, taken off it.

use super::collision_object::{appended, header_frame, refuse_octomap};
use super::message_frames::MessageFrames;
use crate::convert::change::{check_object_count, detach, take_from_world};
use crate::convert::frames::plain;
use crate::convert::moveit::object::{ObjectParts, shape_lists};
use crate::convert::{Limits, Refusal};
use crate::interfaces::moveit_msgs::msg::{AttachedCollisionObject, CollisionObject};
use crate::math::Pose;
use crate::scene::{PlanningScene, RobotChange, SceneChange, SceneError, WorldChange};

/// Applies what a message says about an attached object.
pub fn attached_object(
    scene: &mut PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let id = &message.object.id;
    refuse_octomap(id)?;
    match message.object.operation {
        CollisionObject::ADD => attach(scene, message, frames, limits),
        CollisionObject::APPEND if scene.attached_object(id).is_some() => {
            append(scene, message, frames, limits)
        }
        CollisionObject::APPEND => attach(scene, message, frames, limits),
        CollisionObject::REMOVE => take_off(scene, message, frames),
        CollisionObject::MOVE => {
            let reason = format!("object `{id}` is attached: it moves with its link only");
            Err(Refusal::bad_request(reason))
        }
        operation => {
            let reason = format!("object `{id}`: operation is {operation}, must be 0 to 3");
            Err(Refusal::bad_request(reason))
        }
    }
}

/// Fixes an object to a link. Without shapes it is the one of this name in the world, where it is now, or the one that is
/// attached already; with shapes it takes the place of any of the same name.
fn attach(
    scene: &mut PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let (id, link) = (&message.object.id, message.link_name.clone());
    let touch_links = message.touch_links.clone();
    if shape_lists(&message.object).is_empty() {
        if scene.attached_object(id).is_some() {
            return attach_elsewhere(scene, message, frames);
        }
        let change = take_from_world(scene, id, link, touch_links, frames.poses())?;
        scene.apply(change)?;
        return Ok(());
    }
    let frame = frame_in_link(scene, message, frames)?;
    let object = ObjectParts::new(&message.object, limits)?.object(id, &frame)?;
    let mut changes: Vec<SceneChange> = Vec::new();
    if scene.attached_object(id).is_some() {
        changes.push(RobotChange::Detach { name: id.clone() }.into());
    } else if scene.world().find(id).is_some() {
        changes.push(WorldChange::Remove { name: id.clone() }.into());
    } else {
        check_object_count(scene, limits)?;
    }
    changes.push(RobotChange::Attach { object, link, touch_links }.into());
    apply_all(scene, changes)
}

/// Fixes an attached object to another link, or gives it other links to touch, where it is now.
fn attach_elsewhere(
    scene: &mut PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
) -> Result<(), Refusal> {
    let (id, link) = (&message.object.id, message.link_name.clone());
    let unknown = || SceneError::NotAttached { name: id.clone() };
    let attached = scene.attached_object(id).ok_or_else(unknown)?;
    let object = if scene.model().link(attached.link).name == link {
        attached.object.clone()
    } else {
        let field = || format!("object `{id}`: link_name");
        let old = frames.link(scene, &scene.model().link(attached.link).name, &field)?;
        let new = link_frame(scene, &link, frames)?;
        attached.object.with_pose(new.inv_mul(&(old * attached.object.pose())))?
    };
    let touch_links = message.touch_links.clone();
    let again = RobotChange::Attach { object, link, touch_links };
    apply_all(scene, [RobotChange::Detach { name: id.clone() }, again])
}

/// Adds shapes to an attached object, and links it may touch.
fn append(
    scene: &mut PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let id = &message.object.id;
    let unknown = || SceneError::NotAttached { name: id.clone() };
    let attached = scene.attached_object(id).ok_or_else(unknown)?;
    let link = scene.model().link(attached.link).name.clone();
    if !message.link_name.is_empty() && message.link_name != link {
        return Err(other_link(id, &link, &message.link_name));
    }
    let on_link = AttachedCollisionObject { link_name: link.clone(), ..message.clone() };
    let frame = attached.object.pose().inv_mul(&frame_in_link(scene, &on_link, frames)?);
    let parts = ObjectParts::new(&message.object, limits)?;
    let object = appended(&attached.object, parts, &frame, limits)?;
    let name_of = |&link| scene.model().link(link).name.clone();
    let mut touch_links: Vec<String> = attached.touch_links.iter().map(name_of).collect();
    touch_links.extend(message.touch_links.iter().cloned());
    let again = RobotChange::Attach { object, link, touch_links };
    apply_all(scene, [RobotChange::Detach { name: id.clone() }, again])
}

/// Leaves attached objects in the world where they are now: the one of this name, all on this link, or all.
fn take_off(
    scene: &mut PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
) -> Result<(), Refusal> {
    let (id, link) = (&message.object.id, &message.link_name);
    if !link.is_empty() && scene.model().link_id(link).is_none() {
        return Err(SceneError::UnknownLink { name: link.clone() }.into());
    }
    if let (false, Some(attached)) = (id.is_empty(), scene.attached_object(id)) {
        let on = &scene.model().link(attached.link).name;
        if !link.is_empty() && link != on {
            return Err(other_link(id, on, link));
        }
    }
    let ids: Vec<String> = if id.is_empty() {
        let on = |a: &&crate::scene::AttachedObject| {
            link.is_empty() || scene.model().link(a.link).name == *link
        };
        scene.attached().filter(on).map(|a| a.object.name().to_string()).collect()
    } else {
        vec![id.clone()]
    };
    for id in ids {
        let change = detach(scene, &id, frames.poses())?;
        scene.apply(change)?;
    }
    Ok(())
}

fn other_link(id: &str, on: &str, named: &str) -> Refusal {
    Refusal::bad_request(format!("object `{id}` is attached to link `{on}`, not to `{named}`"))
}

/// The frame of the header as seen from the link. When that is the link itself, its pose is not needed.
fn frame_in_link(
    scene: &PlanningScene,
    message: &AttachedCollisionObject,
    frames: &MessageFrames<'_>,
) -> Result<Pose, Refusal> {
    let link = &message.link_name;
    if scene.model().link_id(link).is_none() {
        return Err(SceneError::UnknownLink { name: link.clone() }.into());
    }
    if plain(&message.object.header.frame_id) == link {
        return Ok(Pose::identity());
    }
    let header = header_frame(scene, &message.object, frames)?;
    Ok(link_frame(scene, link, frames)?.inv_mul(&header))
}

fn link_frame(
    scene: &PlanningScene,
    link: &str,
    frames: &MessageFrames<'_>,
) -> Result<Pose, Refusal> {
    if scene.model().link_id(link).is_none() {
        return Err(SceneError::UnknownLink { name: link.to_string() }.into());
    }
    frames.link(scene, link, &|| "link_name".to_string())
}

/// Applies changes in order: all, or none with the reason of the one that was refused.
fn apply_all(
    scene: &mut PlanningScene,
    changes: impl IntoIterator<Item = impl Into<SceneChange>>,
) -> Result<(), Refusal> {
    match scene.apply(SceneChange::several(changes)) {
        Ok(_) => Ok(()),
        Err(SceneError::InSeveral { source, .. }) => Err((*source).into()),
        Err(error) => Err(error.into()),
    }
}
