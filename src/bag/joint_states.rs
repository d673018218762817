//! The joint states of a recording as states of a robot, and as a trajectory that can be replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::sync::Arc;

use super::{BagError, Message, Recording, Topic};
use crate::cdr;
use crate::convert::joints::check_joint_state;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::std_msgs::msg::String as Text;
use crate::robot::{
    Coupling, Joint, JointKind, RobotModel, RobotState, Trajectory, TrajectoryPoint, Variable,
};

const JOINT_STATE: &str = "sensor_msgs/msg/JointState";
const TEXT: &str = "std_msgs/msg/String";
/// Maximum number of names in a note.
const LISTED: usize = 6;

/// Whether a topic has joint states and this name, with or without its first slash. Without a name, any topic that ends in
/// `joint_states`.
pub fn is_joint_states(topic: &Topic, name: Option<&str>) -> bool {
    let bare = |name: &str| name.trim_start_matches('/').to_string();
    let named = match name {
        Some(name) => bare(&topic.name) == bare(name),
        None => topic.name.ends_with("joint_states"),
    };
    named && topic.type_name == JOINT_STATE
}

/// Whether a topic has texts and its name ends in this one, such as `robot_description`.
pub fn is_text(topic: &Topic, name: &str) -> bool {
    topic.type_name == TEXT && topic.name.rsplit('/').next() == Some(name)
}

/// The first text on a topic that ends in this name; none without such a message.
pub fn text(recording: &Recording, name: &str) -> Result<Option<String>, BagError> {
    let is_text = |message: &&Message| is_text(&recording.topics[message.topic], name);
    let Some(message) = recording.messages.iter().find(is_text) else { return Ok(None) };
    let text = cdr::decode::<Text>(&message.bytes).map_err(|e| BagError::Message {
        topic: recording.topics[message.topic].name.clone(),
        reason: e.to_string(),
    })?;
    Ok(Some(text.data))
}

/// The recorded states of one robot. Every message sets the joints it names, whoever published it, and keeps the others.
/// Before the first message about a joint its position is the one in that message; joints that are never named have the
/// position of [`RobotState::new`].
#[derive(Debug, Clone)]
pub struct RecordedStates {
    /// States in order of time.
    pub states: Vec<RobotState>,
    /// Time of each state, in seconds from the first.
    pub times: Vec<f64>,
    /// Names of the robot's variables that occur in messages.
    pub moved: BTreeSet<String>,
    /// Names that are not the robot's, and how often they occur.
    pub unknown: BTreeMap<String, usize>,
    /// What was not used, and why: one line each.
    pub notes: Vec<String>,
}

/// The positions of one robot's joints in a message.
struct JointPositions<'a> {
    message: &'a Message,
    names: Vec<String>,
    values: Vec<f64>,
}

impl RecordedStates {
    /// Follows the robot through the messages of the wanted topics.
    pub fn new(
        recording: &Recording,
        model: &Arc<RobotModel>,
        wanted: &dyn Fn(&Topic) -> bool,
    ) -> Self {
        let mut unknown = BTreeMap::new();
        let mut refused: Vec<(&Message, String)> = Vec::new();
        let (mut accepted, mut without_positions) = (Vec::new(), 0);
        let mut state = RobotState::new(Arc::clone(model));
        for message in &recording.messages {
            if !wanted(&recording.topics[message.topic]) {
                continue;
            }
            match own_joints(message, model, &mut unknown) {
                Ok(None) => without_positions += 1,
                Ok(Some(joints)) if joints.names.is_empty() => {}
                Ok(Some(joints)) => match state.merge(&joints.names, &joints.values) {
                    Ok(()) => accepted.push(joints),
                    Err(why) => refused.push((message, why.to_string())),
                },
                Err(why) => refused.push((message, why)),
            }
        }
        let mut notes = recording.problems.clone();
        notes.extend(note_of_refused(recording, &refused));
        if without_positions > 0 {
            notes.push(format!("{without_positions} joint states have no positions"));
        }
        if !unknown.is_empty() {
            let count = unknown.len();
            notes.push(format!("{count} joints are not of this robot: {}", listed(&unknown)));
        }
        Self::replay(model, accepted, unknown, notes)
    }

