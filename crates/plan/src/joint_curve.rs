//! How the joints move from one state to another: straight, or around a corner.
//!
//! Around a corner C every joint moves on a parabola, the quadratic Bézier curve
//!
//! ```text
//! q(u) = (1 − u)² A + 2u (1 − u) C + u² B,    q' = 2 (1 − u) (C − A) + 2u (B − C),    q'' = 2 (A − 2C + B)
//! ```
//!
//! over u ∈ [0, 1]. It leaves A towards C and arrives at B from C, and stays in the triangle of the three states. The rate q'
//! is linear in u, so its size is largest at one of the ends; q'' does not change. A straight motion has a constant rate.
//!
//! A floating joint slides at a constant rate and turns at a constant rate about a fixed axis. It goes around no corners.

use crate::layout::{rotation, turn};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{
    Coupling, Joint, JointId, JointKind, RobotModel, interpolate, shorter_way,
};
use smooth_scene_scene::SceneError;
use std::f64::consts::PI;

/// A motion of all joints over u ∈ [0, 1]. Positions are those of the whole robot.
pub(crate) struct JointCurve<'a> {
    model: &'a RobotModel,
    from: &'a [f64],
    corner: Option<&'a [f64]>,
    to: &'a [f64],
    /// Rates of the joints at the begin and at the end, per unit of u: a velocity vector, but those of floating joints are
    /// seen from the parent.
    ends: [Vec<f64>; 2],
}

/// How a joint moves at most, per unit of u.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointRate {
    pub turn: f64,
    /// Angular acceleration, per unit of u squared.
    pub turn_change: f64,
    pub slide: f64,
    /// Acceleration along the slide, per unit of u squared.
    pub slide_change: f64,
    /// How far the origin of the child is from that of the parent at most.
    pub offset: f64,
}

impl<'a> JointCurve<'a> {
    /// Straight from one state to another.
    pub fn straight(model: &'a RobotModel, from: &'a [f64], to: &'a [f64]) -> Self {
        let rates = constant_rates(model, from, to);
        Self { model, from, corner: None, to, ends: [rates.clone(), rates] }
    }

    /// Around a corner. None where the numbers of a joint do not say how: an angle that wraps changes by half a turn or
    /// more, or a floating joint moves.
    pub fn around(
        model: &'a RobotModel,
        from: &'a [f64],
        corner: &'a [f64],
        to: &'a [f64],
    ) -> Option<Self> {
        let twice = |from: &[f64], to: &[f64]| -> Option<Vec<f64>> {
            let is_plain = |id: JointId| {
                let joint = model.joint(id);
                let Coupling::Independent { position, .. } = joint.coupling else { return true };
                let change = |k: usize| (to[position + k] - from[position + k]).abs();
                match joint.kind {
                    JointKind::Floating => (0..7).all(|k| change(k) == 0.0),
                    JointKind::Continuous => model.is_followed(id) || change(0) < PI,
                    JointKind::Planar => change(2) < PI,
                    JointKind::Fixed | JointKind::Revolute | JointKind::Prismatic => true,
                }
            };
            let rates = constant_rates(model, from, to);
            model.joint_ids().all(is_plain).then(|| rates.iter().map(|rate| 2.0 * rate).collect())
        };
        let ends = [twice(from, corner)?, twice(corner, to)?];
        Some(Self { model, from, corner: Some(corner), to, ends })
    }

