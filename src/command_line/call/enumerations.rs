//! Names in place of the numbers of enumerations: `operation: ADD` in a request, `status: OK` in an answer.
//!
//! A message definition lists constants without saying which field they belong to. Where only one field has their type, it is
//! that field; [`SEVERAL`] says it for the others.

use super::refusal::Refusal;
use serde_yaml::Value;
use std::collections::BTreeMap;

/// Type, field and constants, of types with several fields that could be meant.
const SEVERAL: &[(&str, &str, &[&str])] = &[
    ("CheckStates_Response", "status", STATUS),
    ("CheckStates_Response", "states", &["FREE", "COLLISION"]),
    ("CheckMotion_Response", "status", STATUS),
    ("CheckMotion_Response", "result", &["FREE", "COLLISION", "UNDECIDED"]),
    ("PlanMotion_Response", "status", STATUS),
    (
        "PlanMotion_Response",
        "result",
        &["PROVEN", "IN_COLLISION", "NO_CONNECTION", "TIMED_OUT", "CANCELLED"],
    ),
    ("Simulate_Response", "status", STATUS),
    ("Simulate_Response", "state", &["NONE", "PLAYING", "PAUSED", "FAILED"]),
    ("ContactInformation", "body_type_1", BODY),
    ("ContactInformation", "body_type_2", BODY),
];
const STATUS: &[&str] = &[
    "NOT_COMPUTED",
    "OK",
    "REFUSED",
    "NO_ROBOT",
    "NO_STATE",
    "OVERLOADED",
    "NO_TRANSFORM",
    "INACTIVE",
];
const BODY: &[&str] = &["ROBOT_LINK", "WORLD_OBJECT", "ROBOT_ATTACHED"];
/// Fields whose numbers are sums of constants; names are joined by `|`.
const FLAGS: &[(&str, &str)] = &[("PlanningSceneComponents", "components")];

/// The types in a message, read off its definition.
#[derive(Debug)]
pub(crate) struct Types {
    types: BTreeMap<String, Vec<TypedField>>,
}

/// A field and what its numbers are called.
#[derive(Debug, Clone, PartialEq)]
struct TypedField {
    name: String,
    /// Name of its type, without package and without the brackets of a list.
    type_name: String,
    names: Vec<(String, i64)>,
    is_flags: bool,
}

/// The name of a type without its package: `smooth_scene/srv/GetScene_Response`, `geometry_msgs/Point`.
fn short(type_name: &str) -> &str {
    type_name.rsplit('/').next().expect("a split text has a last part")
}

impl Types {
    /// Of a message type and the definitions of all types in it.
    pub fn new(type_name: &str, text: &str) -> Self {
        let mut types = BTreeMap::new();
        let mut name = short(type_name);
        let mut lines = Vec::new();
        for line in text.lines() {
            if let Some(next) = line.strip_prefix("MSG: ") {
                types.insert(name.to_owned(), fields(name, &lines));
                (name, lines) = (short(next), Vec::new());
            } else if !line.starts_with("===") {
                lines.push(line);
            }
        }
        types.insert(name.to_owned(), fields(name, &lines));
        Self { types }
    }

    /// Puts numbers in the place of names, in a request of this type.
    pub fn to_numbers(&self, type_name: &str, value: &mut Value) -> Result<(), Refusal> {
        self.visit(short(type_name), "request", value, &mut |field, path, value| {
            let Value::String(text) = &*value else { return Ok(()) };
            *value = field.number(path, text)?.into();
            Ok(())
        })
    }

    /// Puts names in the place of numbers, in an answer of this type. Numbers without a name stay.
    pub fn to_names(&self, type_name: &str, value: &mut Value) {
        let named = self.visit(short(type_name), "answer", value, &mut |field, _, value| {
            let number = value.as_i64();
            if let Some((name, _)) = field.names.iter().find(|(_, known)| Some(*known) == number) {
                *value = Value::String(name.clone());
            }
            Ok(())
        });
        named.expect("putting names refuses nothing");
    }

    /// Calls `act` on every value of a field with named numbers, with its path. Values that do not fit the type are left
    /// to the reader of the message.
    fn visit(
        &self,
        type_name: &str,
        path: &str,
        value: &mut Value,
        act: &mut dyn FnMut(&TypedField, &str, &mut Value) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (Some(fields), Value::Mapping(map)) = (self.types.get(type_name), value) else {
            return Ok(());
        };
        for field in fields {
            let Some(value) = map.get_mut(field.name.as_str()) else { continue };
            let path = format!("{path}.{}", field.name);
            let mut one = |path: &str, value: &mut Value| match field.names.is_empty() {
                true => self.visit(&field.type_name, path, value, act),
                false => act(field, path, value),
            };
            match value {
                Value::Sequence(items) => {
                    for (index, item) in items.iter_mut().enumerate() {
                        one(&format!("{path}[{index}]"), item)?;
                    }
                }
                value => one(&path, value)?,
            }
        }
        Ok(())
    }
}

impl TypedField {
    fn number(&self, path: &str, text: &str) -> Result<i64, Refusal> {
        let one = |name: &str| {
            let known = self.names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            known.map(|(_, number)| *number).ok_or_else(|| {
                let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
                let short: String = name.chars().take(40).collect();
                let known = names.join(", ");
                Refusal::new(path, format!("is `{short}`, must be an integer or one of: {known}"))
            })
        };
        match self.is_flags {
            false => one(text.trim()),
            true => text.split('|').map(str::trim).try_fold(0, |sum, name| Ok(sum | one(name)?)),
        }
    }
}

