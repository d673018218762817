//! Objects that the robot carries.

use crate::object::SceneObject;
use smooth_scene_robot::LinkId;

/// An object fixed to a link. Its pose is that in the link.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachedObject {
    /// The object.
    pub object: SceneObject,
    /// The link that carries it.
    pub link: LinkId,
    /// Links it may touch, sorted; the link that carries it is among them.
    pub touch_links: Vec<LinkId>,
}
