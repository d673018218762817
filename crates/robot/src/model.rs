//! What a robot is: links, joints and shapes, checked once; afterwards only the shapes of a link may be replaced.

use std::collections::HashMap;

use crate::error::ModelError;
use crate::spec::{
    Coupling, JointId, JointKind, JointLimits, JointSpec, LinkId, LinkSpec, LinkSurface,
};
use crate::tree::{Tree, check_numbers, couple};
use smooth_scene_geometry::math::{Pose, Vec3};

/// A link of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Name.
    pub name: String,
    /// Shapes it carries.
    pub collisions: Vec<LinkSurface>,
    /// The joint that moves it; none for the root.
    pub parent_joint: Option<JointId>,
}

/// A joint of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link it hangs on.
    pub parent: LinkId,
    /// The link it moves.
    pub child: LinkId,
    /// Pose of the joint's frame in the parent's frame.
    pub origin: Pose,
    /// Unit axis in the joint's frame.
    pub axis: Vec3,
    /// Limits.
    pub limits: JointLimits,
    /// Where its position comes from.
    pub coupling: Coupling,
}

/// A robot: a tree of links and joints, checked and immutable. Links are in an order where parents come before their
/// children, the root first; joint `i` moves link `i + 1`.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotModel {
    name: String,
    links: Vec<Link>,
    joints: Vec<Joint>,
    variable_names: Vec<String>,
    velocity_count: usize,
    /// For every joint whether others follow it.
    followed: Vec<bool>,
    link_by_name: HashMap<String, LinkId>,
    joint_by_name: HashMap<String, JointId>,
}

impl RobotModel {
    /// Checks that links and joints form one tree and that their numbers make sense.
    pub fn new(
        name: String,
        links: Vec<LinkSpec>,
        joints: Vec<JointSpec>,
    ) -> Result<Self, ModelError> {
        if links.is_empty() {
            return Err(ModelError::NoLinks);
        }
        joints.iter().try_for_each(check_numbers)?;
        let tree = Tree::new(&links, &joints)?;

        let link_by_name: HashMap<String, LinkId> = (0u32..)
            .zip(&tree.link_order)
            .map(|(place, &raw)| (links[raw].name.clone(), LinkId(place)))
            .collect();
        let joint_by_name: HashMap<String, JointId> = (0u32..)
            .zip(&tree.joint_order)
            .map(|(place, &raw)| (joints[raw].name.clone(), JointId(place)))
            .collect();

        let mut links: Vec<Option<LinkSpec>> = links.into_iter().map(Some).collect();
        let sorted_links = tree
            .link_order
            .iter()
            .enumerate()
            .filter_map(|(place, &raw)| {
                let spec = links[raw].take()?;
                let parent_joint = (place > 0).then(|| JointId(place as u32 - 1));
                Some(Link { name: spec.name, collisions: spec.collisions, parent_joint })
            })
            .collect();

        let sorted_specs: Vec<&JointSpec> =
            tree.joint_order.iter().map(|&raw| &joints[raw]).collect();
        let (couplings, variable_names, velocity_count) = couple(&sorted_specs, &joint_by_name)?;
        let mut followed = vec![false; sorted_specs.len()];
        for coupling in &couplings {
            if let Coupling::Mimic { leader, .. } = coupling {
                followed[leader.index()] = true;
            }
        }
        let sorted_joints = sorted_specs
            .iter()
            .zip(couplings)
            .map(|(spec, coupling)| Joint {
                name: spec.name.clone(),
                kind: spec.kind,
                parent: link_by_name[&spec.parent],
                child: link_by_name[&spec.child],
                origin: spec.origin,
                axis: smooth_scene_geometry::math::unit_or(&spec.axis, &Vec3::x()),
                limits: spec.limits,
                coupling,
            })
            .collect();

        Ok(Self {
            name,
            links: sorted_links,
            joints: sorted_joints,
            variable_names,
            velocity_count,
            followed,
            link_by_name,
            joint_by_name,
        })
    }

    /// Name of the robot.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All links, parents before children.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// All joints; joint `i` moves link `i + 1`.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// One link.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.index()]
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// Puts other surfaces on a link and returns those it had: the one thing about a robot that may change, because no
    /// other part of the model depends on it.
    pub fn replace_collisions(
        &mut self,
        id: LinkId,
        collisions: Vec<LinkSurface>,
    ) -> Vec<LinkSurface> {
        std::mem::replace(&mut self.links[id.index()].collisions, collisions)
    }

    /// The link without parent.
    pub fn root(&self) -> LinkId {
        LinkId(0)
    }

    /// The link of this name.
    pub fn link_id(&self, name: &str) -> Option<LinkId> {
        self.link_by_name.get(name).copied()
    }

    /// The joint of this name.
    pub fn joint_id(&self, name: &str) -> Option<JointId> {
        self.joint_by_name.get(name).copied()
    }

    /// All link ids in order.
    pub fn link_ids(&self) -> impl ExactSizeIterator<Item = LinkId> + use<> {
        (0..self.links.len() as u32).map(LinkId)
    }

    /// All joint ids in order.
    pub fn joint_ids(&self) -> impl ExactSizeIterator<Item = JointId> + use<> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// The link a link hangs on.
    pub fn parent_link(&self, id: LinkId) -> Option<LinkId> {
        self.link(id).parent_joint.map(|joint| self.joint(joint).parent)
    }

    /// The link nearest to both that both hang on.
    pub fn common_link(&self, a: LinkId, b: LinkId) -> LinkId {
        let (mut a, mut b) = (a, b);
        // Parents come before their children, so the later of two different links is never above the other.
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            let parent = self.parent_link(*later);
            *later = parent.expect("only the root has no parent, and it comes before all others");
        }
        a
    }

    /// The joints from a link up to `top`, which is the link itself or above it; without the joint of `top`.
    ///
    /// # Panics
    ///
    /// If `top` is not above the link.
    pub fn joints_up_to(&self, link: LinkId, top: LinkId) -> Vec<JointId> {
        let mut joints = Vec::new();
        let mut link = link;
        while link != top {
            let joint = self.link(link).parent_joint.expect("`top` is above the link");
            joints.push(joint);
            link = self.joint(joint).parent;
        }
        joints
    }

    /// Length of a position vector: the numbers of all joints that do not mimic.
    pub fn position_count(&self) -> usize {
        self.variable_names.len()
    }

    /// Length of a velocity vector: the degrees of freedom.
    pub fn velocity_count(&self) -> usize {
        self.velocity_count
    }

    /// Name of each number of a position vector: the joint's name, with MoveIt's suffix for planar and floating joints.
    pub fn variable_names(&self) -> &[String] {
        &self.variable_names
    }

    /// Whether the position of another joint comes from this one.
    pub fn is_followed(&self, id: JointId) -> bool {
        self.followed[id.index()]
    }

    /// Place of a joint's first number in a position vector; of its leader's if it mimics.
    pub fn first_position(&self, id: JointId) -> usize {
        match self.joint(id).coupling {
            Coupling::Independent { position, .. } => position,
            Coupling::Mimic { leader, .. } => self.first_position(leader),
        }
    }

    /// Place of a joint's first number in a velocity vector; of its leader's if it mimics.
    pub fn first_velocity(&self, id: JointId) -> usize {
        match self.joint(id).coupling {
            Coupling::Independent { velocity, .. } => velocity,
            Coupling::Mimic { leader, .. } => self.first_velocity(leader),
        }
    }
}
