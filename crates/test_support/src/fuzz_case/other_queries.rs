// Queries that must agree with the distance: yes or no, within a threshold, and along a motion.

use super::{Case, ROUNDING, check_numbers, finite_radius};
use smooth_scene_query::{
    Collision, DepthMode, Motion, MotionOptions, MotionStatus, PairQuery, QueryOptions,
    RigidMotion, Within, distance, time_of_impact,
};

/// Distance queries a motion may make: enough for most, and few enough that a case stays short.
const MOTION_QUERIES: u32 = 60;
/// Distance, relative to the lengths involved, that a reported contact may leave. Ten times the default tolerance.
const CONTACT: f64 = 1e-8;
/// Moments of a motion at which its proof is checked, as fractions of the time it covers.
const MOMENTS: [f64; 6] = [0.0, 0.17, 0.41, 0.66, 0.9, 0.999];

/// Proven bounds on the signed distance of a case.
pub struct Known {
    pub lower: f64,
    pub upper: f64,
    /// What rounding may explain, in metres.
    pub slack: f64,
}

impl Known {
    /// Whether [`lower`, `upper`] may hold the same number.
    fn agrees(&self, lower: f64, upper: f64) -> Result<(), String> {
        if lower <= self.upper + self.slack && upper >= self.lower - self.slack {
            return Ok(());
        }
        let known = (self.lower, self.upper);
        Err(format!("[{lower:e}, {upper:e}] contradicts the distance {known:?}"))
    }
}

fn fast(case: &Case) -> QueryOptions {
    QueryOptions { depth_mode: DepthMode::Fast, ..case.certified }
}

/// Yes or no.
pub fn check_collide(case: &Case, known: &Known) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, .. } = case;
    match PairQuery::new(a, pose_a, b, pose_b).options(&fast(case)).collides() {
        Collision::Apart { lower, normal_ab_w, .. } => {
            if lower.is_nan() || lower <= 0.0 || (normal_ab_w.norm() - 1.0).abs() > 1e-9 {
                return Err(format!("apart by {lower:e} along {normal_ab_w:?}"));
            }
            known.agrees(lower, f64::INFINITY)
        }
        Collision::Overlapping { .. } => known.agrees(f64::NEG_INFINITY, 0.0),
        Collision::Touching { lower, upper, .. } => {
            if !(lower <= 0.0 && upper >= 0.0) {
                return Err(format!("touching within [{lower:e}, {upper:e}]"));
            }
            known.agrees(lower, upper)
        }
    }
}

/// Within a threshold below, at and above the distance.
pub fn check_within(case: &Case, known: &Known) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, .. } = case;
    let thresholds = [0.0, 0.5 * known.upper, known.upper, 2.0 * known.upper];
    for threshold in thresholds.into_iter().filter(|threshold| threshold.is_finite()) {
        let query = PairQuery::new(a, pose_a, b, pose_b).options(&fast(case));
        let found = query.within(threshold);
        let checked = match &found {
            Within::Farther { lower, .. } if lower.is_nan() || *lower <= threshold => {
                Err(format!("farther, by {lower:e}"))
            }
            Within::Farther { lower, .. } => known.agrees(*lower, f64::INFINITY),
            Within::Near(near) => check_numbers(near, &case.certified)
                .and_then(|()| known.agrees(near.lower, near.upper)),
        };
        checked.map_err(|promise| format!("{promise}, threshold {threshold:e}"))?;
    }
    Ok(())
}

/// Along a motion.
pub fn check_motion(case: &Case, [motion_a, motion_b]: &[RigidMotion; 2]) -> Result<(), String> {
    let Case { a, b, .. } = case;
    let query = QueryOptions { gap_tolerance: 1e-10, ..fast(case) };
    let options = MotionOptions { query, max_queries: MOTION_QUERIES, ..MotionOptions::default() };
    let found = time_of_impact(a, motion_a, b, motion_b, &options);
    check_numbers(&found.distance, &query)?;
    let ends = [0.0, 1.0].map(|time| {
        let (a, b) = (motion_a.pose_at(time), motion_b.pose_at(time));
        a.translation.vector.norm() + b.translation.vector.norm()
    });
    let scale = finite_radius(a) + finite_radius(b) + ends[0].max(ends[1]);
    let unit = 0.0..=1.0;
    let times = [found.free_until, found.closest_time, found.time.unwrap_or(1.0)];
    let ordered = found.time.is_none_or(|time| time >= found.free_until);
    if !times.iter().all(|time| unit.contains(time)) || !ordered || !found.lower.is_finite() {
        return Err(format!("times {times:?}, lower {:e}", found.lower));
    }
    let contact = found.distance.distance;
    if found.time.is_some() && found.status == MotionStatus::Converged && contact > CONTACT * scale
    {
        return Err(format!("contact at a distance of {contact:e}"));
    }
    let known_until = found.time.unwrap_or(1.0);
    for fraction in MOMENTS {
        let at =
            |time: f64| distance(a, &motion_a.pose_at(time), b, &motion_b.pose_at(time), &query);
        let time = fraction * found.free_until;
        let free = at(time);
        if time < found.free_until && free.upper < -ROUNDING * scale {
            return Err(format!("free until {}, but {:e} at {time}", found.free_until, free.upper));
        }
        let time = fraction * known_until;
        let passed = at(time);
        if passed.upper < found.lower - ROUNDING * scale {
            return Err(format!("never below {:e}, but {:e} at {time}", found.lower, passed.upper));
        }
    }
    Ok(())
}
