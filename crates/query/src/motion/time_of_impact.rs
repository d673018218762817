//! When do two moving bodies first touch, and if they do not, how close do they come?

use crate::motion::closest_approach::closest_approach;
use crate::motion::moving_pair::{Moment, MovingBody, MovingPair};
use crate::motion::question::{MotionGoal, MotionOptions, MotionStatus, TimeOfImpact};
use crate::motion::rigid_motion::{Fixed, Motion};
use crate::motion::tuning::contact::{AIM, MAX_REFINEMENTS, UNRESOLVED};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;

/// Rounding error of a pose, in multiples of its coordinates, with room for the sums made of it.
const POSE_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The first contact of `a` and `b` as they move through the world over t ∈ [0, 1].
///
/// Conservative advancement ([Mirtich 1996], with bounds on speed and acceleration along the normal): the time
/// is advanced only as far as the bodies are proven apart, so no contact is ever passed, however fast the motion or
/// thin the bodies. Converges to the first contact; stops when the distance is within the contact tolerance τ or the
/// end is reached. Bodies that touch or overlap at the start have `time` 0. When the budget runs out, `time` is `None`,
/// the status says so, and `free_until` is as far as the proof got.
pub fn time_of_impact(
    a: &Shape,
    motion_a: &impl Motion,
    b: &Shape,
    motion_b: &impl Motion,
    options: &MotionOptions,
) -> TimeOfImpact {
    let mut pair =
        MovingPair::new(MovingBody::new(a, motion_a), MovingBody::new(b, motion_b), &options.query);
    let touching = touching_distance(&pair, options);
    let first = pair.distance_at(0.0);
    let mut nearest = Moment { time: 0.0, found: first };
    let mut now = nearest;
    while now.time < 1.0 || now.found.lower <= touching {
        if now.found.lower <= touching {
            return contact(&mut pair, now, touching);
        }
        // Half the tolerance is kept as a margin against rounding: it makes every step longer than nothing.
        let next = pair.step(&now, 0.5 * touching);
        if pair.queries > options.max_queries || next.time <= now.time {
            return unfinished(&pair, nearest, now, touching);
        }
        now = next;
        if now.found.distance < nearest.found.distance {
            nearest = now;
        }
    }
    let free = TimeOfImpact {
        time: None,
        free_until: 1.0,
        closest_time: nearest.time,
        distance: nearest.found,
        lower: 0.5 * touching,
        status: MotionStatus::Converged,
        iterations: pair.queries,
    };
    match options.goal {
        MotionGoal::FirstContact => free,
        MotionGoal::ClosestApproach => closest_approach(&mut pair, &free, options),
    }
}

/// As [`time_of_impact`] when only the motion of `b` relative to `a` is known: `motion_ab` is the pose of B in the frame
/// of A, and the answer is in the frame of A.
pub fn time_of_impact_relative(
    a: &Shape,
    b: &Shape,
    motion_ab: &impl Motion,
    options: &MotionOptions,
) -> TimeOfImpact {
    time_of_impact(a, &Fixed { pose: Pose::identity() }, b, motion_ab, options)
}

/// The distance that counts as touching, in metres.
fn touching_distance<M: Motion, N: Motion>(
    pair: &MovingPair<'_, M, N>,
    options: &MotionOptions,
) -> f64 {
    let mut farthest: f64 = 0.0;
    for time in [0.0, 1.0] {
        farthest = farthest.max(pair.a.motion.pose_at(time).translation.vector.amax());
        farthest = farthest.max(pair.b.motion.pose_at(time).translation.vector.amax());
    }
    (options.contact_tolerance * pair.size()).max(POSE_ROUNDING * farthest)
}

/// The answer for a moment within the contact tolerance: Newton's method on the distance as a function of time.
fn contact<M: Motion, N: Motion>(
    pair: &mut MovingPair<'_, M, N>,
    reached: Moment,
    touching: f64,
) -> TimeOfImpact {
    let mut best = reached;
    if best.time > 0.0 {
        best.found = pair.sharp_distance_at(best.time);
    }
    for _ in 0..MAX_REFINEMENTS {
        let excess = best.found.distance - AIM * touching;
        let rate = pair.rate(&best);
        let next = best.time - excess / rate;
        // A start inside the other body stays where it is. A distance that does not fall is a graze: the first
        // moment within the tolerance is the answer. A contact beyond the end is at the end, within the tolerance.
        if excess <= 0.1 * AIM * touching || rate >= 0.0 || best.time >= 1.0 {
            break;
        }
        let next = next.min(1.0);
        let trial = Moment { time: next, found: pair.sharp_distance_at(next) };
        // A step past the bottom of a graze lands in the rise behind it, or deep inside.
        if trial.found.distance.abs() > 0.5 * best.found.distance.abs() {
            break;
        }
        best = trial;
    }
    TimeOfImpact {
        time: Some(best.time),
        free_until: reached.time,
        closest_time: best.time,
        distance: best.found,
        lower: best.found.lower.min(0.5 * touching),
        status: if best.found.upper <= UNRESOLVED * touching {
            MotionStatus::Converged
        } else {
            MotionStatus::BudgetExhausted
        },
        iterations: pair.queries,
    }
}

