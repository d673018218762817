//! Names → ids: what an SRDF says about one robot.

use std::collections::{BTreeSet, HashMap};

use super::error::SrdfError;
use super::{Group, GroupMember, Line, LinkPair, Srdf};
use crate::{JointId, LinkId, RobotModel};

/// An entry that was passed over, as MoveIt passes over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SrdfWarning {
    /// Line of the entry.
    pub line: Line,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for SrdfWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// A group of one robot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanningGroup {
    /// Name.
    pub name: String,
    /// Its joints, sorted.
    pub joints: Vec<JointId>,
    /// The links its joints move directly, and those it lists itself, sorted.
    pub links: Vec<LinkId>,
}

/// Positions of some joints of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedState {
    /// Name.
    pub name: String,
    /// The group; empty for the whole robot.
    pub group: String,
    /// Joints and their numbers, as many as the joint has.
    pub joints: Vec<(JointId, Vec<f64>)>,
}

/// A hand or tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndEffectorIds {
    /// Name.
    pub name: String,
    /// The group it is.
    pub group: String,
    /// The link it is mounted on.
    pub parent_link: LinkId,
    /// The group of that link, where it is given.
    pub parent_group: Option<String>,
}

/// Whether two links may touch, by an entry of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRule {
    /// The two links, the smaller id first.
    pub links: [LinkId; 2],
    /// Whether they may touch.
    pub allowed: bool,
    /// Why, in the words of the file.
    pub reason: Option<String>,
}

/// What an SRDF says about one robot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Semantics {
    /// Groups in the order of the file.
    pub groups: Vec<PlanningGroup>,
    /// Named states in the order of the file.
    pub states: Vec<NamedState>,
    /// Hands and tools.
    pub end_effectors: Vec<EndEffectorIds>,
    /// Joints that nothing drives.
    pub passive_joints: Vec<JointId>,
    /// Links that may touch everything unless a pair rule says otherwise.
    pub allowed_by_default: Vec<LinkId>,
    /// `enable_collisions`, then `disable_collisions`: a later rule on the same pair replaces an earlier one. This is
    /// the order in which MoveIt applies them.
    pub pair_rules: Vec<PairRule>,
}

impl Semantics {
    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&PlanningGroup> {
        self.groups.iter().find(|group| group.name == name)
    }
}

impl Srdf {
    /// Looks up every name in the robot. For virtual joints to be known, pass the robot that
    /// [`with_virtual_joint`](Srdf::with_virtual_joint) made.
    ///
    /// Entries with unknown names are left out and listed in the warnings; a group that contains itself is an error.
    pub fn resolve(&self, model: &RobotModel) -> Result<(Semantics, Vec<SrdfWarning>), SrdfError> {
        let mut resolver = Resolver::new(self, model);
        let mut semantics = Semantics::default();
        if self.robot != model.name() {
            let message =
                format!("describes robot `{}`, the robot is `{}`", self.robot, model.name());
            resolver.warnings.push(SrdfWarning { line: 1, message });
        }
        for (name, line) in &self.unknown_elements {
            resolver.warn(*line, format!("<{name}> is not known and not used"));
        }
        for group in &self.groups {
            resolver.group(group)?;
        }
        semantics.groups = self.groups.iter().filter_map(|g| resolver.finished(&g.name)).collect();
        resolver.states(&mut semantics);
        resolver.end_effectors(&mut semantics);
        resolver.collisions(&mut semantics);
        Ok((semantics, resolver.warnings))
    }
}

/// Joints and links of a group while it is put together.
type Parts = (BTreeSet<JointId>, BTreeSet<LinkId>);

struct Resolver<'a> {
    srdf: &'a Srdf,
    model: &'a RobotModel,
    groups: HashMap<&'a str, &'a Group>,
    done: HashMap<&'a str, Parts>,
    /// Groups that are being put together, outermost first.
    open: Vec<&'a str>,
    warnings: Vec<SrdfWarning>,
}

impl<'a> Resolver<'a> {
    fn new(srdf: &'a Srdf, model: &'a RobotModel) -> Self {
        let groups = srdf.groups.iter().map(|group| (group.name.as_str(), group)).collect();
        let (done, open, warnings) = (HashMap::new(), Vec::new(), Vec::new());
        Self { srdf, model, groups, done, open, warnings }
    }

    fn warn(&mut self, line: Line, message: String) {
        self.warnings.push(SrdfWarning { line, message });
    }

    fn link(&mut self, name: &str, line: Line, what: &str) -> Option<LinkId> {
        let found = self.model.link_id(name);
        if found.is_none() {
            self.warn(line, format!("{what}: the robot has no link `{name}`"));
        }
        found
    }

    fn joint(&mut self, name: &str, line: Line, what: &str) -> Option<JointId> {
        let found = self.model.joint_id(name);
        if found.is_none() {
            self.warn(line, format!("{what}: the robot has no joint `{name}`"));
        }
        found
    }

    fn finished(&self, name: &str) -> Option<PlanningGroup> {
        let (joints, links) = self.done.get(name)?;
        Some(PlanningGroup {
            name: name.into(),
            joints: joints.iter().copied().collect(),
            links: links.iter().copied().collect(),
        })
    }

