//! Minimisation under equality constraints in six unknowns.
//!
//! 1. Constraints c and their derivatives J by central differences, as the source leaves them to its libraries.
//! 2. Step p and multipliers λ from the conditions of Karush, Kuhn and Tucker:
//!
//! ```text
//! [ B  Jᵀ ] [ p ]   [ −∇f ]
//! [ J −ρI ] [ λ ] = [ −c  ]
//! ```
//!
//!    B stands for the second derivatives of f + λ·c. Constraints that repeat each other, as the three of a cross product, or
//!    have no derivative at the solution, as n_A·n_B = −1, make J rank-deficient; ρ keeps the system solvable.
//! 3. The step is halved until the merit f + μ|c|₁ falls.
//! 4. Stops when |∇f + Jᵀλ|∞ and |c|∞ are below [`TOLERANCE`]; not converged: no step lowers the merit, a number is not finite,
//!    or the limit of iterations.

use nalgebra::{DMatrix, DVector, Dyn, Matrix6, OMatrix, SVector, U6};

/// The coordinates of two points.
pub(super) type Unknowns = SVector<f64, 6>;

/// What is minimised, and what has to be zero.
pub(super) trait UnknownsProblem {
    fn objective(&self, x: &Unknowns) -> f64;
    fn gradient(&self, x: &Unknowns) -> Unknowns;
    fn constraints(&self, x: &Unknowns) -> Vec<f64>;
}

/// Where the second derivatives come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Curvature {
    /// Differences of the gradient of the Lagrangian.
    Exact,
    /// Powell's damped BFGS update, from the identity.
    Bfgs,
}

/// How a search ended.
pub(super) struct Optimum {
    pub(super) at: Unknowns,
    pub(super) converged: bool,
    pub(super) iterations: u32,
}

/// Largest violation of a constraint and of stationarity: the default of `fmincon`.
const TOLERANCE: f64 = 1e-6;
/// The source's slowest row has 101 iterations.
const MAX_ITERATIONS: u32 = 200;
/// Half the step of a central difference: the cube root of the rounding, for coordinates of about one.
const DIFFERENCE_STEP: f64 = 6e-6;
/// ρ, small beside the squares of the derivatives of constraints.
const REGULARIZATION: f64 = 1e-8;
/// Halvings of a step.
const MAX_HALVINGS: u32 = 30;
/// Shifts of B, each four times the last, from a hundredth to some thousands.
const MAX_SHIFTS: u32 = 12;
/// Share of the predicted decrease of the merit that a step must bring.
const SUFFICIENT: f64 = 1e-4;

/// Minimises from a start that should satisfy the constraints roughly.
pub(super) fn minimize(
    problem: &impl UnknownsProblem,
    start: Unknowns,
    curvature: Curvature,
) -> Optimum {
    let mut x = start;
    let mut b = Matrix6::identity();
    let mut weight = 1.0;
    let mut multipliers = first_multipliers(problem, &x);
    for iterations in 0..MAX_ITERATIONS {
        let stopped = |at, converged| Optimum { at, converged, iterations };
        // 1. Derivatives.
        let gradient = problem.gradient(&x);
        let c = DVector::from_vec(problem.constraints(&x));
        let j = jacobian(problem, &x);
        let is_optimal = |multipliers: &DVector<f64>| {
            let slope = gradient + j.transpose() * multipliers;
            slope.amax() <= TOLERANCE && c.amax() <= TOLERANCE
        };
        // The start may be the solution, where second derivatives need not exist: the pole of a superquadric.
        if is_optimal(&multipliers) {
            return stopped(x, true);
        }
        if curvature == Curvature::Exact {
            b = hessian(problem, &x, &multipliers);
        }
        // 2. The step.
        let Some((step, lambda)) = step(&b, &j, &gradient, &c) else { return stopped(x, false) };
        multipliers = lambda;
        if is_optimal(&multipliers) {
            return stopped(x, true);
        }
        // 3. How far.
        weight = f64::max(weight, 2.0 * multipliers.amax());
        let merit = |x: &Unknowns| {
            let violation: f64 = problem.constraints(x).iter().map(|c| c.abs()).sum();
            problem.objective(x) + weight * violation
        };
        let violation: f64 = c.iter().map(|c| c.abs()).sum();
        let predicted = gradient.dot(&step) - weight * violation;
        let now = merit(&x);
        let mut length = 1.0;
        let mut next = None;
        for _ in 0..MAX_HALVINGS {
            let there = x + length * step;
            // False for anything that is not a number.
            if merit(&there) <= now + SUFFICIENT * length * predicted.min(0.0) {
                next = Some(there);
                break;
            }
            length *= 0.5;
        }
        let Some(there) = next else {
            return stopped(x, c.amax() <= TOLERANCE && step.amax() <= TOLERANCE);
        };
        if curvature == Curvature::Bfgs {
            let before = gradient + j.transpose() * &multipliers;
            let after =
                problem.gradient(&there) + jacobian(problem, &there).transpose() * &multipliers;
            update(&mut b, &(there - x), &(after - before));
        }
        x = there;
    }
    Optimum { at: x, converged: false, iterations: MAX_ITERATIONS }
}

/// One row for each constraint.
type Rows = OMatrix<f64, Dyn, U6>;

