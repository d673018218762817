//! How a robot is loaded.

use std::path::PathBuf;

use crate::mesh::MeshLimits;

/// What to do about meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshPolicy {
    /// A mesh that cannot be used is an error.
    #[default]
    Require,
    /// A collision whose mesh cannot be used is left out, with a warning. The robot then has less body than it should.
    LeaveOutUnusable,
    /// All collisions that are meshes are left out, each with a warning; no mesh file is opened.
    Skip,
}

/// Surfaces for a robot whose description may not be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sidecar {
    /// A file.
    File(PathBuf),
    /// Text, and what to call it in messages.
    Text {
        /// Name in messages.
        label: String,
        /// The YAML text.
        text: String,
    },
}

/// How to load a robot, and how large it may be.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOptions {
    /// Where packages are looked for first: folders that are a package or contain some.
    pub package_paths: Vec<PathBuf>,
    /// Whether `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH` are looked at.
    pub use_environment: bool,
    /// What mesh names without a leading slash are relative to in a description that comes as text; the folder of the
    /// process when there is none. A description that is a file has its own folder.
    pub folder: Option<PathBuf>,
    /// Surfaces that replace the collisions of the links they name.
    pub sidecar: Option<Sidecar>,
    /// Whether a superovoid that is not convex is an error; otherwise its convex hull is used.
    pub strict_convexity: bool,
    /// What to do about meshes.
    pub meshes: MeshPolicy,
    /// Largest description and largest sidecar, in bytes.
    pub max_file_bytes: u64,
    /// Most XML nodes in a description.
    pub max_nodes: u32,
    /// Most links, and most joints.
    pub max_links: usize,
    /// Size limits of meshes.
    pub mesh_limits: MeshLimits,
}

impl Default for LoadOptions {
    /// No package paths beyond the environment; limits an order of magnitude above the largest robots in use.
    fn default() -> Self {
        Self {
            package_paths: Vec::new(),
            use_environment: true,
            folder: None,
            sidecar: None,
            strict_convexity: false,
            meshes: MeshPolicy::Require,
            max_file_bytes: 32 << 20,
            max_nodes: 1_000_000,
            max_links: 10_000,
            mesh_limits: MeshLimits::default(),
        }
    }
}
