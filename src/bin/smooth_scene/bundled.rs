//! The iCub hands and their movement, built into the binary so that the demo runs from anywhere.

use std::sync::Arc;

use smooth_scene::robot::srdf::{Srdf, SrdfError};
use smooth_scene::robot::{
    LoadOptions, LoadedRobot, Trajectory, TrajectoryError, UrdfError, parse_trajectories,
    parse_urdf,
};
use smooth_scene::scene::{PlanningScene, SceneError};

/// The description of the robot.
pub(crate) const URDF: &str = include_str!("../../../urdf/icub_hands_mixed.urdf");
/// Its groups and the pairs that may touch.
pub(crate) const SRDF: &str = include_str!("../../../urdf/icub_hands.srdf");
/// The movements of both bundled robots.
const MOVEMENTS: &str = include_str!("../../../config/two_hand_grasp.yaml");

/// The two groups between which the movement brings contacts.
pub(crate) const HANDS: [&str; 2] = ["r_hand", "l_hand"];

/// What is bundled does not fit together; the tests see to it that this does not happen.
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

/// The hands, alone in the world, and what they do.
pub(crate) struct Bundle {
    pub robot: Arc<LoadedRobot>,
    pub scene: PlanningScene,
    pub movement: Trajectory,
}

impl Bundle {
    pub fn load() -> Result<Self, BundleError> {
        let robot = parse_urdf(URDF, "icub_hands_mixed.urdf", &LoadOptions::default())?;
        let model = Arc::new(robot.model.clone());
        let (semantics, _) = Srdf::parse(SRDF, "icub_hands.srdf")?.resolve(&model)?;
        let scene = PlanningScene::new(Arc::clone(&model), Some(semantics))?;
        let all = parse_trajectories(MOVEMENTS, "two_hand_grasp.yaml")?;
        let movement = all.into_iter().find(|movement| movement.model == model.name());
        let movement = movement.ok_or_else(|| BundleError::NoMovement(model.name().into()))?;
        Ok(Self { robot: Arc::new(robot), scene, movement })
    }
}
