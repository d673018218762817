//! Changes of our own messages, applied one by one.

use super::frames::{CurrentPoses, Frames};
use super::object::{check_surface_count, object, object_pose, pose_in_link, surfaces};
use crate::convert::{Limits, Refusal};
use crate::interfaces::msg::SceneChange;
use crate::scene::{
    Allowance, LinkSize, MatrixChange, PlanningScene, Reason, RobotChange,
    SceneChange as CoreChange, SceneError, SceneObject, WorldChange,
};

/// Applies one change, or says why not.
pub fn apply(
    scene: &mut PlanningScene,
    change: &SceneChange,
    frames: &Frames<'_>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let id = &change.object.id;
    let core = match change.operation {
        SceneChange::ADD => {
            check_object_count(scene, limits)?;
            let at = object_pose(scene, &change.object, frames)?;
            WorldChange::Add(object(&change.object, at, limits)?).into()
        }
        SceneChange::REPLACE => {
            let at = object_pose(scene, &change.object, frames)?;
            WorldChange::Replace(object(&change.object, at, limits)?).into()
        }
        SceneChange::APPEND => {
            let more = surfaces(&change.object, limits)?;
            let has = scene.world().by_name(id).map_or(0, |object| object.shapes().len());
            check_surface_count(id, has + more.len(), limits)?;
            WorldChange::Append { name: id.clone(), shapes: more }.into()
        }
        SceneChange::MOVE => {
            let pose = object_pose(scene, &change.object, frames)?;
            WorldChange::Move { name: id.clone(), pose }.into()
        }
        SceneChange::REMOVE => WorldChange::Remove { name: id.clone() }.into(),
        SceneChange::REMOVE_ALL => WorldChange::RemoveAll.into(),
        SceneChange::ATTACH => attach(scene, change, frames, limits)?,
        SceneChange::DETACH => detach(scene, id, frames.poses.get())?,
        SceneChange::DISCARD => RobotChange::Detach { name: id.clone() }.into(),
        SceneChange::ALLOW => match allowance(scene, change, true)? {
            Some(change) => change,
            None => return Ok(()),
        },
        SceneChange::FORBID => match allowance(scene, change, false)? {
            Some(change) => change,
            None => return Ok(()),
        },
        SceneChange::FORGET => set_allowed(change, None)?,
        SceneChange::SET_LINK_SIZE => RobotChange::SetLinkSize {
            link: change.name_a.clone(),
            size: LinkSize {
                padding: change.padding,
                self_padding: change.self_padding,
                scale: change.scale,
            },
        }
        .into(),
        SceneChange::SET_MARGIN => {
            let [a, b] = [("name_a", &change.name_a), ("name_b", &change.name_b)];
            for (field, name) in [a, b] {
                if name.is_empty() {
                    return Err(Refusal::bad_request(format!("{field} is empty")));
                }
            }
            RobotChange::SetMargin { a: a.1.clone(), b: b.1.clone(), margin: change.margin }.into()
        }
        operation => {
            let reason = format!("operation is {operation}, must be 1 to 14");
            return Err(Refusal::bad_request(reason));
        }
    };
    scene.apply(core)?;
    Ok(())
}

/// Refuses one more object when the limit is reached.
pub fn check_object_count(scene: &PlanningScene, limits: &Limits) -> Result<(), Refusal> {
    let count = scene.world().len() + scene.attached().len();
    if count < limits.objects {
        return Ok(());
    }
    Err(Refusal::bad_request(format!("the scene has {count} objects, as many as it may have")))
}

fn attach(
    scene: &PlanningScene,
    change: &SceneChange,
    frames: &Frames<'_>,
    limits: &Limits,
) -> Result<CoreChange, Refusal> {
    let message = &change.object;
    let (link, touch_links) = (message.link.clone(), message.touch_links.clone());
    if message.surfaces.is_empty() {
        return take_from_world(scene, &message.id, link, touch_links, frames.poses.get());
    }
    if scene.model().link_id(&link).is_none() {
        return Err(SceneError::UnknownLink { name: link }.into());
    }
    check_object_count(scene, limits)?;
    let at = pose_in_link(scene, message, frames)?;
    Ok(RobotChange::Attach { object: object(message, at, limits)?, link, touch_links }.into())
}

/// The change that fixes an object of the world to a link, where it is now.
pub fn take_from_world(
    scene: &PlanningScene,
    id: &str,
    link: String,
    touch_links: Vec<String>,
    poses: &CurrentPoses,
) -> Result<CoreChange, Refusal> {
    let unknown = || SceneError::UnknownObject { name: id.into() };
    let object: &SceneObject = scene.world().by_name(id).ok_or_else(unknown)?;
    let on = scene.model().link_id(&link);
    let on = on.ok_or_else(|| SceneError::UnknownLink { name: link.clone() })?;
    let poses = poses.as_ref().map_err(Clone::clone)?;
    let object = object.with_pose(poses[on].inv_mul(object.pose()))?;
    Ok(CoreChange::Several(vec![
        WorldChange::Remove { name: id.into() }.into(),
        RobotChange::Attach { object, link, touch_links }.into(),
    ]))
}

/// The change that leaves an attached object in the world, where it is now.
pub fn detach(
    scene: &PlanningScene,
    id: &str,
    poses: &CurrentPoses,
) -> Result<CoreChange, Refusal> {
    let unknown = || SceneError::NotAttached { name: id.into() };
    let attached = scene.attached_object(id).ok_or_else(unknown)?;
    let poses = poses.as_ref().map_err(Clone::clone)?;
    let object = attached.object.with_pose(poses[attached.link] * attached.object.pose())?;
    Ok(CoreChange::Several(vec![
        RobotChange::Detach { name: id.into() }.into(),
        WorldChange::Add(object).into(),
    ]))
}

/// The change that allows or forbids contact; none if an entry says so already, which keeps its reason.
fn allowance(
    scene: &PlanningScene,
    change: &SceneChange,
    allowed: bool,
) -> Result<Option<CoreChange>, Refusal> {
    let entry = if change.name_b.is_empty() {
        scene.acm().default_entry(&change.name_a)
    } else {
        scene.acm().entry(&change.name_a, &change.name_b)
    };
    if entry.is_some_and(|entry| entry.allowed == allowed) {
        return Ok(None);
    }
    set_allowed(change, Some(Allowance { allowed, reason: Reason::User })).map(Some)
}

fn set_allowed(change: &SceneChange, entry: Option<Allowance>) -> Result<CoreChange, Refusal> {
    let (a, b) = (change.name_a.clone(), change.name_b.clone());
    if a.is_empty() {
        return Err(Refusal::bad_request("name_a is empty"));
    }
    let change = if b.is_empty() {
        MatrixChange::SetDefault { name: a, entry }
    } else {
        MatrixChange::SetEntry { a, b, entry }
    };
    Ok(change.into())
}
