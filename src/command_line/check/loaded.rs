//! What is checked: a robot, what is around it, and a state.

use super::args::CheckArguments;
use super::failure::CheckFailure;
use super::finding::Finding;
use super::maps::Maps;
use crate::command_line::load_robot::Note;
use crate::command_line::load_scene::LoadedScene;
use crate::robot::{LimitBreach, RobotModel, RobotState};
use crate::scene::PlanningScene;
use std::collections::BTreeMap;

/// A robot in its world and the state that the options describe.
pub(crate) struct Loaded {
    /// The URDF, as it was named.
    pub file: String,
    pub scene: PlanningScene,
    pub notes: Vec<Note>,
    pub has_srdf: bool,
    pub state: RobotState,
    /// Mapped meshes around the robot.
    pub maps: Maps,
}

impl Loaded {
    /// Reads all files but the one with states.
    pub fn new(arguments: &CheckArguments) -> Result<Self, CheckFailure> {
        let LoadedScene { scene, notes, .. } = arguments.scene.load()?;
        let state = arguments.state.state(&scene)?;
        let maps = Maps::new(arguments, &scene)?;
        let file = arguments.scene.robot.urdf.display().to_string();
        let has_srdf = arguments.scene.srdf.is_some();
        Ok(Self { file, scene, notes, has_srdf, state, maps })
    }

    pub fn model(&self) -> &RobotModel {
        self.scene.model()
    }

    /// Links and names of surfaces that are not convex, so that their hulls are used.
    pub fn dented(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.model().links().iter().flat_map(|link| {
            let dented = link.collisions.iter().filter(|collision| !collision.shape.is_convex());
            dented.map(|collision| (link.name.as_str(), collision.name.as_deref()))
        })
    }

    /// How many surfaces of each kind there are.
    pub fn surface_kinds(&self) -> BTreeMap<&'static str, usize> {
        let mut kinds = BTreeMap::new();
        for collision in self.model().links().iter().flat_map(|link| &link.collisions) {
            *kinds.entry(collision.shape.kind()).or_default() += 1;
        }
        kinds
    }

    /// How many pairs may touch, by reason.
    pub fn allowed_by_reason(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for (_, _, entry) in self.scene.acm().entries().filter(|(.., entry)| entry.allowed) {
            *reasons.entry(entry.reason.name()).or_default() += 1;
        }
        reasons
    }
}

/// What was found in the one state of a run.
pub(crate) struct Checked {
    pub loaded: Loaded,
    pub breaches: Vec<LimitBreach>,
    pub finding: Finding,
}
