//! What is in the URDF, and where are the links? Robots as trees of links that carry shapes; no queries, no scene.

mod error;
mod kinematics;
mod model;
mod sampling;
pub mod srdf;
mod state;
#[cfg(test)]
mod testing;
mod tree;
mod velocity;

pub use error::{ModelError, StateError};
pub(crate) use kinematics::child_pose;
pub use kinematics::{LinkPoses, QUATERNION_TOLERANCE, forward_kinematics};
pub use model::{
    Collision, Coupling, Joint, JointId, JointKind, JointLimits, JointSpec, Link, LinkId, LinkSpec,
    MimicSpec, RobotModel,
};
pub use sampling::StateSampler;
pub use state::{LimitBreach, MIMIC_TOLERANCE, RobotState, interpolate};
pub use velocity::{Twist, for_each_jacobian_column, jacobian, link_velocities};
