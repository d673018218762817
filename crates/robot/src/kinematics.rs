//! Where are the links? Forward kinematics as a pure function over flat arrays.
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

use std::ops::Index;

use nalgebra::{Quaternion, UnitQuaternion};

use super::error::StateError;
use crate::model::{Joint, RobotModel};
use crate::spec::{Coupling, JointKind, LinkId};
use smooth_scene_geometry::math::{Pose, Vec3, sin_cos, tangent_basis};

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
/// Refused: a wrong number of positions, numbers that are not finite, joints that shift by more than 1e9 m or turn by more than 1e300
/// rad, quaternions that are not unit to [`QUATERNION_TOLERANCE`].
pub fn forward_kinematics(model: &RobotModel, positions: &[f64]) -> Result<LinkPoses, StateError> {
    let mut poses = LinkPoses::new();
    poses.update(model, positions)?;
    Ok(poses)
}

/// How far a joint may shift, m. The sum of a few shifts near the largest number is infinite, and nothing is known about the
/// distance of links that are nowhere.
const MAX_SHIFT: f64 = 1e9;
/// How far a joint may turn, rad. Sine and cosine are right for any number, and URDFs have limits of 1e16 for joints that turn
/// freely; but an angle that follows another one may be infinite.
const MAX_ANGLE: f64 = 1e300;

/// Checks what [`forward_kinematics`] refuses.
pub(super) fn check_positions(model: &RobotModel, positions: &[f64]) -> Result<(), StateError> {
    check_numbers(model, "positions", model.position_count(), positions)?;
    for joint in model.joints() {
        let mut single = [0.0];
        let (numbers, limit): (&[f64], f64) = match joint.kind {
            JointKind::Fixed => continue,
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                single[0] = single_position(joint, model, positions);
                let limit = if joint.kind == JointKind::Prismatic { MAX_SHIFT } else { MAX_ANGLE };
                (&single, limit)
            }
            JointKind::Planar => (&own_positions(joint, positions)[..2], MAX_SHIFT),
            JointKind::Floating => {
                let own = own_positions(joint, positions);
                let norm = quaternion(&own[3..]).norm();
                if (norm - 1.0).abs() > QUATERNION_TOLERANCE {
                    return Err(StateError::BadQuaternion { joint: joint.name.clone(), norm });
                }
                (&own[..3], MAX_SHIFT)
            }
        };
        // Written so that NaN is found too: what follows another joint may overflow.
        if let Some(&value) = numbers.iter().find(|x| !(-limit..=limit).contains(*x)) {
            return Err(StateError::TooLarge { joint: joint.name.clone(), value, limit });
        }
    }
    Ok(())
}

