//! What is in the URDF, and where are the links? Robots as trees of links that carry shapes; no queries, no scene.

mod error;
mod kinematics;
mod model;
mod tree;

pub use error::{ModelError, StateError};
pub use kinematics::{
    LinkPoses, QUATERNION_TOLERANCE, Twist, for_each_jacobian_column, forward_kinematics, jacobian,
    link_velocities,
};
pub use model::{
    Collision, Coupling, Joint, JointId, JointKind, JointLimits, JointSpec, Link, LinkId, LinkSpec,
    MimicSpec, RobotModel,
};
