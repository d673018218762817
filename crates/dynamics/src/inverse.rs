//! Which joint forces make these accelerations? The recursive Newton–Euler algorithm [Featherstone 2008, ch. 5].
//!
//! Outwards, with X the change from parent to child and a₀ = −g, which makes gravity an acceleration of the root:
//!
//! ```text
//! v = X v_parent + S q̇          a = X a_parent + S q̈ + Ṡ q̇ + v × S q̇          f = I a + v ×* I v − f_external
//! ```
//!
//! Inwards: τ = Sᵀ f, and f_parent gains f seen from there. A joint that follows another adds to the force of its leader.

use crate::error::DynamicsError;
use crate::joint_axes::{self, JointAxes};
use crate::model::DynamicModel;
use crate::spatial::{Force, Motion};
use smooth_scene_robot::{LinkPoses, forward_kinematics};

/// Positions, velocities and external forces of a robot, checked.
pub(crate) struct State {
    pub axes: Vec<JointAxes>,
    /// Velocity of each link in its own frame.
    pub velocities: Vec<Motion>,
    pub poses: LinkPoses,
}

impl State {
    pub(crate) fn new(
        model: &DynamicModel,
        positions: &[f64],
        velocities: &[f64],
    ) -> Result<State, DynamicsError> {
        let robot = model.robot();
        let poses = forward_kinematics(robot, positions)?;
        check("velocities", velocities, robot.velocity_count())?;
        let axes = joint_axes::all(robot, positions);
        let mut motions = vec![Motion::ZERO; robot.links().len()];
        for (joint, axes) in robot.joints().iter().zip(&axes) {
            motions[joint.child.index()] =
                motions[joint.parent.index()].into_child(&axes.pose) + axes.combine(velocities);
        }
        Ok(State { axes, velocities: motions, poses })
    }

    /// Acceleration of a child but for what its parent and the joint's accelerations add: Ṡq̇ + v × Sq̇.
    pub(crate) fn bias(&self, joint: usize, velocities: &[f64]) -> Motion {
        let axes = &self.axes[joint];
        let own = axes.combine(velocities);
        axes.drift(velocities) + self.velocities[joint + 1].cross(&own)
    }

    /// I a + v ×* I v − f_external of a link, with the acceleration given.
    pub(crate) fn force(
        &self,
        model: &DynamicModel,
        link: usize,
        acceleration: &Motion,
        external: &[Force],
    ) -> Force {
        let inertia = &model.inertias()[link];
        let velocity = &self.velocities[link];
        let inertial = inertia.times(acceleration) + velocity.cross_force(&inertia.times(velocity));
        match external.get(link) {
            None => inertial,
            Some(force) => inertial - self.in_link(link, force),
        }
    }

    /// A force about the origin of a link, along the axes of the world, in the frame of the link.
    fn in_link(&self, link: usize, force: &Force) -> Force {
        let rotation = &self.poses.as_slice()[link].rotation;
        Force {
            moment: rotation.inverse_transform_vector(&force.moment),
            force: rotation.inverse_transform_vector(&force.force),
        }
    }
}

/// The acceleration of the root that stands for gravity.
pub(crate) fn root_acceleration(model: &DynamicModel) -> Motion {
    Motion { angular: Motion::ZERO.angular, linear: -model.gravity }
}

pub(crate) fn check(
    what: &'static str,
    numbers: &[f64],
    expected: usize,
) -> Result<(), DynamicsError> {
    if numbers.len() != expected {
        return Err(DynamicsError::Length { what, expected, given: numbers.len() });
    }
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(DynamicsError::NotFinite { what, index, value: numbers[index] }),
    }
}

pub(crate) fn check_external(
    model: &DynamicModel,
    external: &[Force],
) -> Result<(), DynamicsError> {
    let expected = model.robot().links().len();
    if !external.is_empty() && external.len() != expected {
        let given = external.len();
        return Err(DynamicsError::Length { what: "external forces", expected, given });
    }
    Ok(())
}

/// The joint forces at which the robot has these accelerations.
///
/// Vectors are in the order and in the frames of [`smooth_scene_robot::link_velocities`]; accelerations are the time
/// derivatives of its velocities. `external` is empty or has a force for each link: about the origin of the link, along the axes
/// of the world. Friction and damping of the joints are not counted.
pub fn inverse_dynamics(
    model: &DynamicModel,
    positions: &[f64],
    velocities: &[f64],
    accelerations: &[f64],
    external: &[Force],
) -> Result<Vec<f64>, DynamicsError> {
    let state = State::new(model, positions, velocities)?;
    check("accelerations", accelerations, model.robot().velocity_count())?;
    check_external(model, external)?;
    Ok(joint_forces(model, &state, velocities, accelerations, external))
}

pub(crate) fn joint_forces(
    model: &DynamicModel,
    state: &State,
    velocities: &[f64],
    accelerations: &[f64],
    external: &[Force],
) -> Vec<f64> {
    let robot = model.robot();
    let mut motions = vec![root_acceleration(model); robot.links().len()];
    for (place, joint) in robot.joints().iter().enumerate() {
        let axes = &state.axes[place];
        motions[joint.child.index()] = motions[joint.parent.index()].into_child(&axes.pose)
            + axes.combine(accelerations)
            + state.bias(place, velocities);
    }
    let links = 0..robot.links().len();
    let mut forces: Vec<Force> =
        links.map(|link| state.force(model, link, &motions[link], external)).collect();
    let mut found = vec![0.0; robot.velocity_count()];
    for (joint, axes) in robot.joints().iter().zip(&state.axes).rev() {
        let force = forces[joint.child.index()];
        axes.add_projection(&force, &mut found);
        forces[joint.parent.index()] += force.into_parent(&axes.pose);
    }
    found
}
