//! What a node and its topics are called: which names ROS permits, how they are expanded, and how they are remapped.
//!
//! The rules are those of rcl: a name is relative to the namespace, absolute (`/…`) or private to the node (`~/…`), may
//! contain `{node}`, `{ns}` and `{namespace}`, and the first remapping rule that fits decides.

use super::error::TransportError;

/// Longest name of a topic or service; the middleware adds its prefixes within 256 bytes.
const LONGEST_NAME: usize = 247;
/// Longest name of a node.
const LONGEST_NODE_NAME: usize = 255;

/// What a name names; a remapping rule may hold for one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A topic.
    Topic,
    /// A service.
    Service,
}

/// A remapping rule of a topic or service, `[node:][rostopic://]from:=to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    /// The node it holds for; every node when missing.
    pub node: Option<String>,
    /// Topics or services only; both when missing.
    pub kind: Option<NameKind>,
    /// The name as the program writes it.
    pub from: String,
    /// The name to use instead.
    pub to: String,
}

/// Where an endpoint of a topic or service is, and of which type it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The name as the program writes it.
    pub given: String,
    /// The name after expansion and remapping.
    pub name: String,
    /// The type.
    pub interface: InterfaceType,
}

/// The name of a type in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterfaceType {
    /// Such as `sensor_msgs`.
    pub package: String,
    /// `msg` or `srv`.
    pub folder: &'static str,
    /// Such as `JointState`.
    pub name: String,
}

impl InterfaceType {
    /// Reads a type written `package/msg/Type` or, of a service, `package/srv/Type`. A topic may carry the events of a
    /// service, too: `package/srv/Type_Event`.
    pub fn parse(kind: NameKind, type_name: &str) -> Result<Self, TransportError> {
        let (package, folder, name) = match type_name.split('/').collect::<Vec<_>>()[..] {
            [package, "msg", name] if kind == NameKind::Topic => (package, "msg", name),
            [package, "srv", name] if kind == NameKind::Service => (package, "srv", name),
            [package, "srv", name] if name.ends_with("_Event") => (package, "srv", name),
            _ => {
                let folder = match kind {
                    NameKind::Topic => "msg",
                    NameKind::Service => "srv",
                };
                return bad(type_name, format!("a type is written package/{folder}/Type"));
            }
        };
        check_token(type_name, package)?;
        check_token(type_name, name)?;
        Ok(Self { package: package.to_owned(), folder, name: name.to_owned() })
    }

    /// The name as it is written.
    pub fn full_name(&self) -> String {
        format!("{}/{}/{}", self.package, self.folder, self.name)
    }
}

/// The name of a node, its namespace, and its remapping rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeNames {
    node: String,
    namespace: String,
    remaps: Vec<Remap>,
}

impl NodeNames {
    /// A node of this name in this namespace (`/` is the outermost; a missing slash in front is added).
    pub fn new(node: &str, namespace: &str, remaps: Vec<Remap>) -> Result<Self, TransportError> {
        check_node_name(node)?;
        let namespace = match namespace {
            "" => "/".to_owned(),
            absolute if absolute.starts_with('/') => absolute.to_owned(),
            relative => format!("/{relative}"),
        };
        check_namespace(&namespace)?;
        Ok(Self { node: node.to_owned(), namespace, remaps })
    }

    /// The name of the node without its namespace.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// The namespace, such as `/` or `/left`.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The fully qualified name, such as `/left/scene_node`.
    pub fn fully_qualified(&self) -> String {
        join(&self.namespace, &self.node)
    }

    /// Where a topic or service of this type is.
    pub fn address(
        &self,
        kind: NameKind,
        name: &str,
        type_name: &str,
    ) -> Result<Address, TransportError> {
        let interface = InterfaceType::parse(kind, type_name)?;
        Ok(Address { given: name.to_owned(), name: self.resolve(kind, name)?, interface })
    }

    /// The name of a topic or service after expansion and remapping.
    pub fn resolve(&self, kind: NameKind, name: &str) -> Result<String, TransportError> {
        let expanded = self.expand(name)?;
        for rule in &self.remaps {
            let for_us = rule.node.as_ref().is_none_or(|node| *node == self.node)
                && rule.kind.is_none_or(|rule_kind| rule_kind == kind);
            if for_us && self.expand(&rule.from)? == expanded {
                return self.expand(&rule.to);
            }
        }
        Ok(expanded)
    }

