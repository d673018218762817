//! The common normal of two surfaces by nonlinear least squares: CN-LS [Ruan 2022, §VI-A].
//!
//! ```text
//! minimize over ψ₁, ψ₂    ½|r|²,    r = ( n₁(ψ₁) × n₂(ψ₂),  n₁(ψ₁) × (x₂(ψ₂) − x₁(ψ₁)) )       [Ruan 2022, eq. 21]
//! ```
//!
//! with the normal n = m/|m| at the angles ψ of each body's gradient, and x the surface point there. The source takes the
//! conditions from [Gonçalves 2017] and compares its contact space with them. Parallel normals make r vanish as
//! antiparallel ones do, and so do the points farthest apart: the method cannot tell. The two halves of r have different
//! units, a number and metres; they are added as the source does.

use crate::answer::Unsupported;
use crate::cfc_surface::GradientSurface;
use crate::dogleg::{self, Linearization};
use crate::relative_pair::{RelativePair, Solution, is_finite};
use nalgebra::{SMatrix, SVector, Vector4};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape};

/// CN-LS from the angles of the centre line in both frames. The answer is that of the normal of A: the points of both
/// bodies whose normals it is, as in the source's code; how the search stops is said in [`dogleg::minimize`].
pub(super) fn solve(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let surfaces = [GradientSurface::of(pair.a)?, GradientSurface::of(pair.b)?];
    let line = pair.centre_line();
    let [eta_a, omega_a] = surfaces[0].angles_towards(&line);
    let towards_a = -pair.pose_ab.inverse_transform_vector(&line);
    let [eta_b, omega_b] = surfaces[1].angles_towards(&towards_a);
    let start = Vector4::new(eta_a, omega_a, eta_b, omega_b);
    let found = dogleg::minimize(start, |psi| linearize(pair, &surfaces, psi));
    let normal = surfaces[0].gradient_at_angles(found.at[0], found.at[1])[0].normalize();
    let solution = pair.unconverged(&normal, found.iterations);
    Ok(Solution { converged: found.converged, ..solution })
}

/// Normal and point of a surface at its angles, with their derivatives by both.
struct SurfaceJet {
    normal: Vec3,
    normal_rates: [Vec3; 2],
    point: Vec3,
    point_rates: [Vec3; 2],
}

/// With W the radii of curvature at the normal: ∂n = (∂m − n(n·∂m))/|m| and ∂x = W ∂n.
fn surface_jet(shape: &Shape, surface: &GradientSurface, psi: [f64; 2]) -> Option<SurfaceJet> {
    let [m, d_eta, d_omega] = surface.gradient_at_angles(psi[0], psi[1]);
    let length = m.norm();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let normal = m / length;
    let normal_rates = [d_eta, d_omega].map(|rate| (rate - normal * normal.dot(&rate)) / length);
    let jet = shape.support_jet(&normal);
    let point_rates = normal_rates.map(|rate| jet.hessian * rate);
    let all = [normal_rates, point_rates, [jet.point; 2]];
    all.iter().flatten().all(is_finite).then_some(SurfaceJet {
        normal,
        normal_rates,
        point: jet.point,
        point_rates,
    })
}

