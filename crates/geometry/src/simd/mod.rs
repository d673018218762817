//! Several numbers in one register, with the instruction set chosen at run time.
//!
//! A [`Kernel`] is a piece of arithmetic written once, generic in the instruction set `S:` [`Simd`]. [`Level::run`]
//! compiles it for each set and calls the one this CPU has. **All sets give the same bits**:
//!
//! - Only operations that IEEE 754 defines to the last bit are offered: `+ − × ÷ √`, comparisons, bit operations and the
//!   fused multiply-add. Instructions whose result depends on the maker of the CPU (`rsqrtps`, `rcpps`) are not.
//! - [`Lanes::mul_add`] rounds once everywhere: by the instruction where there is one, else by `libm::fma`.
//! - [`Lanes::max`] and [`Lanes::min`] say what they return for NaN and for zeros of different sign.
//! - Powers ([`PowerLanes`]) are built from these operations in one place.
//!
//! Everything a kernel calls with lanes has to be `#[inline(always)]`, closures included: a function that is compiled on
//! its own does not have the instruction set, and every operation in it becomes a call. [`xyz!`](crate::xyz) stands in for
//! `[0, 1, 2].map(…)` for this reason.
//!
//! | set | when | lanes |
//! |---|---|---|
//! | AVX2 with FMA | x86-64 since 2013 (Haswell, Zen), detected at run time | one 256-bit register |
//! | portable | everything else; aarch64 has fused multiply-add in its base set | arrays |
//!
//! AVX-512 is not used. Whether it pays has not been measured.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod lanes;
mod pair;
mod portable;
mod powers;
mod scalar;
mod vectors;

pub use lanes::{Lanes, PowerLanes};
pub use pair::F64x4x2;
pub use portable::{F32x4, F32x8, F64x4, Portable};
pub use scalar::F64x1;
pub use vectors::{dot, tangent_basis, unit};

use std::fmt::Debug;

/// An instruction set: the lane types that use it. The portable types double as the form in which lanes are stored.
pub trait Simd: Copy + Debug + 'static {
    /// Four doubles.
    type F64x4: PowerLanes + From<F64x4> + Into<F64x4>;
    /// Four singles.
    type F32x4: Lanes + From<F32x4> + Into<F32x4>;
    /// Eight singles.
    type F32x8: PowerLanes + From<F32x8> + Into<F32x8>;

    /// The first and the last four lanes.
    fn halves(lanes: Self::F32x8) -> [Self::F32x4; 2];
    /// The inverse of [`halves`](Self::halves).
    fn join(halves: [Self::F32x4; 2]) -> Self::F32x8;
    /// The last two lanes, then the first two.
    fn swap_pairs(lanes: Self::F32x4) -> Self::F32x4;

    /// Runs a kernel in a function of its own that is compiled for this set. A kernel that was started by [`Level::run`]
    /// does its larger steps this way: they are compiled once, and their scalar arithmetic has the instruction set too.
    fn run<K: Kernel>(kernel: K) -> K::Output;

    /// [`run`](Self::run) for code that knows the set already. The closure has to be `#[inline(always)]`.
    #[inline(always)]
    fn call<R>(body: impl FnOnce() -> R) -> R {
        Self::run(Body(body))
    }
}

/// A kernel that is a closure.
struct Body<F>(F);

impl<R, F: FnOnce() -> R> Kernel for Body<F> {
    type Output = R;

    #[inline(always)]
    fn run<S: Simd>(self) -> R {
        self.0()
    }
}

/// Arithmetic that is compiled once for each instruction set.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// Runs it. Has to be `#[inline(always)]`.
    fn run<S: Simd>(self) -> Self::Output;
}

/// The instruction set that this CPU has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(InstructionSet);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InstructionSet {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Level {
    /// The best set of this CPU. Cheap: the standard library caches the detection.
    #[inline]
    pub fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Level(InstructionSet::Avx2);
        }
        Level(InstructionSet::Portable)
    }

    /// The set that every CPU has.
    pub fn portable() -> Level {
        Level(InstructionSet::Portable)
    }

    /// Runs a kernel with this instruction set.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            InstructionSet::Portable => run_portable(kernel),
            // SAFETY: only `detect` makes this level, after it found that the CPU has AVX2 and FMA.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            InstructionSet::Avx2 => unsafe { run_avx2(kernel) },
        }
    }
}

#[inline(never)]
fn run_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<portable::Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}

/// `[f(0), f(1), f(2)]` without a closure: `xyz!(|i| a[i] + b[i])`.
#[macro_export]
macro_rules! xyz {
    (|$i:ident| $value:expr) => {
        [
            {
                let $i = 0usize;
                $value
            },
            {
                let $i = 1usize;
                $value
            },
            {
                let $i = 2usize;
                $value
            },
        ]
    };
}

#[cfg(test)]
mod tests;
