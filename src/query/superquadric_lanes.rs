//! The support functions of four superquadrics at once, one per lane.
//!
//! The formulas are those of [`Superellipsoid`] and [`Superovoid`]; see there. Logarithms are carried from the inner
//! norm to the outer one, which shortens the chain of dependent powers from eight to six.

use super::lanes::{exp2, log2};
use crate::geometry::{FLAT_RADIUS, Superellipsoid, Superovoid};
use wide::f64x4;

/// Scaled direction components are lifted to this: log₂ of it is finite, and no result depends on it.
const TINY: f64 = 1e-290;
/// Newton steps on the height of a tapered body before the lanes count as failed; three or four are typical.
const MAX_PROFILE_STEPS: u32 = 24;
/// |E|/(|a₃n₃| + N) at which the height is good enough: the support value is then exact to its square.
const PROFILE_TOLERANCE: f64 = 1e-11;
/// Brackets of σ wider than this are open at one end: their middle means nothing.
const WIDE: f64 = 1e6;
/// Relative step of σ that is taken to first order, without another evaluation: the error is its square.
const LAST_STEP: f64 = 1e-7;
/// Relative difference of two slopes σ below which they are the same but for rounding.
const INDISTINCT: f64 = 8.0 * f64::EPSILON;

#[inline(always)]
fn splat(x: f64) -> f64x4 {
    f64x4::splat(x)
}

/// The parameters of four superquadrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies {
    pub radii: [f64x4; 3],
    q_xy: f64x4,
    inv_q_xy: f64x4,
    q_z: f64x4,
    inv_q_z: f64x4,
    taper: [f64x4; 2],
}

/// A superquadric as the lanes see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameters {
    pub radii: [f64; 3],
    pub exponent_xy: f64,
    pub exponent_z: f64,
    pub taper: [f64; 2],
}

impl From<&Superellipsoid> for Parameters {
    fn from(s: &Superellipsoid) -> Self {
        Self {
            radii: s.radii(),
            exponent_xy: s.exponent_xy(),
            exponent_z: s.exponent_z(),
            taper: [0.0; 2],
        }
    }
}

impl From<&Superovoid> for Parameters {
    fn from(s: &Superovoid) -> Self {
        Self {
            radii: s.radii(),
            exponent_xy: s.exponent_xy(),
            exponent_z: s.exponent_z(),
            taper: s.taper(),
        }
    }
}

/// Where the search for the height of a tapered body starts, as slopes σ of the profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProfileStart {
    pub sigma: f64x4,
    pub low: f64x4,
    pub high: f64x4,
}

/// Support value, point and curvature of each lane. The Hessian is α t tᵀ + β s sᵀ with t = (t₁, t₂, 0).
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneJets {
    pub value: f64x4,
    pub point: [f64x4; 3],
    pub alpha: f64x4,
    pub t: [f64x4; 2],
    pub beta: f64x4,
    pub s: [f64x4; 3],
}

/// Value and gradient of the dual norm, with what the curvature needs.
struct Norm {
    value: f64x4,
    log_value: f64x4,
    du: f64x4,
    dv: f64x4,
    /// u/max and v/max.
    u: f64x4,
    v: f64x4,
    /// (q − 1)·N_u N_v/(u v)·max², capped where the surface is flat; divide by the value for the curvature.
    bend: f64x4,
}

/// The dual norm at u, v > 0, given their logarithms too; `DualNorm::jet` and `curvature` on lanes.
#[inline(always)]
fn norm(u: f64x4, v: f64x4, log_u: f64x4, log_v: f64x4, q: f64x4, inv_q: f64x4) -> Norm {
    let swap = v.simd_gt(u);
    let (large, small) = (u.fast_max(v), u.fast_min(v));
    let log_large = log_u.fast_max(log_v);
    let log_ratio = log_u.fast_min(log_v) - log_large;
    let t = small / large;
    let inv_t = large / small;
    let s = exp2(q * log_ratio);
    let sum = splat(1.0) + s;
    let log_growth = inv_q * log2(sum);
    let growth = exp2(log_growth);
    let d_large = growth / sum;
    let slope = s * inv_t;
    let d_small = d_large * slope;
    let one = splat(1.0);
    Norm {
        value: large * growth,
        log_value: log_large + log_growth,
        du: swap.select(d_small, d_large),
        dv: swap.select(d_large, d_small),
        u: swap.select(t, one),
        v: swap.select(one, t),
        bend: ((q - one) * d_large * d_small * inv_t).fast_min(splat(FLAT_RADIUS)),
    }
}

