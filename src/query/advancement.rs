//! Conservative advancement: how far two moving bodies may be advanced with a proof that they stay apart.
//!
//! [Mirtich 1996] advances time by (distance)/(largest closing speed): a step that cannot pass a contact. Here the
//! proof is taken along the current normal n, held fixed in the world for one step. At every time s the separation
//!
//! ```text
//! f_s(n) = n·(o_B − o_A) − h_A(R_Aᵀn) − h_B(−R_Bᵀn)
//! ```
//!
//! is a lower bound on the signed distance, and costs two support evaluations. Three bounds on it over [t, t + Δ],
//! with r the radii of the bodies around their origins (the rounding of a rounded body does not turn, and is left out):
//!
//! ```text
//! speed        f_s ≥ f_t − L(s − t),                      L = max n·(o_A' − o_B') + r_A|m_A'| + r_B|m_B'|
//! acceleration f_s ≥ (1−λ)f_t + λf_{t+Δ} − ½KΔ²λ(1−λ),    K = max |n·o_A''| + |n·o_B''| + r_A|m_A''| + r_B|m_B''|
//! spheres      f_s ≥ n·(o_B − o_A) − r_A − r_B            with s = t + λΔ
//! ```
//!
//! The second needs no smoothness of the bodies: with m = Rᵀn, h is convex, so h on the chord between two directions
//! is at most the chord of h, and h is r-Lipschitz, so leaving the chord costs at most r times the distance to it,
//! which is ½Δ²λ(1−λ) max|m''|. It is exact for translations, where each step is a Newton step on the convex distance;
//! with rotation its error falls with Δ², so that steps shrink only with the square root of the distance that is left.
//!
//! Where a flat face or an edge turns, f along a fixed direction falls at once, because the support point leaves for
//! the rim, and only a direction that follows the bodies stays good. Let n go straight from the normal n₁ at t to the
//! normal n₂ at t + Δ, found by a second query. f is positively homogeneous, so the shorter vectors in between prove
//! less than their unit vectors would, and the same argument gives the acceleration bound with f_t(n₁), f_{t+Δ}(n₂) and
//!
//! ```text
//! ½KΔ² + |n₂ − n₁|Δ(V + r_AΩ_A + r_BΩ_B)    in place of ½KΔ²
//! ```
//!
//! V and Ω being the largest linear and angular speeds: (n·d)'' = n·d'' + 2n'·d', m'' = (R''ᵀ)n + 2(R'ᵀ)n'.

use super::core_shape::CoreShape;
use super::motion::{Motion, MotionRates};
use super::options::QueryOptions;
use super::result::{SignedDistance, WarmStart};
use super::signed_distance::distance_from;
use crate::geometry::{ConvexSurface, Shape};
use crate::math::Vec3;

/// Trials of the acceleration bound per step; each costs two support evaluations.
const MAX_TRIALS: u32 = 4;
/// Trial interval in multiples of √(margin/K). At √8 a constant f is just proven; less leaves room for a falling one.
const TRIAL_LENGTH: f64 = 2.4;
/// Trials with a second query per step, each shorter than the one before.
const MAX_FOLLOWED: u32 = 3;
/// How much longer such a step has to be than the one along a fixed normal.
const FOLLOWED_GAIN: f64 = 2.0;
/// Part of the way to the expected contact that it may cover: beyond the contact there is no normal to follow.
const FOLLOWED_SHARE: f64 = 0.7;
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

    /// Largest n·x over the body at time t, and n·o.
    fn height(&self, dir_w: &Vec3, time: f64) -> [f64; 2] {
        let pose = self.motion.pose_at(time);
        let origin = dir_w.dot(&pose.translation.vector);
        [origin + self.shape.support(&pose.rotation.inverse_transform_vector(dir_w)).value, origin]
    }
}

/// A bound times a radius. No motion means no change even of an unbounded body, and no radius none even of an unknown
/// motion.
fn swept(radius: f64, rate: f64) -> f64 {
    if radius > 0.0 && rate > 0.0 { radius * rate } else { 0.0 }
}

/// f along a fixed direction at one time.
#[derive(Debug, Clone, Copy)]
struct Along {
    value: f64,
    /// n·(o_B − o_A).
    origins: f64,
}

/// The distance at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub time: f64,
    pub found: SignedDistance,
}

