//! Support functions of superquadrics in single precision, eight directions at a time, for ranking directions.
//!
//! [`ApproximateSupport`] is good to about 1e-5 of the size for bodies without taper and to the square of the taper for
//! others; [`BlendedSupport`] takes no powers and is good to a few percent. Neither ever decides an answer.

use crate::superquadric::bodies::Parameters;
use smooth_scene_geometry::simd::PowerLanes;
use smooth_scene_geometry::xyz;

/// Steps of the iteration for the height of a tapered body.
const ROUNDS: u32 = 1;

/// Support values to the first order of the taper.
pub(crate) trait FirstOrder<L> {
    /// The support value of the untapered body along n, and what the taper adds to it at the height of its support point on
    /// the upper side, and takes away on the lower.
    fn first_order(&self, n: &[L; 3]) -> (L, L);
}

/// A superquadric in units of some size.
pub(crate) struct ApproximateSupport<L> {
    log_radii: [L; 3],
    q_xy: L,
    inv_q_xy: L,
    q_z: L,
    inv_q_z: L,
    taper: [L; 2],
    is_straight: bool,
}

/// Logarithms of a₃|n₃| and of the norms along a direction, and the shares of x and of the section in them.
struct LogNorms<L> {
    z: L,
    inner: L,
    outer: L,
    share_x: L,
    share_xy: L,
}

impl<L: PowerLanes> ApproximateSupport<L> {
    #[inline(always)]
    pub fn new(body: &Parameters, size: f64) -> Self {
        let [q_xy, inv_q_xy, q_z, inv_q_z] = body.dual_exponents();
        Self {
            log_radii: xyz!(|i| L::splat(body.radii[i] / size).log2()),
            q_xy: L::splat(q_xy),
            inv_q_xy: L::splat(inv_q_xy),
            q_z: L::splat(q_z),
            inv_q_z: L::splat(inv_q_z),
            taper: [L::splat(body.taper[0]), L::splat(body.taper[1])],
            is_straight: body.taper == [0.0; 2],
        }
    }

    #[inline(always)]
    fn log_norms(&self, n: &[L; 3]) -> LogNorms<L> {
        let [x, y, z] = xyz!(|i| n[i].abs().max(L::splat(L::TINY)).log2() + self.log_radii[i]);
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
    pub fn support(&self, n: &[L; 3]) -> L {
        let one = L::splat(1.0);
        let LogNorms { z, inner, outer, share_x, share_xy } = self.log_norms(n);
        if self.is_straight {
            return outer.exp2();
        }
        let share_y = one - share_x;
        let rate = share_x * self.taper[0] + share_y * self.taper[1];
        let spread = self.taper[0] - self.taper[1];
        let bend = (self.q_xy - one) * share_x * share_y * spread * spread;
        let sign = n[2] & L::splat(-0.0);
        // In units of N.
        let slope = (z - inner).exp2();
        let value = (outer - inner).exp2();
        let climb = slope ^ sign;
        let mut rho = share_xy * value;
        let mut w = ((one - share_xy) * value / slope).min(one) ^ sign;
        for _ in 0..ROUNDS {
            let sigma = (climb + rho * (rate + bend * w)) / section_norm(rate, bend, w);
            let slope = sigma.abs().max(L::splat(L::TINY));
            let (value, share) = log_norm(L::splat(0.0), slope.log2(), self.q_z, self.inv_q_z);
            let value = value.exp2();
            rho = share * value;
            w = ((one - share) * value / slope).min(one) ^ (sigma & L::splat(-0.0));
        }
        inner.exp2() * (climb * w + rho * section_norm(rate, bend, w))
    }
}

impl<L: PowerLanes> FirstOrder<L> for ApproximateSupport<L> {
    /// With the shares λ of x in N^q and μ of z in h^q, h·μ = a₃|n₃|·|w| gives the height, and the section there is wider
    /// by λTx·w + (1 − λ)Ty·w, which the part h·(1 − μ) of h grows by.
    #[inline(always)]
    fn first_order(&self, n: &[L; 3]) -> (L, L) {
        let one = L::splat(1.0);
        let LogNorms { z, inner: _, outer, share_x, share_xy } = self.log_norms(n);
        let value = outer.exp2();
        if self.is_straight {
            return (value, L::splat(0.0));
        }
        let w = (outer - z).min(L::splat(100.0)).exp2() * (one - share_xy);
        let grown = share_x * self.taper[0] + (one - share_x) * self.taper[1];
        (value, value * share_xy * grown * w.min(one))
    }
}

/// A superquadric in units of some size, without powers: each dual norm is a blend of those with q = 1, 2 and ∞ that is right
/// for equal numbers and for a zero, and up to 1.5 % too large in between for exponents up to 1, 4.5 % for all.
pub(crate) struct BlendedSupport<L> {
    radii: [L; 3],
    xy: Blend<L>,
    z: Blend<L>,
    taper: [L; 2],
    is_straight: bool,
}

/// The weights of the sum, the Euclidean norm and the larger of two numbers.
struct Blend<L> {
    sum: L,
    euclidean: L,
    larger: L,
}

impl<L: PowerLanes> Blend<L> {
    #[inline(always)]
    fn new(inv_q: f64) -> Self {
        const ROOT: f64 = std::f64::consts::SQRT_2;
        let (zero, root) = (L::splat(0.0), L::splat(ROOT));
        // The norm of two ones: between 1 and 2, and √2 for the Euclidean one.
        let equal = L::splat(inv_q).exp2();
        let sum = ((equal - root) * L::splat(1.0 / (2.0 - ROOT))).max(zero);
        let larger = ((root - equal) * L::splat(1.0 / (ROOT - 1.0))).max(zero);
        Self { sum, euclidean: L::splat(1.0) - sum - larger, larger }
    }

