//! The bundled robots and the movement of `config/two_hand_grasp.yaml`, sampled.

use std::path::Path;
use std::sync::Arc;

use smooth_scene::robot::{LoadOptions, RobotModel, RobotState, load_trajectory, load_urdf};

/// A bundled robot, by the name of its file.
pub fn bundled(file: &str) -> Arc<RobotModel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("urdf").join(file);
    Arc::new(load_urdf(&path, &LoadOptions::default()).unwrap().model)
}

/// The states of the movement for this robot.
pub fn two_hand_grasp(model: &Arc<RobotModel>) -> Vec<RobotState> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/two_hand_grasp.yaml");
    let movement = load_trajectory(path, model).unwrap();
    movement.sampled(model, movement.steps).unwrap()
}
