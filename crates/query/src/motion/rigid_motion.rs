//! How a body moves over the time t ∈ [0, 1], and how fast at most: what a continuous query has to know.
//!
//! A body with pose (R, o) has support value n·o + h(Rᵀn) along the fixed world direction n. A motion therefore bounds
//! two things over an interval: how n·o changes (the body's origin along n) and how the unit vector m = Rᵀn changes
//! (the direction as the body sees it; h changes by at most its radius times the change of m). With the angular
//! velocity ω, |m'| = |ω × n|, and |m''| ≤ |ω||ω × n| when ω is constant.

use nalgebra::{Translation3, UnitQuaternion};
use smooth_scene_geometry::math::{
    Pose, Vec3, rotation_from_vector, rotation_vector, sin_cos, unit_or,
};

/// Bounds on a motion during an interval, seen along one world direction n. Times are in units of the whole motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionRates {
    /// Largest speed of the body's origin, in any direction, m.
    pub speed: f64,
    /// Smallest and largest velocity of the body's origin along n, m.
    pub speed_along: [f64; 2],
    /// Largest acceleration |o''| of the body's origin, m; infinite when nothing is known about it.
    pub acceleration: f64,
    /// Largest |n·o''|, m; at most `acceleration`.
    pub acceleration_along: f64,
    /// Largest angular speed |ω|, rad.
    pub angular_speed: f64,
    /// Largest |(Rᵀn)'| = |ω × n|, rad.
    pub turning: f64,
    /// Largest angular acceleration |ω'|, rad; infinite when nothing is known about it.
    pub angular_acceleration: f64,
    /// Largest |(Rᵀn)''|; at most |ω|² + |ω'|.
    pub turning_change: f64,
}

/// A motion of a rigid body over t ∈ [0, 1].
pub trait Motion {
    /// Pose in the world at time t.
    fn pose_at(&self, time: f64) -> Pose;

    /// Bounds valid for every time in [`start`, `end`], along the unit vector `dir_w` (world frame).
    fn rates(&self, dir_w: &Vec3, start: f64, end: f64) -> MotionRates;
}

/// A body that stays where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fixed {
    /// The pose at every time.
    pub pose: Pose,
}

impl Motion for Fixed {
    fn pose_at(&self, _time: f64) -> Pose {
        self.pose
    }

    fn rates(&self, _dir_w: &Vec3, _start: f64, _end: f64) -> MotionRates {
        constant_rates(&Vec3::zeros(), &Vec3::zeros(), &Vec3::zeros())
    }
}

/// The rates of constant linear velocity v and constant angular velocity ω.
fn constant_rates(velocity: &Vec3, angular: &Vec3, dir_w: &Vec3) -> MotionRates {
    let along = velocity.dot(dir_w);
    let (angular_speed, turning) = (angular.norm(), angular.cross(dir_w).norm());
    MotionRates {
        speed: velocity.norm(),
        speed_along: [along; 2],
        acceleration: 0.0,
        acceleration_along: 0.0,
        angular_speed,
        turning,
        angular_acceleration: 0.0,
        turning_change: angular_speed * turning,
    }
}

/// From one pose to another: translation linear, rotation by slerp the shortest way. Linear and angular velocity are
/// constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    start: Pose,
    velocity_w: Vec3,
    angular_velocity_w: Vec3,
}

impl RigidMotion {
    /// The motion from `start` at t = 0 to `end` at t = 1.
    pub fn between(start: &Pose, end: &Pose) -> Self {
        Self {
            start: *start,
            velocity_w: end.translation.vector - start.translation.vector,
            angular_velocity_w: shortest_rotation(start, end),
        }
    }

    /// The motion from `start` without rotation.
    pub fn translation(start: &Pose, velocity_w: Vec3) -> Self {
        Self { start: *start, velocity_w, angular_velocity_w: Vec3::zeros() }
    }

    /// Velocity of the body's origin, world frame, m per unit of time.
    pub fn velocity_w(&self) -> Vec3 {
        self.velocity_w
    }

    /// Angular velocity, world frame, rad per unit of time.
    pub fn angular_velocity_w(&self) -> Vec3 {
        self.angular_velocity_w
    }
}

/// The rotation vector, at most π long, that turns one orientation into the other (world frame).
fn shortest_rotation(start: &Pose, end: &Pose) -> Vec3 {
    let turn = end.rotation * start.rotation.inverse();
    // q and −q are the same rotation; the one with a non-negative scalar part is the shorter way.
    let shortest =
        if turn.w < 0.0 { UnitQuaternion::new_unchecked(-turn.into_inner()) } else { turn };
    rotation_vector(&shortest)
}