#[inline(always)]
fn sign_of(x: f64x4) -> f64x4 {
    (x & splat(-0.0)) | splat(1.0)
}

/// What the section at mid-height tells about g(w) = c·w + ρ(w)N(w), four lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle {
    /// N(0).
    pub norm: f64x4,
    /// The share of the x axis in N^q there.
    pub share: f64x4,
    /// N'/N there.
    pub rate: f64x4,
    /// c = a₃n₃.
    pub climb: f64x4,
}

impl Middle {
    /// The slope from which the search for the height of a convex tapered body starts: one step of the fixed-point
    /// iteration σ = (c + ρN')/N from mid-height, where ρ = 1.
    #[inline(always)]
    pub fn start(&self) -> ProfileStart {
        let sigma = self.climb / self.norm + self.rate;
        ProfileStart { sigma, low: splat(-f64::MAX), high: splat(f64::MAX) }
    }
}

/// The section at one height.
#[derive(Debug, Clone, Copy)]
struct Section {
    /// Semi-axes.
    b: [f64x4; 2],
    /// N.
    value: f64x4,
    /// N'.
    growth: f64x4,
    /// Curvature of N, and how fast the direction turns through it with height: N'' = κ·turn².
    kappa: f64x4,
    turn: f64x4,
    /// As in [`Norm`].
    du: f64x4,
    dv: f64x4,
    u: f64x4,
    v: f64x4,
}

/// Where the search for the highest section ended.
struct Profile {
    sigma: f64x4,
    rho: f64x4,
    w: f64x4,
    /// dw/dσ.
    dw: f64x4,
    /// The step of σ that is left.
    shift: f64x4,
    /// E and dE/dσ.
    residual: f64x4,
    derivative: f64x4,
}

impl Bodies {
    pub fn new(lanes: [&Parameters; 4]) -> Self {
        let gather = |f: &dyn Fn(&Parameters) -> f64| f64x4::new(lanes.map(f));
        Self {
            radii: [0, 1, 2].map(|i| gather(&|p| p.radii[i])),
            q_xy: gather(&|p| 2.0 / (2.0 - p.exponent_xy)),
            inv_q_xy: gather(&|p| 1.0 - 0.5 * p.exponent_xy),
            q_z: gather(&|p| 2.0 / (2.0 - p.exponent_z)),
            inv_q_z: gather(&|p| 1.0 - 0.5 * p.exponent_z),
            taper: [0, 1].map(|i| gather(&|p| p.taper[i])),
        }
    }

    /// Untapered bodies: closed form.
    #[inline(always)]
    pub fn straight(&self, dir: [f64x4; 3]) -> LaneJets {
        let [a1, a2, a3] = self.radii;
        let tiny = splat(TINY);
        let (u1, u2, u3) = (
            (a1 * dir[0].abs()).fast_max(tiny),
            (a2 * dir[1].abs()).fast_max(tiny),
            (a3 * dir[2].abs()).fast_max(tiny),
        );
        let inner = norm(u1, u2, log2(u1), log2(u2), self.q_xy, self.inv_q_xy);
        let outer = norm(inner.value, u3, inner.log_value, log2(u3), self.q_z, self.inv_q_z);
        let (s1, s2, s3) = (a1 * sign_of(dir[0]), a2 * sign_of(dir[1]), a3 * sign_of(dir[2]));
        LaneJets {
            value: outer.value,
            point: [s1 * outer.du * inner.du, s2 * outer.du * inner.dv, s3 * outer.dv],
            alpha: at_most_flat(outer.du * inner.bend / inner.value, outer.value),
            t: [s1 * inner.v, -s2 * inner.u],
            beta: outer.bend / outer.value,
            s: [s1 * inner.du * outer.v, s2 * inner.dv * outer.v, -s3 * outer.u],
        }
    }

