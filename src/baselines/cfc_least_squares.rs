//! The common normal on the contact space by nonlinear least squares: CFC-CN-LS [Ruan 2022, §V-A2].
//!
//! ```text
//! minimize over ψ = (η, ω)    ½|r(ψ)|²,    r = m(ψ) × (p − x_Σ(m(ψ)))                      [Ruan 2022, eq. 16]
//! ```
//!
//! The source minimizes with the trust-region dogleg method of the Ceres solver. The method here is Powell's dogleg with
//! the thresholds Ceres documents; the derivatives it takes by automatic differentiation are written out. r also vanishes
//! where the centre is farthest from the contact space, and |r| has minima that are not zeros: both are answers of this
//! method.

use super::cfc::ContactSpace;
use super::relative_pair::{Solution, is_finite};
use crate::math::Vec3;
use nalgebra::{Matrix2, Matrix3x2, Vector2};

/// The source states no limit; its published code stops after this many.
const MAX_ITERATIONS: u32 = 100;
/// Relative decrease of the cost at which the search stops (published code).
const COST_TOLERANCE: f64 = 1e-16;
/// Largest component of the gradient of the cost at which the search stops (published code).
const GRADIENT_TOLERANCE: f64 = 1e-16;
/// Length of a step relative to that of ψ at which the search stops (Ceres default).
const STEP_TOLERANCE: f64 = 1e-8;
/// First radius of the trust region, in radians: in effect none (Ceres default).
const FIRST_RADIUS: f64 = 1e4;
/// Radius of the trust region below which the search stops (Ceres default).
const LEAST_RADIUS: f64 = 1e-32;
/// Actual decrease of the cost over the predicted one, below which a step is refused (Ceres default).
const ACCEPT: f64 = 1e-3;
/// The same ratio below which the trust region shrinks by half, and above which it grows to three times the step.
const SHRINK: f64 = 0.25;
const GROW: f64 = 0.75;

/// Residual and Jacobian at one ψ.
struct Linearization {
    residual: Vec3,
    jacobian: Matrix3x2<f64>,
}

/// Starts at the angles of the centre of B seen from A [Ruan 2022, §V-C] and stops at the first of the tolerances above.
/// Not converged: the iteration limit, or a residual that is not finite; the best ψ so far is returned.
pub(super) fn minimize(space: &ContactSpace) -> Solution {
    let p = space.centre;
    let mut psi = Vector2::new(p.z.atan2(p.xy().norm()), p.y.atan2(p.x));
    let mut radius = FIRST_RADIUS;
    let mut at = linearize(space, &psi);
    let finish = |psi: &Vector2<f64>, iterations: u32| {
        space.solution(&space.surface_a.gradient_at_angles(psi.x, psi.y)[0], iterations)
    };
    let converge = |psi: &Vector2<f64>, iterations: u32| Solution {
        converged: true,
        ..finish(psi, iterations)
    };
    for iteration in 0..MAX_ITERATIONS {
        let Some(Linearization { residual, jacobian }) = &at else {
            return finish(&psi, iteration);
        };
        let cost = 0.5 * residual.norm_squared();
        let slope = jacobian.transpose() * residual;
        if slope.amax() <= GRADIENT_TOLERANCE || radius < LEAST_RADIUS {
            return converge(&psi, iteration);
        }
        let step = dogleg(jacobian, &slope, radius);
        if step.norm() <= STEP_TOLERANCE * (psi.norm() + STEP_TOLERANCE) {
            return converge(&psi, iteration);
        }
        let predicted = cost - 0.5 * (residual + jacobian * step).norm_squared();
        let trial = linearize(space, &(psi + step));
        let decrease = trial
            .as_ref()
            .map_or(f64::NEG_INFINITY, |trial| cost - 0.5 * trial.residual.norm_squared());
        let ratio = decrease / predicted;
        if ratio > GROW {
            radius = radius.max(3.0 * step.norm());
        } else if ratio < SHRINK || ratio.is_nan() {
            radius *= 0.5;
        }
        if ratio > ACCEPT {
            psi += step;
            at = trial;
            if decrease.abs() <= COST_TOLERANCE * cost {
                return converge(&psi, iteration + 1);
            }
        }
    }
    finish(&psi, MAX_ITERATIONS)
}

/// r and ∂r/∂ψ_k = ∂m × (p − x) − m × (W ∂m)/|m|, with W the radii of curvature of the contact space at the normal;
/// `None` when a number is not finite.
fn linearize(space: &ContactSpace, psi: &Vector2<f64>) -> Option<Linearization> {
    let [m, d_eta, d_omega] = space.surface_a.gradient_at_angles(psi.x, psi.y);
    let length = m.norm();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let gap = space.centre - space.at(&m).position;
    let (_, curvature) = space.pair.support_jet(&(m / length));
    let column = |dm: Vec3| dm.cross(&gap) - m.cross(&(curvature * dm)) / length;
    let columns = [column(d_eta), column(d_omega)];
    let residual = m.cross(&gap);
    (is_finite(&residual) && columns.iter().all(is_finite))
        .then(|| Linearization { residual, jacobian: Matrix3x2::from_columns(&columns) })
}

/// The dogleg step: along steepest descent to the minimum of the model on that line, from there towards the
/// Gauss–Newton step, cut off at the trust region.
fn dogleg(jacobian: &Matrix3x2<f64>, slope: &Vector2<f64>, radius: f64) -> Vector2<f64> {
    let normal: Matrix2<f64> = jacobian.transpose() * jacobian;
    let descent = -slope * (slope.norm_squared() / (jacobian * slope).norm_squared());
    let gauss_newton =
        normal.try_inverse().map(|inverse| -inverse * slope).filter(|step| step.amax().is_finite());
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