/// The fields of a type from the lines of its definition.
fn fields(type_name: &str, lines: &[&str]) -> Vec<TypedField> {
    let mut constants: Vec<(&str, &str, i64)> = Vec::new();
    let mut fields: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        let Some((base, rest)) = line.split_once(' ') else { continue };
        match rest.split_once('=') {
            Some((name, number)) => {
                // Constants that are texts or fractions name nothing.
                if let Ok(number) = number.trim().parse() {
                    constants.push((base, name.trim(), number));
                }
            }
            None => fields.push((base.split('[').next().expect("a first part"), rest.trim())),
        }
    }
    let belongs = |base: &str, field: &str, constant: &(&str, &str, i64)| {
        let listed = |(known, ..): &&(&str, &str, &[&str])| *known == type_name;
        if SEVERAL.iter().any(|entry| listed(&entry)) {
            let mut own = SEVERAL.iter().filter(listed).filter(|(_, name, _)| *name == field);
            return own.any(|(.., names)| names.contains(&constant.1));
        }
        constant.0 == base && fields.iter().filter(|(other, _)| *other == base).count() == 1
    };
    fields
        .iter()
        .map(|(base, name)| TypedField {
            name: (*name).to_owned(),
            type_name: short(base).to_owned(),
            names: constants
                .iter()
                .filter(|constant| belongs(base, name, constant))
                .map(|(_, name, number)| ((*name).to_owned(), *number))
                .collect(),
            is_flags: FLAGS.contains(&(type_name, name)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interfaces::{Message, ServiceType};
    use crate::node::services::{ServiceVisitor, for_each_service};
    use crate::node::{Endpoint, Service};
    use std::convert::Infallible;

    /// The definitions of all requests and answers of the node.
    fn definitions() -> Vec<(&'static str, &'static str)> {
        struct Collect(Vec<(&'static str, &'static str)>);
        impl ServiceVisitor for Collect {
            type Error = Infallible;

            fn visit<S: Service>(&mut self, _: &'static Endpoint, _: S) -> Result<(), Infallible> {
                let request = <<S::Type as ServiceType>::Request as Message>::DEFINITION;
                let response = <<S::Type as ServiceType>::Response as Message>::DEFINITION;
                self.0.extend([request, response].map(|one| (one.type_name, one.text)));
                Ok(())
            }
        }
        let mut all = Collect(Vec::new());
        let Ok(()) = for_each_service(&mut all);
        all.0
    }

    #[test]
    fn every_constant_of_a_service_names_a_number_of_some_field() {
        let mut checked = 0;
        for (type_name, text) in definitions() {
            let types = Types::new(type_name, text);
            let mut current = short(type_name);
            for line in text.lines() {
                if let Some(next) = line.strip_prefix("MSG: ") {
                    current = short(next);
                }
                let Some((left, number)) = line.split_once('=') else { continue };
                let Some((_, name)) = left.split_once(' ') else { continue };
                let Ok(number) = number.parse::<i64>() else { continue };
                let known = (name.to_owned(), number);
                let found = types.types[current].iter().any(|field| field.names.contains(&known));
                assert!(
                    found,
                    "{type_name}: to which field of {current} does {name} belong? Add it to SEVERAL"
                );
                checked += 1;
            }
        }
        assert!(checked > 50, "{checked}");
    }

    fn types(name: &str) -> (&'static str, Types) {
        let all = definitions();
        let (type_name, text) = all.iter().find(|(known, _)| short(known) == name).unwrap();
        (type_name, Types::new(type_name, text))
    }

    #[test]
    fn names_in_requests_become_numbers() {
        let (type_name, types) = types("ApplyScene_Request");
        let text =
            "{changes: [{operation: ADD, object: {surfaces: [{kind: box}]}}, {operation: 5}]}";
        let mut value: Value = serde_yaml::from_str(text).unwrap();
        types.to_numbers(type_name, &mut value).unwrap();
        assert_eq!(value["changes"][0]["operation"], 1);
        assert_eq!(value["changes"][0]["object"]["surfaces"][0]["kind"], 6);
        assert_eq!(value["changes"][1]["operation"], 5);
        let mut bad: Value = serde_yaml::from_str("{changes: [{operation: PUT}]}").unwrap();
        let error = types.to_numbers(type_name, &mut bad).unwrap_err().to_string();
        let expected =
            "request.changes[0].operation: is `PUT`, must be an integer or one of: ADD, REPLACE,";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn flags_are_joined() {
        let (type_name, types) = types("GetPlanningScene_Request");
        let text = "components: {components: ROBOT_STATE | WORLD_OBJECT_NAMES}";
        let mut value: Value = serde_yaml::from_str(text).unwrap();
        types.to_numbers(type_name, &mut value).unwrap();
        assert_eq!(value["components"]["components"], 10);
    }

    #[test]
    fn numbers_in_answers_become_names() {
        let (type_name, types) = types("CheckStates_Response");
        let mut value: Value =
            serde_yaml::from_str("{status: 1, states: [1, 2, 9], revision: 1}").unwrap();
        types.to_names(type_name, &mut value);
        assert_eq!(value["status"], "OK");
        assert_eq!(value["states"][0], "FREE");
        assert_eq!(value["states"][1], "COLLISION");
        assert_eq!(value["states"][2], 9);
        assert_eq!(value["revision"], 1);
    }
}
