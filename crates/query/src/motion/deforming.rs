//! The first contact of bodies that are deformed linearly while they move.

use crate::api::pair_query::distance;
use crate::api::result::SignedDistance;
use crate::motion::question::{MotionOptions, MotionStatus, TimeOfImpact};
use crate::motion::rigid_motion::Motion;
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape, ShapeError};

/// A body K whose image under the linear map M(t) = (1 − t)I + tD, in its own frame, moves over t ∈ [0, 1].
#[derive(Debug, Clone, Copy)]
pub struct DeformingBody<'a, M: Motion> {
    /// K.
    pub shape: &'a Shape,
    /// D: the map at t = 1.
    pub map_to: Mat3,
    /// The motion of the body's frame.
    pub motion: &'a M,
}

impl<M: Motion> DeformingBody<'_, M> {
    /// The body at a time; an error where the map is not invertible.
    pub fn shape_at(&self, time: f64) -> Result<Shape, ShapeError> {
        let matrix = Mat3::identity() * (1.0 - time) + self.map_to * time;
        // At the start and without a deformation, the shape as it is.
        if matrix == Mat3::identity() { Ok(self.shape.clone()) } else { self.shape.mapped(&matrix) }
    }

    /// A bound on the speed of every point of the body, m per motion.
    ///
    /// A point RM(t)x + o, |x| ≤ r, moves at RM'x + ω × RMx + o'. |M'| = |D − I|, and |M(t)| ≤ max(1, |D|) because a norm is
    /// convex.
    fn speed(&self) -> f64 {
        let rates = self.motion.rates(&Vec3::x(), 0.0, 1.0);
        let radius = self.shape.bounding_radius();
        let change = (self.map_to - Mat3::identity()).norm();
        let stretch = self.map_to.norm().max(1.0);
        // A zero times an infinite radius is no motion.
        let of = |rate: f64| if rate > 0.0 { rate * radius } else { 0.0 };
        rates.speed + of(rates.angular_speed * stretch) + of(change)
    }
}

