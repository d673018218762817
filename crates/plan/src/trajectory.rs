//! When is the robot where? Times for a path within velocity and acceleration limits.
//!
//! A path is straight between its waypoints, so a robot that does not leave it has to stop at every corner: any speed there
//! would need an infinite acceleration. Between two stops the share s ∈ [0, 1] of the segment is limited by
//!
//! ```text
//! ṡ ≤ min vᵢ / |Δᵢ|,    |s̈| ≤ min aᵢ / |Δᵢ|
//! ```
//!
//! with the limits vᵢ, aᵢ and the changes Δᵢ of the joints. The fastest motion from rest to rest under these two bounds
//! accelerates as much as it may, goes on at the largest speed if it gets there, and brakes as much as it may. So the
//! trajectory is time-optimal along the path, and it travels exactly the path that was proven free.

use crate::error::PlanError;
use crate::space::JointSpace;

/// Largest speeds and accelerations, in the order of the points of a space; rad or m, and s.
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
        let velocities: Vec<f64> = space.coordinates().iter().map(|c| velocity(c.joint)).collect();
        let accelerations = vec![acceleration; velocities.len()];
        Self::new(velocities, accelerations)
    }
}

impl MotionLimits {
    /// The same with only this share of the velocities.
    pub fn with_velocity_share(self, share: f64) -> Result<Self, PlanError> {
        let velocities = self.velocities.iter().map(|limit| share * limit).collect();
        Self::new(velocities, self.accelerations)
    }
}

/// A state of a trajectory, in the order of the points of a space.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedState {
    /// Positions, rad or m.
    pub positions: Vec<f64>,
    /// Velocities, per second.
    pub velocities: Vec<f64>,
    /// Accelerations, per second squared. At a switch the one after it.
    pub accelerations: Vec<f64>,
}

/// One segment, from rest to rest.
#[derive(Debug, Clone, PartialEq)]
struct Leg {
    /// It begins at this time, s.
    start: f64,
    from: Vec<f64>,
    change: Vec<f64>,
    /// Acceleration of s, and the time it lasts; the same for braking.
    acceleration: f64,
    ramp: f64,
    /// Time at constant speed.
    cruise: f64,
}

impl Leg {
    fn duration(&self) -> f64 {
        2.0 * self.ramp + self.cruise
    }

    /// s, its velocity and its acceleration at a time after the start of the leg.
    fn share(&self, time: f64) -> [f64; 3] {
        let (a, top) = (self.acceleration, self.acceleration * self.ramp);
        if time < self.ramp {
            return [0.5 * a * time * time, a * time, a];
        }
        if time < self.ramp + self.cruise {
            return [0.5 * a * self.ramp * self.ramp + top * (time - self.ramp), top, 0.0];
        }
        let left = (self.duration() - time).max(0.0);
        let braking = if left > 0.0 { -a } else { 0.0 };
        [1.0 - 0.5 * a * left * left, a * left, braking]
    }
}

/// A path with times.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedPath {
    legs: Vec<Leg>,
    end: Vec<f64>,
}

impl TimedPath {
    /// The fastest trajectory along a path of points of the space, at rest at every waypoint.
    pub fn new(
        space: &JointSpace,
        path: &[impl AsRef<[f64]>],
        limits: &MotionLimits,
    ) -> Result<Self, PlanError> {
        let dimension = space.dimension();
        let given = limits.velocities.len();
        if given != dimension {
            let (field, value) = ("number of limits", given as f64);
            return Err(PlanError::BadOption {
                field,
                value,
                range: "that of the joints that move",
            });
        }
        let Some(end) = path.last() else {
            let (field, value) = ("number of waypoints", 0.0);
            return Err(PlanError::BadOption { field, value, range: "at least 1" });
        };
        let mut start = 0.0;
        let mut legs = Vec::new();
        for ends in path.windows(2) {
            let from = ends[0].as_ref().to_vec();
            let mut change = Vec::new();
            space.way(&from, ends[1].as_ref(), &mut change);
            let least = |limits: &[f64]| {
                let shares = limits.iter().zip(&change).filter(|(_, change)| **change != 0.0);
                shares.map(|(limit, change)| limit / change.abs()).fold(f64::INFINITY, f64::min)
            };
            let (speed, acceleration) = (least(&limits.velocities), least(&limits.accelerations));
            let leg = if acceleration.is_finite() {
                // Half the way takes √(1/a) from rest; less time if the largest speed is reached before.
                let ramp = (1.0 / acceleration).sqrt().min(speed / acceleration);
                let top = acceleration * ramp;
                let cruise = ((1.0 - acceleration * ramp * ramp) / top).max(0.0);
                Leg { start, from, change, acceleration, ramp, cruise }
            } else {
                // Nothing moves.
                Leg { start, from, change, acceleration: 0.0, ramp: 0.0, cruise: 0.0 }
            };
            start += leg.duration();
            legs.push(leg);
        }
        Ok(Self { legs, end: end.as_ref().to_vec() })
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        self.legs.last().map_or(0.0, |leg| leg.start + leg.duration())
    }

    /// The times at which the robot is at each waypoint, s; it is at rest there, and the first is 0.
    pub fn stops(&self) -> Vec<f64> {
        let ends = self.legs.iter().map(|leg| leg.start + leg.duration());
        std::iter::once(0.0).chain(ends).collect()
    }

    /// The times at which the acceleration changes, s: of each segment its begin, the end of speeding up and the begin of
    /// braking; then the end of the last one. Every third of them is a stop.
    pub fn switches(&self) -> Vec<f64> {
        let of_leg =
            |leg: &Leg| [0.0, leg.ramp, leg.ramp + leg.cruise].map(|time| leg.start + time);
        self.legs.iter().flat_map(of_leg).chain([self.duration()]).collect()
    }

    /// The state at a time; before the start and after the end the robot is at rest there.
    pub fn at(&self, time: f64) -> TimedState {
        let place = self.legs.partition_point(|leg| leg.start <= time).saturating_sub(1);
        let Some(leg) = self.legs.get(place) else {
            let zero = vec![0.0; self.end.len()];
            return TimedState {
                positions: self.end.clone(),
                velocities: zero.clone(),
                accelerations: zero,
            };
        };
        let time = (time - leg.start).clamp(0.0, leg.duration());
        let [share, rate, acceleration] = leg.share(time);
        let scaled = |factor: f64| leg.change.iter().map(|change| factor * change).collect();
        TimedState {
            positions: leg.from.iter().zip(&leg.change).map(|(a, d)| a + share * d).collect(),
            velocities: scaled(rate),
            accelerations: scaled(acceleration),
        }
    }
}
