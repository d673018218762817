//! A straight motion in joint space, and a lower bound on the gap of two surfaces over a part of it.
//!
//! Every joint moves at a constant rate over u ∈ [0, 1]. Let n be a unit direction from A to B, u₀ the middle of a part
//! of half length h, and let all quantities be relative to the last link above both surfaces. A point of A that is at
//! r from the origin o of A moves, to first order, by τ (v + ω × r) in the time τ, and the rest is at most ½ a τ² with a
//! bound a on its acceleration. So along n no point of A is farther than
//!
//! ```text
//! n·o + τ n·v + h_A(n + τ n × ω) + ½ a τ²        because n·(ω × r) = r·(n × ω)
//! ```
//!
//! with the support function h_A. The same for B with the signs turned. The difference is concave in τ but for the last
//! term, so over |τ| ≤ h it is smallest at τ = ±h: two support values of each body bound the gap over the whole part.
//! No distance query is needed to check this, only to find a good n.

use crate::surfaces::{Side, SurfacePairs};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_robot::{
    Coupling, Joint, JointKind, LinkPoses, RobotModel, interpolate, link_velocities, shorter_way,
};
use smooth_scene_scene::SceneError;

/// Rounding of poses, velocities and support values, in multiples of the coordinates: some hundred units in the last
/// place are allowed for, a few dozen operations are made.
const ROUNDING: f64 = 1e-13;
/// What the gap of balls is lowered by, relative, so that rounding never makes it larger than that of the surfaces.
const BALL_ROUNDING: f64 = 1e-12;

/// A straight motion between two states of a robot.
pub(crate) struct StraightMotion<'a> {
    model: &'a RobotModel,
    surfaces: &'a SurfacePairs,
    from: &'a [f64],
    to: &'a [f64],
    /// Rates of the joints, as a velocity vector per unit of u.
    velocities: Vec<f64>,
    /// For each side what the points of its surface do at most, seen from its link.
    bounds: Vec<Bound>,
}

/// Bounds on speed and acceleration of points, per unit of u and of u squared.
#[derive(Debug, Clone, Copy)]
struct Bound {
    speed: f64,
    acceleration: f64,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy)]
struct JointRate {
    turn: f64,
    slide: f64,
    /// How far the origin of the child is from that of the parent at most.
    offset: f64,
}

/// The robot at one moment of the motion.
pub(crate) struct Moment {
    /// Every surface in the world.
    placed: Vec<Placed>,
    /// For each link the velocity that a point of it at the origin of the world would have, and the angular velocity.
    velocities: Vec<[Vec3; 2]>,
}

/// A surface in the world.
#[derive(Clone, Copy)]
struct Placed {
    pose: Pose,
    rotation: Mat3,
    center_w: Vec3,
}

