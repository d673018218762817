//! The part of a trajectory that belongs to planar joints, as poses.

use crate::convert::pose::{pose_message, vector_message};
use crate::interfaces::geometry_msgs::msg::{Transform, Twist};
use crate::interfaces::trajectory_msgs::msg::{
    JointTrajectory, MultiDOFJointTrajectory, MultiDOFJointTrajectoryPoint,
};
use crate::math::{Pose, rotation_from_vector, tangent_basis};
use crate::plan::JointSpace;
use crate::robot::JointKind;

/// Takes the numbers of planar joints out of a trajectory, and returns them as one of poses.
pub(super) fn planar_part(
    space: &JointSpace,
    joints: &mut JointTrajectory,
) -> MultiDOFJointTrajectory {
    let model = space.model();
    let is_planar = |place: usize| {
        let joint = model.joint(space.coordinates()[place].joint);
        joint.kind == JointKind::Planar
    };
    let count = space.dimension();
    // Three numbers each, one after the other.
    let firsts: Vec<usize> = (0..count).filter(|&k| is_planar(k)).step_by(3).collect();
    let mut poses = MultiDOFJointTrajectory::default();
    if firsts.is_empty() {
        return poses;
    }
    let keep = |numbers: &mut Vec<f64>| {
        let singles = (0..numbers.len()).filter(|&k| !is_planar(k)).map(|k| numbers[k]);
        *numbers = singles.collect();
    };
    poses.joint_names =
        firsts.iter().map(|&k| model.joint(space.coordinates()[k].joint).name.clone()).collect();
    let names = std::mem::take(&mut joints.joint_names);
    joints.joint_names = (0..count).filter(|&k| !is_planar(k)).map(|k| names[k].clone()).collect();
    for point in &mut joints.points {
        let transform = |&k: &usize| {
            let axis = model.joint(space.coordinates()[k].joint).axis;
            let (u, v) = tangent_basis(&axis);
            let at = u * point.positions[k] + v * point.positions[k + 1];
            let turn = rotation_from_vector(&(axis * point.positions[k + 2]));
            Transform {
                translation: vector_message(&at),
                rotation: pose_message(&Pose::from_parts(at.into(), turn)).orientation,
            }
        };
        let twist = |&k: &usize| {
            let axis = model.joint(space.coordinates()[k].joint).axis;
            let (u, v) = tangent_basis(&axis);
            let linear = u * point.velocities[k] + v * point.velocities[k + 1];
            let angular = axis * point.velocities[k + 2];
            Twist { linear: vector_message(&linear), angular: vector_message(&angular) }
        };
        poses.points.push(MultiDOFJointTrajectoryPoint {
            transforms: firsts.iter().map(transform).collect(),
            velocities: firsts.iter().map(twist).collect(),
            time_from_start: point.time_from_start.clone(),
            ..MultiDOFJointTrajectoryPoint::default()
        });
        keep(&mut point.positions);
        keep(&mut point.velocities);
    }
    if joints.joint_names.is_empty() {
        joints.points.clear();
    }
    poses
}
