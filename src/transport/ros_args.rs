//! What follows `--ros-args` on the command line: names, remapping rules, parameters, log levels.
//!
//! The same words as rcl takes, since `ros2 run` and `ros2 launch` write them. What rcl refuses is refused here, and the
//! error names the argument.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::TransportError;
use super::names::{
    NameKind, NodeNames, Remap, check_namespace, check_node_name, check_topic_name,
};
use super::parameter_file::{
    NodePattern, Section, read_sections, read_value, switch_value, text_value, texts_value,
};
use crate::interfaces::rcl_interfaces::msg::ParameterValue;

/// Longest parameter file: a robot description fits a hundred times.
const LARGEST_FILE_BYTES: u64 = 64 << 20;

/// Why the arguments were refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgsError {
    /// An option at the end, without its value.
    #[error("`{option}` needs a value after it")]
    MissingValue {
        /// The option.
        option: String,
    },
    /// An option ROS does not have.
    #[error("unknown ROS argument `{argument}`")]
    Unknown {
        /// The argument.
        argument: String,
    },
    /// A value that makes no sense.
    #[error("`{option} {value}`: {reason}")]
    BadValue {
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A parameter file that cannot be used.
    #[error("parameter file `{path}`: {reason}")]
    File {
        /// Its path as given.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The severities of rcl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum LogLevel {
    Unset,
    Debug,
    Info,
    Warn,
    Error,
    Fatal,
}

/// The arguments of a node, read but not yet applied to one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RosArgs {
    node_names: Vec<Renaming>,
    namespaces: Vec<Renaming>,
    remaps: Vec<Remap>,
    /// In the order given: later ones win.
    parameters: Vec<Section>,
    /// Severity below which nothing is logged, when given for all loggers.
    pub log_level: Option<LogLevel>,
    /// Severities of loggers by name.
    pub logger_levels: BTreeMap<String, LogLevel>,
    /// Whether messages go to `/rosout`.
    pub log_to_rosout: Switch,
    /// Whether messages go to the terminal.
    pub log_to_terminal: Switch,
}

/// On unless switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Switch {
    #[default]
    On,
    Off,
}

/// `[node:]__node:=to`.
#[derive(Debug, Clone, PartialEq)]
struct Renaming {
    node: Option<String>,
    to: String,
}

