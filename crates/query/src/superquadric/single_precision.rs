//! Support functions of superquadrics in single precision, eight directions at a time: good to about 1e-5 of the size for
//! bodies without taper, to the square of the taper for others, and to a percent without powers. For ranking directions, not
//! for answers.

use crate::superquadric::lanes::{Lanes, methods_of_wide};
use crate::superquadric::profile_lanes::Parameters;
use bytemuck::cast;
use wide::{f32x8, i32x8};

/// Smallest component of a direction that is told from zero.
const TINY: f32 = 1e-12;
/// Steps of the iteration for the height of a tapered body.
const ROUNDS: u32 = 1;
/// The bits of √½.
const SQRT_HALF_BITS: i32 = 0x3F35_04F3;
const MANTISSA: i32 = 0x007F_FFFF;

impl Lanes for f32x8 {
    const TINY: f64 = TINY as f64;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        f32x8::splat(x as f32)
    }

    methods_of_wide!();

    #[inline(always)]
    fn log_2(self) -> Self {
        log2(self)
    }

    #[inline(always)]
    fn exp_2(self) -> Self {
        exp2(self)
    }
}

/// Support values to the first order of the taper.
pub(crate) trait FirstOrder {
    /// The support value of the untapered body along n, and what the taper adds to it at the height of its support point on
    /// the upper side, and takes away on the lower.
    fn first_order(&self, n: &[f32x8; 3]) -> (f32x8, f32x8);
}

/// A superquadric in units of some size.
pub(crate) struct RoughBody {
    log_radii: [f32x8; 3],
    q_xy: f32x8,
    inv_q_xy: f32x8,
    q_z: f32x8,
    inv_q_z: f32x8,
    taper: [f32x8; 2],
    is_straight: bool,
}

/// Logarithms of a₃|n₃| and of the norms along a direction, and the shares of x and of the section in them.
struct LogNorms {
    z: f32x8,
    inner: f32x8,
    outer: f32x8,
    share_x: f32x8,
    share_xy: f32x8,
}

impl RoughBody {
    pub fn new(body: &Parameters, size: f64) -> Self {
        let splat = |x: f64| f32x8::splat(x as f32);
        let [q_xy, inv_q_xy, q_z, inv_q_z] = body.dual_exponents().map(splat);
        let log_radii = body.radii.map(|radius| log2(splat(radius / size)));
        let is_straight = body.taper == [0.0; 2];
        Self { log_radii, q_xy, inv_q_xy, q_z, inv_q_z, taper: body.taper.map(splat), is_straight }
    }

    #[inline(always)]
    fn log_norms(&self, n: &[f32x8; 3]) -> LogNorms {
        let [x, y, z] =
            [0, 1, 2].map(|i| log2(n[i].abs().fast_max(f32x8::splat(TINY))) + self.log_radii[i]);
        let (inner, share_x) = log_norm(x, y, self.q_xy, self.inv_q_xy);
        let (outer, share_xy) = log_norm(inner, z, self.q_z, self.inv_q_z);
        LogNorms { z, inner, outer, share_x, share_xy }
    }

