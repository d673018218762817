//! Two registers of four doubles whose computations do not depend on each other.

use super::lanes::{Lanes, PowerLanes};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// Twice four lanes. A power is a long chain of dependent operations; two independent chains take little longer than one.
#[derive(Debug, Clone, Copy)]
pub struct F64x4x2<L>(pub L, pub L);

macro_rules! operator_on_halves {
    ($($operator:ident $method:ident),*) => {$(
        impl<L: Lanes> $operator for F64x4x2<L> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                F64x4x2(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )*};
}

macro_rules! method_on_halves {
    ($($method:ident),*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            F64x4x2(self.0.$method(other.0), self.1.$method(other.1))
        }
    )*};
}

macro_rules! function_on_halves {
    ($($method:ident),*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            F64x4x2(self.0.$method(), self.1.$method())
        }
    )*};
}

operator_on_halves!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor, BitXor bitxor);

impl<L: Lanes> Neg for F64x4x2<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        F64x4x2(-self.0, -self.1)
    }
}

impl<L: Lanes> Not for F64x4x2<L> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        F64x4x2(!self.0, !self.1)
    }
}

impl<L: Lanes> Lanes for F64x4x2<L> {
    method_on_halves!(max, min, simd_gt, simd_ge, simd_lt, simd_le);
    function_on_halves!(abs, sqrt);

    #[inline(always)]
    fn splat(x: f64) -> Self {
        F64x4x2(L::splat(x), L::splat(x))
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        F64x4x2(self.0.mul_add(a.0, b.0), self.1.mul_add(a.1, b.1))
    }

    #[inline(always)]
    fn select(self, if_true: Self, if_false: Self) -> Self {
        F64x4x2(self.0.select(if_true.0, if_false.0), self.1.select(if_true.1, if_false.1))
    }

    #[inline(always)]
    fn to_bitmask(self) -> u32 {
        self.0.to_bitmask() | self.1.to_bitmask() << 4
    }

    #[inline(always)]
    fn all(self) -> bool {
        (self.0 & self.1).all()
    }

    #[inline(always)]
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }
}

impl<L: PowerLanes> PowerLanes for F64x4x2<L> {
    const TINY: f64 = L::TINY;

    function_on_halves!(log2, exp2);
}
