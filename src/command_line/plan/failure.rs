//! Why `plan` has no answer.

use super::super::atomic_file::WriteFailure;
use super::super::check::joint_values::StateFailure;
use super::super::load_robot::LoadFailure;
use super::super::load_scene::LoadSceneFailure;
use crate::plan::PlanError;
use crate::scene::{SceneError, WorldFileError};
use std::io;
use std::path::PathBuf;

/// Bad input, or output that cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    Question(#[from] LoadSceneFailure),
    #[error(transparent)]
    World(#[from] WorldFileError),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error("{option}: {given} numbers given, the group has {expected}: {names}")]
    NumberCount { option: &'static str, given: usize, expected: usize, names: String },
    #[error("--to-pose `{text}`: must be LINK:x,y,z,qx,qy,qz,qw, {reason}")]
    Pose { text: String, reason: &'static str },
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Write(#[from] WriteFailure),
    #[error("{}: {reason}", path.display())]
    File { path: PathBuf, reason: String },
    #[error(transparent)]
    #[cfg(feature = "bags")]
    Recording(#[from] crate::command_line::scene_recording::RecordingFailure),
    #[error("--record needs the feature `bags`, which this build was made without")]
    WithoutBags,
    #[error("the paths cannot be checked against the meshes: {0}")]
    Meshes(String),
    #[error("--only: no experiment has `{text}` in its name, there are: {names}")]
    Only { text: String, names: String },
    #[error("Ctrl-C cannot be watched for: {0}")]
    Signals(io::Error),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}
