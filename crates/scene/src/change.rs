//! Every way a scene can change, as values.

use crate::acm::{Allowance, AllowedCollisionMatrix};
use crate::object::SceneObject;
use crate::sizes::{LinkSize, Sizes};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::LinkSurface;

/// One change of a scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SceneChange {
    /// Adds an object to the world. Its name may not be that of a link or of another object.
    Add(SceneObject),
    /// Takes an object out of the world.
    Remove {
        /// Its name.
        name: String,
    },
    /// Takes all objects out of the world.
    RemoveAll,
    /// Moves an object of the world.
    Move {
        /// Its name.
        name: String,
        /// Its new pose.
        pose: Pose,
    },
    /// Adds shapes to an object of the world.
    Append {
        /// Its name.
        name: String,
        /// The shapes and their poses in the object's frame.
        shapes: Vec<(Pose, Shape)>,
    },
    /// Puts an object in the place of the one of the same name.
    Replace(SceneObject),
    /// Fixes an object to a link; its pose is that in the link.
    Attach {
        /// The object.
        object: SceneObject,
        /// Name of the link.
        link: String,
        /// Names of other links it may touch.
        touch_links: Vec<String>,
    },
    /// Takes an object off the robot, and out of the scene.
    Detach {
        /// Its name.
        name: String,
    },
    /// Sets or removes what the matrix says about a pair of names.
    SetAllowed {
        /// One name.
        a: String,
        /// The other.
        b: String,
        /// What it says, or `None` for nothing.
        entry: Option<Allowance>,
    },
    /// Sets or removes the default of a name.
    SetDefaultAllowed {
        /// The name.
        name: String,
        /// What it says, or `None` for nothing.
        entry: Option<Allowance>,
    },
    /// Puts another matrix in the place of the present one.
    SetMatrix(AllowedCollisionMatrix),
    /// Puts other surfaces on a link in the place of those it has.
    SetCollisions {
        /// Name of the link.
        link: String,
        /// The surfaces, possibly none, with their poses in the link.
        collisions: Vec<LinkSurface>,
    },
    /// Sets padding, self padding and scale of a link.
    SetLinkSize {
        /// Name of the link.
        link: String,
        /// The sizes.
        size: LinkSize,
    },
    /// Sets the margin of a pair of names.
    SetMargin {
        /// One name.
        a: String,
        /// The other.
        b: String,
        /// The margin, m; zero for none.
        margin: f64,
    },
    /// Puts other paddings, scales and margins in the place of the present ones.
    SetSizes(Sizes),
    /// Several changes in order: all of them, or none if one is refused.
    Several(Vec<SceneChange>),
}

impl SceneChange {
    /// Whether the change concerns one object of the world and nothing else.
    pub(crate) fn is_of_one_object(&self) -> bool {
        match self {
            SceneChange::Add(_)
            | SceneChange::Remove { .. }
            | SceneChange::Move { .. }
            | SceneChange::Append { .. }
            | SceneChange::Replace(_) => true,
            SceneChange::RemoveAll
            | SceneChange::Attach { .. }
            | SceneChange::Detach { .. }
            | SceneChange::SetAllowed { .. }
            | SceneChange::SetDefaultAllowed { .. }
            | SceneChange::SetMatrix(_)
            | SceneChange::SetCollisions { .. }
            | SceneChange::SetLinkSize { .. }
            | SceneChange::SetMargin { .. }
            | SceneChange::SetSizes(_)
            | SceneChange::Several(_) => false,
        }
    }
}
