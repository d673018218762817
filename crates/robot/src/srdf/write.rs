//! [`Srdf`] → XML.

use super::{Group, GroupMember, GroupState, LinkPair, Srdf};
use crate::xml_text::escaped;

impl Srdf {
    /// The SRDF as a file: what [`Srdf::parse`] reads back as the same contents, line numbers aside.
    pub fn to_xml(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\"?>\n");
        element(&mut out, 0, "robot", &[("name", &self.robot)], false);
        self.groups.iter().for_each(|group| write_group(&mut out, group));
        self.group_states.iter().for_each(|state| write_state(&mut out, state));
        for joint in &self.virtual_joints {
            let attributes = [
                ("name", joint.name.as_str()),
                ("type", joint.kind.name()),
                ("parent_frame", &joint.parent_frame),
                ("child_link", &joint.child_link),
            ];
            element(&mut out, 1, "virtual_joint", &attributes, true);
        }
        for tool in &self.end_effectors {
            let mut attributes = vec![
                ("name", tool.name.as_str()),
                ("parent_link", &tool.parent_link),
                ("group", &tool.group),
            ];
            attributes.extend(tool.parent_group.as_deref().map(|group| ("parent_group", group)));
            element(&mut out, 1, "end_effector", &attributes, true);
        }
        for (name, _) in &self.passive_joints {
            element(&mut out, 1, "passive_joint", &[("name", name)], true);
        }
        for (link, _) in &self.disable_default_collisions {
            element(&mut out, 1, "disable_default_collisions", &[("link", link)], true);
        }
        let pairs = self.enable_collisions.iter().map(|pair| ("enable_collisions", pair));
        let disabled = self.disable_collisions.iter().map(|pair| ("disable_collisions", pair));
        pairs.chain(disabled).for_each(|(tag, pair)| write_pair(&mut out, tag, pair));
        out.push_str("</robot>\n");
        out
    }
}

fn write_group(out: &mut String, group: &Group) {
    element(out, 1, "group", &[("name", &group.name)], group.members.is_empty());
    for (member, _) in &group.members {
        match member {
            GroupMember::Joint(name) => element(out, 2, "joint", &[("name", name)], true),
            GroupMember::Link(name) => element(out, 2, "link", &[("name", name)], true),
            GroupMember::Group(name) => element(out, 2, "group", &[("name", name)], true),
            GroupMember::Chain { base, tip } => {
                element(out, 2, "chain", &[("base_link", base), ("tip_link", tip)], true);
            }
        }
    }
    if !group.members.is_empty() {
        out.push_str("  </group>\n");
    }
}

fn write_state(out: &mut String, state: &GroupState) {
    let attributes = [("name", state.name.as_str()), ("group", &state.group)];
    element(out, 1, "group_state", &attributes, state.joints.is_empty());
    for (name, numbers) in &state.joints {
        let text: Vec<String> = numbers.iter().map(f64::to_string).collect();
        element(out, 2, "joint", &[("name", name), ("value", &text.join(" "))], true);
    }
    if !state.joints.is_empty() {
        out.push_str("  </group_state>\n");
    }
}

fn write_pair(out: &mut String, tag: &str, pair: &LinkPair) {
    let mut attributes = vec![("link1", pair.link1.as_str()), ("link2", &pair.link2)];
    attributes.extend(pair.reason.as_deref().map(|reason| ("reason", reason)));
    element(out, 1, tag, &attributes, true);
}

fn element(out: &mut String, depth: usize, tag: &str, attributes: &[(&str, &str)], empty: bool) {
    *out += &format!("{:indent$}<{tag}", "", indent = 2 * depth);
    for (name, value) in attributes {
        *out += &format!(" {name}=\"{}\"", escaped(value));
    }
    out.push_str(if empty { "/>\n" } else { ">\n" });
}
