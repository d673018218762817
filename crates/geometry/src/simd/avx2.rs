//! Lanes in AVX2 registers, with fused multiply-add.
//!
//! The intrinsics are called from functions that are compiled without the instruction set and inlined into
//! [`run_avx2`], which has it; so each call is `unsafe`.
//!
//! SAFETY, for all of this module: the types here are reached only through [`Avx2`], which is not exported, and only
//! `Level::run` passes it to a kernel, after `Level::detect` found that the CPU has AVX2 and FMA.
#![allow(unsafe_code)]

use super::lanes::{Lanes, PowerLanes};
use super::portable;
use super::powers::{Bits, double, exp2_f32, exp2_f64, log2_f32, log2_f64, single};
use super::{Kernel, Simd, run_avx2};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub struct Avx2;

/// Four doubles.
#[derive(Debug, Clone, Copy)]
pub struct F64x4(__m256d);

/// Four singles.
#[derive(Debug, Clone, Copy)]
pub struct F32x4(__m128);

/// Eight singles.
#[derive(Debug, Clone, Copy)]
pub struct F32x8(__m256);

impl Simd for Avx2 {
    type F64x4 = F64x4;
    type F32x4 = F32x4;
    type F32x8 = F32x8;

    #[inline(always)]
    fn halves(lanes: F32x8) -> [F32x4; 2] {
        unsafe {
            [F32x4(_mm256_castps256_ps128(lanes.0)), F32x4(_mm256_extractf128_ps::<1>(lanes.0))]
        }
    }

    #[inline(always)]
    fn join([low, high]: [F32x4; 2]) -> F32x8 {
        F32x8(unsafe { _mm256_set_m128(high.0, low.0) })
    }

    #[inline(always)]
    fn swap_pairs(lanes: F32x4) -> F32x4 {
        F32x4(unsafe { _mm_shuffle_ps::<0b01_00_11_10>(lanes.0, lanes.0) })
    }

    #[inline(always)]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        unsafe { run_avx2(kernel) }
    }
}

macro_rules! operators {
    ($name:ident: $($trait:ident $method:ident $intrinsic:ident),*) => {$(
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}

macro_rules! comparisons {
    ($intrinsic:ident: $($method:ident $predicate:ident),*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            Self(unsafe { $intrinsic::<$predicate>(self.0, other.0) })
        }
    )*};
}