impl RosArgs {
    /// Takes the ROS arguments (from `--ros-args` to `--` or the end, any number of times) out of a command line
    /// without its program name; returns them and the rest.
    pub fn take_from(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<(Self, Vec<String>), ArgsError> {
        let mut read = Self::default();
        let mut rest = Vec::new();
        let mut arguments = arguments.into_iter();
        let mut inside = false;
        while let Some(argument) = arguments.next() {
            match (inside, argument.as_str()) {
                (_, "--ros-args") => inside = true,
                (true, "--") => inside = false,
                (true, _) => read.option(&argument, &mut arguments)?,
                (false, _) => rest.push(argument),
            }
        }
        Ok((read, rest))
    }

    fn option(
        &mut self,
        option: &str,
        arguments: &mut impl Iterator<Item = String>,
    ) -> Result<(), ArgsError> {
        let mut value = || {
            arguments.next().ok_or_else(|| ArgsError::MissingValue { option: option.to_owned() })
        };
        match option {
            "-r" | "--remap" => self.remap(option, &value()?)?,
            "-p" | "--param" => self.parameter(option, &value()?)?,
            "--params-file" => self.parameter_file(&value()?)?,
            "--log-level" => self.level(option, &value()?)?,
            "--enable-rosout-logs" => self.log_to_rosout = Switch::On,
            "--disable-rosout-logs" => self.log_to_rosout = Switch::Off,
            "--enable-stdout-logs" => self.log_to_terminal = Switch::On,
            "--disable-stdout-logs" => self.log_to_terminal = Switch::Off,
            // Security enclaves and spdlog do not exist here: the node runs the same without them.
            "-e" | "--enclave" | "--log-config-file" | "--log-file-name" => drop(value()?),
            "--enable-external-lib-logs" | "--disable-external-lib-logs" => {}
            _ => return Err(ArgsError::Unknown { argument: option.to_owned() }),
        }
        Ok(())
    }

    fn remap(&mut self, option: &str, rule: &str) -> Result<(), ArgsError> {
        let bad = |reason: String| bad_value(option, rule, reason);
        let Some((from, to)) = rule.split_once(":=") else {
            return Err(bad("a rule is written from:=to".to_owned()));
        };
        let (node, from) = split_node_prefix(from);
        if let Some(node) = &node {
            check_node_name(node).map_err(|error| bad(error.to_string()))?;
        }
        let (kind, from) = split_scheme(from);
        let (_, to) = split_scheme(to);
        let checked = match from {
            "__node" | "__name" => check_node_name(to),
            "__ns" => check_namespace(to),
            _ if rule.contains(['*', '\\']) => {
                return Err(bad("wildcards are not supported in remapping rules".to_owned()));
            }
            _ => check_topic_name(from).and_then(|()| check_topic_name(to)),
        };
        checked.map_err(|error| bad(error.to_string()))?;
        match from {
            "__node" | "__name" => self.node_names.push(Renaming { node, to: to.to_owned() }),
            "__ns" => self.namespaces.push(Renaming { node, to: to.to_owned() }),
            _ => self.remaps.push(Remap { node, kind, from: from.to_owned(), to: to.to_owned() }),
        }
        Ok(())
    }

    fn parameter(&mut self, option: &str, rule: &str) -> Result<(), ArgsError> {
        let bad = |reason: String| bad_value(option, rule, reason);
        let Some((name, text)) = rule.split_once(":=") else {
            return Err(bad("a parameter is written name:=value".to_owned()));
        };
        let (node, name) = split_node_prefix(name);
        let nodes = match node {
            None => NodePattern::any(),
            Some(node) if node.contains('/') => NodePattern::parse(&node).map_err(bad)?,
            // Without a slash it is the name of a node, in whatever namespace.
            Some(node) => NodePattern::parse(&format!("/**/{node}")).map_err(bad)?,
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(bad(format!("`{name}` is no name of a parameter")));
        }
        let value = read_value(text).map_err(bad)?;
        self.parameters.push(Section { nodes, values: vec![(name.to_owned(), value)] });
        Ok(())
    }

    fn parameter_file(&mut self, path: &str) -> Result<(), ArgsError> {
        let error = |reason: String| ArgsError::File { path: path.to_owned(), reason };
        let text = read_text(Path::new(path)).map_err(error)?;
        self.parameters.extend(read_sections(&text).map_err(error)?);
        Ok(())
    }

    fn level(&mut self, option: &str, rule: &str) -> Result<(), ArgsError> {
        let (logger, level) = match rule.split_once(":=") {
            Some((logger, level)) => (Some(logger), level),
            None => (None, rule),
        };
        let level = match level.to_ascii_lowercase().as_str() {
            "unset" => LogLevel::Unset,
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warn" => LogLevel::Warn,
            "error" => LogLevel::Error,
            "fatal" => LogLevel::Fatal,
            _ => {
                let known = "must be one of unset, debug, info, warn, error, fatal";
                return Err(bad_value(option, rule, known.to_owned()));
            }
        };
        match logger {
            None => self.log_level = Some(level),
            Some("") => return Err(bad_value(option, rule, "the logger has no name".to_owned())),
            Some(logger) => drop(self.logger_levels.insert(logger.to_owned(), level)),
        }
        Ok(())
    }

    /// The arguments of a node in this namespace, which is `/` or has been checked.
    pub fn in_namespace(namespace: &str) -> Self {
        let renaming = Renaming { node: None, to: namespace.to_owned() };
        Self { namespaces: vec![renaming], ..Self::default() }
    }

    /// Gives a text parameter a value, unless the arguments contain one.
    pub fn default_text(&mut self, name: &str, text: String) {
        self.default_value(name, text_value(text));
    }

    /// Gives a parameter that is a list of texts a value, unless the arguments contain one.
    pub fn default_texts(&mut self, name: &str, texts: Vec<String>) {
        self.default_value(name, texts_value(texts));
    }

    /// Gives a parameter that is true or false a value, unless the arguments contain one.
    pub fn default_switch(&mut self, name: &str, on: bool) {
        self.default_value(name, switch_value(on));
    }

    fn default_value(&mut self, name: &str, value: ParameterValue) {
        // Of two values the later one wins.
        let values = vec![(name.to_owned(), value)];
        self.parameters.insert(0, Section { nodes: NodePattern::any(), values });
    }

    /// The names of a node that calls itself `node`.
    pub fn names(&self, node: &str) -> Result<NodeNames, TransportError> {
        fn first<'a>(renamings: &'a [Renaming], node: &str) -> Option<&'a str> {
            let fits = |r: &&Renaming| r.node.as_ref().is_none_or(|of| of == node);
            renamings.iter().find(fits).map(|renaming| renaming.to.as_str())
        }
        let node = first(&self.node_names, node).unwrap_or(node);
        let namespace = first(&self.namespaces, node).unwrap_or("/");
        NodeNames::new(node, namespace, self.remaps.clone())
    }

    /// The severity below which a logger is silent: its own, else that of the longest name it is part of (`lab` for
    /// `lab.hands`), else the one for all.
    pub fn level_of(&self, logger: &str) -> LogLevel {
        let mut parts = std::iter::successors(Some(logger), |name| Some(name.rsplit_once('.')?.0));
        let own = parts.find_map(|name| self.logger_levels.get(name));
        own.copied().or(self.log_level).unwrap_or(LogLevel::Info)
    }

    /// The parameter values given for a node of these names.
    pub fn parameters(&self, names: &NodeNames) -> BTreeMap<String, ParameterValue> {
        let node = names.fully_qualified();
        let for_us = self.parameters.iter().filter(|section| section.nodes.matches(&node));
        for_us.flat_map(|section| section.values.iter().cloned()).collect()
    }
}

