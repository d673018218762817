//! The iCub hands and their movement, built into the binary so that the demo runs from anywhere.

use std::sync::Arc;

use crate::robot::srdf::{Srdf, SrdfError};
use crate::robot::{
    LoadOptions, LoadedRobot, Trajectory, TrajectoryError, UrdfError, parse_trajectories,
    parse_urdf,
};
use crate::scene::{PlanningScene, SceneError};

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

/// The two groups between which the movement brings contacts.
const HANDS: [&str; 2] = ["r_hand", "l_hand"];

/// A robot that cannot be shown. Of what is bundled, the tests see to it that this does not happen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BundleError {
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    #[error(transparent)]
    Srdf(#[from] SrdfError),
    #[error(transparent)]
    Scene(#[from] SceneError),
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
    /// Reads the descriptions; errors name them by these words.
    pub fn new(urdf: &str, srdf: Option<&str>, name: &str) -> Result<Self, BundleError> {
        let robot = parse_urdf(urdf, name, &LoadOptions::default())?;
        let mut model = robot.model.clone();
        let mut semantics = None;
        if let Some(text) = srdf {
            let srdf = Srdf::parse(text, name)?;
            model = srdf.with_virtual_joint(&model)?;
            semantics = Some(srdf.resolve(&model)?.0);
        }
        let scene = PlanningScene::new(Arc::new(model), semantics)?;
        let (urdf, srdf) = (urdf.to_owned(), srdf.map(str::to_owned));
        Ok(Self { urdf, srdf, robot: Arc::new(robot), scene })
    }
}

/// A robot, and what it does.
pub(crate) struct Bundle {
    pub described: Described,
    pub movement: Trajectory,
    /// Names of the bodies between which pairs are looked for; empty for all.
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

    /// A robot with two hands is looked at between them, any other between all its bodies.
    pub fn new(described: Described, movement: Trajectory) -> Self {
        let has = |group: &&str| described.scene.body_set(&[*group]).is_ok();
        let two_hands = HANDS.iter().all(has);
        let side = |hand: &str| if two_hands { vec![hand.to_owned()] } else { Vec::new() };
        Self { between: HANDS.map(side), described, movement }
    }
}
