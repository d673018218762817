//! SRDF: what the URDF does not say about a robot. Groups, named states, end effectors, how the robot stands in the
//! world, and which links may touch.
//!
//! Three steps, one file each: [`Srdf::parse`] reads the file and checks its form (`read.rs`), [`Srdf::resolve`] looks
//! every name up in the robot (`resolve.rs`), [`Srdf::to_xml`] writes it (`write.rs`).
//!
//! As srdfdom and MoveIt do, an entry that names a link or joint the robot does not have is passed over with a warning:
//! one SRDF often serves several variants of a robot. What no variant could use is an error: broken XML, a missing
//! attribute, a number that is none, a name defined twice, a group that contains itself.

mod error;
mod read;
mod resolve;
mod virtual_joint;
mod write;

pub use error::SrdfError;
pub use resolve::{EndEffectorIds, NamedState, PairRule, PlanningGroup, Semantics, SrdfWarning};

/// One part of a group's definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupMember {
    /// A joint.
    Joint(String),
    /// A link: its parent joint belongs to the group.
    Link(String),
    /// The joints between two links.
    Chain {
        /// Where the chain begins; the joint above it is not part of the group.
        base: String,
        /// Where it ends.
        tip: String,
    },
    /// All joints of another group.
    Group(String),
}

/// A named set of joints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name, unique among groups.
    pub name: String,
    /// What it is made of.
    pub members: Vec<(GroupMember, Line)>,
    /// Line of the file.
    pub line: Line,
}

/// Line of an entry in the file it was read from, from 1; 0 for entries that come from no file.
pub type Line = u32;

/// Positions of some joints of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupState {
    /// Name, unique in its group.
    pub name: String,
    /// The group.
    pub group: String,
    /// Joint names and their positions, as many numbers as the joint has.
    pub joints: Vec<(String, Vec<f64>)>,
    /// Line of the file.
    pub line: Line,
}

/// How the root of the robot is connected to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualJoint {
    /// Name of the joint.
    pub name: String,
    /// "fixed", "planar" or "floating".
    pub kind: VirtualJointKind,
    /// Frame of the world it hangs on.
    pub parent_frame: String,
    /// The robot's root link.
    pub child_link: String,
    /// Line of the file.
    pub line: Line,
}

/// The kinds of virtual joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VirtualJointKind {
    /// The root does not move.
    Fixed,
    /// The root moves in the plane z = 0 of the world frame.
    Planar,
    /// The root moves freely.
    Floating,
}

impl VirtualJointKind {
    fn name(self) -> &'static str {
        match self {
            VirtualJointKind::Fixed => "fixed",
            VirtualJointKind::Planar => "planar",
            VirtualJointKind::Floating => "floating",
        }
    }
}

/// A hand or tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndEffector {
    /// Name.
    pub name: String,
    /// The group it is.
    pub group: String,
    /// The link it is mounted on.
    pub parent_link: String,
    /// The group of that link, where it is given.
    pub parent_group: Option<String>,
    /// Line of the file.
    pub line: Line,
}

/// Two links of a `disable_collisions` or `enable_collisions` entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPair {
    /// One link.
    pub link1: String,
    /// The other.
    pub link2: String,
    /// Why, as the file says ("Adjacent", "Never", "Always", "Default", "User", …).
    pub reason: Option<String>,
    /// Line of the file.
    pub line: Line,
}

/// The contents of an SRDF, in the order of the file, names not yet looked up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Srdf {
    /// Name of the robot it describes.
    pub robot: String,
    /// Groups.
    pub groups: Vec<Group>,
    /// Named states.
    pub group_states: Vec<GroupState>,
    /// How the robot stands in the world.
    pub virtual_joints: Vec<VirtualJoint>,
    /// Hands and tools.
    pub end_effectors: Vec<EndEffector>,
    /// Joints that nothing drives, with their lines.
    pub passive_joints: Vec<(String, Line)>,
    /// Links that may touch everything unless a pair says otherwise, with their lines.
    pub disable_default_collisions: Vec<(String, Line)>,
    /// Pairs that may not touch, whatever the defaults say.
    pub enable_collisions: Vec<LinkPair>,
    /// Pairs that may touch, whatever anything else says.
    pub disable_collisions: Vec<LinkPair>,
    /// Names and lines of elements that are not known.
    pub unknown_elements: Vec<(String, Line)>,
}

#[cfg(test)]
mod tests;
