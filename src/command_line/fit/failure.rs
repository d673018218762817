//! Why `fit` wrote nothing.

use crate::command_line::atomic_file::WriteFailure;
use crate::command_line::check::joint_values::StateFailure;
use crate::command_line::load_robot::LoadFailure;
use crate::command_line::program::{INTERRUPTED, USAGE_OR_FILE_ERROR};
use crate::fit::cloud::CloudError;
use crate::fit::{FitError, NotContained};
use crate::robot::{MeshError, StateError, UrdfError, WriteError};
use crate::scene::{SceneError, WorldFileError};
use std::io;
use std::path::PathBuf;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FitFailure {
    #[error("{}: ending `{ending}` is not known, must be urdf, stl, obj, dae, ply, pcd, xyz or pts", path.display())]
    InputKind { path: PathBuf, ending: String },
    #[error("{}: ending `{ending}` is not known, must be yaml or yml{}", path.display(), if *with_urdf { " or urdf" } else { "" })]
    OutputKind { path: PathBuf, ending: String, with_urdf: bool },
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("--links: no link `{link}` with a <{element}>")]
    NoSuchLink { link: String, element: &'static str },
    #[error("--links: {} is one mesh and has no links", path.display())]
    LinksOfMesh { path: PathBuf },
    #[error("{}: has no triangles", path.display())]
    NoTriangles { path: PathBuf },
    #[error("{}: no link has a mesh in its <{element}>", path.display())]
    NoMeshes { path: PathBuf, element: &'static str },
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    #[error(transparent)]
    Kinematics(#[from] StateError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Fit(FitError),
    #[error(transparent)]
    Cloud(CloudError),
    #[error("{option} is {value}, must be {range}")]
    CloudOption { option: &'static str, value: f64, range: &'static str },
    #[error("{}: no point with finite coordinates ({skipped} without)", path.display())]
    EmptyCloud { path: PathBuf, skipped: usize },
    #[error(
        "--mode enclosing does not apply to point clouds: of an object only what was seen is known; `closest` does"
    )]
    EnclosingCloud,
    #[error(
        "--mode closest applies to point clouds only: the surfaces of a robot have to contain its meshes; `enclosing` does"
    )]
    ClosestMesh,
    #[error("{option} does not apply to point clouds")]
    NotForClouds { option: &'static str },
    #[error("{option} applies to point clouds only")]
    OnlyForClouds { option: &'static str },
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error("--frame: the robot has no link `{link}`")]
    NoSuchFrame { link: String },
    #[error(transparent)]
    World(Box<WorldFileError>),
    #[error("the written file does not prove itself: {0}")]
    NotProvenAgain(#[from] NotContained),
    #[error(transparent)]
    Scene(SceneError),
    #[error("{}: no surfaces, only a hull: {reason}", path.display())]
    OnlyHull { path: PathBuf, reason: String },
    #[error("interrupted; nothing was written")]
    Interrupted,
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(io::Error),
    #[error(transparent)]
    File(#[from] WriteFailure),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

impl FitFailure {
    pub fn from_fit(error: FitError) -> Self {
        match error {
            FitError::Cancelled => FitFailure::Interrupted,
            other => FitFailure::Fit(other),
        }
    }

    /// Options have the names of the command line.
    pub fn from_cloud(error: CloudError) -> Self {
        let (field, value, range) = match error {
            CloudError::Cancelled => return FitFailure::Interrupted,
            CloudError::BadOption { field, value, range } => (field, value, range),
            other => return FitFailure::Cloud(other),
        };
        let option = match field {
            "robot_padding" => "--robot-margin",
            "gap" => "--gap",
            "table_share" => "--table-share",
            other => other,
        };
        FitFailure::CloudOption { option, value, range }
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            FitFailure::Interrupted => INTERRUPTED,
            _ => USAGE_OR_FILE_ERROR,
        }
    }
}
