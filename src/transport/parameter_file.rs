//! Parameter values in YAML, in a file or on the command line.
//!
//! ```yaml
//! /**:                      # any node; also /left/*, /**/scene_node
//!   ros__parameters:
//!     rate: 20.0
//! left:
//!   scene_node:             # the node /left/scene_node
//!     ros__parameters:
//!       padding: {hand: 0.01}         # the parameter padding.hand
//! ```
//!
//! Values get the types rcl gives them, except that only `true` and `false` are truth values: `yes` and `on` stay strings.

use serde_yaml::Value;

use super::names::check_node_name;
use crate::interfaces::rcl_interfaces::msg::ParameterValue;

/// The key that stands above the values of a node.
const PARAMETERS: &str = "ros__parameters";

// The types of rcl_interfaces/msg/ParameterType.
const BOOL: u8 = 1;
const INTEGER: u8 = 2;
const DOUBLE: u8 = 3;
const STRING: u8 = 4;
const BOOL_ARRAY: u8 = 6;
const INTEGER_ARRAY: u8 = 7;
const DOUBLE_ARRAY: u8 = 8;
const STRING_ARRAY: u8 = 9;

/// Values for the nodes a pattern names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section {
    pub(super) nodes: NodePattern,
    pub(super) values: Vec<(String, ParameterValue)>,
}

/// Fully qualified names of nodes, in parts; `*` is any part, `**` any number of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodePattern(Vec<String>);

impl NodePattern {
    pub(super) fn any() -> Self {
        Self(vec!["**".to_owned()])
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in text.split('/').filter(|part| !part.is_empty()) {
            if part != "*" && part != "**" {
                check_node_name(part).map_err(|error| error.to_string())?;
            }
            parts.push(part.to_owned());
        }
        match parts.is_empty() {
            true => Err(format!("`{text}` names no node")),
            false => Ok(Self(parts)),
        }
    }

    pub(super) fn matches(&self, fully_qualified: &str) -> bool {
        let parts: Vec<_> = fully_qualified.split('/').filter(|part| !part.is_empty()).collect();
        // Row by row: which beginnings of the name do the first parts of the pattern cover?
        let mut covered = vec![false; parts.len() + 1];
        covered[0] = true;
        for pattern in &self.0 {
            let before = covered.clone();
            covered[0] = before[0] && pattern == "**";
            for (i, part) in parts.iter().enumerate() {
                covered[i + 1] = match pattern.as_str() {
                    "**" => before[i + 1] || covered[i],
                    "*" => before[i],
                    name => before[i] && name == *part,
                };
            }
        }
        covered[parts.len()]
    }
}

/// The sections of a file, in its order.
pub(super) fn read_sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections = Vec::new();
    match parse(text)? {
        Value::Null => {}
        Value::Mapping(map) => walk_nodes("", &map, &mut sections)?,
        other => return Err(format!("the whole file is {}, must be a map of nodes", kind(&other))),
    }
    Ok(sections)
}

fn walk_nodes(
    path: &str,
    map: &serde_yaml::Mapping,
    sections: &mut Vec<Section>,
) -> Result<(), String> {
    for (key, value) in map {
        let Value::String(key) = key else {
            return Err(format!("`{path}`: a key is {}, must be a string", kind(key)));
        };
        let Value::Mapping(inner) = value else {
            return Err(format!(
                "`{path}/{key}` is {}: values stand below `{PARAMETERS}`",
                kind(value)
            ));
        };
        if key == PARAMETERS {
            let nodes = NodePattern::parse(path)
                .map_err(|reason| format!("`{PARAMETERS}` below no node: {reason}"))?;
            let mut values = Vec::new();
            walk_values("", inner, &mut values)
                .map_err(|reason| format!("node `{path}`: {reason}"))?;
            sections.push(Section { nodes, values });
        } else {
            walk_nodes(&format!("{path}/{}", key.trim_start_matches('/')), inner, sections)?;
        }
    }
    Ok(())
}