/// r and its derivatives, everything in the frame of A:
///
/// ```text
/// ∂r/∂ψ₁ = ( ∂n₁ × n₂,  ∂n₁ × (x₂ − x₁) − n₁ × ∂x₁ )        ∂r/∂ψ₂ = ( n₁ × ∂n₂,  n₁ × ∂x₂ )
/// ```
fn linearize(
    pair: &RelativePair,
    surfaces: &[GradientSurface; 2],
    psi: &Vector4<f64>,
) -> Option<Linearization<6, 4>> {
    let a = surface_jet(pair.a, &surfaces[0], [psi[0], psi[1]])?;
    let b = surface_jet(pair.b, &surfaces[1], [psi[2], psi[3]])?;
    let turn = |v: &Vec3| pair.pose_ab.rotation * v;
    let normal_b = turn(&b.normal);
    let gap = turn(&b.point) + pair.centre_b() - a.point;
    let stack = |normals: Vec3, points: Vec3| {
        SVector::<f64, 6>::from_fn(|k, _| if k < 3 { normals[k] } else { points[k - 3] })
    };
    let by_a = |k: usize| {
        let rate = a.normal_rates[k];
        stack(rate.cross(&normal_b), rate.cross(&gap) - a.normal.cross(&a.point_rates[k]))
    };
    let by_b = |k: usize| {
        stack(a.normal.cross(&turn(&b.normal_rates[k])), a.normal.cross(&turn(&b.point_rates[k])))
    };
    Some(Linearization {
        residual: stack(a.normal.cross(&normal_b), a.normal.cross(&gap)),
        jacobian: SMatrix::from_columns(&[by_a(0), by_a(1), by_b(0), by_b(1)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::dense_search::{
        APART, OVERLAPPING, Random, Tally, assert_right_on_poly_ellipsoids_apart, ellipsoid, sphere,
    };
    use smooth_scene_geometry::Superovoid;
    use smooth_scene_geometry::math::Pose;

    #[test]
    fn spheres_apart_have_the_distance_of_their_centres_less_the_radii() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [7.0; 3]), sphere(0.5, [9.0, 9.0, 8.0]));
        let answer = Solver::CommonNormalLeastSquares.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 1.5).abs() < 1e-12, "{answer:?}");
        assert!((answer.normal_ab_w - Vec3::new(2.0, 2.0, 1.0) / 3.0).norm() < 1e-8);
    }

    #[test]
    fn aligned_ellipsoids_meet_on_their_common_axis() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [0.0; 3]);
        let (b, pose_b) = ellipsoid([1.5, 0.5, 2.5], [0.0, -4.0, 0.0]);
        let answer = Solver::CommonNormalLeastSquares.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 1.5).abs() < 1e-12, "{answer:?}");
        assert!((answer.point_a_w + 2.0 * Vec3::y()).norm() < 1e-8);
    }

    #[test]
    fn it_agrees_with_a_dense_search_apart_where_it_ends_at_the_nearest_points() {
        let tally = Tally::of(Solver::CommonNormalLeastSquares, APART, 40);
        assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
        assert!(tally.worst < 1e-12 && tally.iterations < 10.0, "{tally:?}");
        assert_right_on_poly_ellipsoids_apart(&[Solver::CommonNormalLeastSquares]);
    }

    #[test]
    fn overlapping_bodies_are_often_a_local_depth() {
        let tally = Tally::of(Solver::CommonNormalLeastSquares, OVERLAPPING, 40);
        assert!((1..=20).contains(&tally.wrong), "{tally:?}");
    }

    #[test]
    fn the_jacobian_is_that_of_finite_differences() {
        let mut random = Random(9);
        let (a, b) = (random.mild_superellipsoid(), random.mild_superellipsoid());
        let (pose_a, pose_b) = (random.pose(0.1), random.pose(3.0));
        let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
        let surfaces = [GradientSurface::of(&a).unwrap(), GradientSurface::of(&b).unwrap()];
        let residual = |psi: &Vector4<f64>| linearize(&pair, &surfaces, psi).unwrap().residual;
        let (psi, e) = (Vector4::new(0.3, 0.4, -0.7, 2.2), 1e-6);
        let jacobian = linearize(&pair, &surfaces, &psi).unwrap().jacobian;
        for k in 0..4 {
            let step = Vector4::from_fn(|row, _| if row == k { e } else { 0.0 });
            let column = (residual(&(psi + step)) - residual(&(psi - step))) / (2.0 * e);
            assert!((column - jacobian.column(k)).norm() < 1e-7, "{k}");
        }
    }

    #[test]
    fn a_tapered_surface_is_refused_by_name() {
        let ovoid = Shape::from(Superovoid::new([1.0; 3], 1.0, 1.0, [0.1, 0.1]).unwrap());
        let (ball, pose) = sphere(1.0, [3.0, 0.0, 0.0]);
        let error = Solver::CommonNormalLeastSquares
            .solve(&ovoid, &Pose::identity(), &ball, &pose)
            .unwrap_err();
        assert_eq!(error.shape, "superovoid");
    }
}
