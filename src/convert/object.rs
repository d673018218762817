//! Objects of our own messages.

use super::frames::{Frames, frame, plain, scene_frame};
use super::header;
use super::pose::{pose, pose_message};
use super::surface::{surface, surface_message};
use crate::convert::{Limits, Refusal};
use crate::geometry::Shape;
use crate::interfaces::msg::SceneObject;
use crate::math::Pose;
use crate::scene::{AttachedObject, PlanningScene, SceneObject as CoreObject};

/// The surfaces of an object with their poses in it.
pub fn surfaces(message: &SceneObject, limits: &Limits) -> Result<Vec<(Pose, Shape)>, Refusal> {
    check_surface_count(&message.id, message.surfaces.len(), limits)?;
    let surfaces = message.surfaces.iter().enumerate();
    let named = |k: usize| move || format!("object `{}`: surfaces[{k}]", message.id);
    surfaces.map(|(k, each)| surface(each, limits, &named(k))).collect()
}

/// Refuses more surfaces than one object may have.
pub fn check_surface_count(id: &str, count: usize, limits: &Limits) -> Result<(), Refusal> {
    let max = limits.surfaces_per_object;
    if count <= max {
        return Ok(());
    }
    Err(Refusal::bad_request(format!(
        "object `{id}` has {count} surfaces, must have at most {max}"
    )))
}

/// Where the message says that the object is, in the root.
pub fn object_pose(
    scene: &PlanningScene,
    message: &SceneObject,
    frames: &Frames<'_>,
) -> Result<Pose, Refusal> {
    let in_frame = pose(&message.pose, &|| format!("object `{}`", message.id))?;
    let name = || format!("object `{}`: header.frame_id", message.id);
    Ok(frame(scene, &message.header, frames, &name)? * in_frame)
}

/// Where the message says that the object is, in the link that carries it. In the frame of that very link the pose
/// is taken as it is, and the pose of the link is not needed.
pub fn pose_in_link(
    scene: &PlanningScene,
    message: &SceneObject,
    frames: &Frames<'_>,
) -> Result<Pose, Refusal> {
    if plain(&message.header.frame_id) == message.link {
        return pose(&message.pose, &|| format!("object `{}`", message.id));
    }
    let field = || format!("object `{}`: link", message.id);
    let link = scene_frame(scene, &message.link, frames.poses, &field)?;
    Ok(link.inv_mul(&object_pose(scene, message, frames)?))
}

/// An object at this pose.
pub fn object(message: &SceneObject, at: Pose, limits: &Limits) -> Result<CoreObject, Refusal> {
    let object = CoreObject::new(&message.id, at, surfaces(message, limits)?)?;
    let (names, poses) = (&message.subframe_names, &message.subframe_poses);
    Ok(object.with_subframes(subframes(&message.id, names, poses)?)?)
}

/// Named frames of an object.
pub fn subframes(
    id: &str,
    names: &[String],
    poses: &[crate::interfaces::geometry_msgs::msg::Pose],
) -> Result<Vec<(String, Pose)>, Refusal> {
    if names.len() != poses.len() {
        let (names, poses) = (names.len(), poses.len());
        let reason = format!("object `{id}` has {names} subframe_names and {poses} subframe_poses");
        return Err(Refusal::bad_request(reason));
    }
    let what = |name: &str| format!("subframe `{name}` of object `{id}`");
    let pairs = names.iter().zip(poses);
    pairs.map(|(name, at)| Ok((name.clone(), pose(at, &|| what(name))?))).collect()
}

/// An object of the world as a message, in the frame of the root.
pub fn object_message(scene: &PlanningScene, object: &CoreObject) -> SceneObject {
    let model = scene.model();
    let mut surfaces = Vec::new();
    object.for_each_part(|at, shape| surfaces.push(surface_message(at, shape)));
    let (subframe_names, subframe_poses) =
        object.subframes().map(|(name, at)| (name.to_string(), pose_message(at))).unzip();
    SceneObject {
        header: header(&model.link(model.root()).name),
        id: object.name().to_string(),
        pose: pose_message(object.pose()),
        surfaces,
        link: String::new(),
        touch_links: Vec::new(),
        subframe_names,
        subframe_poses,
    }
}

/// An attached object as a message, in the frame of its link.
pub fn attached_message(scene: &PlanningScene, attached: &AttachedObject) -> SceneObject {
    let model = scene.model();
    let link = &model.link(attached.link).name;
    let touched = attached.touch_links.iter().filter(|&&touched| touched != attached.link);
    SceneObject {
        header: header(link),
        link: link.clone(),
        touch_links: touched.map(|&touched| model.link(touched).name.clone()).collect(),
        ..object_message(scene, &attached.object)
    }
}