impl<'a> StraightMotion<'a> {
    /// Nothing when a floating joint moves: its rotation does not have a constant rate in these coordinates.
    pub fn new(
        model: &'a RobotModel,
        surfaces: &'a SurfacePairs,
        from: &'a [f64],
        to: &'a [f64],
    ) -> Option<Self> {
        let mut velocities = vec![0.0; model.velocity_count()];
        for (id, joint) in model.joint_ids().zip(model.joints()) {
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            let change = |k: usize| to[position + k] - from[position + k];
            match joint.kind {
                JointKind::Fixed => {}
                JointKind::Continuous if !model.is_followed(id) => {
                    velocities[velocity] = shorter_way(change(0));
                }
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                    velocities[velocity] = change(0);
                }
                JointKind::Planar => {
                    velocities[velocity] = change(0);
                    velocities[velocity + 1] = change(1);
                    velocities[velocity + 2] = shorter_way(change(2));
                }
                JointKind::Floating => {
                    if (0..7).any(|k| change(k) != 0.0) {
                        return None;
                    }
                }
            }
        }
        let mut motion = Self { model, surfaces, from, to, velocities, bounds: Vec::new() };
        let rates: Vec<JointRate> = model.joints().iter().map(|joint| motion.rate(joint)).collect();
        motion.bounds = surfaces.sides.iter().map(|side| motion.bound(side, &rates)).collect();
        Some(motion)
    }

    /// Bounds on any point of a surface. From the surface to the link it is seen from: a point within R of the child's
    /// origin, with speed at most v and acceleration at most a there, has seen from the parent of a joint that turns at
    /// Ω and slides at V at most
    ///
    /// ```text
    /// a + 2Ωv + Ω²R,    v + ΩR + V,    R + |offset of the joint| + largest slide
    /// ```
    fn bound(&self, side: &Side, rates: &[JointRate]) -> Bound {
        let (mut acceleration, mut speed) = (0.0, 0.0);
        let mut reach = self.surfaces.surfaces[side.surface].reach;
        for id in &side.chain {
            let JointRate { turn, slide, offset } = rates[id.index()];
            // A joint that does not turn adds nothing: also to a half-space, whose reach is infinite.
            if turn > 0.0 {
                acceleration += 2.0 * turn * speed + turn * turn * reach;
                speed += turn * reach;
            }
            speed += slide;
            reach += offset;
        }
        Bound { speed, acceleration }
    }

    fn rate(&self, joint: &Joint) -> JointRate {
        let (place, velocity, factor, offset) = match joint.coupling {
            Coupling::Independent { position, velocity } => (position, velocity, 1.0, 0.0),
            Coupling::Mimic { leader, multiplier, offset } => (
                self.model.first_position(leader),
                self.model.first_velocity(leader),
                multiplier,
                offset,
            ),
        };
        let rate = |k: usize| factor * self.velocities[velocity + k];
        let farthest = |k: usize| {
            let start = factor * self.from[place + k] + offset;
            start.abs().max((start + rate(k)).abs())
        };
        let (turn, slide, farthest) = match joint.kind {
            JointKind::Fixed => (0.0, 0.0, 0.0),
            JointKind::Revolute | JointKind::Continuous => (rate(0).abs(), 0.0, 0.0),
            JointKind::Prismatic => (0.0, rate(0).abs(), farthest(0)),
            JointKind::Planar => {
                (rate(2).abs(), rate(0).hypot(rate(1)), farthest(0).hypot(farthest(1)))
            }
            // It stands still, see `new`.
            JointKind::Floating => {
                let shift = &self.from[place..place + 3];
                (0.0, 0.0, shift.iter().map(|x| x * x).sum::<f64>().sqrt())
            }
        };
        JointRate { turn, slide, offset: joint.origin.translation.vector.norm() + farthest }
    }

    /// The robot at u ∈ [0, 1].
    pub fn at(&self, u: f64) -> Result<Moment, SceneError> {
        let positions = interpolate(self.model, self.from, self.to, u)?;
        let mut poses = LinkPoses::new();
        poses.update(self.model, &positions)?;
        let twists = link_velocities(self.model, &poses, &self.velocities)?;
        let place = |surface: &crate::surfaces::Surface| {
            let pose = poses[surface.link] * surface.pose;
            let rotation = pose.rotation.to_rotation_matrix().into_inner();
            let center_w = rotation * surface.center + pose.translation.vector;
            Placed { pose, rotation, center_w }
        };
        let placed = self.surfaces.surfaces.iter().map(place).collect();
        let links = poses.as_slice().iter().zip(&twists);
        let velocities =
            links.map(|(pose, twist)| [twist.at(&-pose.translation.vector), twist.angular_w]);
        Ok(Moment { placed, velocities: velocities.collect() })
    }

    /// A bound from above on how much the second-order term takes from the gap of a pair.
    pub fn bending(&self, pair: usize, half: f64) -> f64 {
        let [a, b] = self.surfaces.pairs[pair].sides.map(|side| self.bounds[side].acceleration);
        0.5 * (a + b) * half * half
    }

    /// How fast the distance of a pair can change, per unit of u.
    pub fn speed(&self, pair: usize) -> f64 {
        let [a, b] = self.surfaces.pairs[pair].sides.map(|side| self.bounds[side].speed);
        a + b
    }

    /// A pair at a moment, to ask for its gap.
    pub fn pair<'m>(&'m self, moment: &'m Moment, pair: usize) -> PairAtMoment<'m> {
        let found = &self.surfaces.pairs[pair];
        let motion = |side: usize| {
            let side = &self.surfaces.sides[side];
            let surface = &self.surfaces.surfaces[side.surface];
            if surface.link == side.ancestor {
                return [Vec3::zeros(); 2];
            }
            let [own, above] =
                [surface.link, side.ancestor].map(|link| moment.velocities[link.index()]);
            let angular_w = own[1] - above[1];
            let origin_w = moment.placed[side.surface].pose.translation.vector;
            [own[0] - above[0] + angular_w.cross(&origin_w), angular_w]
        };
        PairAtMoment { motion: self, moment, pair, motions: found.sides.map(motion) }
    }
}

