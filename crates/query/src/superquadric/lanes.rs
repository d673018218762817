//! Lanes: four numbers at a time, or twice four, or eight in single precision, and their logarithm and exponential.
//!
//! Powers are nearly all of the cost of a superquadric's support function. Logarithm and exponential are the textbook
//! reductions (log by atanh of (m−1)/(m+1), exp by Taylor's series on [−½, ½]) without the branches for special values:
//! the callers stay within the stated domains. Error below 4 units in the last place, checked by the tests.

use bytemuck::cast;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use wide::{f64x4, u64x4};

const SQRT_HALF_BITS: u64 = 0x3FE6_A09E_667F_3BCD;
const ONE_BITS: u64 = 0x3FF0_0000_0000_0000;
const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;
/// The bits of 2^52: or-ing a small integer into them gives 2^52 plus that integer.
const TWO_52_BITS: u64 = 0x4330_0000_0000_0000;
const TWO_52: f64 = 4_503_599_627_370_496.0;
/// Adding 1.5·2^52 rounds to an integer and leaves it in the low bits.
const ROUNDER: f64 = 1.5 * TWO_52;

/// [`Lanes::TINY`] of doubles.
const TINY: f64 = 1e-290;

/// Several numbers that go through the same arithmetic. Comparisons give masks: lanes of all ones or all zeros.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// Small enough to stand for zero, with a logarithm and an inverse that are finite.
    const TINY: f64;

    /// The same number on every lane.
    fn splat(x: f64) -> Self;
    /// `self·a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn abs(self) -> Self;
    /// Either may be returned where one is not a number.
    fn fast_max(self, other: Self) -> Self;
    /// Either may be returned where one is not a number.
    fn fast_min(self, other: Self) -> Self;
    fn simd_gt(self, other: Self) -> Self;
    fn simd_ge(self, other: Self) -> Self;
    fn simd_lt(self, other: Self) -> Self;
    fn simd_le(self, other: Self) -> Self;
    /// For each lane of this mask the one or the other.
    fn select(self, if_true: Self, if_false: Self) -> Self;
    /// Whether this mask holds on all lanes.
    fn all(self) -> bool;
    /// log₂ of positive normal numbers.
    fn log_2(self) -> Self;
    /// 2^x; where that is far below [`TINY`](Self::TINY) the result stays there, which every caller treats as zero.
    fn exp_2(self) -> Self;
}

/// Lanes in double precision, by the bits.
trait Doubles: Lanes {
    /// x = m·2^k with m in [√½, √2), for positive normal x: k and m.
    fn split_exponent(self) -> (Self, Self);
    /// This times 2^k, where k was rounded by adding [`ROUNDER`] to it.
    fn scaled_by(self, rounded: Self) -> Self;
}

/// The methods of [`Lanes`] that the types of `wide` have themselves.
macro_rules! methods_of_wide {
    () => {
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            self.mul_add(a, b)
        }

        #[inline(always)]
        fn abs(self) -> Self {
            self.abs()
        }

        #[inline(always)]
        fn fast_max(self, other: Self) -> Self {
            self.fast_max(other)
        }

        #[inline(always)]
        fn fast_min(self, other: Self) -> Self {
            self.fast_min(other)
        }

        #[inline(always)]
        fn simd_gt(self, other: Self) -> Self {
            self.simd_gt(other)
        }

        #[inline(always)]
        fn simd_ge(self, other: Self) -> Self {
            self.simd_ge(other)
        }

        #[inline(always)]
        fn simd_lt(self, other: Self) -> Self {
            self.simd_lt(other)
        }

        #[inline(always)]
        fn simd_le(self, other: Self) -> Self {
            self.simd_le(other)
        }

        #[inline(always)]
        fn select(self, if_true: Self, if_false: Self) -> Self {
            self.select(if_true, if_false)
        }

        #[inline(always)]
        fn all(self) -> bool {
            self.all()
        }
    };
}
pub(crate) use methods_of_wide;

impl Lanes for f64x4 {
    const TINY: f64 = TINY;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        f64x4::splat(x)
    }

    methods_of_wide!();

    #[inline(always)]
    fn log_2(self) -> Self {
        log2(self)
    }

    #[inline(always)]
    fn exp_2(self) -> Self {
        exp2(self)
    }
}

impl Doubles for f64x4 {
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let shifted = cast::<f64x4, u64x4>(self) + u64x4::splat(ONE_BITS - SQRT_HALF_BITS);
        let exponent = cast::<u64x4, f64x4>((shifted >> 52) | u64x4::splat(TWO_52_BITS));
        let mantissa = (shifted & u64x4::splat(MANTISSA)) + u64x4::splat(SQRT_HALF_BITS);
        (exponent - f64x4::splat(TWO_52 + 1023.0), cast(mantissa))
    }

    #[inline(always)]
    fn scaled_by(self, rounded: Self) -> Self {
        cast(cast::<f64x4, u64x4>(self) + (cast::<f64x4, u64x4>(rounded) << 52))
    }
}

/// Twice four lanes that do not depend on each other. A power is a long chain of operations that each wait for the one
/// before; two chains side by side take little longer than one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Twice(pub f64x4, pub f64x4);