/// Checks the length of a vector and that its numbers are finite.
pub(super) fn check_numbers(
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
pub(super) fn quaternion(numbers: &[f64]) -> Quaternion<f64> {
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
pub fn child_pose(joint: &Joint, model: &RobotModel, parent_w: &Pose, positions: &[f64]) -> Pose {
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
    let (sin, cos) = sin_cos(0.5 * angle);
    UnitQuaternion::new_unchecked(Quaternion::new(cos, axis.x * sin, axis.y * sin, axis.z * sin))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{every_joint, joint, model, planar_arm, some_positions};
    use super::*;

    #[test]
    fn two_link_arm_is_where_trigonometry_says() {
        let arm = planar_arm();
        for (q1, q2) in [(0.0, 0.0), (0.4, -1.1), (-2.5, 3.0), (100.0, 7.0)] {
            let poses = forward_kinematics(&arm, &[q1, q2]).unwrap();
            let tip = &poses[arm.link_id("tip_link").unwrap()];
            let (x, y) = (
                0.5 * f64::cos(q1) + 0.3 * f64::cos(q1 + q2),
                0.5 * f64::sin(q1) + 0.3 * f64::sin(q1 + q2),
            );
            assert!((tip.translation.vector - Vec3::new(x, y, 0.0)).norm() < 1e-15);
            let expected = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), q1 + q2);
            assert!(tip.rotation.angle_to(&expected) < 1e-14);
        }
    }

    /// Links that are nowhere would be apart from everything.
    #[test]
    fn positions_with_which_places_could_overflow_are_refused() {
        let of = |kind| model(vec![joint(kind, "j", "root", Pose::identity(), Vec3::z())]);
        let error =
            |robot: &RobotModel, q: &[f64]| forward_kinematics(robot, q).unwrap_err().to_string();
        let (slide, turn) = (of(JointKind::Prismatic), of(JointKind::Revolute));
        assert_eq!(
            error(&slide, &[-1e308]),
            "joint `j`: its position is -1e308, must be between -1e9 and 1e9"
        );
        assert!(error(&slide, &[1.0000001e9]).contains("between -1e9 and 1e9"));
        assert!(error(&of(JointKind::Planar), &[0.0, 2e9, 0.0]).contains("is 2e9, must be"));
        let far = [0.0, 0.0, -2e9, 0.0, 0.0, 0.0, 1.0];
        assert!(error(&of(JointKind::Floating), &far).contains("is -2e9, must be"));
        assert_eq!(error(&slide, &[f64::NAN]), "positions[0] (`j`) is NaN, must be finite");
        assert!(error(&turn, &[f64::INFINITY]).contains("finite"));
        assert!(error(&turn, &[1e308]).contains("between -1e300 and 1e300"));
        assert!(forward_kinematics(&slide, &[-1e9]).is_ok());
        assert!(forward_kinematics(&turn, &[-3.7e15]).is_ok());
    }

    #[test]
    fn each_kind_of_joint_moves_as_its_definition_says() {
        let at = Pose::new(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.0, 0.0, 1.0));
        let child = |kind, axis, q: &[f64]| {
            let robot = model(vec![joint(kind, "j", "root", at, axis)]);
            forward_kinematics(&robot, q).unwrap().as_slice()[1]
        };
        let close = |a: Pose, b: Pose| (a.to_homogeneous() - b.to_homogeneous()).amax() < 1e-15;
        let z = Vec3::z();
        let turn = |angle: f64| Pose::new(Vec3::zeros(), z * angle);
        assert!(close(child(JointKind::Fixed, z, &[]), at));
        assert!(close(child(JointKind::Revolute, z, &[0.5]), at * turn(0.5)));
        assert!(close(child(JointKind::Continuous, z * 1e-3, &[4.0]), at * turn(4.0)));
        let slid = at * Pose::translation(0.0, 0.5, 0.0);
        assert!(close(child(JointKind::Prismatic, Vec3::y() * 2.0, &[0.5]), slid));
        let planar = at * Pose::translation(0.5, -0.7, 0.0) * turn(1.2);
        assert!(close(child(JointKind::Planar, z, &[0.5, -0.7, 1.2]), planar));
        let (s, c) = 0.6f64.sin_cos();
        let floating = at * Pose::translation(1.0, 2.0, 3.0) * turn(1.2);
        assert!(close(child(JointKind::Floating, z, &[1.0, 2.0, 3.0, 0.0, 0.0, s, c]), floating));
    }

    #[test]
    fn mimic_joints_follow_their_leader_through_chains() {
        let robot = every_joint();
        let mut q = some_positions(&robot, 1);
        let turn = robot.first_position(robot.joint_id("turn").unwrap());
        q[turn] = 0.8;
        let at =
            |name: &str| single_position(robot.joint(robot.joint_id(name).unwrap()), &robot, &q);
        assert!((at("follow") - (-0.7 * 0.8 + 0.2)).abs() < 1e-15);
        assert!((at("again") - (0.5 * (-0.7 * 0.8 + 0.2) - 0.1)).abs() < 1e-15);
        assert_eq!(robot.velocity_count() + 1, robot.position_count());
    }

    #[test]
    fn rounded_quaternions_are_normalised_and_others_refused() {
        let robot = every_joint();
        let q = some_positions(&robot, 3);
        let exact = forward_kinematics(&robot, &q).unwrap();
        let scaled = |factor: f64| {
            let mut q = q.clone();
            q[3..7].iter_mut().for_each(|c| *c *= factor);
            forward_kinematics(&robot, &q)
        };
        let near = scaled(1.0009).unwrap();
        for (a, b) in exact.as_slice().iter().zip(near.as_slice()) {
            assert!((a.to_homogeneous() - b.to_homogeneous()).amax() < 1e-14);
        }
        for factor in [0.0, 0.99, 1.01] {
            let error = scaled(factor).unwrap_err();
            assert!(matches!(error, StateError::BadQuaternion { .. }), "{error}");
        }
    }

    #[test]
    fn bad_vectors_are_named_and_leave_the_buffer_alone() {
        let arm = planar_arm();
        let mut poses = forward_kinematics(&arm, &[0.1, 0.2]).unwrap();
        let before = poses.clone();
        let short = poses.update(&arm, &[0.1]).unwrap_err();
        assert_eq!(short.to_string(), "1 positions given, must be 2");
        let nan = poses.update(&arm, &[0.1, f64::NAN]).unwrap_err();
        assert_eq!(nan.to_string(), "positions[1] (`q2`) is NaN, must be finite");
        assert_eq!(poses, before);
    }
}
