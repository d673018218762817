//! The iCub hands and their movement, built into the binary so that the demo runs from anywhere.

use std::sync::Arc;

use crate::command_line::load_robot::{SceneFailure, scene_of};
use crate::robot::srdf::{Srdf, SrdfError};
use crate::robot::{
    LoadOptions, LoadedRobot, Trajectory, TrajectoryError, UrdfError, parse_trajectories,
    parse_urdf,
};
use crate::scene::PlanningScene;

/// The texts of a robot that is in the binary.
pub(crate) struct Bundled {
    pub name: &'static str,
    urdf: &'static str,
    /// Its groups and the pairs that may touch.
    pub srdf: &'static str,
}

/// The hands alone, and with arms.
pub(crate) const ROBOTS: [Bundled; 2] = [
    Bundled {
        name: "icub_hands",
        urdf: include_str!("../../../urdf/icub_hands_mixed.urdf"),
        srdf: include_str!("../../../urdf/icub_hands.srdf"),
    },
    Bundled {
        name: "icub_arms_hands",
        urdf: include_str!("../../../urdf/icub_arms_hands_mixed.urdf"),
        srdf: include_str!("../../../urdf/icub_arms_hands.srdf"),
    },
];

impl Bundled {
    pub fn describe(&self) -> Result<Described, BundleError> {
        Described::new(self.urdf, Some(self.srdf), self.name)
    }
}

/// The movements of both bundled robots.
const MOVEMENTS: &str = include_str!("../../../config/two_hand_grasp.yaml");

/// The two groups that the movement brings into contact.
const HANDS: [&str; 2] = ["r_hand", "l_hand"];

/// Why a robot cannot be shown. Tests make sure that the bundled ones can.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BundleError {
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    #[error(transparent)]
    Srdf(#[from] SrdfError),
    #[error(transparent)]
    Scene(#[from] SceneFailure),
    #[error(transparent)]
    Movement(#[from] TrajectoryError),
    #[error("there is no movement for `{0}`")]
    NoMovement(String),
}

/// A robot, alone in the world.
pub(crate) struct Described {
    pub urdf: String,
    pub srdf: Option<String>,
    pub robot: Arc<LoadedRobot>,
    pub scene: PlanningScene,
}

impl Described {
    /// Reads the descriptions; errors refer to them by `name`.
    pub fn new(urdf: &str, srdf: Option<&str>, name: &str) -> Result<Self, BundleError> {
        let robot = parse_urdf(urdf, name, &LoadOptions::default())?;
        let semantic = srdf.map(|text| Srdf::parse(text, name)).transpose()?;
        let scene = scene_of(robot.model.clone(), semantic.as_ref())?;
        let (urdf, srdf) = (urdf.to_owned(), srdf.map(str::to_owned));
        Ok(Self { urdf, srdf, robot: Arc::new(robot), scene })
    }
}

/// A robot and its movement.
pub(crate) struct Bundle {
    pub described: Described,
    pub movement: Trajectory,
    /// Names of the bodies between which pairs are queried; empty for all.
    pub between: [Vec<String>; 2],
}

impl Bundle {
    /// The two hands and their grasp.
    pub fn load() -> Result<Self, BundleError> {
        let described = ROBOTS[0].describe()?;
        let name = described.scene.model().name();
        let all = parse_trajectories(MOVEMENTS, "two_hand_grasp.yaml")?;
        let movement = all.into_iter().find(|movement| movement.model == name);
        let movement = movement.ok_or_else(|| BundleError::NoMovement(name.into()))?;
        Ok(Self::new(described, movement))
    }

    /// Queries a robot with two hands between them, any other between all its bodies.
    pub fn new(described: Described, movement: Trajectory) -> Self {
        let has = |group: &&str| described.scene.body_set(&[*group]).is_ok();
        let two_hands = HANDS.iter().all(has);
        let side = |hand: &str| if two_hands { vec![hand.to_owned()] } else { Vec::new() };
        Self { between: HANDS.map(side), described, movement }
    }
}
