//! How fast are the links? Link velocities and geometric Jacobians.
//!
//! Velocities are the time derivatives of the positions, but for floating joints: there they are the linear velocity of
//! the child's origin, then its angular velocity, both in the frame of the *child*, as in Pinocchio and in
//! `nav_msgs/Odometry`. With p the origins and ω × the cross product, a child moves by
//!
//! ```text
//! ω_child = ω_parent + ω_joint
//! v_child = v_parent + ω_parent × (p_child − p_parent) + v_joint
//! ```

use nalgebra::Matrix6xX;

use super::error::StateError;
use super::kinematics::{LinkPoses, check_numbers};
use crate::model::{Joint, RobotModel};
use crate::spec::{Coupling, JointKind, LinkId};
use smooth_scene_geometry::math::{Vec3, tangent_basis};

/// Velocity of a link: of the point at its origin, and angular; both in the world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Velocity of the link's origin, m/s.
    pub linear_w: Vec3,
    /// Angular velocity, rad/s.
    pub angular_w: Vec3,
}

impl Twist {
    /// At rest.
    pub const ZERO: Twist =
        Twist { linear_w: Vec3::new(0.0, 0.0, 0.0), angular_w: Vec3::new(0.0, 0.0, 0.0) };

    /// Velocity of the point of the body that stands `offset_w` from the link's origin.
    pub fn at(&self, offset_w: &Vec3) -> Vec3 {
        self.linear_w + self.angular_w.cross(offset_w)
    }
}

/// Velocity of every link at these poses, in the order of [`RobotModel::links`].
///
/// Velocities are in the order of the joints, in the frames this module names; refused are a wrong number of them and
/// numbers that are not finite. `poses` has to be of the same model.
pub fn link_velocities(
    model: &RobotModel,
    poses: &LinkPoses,
    velocities: &[f64],
) -> Result<Vec<Twist>, StateError> {
    check_numbers(model, "velocities", model.velocity_count(), velocities)?;
    check_poses(model, poses)?;
    let mut twists = Vec::with_capacity(model.links().len());
    twists.push(Twist::ZERO);
    for joint in model.joints() {
        let parent: Twist = twists[joint.parent.index()];
        let offset_w =
            poses[joint.child].translation.vector - poses[joint.parent].translation.vector;
        let mut twist = Twist { linear_w: parent.at(&offset_w), angular_w: parent.angular_w };
        for_each_axis(model, joint, poses, |place, factor, axis| {
            let speed = factor * velocities[place];
            match axis {
                MotionAxis::Along(direction_w) => twist.linear_w += direction_w * speed,
                MotionAxis::About(direction_w) => twist.angular_w += direction_w * speed,
            }
        });
        twists.push(twist);
    }
    Ok(twists)
}

/// One degree of freedom of a joint, in the world: the child moves along a direction, or turns about one through its
/// origin.
enum MotionAxis {
    Along(Vec3),
    About(Vec3),
}

/// Calls `visit` with place in the velocity vector, factor and direction of each degree of freedom of a joint.
fn for_each_axis(
    model: &RobotModel,
    joint: &Joint,
    poses: &LinkPoses,
    mut visit: impl FnMut(usize, f64, MotionAxis),
) {
    let (place, factor) = match joint.coupling {
        Coupling::Independent { velocity, .. } => (velocity, 1.0),
        Coupling::Mimic { leader, multiplier, .. } => (model.first_velocity(leader), multiplier),
    };
    let rotation = &poses[joint.child].rotation;
    match joint.kind {
        JointKind::Fixed => {}
        // Turning about the axis does not move it, so it may be taken from the child's frame.
        JointKind::Revolute | JointKind::Continuous => {
            visit(place, factor, MotionAxis::About(rotation * joint.axis));
        }
        JointKind::Prismatic => visit(place, factor, MotionAxis::Along(rotation * joint.axis)),
        JointKind::Planar => {
            let frame = poses[joint.parent].rotation * joint.origin.rotation;
            let (u, v) = tangent_basis(&joint.axis);
            visit(place, factor, MotionAxis::Along(frame * u));
            visit(place + 1, factor, MotionAxis::Along(frame * v));
            visit(place + 2, factor, MotionAxis::About(frame * joint.axis));
        }
        JointKind::Floating => {
            for (i, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].iter().enumerate() {
                visit(place + i, factor, MotionAxis::Along(rotation * axis));
                visit(place + 3 + i, factor, MotionAxis::About(rotation * axis));
            }
        }
    }
}