/// A pair of surfaces at one moment of a motion.
pub(crate) struct PairAtMoment<'m> {
    motion: &'m StraightMotion<'m>,
    moment: &'m Moment,
    pair: usize,
    /// Velocity of the origin of each surface and its angular velocity, relative to the last link above both.
    motions: [[Vec3; 2]; 2],
}

impl PairAtMoment<'_> {
    fn placed(&self) -> [&Placed; 2] {
        let pair = &self.motion.surfaces.pairs[self.pair];
        [pair.a, pair.b].map(|surface| &self.moment.placed[surface])
    }

    /// Poses of both surfaces in the world.
    pub fn poses(&self) -> [&Pose; 2] {
        self.placed().map(|placed| &placed.pose)
    }

    /// From the middle of the ball around A to that of B.
    pub fn between_centers(&self) -> Vec3 {
        let [a, b] = self.placed();
        b.center_w - a.center_w
    }

    /// No two points of the grown surfaces are closer along the unit vector `normal_w` than this during the part of half
    /// length `half` around the moment. Positive: the pair is apart in all of it.
    pub fn least_gap(&self, normal_w: &Vec3, half: f64) -> f64 {
        self.gap_by(normal_w, half, |surface, placed, dir_w| {
            surface.shape.support(&placed.rotation.tr_mul(dir_w)).value
        })
    }

    /// As [`least_gap`](Self::least_gap), and never more, for balls around the surfaces: much cheaper, and enough for
    /// most pairs.
    pub fn least_gap_of_balls(&self, normal_w: &Vec3, half: f64) -> f64 {
        let gap = self.gap_by(normal_w, half, |surface, placed, dir_w| {
            let center = placed.center_w - placed.pose.translation.vector;
            center.dot(dir_w) + surface.radius * dir_w.norm()
        });
        let pair = &self.motion.surfaces.pairs[self.pair];
        let [a, b] = [pair.a, pair.b].map(|surface| self.motion.surfaces.surfaces[surface].radius);
        gap - BALL_ROUNDING * (1.0 + gap.abs() + a + b)
    }

    fn gap_by(
        &self,
        normal_w: &Vec3,
        half: f64,
        support: impl Fn(&crate::surfaces::Surface, &Placed, &Vec3) -> f64,
    ) -> f64 {
        let pair = &self.motion.surfaces.pairs[self.pair];
        let [one, other] = [pair.a, pair.b].map(|k| &self.motion.surfaces.surfaces[k]);
        let [a, b] = self.placed();
        let [[velocity_a, angular_a], [velocity_b, angular_b]] = &self.motions;
        let [origin_a, origin_b] = [a, b].map(|placed| placed.pose.translation.vector);
        let apart = normal_w.dot(&(origin_b - origin_a));
        let rate = normal_w.dot(&(velocity_b - velocity_a));
        let [lean_a, lean_b] = [angular_a, angular_b].map(|angular| normal_w.cross(angular));
        let at = |time: f64| {
            let reach_a = support(one, a, &(normal_w + lean_a * time));
            let reach_b = support(other, b, &-(normal_w + lean_b * time));
            apart + time * rate - reach_a - reach_b
        };
        let linear = at(half).min(at(-half));
        let coordinates = 1.0 + origin_a.amax() + origin_b.amax() + linear.abs();
        linear
            - self.motion.bending(self.pair, half) * (1.0 + 1e-9)
            - pair.growth * normal_w.norm()
            - ROUNDING * coordinates
    }
}
