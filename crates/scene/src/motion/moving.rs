//! Surfaces that move during a segment, and their motion over a part of it.

use std::cell::RefCell;

use super::segment::{MotionBounds, Segment};
use crate::robot_shape::RobotShape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_query::BoundedMotion;
use smooth_scene_robot::JointId;

/// Two surfaces of the robot that move relative to each other in a segment.
pub(super) struct MovingPair {
    pub a: u32,
    pub b: u32,
    pub chains: [Vec<JointId>; 2],
    pub bounds: [MotionBounds; 2],
    /// Largest speed of any point of one relative to any of the other, per unit of the segment.
    pub speed: f64,
}

/// A surface of the robot that moves relative to the world.
pub(super) struct MovingShape {
    pub index: u32,
    pub chain: Vec<JointId>,
    pub bounds: MotionBounds,
    pub speed: f64,
}

/// Part [start, end] of a segment that begins at the time `base`.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    pub base: f64,
    pub start: f64,
    pub end: f64,
    pub halvings: u32,
}

/// The largest speed of a point of a surface; infinite for an unbounded surface that turns.
pub(super) fn surface_speed(bounds: &MotionBounds, shape: &RobotShape) -> f64 {
    if bounds.angular_speed == 0.0 {
        return bounds.speed;
    }
    bounds.speed + bounds.angular_speed * (shape.radius + shape.center.norm())
}

/// The pose of a surface at a time of the clipped interval, relative to the link above its chain.
pub(super) fn pose_at(
    segment: &Segment,
    interval: &Interval,
    chain: &[JointId],
    shape: &RobotShape,
    time: f64,
    buffer: &RefCell<Vec<f64>>,
) -> Pose {
    let mut positions = buffer.borrow_mut();
    segment.positions(interval.start + time * (interval.end - interval.start), &mut positions);
    shape.pose_above(segment.model(), chain, &positions)
}

/// The motion over the interval, with its bounds in units of the interval. The factor keeps rounded bounds upper ones.
pub(super) fn bounded<F: Fn(f64) -> Pose>(
    pose: F,
    bounds: &MotionBounds,
    interval: &Interval,
) -> BoundedMotion<F> {
    let length = (interval.end - interval.start) * (1.0 + 1e-12);
    BoundedMotion::new(pose, bounds.speed * length, bounds.angular_speed * length)
        .with_accelerations(
            bounds.acceleration * length * length,
            bounds.angular_acceleration * length * length,
        )
}