fn turned(start: &Pose, angular_velocity_w: &Vec3, time: f64) -> UnitQuaternion<f64> {
    rotation_from_vector(&(angular_velocity_w * time)) * start.rotation
}

impl Motion for RigidMotion {
    fn pose_at(&self, time: f64) -> Pose {
        let origin = self.start.translation.vector + self.velocity_w * time;
        Pose::from_parts(
            Translation3::from(origin),
            turned(&self.start, &self.angular_velocity_w, time),
        )
    }

    fn rates(&self, dir_w: &Vec3, _start: f64, _end: f64) -> MotionRates {
        constant_rates(&self.velocity_w, &self.angular_velocity_w, dir_w)
    }
}

/// A constant twist: rotation about a fixed axis of the world and translation along it, any number of turns.
///
/// With v the velocity of the body's origin at t = 0, split into v∥ along ω and v⊥ across it, θ = |ω|t and k = ω/|ω|:
///
/// ```text
/// o(t) = o(0) + v∥ t + (sin θ v⊥ + (1 − cos θ) k × v⊥)/|ω|,    o'(t) = v∥ + cos θ v⊥ + sin θ k × v⊥
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScrewMotion {
    start: Pose,
    angular_velocity_w: Vec3,
    axis_w: Vec3,
    /// Velocity of the body's origin at t = 0 along the axis and across it.
    along_w: Vec3,
    across_w: Vec3,
}

impl ScrewMotion {
    /// The motion from `start` with these velocities of the body's origin (at t = 0) and of its frame.
    pub fn new(start: &Pose, velocity_w: Vec3, angular_velocity_w: Vec3) -> Self {
        let axis_w = unit_or(&angular_velocity_w, &Vec3::z());
        let turns = angular_velocity_w.norm() > 0.0;
        let along_w = if turns { axis_w * axis_w.dot(&velocity_w) } else { velocity_w };
        let across_w = velocity_w - along_w;
        Self { start: *start, angular_velocity_w, axis_w, along_w, across_w }
    }

    /// The screw from one pose to another with the smallest angle.
    ///
    /// The inverse of the equation above at t = 1, with Δ⊥ the displacement across the axis and θ the angle:
    /// v⊥ = θ/2 · (cot(θ/2) Δ⊥ − k × Δ⊥).
    pub fn between(start: &Pose, end: &Pose) -> Self {
        let angular = shortest_rotation(start, end);
        let step = end.translation.vector - start.translation.vector;
        let half = 0.5 * angular.norm();
        if half <= 0.0 {
            return Self::new(start, step, Vec3::zeros());
        }
        let axis = angular / (2.0 * half);
        let along = axis * axis.dot(&step);
        let across = step - along;
        let velocity = along + (across / libm::tan(half) - axis.cross(&across)) * half;
        Self::new(start, velocity, angular)
    }
}

impl Motion for ScrewMotion {
    fn pose_at(&self, time: f64) -> Pose {
        let angle = self.angular_velocity_w.norm() * time;
        let (sin, cos) = sin_cos(0.5 * angle);
        // sin θ/θ and (1 − cos θ)/θ, written with the half angle so that small angles keep their digits.
        let ratio = if angle.abs() < 1e-8 { 1.0 } else { sin / (0.5 * angle) };
        let arc = self.across_w * (ratio * cos) + self.axis_w.cross(&self.across_w) * (ratio * sin);
        let origin = self.start.translation.vector + (self.along_w + arc) * time;
        Pose::from_parts(
            Translation3::from(origin),
            turned(&self.start, &self.angular_velocity_w, time),
        )
    }

    fn rates(&self, dir_w: &Vec3, start: f64, end: f64) -> MotionRates {
        let base = constant_rates(&self.along_w, &self.angular_velocity_w, dir_w);
        let (along, rate) = (self.along_w.dot(dir_w), base.angular_speed);
        // The velocity across the axis turns in a plane; n sees at most its own part in that plane.
        let amplitude = self.across_w.norm() * self.axis_w.cross(dir_w).norm();
        let acceleration = rate * amplitude;
        let (sin, cos) = sin_cos(rate * start);
        let across = self.across_w * cos + self.axis_w.cross(&self.across_w) * sin;
        let (now, drift) = (across.dot(dir_w), acceleration * (end - start));
        let range = [(now - drift).max(-amplitude), (now + drift).min(amplitude)];
        MotionRates {
            speed: (self.along_w.norm_squared() + self.across_w.norm_squared()).sqrt(),
            speed_along: [along + range[0], along + range[1]],
            acceleration: rate * self.across_w.norm(),
            acceleration_along: acceleration,
            ..base
        }
    }
}

