//! Whether a superovoid is convex.

/// Heights between which [`dent_height`] is worth knowing: above, hardly anything is concave for sure; below, the
/// powers of the height have no digits left.
const HIGHEST_DENT: f64 = 0.9;
const LOWEST_DENT: f64 = 1e-3;

/// How often [`dent_height`] looks again; twice is as good as always.
const DENT_ROUNDS: u32 = 3;

/// Samples of the height w in which the one-dimensional criterion is searched for a violation.
const SAMPLES: usize = 512;

/// Decides whether the superovoid with these exponents and tapers is convex; the semi-axes do not matter.
///
/// The body is convex exactly when g(w) = ρ(w)·N(w) is concave on [−1, 1] for every direction in the xy plane. With
/// p = 2/ε_z, q = 2/(2 − ε_xy), A = Tx/(1 + Tx·w), B = Ty/(1 + Ty·w) and λ in [0, 1] the share of the x axis in N^q,
/// dividing g'' by ρN gives
///
/// ```text
/// ρ''/ρ + 2(ρ'/ρ)(λA + (1 − λ)B) + (q − 1)λ(1 − λ)(A − B)²  ≤ 0
/// ρ'/ρ = −|w|^p/(w(1 − |w|^p)),    ρ''/ρ = −(p − 1)|w|^(p−2)/(1 − |w|^p)²
/// ```
///
/// The left side is a concave parabola in λ, so its maximum over λ is explicit and one variable, w, is left. For
/// Tx = Ty = T it reduces to 2|T|s(1 − s^p) ≤ (1 − |T|s)(p − 1), s in [0, 1]. For Tx ≠ Ty and ε_z < 1 the first term
/// vanishes at w = 0 and the last does not: such a body always has a saddle, however shallow.
pub(crate) fn is_convex(exponent_xy: f64, exponent_z: f64, taper: [f64; 2]) -> bool {
    let [tx, ty] = taper;
    if tx == 0.0 && ty == 0.0 {
        return true;
    }
    if tx != ty && exponent_z < 1.0 {
        return false;
    }
    let margin = |w: f64| violation(exponent_xy, exponent_z, taper, w);
    let step = 2.0 / SAMPLES as f64;
    let mut worst = (f64::NEG_INFINITY, 0.0);
    for k in 0..=SAMPLES {
        let w = k as f64 * step - 1.0;
        let value = margin(w);
        if value > worst.0 {
            worst = (value, w);
        }
    }
    // Golden-section refinement around the worst sample: the violation has a smooth maximum there.
    let (mut low, mut high) = ((worst.1 - step).max(-1.0), (worst.1 + step).min(1.0));
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..40 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if margin(left) > margin(right) {
            high = right;
        } else {
            low = left;
        }
    }
    worst.0.max(margin(0.5 * (low + high))) <= 0.0
}

/// A height |w| beyond which g is concave for every direction, so that a dent can only lie below it; none when that
/// would be a pole, or with ε_z ≥ 1. With s = |w|, and R the largest |A|, |B| and S the largest |A − B| of any height up to H,
/// the criterion of [`is_convex`] holds up to H wherever
///
/// ```text
/// s^(p−2)·((p − 1) − 2R·max s(1 − s^p)) ≥ (q − 1)·Λ·S²
/// ```
///
/// with Λ the largest λ(1 − λ): ¼ for all directions, or less along one. First H = 1, then what was found with it, since
/// nothing above matters any more.
pub(crate) fn dent_height(
    exponent_xy: f64,
    exponent_z: f64,
    [tx, ty]: [f64; 2],
    mixed: f64,
) -> Option<f64> {
    let (p, q) = (2.0 / exponent_z, 2.0 / (2.0 - exponent_xy));
    if p <= 2.0 {
        return None;
    }
    // s(1 − s^p) is highest here.
    let leaning_most = libm::pow(p + 1.0, -1.0 / p);
    let mut height = 1.0;
    for _ in 0..DENT_ROUNDS {
        let narrowest = |t: f64| 1.0 - t.abs() * height;
        let rate = |t: f64| t.abs() / narrowest(t);
        let spread = (tx - ty).abs() / (narrowest(tx) * narrowest(ty));
        let leaning = leaning_most.min(height);
        let lean = leaning * (1.0 - libm::pow(leaning, p));
        let room = (p - 1.0) - 2.0 * rate(tx).max(rate(ty)) * lean;
        let lower = libm::pow(mixed * (q - 1.0) * spread * spread / room, 1.0 / (p - 2.0));
        // Written so that a root of a negative number ends it too.
        if !(room > 0.0 && lower < HIGHEST_DENT.min(height)) {
            break;
        }
        height = lower;
    }
    (height < HIGHEST_DENT).then(|| height.max(LOWEST_DENT))
}

