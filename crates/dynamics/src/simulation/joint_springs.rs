//! Forces on the joints of a robot: dampers, dry friction, springs at limits, springs that hold it, drives.

use crate::error::DynamicsError;
use crate::inverse::{State, joint_forces};
use crate::simulation::drive::PlacedDrive;
use crate::simulation::forces::Memory;
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use smooth_scene_robot::{Coupling, JointKind};

impl System {
    /// Forces of dampers, dry friction, limits, holding springs and drives on the joints, and with `step` what an implicit step
    /// adds to the mass matrix: with b the dampers and k the springs, h b + h² k.
    pub(crate) fn joint_springs(
        &self,
        state: &SystemState,
        memory: &Memory,
        step: f64,
    ) -> Result<JointForces, DynamicsError> {
        let mut found = self.held_joints(state, memory, step)?;
        let Some(model) = &self.robot else { return Ok(found) };
        for (joint, dynamics) in model.robot().joints().iter().zip(model.joint_dynamics()) {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            for k in velocity..velocity + joint.kind.velocity_count() {
                found.forces[k] -= friction(dynamics.friction, state.velocities[k]);
            }
            if !is_limited(joint.kind) {
                continue;
            }
            let (q, v) = (state.positions[position], state.velocities[velocity]);
            let limits = &joint.limits;
            let excess =
                if q > limits.upper { q - limits.upper } else { (q - limits.lower).min(0.0) };
            if excess != 0.0 {
                let own = memory.own_inertia[velocity];
                found.spring(velocity, own, self.springs.limit_frequency, excess, v, step);
            }
        }
        Ok(found)
    }

    /// Forces of dampers, holding springs and drives alone; `step` as in [`Self::joint_springs`].
    pub(crate) fn held_joints(
        &self,
        state: &SystemState,
        memory: &Memory,
        step: f64,
    ) -> Result<JointForces, DynamicsError> {
        let Some(model) = &self.robot else { return Ok(JointForces::default()) };
        let robot = model.robot();
        let count = robot.velocity_count();
        let mut found =
            JointForces { forces: vec![0.0; count], added: vec![0.0; count], energy: 0.0 };
        if self.springs.hold_frequency.is_some() {
            let still = vec![0.0; count];
            let at_rest = State::new(model, &state.positions, &still)?;
            found.forces = joint_forces(model, &at_rest, &still, &still, &[]);
        }
        for (joint, dynamics) in robot.joints().iter().zip(model.joint_dynamics()) {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            for k in velocity..velocity + joint.kind.velocity_count() {
                found.damp(k, dynamics.damping, state.velocities[k], step);
            }
            if let Some(frequency) = self.springs.hold_frequency
                && is_limited(joint.kind)
            {
                let (excess, own) = (
                    state.positions[position] - memory.held[position],
                    memory.own_inertia[velocity],
                );
                found.spring(velocity, own, frequency, excess, state.velocities[velocity], step);
            }
        }
        for placed in &memory.drives {
            let (q, v) = (state.positions[placed.position], state.velocities[placed.velocity]);
            found.drive(placed, q, v, step);
        }
        Ok(found)
    }
}

/// Joints with one number and springs.
fn is_limited(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Continuous)
}

/// Speed below which dry friction of a joint is less than full, rad/s or m/s.
const JOINT_CREEP: f64 = 1e-2;

fn friction(limit: f64, speed: f64) -> f64 {
    limit * speed / (speed * speed + JOINT_CREEP * JOINT_CREEP).sqrt()
}

/// See [`System::joint_springs`].
#[derive(Debug, Default)]
pub(crate) struct JointForces {
    pub forces: Vec<f64>,
    pub added: Vec<f64>,
    pub energy: f64,
}

impl JointForces {
    fn damp(&mut self, place: usize, damping: f64, speed: f64, step: f64) {
        self.forces[place] -= damping * speed;
        self.added[place] += step * damping;
    }

    fn drive(&mut self, placed: &PlacedDrive, position: f64, speed: f64, step: f64) {
        let drive = &placed.drive;
        let excess = position - drive.target;
        self.damp(placed.velocity, drive.damping, speed - drive.speed, step);
        self.forces[placed.velocity] -= drive.stiffness * (excess + step * speed);
        self.added[placed.velocity] += step * step * drive.stiffness;
        self.energy += 0.5 * drive.stiffness * excess * excess;
    }

    /// A critically damped spring of this frequency on an inertia.
    fn spring(
        &mut self,
        place: usize,
        inertia: f64,
        hertz: f64,
        excess: f64,
        speed: f64,
        step: f64,
    ) {
        let omega = std::f64::consts::TAU * hertz;
        let stiffness = inertia * omega * omega;
        self.damp(place, 2.0 * inertia * omega, speed, step);
        self.forces[place] -= stiffness * (excess + step * speed);
        self.added[place] += step * step * stiffness;
        self.energy += 0.5 * stiffness * excess * excess;
    }
}