/// `node:name` in two. A name of a topic or parameter has no colon of its own, but `rostopic://` has.
fn split_node_prefix(text: &str) -> (Option<String>, &str) {
    match text.split_once(':') {
        Some((node, name)) if !name.starts_with("//") => (Some(node.to_owned()), name),
        _ => (None, text),
    }
}

fn split_scheme(name: &str) -> (Option<NameKind>, &str) {
    if let Some(topic) = name.strip_prefix("rostopic://") {
        (Some(NameKind::Topic), topic)
    } else if let Some(service) = name.strip_prefix("rosservice://") {
        (Some(NameKind::Service), service)
    } else {
        (None, name)
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > LARGEST_FILE_BYTES {
        return Err(format!("{size} bytes, at most {LARGEST_FILE_BYTES} are read"));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

fn bad_value(option: &str, value: &str, reason: String) -> ArgsError {
    ArgsError::BadValue { option: option.to_owned(), value: value.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(RosArgs, Vec<String>), ArgsError> {
        RosArgs::take_from(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn ros_arguments_are_taken_out_and_the_rest_stays() {
        let (read, rest) = parse("a --ros-args -r x:=y -- b --ros-args --log-level debug").unwrap();
        assert_eq!(rest, ["a", "b"]);
        assert_eq!(read.remaps.len(), 1);
        assert_eq!(read.log_level, Some(LogLevel::Debug));
        let (read, rest) = parse("-r x:=y -p").unwrap();
        assert_eq!((read, rest.len()), (RosArgs::default(), 3));
    }

    #[test]
    fn a_logger_has_its_own_level_or_that_of_what_it_is_part_of() {
        let line =
            "--ros-args --log-level warn --log-level lab:=error --log-level lab.hands:=debug";
        let (read, _) = parse(line).unwrap();
        for (logger, level) in [
            ("lab.hands", LogLevel::Debug),
            ("lab.hands.child", LogLevel::Debug),
            ("lab.feet", LogLevel::Error),
            ("laboratory", LogLevel::Warn),
        ] {
            assert_eq!(read.level_of(logger), level, "{logger}");
        }
        assert_eq!(RosArgs::default().level_of("lab"), LogLevel::Info);
    }

    #[test]
    fn node_and_namespace_are_remapped() {
        let names =
            |line: &str| parse(line).unwrap().0.names("scene_node").unwrap().fully_qualified();
        assert_eq!(names(""), "/scene_node");
        assert_eq!(names("--ros-args -r __node:=a -r __ns:=/left/hand"), "/left/hand/a");
        assert_eq!(names("--ros-args -r other:__node:=a -r scene_node:__node:=b"), "/b");
        // The prefix of the namespace is the new name, as in rcl.
        assert_eq!(names("--ros-args -r __node:=a -r a:__ns:=/x -r __ns:=/y"), "/x/a");
    }

    #[test]
    fn topics_are_remapped_by_scheme_and_node() {
        let line = "--ros-args -r rostopic://a:=b -r scene_node:rosservice://~/c:=/d -r other:e:=f";
        let names = parse(line).unwrap().0.names("scene_node").unwrap();
        assert_eq!(names.resolve(NameKind::Topic, "a").unwrap(), "/b");
        assert_eq!(names.resolve(NameKind::Service, "a").unwrap(), "/a");
        assert_eq!(names.resolve(NameKind::Service, "~/c").unwrap(), "/d");
        assert_eq!(names.resolve(NameKind::Topic, "e").unwrap(), "/e");
    }

    #[test]
    fn later_parameters_win_and_those_of_other_nodes_do_not_count() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "scene_node:\n  ros__parameters: {rate: 1, name: file}\n/**:\n  ros__parameters: {rate: 2}\n";
        std::fs::write(file.path(), text).unwrap();
        let path = file.path().display();
        let line = format!(
            "--ros-args --params-file {path} -p name:=line -p other:name:=no -p scene_node:deep:=1.5"
        );
        let (read, _) = parse(&line).unwrap();
        let values = read.parameters(&read.names("scene_node").unwrap());
        assert_eq!(values["rate"].integer_value, 2);
        assert_eq!(values["name"].string_value, "line");
        assert_eq!(values["deep"].double_value, 1.5);
        let elsewhere = read.parameters(&read.names("third").unwrap());
        assert_eq!(elsewhere.keys().collect::<Vec<_>>(), ["name", "rate"]);
    }

    #[test]
    fn a_default_is_used_as_it_is_and_only_where_the_arguments_contain_no_value() {
        let (mut read, _) = parse("--ros-args -p name:=line").unwrap();
        for (name, text) in [("name", "default"), ("text", "1: \"2\"\n#\u{1f9e4}")] {
            read.default_text(name, text.to_owned());
        }
        read.default_switch("on", true);
        read.default_texts("list", vec!["a b".into(), "1".into()]);
        let values = read.parameters(&read.names("scene_node").unwrap());
        assert_eq!(values["name"].string_value, "line");
        assert_eq!(values["text"].string_value, "1: \"2\"\n#\u{1f9e4}");
        assert!(values["on"].bool_value);
        assert_eq!(values["list"].string_array_value, ["a b", "1"]);
    }

    #[test]
    fn a_namespace_that_is_given_is_that_of_the_node() {
        let names = RosArgs::in_namespace("/left/hand").names("scene_node").unwrap();
        assert_eq!(names.fully_qualified(), "/left/hand/scene_node");
    }

    #[test]
    fn bad_arguments_are_named() {
        for (line, part) in [
            ("-r", "`-r` needs a value"),
            ("--params-file", "`--params-file` needs a value"),
            ("--what", "unknown ROS argument `--what`"),
            ("stray", "unknown ROS argument `stray`"),
            ("-r a", "`-r a`: a rule is written"),
            ("-r a:=", "empty"),
            ("-r :=b", "empty"),
            ("-r __ns:=left", "starts with `/`"),
            ("-r __node:=a/b", "not a letter"),
            ("-r /*/x:=b", "wildcards"),
            ("-r 1a:b:=c", "starts with a digit"),
            ("-p x", "name:=value"),
            ("-p x:=", "no value"),
            ("-p :=1", "no name"),
            ("-p x:=[1,a]", "same type"),
            ("-p x:={a:1", "`-p x:={a:1`"),
            ("--log-level loud", "must be one of"),
            ("--log-level :=info", "no name"),
            ("--params-file /no/such.yaml", "parameter file `/no/such.yaml`"),
        ] {
            let error = parse(&format!("--ros-args {line}")).unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
