//! Where are the links? Forward kinematics, link velocities and geometric Jacobians: pure functions over flat arrays.
//!
//! The world is the frame of the root link. With T the pose of the joint's frame in the parent link and M(q) the motion
//! of the joint, a child link stands at
//!
//! ```text
//! W_child = W_parent · T · M(q)
//! revolute, continuous   M = Rot(axis, q)                       mimic joints: q = multiplier · q_leader + offset
//! prismatic              M = Trans(q · axis)
//! planar                 M = Trans(x · u + y · v) · Rot(axis, θ)      (u, v) = tangent_basis(axis)
//! floating               M = Trans(x, y, z) · Rot(quaternion)
//! ```
//!
//! The in-plane axes u, v of a planar joint are those of [`tangent_basis`]; for the axis z they are x and y, as in
//! Pinocchio and MoveIt (which ignore any other axis).
//!
//! Velocities are the time derivatives of the positions, but for floating joints: there they are the linear velocity of
//! the child's origin, then its angular velocity, both in the frame of the *child*, as in Pinocchio and in
//! `nav_msgs/Odometry`.

use std::ops::Index;

use nalgebra::{Matrix6xX, Quaternion, UnitQuaternion};

use super::error::StateError;
use super::model::{Coupling, Joint, JointKind, LinkId, RobotModel};
use crate::math::{Pose, Vec3, tangent_basis};

/// How far the norm of a quaternion may be from one: a rounded unit quaternion is normalised, anything else is a mistake.
pub const QUATERNION_TOLERANCE: f64 = 1e-3;

/// Pose of every link in the world, by [`LinkId`]. Reused, it allocates nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkPoses {
    poses: Vec<Pose>,
}

impl LinkPoses {
    /// An empty buffer for [`LinkPoses::update`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the poses to those at these positions; see [`forward_kinematics`]. Unchanged on error.
    pub fn update(&mut self, model: &RobotModel, positions: &[f64]) -> Result<(), StateError> {
        check_positions(model, positions)?;
        self.poses.clear();
        self.poses.reserve(model.links().len());
        self.poses.push(Pose::identity());
        for joint in model.joints() {
            let child_w = child_pose(joint, model, &self.poses[joint.parent.index()], positions);
            self.poses.push(child_w);
        }
        Ok(())
    }

    /// All poses, in the order of [`RobotModel::links`].
    pub fn as_slice(&self) -> &[Pose] {
        &self.poses
    }
}

impl Index<LinkId> for LinkPoses {
    type Output = Pose;

    fn index(&self, link: LinkId) -> &Pose {
        &self.poses[link.index()]
    }
}

/// Pose of every link in the frame of the root, for positions in the order of [`RobotModel::variable_names`].
///
/// Refused: a wrong number of positions, numbers that are not finite, quaternions that are not unit to
/// [`QUATERNION_TOLERANCE`].
pub fn forward_kinematics(model: &RobotModel, positions: &[f64]) -> Result<LinkPoses, StateError> {
    let mut poses = LinkPoses::new();
    poses.update(model, positions)?;
    Ok(poses)
}

/// Checks what [`forward_kinematics`] refuses.
pub(super) fn check_positions(model: &RobotModel, positions: &[f64]) -> Result<(), StateError> {
    check_numbers(model, "positions", model.position_count(), positions)?;
    if !model.has_floating_joints() {
        return Ok(());
    }
    for joint in model.joints() {
        if let (JointKind::Floating, Coupling::Independent { position, .. }) =
            (joint.kind, joint.coupling)
        {
            let norm = quaternion(&positions[position + 3..]).norm();
            if (norm - 1.0).abs() > QUATERNION_TOLERANCE {
                return Err(StateError::BadQuaternion { joint: joint.name.clone(), norm });
            }
        }
    }
    Ok(())
}

/// Checks the length of a vector and that its numbers are finite.
fn check_numbers(
    model: &RobotModel,
    what: &'static str,
    expected: usize,
    numbers: &[f64],
) -> Result<(), StateError> {
    if numbers.len() != expected {
        return Err(StateError::WrongLength { what, expected, given: numbers.len() });
    }
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(place) => {
            let names = model.variable_names();
            // A floating joint has one velocity less than positions, so velocities have names only without them.
            let name = if names.len() == expected { names[place].clone() } else { String::new() };
            Err(StateError::NotFinite { what, index: place, name, value: numbers[place] })
        }
    }
}

/// The unit quaternion x y z w at the start of the numbers, as it stands there.
fn quaternion(numbers: &[f64]) -> Quaternion<f64> {
    Quaternion::new(numbers[3], numbers[0], numbers[1], numbers[2])
}

/// Position of a joint with one number: its own, or what it follows.
pub(super) fn single_position(joint: &Joint, model: &RobotModel, positions: &[f64]) -> f64 {
    match joint.coupling {
        Coupling::Independent { position, .. } => positions[position],
        Coupling::Mimic { leader, multiplier, offset } => {
            multiplier * positions[model.first_position(leader)] + offset
        }
    }
}

/// W_child = W_parent · T · M(q). A rotation about the joint's own origin leaves the child's origin where it is.
fn child_pose(joint: &Joint, model: &RobotModel, parent_w: &Pose, positions: &[f64]) -> Pose {
    let turned = parent_w.rotation * joint.origin.rotation;
    let origin_w = parent_w.translation.vector
        + if joint.origin.translation.vector == Vec3::zeros() {
            Vec3::zeros()
        } else {
            parent_w.rotation * joint.origin.translation.vector
        };
    let (shift, rotation) = match joint.kind {
        JointKind::Fixed => return Pose::from_parts(origin_w.into(), turned),
        JointKind::Revolute | JointKind::Continuous => {
            let angle = single_position(joint, model, positions);
            let rotation = turned * about(&joint.axis, angle);
            return Pose::from_parts(origin_w.into(), rotation);
        }
        JointKind::Prismatic => {
            let length = single_position(joint, model, positions);
            (joint.axis * length, UnitQuaternion::identity())
        }
        JointKind::Planar => {
            let q = own_positions(joint, positions);
            let (u, v) = tangent_basis(&joint.axis);
            (u * q[0] + v * q[1], about(&joint.axis, q[2]))
        }
        JointKind::Floating => {
            let q = own_positions(joint, positions);
            (Vec3::new(q[0], q[1], q[2]), UnitQuaternion::from_quaternion(quaternion(&q[3..])))
        }
    };
    Pose::from_parts((origin_w + turned * shift).into(), turned * rotation)
}

/// The numbers of a joint that does not mimic.
fn own_positions<'a>(joint: &Joint, positions: &'a [f64]) -> &'a [f64] {
    match joint.coupling {
        Coupling::Independent { position, .. } => &positions[position..],
        // Only joints of one number can mimic: `RobotModel::new` refuses the others.
        Coupling::Mimic { .. } => &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    }
}

/// Rotation about a unit axis.
fn about(axis: &Vec3, angle: f64) -> UnitQuaternion<f64> {
    let (sin, cos) = (0.5 * angle).sin_cos();
    UnitQuaternion::new_unchecked(Quaternion::new(cos, axis.x * sin, axis.y * sin, axis.z * sin))
}

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
/// Velocities are in the order of the joints, see the module for what they mean; refused are a wrong number of them and
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
