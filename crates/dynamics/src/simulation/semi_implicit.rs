//! Steps of fixed length: velocities first, then positions with the new velocities.
//!
//! Dampers and springs of joints are implicit, contacts are not. Free bodies keep their momentum to rounding: contact forces are
//! equal and opposite at one point, velocities change before positions, and the angular momentum is what is integrated.

use crate::error::DynamicsError;
use crate::forward::accelerations;
use crate::inverse::State;
use crate::simulation::forces::{Forces, Memory};
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use crate::spatial::Force;
use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::{Vec3, rotation_from_vector};
use smooth_scene_robot::{Coupling, JointKind, RobotModel};

/// Goes one step further and returns the forces at its begin.
pub(crate) fn step(
    system: &System,
    state: &mut SystemState,
    length: f64,
    memory: &mut Memory,
) -> Result<Forces, DynamicsError> {
    let placed = system.place(state)?;
    let forces = system.contact_forces(state, &placed, memory);
    if let Some(model) = &system.robot {
        let springs = system.joint_springs(state, memory, length)?;
        let at = State::new(model, &state.positions, &state.velocities)?;
        let found = accelerations(
            model,
            &at,
            &state.velocities,
            &springs.forces,
            &forces.links,
            &springs.added,
        )?;
        for (velocity, acceleration) in state.velocities.iter_mut().zip(&found) {
            *velocity += length * acceleration;
        }
        move_joints(model.robot(), &mut state.positions, &state.velocities, length);
    }
    move_bodies(system, state, &forces.bodies, length);
    Ok(forces)
}

/// Free bodies under these forces and gravity: momenta first, then positions.
pub(crate) fn move_bodies(system: &System, state: &mut SystemState, forces: &[Force], length: f64) {
    for ((body, at), force) in system.bodies.iter().zip(&mut state.bodies).zip(forces) {
        at.velocity_w += (force.force / body.mass + system.gravity) * length;
        at.momentum_w += force.moment * length;
        at.center_w += at.velocity_w * length;
        // Second order: the velocity in the middle of the step.
        let mut middle = *at;
        middle.rotation = turned(&at.rotation, &(body.angular_velocity(at) * (0.5 * length)));
        at.rotation = turned(&at.rotation, &(body.angular_velocity(&middle) * length));
    }
}

/// Turned further by a rotation vector, world frame.
pub(crate) fn turned(rotation: &UnitQuaternion<f64>, vector_w: &Vec3) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize((rotation_from_vector(vector_w) * rotation).into_inner())
}

/// Positions after a time at constant velocities.
pub(crate) fn move_joints(
    model: &RobotModel,
    positions: &mut [f64],
    velocities: &[f64],
    time: f64,
) {
    for joint in model.joints() {
        let Coupling::Independent { position, velocity } = joint.coupling else { continue };
        match joint.kind {
            JointKind::Floating => {
                let q = &mut positions[position..position + 7];
                let v = &velocities[velocity..velocity + 6];
                let rotation =
                    UnitQuaternion::new_normalize(Quaternion::new(q[6], q[3], q[4], q[5]));
                let shift = rotation * Vec3::new(v[0], v[1], v[2]) * time;
                let turn = rotation_from_vector(&(Vec3::new(v[3], v[4], v[5]) * time));
                let after = UnitQuaternion::new_normalize((rotation * turn).into_inner());
                for k in 0..3 {
                    q[k] += shift[k];
                }
                q[3..].copy_from_slice(after.coords.as_slice());
            }
            kind => {
                for k in 0..kind.position_count() {
                    positions[position + k] += velocities[velocity + k] * time;
                }
            }
        }
    }
}