/// Calls `visit` with the place in the velocity vector and the velocity, per unit of it, of the point `point_w` on a
/// link and of the link's rotation: the columns of [`jacobian`] that are not zero, without building it.
///
/// A place comes up more than once when several joints between root and link follow the same leader; the columns add.
/// `poses` has to be of the same model.
pub fn for_each_jacobian_column(
    model: &RobotModel,
    poses: &LinkPoses,
    link: LinkId,
    point_w: &Vec3,
    mut visit: impl FnMut(usize, Twist),
) {
    let mut next = model.link(link).parent_joint;
    while let Some(id) = next {
        let joint = model.joint(id);
        let arm_w = point_w - poses[joint.child].translation.vector;
        for_each_axis(model, joint, poses, |place, factor, axis| {
            let column = match axis {
                MotionAxis::Along(direction_w) => {
                    Twist { linear_w: direction_w * factor, angular_w: Vec3::zeros() }
                }
                MotionAxis::About(direction_w) => Twist {
                    linear_w: direction_w.cross(&arm_w) * factor,
                    angular_w: direction_w * factor,
                },
            };
            visit(place, column);
        });
        next = model.link(joint.parent).parent_joint;
    }
}

/// Geometric Jacobian of a point on a link, both in the world frame: velocity of the point (rows 0–2) and angular velocity
/// of the link (rows 3–5) per unit of each velocity. Mimic joints count in the column of their leader.
pub fn jacobian(
    model: &RobotModel,
    poses: &LinkPoses,
    link: LinkId,
    point_w: &Vec3,
) -> Result<Matrix6xX<f64>, StateError> {
    check_poses(model, poses)?;
    let mut jacobian = Matrix6xX::zeros(model.velocity_count());
    for_each_jacobian_column(model, poses, link, point_w, |place, column| {
        let mut linear = jacobian.fixed_view_mut::<3, 1>(0, place);
        linear += column.linear_w;
        let mut angular = jacobian.fixed_view_mut::<3, 1>(3, place);
        angular += column.angular_w;
    });
    Ok(jacobian)
}

