//! Lanes as arrays: what every CPU can do, and the form in which lanes are stored.
//!
//! On x86-64, where only CPUs from before 2013 run these, the operations are calls: unrolled over the lanes and inlined like the
//! others they would make up most of the time that it takes to compile the kernels. Elsewhere they are inlined.

use super::lanes::{Lanes, PowerLanes};
use super::powers::{Bits, double, exp2_f32, exp2_f64, log2_f32, log2_f64, single};
use super::{Kernel, Simd, run_portable};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// The instruction set that every CPU has.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Simd for Portable {
    type F64x4 = F64x4;
    type F32x4 = F32x4;
    type F32x8 = F32x8;

    #[inline(always)]
    fn halves(F32x8([a, b, c, d, e, f, g, h]): F32x8) -> [F32x4; 2] {
        [F32x4([a, b, c, d]), F32x4([e, f, g, h])]
    }

    #[inline(always)]
    fn join([F32x4([a, b, c, d]), F32x4([e, f, g, h])]: [F32x4; 2]) -> F32x8 {
        F32x8([a, b, c, d, e, f, g, h])
    }

    #[inline(always)]
    fn swap_pairs(F32x4([a, b, c, d]): F32x4) -> F32x4 {
        F32x4([c, d, a, b])
    }

    #[inline(always)]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        run_portable(kernel)
    }
}

/// `a·b + c`, rounded once: by an instruction where the target has one for certain, else as `libm` does it.
#[inline(always)]
fn fused_f64(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
        a.mul_add(b, c)
    } else {
        libm::fma(a, b, c)
    }
}

/// [`fused_f64`] in single precision.
#[inline(always)]
fn fused_f32(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
        a.mul_add(b, c)
    } else {
        libm::fmaf(a, b, c)
    }
}

macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, |$a:ident, $b:ident| $value:expr) => {
        impl $trait for $name {
            type Output = Self;

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn $method(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    let ($a, $b) = (*a, b);
                    *a = $value;
                }
                self
            }
        }
    };
}

macro_rules! comparison {
    ($scalar:ident, $bits:ident, $($method:ident $operator:tt),*) => {$(
        #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
        fn $method(mut self, other: Self) -> Self {
            for (a, b) in self.0.iter_mut().zip(other.0) {
                *a = $scalar::from_bits(if *a $operator b { $bits::MAX } else { 0 });
            }
            self
        }
    )*};
}

/// A lane type, with everything but powers.
macro_rules! portable_lanes {
    ($name:ident, $scalar:ident, $bits:ident, $count:literal, $align:literal, $fused:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[repr(C, align($align))]
        pub struct $name(pub [$scalar; $count]);

        operator!($name, Add, add, |a, b| a + b);
        operator!($name, Sub, sub, |a, b| a - b);
        operator!($name, Mul, mul, |a, b| a * b);
        operator!($name, Div, div, |a, b| a / b);
        operator!($name, BitAnd, bitand, |a, b| $scalar::from_bits(a.to_bits() & b.to_bits()));
        operator!($name, BitOr, bitor, |a, b| $scalar::from_bits(a.to_bits() | b.to_bits()));
        operator!($name, BitXor, bitxor, |a, b| $scalar::from_bits(a.to_bits() ^ b.to_bits()));

        impl Neg for $name {
            type Output = Self;

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn neg(self) -> Self {
                self ^ Self([-0.0; $count])
            }
        }

        impl Not for $name {
            type Output = Self;

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn not(self) -> Self {
                self ^ Self([$scalar::from_bits($bits::MAX); $count])
            }
        }

        impl Lanes for $name {
            comparison!($scalar, $bits, simd_gt >, simd_ge >=, simd_lt <, simd_le <=);

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn splat(x: f64) -> Self {
                Self([x as $scalar; $count])
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn mul_add(mut self, a: Self, b: Self) -> Self {
                for ((x, a), b) in self.0.iter_mut().zip(a.0).zip(b.0) {
                    *x = $fused(*x, a, b);
                }
                self
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn abs(self) -> Self {
                self & !Self([-0.0; $count])
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn sqrt(mut self) -> Self {
                self.0.iter_mut().for_each(|x| *x = x.sqrt());
                self
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn max(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a = if *a > b { *a } else { b };
                }
                self
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn min(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a = if *a < b { *a } else { b };
                }
                self
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn select(self, if_true: Self, if_false: Self) -> Self {
                (self & if_true) | (!self & if_false)
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn to_bitmask(self) -> u32 {
                let set = |k: usize| u32::from(self.0[k].is_sign_negative()) << k;
                (0..$count).fold(0, |mask, k| mask | set(k))
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn all(self) -> bool {
                self.0.iter().all(|x| x.is_sign_negative())
            }

            #[cfg_attr(target_arch = "x86_64", inline(never))]
            #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
            fn any(self) -> bool {
                self.0.iter().any(|x| x.is_sign_negative())
            }
        }
    };
}

portable_lanes!(F64x4, f64, u64, 4, 32, fused_f64, "Four doubles.");
portable_lanes!(F32x4, f32, u32, 4, 16, fused_f32, "Four singles.");
portable_lanes!(F32x8, f32, u32, 8, 32, fused_f32, "Eight singles.");

impl Bits for F64x4 {
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let (mut exponent, mut mantissa) = (self, self);
        for (k, m) in exponent.0.iter_mut().zip(&mut mantissa.0) {
            let shifted = k.to_bits().wrapping_add(double::ONE_BITS - double::SQRT_HALF_BITS);
            let biased = (shifted >> double::MANTISSA_LENGTH) | double::TWO_52_BITS;
            *k = f64::from_bits(biased) - double::BIAS;
            *m = f64::from_bits((shifted & double::MANTISSA) + double::SQRT_HALF_BITS);
        }
        (exponent, mantissa)
    }

    #[inline(always)]
    fn scaled_by(mut self, rounded: Self) -> Self {
        for (x, k) in self.0.iter_mut().zip(rounded.0) {
            let exponent = k.to_bits() << double::MANTISSA_LENGTH;
            *x = f64::from_bits(x.to_bits().wrapping_add(exponent));
        }
        self
    }
}

impl Bits for F32x8 {
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let (mut exponent, mut mantissa) = (self, self);
        for (k, m) in exponent.0.iter_mut().zip(&mut mantissa.0) {
            let bits = (k.to_bits() as i32).wrapping_sub(single::SQRT_HALF_BITS);
            *k = (bits >> single::MANTISSA_LENGTH) as f32;
            *m = f32::from_bits(((bits & single::MANTISSA) + single::SQRT_HALF_BITS) as u32);
        }
        (exponent, mantissa)
    }

    #[inline(always)]
    fn scaled_by(mut self, rounded: Self) -> Self {
        for (x, k) in self.0.iter_mut().zip(rounded.0) {
            let exponent = k.to_bits() << single::MANTISSA_LENGTH;
            *x = f32::from_bits(x.to_bits().wrapping_add(exponent));
        }
        self
    }
}

// Long enough to be worth a call everywhere.
impl PowerLanes for F64x4 {
    const TINY: f64 = 1e-290;

    #[inline(never)]
    fn log2(self) -> Self {
        log2_f64(self)
    }

    #[inline(never)]
    fn exp2(self) -> Self {
        exp2_f64(self)
    }
}

impl PowerLanes for F32x8 {
    const TINY: f64 = 1e-12;

    #[inline(never)]
    fn log2(self) -> Self {
        log2_f32(self)
    }

    #[inline(never)]
    fn exp2(self) -> Self {
        exp2_f32(self)
    }
}
