//! A simulation as a recording.

use super::failure::SimulateFailure;
use crate::command_line::scene_recording::{Moment, SceneRecorder};
use crate::dynamics::Simulation;
use crate::math::Pose;
use crate::robot::{RobotModel, RobotState};
use std::sync::Arc;

/// Adds the state that a simulation is in.
pub(crate) fn add(
    recorder: &mut SceneRecorder,
    simulation: &Simulation,
    model: &Arc<RobotModel>,
) -> Result<(), SimulateFailure> {
    let now = simulation.state();
    let state = RobotState::at(model.clone(), now.positions.clone())?;
    // A floating joint has one velocity less than positions; then there is none to name.
    let velocities: &[f64] =
        if now.velocities.len() == now.positions.len() { &now.velocities } else { &[] };
    let bodies = simulation.system().bodies().iter().zip(&now.bodies);
    let objects: Vec<(String, Pose)> =
        bodies.map(|(body, at)| (body.name.clone(), body.pose(at))).collect();
    let time = simulation.time();
    recorder.add(&Moment { time, state: &state, velocities, objects: &objects })?;
    Ok(())
}
