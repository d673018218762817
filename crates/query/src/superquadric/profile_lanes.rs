//! The support functions of four superquadrics at once, one per lane.
//!
//! The formulas are those of [`Superellipsoid`] and [`Superovoid`]; see there. Logarithms are carried from the inner
//! norm to the outer one, which shortens the chain of dependent powers from eight to six.

use crate::superquadric::tuning::profile::{FAR, MAX_PROFILE_STEPS, PREDICTABLE, STEEPEST, WIDE};
use smooth_scene_geometry::simd::{F32x8, F64x4, F64x4x2, Lanes, PowerLanes, dot};
use smooth_scene_geometry::{FLAT_RADIUS, Superellipsoid, Superovoid, xyz};

/// |E|/(|a₃n₃| + N) at which the height is good enough: the support value is then as exact where the profile is so flat that the
/// height jumps, and exact to the square elsewhere.
const PROFILE_TOLERANCE: f64 = 1e-14;
/// [`ProfileStart::last_step`] of an exact search: the value is exact to its cube.
pub(crate) const LAST_STEP: f64 = 1e-7;
/// A component that no direction has.
const NOWHERE: f64 = 1e3;
/// Relative difference of two slopes σ below which they are the same but for rounding.
const INDISTINCT: f64 = 8.0 * f64::EPSILON;

/// The parameters of four superquadrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies<L> {
    pub radii: [L; 3],
    q_xy: L,
    inv_q_xy: L,
    q_z: L,
    inv_q_z: L,
    taper: [L; 2],
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
pub(crate) struct ProfileStart<L> {
    pub sigma: L,
    pub low: L,
    pub high: L,
    /// Relative step of σ that is taken without another look: the error of the point is its square, that of the value its
    /// cube.
    pub last_step: f64,
}

/// Where the highest section was along one direction, to predict where it is along the next: the slope σ of the profile as
/// a linear function of the direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Predicted<L> {
    /// The direction; one that is near no other where nothing is known.
    dir: [L; 3],
    sigma: L,
    /// dσ/dn.
    rate: [L; 3],
}

impl Predicted<F64x4> {
    /// Nothing known.
    pub const NOTHING: Self =
        Self { dir: [F64x4([NOWHERE; 4]); 3], sigma: F64x4([0.0; 4]), rate: [F64x4([0.0; 4]); 3] };
}

impl<L: PowerLanes> Predicted<L> {
    /// Nothing known.
    pub fn nothing() -> Self {
        Self { dir: [L::splat(NOWHERE); 3], sigma: L::splat(0.0), rate: [L::splat(0.0); 3] }
    }

    /// The slopes along some directions, and not how they change.
    pub fn only(dir: [L; 3], sigma: L) -> Self {
        Self { dir, sigma, rate: [L::splat(0.0); 3] }
    }

    /// The slope along `dir`, and a mask of the lanes that know it.
    #[inline(always)]
    fn at(&self, dir: [L; 3]) -> (L, L) {
        let step = xyz!(|i| dir[i] - self.dir[i]);
        let square = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
        let turned = self.rate[0] * step[0] + self.rate[1] * step[1] + self.rate[2] * step[2];
        (self.sigma + turned, square.simd_lt(L::splat(PREDICTABLE * PREDICTABLE)))
    }
}

impl Predicted<F64x4x2<F64x4>> {
    /// Forgets what is known on a lane of either half.
    pub fn forget(&mut self, lane: usize) {
        self.dir.iter_mut().for_each(|lanes| set_lane(lanes, lane, [NOWHERE; 2]));
    }
}

impl<L: Copy> Predicted<L> {
    /// The same in other lanes: from the stored form into registers and back.
    #[inline(always)]
    pub fn map<M>(&self, f: impl Fn(L) -> M) -> Predicted<M> {
        Predicted {
            dir: xyz!(|i| f(self.dir[i])),
            sigma: f(self.sigma),
            rate: xyz!(|i| f(self.rate[i])),
        }
    }
}

