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
use nalgebra::{Matrix3, Vector3};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Half the step of the central difference in τ (Ceres default). The source takes all derivatives so; here those by ψ are
/// exact.
const TIME_STEP: f64 = 1e-6;
/// Why a contact space exists at every moment.
const ACCEPTED: &str = "the shapes, which do not change, were accepted at the start";
/// Distance at which the source's code calls a minimum a contact, in metres.
const TOUCHING: f64 = 1e-3;

/// CFC-Dist-LS for a body B that moves past a body A that stands: `pose_b` is where B is at a time, world frame, its
/// motion that of the times from 0 to 1.
///
/// Starts at the angles of the centre of B seen from A at τ = 0. Stops where the cost, its gradient or the step is as small
/// as the source's code asks for; after 100 steps, or where a number is not finite, `closest.converged` is false.
pub fn first_contact(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &dyn Fn(f64) -> Pose,
) -> Result<MotionAnswer, Unsupported> {
    let at = |time: f64| RelativePair::new(a, pose_a, b, &pose_b(time));
    let pair = at(0.0);
    let [eta, omega] = ContactSpace::new(&pair)?.first_angles();
    let gap = |psi: [f64; 2], time: f64| {
        let pair = at(time);
        let space = ContactSpace::new(&pair).expect(ACCEPTED);
        let gap = space.centre - space.at(&space.gradient_at(psi)).position;
        is_finite(&gap).then_some(gap)
    };
    // r, ∂r/∂ψ_k = −∂x and ∂r/∂τ.
    let linearize = |x: &Vector3<f64>| -> Option<Linearization<3, 3>> {
        let (psi, time) = ([x[0], x[1]], x[2]);
        let pair = at(time);
        let jet = ContactSpace::new(&pair).expect(ACCEPTED).jet_at_angles(psi)?;
        let [by_eta, by_omega] = jet.position_rates.map(|rate| -rate);
        let by_time: Vec3 =
            (gap(psi, time + TIME_STEP)? - gap(psi, time - TIME_STEP)?) / (2.0 * TIME_STEP);
        let jacobian = Matrix3::from_columns(&[by_eta, by_omega, by_time]);
        Some(Linearization { residual: jet.gap, jacobian })
    };
    let found = dogleg::minimize(Vector3::new(eta, omega, 0.0), linearize);
    let time = found.at[2];
    let pair = at(time);
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
    use smooth_scene_query::{Fixed, Motion, MotionOptions, RigidMotion, time_of_impact};

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

    #[test]
    fn a_tapered_surface_is_refused_by_name() {
        let ovoid = Shape::from(Superovoid::new([1.0; 3], 1.0, 1.0, [0.1, 0.1]).unwrap());
        let (ball, _) = sphere(1.0, [0.0; 3]);
        let still = |_: f64| Pose::translation(3.0, 0.0, 0.0);
        let error = first_contact(&ovoid, &Pose::identity(), &ball, &still).unwrap_err();
        assert_eq!(error.shape, "superovoid");
    }
}
