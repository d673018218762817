//! A motion of all joints, and a lower bound on the gap of two surfaces over a part of it.
//!
//! The joints move along a [`JointCurve`] over u ∈ [0, 1]. Let n be a unit direction from A to B, u₀ the middle of a part
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

use crate::joint_curve::{JointCurve, JointRate};
use crate::surfaces::{Side, Surface, SurfacePairs};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_robot::{LinkPoses, link_velocities};
use smooth_scene_scene::SceneError;

/// Rounding of poses, velocities and support values, in multiples of the coordinates: some hundred units in the last
/// place are allowed for, a few dozen operations are made.
const ROUNDING: f64 = 1e-13;
/// What the gap of balls is lowered by, relative, so that rounding never makes it larger than that of the surfaces.
const BALL_ROUNDING: f64 = 1e-12;

/// A motion of a robot, and the surfaces that move with it.
pub(crate) struct StraightMotion<'a> {
    curve: JointCurve<'a>,
    surfaces: &'a SurfacePairs,
    /// For each side a bound on the acceleration of the points of its surface, seen from its link, per unit of u squared.
    accelerations: Vec<f64>,
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
    /// The surfaces on a motion of the joints.
    pub fn new(curve: JointCurve<'a>, surfaces: &'a SurfacePairs) -> Self {
        let rates = curve.rates();
        let mut motion = Self { curve, surfaces, accelerations: Vec::new() };
        motion.accelerations =
            surfaces.sides.iter().map(|side| motion.acceleration(side, &rates)).collect();
        motion
    }

    /// A bound on the acceleration of any point of a surface. From the surface to the link it is seen from: a point within R of the child's
    /// origin, with speed at most v and acceleration at most a there, has seen from the parent of a joint that turns at
    /// Ω, slides at V and accelerates by Ω' and V' at most
    ///
    /// ```text
    /// a + 2Ωv + Ω²R + Ω'R + V',    v + ΩR + V,    R + |offset of the joint| + largest slide
    /// ```
    fn acceleration(&self, side: &Side, rates: &[JointRate]) -> f64 {
        let (mut acceleration, mut speed) = (0.0, 0.0);
        let mut reach = self.surfaces.surfaces[side.surface].reach;
        for id in &side.chain {
            let JointRate { turn, turn_change, slide, slide_change, offset } = rates[id.index()];
            // A joint that does not turn adds nothing: also to a half-space, whose reach is infinite.
            if turn > 0.0 {
                acceleration += 2.0 * turn * speed + (turn * turn + turn_change) * reach;
                speed += turn * reach;
            }
            acceleration += slide_change;
            speed += slide;
            reach += offset;
        }
        acceleration
    }

    /// The robot at u ∈ [0, 1].
    pub fn at(&self, u: f64) -> Result<Moment, SceneError> {
        let (model, positions) = (self.curve.model(), self.curve.at(u)?);
        let mut poses = LinkPoses::new();
        poses.update(model, &positions)?;
        let twists = link_velocities(model, &poses, &self.curve.velocities(u, &positions))?;
        let place = |surface: &Surface| {
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
        let [a, b] = self.surfaces.pairs[pair].sides.map(|side| self.accelerations[side]);
        0.5 * (a + b) * half * half
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
        self.grown_gap(normal_w, half, self.nearest_swept(normal_w, half).0)
    }

    /// As [`least_gap`](Self::least_gap), and never more, for balls around the surfaces: much cheaper, and enough for
    /// most pairs.
    pub fn least_gap_of_balls(&self, normal_w: &Vec3, half: f64) -> f64 {
        let reach = |surface: &Surface, placed: &Placed, dir_w: &Vec3| {
            let center = placed.center_w - placed.pose.translation.vector;
            center.dot(dir_w) + surface.radius * dir_w.norm()
        };
        let at = |time: f64| {
            let [a, b] = self.sides(normal_w, time);
            let reaches =
                reach(a.surface, a.placed, &a.dir_w) + reach(b.surface, b.placed, &b.dir_w);
            self.apart(normal_w, time) - reaches
        };
        let gap = self.grown_gap(normal_w, half, at(half).min(at(-half)));
        let [a, b] = self.surfaces().map(|surface| surface.radius);
        gap - BALL_ROUNDING * (1.0 + gap.abs() + a + b)
    }

    /// What the linear part of the gap has to exceed for the pair to keep `required` during a part: what
    /// [`least_gap`](Self::least_gap) takes off, and a little more for its rounding.
    pub fn needed(&self, required: f64, half: f64) -> f64 {
        let growth = self.motion.surfaces.pairs[self.pair].growth;
        let taken_off = required + growth + self.motion.bending(self.pair, half);
        taken_off * (1.0 + 1e-8) + 1e3 * ROUNDING
    }

    /// How far the pair is apart along `normal_w` to first order, at that end of the part at which it is nearer; and the
    /// point of the difference of both surfaces for which this is so. All these points together are the Minkowski
    /// difference of the swept surfaces, a convex set.
    pub fn nearest_swept(&self, normal_w: &Vec3, half: f64) -> (f64, Vec3) {
        let at = |time: f64| {
            let [a, b] = self.sides(normal_w, time);
            let [(reach_a, point_a), (reach_b, point_b)] = [a, b].map(|side| {
                let found = side.surface.shape.support(&side.placed.rotation.tr_mul(&side.dir_w));
                let arm_w = side.placed.rotation * found.point;
                let [velocity, angular] = side.motion;
                let moved = arm_w + (velocity + angular.cross(&arm_w)) * time;
                (found.value, side.placed.pose.translation.vector + moved)
            });
            (self.apart(normal_w, time) - reach_a - reach_b, point_b - point_a)
        };
        let (one, other) = (at(half), at(-half));
        if one.0 <= other.0 { one } else { other }
    }

    /// Whether both surfaces have bounds: support points of others are none.
    pub fn is_bounded(&self) -> bool {
        self.surfaces().iter().all(|surface| surface.radius.is_finite())
    }

    fn surfaces(&self) -> [&Surface; 2] {
        let pair = &self.motion.surfaces.pairs[self.pair];
        [pair.a, pair.b].map(|surface| &self.motion.surfaces.surfaces[surface])
    }

    /// The surfaces with the directions their support is asked for: along the normal for A, against it for B, turned by what
    /// the motion does in `time`.
    fn sides(&self, normal_w: &Vec3, time: f64) -> [SideAtMoment<'_>; 2] {
        let [one, other] = self.surfaces();
        let [a, b] = self.placed();
        let [motion_a, motion_b] = &self.motions;
        let dir = |angular: &Vec3| normal_w + normal_w.cross(angular) * time;
        [
            SideAtMoment { surface: one, placed: a, motion: motion_a, dir_w: dir(&motion_a[1]) },
            SideAtMoment { surface: other, placed: b, motion: motion_b, dir_w: -dir(&motion_b[1]) },
        ]
    }

    /// How far the origins of the surfaces are apart along the normal, to first order.
    fn apart(&self, normal_w: &Vec3, time: f64) -> f64 {
        let [a, b] = self.placed().map(|placed| placed.pose.translation.vector);
        let [[velocity_a, _], [velocity_b, _]] = &self.motions;
        normal_w.dot(&(b - a)) + time * normal_w.dot(&(velocity_b - velocity_a))
    }

    /// What is left of the linear part of a gap.
    fn grown_gap(&self, normal_w: &Vec3, half: f64, linear: f64) -> f64 {
        let pair = &self.motion.surfaces.pairs[self.pair];
        let [a, b] = self.placed().map(|placed| placed.pose.translation.vector.amax());
        let coordinates = 1.0 + a + b + linear.abs();
        linear
            - self.motion.bending(self.pair, half) * (1.0 + 1e-9)
            - pair.growth * normal_w.norm()
            - ROUNDING * coordinates
    }
}

/// One surface of a pair and the direction in which its farthest point is asked for.
struct SideAtMoment<'m> {
    surface: &'m Surface,
    placed: &'m Placed,
    /// Velocity of its origin, angular velocity.
    motion: &'m [Vec3; 2],
    dir_w: Vec3,
}
