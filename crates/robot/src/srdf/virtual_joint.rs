//! A robot with one more joint, between its root and the world.

use super::error::SrdfError;
use super::{Srdf, VirtualJoint, VirtualJointKind};
use crate::{Coupling, Joint, JointKind, JointLimits, JointSpec, LinkSpec, MimicSpec, RobotModel};
use smooth_scene_geometry::math::{Pose, Vec3};

impl Srdf {
    /// The robot with the first virtual joint that moves its root. The frame of the world becomes the new root link;
    /// a fixed joint adds it too, so that the frame can be named. Without such a joint the robot stays what it is.
    ///
    /// A virtual joint of another link than the root is an error: it would give that link two parents. MoveIt ignores
    /// it without a word.
    pub fn with_virtual_joint(&self, model: &RobotModel) -> Result<RobotModel, SrdfError> {
        let Some(joint) = self.virtual_joints.first() else { return Ok(model.clone()) };
        let refused = |reason: String| SrdfError::VirtualJoint {
            line: joint.line,
            name: joint.name.clone(),
            reason,
        };
        let root = &model.link(model.root()).name;
        if joint.child_link != *root {
            return Err(refused(format!(
                "child_link `{}` is not the root of the robot, which is `{root}`",
                joint.child_link
            )));
        }
        if joint.parent_frame == *root {
            // As in MoveIt's Panda files: the frame of the world is the root itself, and nothing moves.
            if joint.kind == VirtualJointKind::Fixed {
                return Ok(model.clone());
            }
            return Err(refused(format!("parent_frame and child_link are both `{root}`")));
        }
        let mut links = vec![LinkSpec { name: joint.parent_frame.clone(), collisions: vec![] }];
        links.extend(
            model.links().iter().map(|link| LinkSpec {
                name: link.name.clone(),
                collisions: link.collisions.clone(),
            }),
        );
        let mut joints = vec![joint_spec(joint)];
        joints.extend(model.joints().iter().map(|joint| spec_of(model, joint)));
        RobotModel::new(model.name().into(), links, joints)
            .map_err(|error| refused(error.to_string()))
    }
}

fn joint_spec(joint: &VirtualJoint) -> JointSpec {
    JointSpec {
        name: joint.name.clone(),
        kind: match joint.kind {
            VirtualJointKind::Fixed => JointKind::Fixed,
            VirtualJointKind::Planar => JointKind::Planar,
            VirtualJointKind::Floating => JointKind::Floating,
        },
        parent: joint.parent_frame.clone(),
        child: joint.child_link.clone(),
        origin: Pose::identity(),
        axis: Vec3::z(),
        limits: JointLimits::NONE,
        mimic: None,
    }
}

/// The description a joint was made from, chains of mimics replaced by their ends.
fn spec_of(model: &RobotModel, joint: &Joint) -> JointSpec {
    let mimic = match joint.coupling {
        Coupling::Independent { .. } => None,
        Coupling::Mimic { leader, multiplier, offset } => {
            Some(MimicSpec { joint: model.joint(leader).name.clone(), multiplier, offset })
        }
    };
    JointSpec {
        name: joint.name.clone(),
        kind: joint.kind,
        parent: model.link(joint.parent).name.clone(),
        child: model.link(joint.child).name.clone(),
        origin: joint.origin,
        axis: joint.axis,
        limits: joint.limits,
        mimic,
    }
}
