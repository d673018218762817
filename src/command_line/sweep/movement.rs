//! Where the movement comes from: the bundled one, a JointTrajectory file, or a recording.

use super::description::Description;
use super::failure::Failure;
use super::robots::{GRASP, GRASP_FILE, Robot};
use crate::robot::{RobotState, Trajectory, TrajectoryError, load_trajectory, parse_trajectories};
use std::path::Path;

/// A movement: states in the order of time.
#[derive(Debug, Clone)]
pub(crate) struct Movement {
    pub states: Vec<RobotState>,
    /// When each state is reached, in seconds from the first.
    pub times: Vec<f64>,
    /// Where it comes from.
    pub name: String,
    /// Which parts of the source were not used, and why.
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
    if !is_yaml(path) {
        return recorded(path, robot, steps, topic);
    }
    if topic.is_some() {
        return Err(Failure::file(path, "--topic is of a recording, and this is a YAML file"));
    }
    let trajectory = load_trajectory(path, robot.model()).map_err(|e| match e {
        // Other errors name the file themselves.
        TrajectoryError::State { .. } => Failure::file(path, e),
        e => Failure::State(e.to_string()),
    })?;
    sampled(&trajectory, robot, steps, &path.display().to_string())
}

/// Whether a path is a YAML file rather than a recording.
pub(crate) fn is_yaml(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|e| e == "yaml" || e == "yml")
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
fn recorded(
    path: &Path,
    _: &Robot,
    _: Option<usize>,
    _: Option<&str>,
) -> Result<Movement, Failure> {
    Err(Failure::file(
        path,
        "recordings need the feature `bags`, which this build was made without",
    ))
}

#[cfg(feature = "bags")]
mod bags {
    use super::*;
    use crate::bag::{self, RecordedStates, Recording, Topic};

    fn read(path: &Path, wanted: &dyn Fn(&Topic) -> bool) -> Result<Recording, Failure> {
        bag::read(path, wanted).map_err(|e| Failure::Other(e.to_string()))
    }

    /// The robot of a recording, as it is described there.
    pub(crate) fn description(path: &Path) -> Result<Option<Description>, Failure> {
        let names = ["robot_description", "robot_description_semantic", "robot_description_scs"];
        let recording = read(path, &|topic| names.iter().any(|name| bag::is_text(topic, name)))?;
        let text = |name| bag::text(&recording, name).map_err(|e| Failure::file(path, e));
        let Some(urdf) = text(names[0])? else { return Ok(None) };
        // Surfaces are recorded only when there are some.
        let (srdf, surfaces) = (text(names[1])?, text(names[2])?.unwrap_or_default());
        Ok(Some(Description { urdf, srdf, surfaces }))
    }

    /// The states of a recording: every message of joint states moves the joints it names, whoever published it. With
    /// `steps` the movement between them is sampled.
    pub(crate) fn recorded(
        path: &Path,
        robot: &Robot,
        steps: Option<usize>,
        topic: Option<&str>,
    ) -> Result<Movement, Failure> {
        let wanted = |t: &Topic| bag::is_joint_states(t, topic);
        let recording = read(path, &wanted)?;
        let found = RecordedStates::new(&recording, robot.model(), &wanted);
        if let Some(why) = found.nothing(&recording, robot.model(), topic) {
            return Err(Failure::file(path, why));
        }
        let name = path.display().to_string();
        if steps.is_some() {
            let movement = found.movement(robot.model());
            let movement = movement.ok_or_else(|| Failure::file(path, "no states to sample"))?;
            let movement = sampled(&movement, robot, steps, &name)?;
            return Ok(Movement { notes: found.notes, ..movement });
        }
        let RecordedStates { states, times, notes, .. } = found;
        Ok(Movement { states, times, name, notes })
    }
}

#[cfg(feature = "bags")]
pub(crate) use bags::{description, recorded};

/// Without the feature `bags` there are no recordings.
#[cfg(not(feature = "bags"))]
pub(crate) fn description(_: &Path) -> Result<Option<Description>, Failure> {
    Ok(None)
}
