//! How a joint moves its child: the columns of its motion subspace, in the frame of the child.

use crate::spatial::{Force, Motion};
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};
use smooth_scene_robot::{Coupling, Joint, JointKind, RobotModel, child_pose};

/// The degrees of freedom of one joint at one position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointAxes {
    /// Pose of the child in its parent.
    pub pose: Pose,
    /// The first `count` are the columns S, in the frame of the child, factor of a mimic included.
    columns: [Motion; 6],
    pub count: usize,
    /// Place of the first one in a velocity vector.
    pub place: usize,
    /// Whether the columns turn with the position, so that they change in the frame of the child: planar joints.
    kind: JointKind,
}

impl JointAxes {
    pub(crate) fn new(model: &RobotModel, joint: &Joint, positions: &[f64]) -> Self {
        let pose = child_pose(joint, model, &Pose::identity(), positions);
        let (place, factor) = match joint.coupling {
            Coupling::Independent { velocity, .. } => (velocity, 1.0),
            Coupling::Mimic { leader, multiplier, .. } => {
                (model.first_velocity(leader), multiplier)
            }
        };
        let along = |axis: Vec3| Motion { angular: Vec3::zeros(), linear: axis * factor };
        let about = |axis: Vec3| Motion { angular: axis * factor, linear: Vec3::zeros() };
        let mut columns = [Motion::ZERO; 6];
        match joint.kind {
            JointKind::Fixed => {}
            JointKind::Revolute | JointKind::Continuous => columns[0] = about(joint.axis),
            JointKind::Prismatic => columns[0] = along(joint.axis),
            JointKind::Planar => {
                // The plane stands in the joint's frame; the child is turned in it.
                let turn = joint.origin.rotation.inverse() * pose.rotation;
                let (u, v) = tangent_basis(&joint.axis);
                columns[0] = along(turn.inverse_transform_vector(&u));
                columns[1] = along(turn.inverse_transform_vector(&v));
                columns[2] = about(joint.axis);
            }
            JointKind::Floating => {
                for (k, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
                    columns[k] = along(axis);
                    columns[3 + k] = about(axis);
                }
            }
        }
        Self { pose, columns, count: joint.kind.velocity_count(), place, kind: joint.kind }
    }

    pub(crate) fn columns(&self) -> &[Motion] {
        &self.columns[..self.count]
    }

    /// The joint's own numbers in a velocity or acceleration vector.
    pub(crate) fn own<'a>(&self, vector: &'a [f64]) -> &'a [f64] {
        &vector[self.place..self.place + self.count]
    }

    /// S·numbers.
    pub(crate) fn combine(&self, vector: &[f64]) -> Motion {
        let own = self.own(vector);
        self.columns().iter().zip(own).fold(Motion::ZERO, |sum, (column, &x)| sum + *column * x)
    }

    /// Ṡ·velocities, in the frame of the child: what is left of the acceleration when the velocities do not change. Only
    /// the directions of a planar joint turn: by −ω in the frame of the child.
    pub(crate) fn drift(&self, velocities: &[f64]) -> Motion {
        if self.kind != JointKind::Planar {
            return Motion::ZERO;
        }
        let Motion { angular, linear } = self.combine(velocities);
        Motion { angular: Vec3::zeros(), linear: -angular.cross(&linear) }
    }

    /// Adds Sᵀ·force to a vector of joint forces.
    pub(crate) fn add_projection(&self, force: &Force, out: &mut [f64]) {
        for (column, value) in self.columns().iter().zip(&mut out[self.place..]) {
            *value += column.dot(force);
        }
    }
}

/// The axes of all joints, in the order of the joints.
pub(crate) fn all(model: &RobotModel, positions: &[f64]) -> Vec<JointAxes> {
    model.joints().iter().map(|joint| JointAxes::new(model, joint, positions)).collect()
}
