//! One straight piece of a joint-space motion: where the links are in between, and how fast they can be.
//!
//! Between two waypoints every joint moves at a constant rate. Bounds on the motion of a point are collected from the
//! tip of a chain to its base. Let a point, seen from the child frame of a joint, be within R of the origin, with speed,
//! acceleration, angular speed and angular acceleration at most v, a, w, α. A joint that turns at Ω about a fixed axis
//! and slides at V makes of these, seen from its parent,
//!
//! ```text
//! v + ΩR + V,    a + 2Ωv + Ω²R,    w + Ω,    α + Ωw,    R + |offset of the joint| + largest slide
//! ```

use nalgebra::UnitQuaternion;
use std::f64::consts::TAU;

use crate::robot_shape::RobotShape;
use smooth_scene_geometry::math::{Vec3, rotation_from_vector, rotation_vector};
use smooth_scene_robot::{Coupling, Joint, JointId, JointKind, RobotModel};

/// How much a joint moves over the whole segment.
#[derive(Debug, Clone, Copy, Default)]
struct JointRate {
    linear: f64,
    angular: f64,
    /// The farthest it slides from its origin.
    slide: f64,
}

/// Bounds over the segment, per unit of its parameter u ∈ [0, 1].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct MotionBounds {
    pub speed: f64,
    pub acceleration: f64,
    pub angular_speed: f64,
    pub angular_acceleration: f64,
}

/// A straight piece of a motion.
pub(crate) struct Segment<'a> {
    model: &'a RobotModel,
    from: &'a [f64],
    /// What is added to `from` at the end; the quaternions of floating joints are left out.
    delta: Vec<f64>,
    /// First number of the quaternion of each floating joint, its start, and its rotation vector.
    turns: Vec<(usize, UnitQuaternion<f64>, Vec3)>,
    rates: Vec<JointRate>,
}

impl<'a> Segment<'a> {
    /// # Panics
    ///
    /// If the positions are not those of the model: callers check them with [`LinkPoses::update`].
    ///
    /// [`LinkPoses::update`]: smooth_scene_robot::LinkPoses::update
    pub fn new(model: &'a RobotModel, from: &'a [f64], to: &[f64]) -> Self {
        let mut delta: Vec<f64> = from.iter().zip(to).map(|(a, b)| b - a).collect();
        let mut turns = Vec::new();
        for (id, joint) in model.joint_ids().zip(model.joints()) {
            let Coupling::Independent { position, .. } = joint.coupling else { continue };
            match joint.kind {
                // As `robot::interpolate` does it.
                JointKind::Continuous if model.is_followed(id) => {}
                JointKind::Continuous => delta[position] = shorter_way(delta[position]),
                JointKind::Planar => delta[position + 2] = shorter_way(delta[position + 2]),
                JointKind::Floating => {
                    let [a, b] = [from, to].map(|q| rotation(&q[position + 3..position + 7]));
                    delta[position + 3..position + 7].fill(0.0);
                    turns.push((position + 3, a, rotation_vector(&a.rotation_to(&b))));
                }
                JointKind::Fixed | JointKind::Revolute | JointKind::Prismatic => {}
            }
        }
        let mut segment = Self { model, from, delta, turns, rates: Vec::new() };
        segment.rates = model.joints().iter().map(|joint| segment.rate(joint)).collect();
        segment
    }

    fn rate(&self, joint: &Joint) -> JointRate {
        let (position, factor, offset) = match joint.coupling {
            Coupling::Independent { position, .. } => (position, 1.0, 0.0),
            Coupling::Mimic { leader, multiplier, offset } => {
                (self.model.first_position(leader), multiplier, offset)
            }
        };
        let delta = |k: usize| self.delta[position + k];
        let start = |k: usize| self.from[position + k];
        let vector = |count: usize, of: &dyn Fn(usize) -> f64| {
            (0..count).map(|k| of(k) * of(k)).sum::<f64>().sqrt()
        };
        match joint.kind {
            JointKind::Fixed => JointRate::default(),
            JointKind::Revolute | JointKind::Continuous => {
                JointRate { angular: (factor * delta(0)).abs(), ..JointRate::default() }
            }
            JointKind::Prismatic => {
                let ends = [factor * start(0) + offset, factor * (start(0) + delta(0)) + offset];
                let slide = ends[0].abs().max(ends[1].abs());
                JointRate { linear: (factor * delta(0)).abs(), slide, ..JointRate::default() }
            }
            JointKind::Planar => {
                let linear = vector(2, &delta);
                let slide = vector(2, &start) + linear;
                JointRate { linear, angular: delta(2).abs(), slide }
            }
            JointKind::Floating => {
                let linear = vector(3, &delta);
                let turn = self.turns.iter().find(|(place, ..)| *place == position + 3);
                let (.., way) = turn.expect("every floating joint has its rotation in `turns`");
                JointRate { linear, angular: way.norm(), slide: vector(3, &start) + linear }
            }
        }
    }

    /// The positions at u ∈ [0, 1].
    pub fn positions(&self, u: f64, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.from.iter().zip(&self.delta).map(|(a, d)| a + u * d));
        for (place, start, way) in &self.turns {
            let turned = rotation_from_vector(&(way * u)) * start;
            out[*place..place + 4].copy_from_slice(turned.coords.as_slice());
        }
    }

    /// The robot that moves.
    pub fn model(&self) -> &RobotModel {
        self.model
    }

    /// Bounds on the motion of a shape's frame relative to the link above its chain.
    pub fn bounds(&self, chain: &[JointId], shape: &RobotShape) -> MotionBounds {
        let mut reach = shape.pose_in_link.translation.vector.norm();
        let mut bounds = MotionBounds::default();
        for &id in chain {
            let (joint, rate) = (self.model.joint(id), self.rates[id.index()]);
            let MotionBounds { speed, acceleration, angular_speed, angular_acceleration } = bounds;
            let turn = rate.angular;
            bounds = MotionBounds {
                speed: speed + turn * reach + rate.linear,
                acceleration: acceleration + 2.0 * turn * speed + turn * turn * reach,
                angular_speed: angular_speed + turn,
                angular_acceleration: angular_acceleration + turn * angular_speed,
            };
            reach += joint.origin.translation.vector.norm() + rate.slide;
        }
        bounds
    }
}

/// The same rotation by at most half a turn.
fn shorter_way(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

fn rotation(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]))
}
