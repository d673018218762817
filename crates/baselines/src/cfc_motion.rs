//! The first contact of a body that moves, by nonlinear least squares on the contact space: the continuous CFC-Dist-LS
//! [Ruan 2022, §V-B].
//!
//! ```text
//! minimize over ψ = (η, ω) and τ    ½|r(ψ, τ)|²,    r = p(τ) − x_Σ(m(ψ), τ)                [Ruan 2022, eq. 20]
//! ```
//!
//! where p(τ) is the centre of B and x_Σ(·, τ) the contact space with B turned as it is at τ, in the frame of A. A zero is
//! a contact, any other minimum a closest approach. The centre enters the contact space and leaves it again, so there are two
//! zeros; the source starts at τ = 0 and takes the one that is found. Its equation keeps τ within the motion, its code does not:
//! as in the code, τ is free here, and an end outside [0, 1] is an answer without contact.

use crate::answer::{MotionAnswer, Unsupported};
use crate::contact_space::ContactSpace;
use crate::dogleg::{self, Linearization};
use crate::relative_pair::{RelativePair, Solution, is_finite};
use crate::solver::parts;
use nalgebra::{Matrix3, Vector3};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Half the step of the central difference in τ (Ceres default). The source takes all derivatives so; here those by ψ are
/// exact.
const TIME_STEP: f64 = 1e-6;
/// Distance at which the source's code calls a minimum a contact, in metres.
const TOUCHING: f64 = 1e-3;

/// A body during a motion over the times from 0 to 1. The search may look a little beyond them.
#[derive(Clone, Copy)]
pub struct MovingBody<'a> {
    /// The shape at a time, which may be another linear deformation of the same body every time [Ruan 2022, eq. 9]; `None` where
    /// it has none, as with a deformation that is not invertible.
    pub shape: &'a dyn Fn(f64) -> Option<Shape>,
    /// The pose at a time, world frame.
    pub pose: &'a dyn Fn(f64) -> Pose,
}

impl MovingBody<'_> {
    /// How many parts the body has at the start.
    fn part_count(&self) -> usize {
        (self.shape)(0.0).map_or(0, |shape| parts(&shape).len())
    }

    /// A part of the body at a time.
    fn part(&self, index: usize, time: f64) -> Option<(Shape, Pose)> {
        let shape = (self.shape)(time)?;
        let (at, part) = *parts(&shape).get(index)?;
        Some((part.clone(), (self.pose)(time) * at))
    }
}

/// CFC-Dist-LS for a body B that moves past a body A that stands: `pose_b` is where B is at a time, world frame, its
/// motion that of the times from 0 to 1.
pub fn first_contact(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &dyn Fn(f64) -> Pose,
) -> Result<MotionAnswer, Unsupported> {
    let (shape_a, shape_b) = (|_| Some(a.clone()), |_| Some(b.clone()));
    let standing = |_| *pose_a;
    first_contact_of(
        &MovingBody { shape: &shape_a, pose: &standing },
        &MovingBody { shape: &shape_b, pose: pose_b },
    )
}

/// CFC-Dist-LS for two bodies that move and are deformed. Of unions, the earliest contact of two parts is the answer, or the
/// closest approach of all; it counts as converged when all pairs did.
///
/// Starts at the angles of the centre of B seen from A at τ = 0. Stops where the cost, its gradient or the step is as small
/// as the source's code asks for; after 100 steps, or where a number is not finite or a body has no shape, `closest.converged`
/// is false.
pub fn first_contact_of(
    a: &MovingBody<'_>,
    b: &MovingBody<'_>,
) -> Result<MotionAnswer, Unsupported> {
    let mut first: Option<MotionAnswer> = None;
    for k in 0..a.part_count() {
        for l in 0..b.part_count() {
            let found = of_parts(&|time| Some((a.part(k, time)?, b.part(l, time)?)))?;
            first = Some(first.map_or(found, |before| merged(before, found)));
        }
    }
    first.ok_or(Unsupported { solver: SOLVER, shape: NO_SHAPE })
}

const SOLVER: &str = "cfc-distance";
/// What a body is called whose deformation at the start is not invertible.
const NO_SHAPE: &str = "body without a shape at the start";

/// The earlier contact, or the closer approach, with the steps of both.
fn merged(before: MotionAnswer, found: MotionAnswer) -> MotionAnswer {
    let later = match (before.contact, found.contact) {
        (Some(old), Some(new)) => new < old,
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => found.closest.distance < before.closest.distance,
    };
    let mut answer = if later { found } else { before };
    answer.closest.converged = before.closest.converged && found.closest.converged;
    answer.closest.iterations = before.closest.iterations + found.closest.iterations;
    answer
}

/// Two bodies with their poses at a time.
type Bodies = ((Shape, Pose), (Shape, Pose));