fn jacobian(problem: &impl UnknownsProblem, x: &Unknowns) -> Rows {
    let count = problem.constraints(x).len();
    let mut out = Rows::zeros(count);
    for k in 0..6 {
        let mut step = Unknowns::zeros();
        step[k] = DIFFERENCE_STEP;
        let (high, low) = (problem.constraints(&(x + step)), problem.constraints(&(x - step)));
        for (row, (high, low)) in high.iter().zip(&low).enumerate() {
            out[(row, k)] = (high - low) / (2.0 * DIFFERENCE_STEP);
        }
    }
    out
}

/// The multipliers with the least |∇f + Jᵀλ|; none when a number is not finite.
fn first_multipliers(problem: &impl UnknownsProblem, x: &Unknowns) -> DVector<f64> {
    let j = jacobian(problem, x);
    let count = j.nrows();
    let square = &j * j.transpose() + DMatrix::identity(count, count) * REGULARIZATION;
    let best = square.lu().solve(&(-(&j * problem.gradient(x))));
    let finite = best.filter(|best| best.iter().all(|x| x.is_finite()));
    finite.unwrap_or_else(|| DVector::zeros(count))
}

/// The second derivatives of f + λ·c, by differences.
fn hessian(
    problem: &impl UnknownsProblem,
    x: &Unknowns,
    multipliers: &DVector<f64>,
) -> Matrix6<f64> {
    let slope = |x: &Unknowns| problem.gradient(x) + jacobian(problem, x).transpose() * multipliers;
    let mut out = Matrix6::zeros();
    for k in 0..6 {
        let mut step = Unknowns::zeros();
        // The slope has been through a difference already and has fewer digits.
        step[k] = 10.0 * DIFFERENCE_STEP;
        let column = (slope(&(x + step)) - slope(&(x - step))) / (20.0 * DIFFERENCE_STEP);
        out.set_column(k, &column);
    }
    0.5 * (out + out.transpose())
}

/// Step and multipliers; B is shifted until the step goes downhill where the constraints allow it.
fn step(
    b: &Matrix6<f64>,
    j: &Rows,
    gradient: &Unknowns,
    c: &DVector<f64>,
) -> Option<(Unknowns, DVector<f64>)> {
    let count = c.len();
    let mut right = DVector::zeros(6 + count);
    right.rows_mut(0, 6).copy_from(&-gradient);
    right.rows_mut(6, count).copy_from(&-c);
    let mut shift = 0.0;
    for _ in 0..MAX_SHIFTS {
        let shifted: Matrix6<f64> = b + Matrix6::identity() * shift;
        let mut kkt = DMatrix::zeros(6 + count, 6 + count);
        kkt.view_mut((0, 0), (6, 6)).copy_from(&shifted);
        kkt.view_mut((6, 0), (count, 6)).copy_from(j);
        kkt.view_mut((0, 6), (6, count)).copy_from(&j.transpose());
        for k in 0..count {
            kkt[(6 + k, 6 + k)] = -REGULARIZATION;
        }
        // Singular where neither B nor the constraints hold a direction; the shift holds all.
        if let Some(solved) = kkt.lu().solve(&right) {
            let p: Unknowns = solved.fixed_rows::<6>(0).into_owned();
            if solved.iter().all(|x| x.is_finite()) && p.dot(&(shifted * p)) >= 0.0 {
                return Some((p, solved.rows(6, count).into_owned()));
            }
        }
        shift = if shift == 0.0 { 1e-2 } else { 4.0 * shift };
    }
    None
}

/// Powell's damped update: keeps B positive definite whatever the curvature along the step.
fn update(b: &mut Matrix6<f64>, s: &Unknowns, y: &Unknowns) {
    let bs = *b * s;
    let (curved, known) = (s.dot(y), s.dot(&bs));
    if known <= 0.0 {
        return;
    }
    let theta = if curved >= 0.2 * known { 1.0 } else { 0.8 * known / (known - curved) };
    let r = theta * y + (1.0 - theta) * bs;
    let along = s.dot(&r);
    if along > 0.0 {
        *b += r * r.transpose() / along - bs * bs.transpose() / known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest point of the sphere of radius two to (3, 0, 4, 0, 0, 0), in six dimensions: at two fifths of the way.
    struct OnSphere;

    impl UnknownsProblem for OnSphere {
        fn objective(&self, x: &Unknowns) -> f64 {
            (x - target()).norm_squared()
        }

        fn gradient(&self, x: &Unknowns) -> Unknowns {
            2.0 * (x - target())
        }

        fn constraints(&self, x: &Unknowns) -> Vec<f64> {
            vec![x.norm_squared() - 4.0]
        }
    }

    fn target() -> Unknowns {
        Unknowns::new(3.0, 0.0, 4.0, 0.0, 0.0, 0.0)
    }

    #[test]
    fn a_point_on_a_sphere_is_found_by_both() {
        for curvature in [Curvature::Exact, Curvature::Bfgs] {
            let start = Unknowns::new(0.0, 1.0, 1.0, 1.0, -1.0, 0.0);
            let found = minimize(&OnSphere, start, curvature);
            assert!(found.converged, "{curvature:?} {}", found.at);
            // The slope is below 1e-6 and its derivative along the sphere is 2·5/2.
            assert!((found.at - 0.4 * target()).norm() < 1e-6, "{curvature:?} {}", found.at);
        }
    }
}
