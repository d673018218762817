//! The part of a trajectory that belongs to planar and floating joints, as poses.

use nalgebra::{Quaternion, UnitQuaternion};

use crate::convert::pose::{pose_message, vector_message};
use crate::interfaces::geometry_msgs::msg::{Transform, Twist};
use crate::interfaces::trajectory_msgs::msg::{
    JointTrajectory, JointTrajectoryPoint, MultiDOFJointTrajectory, MultiDOFJointTrajectoryPoint,
};
use crate::math::{Pose, Vec3, rotation_from_vector, tangent_basis};
use crate::plan::JointSpace;
use crate::robot::{Joint, JointKind};

/// A joint of several numbers, and the first of them in a point.
struct PoseJoint<'a> {
    joint: &'a Joint,
    first: usize,
}

/// Takes the numbers of planar and floating joints out of a trajectory, and returns them as one of poses.
pub(super) fn pose_part(
    space: &JointSpace,
    joints: &mut JointTrajectory,
) -> MultiDOFJointTrajectory {
    let model = space.model();
    let joint_of = |place: usize| model.joint(space.coordinates()[place].joint);
    let is_pose =
        |place: usize| matches!(joint_of(place).kind, JointKind::Planar | JointKind::Floating);
    let count = space.dimension();
    let is_first = |place: usize| {
        let coordinate = &space.coordinates()[place];
        is_pose(place) && coordinate.place == model.first_position(coordinate.joint)
    };
    let firsts = (0..count).filter(|&place| is_first(place));
    let all: Vec<PoseJoint> =
        firsts.map(|first| PoseJoint { joint: joint_of(first), first }).collect();
    let mut poses = MultiDOFJointTrajectory::default();
    if all.is_empty() {
        return poses;
    }
    let keep = |numbers: &mut Vec<f64>| {
        let singles = (0..numbers.len()).filter(|&k| !is_pose(k)).map(|k| numbers[k]);
        *numbers = singles.collect();
    };
    poses.joint_names = all.iter().map(|each| each.joint.name.clone()).collect();
    let names = std::mem::take(&mut joints.joint_names);
    joints.joint_names = (0..count).filter(|&k| !is_pose(k)).map(|k| names[k].clone()).collect();
    for point in &mut joints.points {
        let (transforms, velocities) = all.iter().map(|each| each.at(point)).unzip();
        poses.points.push(MultiDOFJointTrajectoryPoint {
            transforms,
            velocities,
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

impl PoseJoint<'_> {
    /// Where the child is and how it moves, seen from the frame of the joint.
    fn at(&self, point: &JointTrajectoryPoint) -> (Transform, Twist) {
        let (at, rates) = (&point.positions[self.first..], &point.velocities[self.first..]);
        let axis = self.joint.axis;
        let (shift, turn, linear, angular) = if self.joint.kind == JointKind::Planar {
            let (u, v) = tangent_basis(&axis);
            let turn = rotation_from_vector(&(axis * at[2]));
            (u * at[0] + v * at[1], turn, u * rates[0] + v * rates[1], axis * rates[2])
        } else {
            let quaternion =
                |numbers: &[f64]| Quaternion::new(numbers[6], numbers[3], numbers[4], numbers[5]);
            let turn = UnitQuaternion::from_quaternion(quaternion(at));
            // ω = 2 q̇ q⁻¹
            let angular = (quaternion(rates) * turn.inverse().into_inner()).imag() * 2.0;
            let vector = |numbers: &[f64]| Vec3::from_column_slice(&numbers[..3]);
            (vector(at), turn, vector(rates), angular)
        };
        let transform = Transform {
            translation: vector_message(&shift),
            rotation: pose_message(&Pose::from_parts(shift.into(), turn)).orientation,
        };
        (transform, Twist { linear: vector_message(&linear), angular: vector_message(&angular) })
    }
}