fn check_poses(model: &RobotModel, poses: &LinkPoses) -> Result<(), StateError> {
    let (expected, given) = (model.links().len(), poses.as_slice().len());
    if given == expected {
        Ok(())
    } else {
        Err(StateError::WrongLength { what: "link poses", expected, given })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::super::kinematics::{forward_kinematics, quaternion};
    use super::super::testing::{every_joint, planar_arm, some_positions};
    use super::*;
    use smooth_scene_geometry::testing::uniform_numbers;

    /// Positions after a short time at these velocities: an integrator of its own, from the meaning of the velocities.
    fn moved(q: &[f64], v: &[f64], dt: f64) -> Vec<f64> {
        let rotation = UnitQuaternion::from_quaternion(quaternion(&q[3..]));
        let shift = rotation * Vec3::new(v[0], v[1], v[2]) * dt;
        let turned = rotation * UnitQuaternion::from_scaled_axis(Vec3::new(v[3], v[4], v[5]) * dt);
        let mut next = vec![q[0] + shift.x, q[1] + shift.y, q[2] + shift.z];
        next.extend(turned.coords.iter());
        next.extend(q[7..].iter().zip(&v[6..]).map(|(q, v)| q + v * dt));
        next
    }

    #[test]
    fn jacobian_of_the_two_link_arm_is_the_textbook_one() {
        let arm = planar_arm();
        let (q1, q2) = (0.7f64, -0.4f64);
        let poses = forward_kinematics(&arm, &[q1, q2]).unwrap();
        let tip = arm.link_id("tip_link").unwrap();
        let found = jacobian(&arm, &poses, tip, &poses[tip].translation.vector).unwrap();
        let (s1, c1) = q1.sin_cos();
        let (s12, c12) = (q1 + q2).sin_cos();
        #[rustfmt::skip]
        let expected = Matrix6xX::from_row_slice(&[
            -0.5 * s1 - 0.3 * s12, -0.3 * s12,
             0.5 * c1 + 0.3 * c12,  0.3 * c12,
             0.0, 0.0,
             0.0, 0.0,
             0.0, 0.0,
             1.0, 1.0,
        ]);
        assert!((found - expected).amax() < 1e-15);
    }

    #[test]
    fn velocities_and_jacobians_agree_with_finite_differences() {
        let robot = every_joint();
        let dt = 1e-5;
        for seed in 0..20 {
            let q = some_positions(&robot, seed);
            let mut next = uniform_numbers(seed + 100);
            let v: Vec<f64> = (0..robot.velocity_count()).map(|_| 2.0 * next() - 1.0).collect();
            let poses = forward_kinematics(&robot, &q).unwrap();
            let before = forward_kinematics(&robot, &moved(&q, &v, -dt)).unwrap();
            let after = forward_kinematics(&robot, &moved(&q, &v, dt)).unwrap();
            let twists = link_velocities(&robot, &poses, &v).unwrap();
            // A central difference is off by dt²/6 of the third derivative, at most (Σ|v|)³ times the reach, and by the
            // rounding of some ten products over dt.
            let speed: f64 = v.iter().map(|v| v.abs()).sum();
            let reach = 1.0
                + robot
                    .link_ids()
                    .map(|id| poses[id].translation.vector.norm())
                    .fold(0.0, f64::max);
            let tolerance = reach * (dt * dt / 6.0 * speed.powi(3) + 10.0 * f64::EPSILON / dt);
            for id in robot.link_ids() {
                let linear =
                    (after[id].translation.vector - before[id].translation.vector) / (2.0 * dt);
                let angular =
                    (after[id].rotation * before[id].rotation.inverse()).scaled_axis() / (2.0 * dt);
                let twist = twists[id.index()];
                assert!((twist.linear_w - linear).norm() < tolerance, "{seed} {id:?}");
                assert!((twist.angular_w - angular).norm() < tolerance, "{seed} {id:?}");

                // The Jacobian at a point off the origin, times the velocities, is the velocity of that point.
                let offset_w = Vec3::new(0.3, -0.2, 0.5);
                let point_w = poses[id].translation.vector + offset_w;
                let product = jacobian(&robot, &poses, id, &point_w).unwrap()
                    * nalgebra::DVector::from_vec(v.clone());
                let linear = product.fixed_rows::<3>(0).into_owned();
                assert!((linear - twist.at(&offset_w)).norm() < 1e-13);
                assert!((product.fixed_rows::<3>(3) - twist.angular_w).norm() < 1e-13);
            }
        }
    }

    #[test]
    fn bad_vectors_and_poses_of_another_robot_are_refused() {
        let arm = planar_arm();
        let poses = forward_kinematics(&arm, &[0.1, 0.2]).unwrap();
        assert!(link_velocities(&arm, &poses, &[0.0; 3]).is_err());
        assert!(link_velocities(&arm, &poses, &[0.0, f64::INFINITY]).is_err());
        assert!(link_velocities(&arm, &LinkPoses::new(), &[0.0; 2]).is_err());
        assert!(jacobian(&arm, &LinkPoses::new(), arm.root(), &Vec3::zeros()).is_err());
    }
}