    /// The norm of two numbers that are not negative.
    #[inline(always)]
    fn norm(&self, u: L, v: L) -> L {
        let square = u.mul_add(u, v.mul_add(v, L::splat(L::TINY)));
        let round = square.sqrt();
        self.sum.mul_add(u + v, self.euclidean.mul_add(round, self.larger * u.max(v)))
    }

    /// Its derivatives N_u and N_v; N = u·N_u + v·N_v.
    #[inline(always)]
    fn derivatives(&self, u: L, v: L) -> (L, L) {
        let square = u.mul_add(u, v.mul_add(v, L::splat(L::TINY)));
        let round = self.euclidean / square.sqrt();
        let du = round.mul_add(u, self.sum) + (u.simd_ge(v) & self.larger);
        let dv = round.mul_add(v, self.sum) + (u.simd_lt(v) & self.larger);
        (du, dv)
    }
}

impl<L: PowerLanes> BlendedSupport<L> {
    #[inline(always)]
    pub fn new(body: &Parameters, size: f64) -> Self {
        let [_, inv_q_xy, _, inv_q_z] = body.dual_exponents();
        Self {
            radii: xyz!(|i| L::splat(body.radii[i] / size)),
            xy: Blend::new(inv_q_xy),
            z: Blend::new(inv_q_z),
            taper: [L::splat(body.taper[0]), L::splat(body.taper[1])],
            is_straight: body.taper == [0.0; 2],
        }
    }
}

impl<L: PowerLanes> FirstOrder<L> for BlendedSupport<L> {
    #[inline(always)]
    fn first_order(&self, n: &[L; 3]) -> (L, L) {
        let [x, y, z] = xyz!(|i| n[i].abs() * self.radii[i]);
        if self.is_straight {
            return (self.z.norm(self.xy.norm(x, y), z), L::splat(0.0));
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
pub(super) fn log_norm<L: PowerLanes>(a: L, b: L, q: L, inv_q: L) -> (L, L) {
    let one = L::splat(1.0);
    let large = a.max(b);
    let sum = one + (q * (a.min(b) - large)).exp2();
    let share_of_large = one / sum;
    let share = a.simd_lt(b).select(one - share_of_large, share_of_large);
    (large + inv_q * sum.log2(), share)
}

/// Norm of the section at height w relative to that at mid-height: 1 + r·w + ½s·w².
#[inline(always)]
fn section_norm<L: PowerLanes>(rate: L, bend: L, w: L) -> L {
    (bend * L::splat(0.5) * w + rate) * w + L::splat(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superquadric::pair::parameters;
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::simd::{F32x8, F64x4, Lanes};
    use smooth_scene_geometry::{ConvexSurface, Shape};

    const SIZE: f64 = 7.0;
    const RADII: [f64; 3] = [3.0, 1.0, 2.0];
    /// Relative rounding error of one operation in single precision.
    const U: f64 = f32::EPSILON as f64 / 2.0;

    fn directions() -> impl Iterator<Item = Vec3> {
        (0..500).map(|k| {
            let (z, turn) = (1.0 - f64::from(k) / 250.0, f64::from(k) * 2.4);
            let ring = (1.0 - z * z).max(0.0).sqrt();
            Vec3::new(ring * turn.cos(), ring * turn.sin(), z)
        })
    }

    fn ovoid(xy: f64, z: f64, taper: f64) -> Shape {
        Shape::superovoid(RADII, xy, z, [taper, -taper]).unwrap()
    }

    /// The exact support value in units of the size.
    fn exact(shape: &Shape, n: &Vec3) -> f64 {
        shape.support(n).value / SIZE
    }

    fn blended(shape: &Shape, n: &Vec3) -> f64 {
        let body = BlendedSupport::<F32x8>::new(&parameters(shape).unwrap(), SIZE);
        let (value, added) = body.first_order(&xyz!(|i| F32x8::splat(n[i])));
        f64::from(value.0[0]) + f64::from(added.0[0]) * 1f64.copysign(n.z)
    }

    fn approximate(shape: &Shape, n: &Vec3) -> f64 {
        let body = ApproximateSupport::<F32x8>::new(&parameters(shape).unwrap(), SIZE);
        f64::from(body.support(&xyz!(|i| F32x8::splat(n[i]))).0[0])
    }

    /// Largest relative error of a blended norm against the dual norm, over all ratios of its arguments. Both norms change
    /// by at most the change of an argument, so that between two samples the error changes by at most their distance.
    fn blend_error(exponent: f64) -> f64 {
        const STEPS: u32 = 10_000;
        let inv_q = 1.0 - 0.5 * exponent;
        let blend = Blend::<F64x4>::new(inv_q);
        let error = |k: u32| {
            let t = f64::from(k) / f64::from(STEPS);
            let norm = (1.0 + t.powf(1.0 / inv_q)).powf(inv_q);
            (blend.norm(F64x4::splat(1.0), F64x4::splat(t)).0[0] / norm - 1.0).abs()
        };
        (0..=STEPS).map(error).fold(0.0, f64::max) + 1.0 / f64::from(STEPS)
    }

    /// Blending a norm whose argument is off by the factor 1 + e gives at most 1 + e times the blend, for norms are
    /// monotonic and homogeneous: the errors of the two norms multiply. Rounding: 3u in each argument (component, radius,
    /// product), so 7u in its square, half of that in the root and u more; the second norm the same from 4.5u: 6.5u.
    ///
    /// The weights follow from 2^(1/q), which is off by 4e-6 of itself. The weight of the sum is off by up to √2·4e-6/(2 − √2)
    /// then, and the norm by (√2 − 1) times that, since the sum is at most √2 times the Euclidean norm: 4e-6. Likewise for
    /// the larger number: √2·4e-6/(√2 − 1)·(1 − 1/√2) = 4e-6.
    #[test]
    fn blended_values_are_off_by_the_errors_of_two_blends() {
        for [xy, z] in [[1.0, 1.0], [0.2, 0.6], [0.9, 0.7], [1.7, 0.3], [0.05, 1.9]] {
            let shape = Shape::superellipsoid(RADII, xy, z).unwrap();
            // Exponent one is no blend.
            let [inner, outer] = [xy, z].map(|e| if e == 1.0 { 0.0 } else { blend_error(e) });
            let weights = 2.0 * 4e-6;
            let bound = (1.0 + inner) * (1.0 + outer) - 1.0 + weights + 7.0 * U;
            for n in directions() {
                let error = (blended(&shape, &n) / exact(&shape, &n) - 1.0).abs();
                assert!(error <= bound, "{xy} {z}: {error} > {bound}");
            }
        }
    }

    /// Errors of logarithms are absolute. Each of the two logarithms of an argument is good to 1.9e-6 (`simd::powers`),
    /// 3.8e-6 together. A norm weighs the errors of its arguments with shares that add up to one, and adds at most that of a
    /// logarithm and log₂e·½ times that of an exponential, 4e-6: 4.8e-6. Two norms after each other: 1.34e-5. The last
    /// exponential makes that ln 2·1.34e-5 + 4e-6 = 1.33e-5, and some twenty roundings of numbers up to 4 add 20·4u·ln 2.
    const LOG_ERROR: f64 = 1.33e-5 + 20.0 * 4.0 * U * std::f64::consts::LN_2;

    #[test]
    fn approximate_values_are_off_by_the_errors_of_the_powers() {
        for [xy, z] in [[1.0, 1.0], [0.2, 0.6], [0.9, 0.7], [1.7, 0.3], [0.05, 1.9]] {
            let shape = Shape::superellipsoid(RADII, xy, z).unwrap();
            for n in directions() {
                let error = (approximate(&shape, &n) / exact(&shape, &n) - 1.0).abs();
                assert!(error <= LOG_ERROR, "{xy} {z}: {error}");
            }
        }
    }

    /// h is a maximum of functions that are convex in the taper T, so it is convex in T itself: what its expansion to first
    /// order leaves out is between zero and the second difference h(T) − 2h(0) + h(−T). The approximation looks for the
    /// height with the taper in place and must not be worse than that.
    #[test]
    fn approximate_values_of_tapered_bodies_are_better_than_first_order() {
        for taper in [0.025, 0.05, 0.1, 0.2] {
            let [shape, straight, opposite] = [taper, 0.0, -taper].map(|t| ovoid(0.9, 0.7, t));
            for n in directions() {
                let [h, h_0, h_opposite] = [&shape, &straight, &opposite].map(|s| exact(s, &n));
                let second = h - 2.0 * h_0 + h_opposite;
                let error = (approximate(&shape, &n) - h).abs();
                assert!(error <= second + LOG_ERROR * h, "{taper}: {error} {second}");
            }
        }
    }

    /// The blended value is that without taper plus a term that is linear in the taper: the error of that term is known from
    /// a small taper, that of the rest from none, and what both leave out is at most the second difference.
    #[test]
    fn blended_values_of_tapered_bodies_are_of_first_order() {
        const SMALL: f64 = 1e-3;
        let [straight, slight, against] = [0.0, SMALL, -SMALL].map(|t| ovoid(0.9, 0.7, t));
        for taper in [0.025, 0.05, 0.1, 0.2] {
            let [shape, opposite] = [taper, -taper].map(|t| ovoid(0.9, 0.7, t));
            for n in directions() {
                let [h, h_0, h_opposite] = [&shape, &straight, &opposite].map(|s| exact(s, &n));
                let without = blended(&straight, &n);
                // Central differences: what they leave out is of third order in SMALL, and below it after the division.
                let slope = (blended(&slight, &n) - blended(&against, &n)) / (2.0 * SMALL);
                let exact_slope = (exact(&slight, &n) - exact(&against, &n)) / (2.0 * SMALL);
                let bound = (without - h_0).abs()
                    + taper * ((slope - exact_slope).abs() + SMALL)
                    + (h - 2.0 * h_0 + h_opposite)
                    + taper / SMALL * 7.0 * U;
                let error = (blended(&shape, &n) - h).abs();
                assert!(error <= bound, "{taper}: {error} {bound}");
            }
        }
    }
}
