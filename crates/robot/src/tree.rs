//! Do these links and joints make a robot? One tree, numbers that make sense, couplings that end somewhere.

use std::collections::HashMap;

use crate::error::ModelError;
use crate::spec::{Coupling, JointId, JointKind, JointLimits, JointSpec, LinkSpec};
use smooth_scene_geometry::math::Vec3;

/// Refuses numbers no joint can have.
pub(super) fn check_numbers(joint: &JointSpec) -> Result<(), ModelError> {
    let bad = |field, value: String, range| {
        Err(ModelError::BadValue { joint: joint.name.clone(), field, value, range })
    };
    let shift = joint.origin.translation.vector;
    if !shift.iter().all(|&x| within(x, MAX_OFFSET)) {
        return bad("origin xyz", numbers(&shift), "finite and within 1e6 m");
    }
    if !joint.origin.rotation.coords.iter().all(|c| c.is_finite()) {
        return bad("origin rpy", "not a rotation".into(), "finite");
    }
    let needs_axis = !matches!(joint.kind, JointKind::Fixed | JointKind::Floating);
    let length = joint.axis.norm();
    if needs_axis && !(length.is_finite() && length > MIN_AXIS) {
        return bad("axis", numbers(&joint.axis), "finite and longer than 1e-9");
    }
    let JointLimits { lower, upper, velocity, effort } = joint.limits;
    let is_interval = lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY;
    if !is_interval {
        let value = format!("[{lower}, {upper}]");
        return bad("limit [lower, upper]", value, "an interval with lower ≤ upper");
    }
    if velocity.is_nan() || velocity < 0.0 {
        return bad("limit velocity", velocity.to_string(), "zero or more");
    }
    if effort.is_nan() || effort < 0.0 {
        return bad("limit effort", effort.to_string(), "zero or more");
    }
    let Some(mimic) = &joint.mimic else { return Ok(()) };
    if !within(mimic.multiplier, MAX_MULTIPLIER) {
        return bad("mimic multiplier", mimic.multiplier.to_string(), "finite and within 1e6");
    }
    if !within(mimic.offset, MAX_OFFSET) {
        return bad("mimic offset", mimic.offset.to_string(), "finite and within 1e6");
    }
    Ok(())
}

/// Largest distance between two frames of a robot, in metres: the largest length a shape may have.
const MAX_OFFSET: f64 = 1e6;
/// Shortest axis whose direction is taken seriously: below it the digits of the file decide nothing.
const MIN_AXIS: f64 = 1e-9;
/// Largest factor between coupled joints.
const MAX_MULTIPLIER: f64 = 1e6;

/// Whether the number is finite and no farther from zero than `limit`.
fn within(value: f64, limit: f64) -> bool {
    value.abs() <= limit
}

fn numbers(v: &Vec3) -> String {
    format!("\"{} {} {}\"", v.x, v.y, v.z)
}

/// The order in which links and joints of the input stand in the model.
pub(super) struct Tree {
    pub(super) link_order: Vec<usize>,
    pub(super) joint_order: Vec<usize>,
}

impl Tree {
    /// Depth first from the root, children in the order of the input: a stable order in which the links of one finger
    /// stay together.
    pub(super) fn new(links: &[LinkSpec], joints: &[JointSpec]) -> Result<Self, ModelError> {
        let link_place = index_names("link", links.iter().map(|link| link.name.as_str()))?;
        index_names("joint", joints.iter().map(|joint| joint.name.as_str()))?;

        let mut joints_below: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
        let mut joint_above: Vec<Option<usize>> = vec![None; links.len()];
        let mut child_of: Vec<usize> = Vec::with_capacity(joints.len());
        for (place, joint) in joints.iter().enumerate() {
            let find = |role, name: &String| {
                link_place.get(name.as_str()).copied().ok_or_else(|| ModelError::UnknownName {
                    joint: joint.name.clone(),
                    role,
                    name: name.clone(),
                })
            };
            let parent = find("parent link", &joint.parent)?;
            let child = find("child link", &joint.child)?;
            if let Some(first) = joint_above[child] {
                return Err(ModelError::TwoParents {
                    link: joint.child.clone(),
                    first: joints[first].name.clone(),
                    second: joint.name.clone(),
                });
            }
            joint_above[child] = Some(place);
            joints_below[parent].push(place);
            child_of.push(child);
        }

        let roots: Vec<usize> = (0..links.len()).filter(|&l| joint_above[l].is_none()).collect();
        let mut link_order = Vec::with_capacity(links.len());
        let mut joint_order = Vec::with_capacity(joints.len());
        let mut reached = vec![false; links.len()];
        let mut stack: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(link) = stack.pop() {
            reached[link] = true;
            link_order.push(link);
            joint_order.extend(joint_above[link]);
            stack.extend(joints_below[link].iter().rev().map(|&joint| child_of[joint]));
        }
        if let Some(start) = reached.iter().position(|&reached| !reached) {
            let parent_of = |link: usize| {
                let joint = joint_above[link].expect("only roots have no joint above them");
                link_place[joints[joint].parent.as_str()]
            };
            return Err(ring(start, links, parent_of));
        }
        if roots.len() > 1 {
            let roots = roots.iter().map(|&link| links[link].name.clone()).collect();
            return Err(ModelError::Disconnected { roots });
        }
        Ok(Self { link_order, joint_order })
    }
}

