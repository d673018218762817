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

use crate::surfaces::{Pair, SurfacePairs};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::{
    Coupling, Joint, JointKind, LinkPoses, RobotModel, Twist, interpolate, link_velocities,
    shorter_way,
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
    from: &'a [f64],
    to: &'a [f64],
    /// Rates of the joints, as a velocity vector per unit of u.
    velocities: Vec<f64>,
    /// Bound on the relative acceleration of the points of each pair.
    accelerations: Vec<f64>,
}

/// The robot at one moment of the motion.
pub(crate) struct Moment {
    poses: LinkPoses,
    twists: Vec<Twist>,
}

impl<'a> StraightMotion<'a> {
    /// Nothing when a floating joint moves: its rotation does not have a constant rate in these coordinates.
    pub fn new(
        model: &'a RobotModel,
        surfaces: &SurfacePairs,
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
        let mut motion = Self { model, from, to, velocities, accelerations: Vec::new() };
        motion.accelerations =
            surfaces.pairs.iter().map(|p| motion.acceleration(surfaces, p)).collect();
        Some(motion)
    }

    /// Bound on the acceleration of any point of A relative to any of B, per unit of u squared. From the surface to the
    /// common link: a point within R of the child's origin, with speed at most v and acceleration at most a there, has
    /// seen from the parent of a joint that turns at Ω and slides at V at most
    ///
    /// ```text
    /// a + 2Ωv + Ω²R,    v + ΩR + V,    R + |offset of the joint| + largest slide
    /// ```
    fn acceleration(&self, surfaces: &SurfacePairs, pair: &Pair) -> f64 {
        let sides = [(pair.a, &pair.chains[0]), (pair.b, &pair.chains[1])];
        let bound = |(surface, chain): (usize, &Vec<_>)| {
            let mut acceleration = 0.0;
            let mut speed = 0.0;
            let mut reach = surfaces.surfaces[surface].reach;
            for &id in chain {
                let joint = self.model.joint(id);
                let (turn, slide, farthest) = self.rate(joint);
                // A joint that does not turn adds nothing: also to a half-space, whose reach is infinite.
                if turn > 0.0 {
                    acceleration += 2.0 * turn * speed + turn * turn * reach;
                    speed += turn * reach;
                }
                speed += slide;
                reach += joint.origin.translation.vector.norm() + farthest;
            }
            acceleration
        };
        sides.map(bound).iter().sum()
    }

    /// Angular rate, linear rate, and the farthest the joint slides from its origin.
    fn rate(&self, joint: &Joint) -> (f64, f64, f64) {
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
        match joint.kind {
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
        }
    }

    /// The robot at u ∈ [0, 1].
    pub fn at(&self, u: f64) -> Result<Moment, SceneError> {
        let positions = interpolate(self.model, self.from, self.to, u)?;
        let mut poses = LinkPoses::new();
        poses.update(self.model, &positions)?;
        let twists = link_velocities(self.model, &poses, &self.velocities)?;
        Ok(Moment { poses, twists })
    }

    /// A bound from above on how much the second-order term takes from the gap of a pair.
    pub fn bending(&self, pair: usize, half: f64) -> f64 {
        0.5 * self.accelerations[pair] * half * half
    }

    /// No two points of the grown surfaces of the pair are closer along the unit vector `normal_w` than this during the part of half
    /// length `half` around the moment. Positive: the pair is apart in all of it.
    pub fn least_gap(
        &self,
        surfaces: &SurfacePairs,
        place: usize,
        moment: &Moment,
        normal_w: &Vec3,
        half: f64,
    ) -> f64 {
        self.gap_by(support, surfaces, place, moment, normal_w, half)
    }

    /// As [`least_gap`](Self::least_gap), and never more, for balls around the surfaces: much cheaper, and enough for
    /// most pairs.
    pub fn least_gap_of_balls(
        &self,
        surfaces: &SurfacePairs,
        place: usize,
        moment: &Moment,
        normal_w: &Vec3,
        half: f64,
    ) -> f64 {
        let gap = self.gap_by(ball_support, surfaces, place, moment, normal_w, half);
        let pair = &surfaces.pairs[place];
        let sizes = surfaces.surfaces[pair.a].radius + surfaces.surfaces[pair.b].radius;
        gap - BALL_ROUNDING * (1.0 + gap.abs() + sizes)
    }

    fn gap_by(
        &self,
        support: impl Fn(&SurfacePairs, usize, &Pose, &Vec3) -> f64,
        surfaces: &SurfacePairs,
        place: usize,
        moment: &Moment,
        normal_w: &Vec3,
        half: f64,
    ) -> f64 {
        let pair = &surfaces.pairs[place];
        let (pose_a, twist_a) = moment.relative(surfaces, pair, pair.a);
        let (pose_b, twist_b) = moment.relative(surfaces, pair, pair.b);
        let [origin_a, origin_b] = [pose_a, pose_b].map(|pose| pose.translation.vector);
        let (apart, rate) = (
            normal_w.dot(&(origin_b - origin_a)),
            normal_w.dot(&(twist_b.linear_w - twist_a.linear_w)),
        );
        let at = |time: f64| {
            let reach_a = support(
                surfaces,
                pair.a,
                &pose_a,
                &(normal_w + normal_w.cross(&twist_a.angular_w) * time),
            );
            let reach_b = support(
                surfaces,
                pair.b,
                &pose_b,
                &-(normal_w + normal_w.cross(&twist_b.angular_w) * time),
            );
            apart + time * rate - reach_a - reach_b
        };
        let linear = at(half).min(at(-half));
        let coordinates = 1.0 + origin_a.amax() + origin_b.amax() + linear.abs();
        linear
            - self.bending(place, half) * (1.0 + 1e-9)
            - pair.growth * normal_w.norm()
            - ROUNDING * coordinates
    }
}

impl Moment {
    /// The pose of a surface in the world, and the velocity of its origin relative to the common link of the pair.
    fn relative(&self, surfaces: &SurfacePairs, pair: &Pair, surface: usize) -> (Pose, Twist) {
        let surface = &surfaces.surfaces[surface];
        let pose = self.poses[surface.link] * surface.pose;
        if surface.link == pair.ancestor {
            return (pose, Twist::ZERO);
        }
        let origin = pose.translation.vector;
        let from = |link: smooth_scene_robot::LinkId| {
            let twist = &self.twists[link.index()];
            (twist.at(&(origin - self.poses[link].translation.vector)), twist.angular_w)
        };
        let ((own, own_turn), (above, above_turn)) = (from(surface.link), from(pair.ancestor));
        (pose, Twist { linear_w: own - above, angular_w: own_turn - above_turn })
    }

    /// Pose of a surface in the world.
    pub fn pose(&self, surfaces: &SurfacePairs, surface: usize) -> Pose {
        let surface = &surfaces.surfaces[surface];
        self.poses[surface.link] * surface.pose
    }
}

/// Support value of a surface, turned as in the world, about its own origin.
fn support(surfaces: &SurfacePairs, surface: usize, pose: &Pose, dir_w: &Vec3) -> f64 {
    let local = pose.rotation.inverse_transform_vector(dir_w);
    surfaces.surfaces[surface].shape.support(&local).value
}

/// Support value of the ball around a surface, about the surface's own origin.
fn ball_support(surfaces: &SurfacePairs, surface: usize, pose: &Pose, dir_w: &Vec3) -> f64 {
    let surface = &surfaces.surfaces[surface];
    (pose.rotation * surface.center).dot(dir_w) + surface.radius * dir_w.norm()
}
