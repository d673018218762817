//! Steps whose error is estimated and kept below a tolerance: the pair of orders five and four of [Dormand 1980].

use crate::error::DynamicsError;
use crate::forward::accelerations;
use crate::inverse::State;
use crate::simulation::forces::Memory;
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{Coupling, JointKind, RobotModel};

/// Weights of the stages; the last row is the result of order five.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Difference of the results of order five and four.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// A step that was tried: the state after it and its error in multiples of the tolerance.
pub(crate) struct Tried {
    pub state: SystemState,
    pub error: f64,
}

/// Tries a step of this length. The error of each number is measured against tolerance × (1 + |number|).
pub(crate) fn try_step(
    system: &System,
    state: &SystemState,
    length: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<Tried, DynamicsError> {
    let start = state.to_vector();
    let mut at = state.clone();
    let mut slopes = vec![derivative(system, state, memory)?];
    let mut end = start.clone();
    for weights in STAGES {
        end.copy_from_slice(&start);
        for (slope, weight) in slopes.iter().zip(weights) {
            for (number, rate) in end.iter_mut().zip(slope) {
                *number += length * weight * rate;
            }
        }
        at.set_vector(&end);
        normalise(system, &mut at);
        slopes.push(derivative(system, &at, memory)?);
    }
    let mut error = 0f64;
    for k in 0..end.len() {
        let difference: f64 =
            slopes.iter().zip(ERROR).map(|(slope, weight)| weight * slope[k]).sum();
        let share = (length * difference).abs() / (tolerance * (1.0 + end[k].abs()));
        // A number that is none must not look like a good step.
        error = if share.is_nan() { f64::INFINITY } else { error.max(share) };
    }
    Ok(Tried { state: at, error })
}

/// Makes the quaternions of floating joints unit; those of bodies are when they are set.
fn normalise(system: &System, state: &mut SystemState) {
    let Some(model) = &system.robot else { return };
    for (position, _) in floating(model.robot()) {
        let q = &mut state.positions[position + 3..position + 7];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.iter_mut().for_each(|x| *x /= length);
    }
}

fn floating(model: &RobotModel) -> impl Iterator<Item = (usize, usize)> {
    model.joints().iter().filter_map(|joint| match (joint.kind, joint.coupling) {
        (JointKind::Floating, Coupling::Independent { position, velocity }) => {
            Some((position, velocity))
        }
        _ => None,
    })
}

/// The rate of every number of [`SystemState::to_vector`].
fn derivative(
    system: &System,
    state: &SystemState,
    memory: &mut Memory,
) -> Result<Vec<f64>, DynamicsError> {
    let placed = system.place(state)?;
    let forces = system.contact_forces(state, &placed, memory);
    let mut rates = Vec::new();
    if let Some(model) = &system.robot {
        rates.extend(position_rates(model.robot(), state));
        let springs = system.joint_springs(state, memory, 0.0)?;
        let at = State::new(model, &state.positions, &state.velocities)?;
        let (v, tau) = (&state.velocities, &springs.forces);
        rates.extend(accelerations(model, &at, v, tau, &forces.links, &[])?);
    }
    for ((body, at), force) in system.bodies.iter().zip(&state.bodies).zip(&forces.bodies) {
        rates.extend(at.velocity_w.iter());
        let spin = Quaternion::from_parts(0.0, body.angular_velocity(at) * 0.5);
        rates.extend((spin * at.rotation.into_inner()).coords.iter());
        rates.extend((force.force / body.mass + system.gravity).iter());
        rates.extend(force.moment.iter());
    }
    Ok(rates)
}

fn position_rates(model: &RobotModel, state: &SystemState) -> Vec<f64> {
    let mut rates = vec![0.0; state.positions.len()];
    for joint in model.joints() {
        let Coupling::Independent { position, velocity } = joint.coupling else { continue };
        if joint.kind != JointKind::Floating {
            let count = joint.kind.position_count();
            rates[position..position + count]
                .copy_from_slice(&state.velocities[velocity..velocity + count]);
        }
    }
    for (position, velocity) in floating(model) {
        let q = &state.positions[position..position + 7];
        let v = &state.velocities[velocity..velocity + 6];
        let quaternion = Quaternion::new(q[6], q[3], q[4], q[5]);
        let rotation = UnitQuaternion::new_normalize(quaternion);
        let linear = rotation * Vec3::new(v[0], v[1], v[2]);
        let spin = Quaternion::from_parts(0.0, Vec3::new(v[3], v[4], v[5]) * 0.5);
        rates[position..position + 3].copy_from_slice(linear.as_slice());
        rates[position + 3..position + 7].copy_from_slice((quaternion * spin).coords.as_slice());
    }
    rates
}