/// The ring above a link that no root reaches.
fn ring(start: usize, links: &[LinkSpec], parent_of: impl Fn(usize) -> usize) -> ModelError {
    // Going up once per link surely ends on the ring; going round once more collects it.
    let on_ring = (0..links.len()).fold(start, |link, _| parent_of(link));
    let mut ring = vec![links[on_ring].name.clone()];
    let mut link = parent_of(on_ring);
    while link != on_ring {
        ring.push(links[link].name.clone());
        link = parent_of(link);
    }
    ring.reverse();
    ModelError::Cycle { links: ring }
}

fn index_names<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<HashMap<&'a str, usize>, ModelError> {
    let mut places = HashMap::new();
    for (place, name) in names.enumerate() {
        if places.insert(name, place).is_some() {
            return Err(ModelError::DuplicateName { kind, name: name.into() });
        }
    }
    Ok(places)
}

/// Gives every joint its numbers, or the joint whose number it follows.
pub(super) fn couple(
    joints: &[&JointSpec],
    joint_by_name: &HashMap<String, JointId>,
) -> Result<(Vec<Coupling>, Vec<String>, usize), ModelError> {
    let mut variable_names = Vec::new();
    let mut velocity_count = 0;
    let mut couplings = Vec::with_capacity(joints.len());
    for joint in joints {
        if joint.mimic.is_some() {
            couplings.push(follow(joint, joints, joint_by_name)?);
            continue;
        }
        couplings.push(Coupling::Independent {
            position: variable_names.len(),
            velocity: velocity_count,
        });
        let suffixes = joint.kind.variable_suffixes();
        variable_names.extend(suffixes.iter().map(|suffix| format!("{}{suffix}", joint.name)));
        velocity_count += joint.kind.velocity_count();
    }
    Ok((couplings, variable_names, velocity_count))
}

