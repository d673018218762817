//! The joint states of a recording as states of a robot, and as a movement that can be played.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::sync::Arc;

use super::{Message, Recording, Topic};
use crate::cdr;
use crate::convert::joints::check_joint_state;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::std_msgs::msg::String as Text;
use crate::robot::{
    Coupling, Joint, JointKind, RobotModel, RobotState, Trajectory, TrajectoryPoint, Variable,
};

const JOINT_STATE: &str = "sensor_msgs/msg/JointState";
const TEXT: &str = "std_msgs/msg/String";
/// Names that a note lists.
const LISTED: usize = 6;

/// Whether a topic is one of joint states: the one of this name, with or without its first slash, or any that is called
/// `joint_states`.
pub fn is_joint_states(topic: &Topic, name: Option<&str>) -> bool {
    let bare = |name: &str| name.trim_start_matches('/').to_string();
    let named = match name {
        Some(name) => bare(&topic.name) == bare(name),
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
/// it; the others stay where they are. Before the first message about a joint it is where that message has it, and joints
/// that are never named are where [`RobotState::new`] has them.
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

/// What a message says about the joints of one robot.
struct Said {
    time: i64,
    names: Vec<String>,
    values: Vec<f64>,
}

impl RecordedStates {
    /// Follows the robot through the messages of the topics that are wanted.
    pub fn new(
        recording: &Recording,
        model: &Arc<RobotModel>,
        wanted: &dyn Fn(&Topic) -> bool,
    ) -> Self {
        let mut unknown = BTreeMap::new();
        let mut refused: Vec<(&Message, String)> = Vec::new();
        let (mut said, mut silent) = (Vec::new(), 0);
        for message in &recording.messages {
            if !recording.topics.get(message.topic).is_some_and(wanted) {
                continue;
            }
            match own_joints(message, model, &mut unknown) {
                Ok(None) => silent += 1,
                Ok(Some(about)) if about.names.is_empty() => {}
                Ok(Some(about)) => said.push((message, about)),
                Err(why) => refused.push((message, why)),
            }
        }
        // Backwards first, after which every joint is where it is first said to be. What is refused is counted below.
        let mut now = RobotState::new(Arc::clone(model));
        for (_, about) in said.iter().rev() {
            let _ = now.merge(&about.names, &about.values);
        }
        let start = said.first().map_or(0, |(_, about)| about.time);
        let (mut states, mut times, mut moved) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (message, about) in said {
            if let Err(why) = now.merge(&about.names, &about.values) {
                refused.push((message, why.to_string()));
                continue;
            }
            moved.extend(about.names);
            states.push(now.clone());
            times.push(about.time.saturating_sub(start) as f64 * 1e-9);
        }
        let mut notes = recording.problems.clone();
        notes.extend(note_of_refused(recording, &refused));
        if silent > 0 {
            notes.push(format!("{silent} joint states have no positions"));
        }
        if !unknown.is_empty() {
            let count = unknown.len();
            notes.push(format!("{count} joints are not of this robot: {}", listed(&unknown)));
        }
        Self { states, times, moved, unknown, notes }
    }

    /// Why there is nothing to replay of this robot; none when there is something. `topic` is the one that was asked for,
    /// if one was.
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
                "none of its joints is one of robot `{}`: {}; record `robot_description` with them to bring their own robot",
                robot.name(),
                listed(&self.unknown),
            ));
        }
        let topics = recording.topics.iter();
        let topics: Vec<String> =
            topics.map(|topic| format!("{} ({})", topic.name, topic.type_name)).collect();
        let all = if topics.is_empty() { "none".into() } else { topics.join(", ") };
        let on = topic.map(|name| format!(" on `{name}`")).unwrap_or_default();
        let notes = self.notes.iter().map(|note| format!("; {note}")).collect::<String>();
        Some(format!("no joint states to replay{on}; its topics are: {all}{notes}"))
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

/// The joints of this robot in a message. Joints that follow others are computed, and what is recorded of them is not
/// used; a message without positions says nothing: some publishers send velocities only. Names of others are counted.
fn own_joints(
    message: &Message,
    model: &RobotModel,
    unknown: &mut BTreeMap<String, usize>,
) -> Result<Option<Said>, String> {
    let state = cdr::decode::<JointState>(&message.bytes).map_err(|e| e.to_string())?;
    let mut said = Said { time: message.time, names: Vec::new(), values: Vec::new() };
    if state.position.is_empty() {
        return Ok(None);
    }
    check_joint_state(&state).map_err(|e| e.to_string())?;
    for (name, value) in state.name.into_iter().zip(state.position) {
        match model.variable(&name) {
            Ok(Variable::Own(_)) => {
                said.names.push(name);
                said.values.push(value);
            }
            Ok(Variable::Follows(_)) => {}
            Err(_) => *unknown.entry(name).or_default() += 1,
        }
    }
    Ok(Some(said))
}

/// How many messages were refused; of the first, where it is and why.
fn note_of_refused(recording: &Recording, refused: &[(&Message, String)]) -> Option<String> {
    let (message, why) = refused.iter().min_by_key(|(message, _)| message.time)?;
    let topic = recording.topics.get(message.topic).map_or("", |topic| topic.name.as_str());
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
