//! Minimisation with derivatives: BFGS with a backtracking line search.

use nalgebra::{SMatrix, SVector};

/// Share of the predicted decrease that a step has to achieve (Armijo).
const SUFFICIENT: f64 = 1e-4;
/// Most halvings of one step.
const MAX_HALVINGS: usize = 12;

/// A function on a space whose points are moved by small steps of N numbers.
pub(crate) trait Smooth<const N: usize> {
    /// A point.
    type Place: Clone;

    /// The point after a step.
    fn moved(&self, place: &Self::Place, step: &SVector<f64, N>) -> Self::Place;

    /// The value, and its derivative with respect to a step from there.
    fn jet(&mut self, place: &Self::Place) -> (f64, SVector<f64, N>);
}

/// At most `rounds` BFGS steps [Nocedal 2006, eq. 6.17] from `start`; `scale` are the sizes of first steps. It converges to a
/// local minimum; it stops early when the predicted decrease is below 1e-9 or no step along the direction decreases the value.
/// The value never increases.
pub(crate) fn descend<const N: usize, F: Smooth<N>>(
    function: &mut F,
    start: F::Place,
    scale: &SVector<f64, N>,
    rounds: usize,
) -> F::Place {
    let first_inverse = SMatrix::<f64, N, N>::from_diagonal(&scale.component_mul(scale));
    let mut inverse = first_inverse;
    let mut place = start;
    let (mut value, mut slope) = function.jet(&place);
    for _ in 0..rounds {
        let mut direction = -(inverse * slope);
        let mut decrease = -slope.dot(&direction);
        if decrease.is_nan() || decrease <= 0.0 {
            inverse = first_inverse;
            direction = -(inverse * slope);
            decrease = -slope.dot(&direction);
        }
        // Written so that NaN stops too.
        if decrease.is_nan() || decrease <= 1e-9 {
            break;
        }
        // No variable moves by more than a few of its first steps at once.
        let longest = direction.component_div(scale).amax();
        let mut length = (3.0 / longest).min(1.0);
        let mut found = None;
        for _ in 0..MAX_HALVINGS {
            let step = direction * length;
            let next = function.moved(&place, &step);
            let (next_value, next_slope) = function.jet(&next);
            if next_value <= value - SUFFICIENT * length * decrease {
                found = Some((step, next, next_value, next_slope));
                break;
            }
            length *= 0.5;
        }
        let Some((step, next, next_value, next_slope)) = found else { break };
        let change = next_slope - slope;
        let curvature = change.dot(&step);
        if curvature > 1e-12 * step.norm() * change.norm() {
            let along = inverse * change;
            let factor = (1.0 + change.dot(&along) / curvature) / curvature;
            inverse += step * step.transpose() * factor
                - (along * step.transpose() + step * along.transpose()) / curvature;
        }
        (place, value, slope) = (next, next_value, next_slope);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rosenbrock;

    impl Smooth<2> for Rosenbrock {
        type Place = SVector<f64, 2>;

        fn moved(&self, place: &Self::Place, step: &SVector<f64, 2>) -> Self::Place {
            place + step
        }

        fn jet(&mut self, p: &Self::Place) -> (f64, SVector<f64, 2>) {
            let (a, b) = (1.0 - p.x, p.y - p.x * p.x);
            let slope = SVector::<f64, 2>::new(-2.0 * a - 400.0 * p.x * b, 200.0 * b);
            (a * a + 100.0 * b * b, slope)
        }
    }

    #[test]
    fn a_curved_valley_is_followed_to_its_end() {
        let scale = SVector::<f64, 2>::repeat(0.1);
        let found = descend(&mut Rosenbrock, SVector::<f64, 2>::new(-1.2, 1.0), &scale, 200);
        assert!((found - SVector::<f64, 2>::repeat(1.0)).norm() < 1e-3, "{found}");
    }
}
