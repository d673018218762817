//! A motion along a path as a recording.

use super::failure::PlanFailure;
use super::motion::Motion;
use super::timed::Question;
use crate::command_line::scene_recording::{Moment, RecordingFailure, SceneRecorder};
use crate::plan::JointSpace;
use crate::robot::RobotState;
use std::path::Path;

/// Writes a motion to a new folder, so many moments a second and its end.
pub(super) fn write(
    folder: &Path,
    urdf: &str,
    question: &Question,
    motion: &Motion,
    rate: f64,
) -> Result<(), PlanFailure> {
    let Question { scene, group, from, .. } = *question;
    let (space, timed) = (JointSpace::new(scene, group, from)?, motion.timed());
    let mut recorder = SceneRecorder::new(folder, urdf, scene)?;
    let model = scene.model();
    let count = (timed.duration() * rate).ceil() as u64;
    for k in 0..=count {
        let time = (k as f64 / rate).min(timed.duration());
        let at = timed.at(time);
        let state = RobotState::at(model.clone(), space.positions(&at.positions));
        let state = state.map_err(RecordingFailure::State)?;
        // All joints outside the group rest.
        let mut velocities = vec![0.0; state.positions().len()];
        let rates = space.number_rates(&at.positions, &at.velocities);
        for (coordinate, rate) in space.coordinates().iter().zip(rates) {
            velocities[coordinate.place] = rate;
        }
        recorder.add(&Moment { time, state: &state, velocities: &velocities, objects: &[] })?;
    }
    Ok(recorder.finish()?)
}
