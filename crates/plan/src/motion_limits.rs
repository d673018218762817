//! How fast and how abruptly the numbers of a space may change.

use crate::error::PlanError;
use crate::space::JointSpace;

/// Largest speeds and accelerations, in the order of the ways of a space, which is that of its points but for rotations in
/// space; rad or m, and s.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionLimits {
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl MotionLimits {
    /// Velocities may be infinite, accelerations may not: a robot without either limit would not need any time.
    pub fn new(velocities: Vec<f64>, accelerations: Vec<f64>) -> Result<Self, PlanError> {
        for &value in &velocities {
            if value.is_nan() || value <= 0.0 {
                let (field, range) = ("velocity limit", "above 0");
                return Err(PlanError::BadOption { field, value, range });
            }
        }
        for &value in &accelerations {
            if !value.is_finite() || value <= 0.0 {
                let (field, range) = ("acceleration limit", "above 0 and finite");
                return Err(PlanError::BadOption { field, value, range });
            }
        }
        if velocities.len() != accelerations.len() {
            let (field, range) = ("number of limits", "the same for velocities and accelerations");
            let value = accelerations.len() as f64;
            return Err(PlanError::BadOption { field, value, range });
        }
        Ok(Self { velocities, accelerations })
    }

    /// The velocity limits of the robot's description and one acceleration for all joints. A description has no
    /// accelerations, and its limit of zero means that none is given.
    pub fn of_space(space: &JointSpace, acceleration: f64) -> Result<Self, PlanError> {
        let velocity = |joint| {
            let limit = space.model().joint(joint).limits.velocity;
            if limit > 0.0 { limit } else { f64::INFINITY }
        };
        let velocities: Vec<f64> = space.joints_of_way().map(velocity).collect();
        let accelerations = vec![acceleration; velocities.len()];
        Self::new(velocities, accelerations)
    }

    /// The same with only this share of the velocities.
    pub fn with_velocity_share(self, share: f64) -> Result<Self, PlanError> {
        let velocities = self.velocities.iter().map(|limit| share * limit).collect();
        Self::new(velocities, self.accelerations)
    }

    /// How many numbers they are for.
    pub(crate) fn count(&self) -> usize {
        self.velocities.len()
    }

    /// Velocity and acceleration of each number.
    pub(crate) fn each(&self) -> impl Iterator<Item = (f64, f64)> {
        self.velocities.iter().copied().zip(self.accelerations.iter().copied())
    }
}