/// The left side of the criterion at height w, maximised over λ and multiplied by (1 − |w|^p)²·|w|^max(0, 2−p), which
/// is positive and keeps every term finite.
fn violation(exponent_xy: f64, exponent_z: f64, [tx, ty]: [f64; 2], w: f64) -> f64 {
    let (p, q) = (2.0 / exponent_z, 2.0 / (2.0 - exponent_xy));
    let s = w.abs();
    let lift = libm::pow(s, (2.0 - p).max(0.0));
    let open = 1.0 - libm::pow(s, p);
    // −(p − 1)|w|^(p−2) and −|w|^(p−1)·sign(w)·(1 − |w|^p), each with the factor that keeps it finite.
    let second = -(p - 1.0) * libm::pow(s, (p - 2.0).max(0.0));
    let first = -libm::pow(s, (p - 1.0).max(1.0)).copysign(w) * open;
    let (a, b) = (tx / (1.0 + tx * w), ty / (1.0 + ty * w));
    let spread = (q - 1.0) * (a - b) * (a - b) * open * open * lift;
    let lean = 2.0 * first * (a - b);
    let lambda = if spread > 0.0 {
        (0.5 + 0.5 * lean / spread).clamp(0.0, 1.0)
    } else if lean > 0.0 {
        1.0
    } else {
        0.0
    };
    second + 2.0 * first * b + lean * lambda + spread * lambda * (1.0 - lambda)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limits on |T| for Tx = Ty follow from the closed criterion; four of them to two digits.
    #[test]
    fn equal_tapers_have_the_known_limits() {
        for (exponent_z, limit) in [(0.5, 0.89), (1.0, 0.71), (1.5, 0.42), (1.8, 0.19)] {
            assert!(is_convex(0.8, exponent_z, [limit - 0.01; 2]), "{exponent_z}");
            assert!(!is_convex(0.8, exponent_z, [-limit - 0.01; 2]), "{exponent_z}");
        }
    }

    #[test]
    fn different_tapers_on_a_boxy_profile_are_always_dented() {
        assert!(!is_convex(1.0, 0.9, [0.2, 0.1]));
        assert!(is_convex(1.0, 1.0, [0.2, 0.1]));
    }

    /// Independent of the criterion: midpoints of random chords stay inside a convex body and leave a dented one.
    #[test]
    fn agrees_with_random_chords() {
        use std::f64::consts::{PI, TAU};

        use crate::math::Vec3;
        use crate::{ConvexSurface, Superovoid};
        let mut state = 7u64;
        let mut uniform = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut dented_found, mut dented_total) = (0, 0);
        for _ in 0..60 {
            let (exy, ez) = (0.4 + 1.2 * uniform(), 1.0 + 0.8 * uniform());
            let taper = [1.6 * uniform() - 0.8, 1.6 * uniform() - 0.8];
            let shape = Superovoid::new([1.0; 3], exy, ez, taper).unwrap();
            let mut point = || {
                let (eta, omega) = (PI * (uniform() - 0.5), TAU * uniform());
                let w = eta.sin().abs().powf(ez).copysign(eta);
                let rho = eta.cos().abs().powf(ez);
                Vec3::new(
                    (1.0 + taper[0] * w) * rho * omega.cos().abs().powf(exy).copysign(omega.cos()),
                    (1.0 + taper[1] * w) * rho * omega.sin().abs().powf(exy).copysign(omega.sin()),
                    w,
                )
            };
            let mut outside = false;
            for _ in 0..4000 {
                let (x, y) = (point(), point());
                outside |= shape.inside_outside(&(0.5 * (x + y))) > 1e-9;
            }
            assert!(!(shape.is_convex() && outside), "{exy} {ez} {taper:?}");
            dented_total += usize::from(!shape.is_convex());
            dented_found += usize::from(outside);
        }
        assert!(
            dented_total > 5 && dented_found * 10 >= dented_total * 6,
            "{dented_found}/{dented_total}"
        );
    }
}
