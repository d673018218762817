//! The distance to the contact space by nonlinear least squares: CFC-Dist-LS [Ruan 2022, §V-A1].
//!
//! ```text
//! minimize over ψ = (η, ω)    ½|r(ψ)|²,    r = p − x_Σ(m(ψ))                               [Ruan 2022, eq. 15]
//! ```
//!
//! Its zeros are bodies that touch, so of bodies that do not the Gauss–Newton steps converge linearly, the slower the
//! farther the centre is from the contact space, and beyond a radius of curvature not at all without the trust region.
//! Apart, the contact space has one nearest point, but the angles have others where |r| is stationary: the poles, where
//! ∂m/∂ω vanishes. Overlapping, every local depth is a minimum.

use crate::contact_space::ContactSpace;
use crate::dogleg::Linearization;
use nalgebra::{Matrix3x2, Vector2};

/// r and ∂r/∂ψ_k = −∂x.
pub(super) fn linearize(space: &ContactSpace, psi: &Vector2<f64>) -> Option<Linearization<3, 2>> {
    let jet = space.jet_at_angles((*psi).into())?;
    let jacobian = -Matrix3x2::from_columns(&jet.position_rates);
    Some(Linearization { residual: jet.gap, jacobian })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::dense_search::{APART, Tally, assert_right_on_poly_ellipsoids_apart, sphere};
    use crate::dogleg;
    use crate::relative_pair::RelativePair;

    #[test]
    fn touching_bodies_are_a_zero_and_take_fewer_steps_than_bodies_apart() {
        let iterations = [1.5, 2.5].map(|factor| {
            let at = [2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0].map(|x| factor * x);
            let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, at));
            let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
            let space = ContactSpace::new(&pair).unwrap();
            // Off the solution, which for balls is where the search starts.
            let start = Vector2::from(space.first_angles()) + Vector2::new(0.3, -0.2);
            let found = dogleg::minimize(start, |psi| linearize(&space, psi));
            assert!(found.converged, "{found:?}");
            let distance = space.solution(&space.gradient_at(found.at.into()), 0).distance;
            assert!((distance - (factor - 1.5)).abs() < 1e-12, "{distance}");
            found.iterations
        });
        assert!(iterations[0] < iterations[1], "{iterations:?}");
    }

    #[test]
    fn poly_ellipsoids_agree_with_a_dense_search() {
        assert_right_on_poly_ellipsoids_apart(&[Solver::CfcDistance]);
    }

    #[test]
    fn steps_are_many_as_the_source_reports_of_a_method_that_converges_linearly() {
        let distance = Tally::of(Solver::CfcDistance, APART, 20).iterations;
        let common_normal = Tally::of(Solver::CfcLeastSquares, APART, 20).iterations;
        assert!(distance > 2.0 * common_normal, "{distance} {common_normal}");
    }
}