    /// The states after each of the accepted messages.
    fn replay(
        model: &Arc<RobotModel>,
        accepted: Vec<JointPositions<'_>>,
        unknown: BTreeMap<String, usize>,
        notes: Vec<String>,
    ) -> Self {
        const ACCEPTED: &str = "independent joints are checked one by one, and these were accepted";
        // Backwards first: afterwards every joint has its first recorded position.
        let mut state = RobotState::new(Arc::clone(model));
        for joints in accepted.iter().rev() {
            state.merge(&joints.names, &joints.values).expect(ACCEPTED);
        }
        let (mut states, mut times, mut moved) = (Vec::new(), Vec::new(), BTreeSet::new());
        let start = accepted.first().map(|joints| joints.message.time);
        for joints in accepted {
            state.merge(&joints.names, &joints.values).expect(ACCEPTED);
            moved.extend(joints.names);
            states.push(state.clone());
            let start = start.expect("there is a first message");
            times.push(joints.message.time.saturating_sub(start) as f64 * 1e-9);
        }
        Self { states, times, moved, unknown, notes }
    }

    /// Why there is nothing to replay for this robot; none when there are states. `topic` is the one the user asked for.
    pub fn nothing(
        &self,
        recording: &Recording,
        robot: &RobotModel,
        topic: Option<&str>,
    ) -> Option<String> {
        if !self.states.is_empty() {
            return None;
        }
        if !self.unknown.is_empty() {
            return Some(format!(
                "none of its joints is one of robot `{}`: {}; record `robot_description` with them to show their own robot",
                robot.name(),
                listed(&self.unknown),
            ));
        }
        let topics = recording.topics.iter();
        let topics: Vec<String> =
            topics.map(|topic| format!("{} ({})", topic.name, topic.type_name)).collect();
        let all = if topics.is_empty() { "none".into() } else { topics.join(", ") };
        let on = topic.map_or(String::new(), |name| format!(" on `{name}`"));
        let notes = self.notes.iter().map(|note| format!("; {note}")).collect::<String>();
        Some(format!("no joint states to replay{on}; its topics are: {all}{notes}"))
    }