impl Twice {
    /// The numbers of one lane of each half.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> [f64; 2] {
        [self.0.as_array()[lane], self.1.as_array()[lane]]
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, [one, other]: [f64; 2]) {
        self.0.as_mut_array()[lane] = one;
        self.1.as_mut_array()[lane] = other;
    }
}

macro_rules! operator_on_halves {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Twice {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Twice(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )*};
}

macro_rules! method_on_halves {
    ($($method:ident),*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            Twice(self.0.$method(other.0), self.1.$method(other.1))
        }
    )*};
}

operator_on_halves!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor);

impl Neg for Twice {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Twice(-self.0, -self.1)
    }
}

impl Not for Twice {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Twice(!self.0, !self.1)
    }
}

impl Lanes for Twice {
    const TINY: f64 = TINY;

    method_on_halves!(fast_max, fast_min, simd_gt, simd_ge, simd_lt, simd_le);

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Twice(f64x4::splat(x), f64x4::splat(x))
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Twice(self.0.mul_add(a.0, b.0), self.1.mul_add(a.1, b.1))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Twice(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn select(self, if_true: Self, if_false: Self) -> Self {
        Twice(self.0.select(if_true.0, if_false.0), self.1.select(if_true.1, if_false.1))
    }

    #[inline(always)]
    fn all(self) -> bool {
        (self.0 & self.1).all()
    }

    #[inline(always)]
    fn log_2(self) -> Self {
        log2(self)
    }

    #[inline(always)]
    fn exp_2(self) -> Self {
        exp2(self)
    }
}

impl Doubles for Twice {
    method_on_halves!(scaled_by);

    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let ((k0, m0), (k1, m1)) = (self.0.split_exponent(), self.1.split_exponent());
        (Twice(k0, k1), Twice(m0, m1))
    }
}

/// log₂ x for positive normal x.
#[inline(always)]
fn log2<L: Doubles>(x: L) -> L {
    let (k, m) = x.split_exponent();
    // log m = 2 atanh z = 2(z + z³/3 + z⁵/5 + …), z² ≤ 0.0295
    const SCALE: f64 = 2.0 * std::f64::consts::LOG2_E;
    let z = (m - L::splat(1.0)) / (m + L::splat(1.0));
    let y = z * z;
    let y2 = y * y;
    let y4 = y2 * y2;
    let c = |n: f64| L::splat(SCALE / n);
    let p01 = y.mul_add(c(3.0), c(1.0));
    let p23 = y.mul_add(c(7.0), c(5.0));
    let p45 = y.mul_add(c(11.0), c(9.0));
    let p67 = y.mul_add(c(15.0), c(13.0));
    let p89 = y.mul_add(c(19.0), c(17.0));
    let low = y2.mul_add(p23, p01);
    let high = y2.mul_add(p67, p45);
    let p = y4.mul_add((y4).mul_add(p89, high), low);
    z.mul_add(p, k)
}

/// 2^x; below −1000 the result stays at 2^−1000.
#[inline(always)]
fn exp2<L: Doubles>(x: L) -> L {
    let x = x.fast_max(L::splat(-1000.0));
    let rounded = x + L::splat(ROUNDER);
    let r = x - (rounded - L::splat(ROUNDER));
    // Coefficients (ln 2)^n / n!.
    const C: [f64; 14] = {
        let mut c = [1.0; 14];
        let mut n = 1;
        while n < 14 {
            c[n] = c[n - 1] * std::f64::consts::LN_2 / n as f64;
            n += 1;
        }
        c
    };
    let c = |n: usize| L::splat(C[n]);
    let r2 = r * r;
    let r4 = r2 * r2;
    let p01 = r.mul_add(c(1), c(0));
    let p23 = r.mul_add(c(3), c(2));
    let p45 = r.mul_add(c(5), c(4));
    let p67 = r.mul_add(c(7), c(6));
    let p89 = r.mul_add(c(9), c(8));
    let pab = r.mul_add(c(11), c(10));
    let pcd = r.mul_add(c(13), c(12));
    let q0 = r2.mul_add(p23, p01);
    let q1 = r2.mul_add(p67, p45);
    let q2 = r2.mul_add(pab, p89);
    let high = r4.mul_add(pcd, q2);
    let p = (r4 * r4).mul_add(high, r4.mul_add(q1, q0));
    p.scaled_by(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_agrees_with_the_standard_library() {
        for k in -300..300 {
            for f in [1.0, 1.1, 1.3, std::f64::consts::SQRT_2, 1.5, 1.9999] {
                let x = f * 2f64.powi(k);
                let got = log2(f64x4::splat(x)).to_array()[2];
                assert!((got - x.log2()).abs() <= 4e-16 * x.log2().abs().max(1.0), "{x}");
            }
        }
    }

    #[test]
    fn exp2_agrees_with_the_standard_library() {
        for k in -99_900..3000 {
            let x = k as f64 * 0.01;
            let got = exp2(f64x4::splat(x)).to_array()[1];
            assert!((got / x.exp2() - 1.0).abs() <= 9e-16, "{x}");
        }
        assert!(exp2(f64x4::splat(-5000.0)).to_array()[0] < 1e-300);
    }
}
