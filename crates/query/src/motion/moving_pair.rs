//! Two moving bodies, the distance queries made on them, and the bounds on their motion that a step needs.

use crate::api::options::QueryOptions;
use crate::api::pair_query::PairQuery;
use crate::api::result::{SignedDistance, WarmStart};
use crate::motion::rigid_motion::{Motion, MotionRates};
use crate::solve::core_shape::CoreShape;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape};

/// Relative duality gap of a sharp query.
const SHARP_GAP: f64 = 1e-13;
/// Half-width, in time, of the difference that measures the rate of the distance.
const RATE_STEP: f64 = 1e-6;

/// One moving body.
pub(crate) struct MovingBody<'a, M> {
    pub shape: &'a Shape,
    pub motion: &'a M,
    /// Radius around the origin within which turning moves the surface.
    turning_radius: f64,
}

impl<'a, M: Motion> MovingBody<'a, M> {
    pub fn new(shape: &'a Shape, motion: &'a M) -> Self {
        let turning_radius = CoreShape::of(shape).0.bounding_radius();
        Self { shape, motion, turning_radius }
    }
}

/// A bound times a radius. No motion means no change even of an unbounded body, and no radius none even of an unknown
/// motion.
fn swept(radius: f64, rate: f64) -> f64 {
    if radius > 0.0 && rate > 0.0 { radius * rate } else { 0.0 }
}

/// f along a fixed direction at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Along {
    /// f.
    pub value: f64,
    /// n·(o_B − o_A).
    pub origins: f64,
}

/// The distance at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub time: f64,
    pub found: SignedDistance,
}

/// Bounds on how the pair moves during a step, along its normal.
pub(crate) struct PairRates {
    /// Largest n·(o_A' − o_B').
    pub closing: f64,
    /// L and K of the conservative advancement.
    pub fastest: f64,
    pub bending: f64,
    /// K for any direction, and V + r_AΩ_A + r_BΩ_B.
    pub bending_any: f64,
    pub speed_any: f64,
    /// Largest angular speed of either body.
    pub angular_speed: f64,
}

/// Two moving bodies, and what the queries on them have found so far.
pub(crate) struct MovingPair<'a, M, N> {
    pub a: MovingBody<'a, M>,
    pub b: MovingBody<'a, N>,
    pub query: &'a QueryOptions,
    /// Distance queries made.
    pub queries: u32,
    warm: WarmStart,
}

impl<'a, M: Motion, N: Motion> MovingPair<'a, M, N> {
    pub fn new(a: MovingBody<'a, M>, b: MovingBody<'a, N>, query: &'a QueryOptions) -> Self {
        Self { a, b, query, queries: 0, warm: WarmStart::default() }
    }

    /// Length that tolerances are relative to: the larger of the bounded bodies.
    pub fn size(&self) -> f64 {
        let radii = [self.a.shape.bounding_radius(), self.b.shape.bounding_radius()];
        radii.into_iter().filter(|r| r.is_finite()).fold(0.0, f64::max)
    }

    /// The signed distance at time t, started from the last one.
    pub fn distance_at(&mut self, time: f64) -> SignedDistance {
        self.query_at(time, self.query)
    }

    /// As [`distance_at`](Self::distance_at), as accurately as rounding permits.
    pub fn sharp_distance_at(&mut self, time: f64) -> SignedDistance {
        let gap_tolerance = self.query.gap_tolerance.min(SHARP_GAP);
        self.query_at(time, &QueryOptions { gap_tolerance, ..*self.query })
    }

    fn query_at(&mut self, time: f64, query: &QueryOptions) -> SignedDistance {
        let (pose_a, pose_b) = (self.a.motion.pose_at(time), self.b.motion.pose_at(time));
        let pair = PairQuery::new(self.a.shape, &pose_a, self.b.shape, &pose_b);
        let found = pair.options(query).warm_start(&self.warm).distance();
        self.queries += 1;
        self.warm = found.warm;
        found
    }

    /// f at time t along the unit vector `normal_w`.
    pub fn along(&self, normal_w: &Vec3, time: f64) -> Along {
        let (pose_a, pose_b) = (self.a.motion.pose_at(time), self.b.motion.pose_at(time));
        // The difference first: far from the origin of the world the two share their leading digits.
        let origins = normal_w.dot(&(pose_b.translation.vector - pose_a.translation.vector));
        let top_a = self.a.shape.support(&pose_a.rotation.inverse_transform_vector(normal_w));
        let top_b = self.b.shape.support(&pose_b.rotation.inverse_transform_vector(&-normal_w));
        Along { value: origins - top_a.value - top_b.value, origins }
    }

    /// Rate of the signed distance at a moment: by the envelope theorem, that at which the witnesses, carried along by
    /// their bodies, part along the normal.
    pub fn rate(&self, moment: &Moment) -> f64 {
        let time = moment.time;
        let (before, after) = ((time - RATE_STEP).max(0.0), (time + RATE_STEP).min(1.0));
        let moved_a = displacement(self.a.motion, &moment.found.witness_a_w, time, before, after);
        let moved_b = displacement(self.b.motion, &moment.found.witness_b_w, time, before, after);
        moment.found.normal_ab_w.dot(&(moved_b - moved_a)) / (after - before)
    }

    /// The fastest the signed distance can change per unit of time, over the whole motion.
    pub fn fastest_change(&self) -> f64 {
        self.rates(&Vec3::z(), 0.0).speed_any
    }

    /// Bounds over [`time`, 1] along the unit vector `normal`.
    pub fn rates(&self, normal: &Vec3, time: f64) -> PairRates {
        let (a, b) =
            (self.a.motion.rates(normal, time, 1.0), self.b.motion.rates(normal, time, 1.0));
        let closing = a.speed_along[1] - b.speed_along[0];
        let turned = |rate: fn(&MotionRates) -> f64| {
            swept(self.a.turning_radius, rate(&a)) + swept(self.b.turning_radius, rate(&b))
        };
        PairRates {
            closing,
            fastest: closing + turned(|r| r.turning),
            bending: a.acceleration_along + b.acceleration_along + turned(|r| r.turning_change),
            bending_any: a.acceleration
                + b.acceleration
                + turned(|r| r.angular_speed * r.angular_speed + r.angular_acceleration),
            speed_any: a.speed + b.speed + turned(|r| r.angular_speed),
            angular_speed: a.angular_speed.max(b.angular_speed),
        }
    }
}

/// How far a point that is at `point_w` at `time` moves with its body between two other times.
fn displacement(motion: &impl Motion, point_w: &Vec3, time: f64, before: f64, after: f64) -> Vec3 {
    let (pose, from, to) = (motion.pose_at(time), motion.pose_at(before), motion.pose_at(after));
    let local = pose.rotation.inverse_transform_vector(&(point_w - pose.translation.vector));
    // The translations are subtracted first: far from the origin of the world they share their leading digits.
    (to.translation.vector - from.translation.vector)
        + (to.rotation * local - from.rotation * local)
}