    /// The first two bodies of each.
    pub fn beside(&self, other: &Self) -> Self {
        let join = |one: f64x4, other: f64x4| {
            let ([a, b, ..], [c, d, ..]) = (one.to_array(), other.to_array());
            f64x4::new([a, b, c, d])
        };
        Self {
            radii: [0, 1, 2].map(|i| join(self.radii[i], other.radii[i])),
            q_xy: join(self.q_xy, other.q_xy),
            inv_q_xy: join(self.inv_q_xy, other.inv_q_xy),
            q_z: join(self.q_z, other.q_z),
            inv_q_z: join(self.inv_q_z, other.inv_q_z),
            taper: [0, 1].map(|i| join(self.taper[i], other.taper[i])),
        }
    }

    /// Support values of untapered bodies alone, for ranking.
    #[inline(always)]
    pub fn straight_value(&self, dir: [f64x4; 3]) -> f64x4 {
        let scaled = |i: usize| (self.radii[i] * dir[i].abs()).fast_max(splat(TINY));
        let log_sum = |a: f64x4, b: f64x4, q: f64x4, inv_q: f64x4| {
            let large = a.fast_max(b);
            large + inv_q * log2(splat(1.0) + exp2(q * (a.fast_min(b) - large)))
        };
        let log_r = log_sum(log2(scaled(0)), log2(scaled(1)), self.q_xy, self.inv_q_xy);
        exp2(log_sum(log_r, log2(scaled(2)), self.q_z, self.inv_q_z))
    }

    /// Approximate support values for ranking: tapered bodies are taken at the height of the untapered optimum.
    #[inline(always)]
    pub fn rough_value(&self, dir: [f64x4; 3]) -> f64x4 {
        let straight = self.straight(dir);
        let w = straight.point[2] / self.radii[2];
        // The section at height w grows by the factor 1 + T·w along each axis; the share of each axis in N stays.
        let grown = |i: usize| dir[i] * straight.point[i] * (splat(1.0) + self.taper[i] * w);
        grown(0) + grown(1) + dir[2] * straight.point[2]
    }

    /// g(w) and −g'(w) at a given profile point of every lane: how far the section at height w reaches along `dir`, and
    /// how that falls with w.
    #[inline(always)]
    pub fn section_height(
        &self,
        dir: [f64x4; 3],
        w: f64x4,
        rho: f64x4,
        sigma: f64x4,
    ) -> (f64x4, f64x4) {
        let [a1, a2, a3] = self.radii;
        let (tiny, one) = (splat(TINY), splat(1.0));
        let (n1, n2) = (dir[0].abs(), dir[1].abs());
        let u1 = (a1 * (one + self.taper[0] * w) * n1).fast_max(tiny);
        let u2 = (a2 * (one + self.taper[1] * w) * n2).fast_max(tiny);
        let section = norm(u1, u2, log2(u1), log2(u2), self.q_xy, self.inv_q_xy);
        let growth = section.du * a1 * self.taper[0] * n1 + section.dv * a2 * self.taper[1] * n2;
        let c = a3 * dir[2];
        (c * w + rho * section.value, sigma * section.value - c - rho * growth)
    }

    /// The sections at mid-height.
    #[inline(always)]
    pub fn middle(&self, dir: [f64x4; 3]) -> Middle {
        let [a1, a2, a3] = self.radii;
        let tiny = splat(TINY);
        let (u1, u2) = ((a1 * dir[0].abs()).fast_max(tiny), (a2 * dir[1].abs()).fast_max(tiny));
        let section = norm(u1, u2, log2(u1), log2(u2), self.q_xy, self.inv_q_xy);
        let share = u1 * section.du / section.value;
        let rate = share * self.taper[0] + (splat(1.0) - share) * self.taper[1];
        Middle { norm: section.value, share, rate, climb: a3 * dir[2] }
    }