    /// The absolute name of a relative, private or absolute one.
    fn expand(&self, name: &str) -> Result<String, TransportError> {
        check_topic_name(name)?;
        let mut expanded = String::with_capacity(name.len());
        let mut rest = match name.strip_prefix('~') {
            Some(private) => {
                expanded += &self.fully_qualified();
                private
            }
            None if name.starts_with('/') => name,
            None => {
                expanded += self.namespace.trim_end_matches('/');
                expanded.push('/');
                name
            }
        };
        while let Some((before, inside)) = rest.split_once('{') {
            let Some((key, after)) = inside.split_once('}') else {
                return bad(name, "`{` without `}`".to_owned());
            };
            expanded += before;
            expanded += match key {
                "node" => self.node.as_str(),
                // The namespace brings its own slash; after one of ours it would be the second.
                "ns" | "namespace" if expanded.ends_with('/') => {
                    self.namespace.trim_start_matches('/')
                }
                "ns" | "namespace" => self.namespace.as_str(),
                _ => {
                    return bad(
                        name,
                        format!("`{{{key}}}` is not one of {{node}}, {{ns}}, {{namespace}}"),
                    );
                }
            };
            rest = after;
        }
        expanded += rest;
        check_expanded(name, &expanded)?;
        Ok(expanded)
    }
}

/// A name within a namespace.
pub(super) fn join(namespace: &str, name: &str) -> String {
    format!("{}/{name}", namespace.trim_end_matches('/'))
}

/// Checks the name of a node.
pub(super) fn check_node_name(name: &str) -> Result<(), TransportError> {
    if name.len() > LONGEST_NODE_NAME {
        return bad(
            name,
            format!("it has {} characters, {LONGEST_NODE_NAME} are permitted", name.len()),
        );
    }
    check_token(name, name)
}

/// Checks a namespace. It starts with a slash.
pub(super) fn check_namespace(namespace: &str) -> Result<(), TransportError> {
    match namespace.strip_prefix('/') {
        None => bad(namespace, "a namespace starts with `/`".to_owned()),
        Some("") => Ok(()),
        Some(inner) if inner.ends_with('/') => bad(namespace, "it ends with `/`".to_owned()),
        Some(inner) => inner.split('/').try_for_each(|token| check_token(namespace, token)),
    }
}

/// Checks the name of a topic or service before expansion.
pub(super) fn check_topic_name(name: &str) -> Result<(), TransportError> {
    let inner = match name.strip_prefix('~') {
        Some("") => return Ok(()),
        Some(private) => match private.strip_prefix('/') {
            Some(inner) => inner,
            None => return bad(name, "`~` is followed by `/`".to_owned()),
        },
        None => name.strip_prefix('/').unwrap_or(name),
    };
    if name.ends_with('/') {
        return bad(name, "it ends with `/`".to_owned());
    }
    inner.split('/').try_for_each(|token| check_token_with_substitutions(name, token))
}

/// Checks an expanded name.
fn check_expanded(written: &str, expanded: &str) -> Result<(), TransportError> {
    if expanded.len() > LONGEST_NAME {
        let reason =
            format!("expanded it has {} characters, {LONGEST_NAME} are permitted", expanded.len());
        return bad(written, reason);
    }
    let inner = expanded.strip_prefix('/').unwrap_or(expanded);
    inner.split('/').try_for_each(|token| check_token(written, token))
}

/// Letters, digits and underscores, and no digit first.
fn check_token(name: &str, token: &str) -> Result<(), TransportError> {
    if token.is_empty() {
        return bad(name, "a part of it is empty".to_owned());
    }
    if token.starts_with(|c: char| c.is_ascii_digit()) {
        return bad(name, format!("`{token}` starts with a digit"));
    }
    match token.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '_') {
        Some(c) => {
            bad(name, format!("`{}` is not a letter, digit or underscore", c.escape_default()))
        }
        None => Ok(()),
    }
}

/// A token in which `{…}` stands for a token.
fn check_token_with_substitutions(name: &str, token: &str) -> Result<(), TransportError> {
    let mut plain = String::new();
    let mut rest = token;
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((key, after)) = inside.split_once('}') else {
            return bad(name, "`{` without `}`".to_owned());
        };
        check_token(name, key)?;
        plain += before;
        // Any letter: what is put in its place is checked when it is known.
        plain.push('x');
        rest = after;
    }
    plain += rest;
    check_token(name, &plain)
}

