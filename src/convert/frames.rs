//! Frames that messages name.

use crate::convert::Refusal;
use crate::math::Pose;
use crate::robot::LinkPoses;
use crate::scene::PlanningScene;

/// A common name for the frame of the root.
const WORLD: &str = "world";

/// Poses of the links, or why they are not known: only moving frames need them.
pub type CurrentPoses = Result<LinkPoses, Refusal>;

/// Whether the name means the root of the robot: its name, nothing, or `world` if nothing else is called so.
pub fn is_root(scene: &PlanningScene, name: &str) -> bool {
    let model = scene.model();
    let root = model.link(model.root()).name.as_str();
    name.is_empty() || name == root || (name == WORLD && scene.body(name).is_none())
}

/// A frame name without the slash that frame names had in front in ROS 1.
pub fn plain(name: &str) -> &str {
    name.strip_prefix('/').unwrap_or(name)
}

/// Where a frame is in the root: a link, an object, or a subframe of an object as `object/subframe`. `field` is
/// where the name stands in the message.
pub fn frame(
    scene: &PlanningScene,
    name: &str,
    poses: &CurrentPoses,
    field: &dyn Fn() -> String,
) -> Result<Pose, Refusal> {
    let name = plain(name);
    if is_root(scene, name) {
        return Ok(Pose::identity());
    }
    let unknown = |error| Refusal::bad_request(format!("{}: {error}", field()));
    match poses {
        Ok(poses) => scene.frame(name, poses).map_err(unknown),
        // Objects of the world stand where they stand, whatever the robot does.
        Err(why) => scene
            .frame(name, &LinkPoses::new())
            .map_err(|error| if moves(scene, name) { why.clone() } else { unknown(error) }),
    }
}

/// Whether the frame belongs to a link or to something a link carries.
fn moves(scene: &PlanningScene, name: &str) -> bool {
    let carried = |name: &str| scene.attached_object(name).is_some();
    scene.model().link_id(name).is_some()
        || carried(name)
        || name.match_indices('/').any(|(at, _)| carried(&name[..at]))
}