/// Conversions from and to the stored form, and everything else but powers.
macro_rules! lanes {
    (
        $name:ident, $scalar:ident, $all:literal, load $load:ident, store $store:ident, splat $splat:ident,
        fused $fused:ident, and_not $and_not:ident, sqrt $sqrt:ident, max $max:ident, min $min:ident,
        compare $compare:ident, blend $blend:ident, movemask $movemask:ident, operators { $($operators:tt)* }
    ) => {
        operators!($name: $($operators)*);

        impl From<portable::$name> for $name {
            #[inline(always)]
            fn from(stored: portable::$name) -> Self {
                Self(unsafe { $load(stored.0.as_ptr()) })
            }
        }

        impl From<$name> for portable::$name {
            #[inline(always)]
            fn from(lanes: $name) -> Self {
                let mut stored = Self([0.0; _]);
                unsafe { $store(stored.0.as_mut_ptr(), lanes.0) };
                stored
            }
        }

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                self ^ Self::splat(-0.0)
            }
        }

        impl Not for $name {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::all_true()
            }
        }

        impl Lanes for $name {
            comparisons!($compare: simd_gt _CMP_GT_OQ, simd_ge _CMP_GE_OQ, simd_lt _CMP_LT_OQ, simd_le _CMP_LE_OQ);

            #[inline(always)]
            fn splat(x: f64) -> Self {
                Self(unsafe { $splat(x as $scalar) })
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                Self(unsafe { $fused(self.0, a.0, b.0) })
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self(unsafe { $and_not(Self::splat(-0.0).0, self.0) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            fn select(self, if_true: Self, if_false: Self) -> Self {
                Self(unsafe { $blend(if_false.0, if_true.0, self.0) })
            }

            #[inline(always)]
            fn to_bitmask(self) -> u32 {
                unsafe { $movemask(self.0) as u32 }
            }

            #[inline(always)]
            fn all(self) -> bool {
                self.to_bitmask() == $all
            }

            #[inline(always)]
            fn any(self) -> bool {
                self.to_bitmask() != 0
            }
        }
    };
}

lanes!(
    F64x4, f64, 0xF, load _mm256_loadu_pd, store _mm256_storeu_pd, splat _mm256_set1_pd,
    fused _mm256_fmadd_pd, and_not _mm256_andnot_pd, sqrt _mm256_sqrt_pd, max _mm256_max_pd, min _mm256_min_pd,
    compare _mm256_cmp_pd, blend _mm256_blendv_pd, movemask _mm256_movemask_pd, operators {
        Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd,
        BitAnd bitand _mm256_and_pd, BitOr bitor _mm256_or_pd, BitXor bitxor _mm256_xor_pd
    }
);
lanes!(
    F32x4, f32, 0xF, load _mm_loadu_ps, store _mm_storeu_ps, splat _mm_set1_ps,
    fused _mm_fmadd_ps, and_not _mm_andnot_ps, sqrt _mm_sqrt_ps, max _mm_max_ps, min _mm_min_ps,
    compare _mm_cmp_ps, blend _mm_blendv_ps, movemask _mm_movemask_ps, operators {
        Add add _mm_add_ps, Sub sub _mm_sub_ps, Mul mul _mm_mul_ps, Div div _mm_div_ps,
        BitAnd bitand _mm_and_ps, BitOr bitor _mm_or_ps, BitXor bitxor _mm_xor_ps
    }
);
lanes!(
    F32x8, f32, 0xFF, load _mm256_loadu_ps, store _mm256_storeu_ps, splat _mm256_set1_ps,
    fused _mm256_fmadd_ps, and_not _mm256_andnot_ps, sqrt _mm256_sqrt_ps, max _mm256_max_ps, min _mm256_min_ps,
    compare _mm256_cmp_ps, blend _mm256_blendv_ps, movemask _mm256_movemask_ps, operators {
        Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps, Div div _mm256_div_ps,
        BitAnd bitand _mm256_and_ps, BitOr bitor _mm256_or_ps, BitXor bitxor _mm256_xor_ps
    }
);

impl Bits for F64x4 {
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        unsafe {
            let offset = _mm256_set1_epi64x((double::ONE_BITS - double::SQRT_HALF_BITS) as i64);
            let shifted = _mm256_add_epi64(_mm256_castpd_si256(self.0), offset);
            let biased = _mm256_or_si256(
                _mm256_srli_epi64::<{ double::MANTISSA_LENGTH }>(shifted),
                _mm256_set1_epi64x(double::TWO_52_BITS as i64),
            );
            let mantissa = _mm256_add_epi64(
                _mm256_and_si256(shifted, _mm256_set1_epi64x(double::MANTISSA as i64)),
                _mm256_set1_epi64x(double::SQRT_HALF_BITS as i64),
            );
            let exponent = Self(_mm256_castsi256_pd(biased)) - Self::splat(double::BIAS);
            (exponent, Self(_mm256_castsi256_pd(mantissa)))
        }
    }

    #[inline(always)]
    fn scaled_by(self, rounded: Self) -> Self {
        unsafe {
            let exponent =
                _mm256_slli_epi64::<{ double::MANTISSA_LENGTH }>(_mm256_castpd_si256(rounded.0));
            Self(_mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(self.0), exponent)))
        }
    }
}

impl Bits for F32x8 {
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        unsafe {
            let sqrt_half = _mm256_set1_epi32(single::SQRT_HALF_BITS);
            let bits = _mm256_sub_epi32(_mm256_castps_si256(self.0), sqrt_half);
            let exponent =
                _mm256_cvtepi32_ps(_mm256_srai_epi32::<{ single::MANTISSA_LENGTH }>(bits));
            let mantissa = _mm256_add_epi32(
                _mm256_and_si256(bits, _mm256_set1_epi32(single::MANTISSA)),
                sqrt_half,
            );
            (Self(exponent), Self(_mm256_castsi256_ps(mantissa)))
        }
    }

    #[inline(always)]
    fn scaled_by(self, rounded: Self) -> Self {
        unsafe {
            let exponent =
                _mm256_slli_epi32::<{ single::MANTISSA_LENGTH }>(_mm256_castps_si256(rounded.0));
            Self(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(self.0), exponent)))
        }
    }
}

impl PowerLanes for F64x4 {
    const TINY: f64 = portable::F64x4::TINY;

    #[inline(always)]
    fn log2(self) -> Self {
        log2_f64(self)
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        exp2_f64(self)
    }
}

impl PowerLanes for F32x8 {
    const TINY: f64 = portable::F32x8::TINY;

    #[inline(always)]
    fn log2(self) -> Self {
        log2_f32(self)
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        exp2_f32(self)
    }
}