/// The search for one pair of parts.
fn of_parts(at: &dyn Fn(f64) -> Option<Bodies>) -> Result<MotionAnswer, Unsupported> {
    let Some(((a, pose_a), (b, pose_b))) = at(0.0) else {
        return Err(Unsupported { solver: SOLVER, shape: NO_SHAPE });
    };
    let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
    let space = ContactSpace::new(&pair)?;
    let [eta, omega] = space.first_angles();
    let gap = |psi: [f64; 2], time: f64| {
        let ((a, pose_a), (b, pose_b)) = at(time)?;
        let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
        // The kinds of the shapes were accepted at the start.
        let space = ContactSpace::new(&pair).ok()?;
        let gap = space.centre - space.at(&space.gradient_at(psi)).position;
        is_finite(&gap).then_some(gap)
    };
    // r, ∂r/∂ψ_k = −∂x and ∂r/∂τ.
    let linearize = |x: &Vector3<f64>| -> Option<Linearization<3, 3>> {
        let (psi, time) = ([x[0], x[1]], x[2]);
        let ((a, pose_a), (b, pose_b)) = at(time)?;
        let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
        let jet = ContactSpace::new(&pair).ok()?.jet_at_angles(psi)?;
        let [by_eta, by_omega] = jet.position_rates.map(|rate| -rate);
        let by_time: Vec3 =
            (gap(psi, time + TIME_STEP)? - gap(psi, time - TIME_STEP)?) / (2.0 * TIME_STEP);
        let jacobian = Matrix3::from_columns(&[by_eta, by_omega, by_time]);
        Some(Linearization { residual: jet.gap, jacobian })
    };
    let found = dogleg::minimize(Vector3::new(eta, omega, 0.0), linearize);
    // A search without a first step ends where it starts, so there are always bodies here.
    let time = found.at[2];
    let Some(((a, pose_a), (b, pose_b))) = at(time) else {
        return Err(Unsupported { solver: SOLVER, shape: NO_SHAPE });
    };
    let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
    let space = ContactSpace::new(&pair)?;
    let solution = space.solution(&space.gradient_at([found.at[0], found.at[1]]), found.iterations);
    let closest = pair.answer(Solution { converged: found.converged, ..solution });
    let touches = closest.distance <= TOUCHING && (0.0..=1.0).contains(&time);
    Ok(MotionAnswer { contact: touches.then_some(time), closest_time: time, closest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::{Random, sphere};
    use smooth_scene_geometry::Superovoid;
    use smooth_scene_geometry::math::Mat3;
    use smooth_scene_query::{
        Fixed, Motion, MotionOptions, QueryOptions, RigidMotion, distance, time_of_impact,
    };

    /// A ball of 0.5 m that moves along x at a height, past a ball of 1 m at the origin.
    fn balls(from: f64, to: f64, height: f64) -> MotionAnswer {
        let (a, pose_a) = sphere(1.0, [0.0; 3]);
        let (b, _) = sphere(0.5, [0.0; 3]);
        let pose_b = |t: f64| Pose::translation(from + t * (to - from), height, 0.0);
        first_contact(&a, &pose_a, &b, &pose_b).unwrap()
    }

    #[test]
    fn balls_touch_when_their_centres_are_the_sum_of_the_radii_apart() {
        // 1.5² = 0.9² + 1.2²: from −5 to −1.2 of the ten metres to 5.
        let answer = balls(-5.0, 5.0, 0.9);
        assert!(answer.closest.converged, "{answer:?}");
        assert!((answer.contact.unwrap() - 0.38).abs() < 1e-9, "{answer:?}");
        assert!(answer.closest.distance.abs() < 1e-9, "{answer:?}");
        assert!((answer.closest.normal_ab_w - Vec3::new(-0.8, 0.6, 0.0)).norm() < 1e-8);
    }

    #[test]
    fn balls_that_miss_have_a_closest_approach_and_no_contact() {
        let answer = balls(-5.0, 5.0, 3.5);
        assert!(answer.closest.converged && answer.contact.is_none(), "{answer:?}");
        assert!((answer.closest_time - 0.5).abs() < 1e-6, "{answer:?}");
        assert!((answer.closest.distance - 2.0).abs() < 1e-10, "{answer:?}");
    }

    #[test]
    fn a_contact_before_the_motion_begins_is_none() {
        let answer = balls(2.0, 5.0, 0.9);
        assert!(answer.closest_time < 0.0 && answer.contact.is_none(), "{answer:?}");
    }

    #[test]
    fn mild_bodies_that_turn_as_they_fly_touch_when_the_proven_search_says() {
        let mut random = Random(20);
        let mut hits = 0;
        for _ in 0..40 {
            let (a, b) = (random.mild_superellipsoid(), random.mild_poly_ellipsoid());
            let (start, mut end) = (random.pose(4.0), random.pose(1.0));
            end.translation.vector = 6.0 * end.translation.vector - start.translation.vector;
            let motion = RigidMotion::between(&start, &end);
            let fixed = Fixed { pose: Pose::identity() };
            let proven = time_of_impact(&a, &fixed, &b, &motion, &MotionOptions::default());
            let pose_b = |t: f64| motion.pose_at(t);
            let answer = first_contact(&a, &Pose::identity(), &b, &pose_b).unwrap();
            assert_eq!(answer.contact.is_some(), proven.time.is_some(), "{answer:?} {proven:?}");
            if let (Some(found), Some(time)) = (answer.contact, proven.time) {
                hits += 1;
                assert!((found - time).abs() < 1e-6, "{found} {time}");
            }
        }
        assert!((10..=35).contains(&hits), "{hits} of 40 touch");
    }

    /// A ball that swells from one metre in radius to two while another approaches: they touch when their radii fill the gap.
    #[test]
    fn a_body_that_swells_touches_when_it_has_grown_enough() {
        let (ball, _) = sphere(1.0, [0.0; 3]);
        let swelling = |t: f64| ball.mapped(&(Mat3::identity() * (1.0 + t))).ok();
        let steady = |_: f64| Some(ball.clone());
        let (still, coming) =
            (|_: f64| Pose::identity(), |t: f64| Pose::translation(5.0 - 3.0 * t, 0.0, 0.0));
        let answer = first_contact_of(
            &MovingBody { shape: &swelling, pose: &still },
            &MovingBody { shape: &steady, pose: &coming },
        )
        .unwrap();
        // (1 + t) + 1 = 5 − 3t.
        assert!((answer.contact.unwrap() - 0.75).abs() < 1e-9, "{answer:?}");
        assert!((answer.closest.point_a_w - Vec3::new(1.75, 0.0, 0.0)).norm() < 1e-8);
    }

    /// Bodies that are sheared and stretched more and more, against distances of our own at many times.
    #[test]
    fn bodies_that_are_deformed_on_the_way_touch_at_a_distance_of_zero() {
        let mut random = Random(28);
        let mut hits = 0;
        for _ in 0..20 {
            let (a, b) = (random.mild_superellipsoid(), random.mild_poly_ellipsoid());
            let mut shear = || Mat3::from_fn(|_, _| random.between(-0.3, 0.3));
            let (change_a, change_b) = (shear(), shear());
            let shape_a = |t: f64| a.mapped(&(Mat3::identity() + t * change_a)).ok();
            let shape_b = |t: f64| b.mapped(&(Mat3::identity() + t * change_b)).ok();
            let (start, mut end) = (random.pose(4.5), random.pose(1.0));
            end.translation.vector = 0.5 * end.translation.vector - start.translation.vector;
            let motion = RigidMotion::between(&start, &end);
            let (still, pose_b) = (|_: f64| Pose::identity(), |t: f64| motion.pose_at(t));
            let answer = first_contact_of(
                &MovingBody { shape: &shape_a, pose: &still },
                &MovingBody { shape: &shape_b, pose: &pose_b },
            )
            .unwrap();
            let proven = |t: f64| {
                let (a, b) = (shape_a(t).unwrap(), shape_b(t).unwrap());
                distance(&a, &Pose::identity(), &b, &pose_b(t), &QueryOptions::default())
            };
            // They pass each other's centres, so all of them touch.
            let time = answer.contact.expect("a contact");
            assert!(answer.closest.converged && proven(time).distance.abs() < 1e-6, "{answer:?}");
            hits += usize::from(
                (0..40).all(|k| proven(time * 0.999 * f64::from(k) / 40.0).lower > 0.0),
            );
        }
        // The others end where the bodies come apart again.
        assert!(hits >= 15, "{hits} of 20 are first contacts");
    }

    /// A union touches when its first part does.
    #[test]
    fn of_unions_the_earliest_contact_counts() {
        let (ball, _) = sphere(0.5, [0.0; 3]);
        let place = |x: f64| (Pose::translation(x, 0.0, 0.0), ball.clone());
        let row = Shape::compound(vec![place(-2.0), place(0.0), place(2.0)]).unwrap();
        let coming = |t: f64| Pose::translation(10.0 - 8.0 * t, 0.0, 0.0);
        let answer = first_contact(&row, &Pose::identity(), &row, &coming).unwrap();
        // The last ball of one meets the first of the other: 10 − 8t − 2 = 2 + 1.
        assert!((answer.contact.unwrap() - 0.625).abs() < 1e-9, "{answer:?}");
    }

    #[test]
    fn a_tapered_surface_is_refused_by_name() {
        let ovoid = Shape::from(Superovoid::new([1.0; 3], 1.0, 1.0, [0.1, 0.1]).unwrap());
        let (ball, _) = sphere(1.0, [0.0; 3]);
        let still = |_: f64| Pose::translation(3.0, 0.0, 0.0);
        let error = first_contact(&ovoid, &Pose::identity(), &ball, &still).unwrap_err();
        assert_eq!(error.shape, "superovoid");
    }
}
