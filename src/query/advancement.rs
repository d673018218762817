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
//! Near a flat face of a body that turns, f along a direction fixed in the world falls at once, because the support
//! point leaves for the rim. There the direction is better carried along by that body: n = R_A(s)n_A. With d = o_B − o_A
//! and Ω the largest angular speeds, the same bound then holds with
//!
//! ```text
//! K = max |d''| + 2Ω_A|d'| + (Ω_A² + |ω_A'|)|d| + r_B((Ω_A + Ω_B)² + |ω_A'| + |ω_B'|)
//! ```
//!
//! because (n·d)'' = n''·d + 2n'·d' + n·d'', R_A no longer appears in h_A, and m_B = R_BᵀR_A n_A. Likewise for B.

use super::core_shape::CoreShape;
use super::motion::{Motion, MotionRates};
use super::options::QueryOptions;
use super::result::{SignedDistance, WarmStart};
use super::signed_distance::distance_from;
use crate::geometry::{ConvexSurface, Shape};
use crate::math::Vec3;
use nalgebra::UnitQuaternion;

/// Trials of the acceleration bound per step; each costs two support evaluations.
const MAX_TRIALS: u32 = 4;
/// Trial interval in multiples of √(margin/K). At √8 a constant f is just proven; less leaves room for a falling one.
const TRIAL_LENGTH: f64 = 2.4;
/// Half-width, in time, of the difference that measures the rate of f along a fixed direction.
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

/// A bound times a radius, where no motion means no change even of an unbounded body.
fn swept(radius: f64, rate: f64) -> f64 {
    if rate > 0.0 { radius * rate } else { 0.0 }
}

/// f along a fixed direction at one time.
#[derive(Debug, Clone, Copy)]
struct Along {
    value: f64,
    /// n·(o_B − o_A).
    origins: f64,
}

/// What the direction of a step is held fixed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carrier {
    World,
    A,
    B,
}