/// Sets one lane of each half.
pub(crate) fn set_lane(lanes: &mut F64x4x2<F64x4>, lane: usize, [one, other]: [f64; 2]) {
    lanes.0.0[lane] = one;
    lanes.1.0[lane] = other;
}

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
struct Norm<L> {
    value: L,
    log_value: L,
    du: L,
    dv: L,
    /// u/max and v/max.
    u: L,
    v: L,
    /// (q − 1)·N_u N_v/(u v)·max², capped where the surface is flat; divide by the value for the curvature.
    bend: L,
}

/// The dual norm at u, v > 0, given their logarithms too; `DualNorm::jet` and `curvature` on lanes.
#[inline(always)]
fn norm<L: PowerLanes>(u: L, v: L, log_u: L, log_v: L, q: L, inv_q: L) -> Norm<L> {
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
fn log_p_norm<L: PowerLanes>(a: L, b: L, inv_p: L) -> L {
    let large = a.max(b);
    let ratio = (a.min(b) - large) / inv_p;
    large + inv_p * (L::splat(1.0) + ratio.exp2()).log2()
}

/// What the section at mid-height tells about g(w) = c·w + ρ(w)N(w), four lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle<L> {
    /// N(0).
    pub norm: L,
    /// The share of the x axis in N^q there.
    pub share: L,
    /// N'/N there.
    pub rate: L,
    /// c = a₃n₃.
    pub climb: L,
}

impl<L: PowerLanes> Middle<L> {
    /// The slope from which the search for the height of a convex tapered body starts: one step of the fixed-point
    /// iteration σ = (c + ρN')/N from mid-height, where ρ = 1.
    #[inline(always)]
    pub fn start(&self) -> ProfileStart<L> {
        open_start(self.climb / self.norm + self.rate, LAST_STEP)
    }
}

/// A start without a bracket.
#[inline(always)]
fn open_start<L: PowerLanes>(sigma: L, last_step: f64) -> ProfileStart<L> {
    ProfileStart { sigma, low: L::splat(-f64::MAX), high: L::splat(f64::MAX), last_step }
}

/// The section at a given height w along a direction.
pub(crate) struct SectionHeight<L> {
    /// g(w): how far it reaches.
    pub reach: L,
    /// −g'(w).
    pub fall: L,
    /// The share λ of the x axis in N^q.
    pub share: L,
}

/// The highest section of each lane.
pub(crate) struct Highest<L> {
    pub jets: LaneJets<L>,
    /// Mask of the lanes whose search ended.
    pub settled: L,
    /// The last step of σ.
    pub shift: L,
    /// The slope σ of the profile there, and dσ/dn.
    pub sigma: L,
    pub rate: [L; 3],
}

impl<L: PowerLanes> Highest<L> {
    /// What this tells about directions near `dir`, along which it is.
    #[inline(always)]
    fn predicts(&self, dir: [L; 3]) -> Predicted<L> {
        let [x, y, z] = self.rate;
        let square = x * x + y * y + z * z;
        let known = self.settled & square.simd_lt(L::splat(STEEPEST * STEEPEST));
        Predicted {
            dir: xyz!(|i| known.select(dir[i], L::splat(NOWHERE))),
            sigma: self.sigma,
            rate: self.rate,
        }
    }
}

/// The section at one height.
#[derive(Debug, Clone, Copy)]
struct Section<L> {
    /// Semi-axes.
    b: [L; 2],
    /// N.
    value: L,
    /// N'.
    growth: L,
    /// Curvature of N, and how fast the direction turns through it with height: N'' = κ·turn².
    kappa: L,
    turn: L,
    /// As in [`Norm`].
    du: L,
    dv: L,
    u: L,
    v: L,
}

/// What a slope σ of the profile leads to.
struct Look<L> {
    sigma: L,
    rho: L,
    w: L,
    /// dw/dσ.
    dw: L,
    section: Section<L>,
    /// E and dE/dσ.
    residual: L,
    derivative: L,
    /// Halley's step of σ towards E = 0.
    shift: L,
}

impl<L: PowerLanes> Look<L> {
    /// The next slope of the fixed-point iteration σ = (c + ρN')/N, c = a₃n₃.
    #[inline(always)]
    fn fixed_point(&self, c: L) -> L {
        (c + self.rho * self.section.growth) / self.section.value
    }

