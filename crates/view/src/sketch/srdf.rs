//! The sketch as SRDF: a group for each chain, and the pairs that may touch because they are joined.

use super::model::Sketch;
use super::tree::Branch;
use super::urdf::BASE;
use smooth_scene_robot::srdf::{Group, GroupMember, LinkPair, Srdf};

/// Groups and neighbours.
pub(crate) fn semantics(sketch: &Sketch, tree: &[Branch]) -> Srdf {
    Srdf {
        robot: sketch.name.clone(),
        groups: groups(sketch, tree),
        disable_collisions: neighbours(sketch, tree),
        ..Srdf::default()
    }
}

/// Two links that may touch, and why.
pub(crate) fn pair(a: &str, b: &str, reason: &str) -> LinkPair {
    let reason = Some(reason.to_owned());
    LinkPair { link1: a.into(), link2: b.into(), reason, line: 0 }
}

/// A group for each bone that carries none: up to the last bone that carries several.
fn groups(sketch: &Sketch, tree: &[Branch]) -> Vec<Group> {
    let children = |of: usize| tree.iter().filter(move |branch| branch.parent == Some(of)).count();
    let name = |branch: usize| sketch.bones[tree[branch].bone].name.as_str();
    let tips = (0..tree.len()).filter(|&branch| children(branch) == 0);
    let chain = |tip: usize| {
        let mut base = tip;
        while let Some(parent) = tree[base].parent {
            base = parent;
            if children(base) > 1 {
                break;
            }
        }
        // A chain that reaches the root begins above it, so that no bone is left out.
        let base = if children(base) > 1 { name(base) } else { BASE };
        let member = GroupMember::Chain { base: base.into(), tip: name(tip).into() };
        Group { name: format!("{}_chain", name(tip)), members: vec![(member, 0)], line: 0 }
    };
    tips.map(chain).collect()
}

/// All pairs of bones that meet at a node: those that hang on each other, and those that hang on the same end.
fn neighbours(sketch: &Sketch, tree: &[Branch]) -> Vec<LinkPair> {
    let mut pairs = Vec::new();
    for (k, branch) in tree.iter().enumerate() {
        let a = &sketch.bones[branch.bone];
        for other in &tree[k + 1..] {
            let b = &sketch.bones[other.bone];
            if a.ends.iter().any(|end| b.ends.contains(end)) {
                pairs.push(pair(&a.name, &b.name, "Adjacent"));
            }
        }
    }
    pairs
}
