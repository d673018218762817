//! Why `check` has no answer.

use super::joint_values::StateFailure;
use super::state_file::StateFileFailure;
use crate::command_line::load_scene::LoadSceneFailure;
use crate::scene::SceneError;
use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckFailure {
    #[error(transparent)]
    Load(#[from] LoadSceneFailure),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error(transparent)]
    StateFile(#[from] StateFileFailure),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[cfg(feature = "baselines")]
    #[error("--map {0}")]
    MapMesh(#[from] crate::robot::MeshError),
    #[cfg(feature = "baselines")]
    #[error("--map {file}: {source}")]
    Map { file: String, source: crate::baselines::MapError },
    #[cfg(feature = "baselines")]
    #[error(
        "--map-pose is given {poses} times and --map {maps} times, must be as often or not at all"
    )]
    MapPoses { maps: usize, poses: usize },
    #[cfg(feature = "baselines")]
    #[error("--map-touch: the robot has no link and carries no object `{name}`")]
    MapTouch { name: String },
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(io::Error),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}