    /// Halley's step of σ, or the fixed-point iteration's where that leads too far, and a mask of where it does not.
    #[inline(always)]
    fn believable_shift(&self, c: L) -> (L, L) {
        let far = L::splat(FAR) * (L::splat(1.0) + self.sigma.abs());
        let close = self.derivative.simd_gt(L::splat(0.0)) & self.shift.abs().simd_lt(far);
        (close.select(self.shift, self.fixed_point(c) - self.sigma), close)
    }
}

impl Parameters {
    /// The exponents of the dual norms and their inverses: q_xy, 1/q_xy, q_z, 1/q_z.
    #[inline(always)]
    pub fn dual_exponents(&self) -> [f64; 4] {
        let [xy, z] = [self.exponent_xy, self.exponent_z];
        [2.0 / (2.0 - xy), 1.0 - 0.5 * xy, 2.0 / (2.0 - z), 1.0 - 0.5 * z]
    }
}

impl Bodies<F64x4> {
    /// A and B, and again A and B.
    #[inline(always)]
    pub fn of_two(a: &Parameters, b: &Parameters) -> Self {
        let [of_a, of_b] = [a.dual_exponents(), b.dual_exponents()];
        Self {
            radii: xyz!(|i| twice(a.radii[i], b.radii[i])),
            q_xy: twice(of_a[0], of_b[0]),
            inv_q_xy: twice(of_a[1], of_b[1]),
            q_z: twice(of_a[2], of_b[2]),
            inv_q_z: twice(of_a[3], of_b[3]),
            taper: [twice(a.taper[0], b.taper[0]), twice(a.taper[1], b.taper[1])],
        }
    }
}

/// One number for A, one for B, and both again.
#[inline(always)]
fn twice(a: f64, b: f64) -> F64x4 {
    F64x4([a, b, a, b])
}

impl Bodies<F32x8> {
    /// A pair in units of some size: A on the first four lanes, B on the last four.
    pub fn of_pair([a, b]: [&Parameters; 2], size: f64) -> Self {
        let lanes = |a: f64, b: f64| {
            let [a, b] = [a as f32, b as f32];
            F32x8([a, a, a, a, b, b, b, b])
        };
        let (of_a, of_b) = (a.dual_exponents(), b.dual_exponents());
        let [q_xy, inv_q_xy, q_z, inv_q_z] = [0, 1, 2, 3].map(|i| lanes(of_a[i], of_b[i]));
        Self {
            radii: [0, 1, 2].map(|i| lanes(a.radii[i] / size, b.radii[i] / size)),
            q_xy,
            inv_q_xy,
            q_z,
            inv_q_z,
            taper: [0, 1].map(|i| lanes(a.taper[i], b.taper[i])),
        }
    }
}

impl Bodies<F64x4x2<F64x4>> {
    /// Eight balls.
    pub fn balls() -> Self {
        let [zero, half, one, two] = [0.0, 0.5, 1.0, 2.0].map(F64x4x2::splat);
        Self {
            radii: [one; 3],
            q_xy: two,
            inv_q_xy: half,
            q_z: two,
            inv_q_z: half,
            taper: [zero; 2],
        }
    }

    /// Puts a pair on a lane: A on that of the first four and B on that of the last four.
    pub fn set(&mut self, lane: usize, pair: [&Parameters; 2]) {
        let [a, b] = pair.map(Parameters::dual_exponents);
        let exponents = [&mut self.q_xy, &mut self.inv_q_xy, &mut self.q_z, &mut self.inv_q_z];
        for (i, exponent) in exponents.into_iter().enumerate() {
            set_lane(exponent, lane, [a[i], b[i]]);
        }
        for (i, radius) in self.radii.iter_mut().enumerate() {
            set_lane(radius, lane, pair.map(|p| p.radii[i]));
        }
        for (i, taper) in self.taper.iter_mut().enumerate() {
            set_lane(taper, lane, pair.map(|p| p.taper[i]));
        }
    }
}

