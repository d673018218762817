//! What is in the URDF, and where are the links? Robots as trees of links that carry shapes; no queries, no scene.

mod collada;
mod describe;
mod error;
mod kinematics;
mod mesh;
mod model;
mod package;
mod ply;
mod sampling;
mod spec;
pub mod srdf;
mod state;
#[cfg(test)]
mod testing;
mod text_file;
mod trajectory;
mod trajectory_file;
mod tree;
mod urdf;
pub mod values;
mod velocity;
mod xml_text;

pub use describe::describe;
pub use error::{ModelError, StateError};
pub use kinematics::child_pose;
pub use kinematics::{LinkPoses, QUATERNION_TOLERANCE, forward_kinematics};
pub use mesh::{MeshError, MeshLimits, MeshLoader, file_ending};
pub use model::{Joint, Link, RobotModel};
pub use package::PackageResolver;
pub use ply::Ply;
pub use sampling::StateSampler;
pub use spec::{
    Coupling, JointId, JointKind, JointLimits, JointSpec, LinkId, LinkSpec, LinkSurface, MimicSpec,
};
pub use state::{LimitBreach, MIMIC_TOLERANCE, RobotState, Variable, interpolate, shorter_way};
pub use trajectory::{Trajectory, TrajectoryError, TrajectoryPoint};
pub use trajectory_file::{load_trajectory, parse_trajectories};
#[cfg(feature = "urdf-rs")]
pub use urdf::from_urdf_rs;
pub use urdf::{
    CollisionSource, DocumentEdit, GeometryBody, GeometrySource, JointDynamics, LinkGeometry,
    LinkInertial, LinkSource, LoadOptions, LoadedRobot, MeshPolicy, Place, SURFACE_NAMESPACE,
    Sidecar, UrdfDocument, UrdfError, UrdfPhysics, Warning, WriteError, link_geometry, load_urdf,
    parse_urdf, physics,
};
pub use velocity::{Twist, for_each_jacobian_column, jacobian, link_velocities};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
