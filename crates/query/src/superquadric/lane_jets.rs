//! Support value, point and curvature on lanes, and the dual norm they are made of.

use smooth_scene_geometry::simd::{PowerLanes, dot};
use smooth_scene_geometry::{FLAT_RADIUS, xyz};

/// Support value, point and curvature of each lane. The Hessian is α t tᵀ + β s sᵀ with t = (t₁, t₂, 0).
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneJets<L> {
    pub value: L,
    pub point: [L; 3],
    pub alpha: L,
    pub t: [L; 2],
    pub beta: L,
    pub s: [L; 3],
}

impl<L: PowerLanes> LaneJets<L> {
    /// The Hessian of each lane in the basis of two vectors u and v: [uu, uv, vv].
    #[inline(always)]
    pub fn radii(&self, u: &[L; 3], v: &[L; 3]) -> [L; 3] {
        let Self { t, s, alpha, beta, .. } = self;
        let (tu, tv) = (t[0] * u[0] + t[1] * u[1], t[0] * v[0] + t[1] * v[1]);
        let (su, sv) = (dot(s, u), dot(s, v));
        let (at, bs) = (*alpha * tu, *beta * su);
        [at * tu + bs * su, at * tv + bs * sv, *alpha * tv * tv + *beta * sv * sv]
    }
}

impl<L: Copy> LaneJets<L> {
    /// The same in other lanes: from registers into the stored form and back.
    #[inline(always)]
    pub fn map<M>(&self, f: impl Fn(L) -> M) -> LaneJets<M> {
        LaneJets {
            value: f(self.value),
            point: xyz!(|i| f(self.point[i])),
            alpha: f(self.alpha),
            t: [f(self.t[0]), f(self.t[1])],
            beta: f(self.beta),
            s: xyz!(|i| f(self.s[i])),
        }
    }
}

/// Value and gradient of the dual norm, with what the curvature needs.
pub(super) struct Norm<L> {
    pub value: L,
    pub log_value: L,
    pub du: L,
    pub dv: L,
    /// u/max and v/max.
    pub u: L,
    pub v: L,
    /// (q − 1)·N_u N_v/(u v)·max², capped where the surface is flat; divide by the value for the curvature.
    pub bend: L,
}

/// The dual norm at u, v > 0, given their logarithms too; `DualNorm::jet` and `curvature` on lanes.
#[inline(always)]
pub(super) fn norm<L: PowerLanes>(u: L, v: L, log_u: L, log_v: L, q: L, inv_q: L) -> Norm<L> {
    let swap = v.simd_gt(u);
    let (large, small) = (u.max(v), u.min(v));
    let log_large = log_u.max(log_v);
    let log_ratio = log_u.min(log_v) - log_large;
    let t = small / large;
    let inv_t = large / small;
    let s = (q * log_ratio).exp2();
    let sum = L::splat(1.0) + s;
    let log_growth = inv_q * sum.log2();
    let growth = log_growth.exp2();
    let d_large = growth / sum;
    let slope = s * inv_t;
    let d_small = d_large * slope;
    let one = L::splat(1.0);
    Norm {
        value: large * growth,
        log_value: log_large + log_growth,
        du: swap.select(d_small, d_large),
        dv: swap.select(d_large, d_small),
        u: swap.select(t, one),
        v: swap.select(one, t),
        bend: ((q - one) * d_large * d_small * inv_t).min(L::splat(FLAT_RADIUS)),
    }
}

/// The logarithm of the p-norm of two numbers given by theirs.
#[inline(always)]
pub(super) fn log_p_norm<L: PowerLanes>(a: L, b: L, inv_p: L) -> L {
    let large = a.max(b);
    let ratio = (a.min(b) - large) / inv_p;
    large + inv_p * (L::splat(1.0) + ratio.exp2()).log2()
}

/// A coefficient of the Hessian, capped where the surface is flat. A negative or undefined one means that too: it is the
/// inverse of a curvature that vanished.
#[inline(always)]
pub(super) fn at_most_flat<L: PowerLanes>(coefficient: L, value: L) -> L {
    let flattest = L::splat(FLAT_RADIUS) / value;
    let valid = coefficient.simd_ge(L::splat(0.0)) & coefficient.simd_lt(flattest);
    valid.select(coefficient, flattest)
}
