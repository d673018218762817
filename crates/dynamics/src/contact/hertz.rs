//! How stiff is a contact of two curved surfaces? Hertz's theory for elliptic contacts [Johnson 1985, §4.2].
//!
//! Two surfaces whose relative principal curvatures are 2A ≤ 2B touch over an ellipse with semi-axes a ≥ b and
//! eccentricity e, e² = 1 − b²/a². With the complete elliptic integrals K(e), E(e), the pressure p₀ in the middle and the
//! modulus E*, Johnson's eqs. 4.26 and 4.28 are
//!
//! ```text
//! A = p₀/E* · b/(e²a²) · (K − E),    B = p₀/E* · b/(e²a²) · ((a/b)² E − K),    δ = p₀/E* · b K,    F = 2/3 p₀ π a b
//! ```
//!
//! So the ratio A/B gives e; the sum A + B = p₀/E* · E/b and δ give b² = δE/((A + B)K); and
//!
//! ```text
//! F = k δ^(3/2),    k = (2π/3) E* (a/b) √( E / ((A + B) K³) )
//! ```
//!
//! which is 4/3 E* √R for two spheres, 1/R = 1/R₁ + 1/R₂.

use std::f64::consts::{FRAC_PI_2, PI};

/// The complete elliptic integrals K and E for the complementary modulus b/a = √(1 − e²), by the arithmetic-geometric mean:
/// quadratic convergence, to rounding in at most eight rounds for 1e-6 ≤ b/a ≤ 1.
fn elliptic(axis_ratio: f64) -> [f64; 2] {
    let (mut a, mut g) = (1.0, axis_ratio);
    let mut sum = 0.5 * (1.0 - axis_ratio * axis_ratio);
    let mut weight = 0.5;
    for _ in 0..40 {
        let c = 0.5 * (a - g);
        if c.abs() < 1e-17 {
            break;
        }
        weight *= 2.0;
        sum += weight * c * c;
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    let k = FRAC_PI_2 / a;
    [k, k * (1.0 - sum)]
}

/// A/B of the contact ellipse with this b/a; grows with it from 0 to 1.
fn curvature_ratio(axis_ratio: f64) -> f64 {
    let [k, e] = elliptic(axis_ratio);
    let inverse_square = 1.0 / (axis_ratio * axis_ratio);
    (k - e) / (inverse_square * e - k)
}

/// The stiffness k of F = k δ^(3/2) for two positive relative principal curvatures (1/m) and Hertz's modulus (Pa), in
/// N/m^(3/2).
///
/// b/a is found by the secant method on logarithms until the ratio A/B is met to 1e-13, from the power law b/a = (A/B)^0.64;
/// the two are so nearly proportional that four rounds are typical. Curvatures whose ratio is below 1e-9, which are lines
/// rather than points, are treated as that ratio.
pub fn hertz_stiffness(curvatures: [f64; 2], modulus: f64) -> f64 {
    let [low, high] = match curvatures {
        [a, b] if a <= b => [a, b],
        [a, b] => [b, a],
    };
    let ratio = (low / high).max(1e-9);
    // Near one the two differences cancel; there the ellipse is b/a = (A/B)^(2/3) to first order, and k does not depend on it.
    let axis_ratio = if ratio > 1.0 - 1e-6 {
        ratio.cbrt() * ratio.cbrt()
    } else {
        let goal = ratio.ln();
        let excess = |x: f64| curvature_ratio(x.exp()).ln() - goal;
        let (mut before, mut now) = (0.66 * goal, 0.62 * goal);
        let mut excess_before = excess(before);
        for _ in 0..50 {
            let excess_now = excess(now);
            if excess_now.abs() < 1e-13 || excess_now == excess_before {
                break;
            }
            let next = now - excess_now * (now - before) / (excess_now - excess_before);
            (before, excess_before) = (now, excess_now);
            now = next.clamp(goal, 0.3 * goal);
        }
        now.exp()
    };
    let [k, e] = elliptic(axis_ratio);
    let sum = 0.5 * (low.max(high * 1e-9) + high);
    2.0 * PI / 3.0 * modulus / axis_ratio * (e / (sum * k * k * k)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_have_the_closed_form() {
        for radius in [1e-3, 0.1, 5.0] {
            let expected = 4.0 / 3.0 * 2e7 * f64::sqrt(radius);
            let found = hertz_stiffness([1.0 / radius; 2], 2e7);
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
        }
    }

    /// K and E of Abramowitz and Stegun, table 17.1, for the parameter m = e².
    #[test]
    fn elliptic_integrals_are_those_of_the_tables() {
        for (m, k, e) in [
            (0.0f64, FRAC_PI_2, FRAC_PI_2),
            (0.5, 1.854074677301372, 1.350643881047675),
            (0.9, 2.578092113348173, 1.104774732704073),
        ] {
            let [found_k, found_e] = elliptic((1.0 - m).sqrt());
            assert!((found_k - k).abs() < 1e-14 && (found_e - e).abs() < 1e-14, "{m}");
        }
    }

    /// The pressure under the force and curvatures that the stiffness implies is the same from each of Johnson's equations.
    #[test]
    fn the_ellipse_satisfies_all_equations() {
        let (modulus, depth) = (1.7e7, 1e-4);
        for curvatures in [[1.0, 3.0], [2.0, 2.5], [0.01, 8.0]] {
            let [a_half, b_half] = curvatures.map(|c: f64| 0.5 * c);
            let force = hertz_stiffness(curvatures, modulus) * f64::powf(depth, 1.5);
            let (mut lower, mut upper) = (1e-6f64, 1.0 - 1e-9);
            for _ in 0..200 {
                let middle = 0.5 * (lower + upper);
                if curvature_ratio(middle) < a_half / b_half {
                    lower = middle
                } else {
                    upper = middle
                }
            }
            let ratio = 0.5 * (lower + upper);
            let [k, e] = elliptic(ratio);
            let b = (depth * e / ((a_half + b_half) * k)).sqrt();
            let a = b / ratio;
            let pressure = force / (2.0 / 3.0 * PI * a * b);
            let square = 1.0 - ratio * ratio;
            let big_a = pressure / modulus * b / (square * a * a) * (k - e);
            let big_b = pressure / modulus * b / (square * a * a) * (e / (ratio * ratio) - k);
            assert!((big_a / a_half - 1.0).abs() < 1e-9, "{curvatures:?}");
            assert!((big_b / b_half - 1.0).abs() < 1e-9, "{curvatures:?}");
            assert!((pressure / modulus * b * k / depth - 1.0).abs() < 1e-9);
        }
    }
}