    /// The robot.
    pub fn model(&self) -> &'a RobotModel {
        self.model
    }

    /// Begin, corner and end: no number of the positions leaves the interval of theirs, but for quaternions.
    pub fn states(&self) -> impl Iterator<Item = &'a [f64]> {
        [Some(self.from), self.corner, Some(self.to)].into_iter().flatten()
    }

    /// The positions at u.
    pub fn at(&self, u: f64) -> Result<Vec<f64>, SceneError> {
        let Some(corner) = self.corner else {
            return Ok(interpolate(self.model, self.from, self.to, u)?);
        };
        let between = |a: f64, b: f64| a + u * (b - a);
        let towards = self.from.iter().zip(corner).map(|(a, c)| between(*a, *c));
        let away = corner.iter().zip(self.to).map(|(c, b)| between(*c, *b));
        Ok(towards.zip(away).map(|(a, b)| between(a, b)).collect())
    }

    /// The rates at u, where the joints are at these positions, as a velocity vector per unit of u.
    pub fn velocities(&self, u: f64, positions: &[f64]) -> Vec<f64> {
        let [start, end] = &self.ends;
        let mut rates: Vec<f64> =
            start.iter().zip(end).map(|(a, b)| (1.0 - u) * a + u * b).collect();
        for joint in self.model.joints() {
            let (JointKind::Floating, Coupling::Independent { position, velocity }) =
                (joint.kind, joint.coupling)
            else {
                continue;
            };
            // A velocity vector has them in the frame of the child.
            let to_child = rotation(&positions[position + 3..]).inverse();
            for first in [velocity, velocity + 3] {
                let turned = to_child * Vec3::from_column_slice(&rates[first..first + 3]);
                rates[first..first + 3].copy_from_slice(turned.as_slice());
            }
        }
        rates
    }

    /// How each joint moves at most.
    pub fn rates(&self) -> Vec<JointRate> {
        self.model.joints().iter().map(|joint| self.joint_rate(joint)).collect()
    }

    fn joint_rate(&self, joint: &Joint) -> JointRate {
        let (place, velocity, factor, offset) = match joint.coupling {
            Coupling::Independent { position, velocity } => (position, velocity, 1.0, 0.0),
            Coupling::Mimic { leader, multiplier, offset } => {
                let model = self.model;
                (model.first_position(leader), model.first_velocity(leader), multiplier, offset)
            }
        };
        let [start, end] = &self.ends;
        // The largest norm of some rates, and the norm of what they change by.
        let norms = |first: usize, count: usize| {
            let norm_of = |rate: &dyn Fn(usize) -> f64| {
                let squares = (velocity + first..velocity + first + count).map(|k| rate(k).powi(2));
                factor.abs() * squares.sum::<f64>().sqrt()
            };
            let largest = norm_of(&|k| start[k]).max(norm_of(&|k| end[k]));
            [largest, norm_of(&|k| end[k] - start[k])]
        };
        // The largest norm of some positions: the curve stays in the triangle of its states.
        let farthest = |count: usize| {
            let norm = |state: &[f64]| {
                let squares = (place..place + count).map(|k| (factor * state[k] + offset).powi(2));
                squares.sum::<f64>().sqrt()
            };
            self.states().map(norm).fold(0.0, f64::max)
        };
        let still = [0.0; 2];
        let (turns, slides, farthest) = match joint.kind {
            JointKind::Fixed => (still, still, 0.0),
            JointKind::Revolute | JointKind::Continuous => (norms(0, 1), still, 0.0),
            JointKind::Prismatic => (still, norms(0, 1), farthest(1)),
            JointKind::Planar => (norms(2, 1), norms(0, 2), farthest(2)),
            JointKind::Floating => (norms(3, 3), norms(0, 3), farthest(3)),
        };
        JointRate {
            turn: turns[0],
            turn_change: turns[1],
            slide: slides[0],
            slide_change: slides[1],
            offset: joint.origin.translation.vector.norm() + farthest,
        }
    }
}

/// Rates of the joints on a straight motion, per unit of u: a velocity vector, but those of floating joints are seen from
/// the parent.
fn constant_rates(model: &RobotModel, from: &[f64], to: &[f64]) -> Vec<f64> {
    let mut rates = vec![0.0; model.velocity_count()];
    for (id, joint) in model.joint_ids().zip(model.joints()) {
        let Coupling::Independent { position, velocity } = joint.coupling else { continue };
        let change = |k: usize| to[position + k] - from[position + k];
        match joint.kind {
            JointKind::Fixed => {}
            JointKind::Continuous if !model.is_followed(id) => {
                rates[velocity] = shorter_way(change(0));
            }
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                rates[velocity] = change(0);
            }
            JointKind::Planar => {
                rates[velocity] = change(0);
                rates[velocity + 1] = change(1);
                rates[velocity + 2] = shorter_way(change(2));
            }
            JointKind::Floating => {
                (0..3).for_each(|k| rates[velocity + k] = change(k));
                let turn = turn(&from[position + 3..], &to[position + 3..]);
                rates[velocity + 3..velocity + 6].copy_from_slice(turn.as_slice());
            }
        }
    }
    rates
}
