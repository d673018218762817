//! Why a view could not be opened, or a viewer was refused.

use std::net::SocketAddr;

use smooth_scene_dynamics::{ClothError, MassError, SceneSimulationError};
use smooth_scene_fit::FitError;
use smooth_scene_geometry::ShapeError;
use smooth_scene_plan::PlanError;
use smooth_scene_robot::{StateError, TrajectoryError, WriteError};
use smooth_scene_scene::{NoRobot, SceneError, WorldFileError};

/// What is wrong with the server, or with what a viewer asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// No thread could be started.
    #[error("cannot start a thread of the view: {0}")]
    Thread(std::io::Error),
    /// A message that cannot be read.
    #[error("not a command: {0}")]
    BadMessage(String),
    /// A number out of its range.
    #[error("{what} is {value}, must be {range}")]
    BadValue {
        /// Which number.
        what: String,
        /// Its value.
        value: f64,
        /// What it may be.
        range: String,
    },
    /// Something the scene does not have.
    #[error("there is no {kind} `{name}`")]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// The masses of the robot are not known.
    #[error("the robot's URDF is not known, and so are its masses")]
    NoMasses,
    /// The masses of the robot cannot be read.
    #[error("the masses of the robot cannot be read: {0}")]
    Masses(String),
    /// A scene that cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SceneSimulationError),
    /// Editing is disabled.
    #[error("editing is switched off")]
    ReadOnly,
    /// Nothing to undo or redo, no movement to play, no robot to follow.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// More than a page can show or a robot can use.
    #[error("there are {count} {what} already, at most {max}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// The robot was not read from a URDF, or has been replaced since.
    #[error("the robot's URDF is not known, so it cannot be written back")]
    NoDocument,
    /// A shape that no surface of this kind encloses.
    #[error("no {kind} was found that encloses the shape")]
    NotEnclosed {
        /// The kind.
        kind: &'static str,
    },
    /// A world file that cannot be used, or objects that cannot be written.
    #[error(transparent)]
    WorldFile(#[from] WorldFileError),
    /// Visual meshes that cannot be read.
    #[error("the visual meshes cannot be read: {0}")]
    Visuals(String),
    /// The view was not told where the robot's meshes are.
    #[error("the meshes of the robot are not known")]
    NoGeometry,
    /// A link without a mesh.
    #[error("link `{link}` has no mesh in its <{element}>")]
    NoMesh {
        /// The link.
        link: String,
        /// Where it was looked for.
        element: &'static str,
    },
    /// A mesh that cannot be read.
    #[error("the mesh of link `{link}` cannot be used: {reason}")]
    Mesh {
        /// The link.
        link: String,
        /// Why not.
        reason: String,
    },
    /// No link has a mesh that can be used.
    #[error("no link has a usable mesh in its <{element}>{}", reasons(skipped))]
    NoMeshes {
        /// Where they were looked for.
        element: &'static str,
        /// Links whose meshes cannot be used, and why.
        skipped: Vec<(String, String)>,
    },
    /// One fit and one plan at a time.
    #[error("a {0} is running already")]
    IsRunning(&'static str),
    /// A defect of the fit or the plan.
    #[error("the {0} ended without an answer")]
    Panicked(&'static str),
    /// The robot was replaced meanwhile.
    #[error("the robot was replaced during the {0}")]
    AnotherRobot(&'static str),
    /// There is no path.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Meshes that cannot be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A cloth that is refused.
    #[error(transparent)]
    Cloth(#[from] ClothError),
    /// A shape with impossible parameters.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A refused joint position.
    #[error(transparent)]
    State(#[from] StateError),
    /// A stroke or a drawn robot that cannot be used.
    #[error("{0}")]
    Sketch(String),
    /// A drawn surface without a mass.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// A refused change or question.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A movement that does not fit the robot.
    #[error(transparent)]
    Movement(#[from] TrajectoryError),
    /// A robot that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no scene yet.
    #[error(transparent)]
    NoRobot(#[from] NoRobot),
}

fn reasons(skipped: &[(String, String)]) -> String {
    skipped.iter().map(|(_, reason)| format!("; {reason}")).collect()
}
