//! Robots for the unit tests of this layer.

use super::kinematics::quaternion;
use crate::model::RobotModel;
use crate::spec::{JointKind, JointLimits, JointSpec, LinkSpec, MimicSpec};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::testing::uniform_numbers;

fn link(name: &str) -> LinkSpec {
    LinkSpec { name: name.into(), collisions: Vec::new() }
}

pub(super) fn joint(
    kind: JointKind,
    name: &str,
    parent: &str,
    origin: Pose,
    axis: Vec3,
) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind,
        parent: parent.into(),
        child: format!("{name}_link"),
        origin,
        axis,
        limits: JointLimits::NONE,
        mimic: None,
    }
}

pub(super) fn model(joints: Vec<JointSpec>) -> RobotModel {
    let mut links = vec![link("root")];
    links.extend(joints.iter().map(|joint| link(&joint.child)));
    RobotModel::new("test".into(), links, joints).unwrap()
}

pub(super) fn planar_arm() -> RobotModel {
    let at = |x| Pose::translation(x, 0.0, 0.0);
    model(vec![
        joint(JointKind::Revolute, "q1", "root", at(0.0), Vec3::z()),
        joint(JointKind::Revolute, "q2", "q1_link", at(0.5), Vec3::z() * 3.0),
        joint(JointKind::Fixed, "tip", "q2_link", at(0.3), Vec3::x()),
    ])
}

/// A tree with every kind of joint, skew origins and axes, and a chain of mimics.
pub(super) fn every_joint() -> RobotModel {
    let mut next = uniform_numbers(5);
    let mut origin = || {
        let mut n = || 2.0 * next() - 1.0;
        Pose::new(Vec3::new(n(), n(), n()), Vec3::new(2.0 * n(), 2.0 * n(), n()))
    };
    let mimic = |leader: &str, multiplier, offset| {
        Some(MimicSpec { joint: leader.into(), multiplier, offset })
    };
    let skew = Vec3::new(0.3, -0.5, 0.9);
    model(vec![
        joint(JointKind::Floating, "float", "root", origin(), Vec3::x()),
        joint(JointKind::Revolute, "turn", "float_link", origin(), skew),
        joint(JointKind::Planar, "plane", "turn_link", origin(), -skew),
        joint(JointKind::Prismatic, "slide", "plane_link", origin(), Vec3::y()),
        JointSpec {
            mimic: mimic("turn", -0.7, 0.2),
            ..joint(JointKind::Continuous, "follow", "slide_link", origin(), skew)
        },
        joint(JointKind::Fixed, "weld", "follow_link", origin(), Vec3::x()),
        JointSpec {
            mimic: mimic("follow", 0.5, -0.1),
            ..joint(JointKind::Prismatic, "again", "weld_link", origin(), skew)
        },
        joint(JointKind::Continuous, "branch", "plane_link", origin(), -Vec3::z()),
    ])
}

pub(super) fn some_positions(model: &RobotModel, seed: u64) -> Vec<f64> {
    let mut next = uniform_numbers(seed);
    let mut q: Vec<f64> = (0..model.position_count()).map(|_| 2.0 * next() - 1.0).collect();
    let norm = quaternion(&q[3..]).norm();
    q[3..7].iter_mut().for_each(|c| *c /= norm);
    q
}
