//! Nonlinear least squares by Powell's dogleg, the solver of every least-squares method of [Ruan 2022].
//!
//! ```text
//! minimize over x    ½|r(x)|²
//! ```
//!
//! The source minimizes with the trust-region dogleg method of the Ceres solver. The method here is Powell's dogleg with
//! the scaling and the thresholds that Ceres documents; the derivatives it takes by automatic differentiation are written
//! out by the callers. A minimum of |r| need not be a zero: telling them apart is up to the caller.

use nalgebra::{SMatrix, SVector};

/// The source states no limit; its published code stops after this many.
const MAX_ITERATIONS: u32 = 100;
/// Relative decrease of the cost at which the search stops (published code).
const COST_TOLERANCE: f64 = 1e-16;
/// Largest component of the gradient of the cost at which the search stops (published code).
const GRADIENT_TOLERANCE: f64 = 1e-16;
/// Length of a step relative to that of x at which the search stops (Ceres default).
const STEP_TOLERANCE: f64 = 1e-8;
/// First radius of the trust region: in effect none (Ceres default).
const FIRST_RADIUS: f64 = 1e4;
/// Radius of the trust region below which the search stops (Ceres default).
const LEAST_RADIUS: f64 = 1e-32;
/// Actual decrease of the cost over the predicted one, below which a step is refused (Ceres default).
const ACCEPT: f64 = 1e-3;
/// The same ratio below which the trust region shrinks by half, and above which it grows to three times the step.
const SHRINK: f64 = 0.25;
const GROW: f64 = 0.75;
/// Length of a column of the Jacobian below which its unknown is scaled no further (Ceres default).
const LEAST_SCALE: f64 = 1e-3;

/// Residual and Jacobian at one x.
pub(super) struct Linearization<const R: usize, const N: usize> {
    pub residual: SVector<f64, R>,
    pub jacobian: SMatrix<f64, R, N>,
}

/// Where the search ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Minimum<const N: usize> {
    pub at: SVector<f64, N>,
    /// Whether one of the tolerances was met.
    pub converged: bool,
    /// Accepted steps, which is what the source's code counts as iterations.
    pub iterations: u32,
}

/// The search from `start`. `linearize` answers `None` where a number is not finite.
///
/// Stops at the first of the tolerances above. Not converged: the iteration limit, refused steps included, or no
/// linearization at the start; the best x so far is returned.
pub(super) fn minimize<const R: usize, const N: usize>(
    start: SVector<f64, N>,
    linearize: impl Fn(&SVector<f64, N>) -> Option<Linearization<R, N>>,
) -> Minimum<N> {
    let mut found = Minimum { at: start, converged: false, iterations: 0 };
    let Some(mut here) = linearize(&start) else { return found };
    let mut radius = FIRST_RADIUS;
    for _ in 0..MAX_ITERATIONS {
        let Linearization { residual, jacobian } = &here;
        let cost = 0.5 * residual.norm_squared();
        let slope = jacobian.tr_mul(residual);
        if slope.amax() <= GRADIENT_TOLERANCE || radius < LEAST_RADIUS {
            return Minimum { converged: true, ..found };
        }
        // 1. The step, in unknowns scaled by what they change.
        let scale = SVector::<f64, N>::from_fn(|k, _| jacobian.column(k).norm().max(LEAST_SCALE));
        let scaled = SMatrix::<f64, R, N>::from_fn(|row, k| jacobian[(row, k)] / scale[k]);
        let step_scaled = dogleg(&scaled, &slope.component_div(&scale), radius);
        let step = step_scaled.component_div(&scale);
        if step.norm() <= STEP_TOLERANCE * (found.at.norm() + STEP_TOLERANCE) {
            return Minimum { converged: true, ..found };
        }
        // 2. What it gains, over what was predicted.
        let predicted = cost - 0.5 * (residual + jacobian * step).norm_squared();
        let trial = linearize(&(found.at + step));
        let decrease = trial
            .as_ref()
            .map_or(f64::NEG_INFINITY, |trial| cost - 0.5 * trial.residual.norm_squared());
        let ratio = decrease / predicted;
        // 3. The trust region, and whether the step is taken.
        if ratio > GROW {
            radius = radius.max(3.0 * step_scaled.norm());
        } else if ratio < SHRINK || ratio.is_nan() {
            radius *= 0.5;
        }
        if let Some(trial) = trial
            && ratio > ACCEPT
        {
            found.at += step;
            found.iterations += 1;
            here = trial;
            if decrease <= COST_TOLERANCE * cost {
                return Minimum { converged: true, ..found };
            }
        }
    }
    found
}