impl<L: Copy> Bodies<L> {
    /// The same in other lanes: from the stored form into registers.
    #[inline(always)]
    pub fn map<M>(&self, f: impl Fn(L) -> M) -> Bodies<M> {
        Bodies {
            radii: xyz!(|i| f(self.radii[i])),
            q_xy: f(self.q_xy),
            inv_q_xy: f(self.inv_q_xy),
            q_z: f(self.q_z),
            inv_q_z: f(self.inv_q_z),
            taper: [f(self.taper[0]), f(self.taper[1])],
        }
    }
}

impl<L: PowerLanes> Bodies<L> {
    /// Untapered bodies: closed form.
    #[inline(always)]
    pub fn straight(&self, dir: [L; 3]) -> LaneJets<L> {
        let [a1, a2, a3] = self.radii;
        let tiny = L::splat(L::TINY);
        let (u1, u2, u3) = (
            (a1 * dir[0].abs()).max(tiny),
            (a2 * dir[1].abs()).max(tiny),
            (a3 * dir[2].abs()).max(tiny),
        );
        let inner = norm(u1, u2, u1.log2(), u2.log2(), self.q_xy, self.inv_q_xy);
        let outer = norm(inner.value, u3, inner.log_value, u3.log2(), self.q_z, self.inv_q_z);
        let (s1, s2, s3) = (a1 * dir[0].signum(), a2 * dir[1].signum(), a3 * dir[2].signum());
        LaneJets {
            value: outer.value,
            point: [s1 * outer.du * inner.du, s2 * outer.du * inner.dv, s3 * outer.dv],
            alpha: at_most_flat(outer.du * inner.bend / inner.value, outer.value),
            t: [s1 * inner.v, -s2 * inner.u],
            beta: outer.bend / outer.value,
            s: [s1 * inner.du * outer.v, s2 * inner.dv * outer.v, -s3 * outer.u],
        }
    }

    /// The logarithm of the nested norm that is one on the surface, at a point of each body's frame: negative inside. As in
    /// [`Superovoid`], the section is that of the nearest height of the body.
    #[inline(always)]
    pub fn log_inside(&self, point: [L; 3]) -> L {
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        let w = point[2] / self.radii[2];
        let at = w.max(L::splat(-1.0)).min(one);
        let wide = self.semi_axes_at(at);
        let x = (point[0] / wide[0]).abs().max(tiny).log2();
        let y = (point[1] / wide[1]).abs().max(tiny).log2();
        // p = 2/ε, and 1/q = 1 − ε/2.
        let section = log_p_norm(x, y, one - self.inv_q_xy);
        log_p_norm(section, w.abs().max(tiny).log2(), one - self.inv_q_z)
    }

    /// Semi-axes of the section at height w.
    #[inline(always)]
    fn semi_axes_at(&self, w: L) -> [L; 2] {
        let one = L::splat(1.0);
        [self.radii[0] * (one + self.taper[0] * w), self.radii[1] * (one + self.taper[1] * w)]
    }

    /// A vector along the gradient of the nested norm N(X, Y, w), X = x/(a₁(1 + Tx·w)), at a point of each body's frame. With
    /// ϱ the inner norm,
    ///
    /// ```text
    /// N_X ∝ ϱ^(p_z − p_xy)·X^(p_xy − 1),    N_w ∝ w^(p_z − 1)
    /// ```
    #[inline(always)]
    pub fn outward(&self, point: [L; 3]) -> [L; 3] {
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        let w = point[2] / self.radii[2];
        let at = w.max(-one).min(one);
        let wide = self.semi_axes_at(at);
        let [u, v] = [(point[0] / wide[0]).abs(), (point[1] / wide[1]).abs()];
        let (log_u, log_v) = (u.max(tiny).log2(), v.max(tiny).log2());
        let log_w = w.abs().max(tiny).log2();
        let (inv_p_xy, inv_p_z) = (one - self.inv_q_xy, one - self.inv_q_z);
        let (p_xy, p_z) = (one / inv_p_xy, one / inv_p_z);
        let section = log_p_norm(log_u, log_v, inv_p_xy);
        // In units of the largest of the three.
        let log_x = (p_z - one) * section + (p_xy - one) * (log_u - section);
        let log_y = (p_z - one) * section + (p_xy - one) * (log_v - section);
        let log_z = (p_z - one) * log_w;
        let largest = log_x.max(log_y).max(log_z);
        let x = (log_x - largest).exp2();
        let y = (log_y - largest).exp2();
        let z = (log_z - largest).exp2();
        let growth = x * u * self.taper[0] / (one + self.taper[0] * at)
            + y * v * self.taper[1] / (one + self.taper[1] * at);
        [
            x * point[0].signum() / wide[0],
            y * point[1].signum() / wide[1],
            (z * w.signum() - growth) / self.radii[2],
        ]
    }