/// The answer when the budget ran out at `now`.
fn unfinished<M: Motion, N: Motion>(
    pair: &MovingPair<'_, M, N>,
    nearest: Moment,
    now: Moment,
    touching: f64,
) -> TimeOfImpact {
    // Half-spaces that turn overlap without end: minus infinity is the truth then, and the only bound that is known.
    let left = 1.0 - now.time;
    let change = if left > 0.0 { pair.fastest_change() * left } else { 0.0 };
    let beyond = now.found.lower - change;
    TimeOfImpact {
        time: None,
        free_until: now.time,
        closest_time: nearest.time,
        distance: nearest.found,
        lower: beyond.min(0.5 * touching),
        status: MotionStatus::BudgetExhausted,
        iterations: pair.queries,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RigidMotion;
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::{HalfSpace, Sphere};

    fn ball() -> Shape {
        Sphere::new(0.5).unwrap().into()
    }

    fn shot(start: [f64; 3], velocity: [f64; 3], options: &MotionOptions) -> TimeOfImpact {
        let start = Pose::translation(start[0], start[1], start[2]);
        let motion = RigidMotion::translation(&start, Vec3::from(velocity));
        time_of_impact_relative(&ball(), &ball(), &motion, options)
    }

    #[test]
    fn overlapping_at_the_start_is_time_zero() {
        let answer = shot([0.5, 0.0, 0.0], [9.0, 0.0, 0.0], &MotionOptions::default());
        assert_eq!((answer.time, answer.free_until), (Some(0.0), 0.0));
        assert!((answer.distance.distance + 0.5).abs() < 1e-12);
    }

    #[test]
    fn touching_at_the_very_end_is_found() {
        let answer = shot([3.0, 0.0, 0.0], [-2.0, 0.0, 0.0], &MotionOptions::default());
        let time = answer.time.unwrap();
        assert!((time - 1.0).abs() < 1e-9 && time <= 1.0 && answer.free_until <= time);
    }

    #[test]
    fn no_motion_is_free_at_its_distance() {
        let answer = shot([3.0, 0.0, 0.0], [0.0; 3], &MotionOptions::default());
        assert_eq!((answer.time, answer.free_until), (None, 1.0));
        assert!((answer.distance.distance - 2.0).abs() < 1e-12);
        assert!(answer.lower <= 2.0 && answer.lower > 2.0 - 3e-6);
    }

    fn half_space(normal: [f64; 3]) -> Shape {
        HalfSpace::new(normal, 0.0).unwrap().into()
    }

    #[test]
    fn half_spaces_that_do_not_face_each_other_overlap_without_end() {
        let (floor, wall) = (half_space([0.0, 0.0, 1.0]), half_space([1.0, 0.0, 0.0]));
        let away = RigidMotion::translation(&Pose::translation(9.0, 0.0, 9.0), Vec3::z());
        for (a, b) in [(&floor, &wall), (&floor, &floor)] {
            let answer = time_of_impact_relative(a, b, &away, &MotionOptions::default());
            assert_eq!((answer.time, answer.free_until), (Some(0.0), 0.0));
            assert_eq!(answer.lower, f64::NEG_INFINITY);
            assert_eq!(answer.distance.distance, f64::NEG_INFINITY);
            assert_eq!(answer.status, MotionStatus::Converged);
        }
    }

    #[test]
    fn facing_half_spaces_meet_when_the_gap_is_used_up() {
        let (floor, ceiling) = (half_space([0.0, 0.0, 1.0]), half_space([0.0, 0.0, -1.0]));
        let start = Pose::translation(0.0, 0.0, 3.0);
        let falling = RigidMotion::translation(&start, Vec3::new(0.5, 0.0, -4.0));
        let answer = time_of_impact_relative(&floor, &ceiling, &falling, &MotionOptions::default());
        assert!((answer.time.unwrap() - 0.75).abs() < 1e-12, "{answer:?}");
        let rising = RigidMotion::translation(&start, Vec3::z());
        let answer = time_of_impact_relative(&floor, &ceiling, &rising, &MotionOptions::default());
        assert_eq!((answer.time, answer.free_until), (None, 1.0));
        assert!(answer.lower <= 3.0 && (answer.distance.distance - 3.0).abs() < 1e-12);
    }

    /// Any turn makes them overlap without end, at once: nothing is proven free, and no finite bound holds.
    #[test]
    fn a_half_space_that_turns_is_not_free_of_another() {
        let (floor, ceiling) = (half_space([0.0, 0.0, 1.0]), half_space([0.0, 0.0, -1.0]));
        let start = Pose::translation(0.0, 0.0, 3.0);
        let turning = RigidMotion::between(&start, &Pose::new(Vec3::z() * 3.0, Vec3::x() * 0.5));
        let answer = time_of_impact_relative(&floor, &ceiling, &turning, &MotionOptions::default());
        assert_eq!((answer.time, answer.free_until), (None, 0.0));
        assert_eq!(answer.status, MotionStatus::BudgetExhausted);
        assert_eq!(answer.lower, f64::NEG_INFINITY);
    }

    #[test]
    fn an_exhausted_budget_says_so_and_proves_what_it_can() {
        let options = MotionOptions { max_queries: 1, ..MotionOptions::default() };
        let answer = shot([3.0, 0.9, 0.0], [-9.0, 0.0, 0.0], &options);
        assert_eq!((answer.time, answer.status), (None, MotionStatus::BudgetExhausted));
        assert!(answer.free_until < 1.0 && answer.lower < 0.0 && answer.lower.is_finite());
    }
}