/// The first contact of two bodies that move and are deformed.
///
/// Conservative advancement with one bound on all speeds: the distance falls no faster than the points of both bodies move, so
/// the time is advanced by the proven distance over the sum of the two bounds. No contact is ever passed. The closest
/// approach of a free motion is the nearest moment visited. Stops when the distance is within the contact tolerance, at the end,
/// or, with the status [`MotionStatus::BudgetExhausted`], after `max_queries`; of slow deformations before a contact that takes
/// a few hundred.
///
/// An error: a map that is not invertible, at the time the search came to.
pub fn time_of_impact_deforming<M: Motion, N: Motion>(
    a: &DeformingBody<'_, M>,
    b: &DeformingBody<'_, N>,
    options: &MotionOptions,
) -> Result<TimeOfImpact, ShapeError> {
    let speed = a.speed() + b.speed();
    let size = a.shape.bounding_radius().max(b.shape.bounding_radius());
    let touching = options.contact_tolerance * size;
    let at = |time: f64| -> Result<SignedDistance, ShapeError> {
        let (shape_a, shape_b) = (a.shape_at(time)?, b.shape_at(time)?);
        let (pose_a, pose_b) = (a.motion.pose_at(time), b.motion.pose_at(time));
        Ok(distance(&shape_a, &pose_a, &shape_b, &pose_b, &options.query))
    };
    let (mut time, mut found) = (0.0, at(0.0)?);
    let mut nearest = (time, found);
    let budget = options.max_queries.max(1);
    for queries in 1..=budget {
        let answer = |status: MotionStatus, contact: Option<f64>, free_until: f64| TimeOfImpact {
            time: contact,
            free_until,
            closest_time: nearest.0,
            distance: nearest.1,
            lower: nearest.1.lower.min(0.5 * touching),
            status,
            iterations: queries,
        };
        if found.lower <= touching {
            return Ok(answer(MotionStatus::Converged, Some(time), time));
        }
        if time >= 1.0 {
            return Ok(answer(MotionStatus::Converged, None, 1.0));
        }
        // Half the tolerance is kept as a margin against rounding.
        let next = if speed > 0.0 { time + (found.lower - 0.5 * touching) / speed } else { 1.0 };
        // A pose that is not a number proves nothing either.
        if next.is_nan() || next <= time || queries == budget {
            let beyond = found.lower - speed * (1.0 - time);
            let beyond = if beyond.is_nan() { f64::NEG_INFINITY } else { beyond };
            let open = answer(MotionStatus::BudgetExhausted, None, time);
            return Ok(TimeOfImpact { lower: open.lower.min(beyond), ..open });
        }
        time = next.min(1.0);
        found = at(time)?;
        if found.distance < nearest.1.distance {
            nearest = (time, found);
        }
    }
    unreachable!("the last query of the budget returns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::rigid_motion::{Fixed, RigidMotion};
    use smooth_scene_geometry::math::Pose;

    fn ball() -> Shape {
        Shape::sphere(1.0).unwrap()
    }

    /// A ball that swells to two metres while another comes: (1 + t) + 1 = 5 − 3t at 0.75.
    #[test]
    fn a_body_that_swells_touches_when_it_has_grown_enough() {
        let still = Fixed { pose: Pose::identity() };
        let coming =
            RigidMotion::translation(&Pose::translation(5.0, 0.0, 0.0), Vec3::new(-3.0, 0.0, 0.0));
        let a = DeformingBody { shape: &ball(), map_to: 2.0 * Mat3::identity(), motion: &still };
        let b = DeformingBody { shape: &ball(), map_to: Mat3::identity(), motion: &coming };
        let found = time_of_impact_deforming(&a, &b, &MotionOptions::default()).unwrap();
        assert_eq!(found.status, MotionStatus::Converged);
        assert!((found.time.unwrap() - 0.75).abs() < 1e-8, "{found:?}");
        assert!(found.free_until <= 0.75 && found.distance.lower >= 0.0);
    }

    /// Two balls side by side, the first stretched towards the second or away from it: free or not by closed form.
    #[test]
    fn a_stretch_across_the_gap_touches_and_one_along_it_stays_free() {
        let (still, there) =
            (Fixed { pose: Pose::identity() }, Fixed { pose: Pose::translation(3.0, 0.0, 0.0) });
        let of = |stretch: [f64; 3]| {
            let map_to = Mat3::from_diagonal(&Vec3::from(stretch));
            let a = DeformingBody { shape: &ball(), map_to, motion: &still };
            let b = DeformingBody { shape: &ball(), map_to: Mat3::identity(), motion: &there };
            time_of_impact_deforming(&a, &b, &MotionOptions::default()).unwrap()
        };
        let touches = of([3.0, 1.0, 1.0]);
        // 1 + 2t = 2.
        assert!((touches.time.unwrap() - 0.5).abs() < 1e-8, "{touches:?}");
        let free = of([1.0, 3.0, 3.0]);
        assert_eq!((free.time, free.free_until), (None, 1.0));
    }

    #[test]
    fn a_map_that_becomes_singular_on_the_way_is_an_error() {
        let still = Fixed { pose: Pose::identity() };
        let there = Fixed { pose: Pose::translation(9.0, 0.0, 0.0) };
        let flat = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0));
        let a = DeformingBody { shape: &ball(), map_to: flat, motion: &still };
        let b = DeformingBody { shape: &ball(), map_to: Mat3::identity(), motion: &there };
        assert!(time_of_impact_deforming(&a, &b, &MotionOptions::default()).is_err());
    }

    #[test]
    fn a_budget_that_ends_leaves_what_is_proven() {
        let still = Fixed { pose: Pose::identity() };
        let coming =
            RigidMotion::translation(&Pose::translation(5.0, 0.0, 0.0), Vec3::new(-3.0, 0.0, 0.0));
        let a = DeformingBody { shape: &ball(), map_to: 2.0 * Mat3::identity(), motion: &still };
        let b = DeformingBody { shape: &ball(), map_to: Mat3::identity(), motion: &coming };
        let few = MotionOptions { max_queries: 2, ..MotionOptions::default() };
        let found = time_of_impact_deforming(&a, &b, &few).unwrap();
        assert_eq!((found.status, found.time), (MotionStatus::BudgetExhausted, None));
        assert!(found.free_until > 0.0 && found.free_until < 0.75, "{found:?}");
        assert!(found.lower <= 0.0, "the rest of the motion is not proven free");
    }
}
