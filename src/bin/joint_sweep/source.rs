//! Where the movement comes from: the bundled one, a JointTrajectory file, or a recording.

use crate::failure::Failure;
use crate::robots::{GRASP, GRASP_FILE, Robot};
use smooth_scene::robot::{RobotState, Trajectory, load_trajectory, parse_trajectories};
use std::path::Path;

/// States in the order of time.
#[derive(Debug, Clone)]
pub(crate) struct Movement {
    pub states: Vec<RobotState>,
    /// When each state is reached, in seconds from the first.
    pub times: Vec<f64>,
    /// Where it comes from.
    pub name: String,
    /// What of the source was not used, and why.
    pub notes: Vec<String>,
}

/// The bundled movement.
pub(crate) fn grasp(robot: &Robot, steps: Option<usize>) -> Result<Movement, Failure> {
    let all = parse_trajectories(GRASP, GRASP_FILE).map_err(|e| Failure::State(e.to_string()))?;
    let name = robot.model().name();
    let none = || Failure::State(format!("{GRASP_FILE} has no movement for `{name}`: give one"));
    sampled(&all.into_iter().find(|t| t.model == name).ok_or_else(none)?, robot, steps, GRASP_FILE)
}

/// The movement of a file or folder: YAML, or a recording.
pub(crate) fn load(
    path: &Path,
    robot: &Robot,
    steps: Option<usize>,
    topic: Option<&str>,
) -> Result<Movement, Failure> {
    let is_yaml = path.extension().is_some_and(|e| e == "yaml" || e == "yml");
    if path.is_file() && is_yaml {
        let trajectory =
            load_trajectory(path, robot.model()).map_err(|e| Failure::State(e.to_string()))?;
        return sampled(&trajectory, robot, steps, &path.display().to_string());
    }
    recorded(path, robot, topic)
}

fn sampled(
    trajectory: &Trajectory,
    robot: &Robot,
    steps: Option<usize>,
    name: &str,
) -> Result<Movement, Failure> {
    let steps = steps.unwrap_or(trajectory.steps);
    let states =
        trajectory.sampled(robot.model(), steps).map_err(|e| Failure::State(e.to_string()))?;
    let [start, end] = trajectory.time_range();
    let times = (0..=steps).map(|k| (end - start) * k as f64 / steps as f64).collect();
    Ok(Movement { states, times, name: name.into(), notes: Vec::new() })
}

#[cfg(not(feature = "bags"))]
fn recorded(path: &Path, _: &Robot, _: Option<&str>) -> Result<Movement, Failure> {
    Err(Failure::file(
        path,
        "recordings need the feature `bags`, which this build was made without",
    ))
}

#[cfg(feature = "bags")]
mod bags {
    use super::*;
    use smooth_scene::ros::bag::{self, RecordedStates, Recording, Topic};

    fn read(path: &Path, wanted: &dyn Fn(&Topic) -> bool) -> Result<Recording, Failure> {
        bag::read(path, wanted).map_err(|e| Failure::Other(e.to_string()))
    }

    /// The robot description in a recording, if there is one.
    pub(crate) fn description(path: &Path) -> Result<Option<String>, Failure> {
        let name = "robot_description";
        let recording = read(path, &|topic| bag::is_text(topic, name))?;
        Ok(bag::text(&recording, name))
    }

    /// The states of a recording: every message of joint states moves the joints it names, whoever published it.
    pub(crate) fn recorded(
        path: &Path,
        robot: &Robot,
        topic: Option<&str>,
    ) -> Result<Movement, Failure> {
        let wanted = |t: &Topic| bag::is_joint_states(t, topic);
        let recording = read(path, &wanted)?;
        let found = RecordedStates::new(&recording, robot.model(), &wanted);
        if let Some(why) = found.nothing(&recording) {
            return Err(Failure::file(path, why));
        }
        let RecordedStates { states, times, notes, .. } = found;
        Ok(Movement { states, times, name: path.display().to_string(), notes })
    }
}

#[cfg(feature = "bags")]
pub(crate) use bags::{description, recorded};

/// Without the feature there are no recordings.
#[cfg(not(feature = "bags"))]
pub(crate) fn description(_: &Path) -> Result<Option<String>, Failure> {
    Ok(None)
}
