//! What is in the URDF, and where are the links? Robots as trees of links that carry shapes; no queries, no scene.

mod error;
mod model;
pub mod srdf;
mod tree;

pub use error::ModelError;
pub use model::{
    Collision, Coupling, Joint, JointId, JointKind, JointLimits, JointSpec, Link, LinkId, LinkSpec,
    MimicSpec, RobotModel,
};