    /// What a given profile point of every lane tells along `dir`.
    #[inline(always)]
    pub fn section_height(&self, dir: [L; 3], w: L, rho: L, sigma: L) -> SectionHeight<L> {
        let [a1, a2, a3] = self.radii;
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        let (n1, n2) = (dir[0].abs(), dir[1].abs());
        let u1 = (a1 * (one + self.taper[0] * w) * n1).max(tiny);
        let u2 = (a2 * (one + self.taper[1] * w) * n2).max(tiny);
        let section = norm(u1, u2, u1.log2(), u2.log2(), self.q_xy, self.inv_q_xy);
        let growth = section.du * a1 * self.taper[0] * n1 + section.dv * a2 * self.taper[1] * n2;
        let c = a3 * dir[2];
        SectionHeight {
            reach: c * w + rho * section.value,
            fall: sigma * section.value - c - rho * growth,
            share: u1 * section.du / section.value,
        }
    }

    /// The sections at mid-height.
    #[inline(always)]
    pub fn middle(&self, dir: [L; 3]) -> Middle<L> {
        let [a1, a2, a3] = self.radii;
        let tiny = L::splat(L::TINY);
        let (u1, u2) = ((a1 * dir[0].abs()).max(tiny), (a2 * dir[1].abs()).max(tiny));
        let section = norm(u1, u2, u1.log2(), u2.log2(), self.q_xy, self.inv_q_xy);
        let share = u1 * section.du / section.value;
        let rate = share * self.taper[0] + (L::splat(1.0) - share) * self.taper[1];
        Middle { norm: section.value, share, rate, climb: a3 * dir[2] }
    }

    /// Tapered bodies: the highest section along each direction, from a start and a bracket of its slope.
    #[inline(always)]
    pub fn tapered(&self, dir: [L; 3], start: &ProfileStart<L>) -> Highest<L> {
        self.highest_section(dir, start, self.section_along(dir))
    }

    /// [`tapered`](Self::tapered) after a single look, at a slope that is close already, or two: value and point are exact to the
    /// third and second order of what it is off then, curvature to the first.
    #[inline(always)]
    pub fn tapered_in_one_step(&self, dir: [L; 3], sigma: L) -> Highest<L> {
        let c = self.radii[2] * dir[2];
        let section_at = self.section_along(dir);
        let mut look = self.look(c, sigma, &section_at);
        let (mut shift, mut close) = look.believable_shift(c);
        if !close.all() {
            look = self.look(c, sigma + shift, &section_at);
            (shift, close) = look.believable_shift(c);
        }
        self.jets_at(dir, &look, shift, close)
    }

    /// The section at any height, along a direction.
    #[inline(always)]
    fn section_along(&self, dir: [L; 3]) -> impl Fn(L) -> Section<L> {
        let [a1, a2, _] = self.radii;
        let (taper, q, inv_q) = (self.taper, self.q_xy, self.inv_q_xy);
        let (n1, n2) = (dir[0].abs(), dir[1].abs());
        let rate = [a1 * taper[0] * n1, a2 * taper[1] * n2];
        let (tiny, one) = (L::splat(L::TINY), L::splat(1.0));
        #[inline(always)]
        move |w| {
            let b = [a1 * (one + taper[0] * w), a2 * (one + taper[1] * w)];
            let (u1, u2) = ((b[0] * n1).max(tiny), (b[1] * n2).max(tiny));
            let norm = norm(u1, u2, u1.log2(), u2.log2(), q, inv_q);
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
        }
    }

