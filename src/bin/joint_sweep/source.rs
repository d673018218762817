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
    use smooth_scene::ros::bag::{self, Recording, Topic};
    use smooth_scene::ros::cdr;
    use smooth_scene::ros::convert::joints::check_joint_state;
    use smooth_scene::ros::interfaces::sensor_msgs::msg::JointState;
    use smooth_scene::ros::interfaces::std_msgs::msg::String as Text;
    use std::collections::BTreeMap;

    const JOINT_STATE: &str = "sensor_msgs/msg/JointState";

    fn read(path: &Path, wanted: &dyn Fn(&Topic) -> bool) -> Result<Recording, Failure> {
        bag::read(path, wanted).map_err(|e| Failure::Other(e.to_string()))
    }

    /// The robot description in a recording, if there is one.
    pub(crate) fn description(path: &Path) -> Result<Option<String>, Failure> {
        let is_one = |t: &Topic| {
            t.name.ends_with("/robot_description") && t.type_name == "std_msgs/msg/String"
        };
        let recording = read(path, &is_one)?;
        let text = recording.messages.first().and_then(|m| cdr::decode::<Text>(&m.bytes).ok());
        Ok(text.map(|text| text.data))
    }

    /// The states of a recording: every message of joint states moves the joints it names, whoever published it.
    pub(crate) fn recorded(
        path: &Path,
        robot: &Robot,
        topic: Option<&str>,
    ) -> Result<Movement, Failure> {
        let wanted = |t: &Topic| match topic {
            Some(name) => t.name == name && t.type_name == JOINT_STATE,
            None => t.name.ends_with("joint_states") && t.type_name == JOINT_STATE,
        };
        let recording = read(path, &wanted)?;
        let mut notes = recording.problems;
        let model = robot.model();
        let mut now = RobotState::new(model.clone());
        let (mut states, mut times) = (Vec::new(), Vec::new());
        let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
        let (mut bad, mut reason) = (0, String::new());
        let start = recording.messages.first().map_or(0, |message| message.time);
        for message in &recording.messages {
            let known = |name: &String| model.variable_names().contains(name);
            let merged = cdr::decode::<JointState>(&message.bytes)
                .map_err(|e| e.to_string())
                .and_then(|m| check_joint_state(&m).map(|()| m).map_err(|e| e.to_string()))
                .and_then(|m| {
                    let pairs = m.name.into_iter().zip(m.position);
                    let (ours, others): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| known(name));
                    others.into_iter().for_each(|(name, _)| *unknown.entry(name).or_default() += 1);
                    let (names, values): (Vec<String>, Vec<f64>) = ours.into_iter().unzip();
                    now.merge(&names, &values).map_err(|e| e.to_string())
                });
            match merged {
                Ok(()) => {
                    states.push(now.clone());
                    times.push((message.time - start) as f64 * 1e-9);
                }
                Err(why) => (bad, reason) = (bad + 1, why),
            }
        }
        if bad > 0 {
            notes.push(format!("{bad} joint states were not used, the last because {reason}"));
        }
        if !unknown.is_empty() {
            let names: Vec<&str> = unknown.keys().take(6).map(String::as_str).collect();
            let count = unknown.len();
            notes.push(format!("{count} joints are not of this robot: {}", names.join(", ")));
        }
        if states.is_empty() {
            let topics: Vec<String> =
                recording.topics.iter().map(|t| format!("{} ({})", t.name, t.type_name)).collect();
            let notes =
                if notes.is_empty() { String::new() } else { format!("; {}", notes.join("; ")) };
            let all = if topics.is_empty() { "none".into() } else { topics.join(", ") };
            let why = format!("no joint states to replay; its topics are: {all}{notes}");
            return Err(Failure::file(path, why));
        }
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
