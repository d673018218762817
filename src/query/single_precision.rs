//! Support functions of superquadrics in single precision, eight directions at a time: good to about 1e-5 of the size for
//! bodies without taper. The height at which a taper counts is that of the untapered body, which costs up to about four
//! times the square of the taper. For ranking directions, not for answers.

use super::superquadric_lanes::Parameters;
use bytemuck::cast;
use wide::{f32x8, i32x8};

/// Smallest component of a direction that is told from zero.
const TINY: f32 = 1e-12;
/// The bits of √½.
const SQRT_HALF_BITS: i32 = 0x3F35_04F3;
const MANTISSA: i32 = 0x007F_FFFF;

/// A superquadric in units of some size.
pub(super) struct RoughBody {
    log_radii: [f32x8; 3],
    q_xy: f32x8,
    inv_q_xy: f32x8,
    q_z: f32x8,
    inv_q_z: f32x8,
    taper: [f32x8; 2],
}

impl RoughBody {
    pub fn new(body: &Parameters, size: f64) -> Self {
        let splat = |x: f64| f32x8::splat(x as f32);
        let [q_xy, inv_q_xy, q_z, inv_q_z] = body.dual_exponents().map(splat);
        let log_radii = body.radii.map(|radius| log2(splat(radius / size)));
        Self { log_radii, q_xy, inv_q_xy, q_z, inv_q_z, taper: body.taper.map(splat) }
    }

    /// The support value along n: that of the untapered body, and what the taper adds to it at the height of its support
    /// point on the upper side, and takes away on the lower.
    ///
    /// With the shares λ of x in N^q and μ of z in h^q, h·μ = a₃|n₃|·|w| gives the height, and the section there is wider
    /// by λTx·w + (1 − λ)Ty·w, which the part h·(1 − μ) of h grows by.
    #[inline(always)]
    pub fn support(&self, n: &[f32x8; 3]) -> (f32x8, f32x8) {
        let one = f32x8::splat(1.0);
        let [x, y, z] =
            [0, 1, 2].map(|i| log2(n[i].abs().fast_max(f32x8::splat(TINY))) + self.log_radii[i]);
        let (inner, share_x) = log_norm(x, y, self.q_xy, self.inv_q_xy);
        let (outer, share_xy) = log_norm(inner, z, self.q_z, self.inv_q_z);
        let value = exp2(outer);
        let w = exp2((outer - z).fast_min(f32x8::splat(100.0))) * (one - share_xy);
        let grown = share_x * self.taper[0] + (one - share_x) * self.taper[1];
        (value, value * share_xy * grown * w.fast_min(one))
    }
}

/// log₂ of the dual norm of two numbers given by their logarithms, and the share of the first in N^q.
#[inline(always)]
fn log_norm(a: f32x8, b: f32x8, q: f32x8, inv_q: f32x8) -> (f32x8, f32x8) {
    let one = f32x8::splat(1.0);
    let large = a.fast_max(b);
    let sum = one + exp2(q * (a.fast_min(b) - large));
    let share_of_large = one / sum;
    let share = a.simd_lt(b).bitselect(one - share_of_large, share_of_large);
    (large + inv_q * log2(sum), share)
}

/// log₂ x for positive normal x, to 3e-6; see `lanes::log2`.
#[inline(always)]
fn log2(x: f32x8) -> f32x8 {
    let bits = cast::<f32x8, i32x8>(x) - i32x8::splat(SQRT_HALF_BITS);
    let k = f32x8::from_i32x8(bits >> 23);
    let m: f32x8 = cast((bits & i32x8::splat(MANTISSA)) + i32x8::splat(SQRT_HALF_BITS));
    let one = f32x8::splat(1.0);
    let z = (m - one) / (m + one);
    let y = z * z;
    let c = |n: f32| f32x8::splat(2.0 * std::f32::consts::LOG2_E / n);
    z.mul_add(y.mul_add(y.mul_add(c(5.0), c(3.0)), c(1.0)), k)
}

/// 2^x for x up to 100, to 4e-6; below −100 the result stays at 2^−100.
#[inline(always)]
fn exp2(x: f32x8) -> f32x8 {
    let x = x.fast_max(f32x8::splat(-100.0));
    let k = x.fast_round_int();
    let r = x - f32x8::from_i32x8(k);
    // (ln 2)^n / n!
    let c = f32x8::splat;
    let high = r.mul_add(c(0.001_333_356), c(0.009_618_129));
    let middle = r.mul_add(r.mul_add(high, c(0.055_504_11)), c(0.240_226_5));
    let p = r.mul_add(r.mul_add(middle, c(std::f32::consts::LN_2)), c(1.0));
    cast(cast::<f32x8, i32x8>(p) + (k << 23))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{ConvexSurface, Shape};
    use crate::math::Vec3;
    use crate::query::superquadric_pair::parameters;

    #[test]
    fn logarithm_and_exponential_are_as_good_as_they_say() {
        for k in -2000..2000 {
            let x = k as f32 * 0.013;
            let power = exp2(f32x8::splat(x)).as_array()[3];
            assert!((f64::from(power) / f64::from(x).exp2() - 1.0).abs() < 4e-6, "{x}");
            let back = log2(f32x8::splat(power)).as_array()[5];
            assert!((back - power.log2()).abs() < 3e-6 + 2e-7 * x.abs(), "{x} {back}");
        }
    }

    /// Along a grid of directions, the worst relative difference from the support function.
    fn worst(shape: &Shape) -> f64 {
        let size = 7.0;
        let body = RoughBody::new(&parameters(shape).unwrap(), size);
        let mut worst = 0f64;
        for k in 0..500 {
            let (z, turn) = (1.0 - f64::from(k) / 250.0, f64::from(k) * 2.4);
            let ring = (1.0 - z * z).max(0.0).sqrt();
            let n = Vec3::new(ring * turn.cos(), ring * turn.sin(), z);
            let (value, added) = body.support(&[0, 1, 2].map(|i| f32x8::splat(n[i] as f32)));
            let [value, added] = [value, added].map(|lanes| f64::from(lanes.as_array()[0]));
            let rough = value + added * 1f64.copysign(z);
            let exact = shape.support(&n).value / size;
            worst = worst.max((rough / exact - 1.0).abs());
        }
        worst
    }

    #[test]
    fn support_values_are_close() {
        for [xy, z] in [[1.0, 1.0], [0.2, 0.6], [1.7, 0.3], [0.05, 1.9]] {
            let shape = Shape::superellipsoid([3.0, 1.0, 2.0], xy, z).unwrap();
            assert!(worst(&shape) < 3e-5, "{xy} {z}: {}", worst(&shape));
        }
        for taper in [0.025, 0.05, 0.1, 0.2] {
            let shape = Shape::superovoid([3.0, 1.0, 2.0], 0.9, 0.7, [taper, -taper]).unwrap();
            assert!(worst(&shape) < 4.0 * taper * taper, "{taper}: {}", worst(&shape));
        }
    }
}