/// Bounds on how the pair moves during a step, along its normal.
struct PairRates {
    /// Largest n·(o_A' − o_B').
    closing: f64,
    /// L and K of the module's documentation.
    fastest: f64,
    bending: f64,
    /// K for any direction, and V + r_AΩ_A + r_BΩ_B.
    bending_any: f64,
    speed_any: f64,
    /// Largest angular speed of either body.
    angular_speed: f64,
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
        let found = distance_from(self.a.shape, &pose_a, self.b.shape, &pose_b, query, &self.warm);
        self.queries += 1;
        self.warm = found.warm;
        found
    }

    fn along(&self, normal_w: &Vec3, time: f64) -> Along {
        let [top, origin_a] = self.a.height(normal_w, time);
        let [bottom, origin_b] = self.b.height(&-normal_w, time);
        Along { value: -bottom - top, origins: -origin_b - origin_a }
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

    fn rates(&self, normal: &Vec3, time: f64) -> PairRates {
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

    /// A later moment up to which the signed distance is proven to stay at or above `level` ≥ 0. At the same time as
    /// `now` when nothing can be proven, because the distance there is not above the level.
    pub fn step(&mut self, now: &Moment, level: f64) -> Moment {
        let rates = self.rates(&now.found.normal_ab_w, now.time);
        let left = 1.0 - now.time;
        let at = self.along(&now.found.normal_ab_w, now.time);
        let straight = self.straight_step(now, &at, level, &rates);
        let margin = at.value - level;
        if straight < left
            && margin > 0.0
            && let Some(next) = self.following_step(now, margin, level, &rates, straight)
        {
            return next;
        }
        let time = if straight >= left { 1.0 } else { now.time + straight };
        Moment { time, found: self.distance_at(time) }
    }

    /// The longest step proven along the normal as it is now.
    fn straight_step(&self, now: &Moment, at: &Along, level: f64, rates: &PairRates) -> f64 {
        let (normal, left) = (now.found.normal_ab_w, 1.0 - now.time);
        let margin = at.value - level;
        // 1. The bound that needs nothing but the distance: for bodies whose parts f does not tell apart.
        let mut step = time_to_spend(now.found.lower - level, rates.speed_any);
        // 2. Speed along n, of the surfaces and of the bounding spheres.
        step = step.max(time_to_spend(margin, rates.fastest));
        let spheres = self.a.shape.bounding_radius() + self.b.shape.bounding_radius();
        step = step.max(time_to_spend(at.origins - spheres - level, rates.closing));
        // 3. Acceleration along n, over a few trial intervals.
        if margin <= 0.0 || step >= left || !rates.bending.is_finite() {
            return step;
        }
        let mut trial = left.min(TRIAL_LENGTH * (margin / rates.bending).sqrt());
        for _ in 0..MAX_TRIALS {
            let end = self.along(&normal, now.time + trial).value - level;
            let bow = 0.5 * rates.bending * trial * trial;
            let fraction = first_root(margin, end, bow);
            let gained = fraction * trial - step;
            step = step.max(fraction * trial);
            // The chord was too long to be tight if it ends far beyond what it proves.
            if fraction >= 0.6 || gained <= 0.05 * step || bow <= 0.0 {
                break;
            }
            trial = (1.3 * step).min(left);
        }
        step
    }

    /// A step with a normal that follows the bodies, if one can be proven that is longer than `straight` by enough to
    /// pay for the queries it takes. `margin` is f along the present normal, above the level.
    fn following_step(
        &mut self,
        now: &Moment,
        margin: f64,
        level: f64,
        rates: &PairRates,
        straight: f64,
    ) -> Option<Moment> {
        let bending = rates.bending_any + 2.0 * rates.angular_speed * rates.speed_any;
        let mut trial = (1.0 - now.time).min((margin / bending).sqrt());
        let rate = self.rate(now);
        if rate < 0.0 {
            trial = trial.min(-FOLLOWED_SHARE * margin / rate);
        }
        for _ in 0..MAX_FOLLOWED {
            // Also false when a bound is infinite or the margin gone, and the trial therefore zero or NaN.
            let worthwhile = trial > FOLLOWED_GAIN * straight;
            if !worthwhile {
                return None;
            }
            let time = (now.time + trial).min(1.0);
            let next = Moment { time, found: self.distance_at(time) };
            let turn = (next.found.normal_ab_w - now.found.normal_ab_w).norm();
            let bow = 0.5 * rates.bending_any * trial * trial + turn * trial * rates.speed_any;
            // f itself, not the distance: of bodies made of several parts only f is a bound for all of them.
            let end = self.along(&next.found.normal_ab_w, time).value - level;
            let fraction = first_root(margin, end, bow);
            if fraction >= 1.0 && end >= 0.0 {
                return Some(next);
            }
            trial *= 0.7 * fraction;
        }
        None
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

/// margin/rate: the time in which a change at that rate uses up the margin.
fn time_to_spend(margin: f64, rate: f64) -> f64 {
    if margin <= 0.0 {
        0.0
    } else if rate > 0.0 {
        margin / rate
    } else {
        f64::INFINITY
    }
}

/// The first λ in [0, 1] at which (1−λ)·start + λ·end − bow·λ(1−λ) is zero, or 1 when it stays positive.
fn first_root(start: f64, end: f64, bow: f64) -> f64 {
    // bow·λ² − fall·λ + start = 0. The smaller root, in the form that does not cancel.
    let fall = start - end + bow;
    if fall <= 0.0 {
        return 1.0;
    }
    let discriminant = fall * fall - 4.0 * bow * start;
    if discriminant < 0.0 {
        return 1.0;
    }
    (2.0 * start / (fall + discriminant.sqrt())).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Sphere, Superellipsoid};
    use crate::math::Pose;
    use crate::query::motion::{Fixed, RigidMotion, ScrewMotion};

    #[test]
    fn first_root_of_a_line_and_of_a_sagging_chord() {
        assert!((first_root(1.0, -1.0, 0.0) - 0.5).abs() < 1e-15);
        assert_eq!(first_root(1.0, 1.0, 3.9), 1.0);
        assert!((first_root(1.0, 1.0, 4.0) - 0.5).abs() < 1e-15);
        assert_eq!(first_root(1.0, 2.0, 0.0), 1.0);
    }

    #[test]
    fn a_translation_is_advanced_exactly_to_the_level() {
        let shape = Sphere::new(0.5).unwrap().into();
        let fixed = Fixed { pose: Pose::identity() };
        let start = Pose::translation(4.0, 0.0, 0.0);
        let moving = RigidMotion::translation(&start, Vec3::new(-6.0, 0.0, 0.0));
        let query = QueryOptions::default();
        let mut pair = MovingPair::new(
            MovingBody::new(&shape, &fixed),
            MovingBody::new(&shape, &moving),
            &query,
        );
        let now = Moment { time: 0.0, found: pair.distance_at(0.0) };
        assert!((pair.step(&now, 0.0).time - 0.5).abs() < 1e-15);
        assert!((pair.step(&now, 0.3).time - 0.45).abs() < 1e-15);
        assert!((pair.rate(&now) + 6.0).abs() < 1e-8);
    }

    #[test]
    fn a_step_never_passes_a_time_below_the_level() {
        let a = Superellipsoid::new([0.1, 0.3, 1.0], 0.3, 0.02).unwrap().into();
        let b = Superellipsoid::new([0.8, 0.2, 0.1], 0.02, 0.6).unwrap().into();
        let fixed = Fixed { pose: Pose::identity() };
        let query = QueryOptions::default();
        for k in 0..40 {
            let turn = Vec3::new(1.0 + k as f64 * 0.3, 2.0, -0.1 * k as f64);
            let start = Pose::new(Vec3::new(0.9, 0.9, 0.3), Vec3::new(0.1 * k as f64, 0.4, 0.0));
            let moving = ScrewMotion::new(&start, Vec3::new(-0.7, -0.6, 0.1), turn);
            let mut pair =
                MovingPair::new(MovingBody::new(&a, &fixed), MovingBody::new(&b, &moving), &query);
            let now = Moment { time: 0.0, found: pair.distance_at(0.0) };
            let level = 0.3 * now.found.lower;
            let end = pair.step(&now, level).time;
            assert!(end > 0.0);
            for i in 0..=50 {
                assert!(pair.distance_at(end * i as f64 / 50.0).upper >= level - 1e-12, "{k}");
            }
        }
    }
}
