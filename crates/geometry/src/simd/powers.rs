//! Logarithm and exponential on lanes.
//!
//! Powers are nearly all of the cost of a superquadric's support function. These are the textbook reductions (logarithm by
//! atanh of (m − 1)/(m + 1), exponential by Taylor's series on [−½, ½]) without the branches for special values: the
//! callers stay within the stated domains.

use super::lanes::Lanes;

/// Lanes whose bits can be taken apart.
pub(super) trait Bits: Lanes {
    /// x = m·2^k with m in [√½, √2), for positive normal x: k and m.
    fn split_exponent(self) -> (Self, Self);
    /// This times 2^k, where k is in the low bits of `rounded`; see `ROUNDER_F64` and `ROUNDER_F32`.
    fn scaled_by(self, rounded: Self) -> Self;
}

/// Constants of the representation as `f64`.
pub(super) mod double {
    /// The bits of √½.
    pub const SQRT_HALF_BITS: u64 = 0x3FE6_A09E_667F_3BCD;
    /// The bits of 1.
    pub const ONE_BITS: u64 = 0x3FF0_0000_0000_0000;
    pub const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;
    pub const MANTISSA_LENGTH: i32 = 52;
    /// The bits of 2^52: or-ing a small integer into them gives 2^52 plus that integer.
    pub const TWO_52_BITS: u64 = 0x4330_0000_0000_0000;
    pub const TWO_52: f64 = 4_503_599_627_370_496.0;
    /// To be subtracted from what [`TWO_52_BITS`] gives for a biased exponent.
    pub const BIAS: f64 = TWO_52 + 1023.0;
}

/// Constants of the representation as `f32`.
pub(super) mod single {
    /// The bits of √½.
    pub const SQRT_HALF_BITS: i32 = 0x3F35_04F3;
    pub const MANTISSA: i32 = 0x007F_FFFF;
    pub const MANTISSA_LENGTH: i32 = 23;
}

/// Adding 1.5·2^52 to a small double rounds it to an integer, ties to even, and leaves that in the low bits.
const ROUNDER_F64: f64 = 1.5 * double::TWO_52;
/// Adding 1.5·2^23 to a small single rounds it to an integer, ties to even, and leaves that in the low bits.
const ROUNDER_F32: f64 = 1.5 * 8_388_608.0;

/// Coefficients (ln 2)^n / n!.
const EXP2: [f64; 14] = {
    let mut c = [1.0; 14];
    let mut n = 1;
    while n < 14 {
        c[n] = c[n - 1] * std::f64::consts::LN_2 / n as f64;
        n += 1;
    }
    c
};

/// Coefficient 2·log₂e/n of zⁿ in log₂((1 + z)/(1 − z)).
const fn atanh_term(n: f64) -> f64 {
    2.0 * std::f64::consts::LOG2_E / n
}

/// log₂ x for positive normal x, in double precision.
///
/// With z = (m − 1)/(m + 1), log m = 2 atanh z = 2(z + z³/3 + …); z² ≤ 0.0295, so that the first term left out,
/// z²⁰/21 of the first, is below 2⁻¹⁰⁴.
#[inline(always)]
pub(super) fn log2_f64<L: Bits>(x: L) -> L {
    let (k, m) = x.split_exponent();
    let z = (m - L::splat(1.0)) / (m + L::splat(1.0));
    let y = z * z;
    let y2 = y * y;
    let y4 = y2 * y2;
    let p01 = y.mul_add(L::splat(atanh_term(3.0)), L::splat(atanh_term(1.0)));
    let p23 = y.mul_add(L::splat(atanh_term(7.0)), L::splat(atanh_term(5.0)));
    let p45 = y.mul_add(L::splat(atanh_term(11.0)), L::splat(atanh_term(9.0)));
    let p67 = y.mul_add(L::splat(atanh_term(15.0)), L::splat(atanh_term(13.0)));
    let p89 = y.mul_add(L::splat(atanh_term(19.0)), L::splat(atanh_term(17.0)));
    let low = y2.mul_add(p23, p01);
    let high = y2.mul_add(p67, p45);
    let p = y4.mul_add(y4.mul_add(p89, high), low);
    z.mul_add(p, k)
}

/// 2^x in double precision; below −1000 the result stays at 2^−1000.
#[inline(always)]
pub(super) fn exp2_f64<L: Bits>(x: L) -> L {
    let x = x.max(L::splat(-1000.0));
    let rounded = x + L::splat(ROUNDER_F64);
    let r = x - (rounded - L::splat(ROUNDER_F64));
    let r2 = r * r;
    let r4 = r2 * r2;
    let p01 = r.mul_add(L::splat(EXP2[1]), L::splat(EXP2[0]));
    let p23 = r.mul_add(L::splat(EXP2[3]), L::splat(EXP2[2]));
    let p45 = r.mul_add(L::splat(EXP2[5]), L::splat(EXP2[4]));
    let p67 = r.mul_add(L::splat(EXP2[7]), L::splat(EXP2[6]));
    let p89 = r.mul_add(L::splat(EXP2[9]), L::splat(EXP2[8]));
    let pab = r.mul_add(L::splat(EXP2[11]), L::splat(EXP2[10]));
    let pcd = r.mul_add(L::splat(EXP2[13]), L::splat(EXP2[12]));
    let q0 = r2.mul_add(p23, p01);
    let q1 = r2.mul_add(p67, p45);
    let q2 = r2.mul_add(pab, p89);
    let high = r4.mul_add(pcd, q2);
    let p = (r4 * r4).mul_add(high, r4.mul_add(q1, q0));
    p.scaled_by(rounded)
}

/// [`log2_f64`] in single precision, three terms.
#[inline(always)]
pub(super) fn log2_f32<L: Bits>(x: L) -> L {
    let (k, m) = x.split_exponent();
    let z = (m - L::splat(1.0)) / (m + L::splat(1.0));
    let y = z * z;
    let high = y.mul_add(L::splat(atanh_term(5.0)), L::splat(atanh_term(3.0)));
    z.mul_add(y.mul_add(high, L::splat(atanh_term(1.0))), k)
}

/// 2^x in single precision for x up to 100, six terms; below −100 the result stays at 2^−100.
#[inline(always)]
pub(super) fn exp2_f32<L: Bits>(x: L) -> L {
    let x = x.max(L::splat(-100.0));
    let rounded = x + L::splat(ROUNDER_F32);
    let r = x - (rounded - L::splat(ROUNDER_F32));
    let high = r.mul_add(L::splat(EXP2[5]), L::splat(EXP2[4]));
    let middle = r.mul_add(r.mul_add(high, L::splat(EXP2[3])), L::splat(EXP2[2]));
    let p = r.mul_add(r.mul_add(middle, L::splat(EXP2[1])), L::splat(1.0));
    p.scaled_by(rounded)
}