    /// The trajectory through the states; none without states. Of states at the same time the last counts, because the
    /// times of a trajectory increase.
    pub fn movement(&self, model: &RobotModel) -> Option<Trajectory> {
        let continuous = continuous_positions(model);
        let mut points: Vec<TrajectoryPoint> = Vec::with_capacity(self.states.len());
        for (state, &time_from_start) in self.states.iter().zip(&self.times) {
            let mut positions = state.positions().to_vec();
            if let Some(before) = points.last() {
                // Continuous joints jump by a turn where their encoder wraps around: remove it.
                for &index in &continuous {
                    let turns = ((before.positions[index] - positions[index]) / TAU).round();
                    positions[index] += turns * TAU;
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

/// The positions of this robot's joints in a message; none when it has no positions, as some publishers send velocities
/// only. Mimic joints are computed, so their recorded positions are not used. Unknown names are counted.
fn own_joints<'a>(
    message: &'a Message,
    model: &RobotModel,
    unknown: &mut BTreeMap<String, usize>,
) -> Result<Option<JointPositions<'a>>, String> {
    let state = cdr::decode::<JointState>(&message.bytes).map_err(|e| e.to_string())?;
    if state.position.is_empty() {
        return Ok(None);
    }
    check_joint_state(&state).map_err(|e| e.to_string())?;
    let mut joints = JointPositions { message, names: Vec::new(), values: Vec::new() };
    for (name, value) in state.name.into_iter().zip(state.position) {
        match model.variable(&name) {
            Ok(Variable::Own(_)) => {
                joints.names.push(name);
                joints.values.push(value);
            }
            Ok(Variable::Follows(_)) => {}
            Err(_) => *unknown.entry(name).or_default() += 1,
        }
    }
    Ok(Some(joints))
}

/// How many messages were refused, and the time, topic and reason of the first.
fn note_of_refused(recording: &Recording, refused: &[(&Message, String)]) -> Option<String> {
    let (message, why) = refused.iter().min_by_key(|(message, _)| message.time)?;
    let topic = &recording.topics[message.topic].name;
    let (count, seconds) = (refused.len(), message.time as f64 * 1e-9);
    Some(format!(
        "{count} joint states were not used, the first at {seconds:.3} s on {topic}: {why}"
    ))
}

/// The first few names.
fn listed(names: &BTreeMap<String, usize>) -> String {
    let some: Vec<&str> = names.keys().take(LISTED).map(String::as_str).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", some.join(", "))
}

/// Indices of the continuous joints in a position vector.
fn continuous_positions(model: &RobotModel) -> Vec<usize> {
    let index = |joint: &Joint| match joint.coupling {
        Coupling::Independent { position, .. } => Some(position),
        Coupling::Mimic { .. } => None,
    };
    let continuous = model.joints().iter().filter(|joint| joint.kind == JointKind::Continuous);
    continuous.filter_map(index).collect()
}

#[cfg(test)]
mod tests {
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
        assert_eq!(all, [[1.0, 0.5], [1.0, 0.5]], "from the start where it is first said to be");
        assert_eq!(found.times, [0.0, 0.5]);
        let path = found.movement(&robot()).unwrap();
        assert_eq!((path.time_range(), path.steps), ([0.0, 0.5], 1));
        let found = states(&recording(&[
            (0, "wheel", 1.0),
            (1_000_000_000, "elbow", 0.5),
            (2_000_000_000, "wheel", 2.0),
        ]));
        let path = found.movement(&robot()).unwrap();
        assert_eq!(path.state_at(&robot(), 1.5).unwrap().positions(), [1.5, 0.5]);
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
        let all = recording(&[(0, "tail", 1.0), (1, "elbow", f64::NAN), (2, "elbow", -f64::NAN)]);
        let found = states(&all);
        assert!(found.moved.is_empty() && found.states.is_empty());
        assert_eq!(found.notes.len(), 2);
        let expected = "2 joint states were not used, the first at 5.000 s on /arm/joint_states: ";
        assert!(found.notes[0].starts_with(expected), "{:?}", found.notes);
        assert!(found.notes[0].contains("`elbow`"), "{:?}", found.notes);
        assert_eq!(found.notes[1], "1 joints are not of this robot: tail");
        let nothing = found.nothing(&all, &robot(), None).unwrap();
        assert!(
            nothing.starts_with("none of its joints is one of robot `arm`: tail; "),
            "{nothing}"
        );
        let empty = recording(&[]);
        let nothing = states(&empty).nothing(&empty, &robot(), Some("/other")).unwrap();
        let expected = "no joint states to replay on `/other`; its topics are: /arm/joint_states";
        assert!(nothing.starts_with(expected), "{nothing}");
        assert!(states(&empty).movement(&robot()).is_none());
    }

    #[test]
    fn followers_are_computed_and_velocities_alone_say_nothing() {
        let urdf = r#"<robot name="hand"><link name="palm"/><link name="one"/><link name="two"/>
            <joint name="lead" type="continuous"><parent link="palm"/><child link="one"/></joint>
            <joint name="follow" type="continuous"><parent link="one"/><child link="two"/>
            <mimic joint="lead" multiplier="2"/></joint></robot>"#;
        let hand = Arc::new(parse_urdf(urdf, "hand", &LoadOptions::default()).unwrap().model);
        let mut all = recording(&[(0, "lead", 1.0), (1, "follow", 9.0), (2, "lead", 2.0)]);
        let velocities = JointState { name: vec!["lead".into()], ..JointState::default() };
        all.messages[1].bytes = cdr::encode(&JointState {
            name: vec!["lead".into(), "follow".into()],
            position: vec![1.5, 9.0],
            ..JointState::default()
        });
        all.messages.push(Message {
            topic: 0,
            time: 6_000_000_000,
            bytes: cdr::encode(&velocities),
        });
        let found = RecordedStates::new(&all, &hand, &|topic| is_joint_states(topic, None));
        let positions: Vec<f64> = found.states.iter().map(|state| state.positions()[0]).collect();
        assert_eq!(positions, [1.0, 1.5, 2.0]);
        assert_eq!(found.notes, ["1 joint states have no positions"]);
    }

    #[test]
    fn a_topic_may_be_named_without_its_first_slash() {
        let topic = Topic { name: "/arm/state".into(), type_name: JOINT_STATE.into() };
        assert!(is_joint_states(&topic, Some("arm/state")));
        assert!(is_joint_states(&topic, Some("/arm/state")));
        assert!(!is_joint_states(&topic, Some("/state")) && !is_joint_states(&topic, None));
    }
}
