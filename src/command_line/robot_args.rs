//! The options that say which robot is read, and how.

use crate::robot::MeshPolicy;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which robot, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct RobotArguments {
    /// Robot description
    #[arg(value_name = "URDF")]
    pub urdf: PathBuf,

    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// How to read a robot description.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadingArguments {
    /// Folder that is a ROS package or contains some, for `package://` meshes; may be given several times, and comes
    /// before ROS_PACKAGE_PATH and AMENT_PREFIX_PATH
    #[arg(long = "package-path", value_name = "DIR")]
    pub package_paths: Vec<PathBuf>,

    /// YAML file with surfaces that replace the collisions of the links it names
    #[arg(long = "surfaces", alias = "sidecar", value_name = "FILE")]
    pub sidecar: Option<PathBuf>,

    /// Refuse superovoids that are not convex instead of using their convex hull
    #[arg(long)]
    pub strict: bool,

    /// What to do about mesh files
    #[arg(long, value_name = "POLICY", value_enum, default_value_t = Meshes::Require)]
    pub meshes: Meshes,
}

/// What to do about mesh files.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Meshes {
    /// A mesh that cannot be used is an error
    Require,
    /// A collision whose mesh cannot be used is left out, with a warning
    LeaveOut,
    /// All collisions that are meshes are left out
    Skip,
}

impl Meshes {
    pub fn policy(self) -> MeshPolicy {
        match self {
            Meshes::Require => MeshPolicy::Require,
            Meshes::LeaveOut => MeshPolicy::LeaveOutUnusable,
            Meshes::Skip => MeshPolicy::Skip,
        }
    }
}