fn walk_values(
    prefix: &str,
    map: &serde_yaml::Mapping,
    values: &mut Vec<(String, ParameterValue)>,
) -> Result<(), String> {
    for (key, value) in map {
        let name = match key {
            Value::String(key) if !key.is_empty() => format!("{prefix}{key}"),
            _ => return Err(format!("a key below `{prefix}` is {}, must be a name", kind(key))),
        };
        match value {
            Value::Mapping(inner) => walk_values(&format!("{name}."), inner, values)?,
            value => {
                let typed =
                    typed(value).map_err(|reason| format!("parameter `{name}`: {reason}"))?;
                values.push((name, typed));
            }
        }
    }
    Ok(())
}

/// A value as `-p name:=value` has it.
pub(super) fn read_value(text: &str) -> Result<ParameterValue, String> {
    typed(&parse(text)?)
}

fn parse(text: &str) -> Result<Value, String> {
    serde_yaml::from_str(text).map_err(|error| error.to_string())
}

/// A parameter that is a text.
pub(super) fn text_value(text: String) -> ParameterValue {
    ParameterValue { type_: STRING, string_value: text, ..ParameterValue::default() }
}

/// A parameter that is a list of texts.
pub(super) fn texts_value(string_array_value: Vec<String>) -> ParameterValue {
    ParameterValue { type_: STRING_ARRAY, string_array_value, ..ParameterValue::default() }
}

/// A parameter that is true or false.
pub(super) fn switch_value(on: bool) -> ParameterValue {
    ParameterValue { type_: BOOL, bool_value: on, ..ParameterValue::default() }
}

/// The value with the type its text has.
fn typed(value: &Value) -> Result<ParameterValue, String> {
    let default = ParameterValue::default();
    Ok(match value {
        Value::Bool(bool_value) => switch_value(*bool_value),
        Value::Number(number) if number.is_f64() => ParameterValue {
            type_: DOUBLE,
            double_value: number.as_f64().expect("it is one"),
            ..default
        },
        Value::Number(_) => {
            ParameterValue { type_: INTEGER, integer_value: integer(value)?, ..default }
        }
        Value::String(text) => text_value(text.clone()),
        Value::Sequence(items) => typed_list(items)?,
        Value::Tagged(tagged) => return Err(format!("the tag `{}` is not known", tagged.tag)),
        Value::Mapping(_) => return Err("is a map, must be a value".to_owned()),
        Value::Null => return Err("there is no value; an empty string is written ''".to_owned()),
    })
}

/// A list, of which all items have the type of the first.
fn typed_list(items: &[Value]) -> Result<ParameterValue, String> {
    let default = ParameterValue::default();
    let Some(first) = items.first() else {
        return Err("an empty list has no type; leave the parameter out".to_owned());
    };
    let mixed = |item: &Value| {
        format!("items of a list have the same type: {} beside {}", kind(first), kind(item))
    };
    fn all<T>(
        items: &[Value],
        read: impl Fn(&Value) -> Option<T>,
        mixed: impl Fn(&Value) -> String,
    ) -> Result<Vec<T>, String> {
        items.iter().map(|item| read(item).ok_or_else(|| mixed(item))).collect()
    }
    Ok(match first {
        Value::Bool(_) => ParameterValue {
            type_: BOOL_ARRAY,
            bool_array_value: all(items, Value::as_bool, mixed)?,
            ..default
        },
        Value::Number(number) if number.is_f64() => {
            let float = |item: &Value| item.is_f64().then(|| item.as_f64()).flatten();
            ParameterValue {
                type_: DOUBLE_ARRAY,
                double_array_value: all(items, float, mixed)?,
                ..default
            }
        }
        Value::Number(_) => {
            if let Some(other) = items.iter().find(|item| !item.is_i64() && !item.is_u64()) {
                return Err(mixed(other));
            }
            let integers: Result<_, _> = items.iter().map(integer).collect();
            ParameterValue { type_: INTEGER_ARRAY, integer_array_value: integers?, ..default }
        }
        Value::String(_) => {
            let text = |item: &Value| item.as_str().map(str::to_owned);
            texts_value(all(items, text, mixed)?)
        }
        other => return Err(format!("a list of {} is no parameter", kind(other))),
    })
}

