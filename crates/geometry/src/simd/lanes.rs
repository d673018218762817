//! What all lane types can do.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// Several numbers that go through the same arithmetic. Comparisons give masks: lanes of all ones or all zeros.
pub trait Lanes:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The same number on every lane, rounded to the precision of the lanes.
    fn splat(x: f64) -> Self;
    /// `self·a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// √x, correctly rounded.
    fn sqrt(self) -> Self;
    /// `self` where it is greater than `other`, else `other`: also where one is NaN or both are zero.
    fn max(self, other: Self) -> Self;
    /// `self` where it is less than `other`, else `other`: also where one is NaN or both are zero.
    fn min(self, other: Self) -> Self;
    /// Mask of `self > other`.
    fn simd_gt(self, other: Self) -> Self;
    /// Mask of `self ≥ other`.
    fn simd_ge(self, other: Self) -> Self;
    /// Mask of `self < other`.
    fn simd_lt(self, other: Self) -> Self;
    /// Mask of `self ≤ other`.
    fn simd_le(self, other: Self) -> Self;
    /// For each lane of this mask the one or the other.
    fn select(self, if_true: Self, if_false: Self) -> Self;
    /// This mask as bits, the first lane lowest.
    fn to_bitmask(self) -> u32;
    /// Whether this mask holds on all lanes.
    fn all(self) -> bool;
    /// Whether this mask holds on any lane.
    fn any(self) -> bool;

    /// A mask that holds on all lanes.
    #[inline(always)]
    fn all_true() -> Self {
        Self::splat(0.0).simd_ge(Self::splat(0.0))
    }

    /// ±1, with the sign of each lane; +1 for +0.
    #[inline(always)]
    fn signum(self) -> Self {
        (self & Self::splat(-0.0)) | Self::splat(1.0)
    }
}

/// Lanes with a logarithm and an exponential.
pub trait PowerLanes: Lanes {
    /// Small enough to stand for zero, with a logarithm and an inverse that are finite.
    const TINY: f64;

    /// log₂ of positive normal numbers.
    fn log2(self) -> Self;
    /// 2^x; where that is far below [`TINY`](Self::TINY) the result stays there, which every caller treats as zero.
    fn exp2(self) -> Self;
}