    /// The support value along n.
    ///
    /// With N and λ the norm of the section at mid-height and the share of x in it, a section at height w has about the norm
    /// N·(1 + r·w + ½s·w²), r = λTx + (1 − λ)Ty, s = (q − 1)λ(1 − λ)(Tx − Ty)². Two steps of the fixed-point iteration
    /// σ = (c + ρN')/N(w) from the untapered body give the height.
    #[inline(always)]
    pub fn support(&self, n: &[f32x8; 3]) -> f32x8 {
        let one = f32x8::splat(1.0);
        let LogNorms { z, inner, outer, share_x, share_xy } = self.log_norms(n);
        if self.is_straight {
            return exp2(outer);
        }
        let share_y = one - share_x;
        let rate = share_x * self.taper[0] + share_y * self.taper[1];
        let spread = self.taper[0] - self.taper[1];
        let bend = (self.q_xy - one) * share_x * share_y * spread * spread;
        let sign = n[2] & f32x8::splat(-0.0);
        // In units of N.
        let slope = exp2(z - inner);
        let value = exp2(outer - inner);
        let climb = slope ^ sign;
        let mut rho = share_xy * value;
        let mut w = ((one - share_xy) * value / slope).fast_min(one) ^ sign;
        let section = |w: f32x8| (bend * f32x8::splat(0.5) * w + rate) * w + one;
        for _ in 0..ROUNDS {
            let sigma = (climb + rho * (rate + bend * w)) / section(w);
            let slope = sigma.abs().fast_max(f32x8::splat(TINY));
            let (value, share) = log_norm(f32x8::splat(0.0), log2(slope), self.q_z, self.inv_q_z);
            let value = exp2(value);
            rho = share * value;
            w = ((one - share) * value / slope).fast_min(one) ^ (sigma & f32x8::splat(-0.0));
        }
        exp2(inner) * (climb * w + rho * section(w))
    }
}

impl FirstOrder for RoughBody {
    /// With the shares λ of x in N^q and μ of z in h^q, h·μ = a₃|n₃|·|w| gives the height, and the section there is wider
    /// by λTx·w + (1 − λ)Ty·w, which the part h·(1 − μ) of h grows by.
    #[inline(always)]
    fn first_order(&self, n: &[f32x8; 3]) -> (f32x8, f32x8) {
        let one = f32x8::splat(1.0);
        let LogNorms { z, inner: _, outer, share_x, share_xy } = self.log_norms(n);
        let value = exp2(outer);
        if self.is_straight {
            return (value, f32x8::splat(0.0));
        }
        let w = exp2((outer - z).fast_min(f32x8::splat(100.0))) * (one - share_xy);
        let grown = share_x * self.taper[0] + (one - share_x) * self.taper[1];
        (value, value * share_xy * grown * w.fast_min(one))
    }
}

/// A superquadric in units of some size, without powers: each dual norm is a blend of those with q = 1, 2 and ∞ that is right
/// for equal numbers and for a zero, and up to 1.5 % too large in between for exponents up to 1, 4.5 % for all.
pub(crate) struct QuickBody {
    radii: [f32x8; 3],
    xy: Blend,
    z: Blend,
    taper: [f32x8; 2],
    is_straight: bool,
}

/// The weights of the sum, the Euclidean norm and the larger of two numbers.
struct Blend {
    sum: f32x8,
    euclidean: f32x8,
    larger: f32x8,
}

impl Blend {
    fn new(inv_q: f64) -> Self {
        let (equal, root) = (inv_q.exp2(), std::f64::consts::SQRT_2);
        let [sum, larger] = if equal > root {
            [(equal - root) / (2.0 - root), 0.0]
        } else {
            [0.0, (root - equal) / (root - 1.0)]
        };
        let splat = |x: f64| f32x8::splat(x as f32);
        Self { sum: splat(sum), euclidean: splat(1.0 - sum - larger), larger: splat(larger) }
    }

    /// The norm of two numbers that are not negative.
    #[inline(always)]
    fn norm(&self, u: f32x8, v: f32x8) -> f32x8 {
        let square = u.mul_add(u, v.mul_add(v, f32x8::splat(TINY)));
        let round = square * square.recip_sqrt();
        self.sum.mul_add(u + v, self.euclidean.mul_add(round, self.larger * u.fast_max(v)))
    }

    /// Its derivatives N_u and N_v; N = u·N_u + v·N_v.
    #[inline(always)]
    fn derivatives(&self, u: f32x8, v: f32x8) -> (f32x8, f32x8) {
        let square = u.mul_add(u, v.mul_add(v, f32x8::splat(TINY)));
        let round = self.euclidean * square.recip_sqrt();
        let du = round.mul_add(u, self.sum) + (u.simd_ge(v) & self.larger);
        let dv = round.mul_add(v, self.sum) + (u.simd_lt(v) & self.larger);
        (du, dv)
    }
}

