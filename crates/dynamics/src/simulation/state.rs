//! Where everything is and how fast it moves.

use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::{Pose, Vec3};

/// A free body in motion, world frame.
///
/// The angular *momentum* is kept, not the velocity: without moments it does not change, whatever the shape of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Centre of mass.
    pub center_w: Vec3,
    /// Orientation of the body's frame.
    pub rotation: UnitQuaternion<f64>,
    /// Velocity of the centre of mass, m/s.
    pub velocity_w: Vec3,
    /// Angular momentum about the centre of mass, kg·m²/s.
    pub momentum_w: Vec3,
}

/// The state of a whole system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SystemState {
    /// Joint positions of the robot; empty without one.
    pub positions: Vec<f64>,
    /// Joint velocities of the robot.
    pub velocities: Vec<f64>,
    /// The free bodies, in the order of the system.
    pub bodies: Vec<BodyState>,
}

/// Numbers of a body in a flat vector.
const BODY: usize = 13;

impl SystemState {
    /// All numbers in one vector, for integrators that only know vectors.
    pub(crate) fn to_vector(&self) -> Vec<f64> {
        let mut all = self.positions.clone();
        all.extend(&self.velocities);
        for body in &self.bodies {
            all.extend(body.center_w.iter());
            all.extend(body.rotation.coords.iter());
            all.extend(body.velocity_w.iter());
            all.extend(body.momentum_w.iter());
        }
        all
    }

    /// Sets all numbers. Quaternions are normalised by those who use them.
    pub(crate) fn set_vector(&mut self, all: &[f64]) {
        let (positions, rest) = all.split_at(self.positions.len());
        let (velocities, rest) = rest.split_at(self.velocities.len());
        self.positions.copy_from_slice(positions);
        self.velocities.copy_from_slice(velocities);
        for (body, n) in self.bodies.iter_mut().zip(rest.chunks_exact(BODY)) {
            body.center_w = Vec3::new(n[0], n[1], n[2]);
            let turned = Quaternion::new(n[6], n[3], n[4], n[5]);
            body.rotation = UnitQuaternion::new_normalize(turned);
            body.velocity_w = Vec3::new(n[7], n[8], n[9]);
            body.momentum_w = Vec3::new(n[10], n[11], n[12]);
        }
    }
}

impl BodyState {
    /// Pose of the body's frame, whose origin is `center` before the centre of mass.
    pub(crate) fn pose(&self, center: &Vec3) -> Pose {
        Pose::from_parts((self.center_w - self.rotation * center).into(), self.rotation)
    }
}