    /// As [`tapered`](Self::tapered) for bodies whose two tapers are equal. Their sections all have the same shape,
    /// N(w) = (1 + Tw)·N(0), so that the powers of the section are taken once and only those of the profile again.
    #[inline(always)]
    pub fn evenly_tapered(
        &self,
        dir: [L; 3],
        predicted: &mut Predicted<L>,
        last_step: f64,
    ) -> Highest<L> {
        let [a1, a2, a3] = self.radii;
        let (tiny, one, taper) = (L::splat(L::TINY), L::splat(1.0), self.taper[0]);
        let (u1, u2) = ((a1 * dir[0].abs()).max(tiny), (a2 * dir[1].abs()).max(tiny));
        let norm = norm(u1, u2, u1.log2(), u2.log2(), self.q_xy, self.inv_q_xy);
        let growth = taper * norm.value;
        let (expected, known) = predicted.at(dir);
        let sigma = known.select(expected, a3 * dir[2] / norm.value + taper);
        let start = open_start(sigma, last_step);
        let highest = self.highest_section(
            dir,
            &start,
            #[inline(always)]
            |w| {
                let scale = one + taper * w;
                let value = scale * norm.value;
                Section {
                    b: [a1 * scale, a2 * scale],
                    value,
                    growth,
                    kappa: norm.bend / value,
                    turn: L::splat(0.0),
                    du: norm.du,
                    dv: norm.dv,
                    u: norm.u,
                    v: norm.v,
                }
            },
        );
        *predicted = highest.predicts(dir);
        highest
    }

    /// [`tapered`](Self::tapered) for convex bodies, from what an evaluation near by predicts.
    #[inline(always)]
    pub fn tapered_predicted(
        &self,
        dir: [L; 3],
        predicted: &mut Predicted<L>,
        last_step: f64,
    ) -> Highest<L> {
        let (mut sigma, known) = predicted.at(dir);
        if !known.all() {
            sigma = known.select(sigma, self.middle(dir).start().sigma);
        }
        let highest = self.tapered(dir, &open_start(sigma, last_step));
        *predicted = highest.predicts(dir);
        highest
    }

    /// Newton on the slope σ of the profile, bracketed, all lanes in step.
    #[inline(always)]
    fn highest_section(
        &self,
        dir: [L; 3],
        start: &ProfileStart<L>,
        section_at: impl Fn(L) -> Section<L>,
    ) -> Highest<L> {
        let c = self.radii[2] * dir[2];
        let ProfileStart { mut sigma, mut low, mut high, last_step } = *start;
        let mut steps = 0;
        loop {
            let look = self.look(c, sigma, &section_at);
            let Look { residual, derivative, shift, .. } = look;
            let slope = sigma.abs().max(L::splat(L::TINY));
            let newton = sigma + shift;
            let usable =
                derivative.simd_gt(L::splat(0.0)) & newton.simd_gt(low) & newton.simd_lt(high);
            let noise = L::splat(PROFILE_TOLERANCE) * (c.abs() + look.section.value);
            let exact = residual.abs().simd_le(noise);
            let close = usable & shift.abs().simd_le(L::splat(last_step) * slope);
            let settled = exact | close | (high - low).simd_le(L::splat(INDISTINCT) * slope);
            steps += 1;
            if settled.all() || steps == MAX_PROFILE_STEPS {
                return self.jets_at(dir, &look, close.select(shift, L::splat(0.0)), settled);
            }
            let above = residual.simd_gt(L::splat(0.0));
            high = above.select(high.min(sigma), high);
            low = above.select(low, low.max(sigma));
            let fixed_point = look.fixed_point(c);
            let within = fixed_point.simd_gt(low) & fixed_point.simd_lt(high);
            let middle = L::splat(0.5) * low + L::splat(0.5) * high;
            // Where E falls there is no maximum: halving the bracket leaves such a stretch, small steps crawl through it.
            let bracketed = (high - low).simd_lt(L::splat(WIDE));
            let fallback = (within & !bracketed).select(fixed_point, middle);
            let usable = usable & newton.simd_gt(low) & newton.simd_lt(high);
            let next = usable.select(newton, fallback);
            // A lane that has settled waits for the others.
            sigma = settled.select(sigma, next);
        }
    }

