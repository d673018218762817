//! The surfaces of a scene as bodies under a cloth.

use crate::cloth::obstacle::ClothBody;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{StateError, forward_kinematics};
use smooth_scene_scene::PlanningScene;

/// All surfaces of a scene in one state, world frame: of links, of what they carry, and of the world's objects by name. The order is the
/// same in every state, so that the poses of one state can follow those of another.
pub fn cloth_bodies(
    scene: &PlanningScene,
    positions: &[f64],
) -> Result<Vec<ClothBody>, StateError> {
    let model = scene.model();
    let poses = forward_kinematics(model, positions)?;
    let mut bodies = Vec::new();
    let mut add = |name: &str, pose: Pose, shape: &smooth_scene_geometry::Shape| {
        bodies.push(ClothBody { name: name.to_owned(), shape: shape.clone(), pose });
    };
    for id in model.link_ids() {
        let link = model.link(id);
        for surface in &link.collisions {
            add(&link.name, poses[id] * surface.pose_in_link, &surface.shape);
        }
    }
    for attached in scene.attached() {
        let object = &attached.object;
        let at = poses[attached.link] * object.pose();
        object.for_each_part(|pose, shape| add(object.name(), at * pose, shape));
    }
    let mut objects: Vec<_> = scene.world().iter().map(|(_, object)| object).collect();
    objects.sort_by(|a, b| a.name().cmp(b.name()));
    for object in objects {
        object.for_each_part(|pose, shape| add(object.name(), object.pose() * pose, shape));
    }
    Ok(bodies)
}
