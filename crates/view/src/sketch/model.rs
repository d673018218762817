//! Nodes, bones, joints and surfaces. All coordinates are in the frame of the sketch: x forward, y to the left, z up, in m.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use serde::{Deserialize, Serialize};

use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Bones of one sketch: more than anybody draws, few enough that every step is instant.
const MAX_BONES: usize = 500;
/// Coordinates are within this, m.
const MAX_COORDINATE: f64 = 100.0;
/// Largest travel of a prismatic joint, m.
const MAX_TRAVEL: f64 = 10.0;
/// Longest name, in bytes.
const MAX_NAME: usize = 64;
/// Coordinates are multiples of this, m: the file stays readable, and nobody draws more exactly.
const GRAIN: f64 = 1e-5;

/// Number of a node.
pub(crate) type NodeId = u32;

/// A robot as it is drawn: straight bones between nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sketch {
    pub name: String,
    /// Where bones begin and end.
    pub nodes: BTreeMap<NodeId, Vec3>,
    pub bones: Vec<Bone>,
    /// The bone all others hang on, directly or not; the first one if none is named.
    pub root: Option<String>,
    /// Numbers that were given to nodes and bones.
    last_node: NodeId,
    last_bone: u32,
}

/// A bone, which becomes a link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bone {
    /// Unique.
    pub name: String,
    pub ends: [NodeId; 2],
    /// How it moves against the bone it hangs on.
    pub motion: Motion,
    pub surfaces: Vec<Surface>,
}

/// A surface of a bone, in the frame of the sketch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Surface {
    pub pose: Pose,
    pub shape: Shape,
}

/// How a bone moves against the bone it hangs on. Angles are in rad, lengths in m; all are zero as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Motion {
    /// Not at all.
    Fixed {},
    /// By an angle about an axis.
    Revolute { axis: [f64; 3], limits: [f64; 2] },
    /// By any angle about an axis.
    Continuous { axis: [f64; 3] },
    /// Along an axis.
    Prismatic { axis: [f64; 3], limits: [f64; 2] },
    /// By angles about x, then y, then z, each with limits.
    Ball { limits: [[f64; 2]; 3] },
}

impl Motion {
    /// What a new bone gets: a hinge about this axis, a quarter turn each way.
    pub fn hinge(axis: Vec3) -> Self {
        Motion::Revolute { axis: axis.into(), limits: [-FRAC_PI_2, FRAC_PI_2] }
    }

    /// With an axis of length one and limits that a joint can have, or why not.
    pub fn checked(mut self) -> Result<Self, ViewError> {
        match &mut self {
            Motion::Fixed {} => {}
            Motion::Continuous { axis } => *axis = unit_axis(*axis)?,
            Motion::Revolute { axis, limits } => {
                *axis = unit_axis(*axis)?;
                check_limits(*limits, TAU, "rad")?;
            }
            Motion::Prismatic { axis, limits } => {
                *axis = unit_axis(*axis)?;
                check_limits(*limits, MAX_TRAVEL, "m")?;
            }
            Motion::Ball { limits } => {
                limits.iter().try_for_each(|one| check_limits(*one, TAU, "rad"))?;
            }
        }
        Ok(self)
    }
}

fn unit_axis(axis: [f64; 3]) -> Result<[f64; 3], ViewError> {
    let vector = Vec3::from(axis);
    let length = vector.norm();
    if !(length.is_finite() && length > 1e-6) {
        let (what, range) = ("length of the joint's axis".into(), "above 1e-6".into());
        return Err(ViewError::BadValue { what, value: length, range });
    }
    Ok((vector / length).into())
}

fn check_limits([lower, upper]: [f64; 2], most: f64, unit: &str) -> Result<(), ViewError> {
    let bad = |what: &str, value, range: String| {
        Err(ViewError::BadValue { what: what.into(), value, range })
    };
    if !(-most..=0.0).contains(&lower) {
        return bad("lower limit of the joint", lower, format!("in [-{most:.4}, 0] {unit}"));
    }
    if !(0.0..=most).contains(&upper) {
        return bad("upper limit of the joint", upper, format!("in [0, {most:.4}] {unit}"));
    }
    if upper - lower < 1e-6 {
        let range = format!("above the lower limit {lower}: a joint that cannot move is fixed");
        return bad("upper limit of the joint", upper, range);
    }
    Ok(())
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            name: "sketch".into(),
            nodes: BTreeMap::new(),
            bones: Vec::new(),
            root: None,
            last_node: 0,
            last_bone: 0,
        }
    }
}

impl Sketch {
    /// Nothing but a name.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The nodes alone.
    pub fn without_bones(&self) -> Self {
        Self { bones: Vec::new(), ..self.clone() }
    }

    /// A new node at this place, rounded.
    pub fn add_node(&mut self, at: Vec3) -> Result<NodeId, ViewError> {
        let at = checked_place(at)?;
        self.last_node += 1;
        self.nodes.insert(self.last_node, at);
        Ok(self.last_node)
    }

    /// A bone between two nodes, with a name that is not taken.
    pub fn add_bone(
        &mut self,
        name: Option<&str>,
        ends: [NodeId; 2],
        motion: Motion,
    ) -> Result<usize, ViewError> {
        if self.bones.len() >= MAX_BONES {
            let (what, count) = ("bones", self.bones.len());
            return Err(ViewError::TooMany { what, count, max: MAX_BONES });
        }
        let name = match name {
            Some(name) => self.free_name(name),
            None => loop {
                self.last_bone += 1;
                let name = format!("bone_{}", self.last_bone);
                if self.bone_index(&name).is_none() {
                    break name;
                }
            },
        };
        self.bones.push(Bone { name, ends, motion, surfaces: Vec::new() });
        Ok(self.bones.len() - 1)
    }

