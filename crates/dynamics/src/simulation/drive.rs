//! Joints that are driven: a spring and a damper towards a place and a speed that the caller may change at any time.

use crate::error::DynamicsError;
use smooth_scene_robot::{Coupling, JointKind, RobotModel};

/// The force or moment k (q* − q) + d (v* − v) on a joint, beside what else acts on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDrive {
    /// k, N/m or N·m/rad.
    pub stiffness: f64,
    /// d, N·s/m or N·m·s/rad.
    pub damping: f64,
    /// q*, m or rad.
    pub target: f64,
    /// v*, m/s or rad/s.
    pub speed: f64,
}

/// A drive and the places of its joint in positions and velocities.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedDrive {
    pub position: usize,
    pub velocity: usize,
    pub drive: JointDrive,
}

impl PlacedDrive {
    /// Refused: a joint that is not there, that follows another or has not one number, and numbers that no drive has.
    pub(crate) fn new(
        robot: &RobotModel,
        name: &str,
        drive: JointDrive,
    ) -> Result<Self, DynamicsError> {
        let refused = |reason| DynamicsError::Drive { joint: name.to_string(), reason };
        let found = robot.joints().iter().find(|joint| joint.name == name);
        let joint = found.ok_or_else(|| refused("the robot has no such joint"))?;
        let is_single = matches!(
            joint.kind,
            JointKind::Revolute | JointKind::Prismatic | JointKind::Continuous
        );
        let Coupling::Independent { position, velocity } = joint.coupling else {
            return Err(refused("it follows another joint"));
        };
        if !is_single {
            return Err(refused("only revolute, continuous and prismatic joints can be driven"));
        }
        // Written so that NaN is refused too.
        let is_strength = |x: f64| x >= 0.0 && x.is_finite();
        if !(is_strength(drive.stiffness) && is_strength(drive.damping)) {
            return Err(refused("stiffness and damping must be zero or more and finite"));
        }
        if !(drive.target.is_finite() && drive.speed.is_finite()) {
            return Err(refused("target and speed must be finite"));
        }
        Ok(Self { position, velocity, drive })
    }
}
