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

use crate::motion::moving_pair::{Along, Moment, MovingPair, PairRates};
use crate::motion::rigid_motion::Motion;
use crate::motion::tuning::advancement::{
    FOLLOWED_GAIN, FOLLOWED_SHARE, MAX_FOLLOWED, MAX_TRIALS, TRIAL_GROWTH, TRIAL_LENGTH,
};
use smooth_scene_geometry::ConvexSurface;

impl<M: Motion, N: Motion> MovingPair<'_, M, N> {
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
            trial = if fraction >= 1.0 && trial < left {
                // Where f rises a chord may be longer than one under a constant f.
                (TRIAL_GROWTH * trial).min(left)
            } else if fraction < 0.6 && gained > 0.05 * step && bow > 0.0 {
                // The chord was too long to be tight if it ends far beyond what it proves.
                (1.3 * step).min(left)
            } else {
                break;
            };
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
    use crate::QueryOptions;
    use crate::motion::moving_pair::MovingBody;
    use crate::motion::rigid_motion::{Fixed, RigidMotion, ScrewMotion};
    use smooth_scene_geometry::math::{Pose, Vec3};
    use smooth_scene_geometry::{Sphere, Superellipsoid};

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
