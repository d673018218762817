//! A better start where Newton–Raphson fails: the distance is minimised in one angle at a time by bisection and regula
//! falsi.
//!
//! [Gonçalves 2015, §1.4.1] names "vector-valued multivariate bisection or regula falsi methods" as the way to a proper first
//! approximation and does not say how they are done. Here each of the four angles has its own equation, the derivative of
//! |PQ|² by that angle, and is solved for it with the others held. Every step lowers |PQ|², so for bodies that are apart
//! this approaches a pair of nearest points; for bodies that overlap it ends where the surfaces intersect.

use super::common_normal::Surfaces;

/// Rounds over the four angles. Neighbouring angles are coupled weakly for mild shapes; Newton–Raphson does the rest.
const SWEEPS: u32 = 8;
/// First step of the search for a bracket, in radians: the half of a cell of the quadtrees after six levels.
const FIRST_STEP: f64 = std::f64::consts::PI / 64.0;
/// Doublings of that step: the last reaches once around.
const MAX_DOUBLINGS: u32 = 6;
/// Regula falsi steps within a bracket.
const MAX_STEPS: u32 = 8;
/// Half the step of the difference quotient, in radians.
const DIFFERENCE_STEP: f64 = 1e-6;

/// Angles of a pair of points that is nearer than the given one, or that pair.
pub(super) fn improved(pair: &Surfaces, start: [f64; 4]) -> [f64; 4] {
    let mut angles = start;
    for _ in 0..SWEEPS {
        for k in 0..angles.len() {
            let at = |angle: f64| {
                let mut moved = angles;
                moved[k] = angle;
                moved
            };
            let slope = |angle: f64| {
                squared_distance(pair, at(angle + DIFFERENCE_STEP))
                    - squared_distance(pair, at(angle - DIFFERENCE_STEP))
            };
            if let Some(bracket) = bracket(angles[k], slope) {
                let found = at(root(bracket, slope));
                if squared_distance(pair, found) < squared_distance(pair, angles) {
                    angles = found;
                }
            }
        }
    }
    angles
}

fn squared_distance(pair: &Surfaces, angles: [f64; 4]) -> f64 {
    let [p, q] = pair.points(angles);
    (pair.in_a(&q) - p).norm_squared()
}

/// Two angles between which a function that falls away from `start` turns; `None` when it does not within a turn.
fn bracket(start: f64, slope: impl Fn(f64) -> f64) -> Option<[f64; 2]> {
    let first = slope(start);
    let direction = if first > 0.0 { -1.0 } else { 1.0 };
    let mut near = start;
    let mut step = FIRST_STEP;
    for _ in 0..=MAX_DOUBLINGS {
        let far = start + direction * step;
        if slope(far) * direction >= 0.0 {
            return Some(if near < far { [near, far] } else { [far, near] });
        }
        near = far;
        step *= 2.0;
    }
    None
}

/// A root of a function that is negative at the first end and positive at the second: regula falsi, with a bisection
/// wherever it moves the same end twice.
fn root([mut low, mut high]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (f(low), f(high));
    let mut moved_low = None;
    for _ in 0..MAX_STEPS {
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let is_inside = low < secant && secant < high;
        let middle = 0.5 * (low + high);
        let x = match moved_low {
            Some((_, true)) => middle,
            _ if is_inside => secant,
            _ => middle,
        };
        let value = f(x);
        let moves_low = value < 0.0;
        let again = matches!(moved_low, Some((before, _)) if before == moves_low);
        moved_low = Some((moves_low, again));
        if moves_low {
            (low, at_low) = (x, value);
        } else {
            (high, at_high) = (x, value);
        }
    }
    if -at_low < at_high { low } else { high }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Sequence, surfaces};
    use super::*;

    #[test]
    fn the_root_of_a_function_that_is_flat_on_one_side_is_bracketed() {
        // Plain regula falsi keeps the end at 2 and crawls; each bisection halves what is left.
        let found = root([0.0, 2.0], |x| x.powi(9) - 0.5);
        assert!((found - 0.5f64.powf(1.0 / 9.0)).abs() < 2.0 / 16.0, "{found}");
        let found = root([-1.0, 3.0], |x| x - 0.25);
        assert_eq!(found, 0.25);
    }

    #[test]
    fn points_come_nearer_and_end_near_the_nearest() {
        let mut sequence = Sequence(17);
        for _ in 0..20 {
            let bodies = sequence.pair(0.2, 4.0);
            let pair = surfaces(&bodies);
            let start = [0.3, 0.4, -0.5, 0.2];
            let found = improved(&pair, start);
            let (before, after) = (squared_distance(&pair, start), squared_distance(&pair, found));
            assert!(after < before);
            let [(a, pose_a), (b, pose_b)] = &bodies;
            let (truth, _) = crate::dense_search::signed_distance(a, pose_a, b, pose_b);
            // No pair of points of convex bodies is nearer than the distance.
            assert!(!a.is_convex() || !b.is_convex() || after.sqrt() >= truth - 1e-9);
            assert!(after.sqrt() < before.sqrt().max(truth + 0.5), "{} {truth}", after.sqrt());
        }
    }
}
