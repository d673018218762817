//! The parts a robot is made of: links and joints before they are put together, and the numbers they have afterwards.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// A link of one model, by its place in [`RobotModel::links`](crate::RobotModel::links).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub(crate) u32);

/// A joint of one model, by its place in [`RobotModel::joints`](crate::RobotModel::joints).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) u32);

impl LinkId {
    /// The link's place in arrays over all links.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl JointId {
    /// The joint's place in arrays over all joints.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// By an angle about its axis, within limits.
    Revolute,
    /// By an angle about its axis, without limits.
    Continuous,
    /// By a length along its axis.
    Prismatic,
    /// In the plane normal to its axis: x, y, angle about the axis.
    Planar,
    /// Freely: translation x y z, then a unit quaternion x y z w.
    Floating,
}

impl JointKind {
    /// Numbers that describe a position of the joint.
    pub fn position_count(self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => 1,
            JointKind::Planar => 3,
            JointKind::Floating => 7,
        }
    }

    /// Numbers that describe a velocity of the joint: its degrees of freedom.
    pub fn velocity_count(self) -> usize {
        match self {
            JointKind::Floating => 6,
            other => other.position_count(),
        }
    }

    /// Whether one number says where the joint is.
    pub fn is_single(self) -> bool {
        self.position_count() == 1
    }

    /// The kind as URDF calls it.
    pub fn name(self) -> &'static str {
        match self {
            JointKind::Fixed => "fixed",
            JointKind::Revolute => "revolute",
            JointKind::Continuous => "continuous",
            JointKind::Prismatic => "prismatic",
            JointKind::Planar => "planar",
            JointKind::Floating => "floating",
        }
    }

    /// What MoveIt appends to the joint's name for each of its numbers.
    pub(crate) fn variable_suffixes(self) -> &'static [&'static str] {
        match self {
            JointKind::Fixed => &[],
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => &[""],
            JointKind::Planar => &["/x", "/y", "/theta"],
            JointKind::Floating => {
                &["/trans_x", "/trans_y", "/trans_z", "/rot_x", "/rot_y", "/rot_z", "/rot_w"]
            }
        }
    }
}

/// How far and how fast a joint may move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLimits {
    /// Smallest position; −∞ without one.
    pub lower: f64,
    /// Largest position; +∞ without one.
    pub upper: f64,
    /// Largest speed, rad/s or m/s; +∞ when not given.
    pub velocity: f64,
    /// Largest force or torque, N or N·m; +∞ when not given.
    pub effort: f64,
}

impl JointLimits {
    /// No limit at all.
    pub const NONE: JointLimits = JointLimits {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        velocity: f64::INFINITY,
        effort: f64::INFINITY,
    };
}

/// A shape on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSurface {
    /// Name of the collision element, where it has one.
    pub name: Option<String>,
    /// Pose of the shape in the link's frame.
    pub pose_in_link: Pose,
    /// The shape.
    pub shape: Shape,
}

/// A link before it is part of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    /// Name, unique among links.
    pub name: String,
    /// Shapes it carries.
    pub collisions: Vec<LinkSurface>,
}

/// A joint before it is part of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSpec {
    /// Name, unique among joints.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Name of the link it hangs on.
    pub parent: String,
    /// Name of the link it moves.
    pub child: String,
    /// Pose of the joint's frame in the parent's frame.
    pub origin: Pose,
    /// Axis in the joint's frame; need not be a unit vector. Fixed and floating joints ignore it.
    pub axis: Vec3,
    /// Limits.
    pub limits: JointLimits,
    /// The joint it follows, if any.
    pub mimic: Option<MimicSpec>,
}

/// A joint that follows another: position = multiplier × position of the other + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct MimicSpec {
    /// Name of the joint it follows.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Offset, rad or m.
    pub offset: f64,
}

/// Where a joint gets its position from: chains of mimics are followed to their end when the model is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coupling {
    /// From its own numbers, which begin here in the position vector and in the velocity vector.
    Independent {
        /// First of its numbers in a position vector.
        position: usize,
        /// First of its numbers in a velocity vector.
        velocity: usize,
    },
    /// From the one number of another joint: multiplier × number + offset.
    Mimic {
        /// The independent joint at the end of the chain.
        leader: JointId,
        /// Product of the multipliers of the chain.
        multiplier: f64,
        /// Sum of its offsets, each scaled by the multipliers after it.
        offset: f64,
    },
}
