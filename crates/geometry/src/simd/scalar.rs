//! A single number as a lane type, so that arithmetic that is written for lanes serves scalars too.

use super::lanes::Lanes;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// One double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct F64x1(pub f64);

macro_rules! operators {
    ($($trait:ident $method:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $trait for F64x1 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, F64x1($b): Self) -> Self {
                let F64x1($a) = self;
                F64x1($value)
            }
        }
    )*};
}

operators! {
    Add add |a, b| a + b;
    Sub sub |a, b| a - b;
    Mul mul |a, b| a * b;
    Div div |a, b| a / b;
    BitAnd bitand |a, b| f64::from_bits(a.to_bits() & b.to_bits());
    BitOr bitor |a, b| f64::from_bits(a.to_bits() | b.to_bits());
    BitXor bitxor |a, b| f64::from_bits(a.to_bits() ^ b.to_bits());
}

impl Neg for F64x1 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        F64x1(-self.0)
    }
}

impl Not for F64x1 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        F64x1(f64::from_bits(!self.0.to_bits()))
    }
}

#[inline(always)]
fn mask(holds: bool) -> F64x1 {
    F64x1(f64::from_bits(if holds { u64::MAX } else { 0 }))
}

impl Lanes for F64x1 {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        F64x1(x)
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        F64x1(libm::fma(self.0, a.0, b.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        F64x1(self.0.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        F64x1(self.0.sqrt())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }

    #[inline(always)]
    fn simd_gt(self, other: Self) -> Self {
        mask(self.0 > other.0)
    }

    #[inline(always)]
    fn simd_ge(self, other: Self) -> Self {
        mask(self.0 >= other.0)
    }

    #[inline(always)]
    fn simd_lt(self, other: Self) -> Self {
        mask(self.0 < other.0)
    }

    #[inline(always)]
    fn simd_le(self, other: Self) -> Self {
        mask(self.0 <= other.0)
    }

    #[inline(always)]
    fn select(self, if_true: Self, if_false: Self) -> Self {
        if self.any() { if_true } else { if_false }
    }

    #[inline(always)]
    fn to_bitmask(self) -> u32 {
        u32::from(self.any())
    }

    #[inline(always)]
    fn all(self) -> bool {
        self.any()
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.to_bits() != 0
    }
}