    /// This name, or with a number when there is a bone of that name.
    pub fn free_name(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| self.bone_index(name).is_none()).expect("there is no end of numbers")
    }

    pub fn bone_index(&self, name: &str) -> Option<usize> {
        self.bones.iter().position(|bone| bone.name == name)
    }

    /// The place of a bone in the list, or that there is none.
    pub fn find(&self, name: &str) -> Result<usize, ViewError> {
        let unknown = || ViewError::Unknown { kind: "bone", name: name.into() };
        self.bone_index(name).ok_or_else(unknown)
    }

    /// Where the two ends of a bone are.
    pub fn ends_of(&self, bone: &Bone) -> [Vec3; 2] {
        bone.ends.map(|node| self.nodes[&node])
    }

    /// The bones at a node.
    pub fn at_node(&self, node: NodeId) -> impl Iterator<Item = &Bone> {
        self.bones.iter().filter(move |bone| bone.ends.contains(&node))
    }

    /// Drops nodes without bones.
    pub fn drop_bare_nodes(&mut self) {
        let bones = &self.bones;
        self.nodes.retain(|node, _| bones.iter().any(|bone| bone.ends.contains(node)));
    }

    /// Removes a bone; what hung on it stays.
    pub fn remove_bone(&mut self, index: usize) {
        let bone = self.bones.remove(index);
        if self.root.as_ref() == Some(&bone.name) {
            self.root = None;
        }
        self.drop_bare_nodes();
    }

    /// Whether bones lead from one node to another.
    pub fn are_joined(&self, from: NodeId, to: NodeId) -> bool {
        let (mut reached, mut open) = (vec![from], vec![from]);
        while let Some(node) = open.pop() {
            for next in self.at_node(node).flat_map(|bone| bone.ends) {
                if !reached.contains(&next) {
                    reached.push(next);
                    open.push(next);
                }
            }
        }
        reached.contains(&to)
    }
}

/// A place within the range, rounded to the grain.
pub(crate) fn checked_place(at: Vec3) -> Result<Vec3, ViewError> {
    for value in at.iter() {
        if !(-MAX_COORDINATE..=MAX_COORDINATE).contains(value) {
            let (what, value) = ("coordinate of the sketch".into(), *value);
            let range = format!("in [-{MAX_COORDINATE}, {MAX_COORDINATE}] m");
            return Err(ViewError::BadValue { what, value, range });
        }
    }
    Ok(at.map(rounded))
}

/// A multiple of the grain, without a negative zero.
pub(crate) fn rounded(x: f64) -> f64 {
    // Division by the whole number of grains in a metre gives the shortest decimal number.
    let grains_per_metre = (1.0 / GRAIN).round();
    (x * grains_per_metre).round() / grains_per_metre + 0.0
}

/// A name that a link can have everywhere: letters, digits and underscores, a letter first.
pub(crate) fn checked_name(name: &str) -> Result<&str, ViewError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && name.len() <= MAX_NAME && name.chars().all(is_plain) {
        return Ok(name);
    }
    Err(ViewError::Sketch(format!(
        "the name {name:?} must be a letter, then letters, digits and underscores, at most {MAX_NAME} in all"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_contain_the_pose_that_is_drawn() {
        let hinge = |limits| Motion::Revolute { axis: [0.0, 0.0, 2.0], limits }.checked();
        let made = hinge([-1.0, 0.5]).unwrap();
        assert_eq!(made, Motion::Revolute { axis: [0.0, 0.0, 1.0], limits: [-1.0, 0.5] });
        for limits in [[0.1, 1.0], [-1.0, -0.1], [-7.0, 0.0], [0.0, 0.0], [f64::NAN, 1.0]] {
            let refusal = hinge(limits).unwrap_err().to_string();
            assert!(refusal.contains("limit of the joint is"), "{refusal}");
        }
        let refusal = Motion::Continuous { axis: [0.0; 3] }.checked().unwrap_err().to_string();
        assert!(refusal.contains("axis"), "{refusal}");
    }

    #[test]
    fn names_are_those_of_links_and_coordinates_are_round() {
        for bad in ["", "1st", "a b", "<x>", "é", &"n".repeat(65)] {
            assert!(checked_name(bad).is_err(), "{bad}");
        }
        assert_eq!(checked_name("left_arm2").unwrap(), "left_arm2");
        assert_eq!(rounded(0.123_456_789), 0.12346);
        assert_eq!(rounded(-1e-9).to_bits(), 0.0f64.to_bits());
        assert!(checked_place(Vec3::new(0.0, 200.0, 0.0)).is_err());
        assert!(checked_place(Vec3::new(f64::NAN, 0.0, 0.0)).is_err());
    }

    #[test]
    fn nodes_go_with_their_last_bone() {
        let mut sketch = Sketch::default();
        let nodes = [0.0, 1.0, 2.0].map(|x| sketch.add_node(Vec3::new(x, 0.0, 0.0)).unwrap());
        sketch.add_bone(None, [nodes[0], nodes[1]], Motion::Fixed {}).unwrap();
        sketch.add_bone(Some("tip"), [nodes[1], nodes[2]], Motion::Fixed {}).unwrap();
        assert!(sketch.are_joined(nodes[0], nodes[2]));
        assert_eq!(sketch.free_name("tip"), "tip_2");
        sketch.remove_bone(0);
        assert_eq!(sketch.nodes.keys().copied().collect::<Vec<_>>(), nodes[1..]);
    }
}
