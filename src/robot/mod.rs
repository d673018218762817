//! What is in the URDF, and where are the links? Robots as trees of links that carry shapes; no queries, no scene.

mod collada;
mod describe;
mod error;
mod mesh;
mod model;
mod package;
mod tree;
mod urdf;

pub use describe::describe;
pub use error::ModelError;
pub use mesh::{MeshError, MeshLimits, MeshLoader};
pub use model::{
    Collision, Coupling, Joint, JointId, JointKind, JointLimits, JointSpec, Link, LinkId, LinkSpec,
    MimicSpec, RobotModel,
};
pub use package::PackageResolver;
pub use urdf::{
    CollisionSource, DocumentEdit, LinkSource, LoadOptions, LoadedRobot, MeshPolicy, Place,
    SURFACE_NAMESPACE, Sidecar, UrdfDocument, UrdfError, Warning, WriteError, load_urdf,
    parse_urdf,
};
