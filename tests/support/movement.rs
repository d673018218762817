//! The movement of `config/two_hand_grasp.yaml`, sampled.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use smooth_scene::robot::{LoadOptions, RobotModel, RobotState, load_urdf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Movement {
    model: String,
    steps: usize,
    constant: BTreeMap<String, f64>,
    joint_names: Vec<String>,
    points: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    time_from_start: f64,
    positions: Vec<f64>,
}

/// A bundled robot, by the name of its file.
pub fn bundled(file: &str) -> Arc<RobotModel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("urdf").join(file);
    Arc::new(load_urdf(&path, &LoadOptions::default()).unwrap().model)
}

/// The states of the movement for this robot.
pub fn two_hand_grasp(model: &Arc<RobotModel>) -> Vec<RobotState> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/two_hand_grasp.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let movement = serde_yaml::Deserializer::from_str(&text)
        .map(|document| Movement::deserialize(document).unwrap())
        .find(|movement| movement.model == model.name())
        .unwrap();
    let names: Vec<&String> = movement.constant.keys().collect();
    let values: Vec<f64> = movement.constant.values().copied().collect();
    let duration = movement.points.last().unwrap().time_from_start;
    (0..=movement.steps)
        .map(|step| {
            // Joints that are not named stay at zero; all of those may.
            let mut state = RobotState::new(model.clone());
            state.merge(&names, &values).unwrap();
            let time = duration * step as f64 / movement.steps as f64;
            state.merge(&movement.joint_names, &positions_at(&movement.points, time)).unwrap();
            state
        })
        .collect()
}

/// Between key frames every joint moves on a straight line.
fn positions_at(points: &[Point], time: f64) -> Vec<f64> {
    let next = points.iter().position(|point| point.time_from_start > time);
    let next = next.unwrap_or(points.len() - 1).max(1);
    let (a, b) = (&points[next - 1], &points[next]);
    let t = (time - a.time_from_start) / (b.time_from_start - a.time_from_start);
    a.positions.iter().zip(&b.positions).map(|(x, y)| x + t * (y - x)).collect()
}