/// The dogleg step: along steepest descent to the minimum of the model on that line, from there towards the
/// Gauss–Newton step, cut off at the trust region.
fn dogleg<const R: usize, const N: usize>(
    jacobian: &SMatrix<f64, R, N>,
    slope: &SVector<f64, N>,
    radius: f64,
) -> SVector<f64, N> {
    let descent = -slope * (slope.norm_squared() / (jacobian * slope).norm_squared());
    let normal = jacobian.tr_mul(jacobian);
    let gauss_newton =
        normal.cholesky().map(|factor| -factor.solve(slope)).filter(|step| step.amax().is_finite());
    let Some(gauss_newton) = gauss_newton else {
        return descent * (radius / descent.norm()).min(1.0);
    };
    if gauss_newton.norm() <= radius {
        return gauss_newton;
    }
    if descent.norm() >= radius {
        return descent * (radius / descent.norm());
    }
    // |descent + t·leg| = radius, 0 < t < 1.
    let leg = gauss_newton - descent;
    let (a, b) = (leg.norm_squared(), descent.dot(&leg));
    let c = descent.norm_squared() - radius * radius;
    let t = (-b + (b * b - a * c).sqrt()) / a;
    descent + t * leg
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix2, Vector2};

    /// Rosenbrock's valley, r = (10(y − x²), 1 − x): its only zero is (1, 1).
    fn valley(at: &Vector2<f64>) -> Option<Linearization<2, 2>> {
        let residual = Vector2::new(10.0 * (at.y - at.x * at.x), 1.0 - at.x);
        let jacobian = Matrix2::new(-20.0 * at.x, 10.0, -1.0, 0.0);
        Some(Linearization { residual, jacobian })
    }

    #[test]
    fn the_curved_valley_of_rosenbrock_is_followed_to_its_end() {
        let found = minimize(Vector2::new(-1.2, 1.0), valley);
        assert!(found.converged && (found.at - Vector2::new(1.0, 1.0)).norm() < 1e-8, "{found:?}");
    }

    #[test]
    fn a_linear_problem_takes_one_step_whatever_the_units_of_its_unknowns() {
        for unit in [1e-3, 1.0, 1e3] {
            let linear = |at: &Vector2<f64>| {
                let jacobian = Matrix2::new(2.0, unit, 1.0, -unit);
                Some(Linearization { residual: jacobian * at - Vector2::new(3.0, 0.0), jacobian })
            };
            let found = minimize(Vector2::new(0.3, 0.2), linear);
            assert!(found.converged && found.iterations <= 2, "{unit}: {found:?}");
            let error = Vector2::new(found.at.x, unit * found.at.y) - Vector2::new(1.0, 1.0);
            assert!(error.norm() < 1e-12, "{unit}: {found:?}");
        }
    }

    #[test]
    fn a_step_within_the_trust_region_is_gauss_newton_and_others_end_on_its_edge() {
        let jacobian = Matrix2::new(2.0, 0.3, -0.4, 1.0);
        let residual = Vector2::new(3.0, -5.0);
        let slope = jacobian.tr_mul(&residual);
        let whole = dogleg(&jacobian, &slope, 1e4);
        assert!((jacobian * whole + residual).norm() < 1e-12);
        for radius in [0.99, 0.6, 0.1].map(|part| part * whole.norm()) {
            let step = dogleg(&jacobian, &slope, radius);
            assert!((step.norm() - radius).abs() < 1e-12 && step.dot(&slope) < 0.0, "{radius}");
        }
    }

    #[test]
    fn a_start_without_a_linearization_does_not_converge() {
        let found = minimize(Vector2::zeros(), |_| None::<Linearization<2, 2>>);
        assert!(!found.converged && found.iterations == 0 && found.at == Vector2::zeros());
    }

    #[test]
    fn a_step_into_nowhere_is_refused_and_tried_again_shorter() {
        // The Gauss–Newton step from 3 to the zero at 0 of r = x leads through a wall at 1.
        let walled = |at: &SVector<f64, 1>| {
            let inside = at.x > 1.0;
            inside.then(|| Linearization { residual: *at, jacobian: SMatrix::identity() })
        };
        let found = minimize(SVector::<f64, 1>::new(3.0), walled);
        assert!(found.at.x > 1.0 && found.at.x < 1.1 && found.iterations > 1, "{found:?}");
    }
}