    /// Puts one group together, after the groups it contains. Each group is done once, so that a lattice of groups
    /// costs no more than its edges; the stack is as deep as the longest chain of distinct groups, which is bounded.
    fn group(&mut self, group: &'a Group) -> Result<(), SrdfError> {
        if self.done.contains_key(group.name.as_str()) {
            return Ok(());
        }
        if let Some(start) = self.open.iter().position(|name| *name == group.name) {
            let mut ring: Vec<String> = self.open[start..].iter().map(|s| s.to_string()).collect();
            ring.push(group.name.clone());
            return Err(SrdfError::GroupCycle { line: group.line, name: group.name.clone(), ring });
        }
        if self.open.len() > MAX_NESTING {
            self.warn(group.line, format!("group `{}` is nested too deep", group.name));
            return Ok(());
        }
        self.open.push(&group.name);
        let mut parts = Parts::default();
        let what = format!("group `{}`", group.name);
        for (member, line) in &group.members {
            self.member(member, *line, &what, &mut parts)?;
        }
        let children = parts.0.iter().map(|&joint| self.model.joint(joint).child);
        parts.1.extend(children);
        self.open.pop();
        self.done.insert(&group.name, parts);
        Ok(())
    }

    fn member(
        &mut self,
        member: &'a GroupMember,
        line: Line,
        what: &str,
        parts: &mut Parts,
    ) -> Result<(), SrdfError> {
        match member {
            GroupMember::Joint(name) => parts.0.extend(self.joint(name, line, what)),
            GroupMember::Link(name) => {
                if let Some(link) = self.link(name, line, what) {
                    parts.1.insert(link);
                    parts.0.extend(self.model.link(link).parent_joint);
                }
            }
            GroupMember::Chain { base, tip } => {
                let (base, tip) = (self.link(base, line, what), self.link(tip, line, what));
                if let (Some(base), Some(tip)) = (base, tip) {
                    parts.0.extend(joints_between(self.model, base, tip));
                }
            }
            GroupMember::Group(name) => {
                let Some(inner) = self.groups.get(name.as_str()).copied() else {
                    self.warn(line, format!("{what}: there is no group `{name}`"));
                    return Ok(());
                };
                self.group(inner)?;
                if let Some((joints, links)) = self.done.get(name.as_str()) {
                    parts.0.extend(joints);
                    parts.1.extend(links);
                }
            }
        }
        Ok(())
    }

    fn states(&mut self, semantics: &mut Semantics) {
        for state in &self.srdf.group_states {
            let what = format!("group_state `{}`", state.name);
            if state.group.is_empty() {
                self.warn(state.line, format!("{what}: no group named, taken for the whole robot"));
            } else if !self.groups.contains_key(state.group.as_str()) {
                self.warn(state.line, format!("{what}: there is no group `{}`", state.group));
                continue;
            }
            let mut joints = Vec::new();
            for (name, numbers) in &state.joints {
                let Some(joint) = self.joint(name, state.line, &what) else { continue };
                let expected = self.model.joint(joint).kind.position_count();
                if numbers.len() != expected {
                    let got = numbers.len();
                    let message =
                        format!("{what}: joint `{name}` has {expected} positions, not {got}");
                    self.warn(state.line, message);
                    continue;
                }
                joints.push((joint, numbers.clone()));
            }
            let (name, group) = (state.name.clone(), state.group.clone());
            semantics.states.push(NamedState { name, group, joints });
        }
    }

    fn end_effectors(&mut self, semantics: &mut Semantics) {
        for tool in &self.srdf.end_effectors {
            let what = format!("end_effector `{}`", tool.name);
            if !self.groups.contains_key(tool.group.as_str()) {
                self.warn(tool.line, format!("{what}: there is no group `{}`", tool.group));
                continue;
            }
            let Some(parent_link) = self.link(&tool.parent_link, tool.line, &what) else {
                continue;
            };
            semantics.end_effectors.push(EndEffectorIds {
                name: tool.name.clone(),
                group: tool.group.clone(),
                parent_link,
                parent_group: tool.parent_group.clone(),
            });
        }
    }

    fn collisions(&mut self, semantics: &mut Semantics) {
        for (name, line) in &self.srdf.passive_joints {
            semantics.passive_joints.extend(self.joint(name, *line, "passive_joint"));
        }
        for (name, line) in &self.srdf.disable_default_collisions {
            let link = self.link(name, *line, "disable_default_collisions");
            semantics.allowed_by_default.extend(link);
        }
        let rules = [
            (&self.srdf.enable_collisions, "enable_collisions", false),
            (&self.srdf.disable_collisions, "disable_collisions", true),
        ];
        for (pairs, what, allowed) in rules {
            for pair in pairs {
                semantics.pair_rules.extend(self.pair_rule(pair, what, allowed));
            }
        }
    }

    fn pair_rule(&mut self, pair: &LinkPair, what: &str, allowed: bool) -> Option<PairRule> {
        let one = self.link(&pair.link1, pair.line, what)?;
        let other = self.link(&pair.link2, pair.line, what)?;
        if one == other {
            self.warn(pair.line, format!("{what}: `{}` is paired with itself", pair.link1));
            return None;
        }
        let links = [one.min(other), one.max(other)];
        Some(PairRule { links, allowed, reason: pair.reason.clone() })
    }
}

/// Groups inside groups that are followed.
const MAX_NESTING: usize = 200;

/// The joints on the way from one link to the other: up from both to the link they have in common.
fn joints_between(model: &RobotModel, base: LinkId, tip: LinkId) -> Vec<JointId> {
    let (mut one, mut other) = (base, tip);
    let mut joints = Vec::new();
    // Parents come before their children, so the later of two different links is never above the other.
    while one != other {
        let later = if one > other { &mut one } else { &mut other };
        let Some(joint) = model.link(*later).parent_joint else { break };
        joints.push(joint);
        *later = model.joint(joint).parent;
    }
    joints
}
