//! The common normal by normal parameterization, algorithms I and II of U. J. Römer, "Collision detection for rigid
//! superellipsoids using the normal parameterization".
//!
//! Both bodies are described by the point P(n) of their surface whose outward normal is n (the gradient of what the
//! source calls the generating potential and this crate the support function). With the master A at n and the slave B
//! at −n, the vector between the two points is parallel to n at the solution:
//!
//! ```text
//! d(n) = P_B(−n) − P_A(n),    d·e_φ = d·e_θ = 0
//! ```
//!
//! The condition is necessary, not sufficient: either algorithm may end at another common normal, such as a local depth.
//! The source is a two-page summary and leaves start, tolerance and iteration limit open. The start is the centre line,
//! as in [Ruan 2022], which compares against algorithm II; the constants below are named after their choice.

use crate::answer::Unsupported;
use crate::relative_pair::{PointPair, RelativePair, Solution, is_finite, radius_between};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Vec3, unit_or};

/// Length of the tangential part of d at which algorithm I stops, in multiples of the size of the bodies. The rounding
/// of a support point is about 1e-15 of the size where the surface is curved and more where it is nearly flat.
const NEWTON_TOLERANCE: f64 = 1e-12;
/// Change of the normal at which algorithm II stops: δ_tol of [Ruan 2022, §V-A3], which runs it for comparison.
const FIXED_POINT_TOLERANCE: f64 = 1e-12;
/// Iterations of either algorithm: the limit in the code published with [Ruan 2022].
const MAX_ITERATIONS: u32 = 100;

/// Algorithm I: Newton's method on the two angles of the normal, with the analytic Jacobian.
///
/// In the frame of A, n = (sin φ cos θ, sin φ sin θ, cos φ), ∂n/∂φ = e_φ and ∂n/∂θ = sin φ e_θ. With W = W_A + W_B the
/// radii of curvature, ∂d = −W ∂n, and
///
/// ```text
/// ∂(d·e_φ)/∂φ = −e_φ·W e_φ − d·n            ∂(d·e_φ)/∂θ = −sin φ e_φ·W e_θ + cos φ d·e_θ
/// ∂(d·e_θ)/∂φ = −e_θ·W e_φ                  ∂(d·e_θ)/∂θ = −sin φ (e_θ·W e_θ + d·n) − cos φ d·e_φ
/// ```
///
/// The last column vanishes at the solution when φ is 0 or π: the method fails where the common normal is the z axis of
/// A. Nothing safeguards the steps. Stops when |(d·e_φ, d·e_θ)| ≤ [`NEWTON_TOLERANCE`]·size.
pub(super) fn solve_newton(pair: &RelativePair) -> Result<Solution, Unsupported> {
    require_smooth(pair.a)?;
    require_smooth(pair.b)?;
    Ok(newton(pair))
}

/// Algorithm II: a fixed-point iteration that needs no derivatives.
///
/// The centre of curvature of each body along the normal is estimated as the point of the line (P, n) nearest to the
/// same line of the iteration before. The next normal points from the centre of A to that of B. Stops when the normal
/// changes by no more than [`FIXED_POINT_TOLERANCE`].
///
/// The first step needs two normals; the second is the one of [Ruan 2022, eq. 18], halfway between the centre line and
/// the direction of d.
pub(super) fn solve_fixed_point(pair: &RelativePair) -> Result<Solution, Unsupported> {
    require_smooth(pair.a)?;
    require_smooth(pair.b)?;
    Ok(fixed_point(pair))
}

/// The parameterization needs exactly one point for every normal.
fn require_smooth(shape: &Shape) -> Result<(), Unsupported> {
    match shape {
        Shape::Sphere(_)
        | Shape::Ellipsoid(_)
        | Shape::Superellipsoid(_)
        | Shape::Superovoid(_)
        | Shape::PolyEllipsoid(_) => Ok(()),
        _ => Err(Unsupported { solver: "normal-parameterization", shape: shape.kind() }),
    }
}

fn newton(pair: &RelativePair) -> Solution {
    let size = pair.size();
    let start = pair.centre_line();
    let mut phi = start.xy().norm().atan2(start.z);
    let mut theta = start.y.atan2(start.x);
    let mut last = start;
    for iteration in 0..=MAX_ITERATIONS {
        let ((sin_phi, cos_phi), (sin_theta, cos_theta)) = (phi.sin_cos(), theta.sin_cos());
        let n = Vec3::new(sin_phi * cos_theta, sin_phi * sin_theta, cos_phi);
        if !is_finite(&n) {
            return pair.unconverged(&last, iteration);
        }
        last = n;
        let e_phi = Vec3::new(cos_phi * cos_theta, cos_phi * sin_theta, -sin_phi);
        let e_theta = Vec3::new(-sin_theta, cos_theta, 0.0);
        let (points, w) = pair.support_jet(&n);
        let d = points.b - points.a;
        let (f_phi, f_theta) = (d.dot(&e_phi), d.dot(&e_theta));
        if f_phi.hypot(f_theta) <= NEWTON_TOLERANCE * size {
            return Solution { converged: true, ..pair.unconverged(&n, iteration) };
        }
        let (along, w_phi, w_theta) = (d.dot(&n), w * e_phi, w * e_theta);
        let j11 = -e_phi.dot(&w_phi) - along;
        let j12 = -sin_phi * e_phi.dot(&w_theta) + cos_phi * f_theta;
        let j21 = -e_theta.dot(&w_phi);
        let j22 = -sin_phi * (e_theta.dot(&w_theta) + along) - cos_phi * f_phi;
        let determinant = j11 * j22 - j12 * j21;
        phi -= (j22 * f_phi - j12 * f_theta) / determinant;
        theta -= (j11 * f_theta - j21 * f_phi) / determinant;
    }
    pair.unconverged(&last, MAX_ITERATIONS)
}