/// Follows a chain of mimics to the joint that moves by itself.
fn follow(
    joint: &JointSpec,
    joints: &[&JointSpec],
    joint_by_name: &HashMap<String, JointId>,
) -> Result<Coupling, ModelError> {
    let bad = |reason: String| ModelError::BadMimic { joint: joint.name.clone(), reason };
    let (mut multiplier, mut offset) = (1.0, 0.0);
    let mut follower = joint;
    let mut leader_id = JointId(0);
    for _ in 0..=joints.len() {
        let Some(mimic) = &follower.mimic else {
            return Ok(Coupling::Mimic { leader: leader_id, multiplier, offset });
        };
        leader_id = *joint_by_name.get(&mimic.joint).ok_or_else(|| ModelError::UnknownName {
            joint: follower.name.clone(),
            role: "mimicked joint",
            name: mimic.joint.clone(),
        })?;
        offset += multiplier * mimic.offset;
        multiplier *= mimic.multiplier;
        let leader = joints[leader_id.index()];
        for (role, end) in [("mimics", follower), ("is mimicked by", leader)] {
            if !end.kind.is_single() {
                let kind = end.kind.name();
                let other = if role == "mimics" { &leader.name } else { &follower.name };
                return Err(bad(format!(
                    "`{}` is {kind} and {role} `{other}`; only joints with one position can be coupled",
                    end.name
                )));
            }
        }
        follower = leader;
    }
    Err(bad("its chain of mimics never ends at a joint that moves by itself".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MimicSpec, RobotModel};
    use smooth_scene_geometry::math::Pose;

    fn link(name: &str) -> LinkSpec {
        LinkSpec { name: name.into(), collisions: Vec::new() }
    }

    fn joint(name: &str, parent: &str, child: &str) -> JointSpec {
        JointSpec {
            name: name.into(),
            kind: JointKind::Revolute,
            parent: parent.into(),
            child: child.into(),
            origin: Pose::identity(),
            axis: Vec3::z(),
            limits: JointLimits::NONE,
            mimic: None,
        }
    }

    fn mimic(name: &str, parent: &str, child: &str, leader: &str, m: f64, o: f64) -> JointSpec {
        let mimic = MimicSpec { joint: leader.into(), multiplier: m, offset: o };
        JointSpec { mimic: Some(mimic), ..joint(name, parent, child) }
    }

    fn model(links: &[&str], joints: Vec<JointSpec>) -> Result<RobotModel, ModelError> {
        RobotModel::new("r".into(), links.iter().map(|name| link(name)).collect(), joints)
    }

    #[test]
    fn links_are_sorted_parents_first_and_joint_i_moves_link_i_plus_1() {
        let joints = vec![joint("bc", "b", "c"), joint("ab", "a", "b"), joint("ad", "a", "d")];
        let robot = model(&["c", "d", "b", "a"], joints).unwrap();
        let names: Vec<&str> = robot.links().iter().map(|link| link.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        for (place, joint) in robot.joints().iter().enumerate() {
            assert_eq!(joint.child.index(), place + 1);
            assert!(joint.parent < joint.child);
        }
    }

    #[test]
    fn chains_of_mimics_are_multiplied_out() {
        let joints = vec![
            mimic("j3", "b", "c", "j2", 3.0, 0.5),
            mimic("j2", "a", "b", "j1", 2.0, 0.25),
            joint("j1", "root", "a"),
        ];
        let robot = model(&["root", "a", "b", "c"], joints).unwrap();
        let j1 = robot.joint_id("j1").unwrap();
        let j3 = robot.joint(robot.joint_id("j3").unwrap());
        // j3 = 3 (2 j1 + 0.25) + 0.5
        assert_eq!(j3.coupling, Coupling::Mimic { leader: j1, multiplier: 6.0, offset: 1.25 });
        assert_eq!(robot.variable_names(), ["j1"]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let two = model(&["a", "b"], vec![joint("j", "a", "b"), joint("k", "a", "b")]);
        assert!(matches!(two, Err(ModelError::TwoParents { .. })));
        let ring = model(&["r", "a", "b"], vec![joint("j", "a", "b"), joint("k", "b", "a")]);
        assert_eq!(ring, Err(ModelError::Cycle { links: vec!["a".into(), "b".into()] }));
        let apart = model(&["a", "b"], vec![]);
        assert_eq!(apart, Err(ModelError::Disconnected { roots: vec!["a".into(), "b".into()] }));
        let unknown = model(&["a"], vec![joint("j", "a", "x")]);
        assert!(matches!(unknown, Err(ModelError::UnknownName { role: "child link", .. })));
        let twice = model(&["a", "a"], vec![]);
        assert!(matches!(twice, Err(ModelError::DuplicateName { kind: "link", .. })));
        assert_eq!(model(&[], vec![]), Err(ModelError::NoLinks));
    }

    #[test]
    fn rings_of_mimics_and_couplings_of_many_numbers_are_refused() {
        let ring = vec![mimic("j", "a", "b", "k", 1.0, 0.0), mimic("k", "b", "c", "j", 1.0, 0.0)];
        assert!(matches!(model(&["a", "b", "c"], ring), Err(ModelError::BadMimic { .. })));
        let floating = JointSpec { kind: JointKind::Floating, ..joint("j", "a", "b") };
        let joints = vec![floating, mimic("k", "b", "c", "j", 1.0, 0.0)];
        let error = model(&["a", "b", "c"], joints).unwrap_err();
        assert!(error.to_string().contains("`j` is floating"), "{error}");
    }

    #[test]
    fn numbers_that_make_no_sense_are_named() {
        let mut bad = joint("j", "a", "b");
        bad.limits.lower = f64::NAN;
        let error = model(&["a", "b"], vec![bad]).unwrap_err().to_string();
        assert!(error.contains("joint `j`: limit [lower, upper] is [NaN, inf]"), "{error}");
        let flat = JointSpec { axis: Vec3::zeros(), ..joint("j", "a", "b") };
        assert!(model(&["a", "b"], vec![flat]).is_err());
    }
}
