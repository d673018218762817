//! The iCub hands and their movement, built into the binary so that the demo runs from anywhere.

use std::sync::Arc;

use crate::command_line::load_robot::{SceneFailure, scene_of};
use crate::robot::srdf::{Srdf, SrdfError};
use crate::robot::{
    LoadOptions, LoadedRobot, Trajectory, TrajectoryError, UrdfError, parse_trajectories,
    parse_urdf,
};
use crate::scene::PlanningScene;
use crate::view::ViewOptions;

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

/// One link without a surface.
const NO_ROBOT: &str = r#"<robot name="sketch"><link name="base_link"/></robot>"#;

/// The movements of both bundled robots.
const MOVEMENTS: &str = include_str!("../../../config/two_hand_grasp.yaml");

/// The two groups that the movement brings into contact.
const HANDS: [&str; 2] = ["r_hand", "l_hand"];

/// See [`Bundle::close_distance`].
const HANDS_CLOSE: f64 = 0.0005;

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

/// A robot, and the texts that describe it.
pub(crate) struct Described {
    pub urdf: String,
    pub srdf: Option<String>,
    /// Surfaces that replace collisions, as YAML.
    pub surfaces: Option<String>,
    /// How meshes are found.
    pub options: LoadOptions,
    pub robot: Arc<LoadedRobot>,
    pub scene: PlanningScene,
}

impl Described {
    /// Reads the descriptions; errors refer to them by `name`.
    pub fn new(urdf: &str, srdf: Option<&str>, name: &str) -> Result<Self, BundleError> {
        let options = LoadOptions::default();
        let robot = parse_urdf(urdf, name, &options)?;
        let semantic = srdf.map(|text| Srdf::parse(text, name)).transpose()?;
        let scene = scene_of(robot.model.clone(), semantic.as_ref())?;
        let (urdf, srdf) = (urdf.to_owned(), srdf.map(str::to_owned));
        Ok(Self { urdf, srdf, surfaces: None, options, robot: Arc::new(robot), scene })
    }
}

/// A robot and its movement.
pub(crate) struct Bundle {
    pub described: Described,
    /// None for a robot that is posed by hand.
    pub movement: Option<Trajectory>,
    /// Names of the bodies of which the table of a new viewer lists pairs; empty for all.
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
        Ok(Self::new(described, Some(movement)))
    }

    /// A robot that is nothing yet.
    pub fn empty() -> Result<Self, BundleError> {
        Ok(Self::new(Described::new(NO_ROBOT, None, "sketch")?, None))
    }

    /// Of a robot with two hands pairs between them are listed, of any other all pairs.
    pub fn new(described: Described, movement: Option<Trajectory>) -> Self {
        let has = |group: &&str| described.scene.body_set(&[*group]).is_ok();
        let two_hands = HANDS.iter().all(has);
        let side = |hand: &str| if two_hands { vec![hand.to_owned()] } else { Vec::new() };
        Self { between: HANDS.map(side), described, movement }
    }

    /// Below which distance bodies are close, m. The fingers of one hand of the bundled robots are less than a millimetre
    /// apart.
    pub fn close_distance(&self) -> f64 {
        let is_bundled = ROBOTS.iter().any(|one| one.name == self.described.scene.model().name());
        if is_bundled { HANDS_CLOSE } else { ViewOptions::default().close_distance }
    }
}