/// Any motion given as a function, with bounds that its author vouches for: a link of a robot along a joint path, say.
#[derive(Debug, Clone, Copy)]
pub struct BoundedMotion<F> {
    pose: F,
    speed: f64,
    angular_speed: f64,
    acceleration: f64,
    angular_acceleration: f64,
}

impl<F: Fn(f64) -> Pose> BoundedMotion<F> {
    /// A motion whose origin never moves faster than `speed` and whose frame never turns faster than `angular_speed`,
    /// per unit of time.
    pub fn new(pose: F, speed: f64, angular_speed: f64) -> Self {
        Self {
            pose,
            speed,
            angular_speed,
            acceleration: f64::INFINITY,
            angular_acceleration: f64::INFINITY,
        }
    }

    /// Adds bounds on the accelerations of the origin and of the rotation: steps towards a contact become much longer.
    pub fn with_accelerations(self, acceleration: f64, angular_acceleration: f64) -> Self {
        Self { acceleration, angular_acceleration, ..self }
    }
}

impl<F: Fn(f64) -> Pose> Motion for BoundedMotion<F> {
    fn pose_at(&self, time: f64) -> Pose {
        (self.pose)(time)
    }

    fn rates(&self, _dir_w: &Vec3, _start: f64, _end: f64) -> MotionRates {
        MotionRates {
            speed: self.speed,
            speed_along: [-self.speed, self.speed],
            acceleration: self.acceleration,
            acceleration_along: self.acceleration,
            angular_speed: self.angular_speed,
            turning: self.angular_speed,
            angular_acceleration: self.angular_acceleration,
            turning_change: self.angular_speed * self.angular_speed + self.angular_acceleration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(origin: [f64; 3], turn: [f64; 3]) -> Pose {
        Pose::new(Vec3::from(origin), Vec3::from(turn))
    }

    fn ends() -> (Pose, Pose) {
        (pose([0.3, -0.2, 1.0], [0.4, 2.0, -1.0]), pose([-0.7, 0.5, 0.1], [-1.4, 0.3, 0.8]))
    }

    fn same(a: &Pose, b: &Pose) -> bool {
        (a.translation.vector - b.translation.vector).norm() < 1e-14
            && a.rotation.angle_to(&b.rotation) < 1e-7
    }

    #[test]
    fn motions_between_two_poses_start_and_end_there() {
        let (start, end) = ends();
        let rigid = RigidMotion::between(&start, &end);
        let screw = ScrewMotion::between(&start, &end);
        assert!(same(&rigid.pose_at(0.0), &start) && same(&rigid.pose_at(1.0), &end));
        assert!(same(&screw.pose_at(0.0), &start) && same(&screw.pose_at(1.0), &end));
        assert!(rigid.angular_velocity_w().norm() <= std::f64::consts::PI);
    }

    #[test]
    fn rates_bound_the_differences_of_both_motions() {
        let (start, end) = ends();
        let dir = Vec3::new(0.36, 0.48, -0.8);
        let screw = ScrewMotion::new(&start, Vec3::new(0.5, 1.0, -2.0), Vec3::new(9.0, -4.0, 3.0));
        let motions: [&dyn Motion; 2] = [&RigidMotion::between(&start, &end), &screw];
        for motion in motions {
            for k in 0..50 {
                let (t, dt) = (k as f64 / 50.0, 1e-4);
                let rates = motion.rates(&dir, t, t + 2.0 * dt);
                let poses = [0.0, 1.0, 2.0].map(|i| motion.pose_at(t + i * dt));
                let height = poses.map(|p| p.translation.vector.dot(&dir));
                let seen = poses.map(|p| p.rotation.inverse() * dir);
                let speed = (height[1] - height[0]) / dt;
                assert!(
                    rates.speed_along[0] - 1e-9 <= speed && speed <= rates.speed_along[1] + 1e-9
                );
                let acceleration = (height[2] - 2.0 * height[1] + height[0]) / (dt * dt);
                assert!(acceleration.abs() <= rates.acceleration_along + 1e-5);
                assert!((seen[1] - seen[0]).norm() / dt <= rates.turning + 1e-9);
                let change = (seen[2] - 2.0 * seen[1] + seen[0]).norm() / (dt * dt);
                assert!(change <= rates.turning_change + 1e-5);
            }
        }
    }

    #[test]
    fn a_screw_without_rotation_is_a_translation() {
        let start = ends().0;
        let velocity = Vec3::new(1.0, 2.0, 3.0);
        let screw = ScrewMotion::new(&start, velocity, Vec3::zeros());
        let moved = screw.pose_at(0.5).translation.vector - start.translation.vector;
        assert!((moved - velocity * 0.5).norm() < 1e-15);
        assert_eq!(screw.rates(&Vec3::x(), 0.0, 1.0).acceleration_along, 0.0);
    }
}
