//! Objects of the world: added, moved, removed.

use super::message_frames::MessageFrames;
use crate::convert::change::check_object_count;
use crate::convert::moveit::object::{ObjectParts, shape_lists};
use crate::convert::object::check_surface_count;
use crate::convert::pose::pose;
use crate::convert::{Limits, Refusal};
use crate::interfaces::moveit_msgs::msg::CollisionObject;
use crate::math::Pose;
use crate::scene::{
    MatrixChange, PlanningScene, SceneChange, SceneError, SceneObject, WorldChange,
};

/// The name under which MoveIt keeps what its sensors see.
pub(super) const OCTOMAP: &str = "<octomap>";

/// Applies what a message says about an object of the world.
pub fn collision_object(
    scene: &mut PlanningScene,
    message: &CollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    refuse_octomap(&message.id)?;
    match message.operation {
        CollisionObject::ADD => add(scene, message, frames, limits),
        CollisionObject::APPEND if scene.world().find(&message.id).is_some() => {
            append(scene, message, frames, limits)
        }
        CollisionObject::APPEND => add(scene, message, frames, limits),
        CollisionObject::MOVE => move_object(scene, message, frames),
        CollisionObject::REMOVE => remove(scene, &message.id),
        operation => {
            let id = &message.id;
            let reason = format!("object `{id}`: operation is {operation}, must be 0 to 3");
            Err(Refusal::bad_request(reason))
        }
    }
}

/// Refuses the name of what sensors see.
pub(super) fn refuse_octomap(id: &str) -> Result<(), Refusal> {
    if id != OCTOMAP {
        return Ok(());
    }
    let reason = format!("`{OCTOMAP}` is reserved: what sensors see is not part of this scene");
    Err(Refusal::bad_request(reason))
}

/// The frame of the header in the root.
pub(super) fn header_frame(
    scene: &PlanningScene,
    message: &CollisionObject,
    frames: &MessageFrames<'_>,
) -> Result<Pose, Refusal> {
    let field = || format!("object `{}`: header.frame_id", message.id);
    frames.frame(scene, &message.header, &field)
}

fn add(
    scene: &mut PlanningScene,
    message: &CollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let frame = header_frame(scene, message, frames)?;
    let object = ObjectParts::new(message, limits)?.object(&message.id, &frame)?;
    scene.apply(if scene.world().find(&message.id).is_some() {
        WorldChange::Replace(object)
    } else {
        check_object_count(scene, limits)?;
        WorldChange::Add(object)
    })?;
    Ok(())
}

/// Adds shapes where the message says that they are. MoveIt reads their poses in the frame of the object that is there,
/// and forgets the pose of the message.
fn append(
    scene: &mut PlanningScene,
    message: &CollisionObject,
    frames: &MessageFrames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let unknown = || SceneError::UnknownObject { name: message.id.clone() };
    let known = scene.world().by_name(&message.id).ok_or_else(unknown)?;
    let parts = ObjectParts::new(message, limits)?;
    let seen_from_object = known.pose().inv_mul(&header_frame(scene, message, frames)?);
    let grown = appended(known, parts, &seen_from_object, limits)?;
    scene.apply(WorldChange::Replace(grown))?;
    Ok(())
}

/// An object with the shapes and subframes of a message added; `frame` is the frame of its header seen from the object.
pub(super) fn appended(
    known: &SceneObject,
    parts: ObjectParts,
    frame: &Pose,
    limits: &Limits,
) -> Result<SceneObject, Refusal> {
    check_surface_count(known.name(), known.shapes().len() + parts.shapes.len(), limits)?;
    let own = frame * parts.pose;
    let mut subframes: Vec<(String, Pose)> =
        parts.subframes.iter().map(|(name, at)| (name.clone(), own * at)).collect();
    for (name, at) in known.subframes() {
        if subframes.iter().all(|(new, _)| new != name) {
            subframes.push((name.to_string(), *at));
        }
    }
    Ok(known.with_appended(parts.shapes_in(frame))?.with_subframes(subframes)?)
}

/// Moves an object; its shapes within it, too, if the message has poses for all of them. Other geometry is ignored.
fn move_object(
    scene: &mut PlanningScene,
    message: &CollisionObject,
    frames: &MessageFrames<'_>,
) -> Result<(), Refusal> {
    let id = &message.id;
    let unknown = || SceneError::UnknownObject { name: id.clone() };
    let known = scene.world().by_name(id).ok_or_else(unknown)?;
    let at =
        header_frame(scene, message, frames)? * pose(&message.pose, &|| format!("object `{id}`"))?;
    let lists = shape_lists(message);
    let given = [lists.primitive_poses, lists.mesh_poses, lists.plane_poses].concat();
    if given.is_empty() {
        scene.apply(WorldChange::Move { name: id.clone(), pose: at })?;
        return Ok(());
    }
    let (has, count) = (known.shapes().len(), given.len());
    if count != has {
        let reason = format!("object `{id}` has {has} shapes, {count} poses of shapes given");
        return Err(Refusal::bad_request(reason));
    }
    let mut shapes = Vec::with_capacity(count);
    for (k, (message, (_, shape))) in given.iter().zip(known.shapes()).enumerate() {
        shapes.push((pose(message, &|| format!("shape {k} of object `{id}`"))?, shape.clone()));
    }
    let frames = known.subframes().map(|(name, at)| (name.to_string(), *at)).collect();
    let moved = SceneObject::new(id, at, shapes)?.with_subframes(frames)?;
    scene.apply(WorldChange::Replace(moved))?;
    Ok(())
}

/// Removes an object and what was said about its contacts; without an id all objects. One that was attached in the
/// meantime is no longer in the world, as was asked.
fn remove(scene: &mut PlanningScene, id: &str) -> Result<(), Refusal> {
    if id.is_empty() {
        let ids: Vec<String> = scene.world().iter().map(|(_, o)| o.name().to_string()).collect();
        scene.apply(WorldChange::RemoveAll)?;
        return forget_contacts(scene, &ids);
    }
    if scene.attached_object(id).is_some() {
        return Ok(());
    }
    scene.apply(WorldChange::Remove { name: id.to_string() })?;
    forget_contacts(scene, &[id.to_string()])
}

/// Takes back what was said about objects that are gone: the next one of the same name may be something else.
fn forget_contacts(scene: &mut PlanningScene, ids: &[String]) -> Result<(), Refusal> {
    let gone: std::collections::HashSet<&str> = ids.iter().map(String::as_str).collect();
    let entries = scene.acm().entries().filter(|(a, b, _)| gone.contains(a) || gone.contains(b));
    let mut changes: Vec<MatrixChange> = entries
        .map(|(a, b, _)| MatrixChange::SetEntry { a: a.into(), b: b.into(), entry: None })
        .collect();
    let defaults = scene.acm().defaults().filter(|(name, _)| gone.contains(name));
    changes.extend(
        defaults.map(|(name, _)| MatrixChange::SetDefault { name: name.into(), entry: None }),
    );
    if !changes.is_empty() {
        scene.apply(SceneChange::several(changes))?;
    }
    Ok(())
}
