//! Energies of a robot in motion.

use crate::error::DynamicsError;
use crate::inverse::State;
use crate::model::DynamicModel;

/// Kinetic and potential energy, J. The potential is zero where a mass is at the origin of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// ½ Σ v·Iv.
    pub kinetic: f64,
    /// −Σ m g·c, c the centres of mass.
    pub potential: f64,
}

impl Energy {
    /// Both together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// The energy of a robot.
pub fn robot_energy(
    model: &DynamicModel,
    positions: &[f64],
    velocities: &[f64],
) -> Result<Energy, DynamicsError> {
    let state = State::new(model, positions, velocities)?;
    let mut energy = Energy { kinetic: 0.0, potential: 0.0 };
    for (link, inertia) in model.inertias().iter().enumerate() {
        let pose = &state.poses.as_slice()[link];
        let lever = pose.translation.vector * inertia.mass + pose.rotation * inertia.first_moment;
        energy.kinetic += inertia.kinetic_energy(&state.velocities[link]);
        energy.potential -= model.gravity.dot(&lever);
    }
    Ok(energy)
}