/// Where a step starts: the direction there, and how far f is above the level.
struct Start {
    normal_w: Vec3,
    time: f64,
    margin: f64,
    level: f64,
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
        let (pose_a, pose_b) = (self.a.motion.pose_at(time), self.b.motion.pose_at(time));
        let found =
            distance_from(self.a.shape, &pose_a, self.b.shape, &pose_b, self.query, &self.warm);
        self.queries += 1;
        self.warm = found.warm;
        found
    }

    fn along(&self, normal_w: &Vec3, time: f64) -> Along {
        let [top, origin_a] = self.a.height(normal_w, time);
        let [bottom, origin_b] = self.b.height(&-normal_w, time);
        Along { value: -bottom - top, origins: -origin_b - origin_a }
    }

    /// Rate of the signed distance at time t: by the envelope theorem that of f along its normal, held fixed.
    pub fn rate_along(&self, normal_w: &Vec3, time: f64) -> f64 {
        let (before, after) = ((time - RATE_STEP).max(0.0), (time + RATE_STEP).min(1.0));
        let change = self.along(normal_w, after).value - self.along(normal_w, before).value;
        change / (after - before)
    }

    /// The fastest the signed distance can change per unit of time, over the whole motion.
    pub fn fastest_change(&self) -> f64 {
        let a = self.a.motion.rates(&Vec3::z(), 0.0, 1.0);
        let b = self.b.motion.rates(&Vec3::z(), 0.0, 1.0);
        a.speed
            + b.speed
            + swept(self.a.turning_radius, a.angular_speed)
            + swept(self.b.turning_radius, b.angular_speed)
    }

    /// The latest time in [`time`, 1] up to which the signed distance is proven to stay at or above `level`, given the
    /// distance found at `time`. Equal to `time` when that distance is below the level.
    pub fn advance(&self, found: &SignedDistance, time: f64, level: f64) -> f64 {
        let normal = found.normal_ab_w;
        let now = self.along(&normal, time);
        let left = 1.0 - time;
        let rates =
            [self.a.motion.rates(&normal, time, 1.0), self.b.motion.rates(&normal, time, 1.0)];
        let [a, b] = &rates;
        let closing = a.speed_along[1] - b.speed_along[0];
        let fastest = closing
            + swept(self.a.turning_radius, a.turning)
            + swept(self.b.turning_radius, b.turning);
        let margin = now.value - level;
        // 1. The bound that needs nothing but the distance: for bodies whose parts f does not tell apart.
        let mut step = time_to_spend(found.lower - level, self.fastest_change());
        // 2. Speed along n, of the surfaces and of the bounding spheres.
        step = step.max(time_to_spend(margin, fastest));
        let spheres = self.a.shape.bounding_radius() + self.b.shape.bounding_radius();
        step = step.max(time_to_spend(now.origins - spheres - level, closing));
        // 3. Acceleration along n, held fixed in the world or in one of the bodies.
        for carrier in [Carrier::World, Carrier::A, Carrier::B] {
            let repeats = match carrier {
                Carrier::World => false,
                Carrier::A => a.angular_speed <= 0.0,
                Carrier::B => b.angular_speed <= 0.0,
            };
            if margin <= 0.0 || step >= left || repeats {
                continue;
            }
            let bending = self.bending(carrier, &rates, time);
            if bending.is_finite() {
                let start = Start { normal_w: normal, time, margin, level };
                step = step.max(self.curved_step(carrier, &start, bending));
            }
        }
        if step >= left { 1.0 } else { time + step }
    }

    /// The bound K for a direction that turns with `carrier`, over [`time`, 1].
    fn bending(&self, carrier: Carrier, rates: &[MotionRates; 2], time: f64) -> f64 {
        let [a, b] = rates;
        let (radius_a, radius_b) = (self.a.turning_radius, self.b.turning_radius);
        let (carrying, other_radius) = match carrier {
            Carrier::World => {
                return a.acceleration_along
                    + b.acceleration_along
                    + swept(radius_a, a.turning_change)
                    + swept(radius_b, b.turning_change);
            }
            Carrier::A => (a, radius_b),
            Carrier::B => (b, radius_a),
        };
        let turning = a.angular_speed + b.angular_speed;
        let turning_change = turning * turning + a.angular_acceleration + b.angular_acceleration;
        let speed = a.speed + b.speed;
        let origin = |t: f64| {
            self.b.motion.pose_at(t).translation.vector
                - self.a.motion.pose_at(t).translation.vector
        };
        let reach = origin(time).norm() + speed * (1.0 - time);
        let own_change =
            carrying.angular_speed * carrying.angular_speed + carrying.angular_acceleration;
        a.acceleration
            + b.acceleration
            + 2.0 * carrying.angular_speed * speed
            + own_change * reach
            + swept(other_radius, turning_change)
    }

    /// f at time `end` along the direction that is `start.normal_w` at `start.time` and turns with `carrier`.
    fn carried(&self, carrier: Carrier, start: &Start, end: f64) -> f64 {
        let turn = |rotation: &dyn Fn(f64) -> UnitQuaternion<f64>| {
            rotation(end) * rotation(start.time).inverse_transform_vector(&start.normal_w)
        };
        let normal = match carrier {
            Carrier::World => start.normal_w,
            Carrier::A => turn(&|t| self.a.motion.pose_at(t).rotation),
            Carrier::B => turn(&|t| self.b.motion.pose_at(t).rotation),
        };
        self.along(&normal, end).value
    }

    /// The longest step the acceleration bound proves, over a few trial intervals.
    fn curved_step(&self, carrier: Carrier, start: &Start, bending: f64) -> f64 {
        let left = 1.0 - start.time;
        let mut trial = left.min(TRIAL_LENGTH * (start.margin / bending).sqrt());
        let mut proven: f64 = 0.0;
        for _ in 0..MAX_TRIALS {
            let end = self.carried(carrier, start, start.time + trial) - start.level;
            let bow = 0.5 * bending * trial * trial;
            let fraction = first_root(start.margin, end, bow);
            let reached = fraction * trial;
            let gained = reached - proven;
            proven = proven.max(reached);
            // The chord was too long to be tight if it ends far beyond what it proves.
            if fraction >= 0.6 || gained <= 0.05 * proven || bow <= 0.0 {
                break;
            }
            trial = (1.3 * reached).min(left);
        }
        proven
    }
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
        let found = pair.distance_at(0.0);
        assert!((pair.advance(&found, 0.0, 0.0) - 0.5).abs() < 1e-15);
        assert!((pair.advance(&found, 0.0, 0.3) - 0.45).abs() < 1e-15);
        assert!((pair.rate_along(&found.normal_ab_w, 0.2) + 6.0).abs() < 1e-8);
    }

    #[test]
    fn an_advance_never_reaches_a_time_below_the_level() {
        let a = Superellipsoid::new([0.1, 0.3, 1.0], 0.3, 0.2).unwrap().into();
        let b = Superellipsoid::new([0.8, 0.2, 0.1], 1.5, 0.6).unwrap().into();
        let fixed = Fixed { pose: Pose::identity() };
        let query = QueryOptions::default();
        for k in 0..40 {
            let turn = Vec3::new(1.0 + k as f64 * 0.3, 2.0, -0.1 * k as f64);
            let start = Pose::new(Vec3::new(0.9, 0.9, 0.3), Vec3::new(0.1 * k as f64, 0.4, 0.0));
            let moving = ScrewMotion::new(&start, Vec3::new(-0.7, -0.6, 0.1), turn);
            let mut pair =
                MovingPair::new(MovingBody::new(&a, &fixed), MovingBody::new(&b, &moving), &query);
            let found = pair.distance_at(0.0);
            let level = 0.3 * found.lower;
            let end = pair.advance(&found, 0.0, level);
            assert!(end > 0.0);
            for i in 0..=50 {
                assert!(pair.distance_at(end * i as f64 / 50.0).upper >= level - 1e-12, "{k}");
            }
        }
    }
}
