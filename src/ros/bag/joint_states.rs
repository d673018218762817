//! The joint states of a recording as states of a robot, and as a movement that can be played.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::sync::Arc;

use super::{Recording, Topic};
use crate::robot::{
    Coupling, Joint, JointKind, RobotModel, RobotState, Trajectory, TrajectoryPoint,
};
use crate::ros::cdr;
use crate::ros::convert::joints::check_joint_state;
use crate::ros::interfaces::sensor_msgs::msg::JointState;
use crate::ros::interfaces::std_msgs::msg::String as Text;

const JOINT_STATE: &str = "sensor_msgs/msg/JointState";
const TEXT: &str = "std_msgs/msg/String";
/// Names that a note lists.
const LISTED: usize = 6;

/// Whether a topic is one of joint states: the one of this name, or any that is called `joint_states`.
pub fn is_joint_states(topic: &Topic, name: Option<&str>) -> bool {
    let named = match name {
        Some(name) => topic.name == name,
        None => topic.name.ends_with("joint_states"),
    };
    named && topic.type_name == JOINT_STATE
}

/// Whether a topic holds texts and ends in this name, such as `robot_description`.
pub fn is_text(topic: &Topic, name: &str) -> bool {
    topic.type_name == TEXT && topic.name.rsplit('/').next() == Some(name)
}

/// The first text of the recording on a topic that ends in this name.
pub fn text(recording: &Recording, name: &str) -> Option<String> {
    let is_one = |topic: usize| recording.topics.get(topic).is_some_and(|t| is_text(t, name));
    let message = recording.messages.iter().find(|message| is_one(message.topic))?;
    cdr::decode::<Text>(&message.bytes).ok().map(|text| text.data)
}

/// What the joint states of a recording say about one robot. Every message moves the joints it names, whoever published
/// it; the others stay where they are, at first where [`RobotState::new`] has them.
#[derive(Debug, Clone)]
pub struct RecordedStates {
    /// States in the order of time.
    pub states: Vec<RobotState>,
    /// When each state was recorded, in seconds from the first.
    pub times: Vec<f64>,
    /// Names of the robot's variables that were said something about.
    pub moved: BTreeSet<String>,
    /// Names that are not the robot's, and how often they came.
    pub unknown: BTreeMap<String, usize>,
    /// What was not used, and why: one line each.
    pub notes: Vec<String>,
}

impl RecordedStates {
    /// Follows the robot through the messages of the topics that are wanted.
    pub fn new(
        recording: &Recording,
        model: &Arc<RobotModel>,
        wanted: &dyn Fn(&Topic) -> bool,
    ) -> Self {
        let known: BTreeSet<&str> = model.variable_names().iter().map(String::as_str).collect();
        let mut now = RobotState::new(Arc::clone(model));
        let (mut states, mut times) = (Vec::new(), Vec::new());
        let (mut moved, mut unknown) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
        let (mut bad, mut reason) = (0, String::new());
        let is_wanted = |topic: usize| recording.topics.get(topic).is_some_and(wanted);
        let messages = || recording.messages.iter().filter(|message| is_wanted(message.topic));
        let start = messages().next().map_or(0, |message| message.time);
        for message in messages() {
            let merged = cdr::decode::<JointState>(&message.bytes)
                .map_err(|e| e.to_string())
                .and_then(|m| check_joint_state(&m).map(|()| m).map_err(|e| e.to_string()))
                .and_then(|m| {
                    let pairs = m.name.into_iter().zip(m.position);
                    let (ours, others): (Vec<_>, Vec<_>) =
                        pairs.partition(|(name, _)| known.contains(name.as_str()));
                    others.into_iter().for_each(|(name, _)| *unknown.entry(name).or_default() += 1);
                    let (names, values): (Vec<String>, Vec<f64>) = ours.into_iter().unzip();
                    now.merge(&names, &values).map_err(|e| e.to_string())?;
                    moved.extend(names);
                    Ok(())
                });
            match merged {
                Ok(()) => {
                    states.push(now.clone());
                    times.push(message.time.saturating_sub(start) as f64 * 1e-9);
                }
                Err(why) => (bad, reason) = (bad + 1, why),
            }
        }
        let mut notes = recording.problems.clone();
        if bad > 0 {
            notes.push(format!("{bad} joint states were not used, the last because {reason}"));
        }
        if !unknown.is_empty() {
            let names: Vec<&str> = unknown.keys().take(LISTED).map(String::as_str).collect();
            let count = unknown.len();
            notes.push(format!("{count} joints are not of this robot: {}", names.join(", ")));
        }
        Self { states, times, moved, unknown, notes }
    }

    /// Why there is nothing to replay; none when there is something.
    pub fn nothing(&self, recording: &Recording) -> Option<String> {
        if !self.states.is_empty() {
            return None;
        }
        let topics = recording.topics.iter();
        let topics: Vec<String> =
            topics.map(|topic| format!("{} ({})", topic.name, topic.type_name)).collect();
        let all = if topics.is_empty() { "none".into() } else { topics.join(", ") };
        let notes = self.notes.iter().map(|note| format!("; {note}")).collect::<String>();
        Some(format!("no joint states to replay; its topics are: {all}{notes}"))
    }

