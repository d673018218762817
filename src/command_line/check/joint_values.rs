//! The state a robot is checked in: named states and joint positions from the command line or from files.

use crate::robot::srdf::{NamedState, Semantics};
use crate::robot::{RobotModel, RobotState, StateError};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest file of joint positions, in bytes: a hundred times the largest robots in use.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// How much two names have to be alike for one to be suggested for the other.
const ALIKE: f64 = 0.8;

/// Why there is no such state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateFailure {
    #[error("{option} `{text}`: must be name=value, separated by commas, or a file")]
    Form { option: &'static str, text: String },
    #[error("{option}: `{value}` for joint `{name}` is not a number")]
    Value { option: &'static str, name: String, value: String },
    #[error("{origin}: cannot be read: {reason}")]
    File { origin: String, reason: String },
    #[error("{origin}: the robot has no joint `{name}`{}", suggestion(.alike))]
    Unknown { origin: String, name: String, alike: Option<String> },
    #[error("{origin}: {source}")]
    Refused { origin: String, source: StateError },
    #[error("{option}: the SRDF has no state `{name}`{}", known_states(.known))]
    UnknownState { option: &'static str, name: String, known: Vec<String> },
    #[error("{option}: `{name}` is a state of several groups, name one: {}", .full.join(", "))]
    AmbiguousState { option: &'static str, name: String, full: Vec<String> },
}

/// The end of a message about an unknown name.
pub(crate) fn suggestion(alike: &Option<String>) -> String {
    match alike {
        Some(name) => format!(", did you mean `{name}`?"),
        None => String::new(),
    }
}

fn known_states(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(", it has: {}", known.join(", ")) }
}

/// Puts the robot into the named states, one after the other; `option` is where they were given.
pub(crate) fn apply_states(
    option: &'static str,
    state: &mut RobotState,
    semantics: &Semantics,
    names: &[String],
) -> Result<(), StateFailure> {
    for name in names {
        let named = find_state(option, semantics, name)?;
        for (joint, numbers) in &named.joints {
            let joint = state.model().joint(*joint).name.clone();
            let refused =
                |source| StateFailure::Refused { origin: format!("{option} {name}"), source };
            state.set_joint(&joint, numbers).map_err(refused)?;
        }
    }
    Ok(())
}

fn full_name(state: &NamedState) -> String {
    format!("{}/{}", state.group, state.name)
}

fn find_state<'a>(
    option: &'static str,
    semantics: &'a Semantics,
    name: &str,
) -> Result<&'a NamedState, StateFailure> {
    let named: Vec<&NamedState> = semantics
        .states
        .iter()
        .filter(|state| state.name == name || full_name(state) == name)
        .collect();
    match named.as_slice() {
        [one] => Ok(one),
        [] => {
            let known = semantics.states.iter().map(full_name).collect();
            Err(StateFailure::UnknownState { option, name: name.to_owned(), known })
        }
        several => {
            let full = several.iter().map(|state| full_name(state)).collect();
            Err(StateFailure::AmbiguousState { option, name: name.to_owned(), full })
        }
    }
}

/// Sets the joints of every list or file that was given with `option`, one after the other.
pub(crate) fn apply_joints(
    option: &'static str,
    state: &mut RobotState,
    given: &[String],
) -> Result<(), StateFailure> {
    for text in given {
        let (origin, values) = if text.contains('=') {
            (option.to_owned(), parse_list(option, text)?)
        } else {
            (text.clone(), read_file(text)?)
        };
        if let Some((name, _)) = values.iter().find(|(name, _)| !is_known(state.model(), name)) {
            let (name, alike) = (name.clone(), most_alike(state.model(), name));
            return Err(StateFailure::Unknown { origin, name, alike });
        }
        let (names, numbers): (Vec<&str>, Vec<f64>) =
            values.iter().map(|(name, value)| (name.as_str(), *value)).unzip();
        let refused = |source| StateFailure::Refused { origin, source };
        state.merge(&names, &numbers).map_err(refused)?;
    }
    Ok(())
}

/// Whether this is a joint or one of the numbers of a joint.
pub(crate) fn is_known(model: &RobotModel, name: &str) -> bool {
    model.joint_id(name).is_some() || model.variable_names().iter().any(|known| known == name)
}

/// The name that was probably meant.
pub(crate) fn most_alike(model: &RobotModel, name: &str) -> Option<String> {
    let candidates = model.variable_names().iter().chain(model.joints().iter().map(|j| &j.name));
    let scored = candidates.map(|known| (strsim::jaro_winkler(known, name), known));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= ALIKE).then(|| best.1.clone())
}

/// `name=value,name=value`.
fn parse_list(option: &'static str, text: &str) -> Result<Vec<(String, f64)>, StateFailure> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| {
            let form = || StateFailure::Form { option, text: item.to_owned() };
            // The last one: a name may hold anything, a number holds none.
            let (name, value) = item.rsplit_once('=').ok_or_else(form)?;
            let (name, value) = (name.trim().to_owned(), value.trim());
            match value.parse() {
                Ok(number) => Ok((name, number)),
                Err(_) => Err(StateFailure::Value { option, name, value: value.to_owned() }),
            }
        })
        .collect()
}

fn read_file(path: &str) -> Result<Vec<(String, f64)>, StateFailure> {
    let unreadable = |reason: String| StateFailure::File { origin: path.to_owned(), reason };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(_) if !Path::new(path).exists() => {
            let reason = "there is no such file, and it is no list of name=value".to_owned();
            return Err(unreadable(reason));
        }
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(unreadable(format!("larger than {MAX_FILE_BYTES} bytes")));
    }
    let parsed: Result<JointMap, String> = if path.ends_with(".json") {
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())
    } else {
        serde_yaml::from_slice(&bytes).map_err(|error| error.to_string())
    };
    parsed.map(|map| map.0).map_err(unreadable)
}

/// A map from names to numbers in the order of the file; names that come twice stay, to be refused.
struct JointMap(Vec<(String, f64)>);

impl<'de> Deserialize<'de> for JointMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = JointMap;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a map from joint names to numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<JointMap, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = access.next_entry()? {
                    pairs.push(pair);
                }
                Ok(JointMap(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