    /// Tapered bodies: the highest section along each direction, from a start and a bracket of its slope. The second
    /// value is false when a lane ran out of steps.
    #[inline(always)]
    pub fn tapered(&self, dir: [f64x4; 3], start: &ProfileStart) -> (LaneJets, bool) {
        let [a1, a2, _] = self.radii;
        let (n1, n2) = (dir[0].abs(), dir[1].abs());
        let rate = [a1 * self.taper[0] * n1, a2 * self.taper[1] * n2];
        let (tiny, one) = (splat(TINY), splat(1.0));
        self.highest_section(dir, start, |w| {
            let b = [a1 * (one + self.taper[0] * w), a2 * (one + self.taper[1] * w)];
            let (u1, u2) = ((b[0] * n1).fast_max(tiny), (b[1] * n2).fast_max(tiny));
            let norm = norm(u1, u2, log2(u1), log2(u2), self.q_xy, self.inv_q_xy);
            Section {
                b,
                value: norm.value,
                growth: norm.du * rate[0] + norm.dv * rate[1],
                kappa: norm.bend / norm.value,
                turn: norm.v * rate[0] - norm.u * rate[1],
                du: norm.du,
                dv: norm.dv,
                u: norm.u,
                v: norm.v,
            }
        })
    }

    /// As [`tapered`](Self::tapered) for bodies whose two tapers are equal. Their sections all have the same shape,
    /// N(w) = (1 + Tw)·N(0), so that the powers of the section are taken once and only those of the profile again.
    #[inline(always)]
    pub fn evenly_tapered(&self, dir: [f64x4; 3]) -> (LaneJets, bool) {
        let [a1, a2, a3] = self.radii;
        let (tiny, one, taper) = (splat(TINY), splat(1.0), self.taper[0]);
        let (u1, u2) = ((a1 * dir[0].abs()).fast_max(tiny), (a2 * dir[1].abs()).fast_max(tiny));
        let norm = norm(u1, u2, log2(u1), log2(u2), self.q_xy, self.inv_q_xy);
        let growth = taper * norm.value;
        let sigma = a3 * dir[2] / norm.value + taper;
        let start = ProfileStart { sigma, low: splat(-f64::MAX), high: splat(f64::MAX) };
        self.highest_section(dir, &start, |w| {
            let scale = one + taper * w;
            let value = scale * norm.value;
            Section {
                b: [a1 * scale, a2 * scale],
                value,
                growth,
                kappa: norm.bend / value,
                turn: splat(0.0),
                du: norm.du,
                dv: norm.dv,
                u: norm.u,
                v: norm.v,
            }
        })
    }

