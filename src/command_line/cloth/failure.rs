//! Why there is no cloth.

use crate::command_line::atomic_file::WriteFailure;
use crate::command_line::load_robot::LoadFailure;
use crate::dynamics::ClothError;
use crate::geometry::ShapeError;
use crate::robot::{StateError, UrdfError};
use crate::scene::{SceneError, WorldFileError};
use std::io;

/// Why nothing, or not everything, was simulated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClothFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    Robot(#[from] UrdfError),
    #[error(transparent)]
    Kinematics(#[from] StateError),
    #[error(transparent)]
    World(#[from] WorldFileError),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("--terrain: {0}")]
    Terrain(#[from] ShapeError),
    #[error(transparent)]
    Cloth(#[from] ClothError),
    #[error(transparent)]
    File(#[from] WriteFailure),
    #[error("signals cannot be handled: {0}")]
    Signals(io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
}
