//! Objects of the world and attached ones.

use super::shapes::{ShapeLists, ShapeMessages};
use crate::convert::header;
use crate::convert::object::{check_surface_count, subframes};
use crate::convert::pose::{pose, pose_message};
use crate::convert::{Limits, Refusal};
use crate::geometry::Shape;
use crate::interfaces::moveit_msgs::msg::{AttachedCollisionObject, CollisionObject};
use crate::math::Pose;
use crate::scene::{AttachedObject, PlanningScene, SceneError, SceneObject};

/// What a message says about an object; its pose is that in the frame of the header.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectParts {
    /// Where the object is.
    pub pose: Pose,
    /// Its shapes, with their poses in the object.
    pub shapes: Vec<(Pose, Shape)>,
    /// Frames on it.
    pub subframes: Vec<(String, Pose)>,
}

/// The lists of shapes of a message.
pub fn shape_lists(message: &CollisionObject) -> ShapeLists<'_> {
    ShapeLists {
        primitives: &message.primitives,
        primitive_poses: &message.primitive_poses,
        meshes: &message.meshes,
        mesh_poses: &message.mesh_poses,
        planes: &message.planes,
        plane_poses: &message.plane_poses,
    }
}

impl ObjectParts {
    /// Reads a message. The pose of an only shape is taken as that of the object when the object has none: so MoveIt
    /// reads what was written before objects had poses.
    pub fn new(message: &CollisionObject, limits: &Limits) -> Result<Self, Refusal> {
        let what = || format!("object `{}`", message.id);
        let lists = shape_lists(message);
        check_surface_count(&message.id, lists.len(), limits)?;
        let mut own = pose(&message.pose, &what)?;
        let mut shapes = lists.shapes(limits, &what)?;
        if let [(only, _)] = shapes.as_mut_slice()
            && own == Pose::identity()
        {
            std::mem::swap(&mut own, only);
        }
        let subframes = subframes(&message.id, &message.subframe_names, &message.subframe_poses)?;
        Ok(Self { pose: own, shapes, subframes })
    }

    /// The object, where `frame` is the frame of the header.
    pub fn object(self, name: &str, frame: &Pose) -> Result<SceneObject, SceneError> {
        SceneObject::new(name, frame * self.pose, self.shapes)?.with_subframes(self.subframes)
    }

    /// The shapes as seen from another object, where `frame` is the frame of the header seen from it.
    pub fn shapes_in(self, frame: &Pose) -> Vec<(Pose, Shape)> {
        let own = frame * self.pose;
        self.shapes.into_iter().map(|(at, shape)| (own * at, shape)).collect()
    }
}

/// An object as a message in this frame.
pub fn collision_object(object: &SceneObject, frame: &str) -> CollisionObject {
    let mut lists = ShapeMessages::default();
    object.for_each_part(|at, shape| lists.push(at, shape));
    let (subframe_names, subframe_poses) =
        object.subframes().map(|(name, at)| (name.to_string(), pose_message(at))).unzip();
    CollisionObject {
        header: header(frame),
        pose: pose_message(object.pose()),
        id: object.name().to_string(),
        primitives: lists.primitives,
        primitive_poses: lists.primitive_poses,
        meshes: lists.meshes,
        mesh_poses: lists.mesh_poses,
        planes: lists.planes,
        plane_poses: lists.plane_poses,
        subframe_names,
        subframe_poses,
        operation: CollisionObject::ADD,
        ..CollisionObject::default()
    }
}

/// An attached object as a message, in the frame of its link.
pub fn attached_collision_object(
    scene: &PlanningScene,
    attached: &AttachedObject,
) -> AttachedCollisionObject {
    let name_of = |link| scene.model().link(link).name.clone();
    let link_name = name_of(attached.link);
    AttachedCollisionObject {
        object: collision_object(&attached.object, &link_name),
        link_name,
        touch_links: attached.touch_links.iter().map(|&link| name_of(link)).collect(),
        ..AttachedCollisionObject::default()
    }
}
