//! Interval arithmetic with rounding on the safe side: every result contains the exact one.
//!
//! Sums, products, quotients and roots of IEEE 754 are correctly rounded, so the exact value is within one unit in the last
//! place of the computed one. For powers (crate `libm`, below one unit) four units are added.

use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The computed bounds, one unit farther out.
    fn outward(low: f64, high: f64) -> Self {
        Self { low: low.next_down(), high: high.next_up() }
    }

    pub fn abs(self) -> Self {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            -self
        } else {
            Self { low: 0.0, high: self.high.max(-self.low) }
        }
    }

    pub fn square(self) -> Self {
        let a = self.abs();
        Self::outward(a.low * a.low, a.high * a.high)
    }

    pub fn at_least_zero(self) -> Self {
        Self { low: self.low.max(0.0), high: self.high.max(0.0) }
    }

    /// Divided by an interval of positive numbers; anything when the divisor may be zero.
    pub fn over(self, divisor: Self) -> Self {
        if divisor.low <= 0.0 || divisor.low.is_nan() {
            return Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let low = (self.low / divisor.low).min(self.low / divisor.high);
        let high = (self.high / divisor.low).max(self.high / divisor.high);
        Self::outward(low, high)
    }

    /// An upper bound on x^e, for x ≥ 0 in this interval and e > 0 in the other.
    pub fn power_below(self, exponent: Self) -> f64 {
        let base = self.high;
        // Powers grow with the base; with the exponent they grow above one and fall below it.
        let exponent = if base <= 1.0 { exponent.low } else { exponent.high };
        let mut bound = libm::pow(base, exponent);
        for _ in 0..4 {
            bound = bound.next_up();
        }
        bound
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::outward(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        let low = products.into_iter().fold(f64::INFINITY, f64::min);
        let high = products.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self::outward(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_contain_what_is_exact_in_twice_the_precision() {
        // a·b and a + b of 26-bit numbers divided by powers of two are exact in f64; thirds are not.
        let third = Interval::exactly(1.0).over(Interval::exactly(3.0));
        let one = third + third + third;
        assert!(one.low < 1.0 && one.high > 1.0 && one.high - one.low < 1e-15);
        let tenth = Interval::exactly(1.0).over(Interval::exactly(10.0));
        // 0.1 in binary is above a tenth.
        assert!(tenth.low < 0.1 && tenth.high > tenth.low);
        let product = (-third) * tenth;
        assert!(product.low < -1.0 / 30.0 && product.high > -1.0 / 30.0 - 1e-17);
        let square = Interval { low: -2.0, high: 1.0 }.square();
        assert!(square.low <= 0.0 && square.high >= 4.0 && square.high < 4.0 + 1e-14);
        let nothing = Interval::exactly(1.0).over(Interval { low: -1.0, high: 1.0 });
        assert_eq!(nothing.high, f64::INFINITY);
    }

    #[test]
    fn powers_are_bounded_from_above() {
        for (base, exponent, exact) in [(4.0, 0.5, 2.0), (0.25, 1.5, 0.125), (9.0, 2.5, 243.0)] {
            let bound = Interval::exactly(base).power_below(Interval::exactly(exponent));
            assert!(bound > exact && bound < exact * (1.0 + 1e-14));
        }
        let wide = Interval { low: 0.4, high: 0.6 };
        assert!(Interval::exactly(0.5).power_below(wide) >= libm::pow(0.5, 0.4));
        assert!(Interval::exactly(2.0).power_below(wide) >= libm::pow(2.0, 0.6));
    }
}