    /// Newton on the slope σ of the profile, bracketed, all lanes in step.
    #[inline(always)]
    fn highest_section(
        &self,
        dir: [f64x4; 3],
        start: &ProfileStart,
        section_at: impl Fn(f64x4) -> Section,
    ) -> (LaneJets, bool) {
        let (one, two) = (splat(1.0), splat(2.0));
        let c = self.radii[2] * dir[2];
        let ProfileStart { mut sigma, mut low, mut high } = *start;
        let mut steps = 0;
        loop {
            let slope = sigma.abs().fast_max(splat(TINY));
            let outer = norm(one, slope, splat(0.0), log2(slope), self.q_z, self.inv_q_z);
            let (rho, w) = (outer.du, outer.dv * sign_of(sigma));
            let sigma_dw = (self.q_z - one) * rho * outer.dv / outer.value;
            let dw = sigma_dw / slope;
            let section = section_at(w);
            let Section { value: n, growth, kappa, turn, .. } = section;
            let residual = sigma * n - c - rho * growth;
            // σ·dw/dσ is even in σ, growth carries the sign: N + 2σN'·dw/dσ − ρN''·dw/dσ.
            let derivative =
                n + two * growth * sigma_dw * sign_of(sigma) - rho * kappa * turn * turn * dw;
            let newton = sigma - residual / derivative;
            let shift = newton - sigma;
            let usable =
                derivative.simd_gt(splat(0.0)) & newton.simd_gt(low) & newton.simd_lt(high);
            let exact = residual.abs().simd_le(splat(PROFILE_TOLERANCE) * (c.abs() + n));
            let close = usable & shift.abs().simd_le(splat(LAST_STEP) * slope);
            let settled = exact | close | (high - low).simd_le(splat(INDISTINCT) * slope);
            let converged = settled.all();
            steps += 1;
            if converged || steps == MAX_PROFILE_STEPS {
                let shift = close.select(shift, splat(0.0));
                let profile = Profile { sigma, rho, w, dw, shift, residual, derivative };
                return (self.jets_at(dir, &profile, &section), converged);
            }
            let above = residual.simd_gt(splat(0.0));
            high = above.select(high.fast_min(sigma), high);
            low = above.select(low, low.fast_max(sigma));
            let fixed_point = (c + rho * growth) / n;
            let within = fixed_point.simd_gt(low) & fixed_point.simd_lt(high);
            let middle = splat(0.5) * low + splat(0.5) * high;
            // Where E falls there is no maximum: halving the bracket leaves such a stretch, small steps crawl through it.
            let bracketed = (high - low).simd_lt(splat(WIDE));
            let fallback = (within & !bracketed).select(fixed_point, middle);
            let usable = usable & newton.simd_gt(low) & newton.simd_lt(high);
            let next = usable.select(newton, fallback);
            // A lane that has settled waits for the others.
            sigma = settled.select(sigma, next);
        }
    }

    /// Value, point and curvature at the section the search ended at.
    #[inline(always)]
    fn jets_at(&self, dir: [f64x4; 3], profile: &Profile, section: &Section) -> LaneJets {
        let [a1, a2, a3] = self.radii;
        let Profile { sigma, rho, w, dw, shift, residual, derivative } = *profile;
        let Section { b, value: n, kappa, turn, du, dv, u, v, .. } = *section;
        let (sx, sy) = (sign_of(dir[0]), sign_of(dir[1]));
        let bend = rho * kappa * turn;
        // dp/dw.
        let rise = [
            sx * (du * (rho * a1 * self.taper[0] - sigma * b[0]) + bend * b[0] * v),
            sy * (dv * (rho * a2 * self.taper[1] - sigma * b[1]) - bend * b[1] * u),
            a3,
        ];
        // The last step, to first order: p gains dp/dw·dw and g gains ∫ −E dw. What is left out is its square.
        let last = shift * dw;
        let value = a3 * dir[2] * w + rho * n - splat(0.5) * residual * last;
        let scale = splat(1.0) + sigma.abs().fast_max(splat(TINY));
        LaneJets {
            value,
            point: [
                sx * b[0] * rho * du + rise[0] * last,
                sy * b[1] * rho * dv + rise[1] * last,
                a3 * w + rise[2] * last,
            ],
            alpha: at_most_flat(rho * kappa, value),
            t: [sx * b[0] * v, -sy * b[1] * u],
            beta: at_most_flat(dw * scale / derivative * scale, value),
            s: rise.map(|x| x / scale),
        }
    }
}

/// A coefficient of the Hessian, capped where the surface is flat. A negative or undefined one means that too: it is the
/// inverse of a curvature that vanished.
#[inline(always)]
fn at_most_flat(coefficient: f64x4, value: f64x4) -> f64x4 {
    let flattest = splat(FLAT_RADIUS) / value;
    let valid = coefficient.simd_ge(splat(0.0)) & coefficient.simd_lt(flattest);
    valid.select(coefficient, flattest)
}
