//! Why there is no simulation.

use crate::command_line::atomic_file::WriteFailure;
use crate::command_line::check::joint_values::StateFailure;
use crate::command_line::load_scene::LoadSceneFailure;
use crate::dynamics::{DynamicsError, MaterialError, Overlap, SimulationError};
use crate::robot::{StateError, UrdfError};
use crate::scene::SceneError;
use std::io;

/// Why nothing, or not everything, was simulated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SimulateFailure {
    #[error(transparent)]
    Load(#[from] LoadSceneFailure),
    #[error(transparent)]
    Masses(#[from] UrdfError),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error(transparent)]
    Kinematics(#[from] StateError),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Material(#[from] MaterialError),
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// Bad input before the first step, or a step that cannot be made.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    #[error("--fixed: the world has no object `{0}`")]
    NoSuchObject(String),
    #[error("--tolerance is of compliant contacts; rigid ones take --step")]
    ToleranceOfRigid,
    /// Bodies that begin deep in each other.
    #[error(
        "`{}` and `{}` overlap by {:.4} m at the start, {:.0} % of the smaller one; begin with them apart (--joints, --state), let them touch (an SRDF), or --allow-overlaps",
        .0.bodies[0], .0.bodies[1], .0.depth, 100.0 * .0.share()
    )]
    Overlap(Overlap),
    #[error("nothing moves: the robot has no joints, and the world no free objects")]
    NothingMoves,
    #[error(transparent)]
    File(#[from] WriteFailure),
    #[error(transparent)]
    #[cfg(feature = "bags")]
    Recording(#[from] crate::command_line::scene_recording::RecordingFailure),
    #[error("--record needs the feature `bags`, which this build was made without")]
    #[cfg(not(feature = "bags"))]
    WithoutBags,
    #[error("signals cannot be handled: {0}")]
    Signals(io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
}
