//! Logarithm and exponential to base two in single precision, to a few units in 1e-6: they rank candidates in the search
//! and decide nothing. Without branches, so that loops over them become SIMD code.

/// log₂ of a positive normal number. With x = 2ᵉ(1 + f), 1 + f in [√½, √2), and s = f/(2 + f):
///
/// ```text
/// log₂(1 + f) = (2/ln 2)·(s + s³/3 + s⁵/5 + s⁷/7 + …)
/// ```
///
/// |s| ≤ 0.172, so what is cut off after s⁷ is below 5e-8.
#[inline(always)]
pub(crate) fn log2(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3F35_04F3;
    let bits = x.to_bits();
    let shifted = bits.wrapping_sub(SQRT_HALF);
    let exponent = (shifted as i32) >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((exponent as u32) << 23));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let t = s * s;
    let series = s * (2.885_39 + t * (0.961_796_7 + t * (0.577_078 + t * 0.412_198_6)));
    exponent as f32 + series
}

/// 2ˣ; arguments below −126 count as −126, above 126 as 126. With x = k + f, |f| ≤ ½, Taylor's series of 2ᶠ to f⁶.
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    /// 1.5·2²³: adding it leaves the nearest whole number in the last bits.
    const MAGIC: f32 = 12_582_912.0;
    let x = x.clamp(-126.0, 126.0);
    let shifted = x + MAGIC;
    let f = x - (shifted - MAGIC);
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3F80_0000));
    let series = 1.0
        + f * (std::f32::consts::LN_2
            + f * (0.240_226_5
                + f * (0.055_504_11
                    + f * (0.009_618_13 + f * (0.001_333_36 + f * 0.000_154_035)))));
    power * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agree_with_the_exact_functions() {
        for k in 0..4000 {
            let x = -40.0 + 0.02 * k as f32;
            let exact = libm::exp2(f64::from(x));
            assert!((f64::from(exp2(x)) / exact - 1.0).abs() < 3e-6, "{x}");
            let number = exact as f32;
            let log = libm::log2(f64::from(number));
            assert!((f64::from(log2(number)) - log).abs() < 3e-6 * (1.0 + log.abs()), "{x}");
        }
        assert_eq!(exp2(0.0), 1.0);
        assert_eq!(log2(1.0), 0.0);
    }
}