fn bad<T>(name: &str, reason: String) -> Result<T, TransportError> {
    Err(TransportError::BadName { name: name.escape_default().to_string(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use NameKind::{Service, Topic};

    fn names(remaps: &[(&str, &str)]) -> NodeNames {
        let rule = |&(from, to): &(&str, &str)| Remap {
            node: None,
            kind: None,
            from: from.to_owned(),
            to: to.to_owned(),
        };
        NodeNames::new("scene_node", "/left", remaps.iter().map(rule).collect()).unwrap()
    }

    #[test]
    fn names_expand_as_in_rcl() {
        for (written, expanded) in [
            ("joint_states", "/left/joint_states"),
            ("a/b", "/left/a/b"),
            ("/clock", "/clock"),
            ("~", "/left/scene_node"),
            ("~/markers", "/left/scene_node/markers"),
            ("{node}/x", "/left/scene_node/x"),
            ("/{node}_x", "/scene_node_x"),
            ("{ns}/x", "/left/left/x"),
            ("/a{namespace}", "/a/left"),
        ] {
            assert_eq!(names(&[]).resolve(Topic, written).unwrap(), expanded, "{written}");
        }
        let outermost = NodeNames::new("n", "/", vec![]).unwrap();
        assert_eq!(outermost.resolve(Topic, "x").unwrap(), "/x");
        assert_eq!(outermost.resolve(Topic, "~/x").unwrap(), "/n/x");
        assert_eq!(outermost.fully_qualified(), "/n");
    }

    #[test]
    fn bad_names_are_refused_with_the_reason() {
        for (name, reason) in [
            ("", "empty"),
            ("/", "ends with"),
            ("a//b", "empty"),
            ("a/", "ends with"),
            ("1a", "starts with a digit"),
            ("a/2b", "starts with a digit"),
            ("a b", "not a letter"),
            ("ä", "not a letter"),
            ("a\n", "not a letter"),
            ("~x", "followed by"),
            ("a/~", "not a letter"),
            ("{node", "without"),
            ("node}", "not a letter"),
            ("{}", "empty"),
            ("{other}", "not one of"),
            ("{{node}}", "not a letter"),
        ] {
            let error = names(&[]).resolve(Topic, name).unwrap_err().to_string();
            assert!(error.contains(reason), "{name:?}: {error}");
        }
        let long = "x".repeat(300);
        assert!(names(&[]).resolve(Topic, &long).unwrap_err().to_string().contains("247"));
        assert!(NodeNames::new("", "/", vec![]).is_err());
        assert!(NodeNames::new("a/b", "/", vec![]).is_err());
        assert!(NodeNames::new("a", "/x/", vec![]).is_err());
        assert!(NodeNames::new("a", "//x", vec![]).is_err());
        assert!(NodeNames::new(&long, "/", vec![]).is_err());
    }

    #[test]
    fn the_first_rule_that_fits_decides_and_is_not_followed_up() {
        let names = names(&[("a", "b"), ("b", "/c"), ("/left/b", "d"), ("~/m", "/markers")]);
        assert_eq!(names.resolve(Topic, "a").unwrap(), "/left/b");
        assert_eq!(names.resolve(Topic, "b").unwrap(), "/c");
        assert_eq!(names.resolve(Topic, "/left/scene_node/m").unwrap(), "/markers");
    }

    #[test]
    fn rules_of_other_nodes_and_kinds_do_not_hold() {
        let rule = |node: Option<&str>, kind| Remap {
            node: node.map(str::to_owned),
            kind,
            from: "a".to_owned(),
            to: "b".to_owned(),
        };
        let with = |rule| NodeNames::new("n", "/", vec![rule]).unwrap();
        assert_eq!(with(rule(Some("other"), None)).resolve(Topic, "a").unwrap(), "/a");
        assert_eq!(with(rule(Some("n"), None)).resolve(Topic, "a").unwrap(), "/b");
        let services = with(rule(None, Some(Service)));
        assert_eq!(services.resolve(Topic, "a").unwrap(), "/a");
        assert_eq!(services.resolve(Service, "a").unwrap(), "/b");
    }
}