fn fixed_point(pair: &RelativePair) -> Solution {
    let mut previous = pair.centre_line();
    let mut points_before = pair.support(&previous);
    let direction = unit_or(&(points_before.b - points_before.a), &previous);
    let sum = previous + direction;
    // Overlapping bodies whose d points straight against the normal leave no second normal.
    if sum.norm() <= f64::EPSILON {
        return pair.unconverged(&previous, 0);
    }
    let mut normal = sum.normalize();
    for iteration in 0..MAX_ITERATIONS {
        if (normal - previous).norm() <= FIXED_POINT_TOLERANCE {
            return Solution { converged: true, ..pair.unconverged(&normal, iteration) };
        }
        let points = pair.support(&normal);
        let centres = curvature_centres(&points, &normal, &points_before, &previous);
        let line = centres.b - centres.a;
        let next = line / line.norm();
        if !is_finite(&next) {
            return pair.unconverged(&normal, iteration);
        }
        (previous, points_before) = (normal, points);
        normal = next;
    }
    pair.unconverged(&normal, MAX_ITERATIONS)
}

/// An estimate of the centre of curvature of each body; see [`radius_between`].
fn curvature_centres(
    points: &PointPair,
    n: &Vec3,
    points_before: &PointPair,
    before: &Vec3,
) -> PointPair {
    let centre = |p: &Vec3, p_before: &Vec3| p - radius_between(n, before, &(p - p_before)) * n;
    PointPair { a: centre(&points.a, &points_before.a), b: centre(&points.b, &points_before.b) }
}

#[cfg(test)]
mod tests {
    use crate::Solver;
    use crate::dense_search::{
        APART, OVERLAPPING, Random, Tally, assert_closed_forms,
        assert_right_on_poly_ellipsoids_apart, ellipsoid,
    };
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::{Pose, Vec3};
    use smooth_scene_geometry::{PolyEllipsoid, Superellipsoid};

    const BOTH: [Solver; 2] = [Solver::NormalNewton, Solver::NormalFixedPoint];

    #[test]
    fn closed_forms_are_reproduced() {
        assert_closed_forms(&BOTH);
    }

    #[test]
    fn both_agree_with_a_dense_search_apart() {
        for solver in BOTH {
            let tally = Tally::of(solver, APART, 40);
            assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
            assert!(tally.worst < 1e-12);
        }
    }

    #[test]
    fn both_agree_with_a_dense_search_on_poly_ellipsoids() {
        assert_right_on_poly_ellipsoids_apart(&BOTH);
    }

    #[test]
    fn poly_ellipsoids_meet_with_the_semi_axes_of_the_sides_they_face() {
        let a = Shape::from(PolyEllipsoid::new([1.0, 1.5, 2.0, 0.75, 3.0, 2.5]).unwrap());
        let b = Shape::from(PolyEllipsoid::new([0.5, 0.6, 1.25, 9.0, 0.8, 0.9]).unwrap());
        let (pose_a, pose_b) = (Pose::identity(), Pose::translation(0.0, -4.0, 0.0));
        for solver in BOTH {
            let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.converged && (answer.distance - 2.0).abs() < 1e-14, "{answer:?}");
            assert!((answer.point_a_w + 0.75 * Vec3::y()).norm() < 1e-12);
        }
    }

    #[test]
    fn overlapping_bodies_are_often_a_local_depth_by_newton_and_mostly_right_by_fixed_point() {
        let newton = Tally::of(Solver::NormalNewton, OVERLAPPING, 40);
        assert!((1..=20).contains(&newton.wrong), "{newton:?}");
        let fixed_point = Tally::of(Solver::NormalFixedPoint, OVERLAPPING, 40);
        assert!(fixed_point.wrong + fixed_point.unconverged <= 4, "{fixed_point:?}");
    }

    #[test]
    fn newton_admits_that_it_cycles_on_boxy_bodies() {
        let mut random = Random(3);
        let mut unconverged = 0;
        for _ in 0..200 {
            let mut shape = || {
                let radii = [0.0; 3].map(|_| random.between(0.3, 2.0));
                let (xy, z) = (random.between(0.1, 0.5), random.between(0.1, 0.5));
                Shape::from(Superellipsoid::new(radii, xy, z).unwrap())
            };
            let (a, b) = (shape(), shape());
            let (pose_a, pose_b) = (random.pose(1.0), random.pose(3.0));
            let answer = Solver::NormalNewton.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.distance.is_finite() && answer.point_a_w.norm().is_finite());
            unconverged += usize::from(!answer.converged);
        }
        assert!(unconverged > 0);
    }

    #[test]
    fn concentric_bodies_leave_the_fixed_point_without_a_second_normal() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [1.0; 3]);
        let (b, pose_b) = ellipsoid([0.5, 0.7, 0.6], [1.0; 3]);
        let answer = Solver::NormalFixedPoint.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(!answer.converged && answer.distance == -1.5, "{answer:?}");
    }
}
