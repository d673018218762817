//! Can contacts resist every wrench? Decided by a certificate.
//!
//! Wrenches w positively span all six dimensions, so that the grasp has *force closure*, exactly when they have rank six and some
//! strictly positive combination of them is zero. Scaled, the weights may be taken at least one. So let
//!
//! ```text
//! λ ≥ 0 minimise |W(λ + 1)|,    r = W(λ + 1) the remainder
//! ```
//!
//! by the active-set method of Lawson and Hanson [Lawson 1974, ch. 23]. If r = 0, the weights λ + 1 are the certificate. If not, the
//! optimality conditions Wᵀr ≥ 0 and r·W(λ + 1) = |r|² > 0 say that no wrench of the grasp has a component against r, and some have one
//! along it: r separates the grasp from the wrench −r, which it cannot resist.

use nalgebra::{DMatrix, DVector, Vector6};

/// Remainder, relative to the sum of the wrenches' lengths, below which it is rounding.
const ROUNDING: f64 = 1e-10;
/// Smallest singular value of the wrenches, relative to the largest, from which they have rank six.
const RANK: f64 = 1e-9;

/// Whether contacts can resist every wrench, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub enum ForceClosure {
    /// They can: the wrenches have rank six, and with these weights, all positive, they add up to nothing.
    Closed {
        /// A weight for each wrench.
        weights: Vec<f64>,
    },
    /// They cannot: no wrench of the grasp has a negative component along this unit wrench, so nothing resists a push along it.
    Open {
        /// The separating wrench (force, scaled moment).
        separating: Vector6<f64>,
    },
}

impl ForceClosure {
    /// Whether every wrench can be resisted.
    pub fn is_closed(&self) -> bool {
        matches!(self, ForceClosure::Closed { .. })
    }
}

/// Decides force closure of wrenches.
pub fn force_closure(wrenches: &[Vector6<f64>]) -> ForceClosure {
    if wrenches.is_empty() {
        return ForceClosure::Open { separating: Vector6::x() };
    }
    let matrix = DMatrix::from_fn(6, wrenches.len(), |row, column| wrenches[column][row]);
    // Directions that no wrench reaches. Columns of zeros make room for six of them.
    let padded = matrix.clone().resize_horizontally(wrenches.len().max(6), 0.0);
    let svd = padded.svd(true, false);
    let weakest = svd.singular_values.imin();
    if svd.singular_values[weakest] <= RANK * svd.singular_values.max() {
        let vectors = svd.u.expect("the left singular vectors were asked for");
        let column = vectors.column(weakest);
        return ForceClosure::Open { separating: Vector6::from_iterator(column.iter().copied()) };
    }
    let (mut weights, remainder) = least_weights(&matrix);
    let scale: f64 = wrenches.iter().map(|w| w.norm()).sum();
    if remainder.norm() > ROUNDING * scale {
        let unit = remainder.normalize();
        return ForceClosure::Open { separating: Vector6::from_iterator(unit.iter().copied()) };
    }
    // What rounding left over is taken back: a change of the weights by far less than one.
    let gram = &matrix * matrix.transpose();
    let back = gram.cholesky().expect("the wrenches have rank six").solve(&remainder);
    weights -= matrix.tr_mul(&back);
    ForceClosure::Closed { weights: weights.as_slice().to_vec() }
}

/// The weights λ + 1 and the remainder W(λ + 1).
fn least_weights(matrix: &DMatrix<f64>) -> (DVector<f64>, DVector<f64>) {
    let count = matrix.ncols();
    let target = -(matrix * DVector::from_element(count, 1.0));
    let mut lambda = DVector::zeros(count);
    let mut passive: Vec<usize> = Vec::new();
    let tolerance = 1e-12 * matrix.amax() * target.amax().max(matrix.amax());
    // Each round adds one weight; three times their number is far more than is ever needed.
    for _ in 0..3 * count.max(6) {
        let left = &target - matrix * &lambda;
        let slopes = matrix.tr_mul(&left);
        let open = (0..count).filter(|k| !passive.contains(k));
        let Some(best) = open.max_by(|a, b| slopes[*a].total_cmp(&slopes[*b])) else { break };
        if slopes[best] <= tolerance {
            break;
        }
        passive.push(best);
        // Weights of the passive set by least squares; those that would become negative leave it.
        while !passive.is_empty() {
            let part = DMatrix::from_fn(6, passive.len(), |row, k| matrix[(row, passive[k])]);
            let solution = part.svd(true, true).solve(&target, 1e-13);
            let solution = solution.expect("both sets of singular vectors were asked for");
            if solution.iter().all(|x| *x > 0.0) {
                lambda.fill(0.0);
                for (place, value) in passive.iter().zip(solution.iter()) {
                    lambda[*place] = *value;
                }
                break;
            }
            let mut step = 1f64;
            for (place, value) in passive.iter().zip(solution.iter()) {
                if *value <= 0.0 {
                    step = step.min(lambda[*place] / (lambda[*place] - value));
                }
            }
            for (place, value) in passive.iter().zip(solution.iter()) {
                lambda[*place] += step * (value - lambda[*place]);
            }
            let before = passive.len();
            passive.retain(|place| lambda[*place] > 1e-14);
            if passive.len() == before {
                break;
            }
        }
    }
    let weights = lambda.add_scalar(1.0);
    let remainder = matrix * &weights;
    (weights, remainder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_both_ways_close_and_one_way_do_not() {
        let axis = |k: usize, sign: f64| {
            let mut w = Vector6::zeros();
            w[k] = sign;
            w
        };
        let mut all: Vec<Vector6<f64>> =
            (0..6).flat_map(|k| [axis(k, 1.0), axis(k, -2.0)]).collect();
        let ForceClosure::Closed { weights } = force_closure(&all) else { panic!("closed") };
        let sum: Vector6<f64> = all.iter().zip(&weights).map(|(w, x)| w * *x).sum();
        assert!(sum.amax() < 1e-14 && weights.iter().all(|x| *x > 0.5), "{weights:?}");
        // Without −z nothing resists a push along z.
        all.remove(5);
        let ForceClosure::Open { separating } = force_closure(&all) else { panic!("open") };
        assert!(all.iter().all(|w| w.dot(&separating) > -1e-12));
        assert!((separating - axis(2, 1.0)).amax() < 1e-9, "{separating}");
        // Five dimensions are not six.
        let flat: Vec<Vector6<f64>> = (0..5).flat_map(|k| [axis(k, 1.0), axis(k, -1.0)]).collect();
        let ForceClosure::Open { separating } = force_closure(&flat) else { panic!("open") };
        assert!((separating[5].abs() - 1.0).abs() < 1e-12);
    }
}