    /// The section that a slope σ leads to, and how far that is from the highest one, c = a₃n₃.
    #[inline(always)]
    fn look(&self, c: L, sigma: L, section_at: &impl Fn(L) -> Section<L>) -> Look<L> {
        let (one, two) = (L::splat(1.0), L::splat(2.0));
        let slope = sigma.abs().max(L::splat(L::TINY));
        let outer = norm(one, slope, L::splat(0.0), slope.log2(), self.q_z, self.inv_q_z);
        let (rho, w) = (outer.du, outer.dv * sigma.signum());
        let sigma_dw = (self.q_z - one) * rho * outer.dv / outer.value;
        let dw = sigma_dw / slope;
        let section = section_at(w);
        let Section { value: n, growth, kappa, turn, .. } = section;
        let residual = sigma * n - c - rho * growth;
        // σ·dw/dσ is even in σ, growth carries the sign: N + 2σN'·dw/dσ − ρN''·dw/dσ.
        let derivative =
            n + two * growth * sigma_dw * sigma.signum() - rho * kappa * turn * turn * dw;
        // Halley's step, with the part of E'' that does not vanish with N'': (3N' + 2σN'·(ln dw/dσ)')·dw/dσ.
        let log_slope = (self.q_z - two) + (one - two * self.q_z) * slope * outer.dv / outer.value;
        let bend = growth * dw * (L::splat(3.0) + two * log_slope);
        let square = derivative * derivative;
        let most = L::splat(0.5) * square;
        let less = (L::splat(0.5) * residual * bend).max(-most).min(most);
        let shift = -(residual * derivative) / (square - less);
        Look { sigma, rho, w, dw, section, residual, derivative, shift }
    }

    /// Value, point and curvature at the section that was looked at, and a step of σ from there to the first order.
    #[inline(always)]
    fn jets_at(&self, dir: [L; 3], look: &Look<L>, shift: L, settled: L) -> Highest<L> {
        let [a1, a2, a3] = self.radii;
        let Look { sigma, rho, w, dw, residual, derivative, .. } = *look;
        let Section { b, value: n, kappa, turn, du, dv, u, v, .. } = look.section;
        let (sx, sy) = (dir[0].signum(), dir[1].signum());
        let bend = rho * kappa * turn;
        // dp/dw.
        let rise = [
            sx * (du * (rho * a1 * self.taper[0] - sigma * b[0]) + bend * b[0] * v),
            sy * (dv * (rho * a2 * self.taper[1] - sigma * b[1]) - bend * b[1] * u),
            a3,
        ];
        // The last step, to first order: p gains dp/dw·dw and g gains ∫ −E dw. What is left out is its square.
        let last = shift * dw;
        let value = a3 * dir[2] * w + rho * n - L::splat(0.5) * residual * last;
        let scale = L::splat(1.0) + sigma.abs().max(L::splat(L::TINY));
        let inverse = L::splat(1.0) / derivative;
        let jets = LaneJets {
            value,
            point: [
                sx * b[0] * rho * du + rise[0] * last,
                sy * b[1] * rho * dv + rise[1] * last,
                a3 * w + rise[2] * last,
            ],
            alpha: at_most_flat(rho * kappa, value),
            t: [sx * b[0] * v, -sy * b[1] * u],
            beta: at_most_flat(dw * scale * inverse * scale, value),
            s: xyz!(|i| rise[i] / scale),
        };
        // E falls with the direction as p rises with the height: ∂E/∂n = −∂²g/∂w∂n = −dp/dw.
        let rate = xyz!(|i| rise[i] * inverse);
        Highest { jets, settled, shift, sigma: sigma + shift, rate }
    }
}

/// A coefficient of the Hessian, capped where the surface is flat. A negative or undefined one means that too: it is the
/// inverse of a curvature that vanished.
#[inline(always)]
fn at_most_flat<L: PowerLanes>(coefficient: L, value: L) -> L {
    let flattest = L::splat(FLAT_RADIUS) / value;
    let valid = coefficient.simd_ge(L::splat(0.0)) & coefficient.simd_lt(flattest);
    valid.select(coefficient, flattest)
}
