//! The methods of the closed-form contact space [Ruan 2022, §V-A] on bodies at rest: the centre of B against the
//! [`contact_space`](crate::contact_space).

use crate::answer::Unsupported;
use crate::contact_space::ContactSpace;
use crate::relative_pair::{RelativePair, Solution, is_finite, radius_between};
use crate::{cfc_distance, cfc_least_squares};

/// Change of the gradient at which the fixed-point iteration stops: δ_tol of [Ruan 2022, §V-A3].
const FIXED_POINT_TOLERANCE: f64 = 1e-12;
/// The source states no limit; its published code stops after this many.
const MAX_ITERATIONS: u32 = 100;

/// CFC-CN-FP: the common normal by fixed-point iteration without derivatives [Ruan 2022, §V-A3].
///
/// Not converged: the limit was reached, or a gradient is not finite (concentric bodies; a start whose two normals
/// cancel, as of overlapping spheres; a normal on the pole of a superquadric). The last finite gradient is returned.
pub(super) fn solve_fixed_point(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let space = ContactSpace::new(pair)?;
    Ok(fixed_point(&space))
}

/// CFC-CN-LS: the common normal by nonlinear least squares [Ruan 2022, §V-A2].
pub(super) fn solve_least_squares(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let space = ContactSpace::new(pair)?;
    Ok(space.least_squares(cfc_least_squares::linearize))
}

/// CFC-Dist-LS: the distance to the contact space by nonlinear least squares [Ruan 2022, §V-A1].
pub(super) fn solve_distance(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let space = ContactSpace::new(pair)?;
    Ok(space.least_squares(cfc_distance::linearize))
}

/// The iteration [Ruan 2022, eq. 17 and 18]:
///
/// ```text
/// m₀ = h(p),    m₁ = h(n₀ + unit(p − x₀)),    m_{i+1} = h(p − c_i)
/// c_i = x_i − ( (n_i − (n_i·n_{i−1})n_{i−1})·(x_i − x_{i−1}) / |n_i × n_{i−1}|² ) n_i
/// ```
///
/// c_i, the point of the line (x_i, n_i) nearest to the line before it, estimates a centre of curvature of the contact
/// space. Stops when |m_{i+1} − m_i| < [`FIXED_POINT_TOLERANCE`], the first pair of gradients included.
fn fixed_point(space: &ContactSpace) -> Solution {
    let surface = &space.surface_a;
    let mut before = surface.gradient_along(&space.centre);
    let mut x_before = space.at(&before).position;
    if !is_finite(&x_before) {
        return space.pair.unconverged(&space.pair.centre_line(), 0);
    }
    let halfway = before.normalize() + (space.centre - x_before).normalize();
    let mut gradient = surface.gradient_along(&halfway);
    for iteration in 0..MAX_ITERATIONS {
        if (gradient - before).norm() < FIXED_POINT_TOLERANCE {
            return Solution { converged: true, ..space.solution(&gradient, iteration) };
        }
        let x = space.at(&gradient).position;
        if !is_finite(&x) {
            return space.solution(&before, iteration);
        }
        let (n, n_before) = (gradient.normalize(), before.normalize());
        let radius = radius_between(&n, &n_before, &(x - x_before));
        let next = surface.gradient_along(&(space.centre - x + radius * n));
        (before, x_before) = (gradient, x);
        gradient = next;
    }
    let last = if is_finite(&gradient) { gradient } else { before };
    space.solution(&last, MAX_ITERATIONS)
}

#[cfg(test)]
mod tests {
    use crate::Solver;
    use crate::dense_search::{
        APART, OVERLAPPING, Random, Tally, assert_closed_forms, ellipsoid, sphere,
    };
    use smooth_scene_geometry::math::Mat3;
    use smooth_scene_query::{QueryOptions, distance};

    const ALL: [Solver; 3] = [Solver::CfcFixedPoint, Solver::CfcLeastSquares, Solver::CfcDistance];

    #[test]
    fn closed_forms_are_reproduced() {
        assert_closed_forms(&ALL);
    }

    #[test]
    fn all_agree_with_a_dense_search_apart() {
        for solver in ALL {
            let tally = Tally::of(solver, APART, 40);
            assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
            assert!(tally.worst < 1e-12);
        }
    }

    #[test]
    fn overlapping_bodies_are_mostly_right_but_often_a_local_depth_by_common_normal_least_squares()
    {
        for solver in [Solver::CfcFixedPoint, Solver::CfcDistance] {
            let tally = Tally::of(solver, OVERLAPPING, 40);
            assert!(tally.wrong + tally.unconverged <= 4, "{solver:?} {tally:?}");
        }
        let least_squares = Tally::of(Solver::CfcLeastSquares, OVERLAPPING, 40);
        assert!((1..=20).contains(&least_squares.wrong), "{least_squares:?}");
    }

    /// Sheared and stretched bodies [Ruan 2022, eq. 9], against our own proven answer.
    #[test]
    fn linearly_deformed_bodies_apart_are_answered() {
        let mut random = Random(9);
        let methods = [
            Solver::CfcFixedPoint,
            Solver::CfcLeastSquares,
            Solver::CfcDistance,
            Solver::CommonNormalLeastSquares,
        ];
        for _ in 0..12 {
            let mut deformed = || {
                let matrix = Mat3::from_fn(|row, column| {
                    let shear = random.between(-0.3, 0.3);
                    if row == column { 1.0 + shear } else { shear }
                });
                random.mild_superellipsoid().mapped(&matrix).unwrap()
            };
            let (a, b) = (deformed(), deformed());
            let (pose_a, pose_b) = (random.pose(0.5), random.pose(1.5 * APART));
            let truth = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
            assert!(truth.lower > 0.0, "{truth:?}");
            for solver in methods {
                let found = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                assert!(found.converged, "{solver:?}");
                let error = (found.distance - truth.distance).abs();
                assert!(error < Tally::TOLERANCE, "{solver:?} {error:e}");
            }
        }
    }

    #[test]
    fn fixed_point_admits_that_two_opposite_first_normals_leave_it_nothing_to_go_on() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.0, 0.0, 1.0]));
        let answer = Solver::CfcFixedPoint.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(!answer.converged && answer.distance == -0.5, "{answer:?}");
    }

    #[test]
    fn concentric_bodies_are_answered_with_finite_numbers() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [1.0; 3]);
        let (b, pose_b) = ellipsoid([0.5, 0.7, 0.6], [1.0; 3]);
        for solver in ALL {
            let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.distance.is_finite() && answer.point_a_w.norm().is_finite());
        }
        assert!(!Solver::CfcFixedPoint.solve(&a, &pose_a, &b, &pose_b).unwrap().converged);
    }
}
