//! XML → [`Srdf`]: form only, names are looked up later.

use std::collections::HashSet;
use std::path::Path;

use roxmltree::{Document, Node};

use super::error::SrdfError;
use super::{
    EndEffector, Group, GroupMember, GroupState, Line, LinkPair, Srdf, VirtualJoint,
    VirtualJointKind,
};
use crate::{text_file, xml_text};

/// Longest file that is read: ten times a full matrix of 1 000 links.
const MAX_BYTES: usize = 512 << 20;
/// Most elements, attributes aside: bounds the memory a file of that length can ask for.
const MAX_NODES: u32 = 4_000_000;
/// Most numbers of one joint in a state; a floating joint has seven.
const MAX_NUMBERS: usize = 16;

impl Srdf {
    /// Reads an SRDF file.
    pub fn load(path: impl AsRef<Path>) -> Result<Srdf, SrdfError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        match text_file::read(path, MAX_BYTES as u64) {
            Ok(text) => Srdf::parse(&text, &file),
            Err(reason) => Err(SrdfError::Unreadable { file, reason }),
        }
    }

    /// Reads an SRDF. `file` is its name in error messages. Namespaces are ignored; unknown elements are
    /// listed, and [`resolve`](Srdf::resolve) warns of them.
    pub fn parse(text: &str, file: &str) -> Result<Srdf, SrdfError> {
        if text.len() > MAX_BYTES {
            let (file, bytes) = (file.to_string(), text.len());
            return Err(SrdfError::TooLarge { file, bytes, limit: MAX_BYTES });
        }
        let document = xml_text::open(text, MAX_NODES).map_err(|fault| SrdfError::Xml {
            file: file.into(),
            line: fault.line,
            reason: fault.reason,
        })?;
        let reader = Reader { file, document: &document };
        let root = document.root_element();
        if root.tag_name().name() != "robot" {
            return Err(SrdfError::NotARobot {
                file: file.into(),
                line: reader.line(root),
                found: root.tag_name().name().into(),
            });
        }
        let mut srdf = Srdf { robot: reader.required(root, "name")?, ..Srdf::default() };
        for element in elements(root) {
            reader.top_level(element, &mut srdf)?;
        }
        reader.check_names(&srdf)?;
        Ok(srdf)
    }
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

struct Reader<'a, 'i> {
    file: &'a str,
    document: &'a Document<'i>,
}

impl Reader<'_, '_> {
    fn line(&self, node: Node) -> Line {
        self.document.text_pos_at(node.range().start).row
    }

    fn required(&self, node: Node, attribute: &'static str) -> Result<String, SrdfError> {
        match node.attribute(attribute).map(str::trim) {
            Some(value) if !value.is_empty() => Ok(value.to_string()),
            _ => Err(SrdfError::MissingAttribute {
                file: self.file.into(),
                line: self.line(node),
                element: node.tag_name().name().into(),
                attribute,
            }),
        }
    }

    fn bad_value(
        &self,
        node: Node,
        attribute: &'static str,
        value: &str,
        expected: &'static str,
    ) -> SrdfError {
        SrdfError::BadValue {
            file: self.file.into(),
            line: self.line(node),
            element: node.tag_name().name().into(),
            attribute,
            value: value.chars().take(100).collect(),
            expected,
        }
    }

    fn top_level(&self, node: Node, srdf: &mut Srdf) -> Result<(), SrdfError> {
        match node.tag_name().name() {
            "group" => {
                let group = self.group(node, srdf)?;
                srdf.groups.push(group);
            }
            "group_state" => srdf.group_states.push(self.group_state(node)?),
            "virtual_joint" => srdf.virtual_joints.push(self.virtual_joint(node)?),
            "end_effector" => srdf.end_effectors.push(EndEffector {
                name: self.required(node, "name")?,
                group: self.required(node, "group")?,
                parent_link: self.required(node, "parent_link")?,
                parent_group: node.attribute("parent_group").map(str::to_string),
                line: self.line(node),
            }),
            "passive_joint" => {
                srdf.passive_joints.push((self.required(node, "name")?, self.line(node)));
            }
            "disable_default_collisions" => srdf
                .disable_default_collisions
                .push((self.required(node, "link")?, self.line(node))),
            "enable_collisions" => srdf.enable_collisions.push(self.link_pair(node)?),
            "disable_collisions" => srdf.disable_collisions.push(self.link_pair(node)?),
            // Of no use to a collision model.
            "link_sphere_approximation" | "joint_property" => {}
            other => srdf.unknown_elements.push((other.to_string(), self.line(node))),
        }
        Ok(())
    }

