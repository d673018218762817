//! A motion along a path as a recording.

use super::failure::PlanFailure;
use super::motion::Motion;
use super::timed::Question;
use crate::command_line::atomic_file::WriteFailure;
use crate::command_line::scene_recording::{Moment, RecordingFailure, SceneRecorder};
use crate::plan::{JointSpace, PlanError, Stop};
use crate::robot::RobotState;
use std::path::Path;

/// Where a motion is recorded, and how.
pub(super) struct Recording<'a> {
    pub folder: &'a Path,
    pub urdf: &'a str,
    /// Moments in a second.
    pub rate: f64,
}

/// Writes a motion to a new folder, its end included. When it is told to stop, it removes the folder.
pub(super) fn write(
    recording: Recording,
    question: &Question,
    motion: &Motion,
    stop: Stop,
) -> Result<(), PlanFailure> {
    let Recording { folder, urdf, rate } = recording;
    let Question { scene, group, from, .. } = *question;
    let (space, timed) = (JointSpace::new(scene, group, from)?, motion.timed());
    let mut recorder = SceneRecorder::new(folder, urdf, scene)?;
    let model = scene.model();
    let count = (timed.duration() * rate).ceil() as u64;
    for k in 0..=count {
        if stop() {
            drop(recorder);
            std::fs::remove_dir_all(folder).map_err(|error| WriteFailure::new(folder, error))?;
            return Err(PlanError::Cancelled.into());
        }
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
