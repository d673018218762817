//! Why the demo failed.

use super::bag::BagFailure;
use super::bundled::BundleError;
use super::own_robot::RobotFailure;
use crate::node::StartError;
use crate::robot::TrajectoryError;
use crate::scene::{NoRobot, SceneError, WorldFileError};
use crate::transport::{ConnectError, TransportError};
use crate::view::ViewError;

/// Why the demo failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoFailure {
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Bag(#[from] BagFailure),
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Movement(#[from] TrajectoryError),
    #[error(transparent)]
    Node(#[from] StartError),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Robot(#[from] RobotFailure),
    #[error(transparent)]
    World(#[from] WorldFileError),
    #[error("the node has not read the robot")]
    NoRobot,
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(std::io::Error),
}

impl From<NoRobot> for DemoFailure {
    fn from(_: NoRobot) -> Self {
        DemoFailure::NoRobot
    }
}
