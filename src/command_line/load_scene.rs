//! Loads a robot in its world and the state it is in: the options that `check`, `plan`, `simulate` and `grasp` share.

use super::check::joint_values::{StateFailure, apply_joints, apply_states};
use super::load_robot::{LoadFailure, Note, Robot, load_with_srdf};
use super::robot_args::{ReadingArguments, RobotArguments};
use crate::robot::{RobotState, UrdfDocument};
use crate::scene::{PlanningScene, SceneError, WorldFile, WorldFileError};
use clap::Args;
use std::path::PathBuf;

/// Which robot, and what is around it.
#[derive(Debug, Args)]
pub(crate) struct SceneArguments {
    #[command(flatten)]
    pub robot: RobotArguments,

    /// Groups, named states and pairs that may touch; its virtual joint is part of the robot
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,

    /// Objects around the robot and those it carries: a world file, or a scene of MoveIt as YAML
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,
}

/// Where the joints of a robot are.
#[derive(Debug, Args)]
pub(crate) struct StateArguments {
    /// Named state of the SRDF, as NAME or GROUP/NAME; may be given several times
    #[arg(long = "state", value_name = "NAME", requires = "srdf")]
    pub named_states: Vec<String>,

    /// Joint positions as name=value,name=value,… or a YAML or JSON file; may be given several times
    #[arg(long, value_name = "JOINTS")]
    pub joints: Vec<String>,
}

/// Why there is no scene.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadSceneFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    World(#[from] WorldFileError),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// A robot in its world.
pub(crate) struct LoadedScene {
    pub scene: PlanningScene,
    /// The robot description.
    pub document: UrdfDocument,
    /// What in the files was not used.
    pub notes: Vec<Note>,
}

impl SceneArguments {
    /// Reads the files.
    pub fn load(&self) -> Result<LoadedScene, LoadSceneFailure> {
        self.load_with(&self.robot.reading)
    }

    /// Reads the files, the robot in another way.
    pub fn load_with(&self, reading: &ReadingArguments) -> Result<LoadedScene, LoadSceneFailure> {
        let Robot { model, semantics, document, mut notes } =
            load_with_srdf(&self.robot.urdf, reading, self.srdf.as_deref())?;
        let mut scene = PlanningScene::new(model, semantics)?;
        if let Some(path) = &self.world {
            let world = WorldFile::load(path)?;
            let file = path.display().to_string();
            notes.extend(world.notes().iter().map(|note| Note::of_file(&file, note)));
            world.add_to(&mut scene)?;
        }
        Ok(LoadedScene { scene, document, notes })
    }
}

impl StateArguments {
    /// Every joint at zero or at the limit nearest to it, then the named states, then the joints that were given.
    pub fn state(&self, scene: &PlanningScene) -> Result<RobotState, StateFailure> {
        let mut state = RobotState::new(scene.model().clone());
        apply_states("--state", &mut state, scene.semantics(), &self.named_states)?;
        apply_joints("--joints", &mut state, &self.joints)?;
        Ok(state)
    }
}
