//! Logarithm and exponential on four lanes.
//!
//! Powers are nearly all of the cost of a superquadric's support function. These two are the textbook reductions
//! (log by atanh of (m−1)/(m+1), exp by Taylor's series on [−½, ½]) without the branches for special values: the
//! callers stay within the stated domains. Error below 4 units in the last place, checked by the tests.

use bytemuck::cast;
use wide::{f64x4, u64x4};

const SQRT_HALF_BITS: u64 = 0x3FE6_A09E_667F_3BCD;
const ONE_BITS: u64 = 0x3FF0_0000_0000_0000;
const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;
/// The bits of 2^52: or-ing a small integer into them gives 2^52 plus that integer.
const TWO_52_BITS: u64 = 0x4330_0000_0000_0000;
const TWO_52: f64 = 4_503_599_627_370_496.0;
/// Adding 1.5·2^52 rounds to an integer and leaves it in the low bits.
const ROUNDER: f64 = 1.5 * TWO_52;

#[inline(always)]
fn splat(x: f64) -> f64x4 {
    f64x4::splat(x)
}

/// log₂ x for positive normal x.
#[inline(always)]
pub(crate) fn log2(x: f64x4) -> f64x4 {
    // x = m·2^k with m in [√½, √2).
    let shifted = cast::<f64x4, u64x4>(x) + u64x4::splat(ONE_BITS - SQRT_HALF_BITS);
    let exponent = cast::<u64x4, f64x4>((shifted >> 52) | u64x4::splat(TWO_52_BITS));
    let k = exponent - splat(TWO_52 + 1023.0);
    let m = cast::<u64x4, f64x4>((shifted & u64x4::splat(MANTISSA)) + u64x4::splat(SQRT_HALF_BITS));
    // log m = 2 atanh z = 2(z + z³/3 + z⁵/5 + …), z² ≤ 0.0295
    const SCALE: f64 = 2.0 * std::f64::consts::LOG2_E;
    let z = (m - splat(1.0)) / (m + splat(1.0));
    let y = z * z;
    let y2 = y * y;
    let y4 = y2 * y2;
    let c = |n: f64| splat(SCALE / n);
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

/// 2^x; below −1000 the result stays at 2^−1000, which every caller treats as zero.
#[inline(always)]
pub(crate) fn exp2(x: f64x4) -> f64x4 {
    let x = x.fast_max(splat(-1000.0));
    let rounded = x + splat(ROUNDER);
    let r = x - (rounded - splat(ROUNDER));
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
    let c = |n: usize| splat(C[n]);
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
    let scale = cast::<f64x4, u64x4>(rounded) << 52;
    cast(cast::<f64x4, u64x4>(p) + scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_agrees_with_the_standard_library() {
        for k in -300..300 {
            for f in [1.0, 1.1, 1.3, std::f64::consts::SQRT_2, 1.5, 1.9999] {
                let x = f * 2f64.powi(k);
                let got = log2(splat(x)).to_array()[2];
                assert!((got - x.log2()).abs() <= 4e-16 * x.log2().abs().max(1.0), "{x}");
            }
        }
    }

    #[test]
    fn exp2_agrees_with_the_standard_library() {
        for k in -99_900..3000 {
            let x = k as f64 * 0.01;
            let got = exp2(splat(x)).to_array()[1];
            assert!((got / x.exp2() - 1.0).abs() <= 9e-16, "{x}");
        }
        assert!(exp2(splat(-5000.0)).to_array()[0] < 1e-300);
    }
}
