//! Every way a scene can change, as values.
//!
//! The kinds are split by what a change touches: objects of the world, the robot and its load, or the matrix of allowed
//! contacts. Each kind says by itself what has to be prepared again, and a match on one kind lists all of it.

use crate::acm::{Allowance, AllowedCollisionMatrix};
use crate::object::SceneObject;
use crate::sizes::{LinkSize, Sizes};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::LinkSurface;

/// One change of a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum SceneChange {
    /// Changes the objects around the robot.
    World(WorldChange),
    /// Changes the robot, what it carries, or the sizes both are checked with.
    Robot(RobotChange),
    /// Changes which pairs may touch.
    Matrix(MatrixChange),
    /// Several changes in order: all of them, or none if one is refused.
    Several(Vec<SceneChange>),
}

/// A change of the objects around the robot.
#[derive(Debug, Clone, PartialEq)]
pub enum WorldChange {
    /// Adds an object. Its name may not be that of a link or of another object.
    Add(SceneObject),
    /// Removes an object.
    Remove {
        /// Its name.
        name: String,
    },
    /// Removes all objects.
    RemoveAll,
    /// Moves an object.
    Move {
        /// Its name.
        name: String,
        /// Its new pose.
        pose: Pose,
    },
    /// Adds shapes to an object.
    Append {
        /// Its name.
        name: String,
        /// The shapes and their poses in the object's frame.
        shapes: Vec<(Pose, Shape)>,
    },
    /// Replaces the object of the same name.
    Replace(SceneObject),
}

/// A change of the robot, of what it carries, or of padding, scale and margins.
#[derive(Debug, Clone, PartialEq)]
pub enum RobotChange {
    /// Fixes an object to a link; its pose is that in the link.
    Attach {
        /// The object.
        object: SceneObject,
        /// Name of the link.
        link: String,
        /// Names of other links it may touch.
        touch_links: Vec<String>,
    },
    /// Removes an attached object from the scene.
    Detach {
        /// Its name.
        name: String,
    },
    /// Replaces the surfaces of a link.
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
    /// Replaces all paddings, scales and margins.
    SetSizes(Sizes),
}

/// A change of the matrix of allowed contacts.
#[derive(Debug, Clone, PartialEq)]
pub enum MatrixChange {
    /// Sets or removes the entry of a pair of names.
    SetEntry {
        /// One name.
        a: String,
        /// The other.
        b: String,
        /// The entry, or `None` to remove it.
        entry: Option<Allowance>,
    },
    /// Sets or removes the default of a name.
    SetDefault {
        /// The name.
        name: String,
        /// The default, or `None` to remove it.
        entry: Option<Allowance>,
    },
    /// Replaces the whole matrix.
    Replace(AllowedCollisionMatrix),
}

impl From<WorldChange> for SceneChange {
    fn from(change: WorldChange) -> Self {
        SceneChange::World(change)
    }
}

impl From<RobotChange> for SceneChange {
    fn from(change: RobotChange) -> Self {
        SceneChange::Robot(change)
    }
}

impl From<MatrixChange> for SceneChange {
    fn from(change: MatrixChange) -> Self {
        SceneChange::Matrix(change)
    }
}

impl SceneChange {
    /// Several changes of any kinds in order.
    pub fn several<C: Into<SceneChange>>(changes: impl IntoIterator<Item = C>) -> Self {
        SceneChange::Several(changes.into_iter().map(Into::into).collect())
    }
}