    fn group(&self, node: Node, srdf: &mut Srdf) -> Result<Group, SrdfError> {
        let mut members = Vec::new();
        for child in elements(node) {
            let member = match child.tag_name().name() {
                "joint" => GroupMember::Joint(self.required(child, "name")?),
                "link" => GroupMember::Link(self.required(child, "name")?),
                "group" => GroupMember::Group(self.required(child, "name")?),
                "chain" => GroupMember::Chain {
                    base: self.required(child, "base_link")?,
                    tip: self.required(child, "tip_link")?,
                },
                // Passive joints may be listed in groups, too.
                "passive_joint" => continue,
                other => {
                    srdf.unknown_elements.push((other.to_string(), self.line(child)));
                    continue;
                }
            };
            members.push((member, self.line(child)));
        }
        Ok(Group { name: self.required(node, "name")?, members, line: self.line(node) })
    }

    fn group_state(&self, node: Node) -> Result<GroupState, SrdfError> {
        let mut joints = Vec::new();
        for child in elements(node).filter(|child| child.tag_name().name() == "joint") {
            let text = self.required(child, "value")?;
            let bad = || self.bad_value(child, "value", &text, "one to sixteen finite numbers");
            let numbers: Vec<f64> = text
                .split_ascii_whitespace()
                .take(MAX_NUMBERS + 1)
                .map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()))
                .collect::<Option<_>>()
                .ok_or_else(bad)?;
            if numbers.is_empty() || numbers.len() > MAX_NUMBERS {
                return Err(bad());
            }
            joints.push((self.required(child, "name")?, numbers));
        }
        Ok(GroupState {
            name: self.required(node, "name")?,
            // Missing or empty in several files in use; `resolve` says what it takes that for.
            group: node.attribute("group").unwrap_or_default().trim().to_string(),
            joints,
            line: self.line(node),
        })
    }

    fn virtual_joint(&self, node: Node) -> Result<VirtualJoint, SrdfError> {
        let kind = self.required(node, "type")?;
        let kind = match kind.as_str() {
            "fixed" => VirtualJointKind::Fixed,
            "planar" => VirtualJointKind::Planar,
            "floating" => VirtualJointKind::Floating,
            other => {
                return Err(self.bad_value(node, "type", other, "fixed, planar or floating"));
            }
        };
        Ok(VirtualJoint {
            name: self.required(node, "name")?,
            kind,
            parent_frame: self.required(node, "parent_frame")?,
            child_link: self.required(node, "child_link")?,
            line: self.line(node),
        })
    }

    fn link_pair(&self, node: Node) -> Result<LinkPair, SrdfError> {
        Ok(LinkPair {
            link1: self.required(node, "link1")?,
            link2: self.required(node, "link2")?,
            reason: node.attribute("reason").map(str::to_string),
            line: self.line(node),
        })
    }

    /// Refuses names that stand for two things.
    fn check_names(&self, srdf: &Srdf) -> Result<(), SrdfError> {
        let groups = srdf.groups.iter().map(|g| (g.name.clone(), g.line));
        self.check_unique("group", groups)?;
        let states = srdf.group_states.iter();
        self.check_unique(
            "group_state",
            states.map(|s| (format!("{}/{}", s.group, s.name), s.line)),
        )?;
        let virtual_joints = srdf.virtual_joints.iter().map(|v| (v.name.clone(), v.line));
        self.check_unique("virtual_joint", virtual_joints)
    }

    fn check_unique(
        &self,
        kind: &'static str,
        names: impl Iterator<Item = (String, Line)>,
    ) -> Result<(), SrdfError> {
        let mut seen = HashSet::new();
        for (name, line) in names {
            if !seen.insert(name.clone()) {
                return Err(SrdfError::Duplicate { file: self.file.into(), line, kind, name });
            }
        }
        Ok(())
    }
}