impl QuickBody {
    pub fn new(body: &Parameters, size: f64) -> Self {
        let splat = |x: f64| f32x8::splat(x as f32);
        let [_, inv_q_xy, _, inv_q_z] = body.dual_exponents();
        Self {
            radii: body.radii.map(|radius| splat(radius / size)),
            xy: Blend::new(inv_q_xy),
            z: Blend::new(inv_q_z),
            taper: body.taper.map(splat),
            is_straight: body.taper == [0.0; 2],
        }
    }
}

impl FirstOrder for QuickBody {
    #[inline(always)]
    fn first_order(&self, n: &[f32x8; 3]) -> (f32x8, f32x8) {
        let [x, y, z] = [0, 1, 2].map(|i| n[i].abs() * self.radii[i]);
        if self.is_straight {
            return (self.z.norm(self.xy.norm(x, y), z), f32x8::splat(0.0));
        }
        // The derivative by z is the height; the section there is wider by the tapers.
        let (dx, dy) = self.xy.derivatives(x, y);
        let [wide_x, wide_y] = [x * dx, y * dy];
        let inner = wide_x + wide_y;
        let (dxy, height) = self.z.derivatives(inner, z);
        let grown = wide_x.mul_add(self.taper[0], wide_y * self.taper[1]);
        (inner.mul_add(dxy, z * height), dxy * grown * height)
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
    use crate::superquadric::pair::parameters;
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::{ConvexSurface, Shape};

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

    /// Along a grid of directions, the worst relative differences from the support function: of the quick one and of the
    /// rough one.
    fn worst(shape: &Shape) -> [f64; 2] {
        let size = 7.0;
        let parameters = parameters(shape).unwrap();
        let (quick, rough) = (QuickBody::new(&parameters, size), RoughBody::new(&parameters, size));
        let mut worst = [0f64; 2];
        for k in 0..500 {
            let (z, turn) = (1.0 - f64::from(k) / 250.0, f64::from(k) * 2.4);
            let ring = (1.0 - z * z).max(0.0).sqrt();
            let n = Vec3::new(ring * turn.cos(), ring * turn.sin(), z);
            let on_lanes = [0, 1, 2].map(|i| f32x8::splat(n[i] as f32));
            let first = |lanes: f32x8| f64::from(lanes.as_array()[0]);
            let (value, added) = quick.first_order(&on_lanes);
            let quick = first(value) + first(added) * 1f64.copysign(z);
            let exact = shape.support(&n).value / size;
            for (worst, value) in worst.iter_mut().zip([quick, first(rough.support(&on_lanes))]) {
                *worst = worst.max((value / exact - 1.0).abs());
            }
        }
        worst
    }

    #[test]
    fn support_values_are_close() {
        for [xy, z, quick] in [
            [1.0, 1.0, 4e-4],
            [0.2, 0.6, 0.025],
            [0.9, 0.7, 0.02],
            [1.7, 0.3, 0.06],
            [0.05, 1.9, 0.05],
        ] {
            let shape = Shape::superellipsoid([3.0, 1.0, 2.0], xy, z).unwrap();
            let worst = worst(&shape);
            assert!(worst[0] < quick && worst[1] < 3e-5, "{xy} {z}: {worst:?}");
        }
        for taper in [0.025, 0.05, 0.1, 0.2] {
            let shape = Shape::superovoid([3.0, 1.0, 2.0], 0.9, 0.7, [taper, -taper]).unwrap();
            let worst = worst(&shape);
            assert!(worst[0] < 0.02 + 4.0 * taper * taper, "{taper}: {worst:?}");
            assert!(worst[1] < 3e-5 + taper * taper, "{taper}: {worst:?}");
        }
    }
}