    /// The movement through the states; none without states. Of states at the same moment the last counts: a movement
    /// goes on in time.
    pub fn movement(&self, model: &RobotModel) -> Option<Trajectory> {
        let turning = turning_places(model);
        let mut points: Vec<TrajectoryPoint> = Vec::with_capacity(self.states.len());
        for (state, &time_from_start) in self.states.iter().zip(&self.times) {
            let mut positions = state.positions().to_vec();
            if let Some(before) = points.last() {
                // Joints without end jump by a turn where their encoder does: not a movement to be played.
                for &place in &turning {
                    let turns = ((before.positions[place] - positions[place]) / TAU).round();
                    positions[place] += turns * TAU;
                }
                if before.time_from_start >= time_from_start {
                    points.pop();
                }
            }
            points.push(TrajectoryPoint { time_from_start, positions });
        }
        let steps = points.len().checked_sub(1)?.max(1);
        Some(Trajectory {
            model: model.name().to_string(),
            joint_names: model.variable_names().to_vec(),
            constant: Vec::new(),
            points,
            steps,
        })
    }
}

/// Places of the joints that turn without end.
fn turning_places(model: &RobotModel) -> Vec<usize> {
    let place = |joint: &Joint| match joint.coupling {
        Coupling::Independent { position, .. } if joint.kind == JointKind::Continuous => {
            Some(position)
        }
        _ => None,
    };
    model.joints().iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::*;
    use crate::robot::{LoadOptions, parse_urdf};

    fn robot() -> Arc<RobotModel> {
        let urdf = r#"<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/>
            <joint name="wheel" type="continuous"><parent link="base"/><child link="upper"/></joint>
            <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
            <limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"#;
        Arc::new(parse_urdf(urdf, "arm.urdf", &LoadOptions::default()).unwrap().model)
    }

    /// A recording of these messages: when, which joint, where.
    fn recording(messages: &[(i64, &str, f64)]) -> Recording {
        let topic = Topic { name: "/arm/joint_states".into(), type_name: JOINT_STATE.into() };
        let message = |&(time, name, position): &(i64, &str, f64)| Message {
            topic: 0,
            time: 5_000_000_000 + time,
            bytes: cdr::encode(&JointState {
                name: vec![name.into()],
                position: vec![position],
                ..JointState::default()
            }),
        };
        let messages = messages.iter().map(message).collect();
        Recording { topics: vec![topic], messages, problems: Vec::new() }
    }

    fn states(recording: &Recording) -> RecordedStates {
        RecordedStates::new(recording, &robot(), &|topic| is_joint_states(topic, None))
    }

    #[test]
    fn every_message_moves_the_joints_it_names() {
        let found = states(&recording(&[(0, "wheel", 1.0), (500_000_000, "elbow", 0.5)]));
        let all: Vec<_> = found.states.iter().map(RobotState::positions).collect();
        assert_eq!(all, [[1.0, 0.0], [1.0, 0.5]]);
        assert_eq!(found.times, [0.0, 0.5]);
        let path = found.movement(&robot()).unwrap();
        assert_eq!((path.time_range(), path.steps), ([0.0, 0.5], 1));
        assert_eq!(path.state_at(&robot(), 0.25).unwrap().positions(), [1.0, 0.25]);
    }

    #[test]
    fn of_two_states_at_one_moment_the_last_counts() {
        let found = states(&recording(&[(0, "wheel", 1.0), (0, "elbow", 0.5), (9, "elbow", 0.6)]));
        let path = found.movement(&robot()).unwrap();
        assert_eq!((found.states.len(), path.points.len()), (3, 2));
        assert_eq!(path.points[0].positions, [1.0, 0.5]);
    }

    #[test]
    fn a_wheel_that_goes_past_its_seam_does_not_spin_back() {
        let found = states(&recording(&[(0, "wheel", 3.1), (1_000_000_000, "wheel", -3.1)]));
        let path = found.movement(&robot()).unwrap();
        let middle = path.state_at(&robot(), 0.5).unwrap().positions()[0];
        assert!((middle - std::f64::consts::PI).abs() < 1e-12, "{middle}");
    }

    #[test]
    fn what_is_not_of_this_robot_is_said() {
        let found = states(&recording(&[(0, "tail", 1.0), (1, "elbow", f64::NAN)]));
        assert!(found.moved.is_empty());
        assert_eq!(found.notes.len(), 2);
        assert!(found.notes[0].starts_with("1 joint states were not used"), "{:?}", found.notes);
        assert_eq!(found.notes[1], "1 joints are not of this robot: tail");
        let empty = recording(&[]);
        let nothing = states(&empty).nothing(&empty).unwrap();
        let expected = "no joint states to replay; its topics are: /arm/joint_states";
        assert!(nothing.starts_with(expected), "{nothing}");
        assert!(states(&empty).movement(&robot()).is_none());
    }
}
