//! The norm dual to a superellipse, with its derivatives: the building block of every superquadric support function.
//!
//! A superellipse with squareness ε is the unit circle of the p-norm with p = 2/ε, so its support function is the
//! dual norm with 1/p + 1/q = 1:
//!
//! ```text
//! q = 2/(2 − ε),    N(u, v) = (u^q + v^q)^(1/q),    u, v ≥ 0
//! N_u = (u/N)^(q−1),    N_v = (v/N)^(q−1)                 a point of the p-circle
//! ∇²N = κ (v, −u)(v, −u)ᵀ,    κ = (q − 1) N_u N_v / (u v N)
//! ```
//!
//! Two logarithms and two exponentials give the value and every derivative: with t = min/max and s = t^q,
//! N = max·(1 + s)^(1/q), N_max = (1 + s)^(1/q)/(1 + s) and N_min = N_max·s/t.

use super::surface::FLAT_RADIUS;

/// The q-norm dual to a superellipse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DualNorm {
    /// q = 2/(2 − ε) in (1, ∞).
    pub q: f64,
    /// 1/q = 1 − ε/2.
    pub inv_q: f64,
}

/// Value and gradient of a [`DualNorm`] at one point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NormJet {
    pub value: f64,
    pub du: f64,
    pub dv: f64,
}

impl DualNorm {
    pub fn of_exponent(exponent: f64) -> Self {
        Self { q: 2.0 / (2.0 - exponent), inv_q: 1.0 - 0.5 * exponent }
    }

    /// Value and gradient at `u, v ≥ 0`. At the origin, where the norm has no gradient, the result is zero.
    #[inline]
    pub fn jet(&self, u: f64, v: f64) -> NormJet {
        let (large, small) = if u >= v { (u, v) } else { (v, u) };
        if large <= 0.0 {
            return NormJet { value: 0.0, du: 0.0, dv: 0.0 };
        }
        let t = small / large;
        if t <= 0.0 {
            return if u >= v {
                NormJet { value: large, du: 1.0, dv: 0.0 }
            } else {
                NormJet { value: large, du: 0.0, dv: 1.0 }
            };
        }
        let (growth, slope) = if self.q == 2.0 {
            ((1.0 + t * t).sqrt(), t)
        } else {
            // t^(q−1) rather than t^q/t: it stays exact where t^q underflows.
            let slope = libm::exp((self.q - 1.0) * libm::log(t));
            (libm::exp(libm::log1p(slope * t) * self.inv_q), slope)
        };
        let d_large = growth / (1.0 + slope * t);
        let d_small = d_large * slope;
        if u >= v {
            NormJet { value: large * growth, du: d_large, dv: d_small }
        } else {
            NormJet { value: large * growth, du: d_small, dv: d_large }
        }
    }

    /// κ·m² of the Hessian κ(v, −u)(v, −u)ᵀ with m = max(u, v), so that the caller can pair it with (v, −u)/m; that
    /// product stays finite where κ alone does not. Where the surface is flat (v → 0 with q < 2) κ·m²·N is capped at
    /// [`FLAT_RADIUS`].
    #[inline]
    pub fn curvature(&self, u: f64, v: f64, jet: &NormJet) -> f64 {
        let (large, small) = if u >= v { (u, v) } else { (v, u) };
        if large <= 0.0 {
            return 0.0;
        }
        let t = small / large;
        // N_u N_v/(u v N) m² = (N_large · N_small) / (t · N)
        let ratio = if t > 0.0 {
            jet.du.max(jet.dv) * (jet.du.min(jet.dv) / t)
        } else if self.q < 2.0 {
            f64::INFINITY
        } else if self.q == 2.0 {
            1.0
        } else {
            0.0
        };
        ((self.q - 1.0) * ratio).min(FLAT_RADIUS) / jet.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_lies_on_the_superellipse_and_reproduces_the_value() {
        for exponent in [0.02, 0.3, 1.0, 1.4, 1.98] {
            let norm = DualNorm::of_exponent(exponent);
            let p = 2.0 / exponent;
            for (u, v) in [(1.0, 0.3), (0.2, 5.0), (1.0, 1.0), (3.0, 1e-5)] {
                let jet = norm.jet(u, v);
                assert!((jet.du.powf(p) + jet.dv.powf(p) - 1.0).abs() < 1e-12 * p);
                assert!((jet.du * u + jet.dv * v - jet.value).abs() < 1e-14 * jet.value);
            }
        }
    }

    #[test]
    fn curvature_is_the_second_difference_of_the_value() {
        for exponent in [0.3, 1.0, 1.7] {
            let norm = DualNorm::of_exponent(exponent);
            let (u, v, e) = (0.7, 0.4, 1e-4);
            let second = (norm.jet(u + e, v).value - 2.0 * norm.jet(u, v).value
                + norm.jet(u - e, v).value)
                / (e * e);
            let jet = norm.jet(u, v);
            let formula = norm.curvature(u, v, &jet) * (v / u) * (v / u);
            assert!((second - formula).abs() < 1e-5 * formula, "{second} {formula}");
        }
    }
}