fn integer(value: &Value) -> Result<i64, String> {
    value.as_i64().ok_or_else(|| "is no 64-bit integer".to_owned())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(number) if number.is_f64() => "a decimal number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a map",
        Value::Tagged(_) => "a tagged value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_types_of_rcl() {
        let read = |text: &str| read_value(text).unwrap();
        assert_eq!((read("true").type_, read("true").bool_value), (BOOL, true));
        assert_eq!((read("-7").type_, read("-7").integer_value), (INTEGER, -7));
        assert_eq!((read("1.0").type_, read("1e3").double_value), (DOUBLE, 1000.0));
        assert!(read(".nan").double_value.is_nan());
        assert_eq!((read("'1'").type_, read("a b").string_value.as_str()), (STRING, "a b"));
        assert_eq!(read("''").type_, STRING);
        assert_eq!(read("[true, false]").bool_array_value, [true, false]);
        assert_eq!(read("[1, 2]").integer_array_value, [1, 2]);
        assert_eq!(read("[1.0, 2.5]").double_array_value, [1.0, 2.5]);
        assert_eq!(read("[a, '1']").string_array_value, ["a", "1"]);
    }

    #[test]
    fn values_without_a_type_are_refused() {
        for text in
            ["", "~", "[]", "[1, 2.0]", "[[1]]", "[null]", "{a: 1}", "99999999999999999999x: 1"]
        {
            assert!(read_value(text).is_err(), "{text}");
        }
        assert!(read_value("18446744073709551615").unwrap_err().contains("64-bit"));
    }

    #[test]
    fn patterns_match_whole_names() {
        let matches =
            |pattern: &str, name: &str| NodePattern::parse(pattern).unwrap().matches(name);
        assert!(matches("/**", "/a") && matches("/**", "/a/b/c"));
        assert!(matches("/*", "/a") && !matches("/*", "/a/b"));
        assert!(matches("/**/n", "/n") && matches("/**/n", "/a/b/n") && !matches("/**/n", "/n/a"));
        assert!(matches("/a/*/n", "/a/b/n") && !matches("/a/*/n", "/a/n"));
        assert!(matches("n", "/n") && !matches("n", "/a/n"));
        assert!(NodePattern::parse("/a*").is_err() && NodePattern::parse("/").is_err());
    }

    #[test]
    fn sections_nest_and_keep_their_order() {
        let text = "
/**: {ros__parameters: {a: 1}}
left:
  scene_node: {ros__parameters: {b: {c: 2, d: {e: x}}}}
/right/scene_node: {ros__parameters: {}}
";
        let sections = read_sections(text).unwrap();
        assert_eq!(sections.len(), 3);
        assert!(sections[1].nodes.matches("/left/scene_node"));
        let names: Vec<_> = sections[1].values.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b.c", "b.d.e"]);
        assert!(read_sections("").unwrap().is_empty());
    }

    #[test]
    fn bad_files_are_refused_with_the_place() {
        for (text, part) in [
            ("[1]", "whole file"),
            ("n: 1", "`/n`"),
            ("ros__parameters: {a: 1}", "below no node"),
            ("n: {ros__parameters: 3}", "/n/ros__parameters"),
            ("n: {ros__parameters: {a: [1, x]}}", "`a`: items"),
            ("n: {ros__parameters: {a: }}", "`a`: there is no value"),
            ("n: {ros__parameters: {1: 2}}", "must be a name"),
            ("n: {ros__parameters: {a: 1, a: 2}}", "duplicate"),
            ("a*: {ros__parameters: {}}", "not a letter"),
            ("a: [", "line"),
            ("a: &a [*a, *a]", ""),
        ] {
            let error = read_sections(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
