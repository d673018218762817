//! The bundled robots and the movement of `config/two_hand_grasp.yaml`, sampled.

use std::sync::Arc;

use crate::repository_file;
use smooth_scene_robot::{LoadOptions, RobotModel, RobotState, load_trajectory, load_urdf};

/// A bundled robot, by the name of its file.
pub fn bundled(file: &str) -> Arc<RobotModel> {
    let path = repository_file("urdf").join(file);
    Arc::new(load_urdf(&path, &LoadOptions::default()).unwrap().model)
}

/// The states of the movement for this robot.
pub fn two_hand_grasp(model: &Arc<RobotModel>) -> Vec<RobotState> {
    let path = repository_file("config/two_hand_grasp.yaml");
    let movement = load_trajectory(path, model).unwrap();
    movement.sampled(model, movement.steps).unwrap()
}
