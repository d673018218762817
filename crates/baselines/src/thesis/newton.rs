//! The Newton–Raphson procedure of [Gonçalves 2015, table 6].

use super::frame::Side;

/// Length of the Newton step, in the units of the unknowns (metres or radians), below which the iteration stops
/// [Gonçalves 2015, §3.4.2].
const STEP_TOLERANCE: f64 = 1e-6;

/// Newton–Raphson steps before giving up [Gonçalves 2015, §3.4.2].
pub(super) const MAX_ITERATIONS: u32 = 30;

/// Step of the forward differences, in the units of the unknowns. The thesis gives none (§3.4); this is the one of the
/// code it was published with (github.com/artur-ag/fcl).
const DIFFERENCE_STEP: f64 = 1e-6;

/// Equations in as many unknowns.
pub(super) trait System<const N: usize> {
    /// The side on which the tangents are computed near these unknowns.
    fn side(&self, unknowns: &[f64; N]) -> Side;

    /// Φ, zero at a solution.
    fn residuals(&self, unknowns: &[f64; N], side: Side) -> [f64; N];

    /// The derivative of residual `row` by unknown `column` as `[column][row]`; by forward differences unless the system
    /// knows better.
    fn jacobian(&self, unknowns: &[f64; N], phi: &[f64; N], side: Side) -> [[f64; N]; N] {
        forward_differences(unknowns, phi, |moved| self.residuals(moved, side))
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run<const N: usize> {
    /// The solution, or of a run that failed the unknowns with the smallest residuals: q_best of table 6.
    pub(super) unknowns: [f64; N],
    /// |Φ| there.
    pub(super) residual: f64,
    /// Whether the last step was shorter than the tolerance.
    pub(super) converged: bool,
    /// Steps taken.
    pub(super) iterations: u32,
}

/// Newton–Raphson [Gonçalves 2015, eq. 24 and table 6]: solves J·δ = Φ, subtracts δ, and stops when |δ| falls below the
/// tolerance, after [`MAX_ITERATIONS`] steps, or when a step cannot be computed (singular or not finite).
///
/// No step-length control: the iteration may diverge or end at the farthest points.
pub(super) fn newton_raphson<const N: usize>(start: [f64; N], system: &impl System<N>) -> Run<N> {
    let mut best =
        Run { unknowns: start, residual: f64::INFINITY, converged: false, iterations: 0 };
    let mut unknowns = start;
    for iteration in 0..=MAX_ITERATIONS {
        let side = system.side(&unknowns);
        let phi = system.residuals(&unknowns, side);
        let residual = norm(&phi);
        if residual < best.residual {
            best = Run { unknowns, residual, ..best };
        }
        best.iterations = iteration;
        if iteration == MAX_ITERATIONS || !residual.is_finite() {
            break;
        }
        let Some(step) = solve_linear(system.jacobian(&unknowns, &phi, side), phi) else { break };
        let length = norm(&step);
        if !length.is_finite() {
            break;
        }
        for (unknown, delta) in unknowns.iter_mut().zip(step) {
            *unknown -= delta;
        }
        if length < STEP_TOLERANCE {
            let residual = norm(&system.residuals(&unknowns, side));
            return Run { unknowns, residual, converged: true, iterations: iteration + 1 };
        }
    }
    best
}

fn norm<const N: usize>(v: &[f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The Jacobian by forward differences, `[column][row]`.
pub(super) fn forward_differences<const N: usize>(
    unknowns: &[f64; N],
    phi: &[f64; N],
    residuals: impl Fn(&[f64; N]) -> [f64; N],
) -> [[f64; N]; N] {
    std::array::from_fn(|column| {
        let mut moved = *unknowns;
        moved[column] += DIFFERENCE_STEP;
        let changed = residuals(&moved);
        std::array::from_fn(|row| (changed[row] - phi[row]) / DIFFERENCE_STEP)
    })
}

/// Gaussian elimination with partial pivoting on `matrix[column][row]`; `None` when a pivot is zero or not finite.
fn solve_linear<const N: usize>(mut matrix: [[f64; N]; N], mut rhs: [f64; N]) -> Option<[f64; N]> {
    for k in 0..N {
        let pivot =
            (k..N).fold(
                k,
                |best, row| {
                    if matrix[k][row].abs() > matrix[k][best].abs() { row } else { best }
                },
            );
        let diagonal = matrix[k][pivot];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return None;
        }
        for column in &mut matrix {
            column.swap(k, pivot);
        }
        rhs.swap(k, pivot);
        for row in k + 1..N {
            let factor = matrix[k][row] / diagonal;
            for column in &mut matrix[k + 1..] {
                column[row] -= factor * column[k];
            }
            rhs[row] -= factor * rhs[k];
        }
    }
    for k in (0..N).rev() {
        rhs[k] /= matrix[k][k];
        for row in 0..k {
            rhs[row] -= matrix[k][row] * rhs[k];
        }
    }
    Some(rhs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x² = c.
    struct Square(f64);

    impl System<1> for Square {
        fn side(&self, _: &[f64; 1]) -> Side {
            Side::Positive
        }

        fn residuals(&self, x: &[f64; 1], _: Side) -> [f64; 1] {
            [x[0] * x[0] - self.0]
        }
    }

    #[test]
    fn a_square_root_is_found() {
        let run = newton_raphson([1.0], &Square(2.0));
        assert!((run.unknowns[0] - 2f64.sqrt()).abs() < 1e-12 && run.converged, "{run:?}");
    }

    #[test]
    fn the_best_iterate_of_a_run_without_a_root_is_kept() {
        let run = newton_raphson([0.7], &Square(-1.0));
        assert!(!run.converged && run.iterations == MAX_ITERATIONS, "{run:?}");
        // Every iterate has a residual of at least one, and the best is no worse than the start.
        assert!((1.0..=1.49).contains(&run.residual), "{run:?}");
        assert_eq!(run.residual, run.unknowns[0].powi(2) + 1.0);
    }

    #[test]
    fn elimination_solves_a_system_that_needs_pivoting_and_refuses_a_singular_one() {
        let columns = [[0.0, 2.0, 1.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]];
        let x = solve_linear(columns, [4.0, 3.0, 2.0]).unwrap();
        assert!(x.iter().all(|value| (value - 1.0).abs() < 1e-14), "{x:?}");
        assert_eq!(solve_linear([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0]), None);
        assert_eq!(solve_linear([[f64::NAN, 2.0], [2.0, 4.0]], [1.0, 1.0]), None);
    }
}
