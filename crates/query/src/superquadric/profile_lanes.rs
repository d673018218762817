//! The height of the highest section of tapered superquadrics on lanes, and their support functions there.
//!
//! The formulas are those of [`Superovoid`](smooth_scene_geometry::Superovoid); see there.

use crate::superquadric::bodies::Bodies;
use crate::superquadric::lane_jets::{LaneJets, at_most_flat, norm};
use crate::superquadric::predicted::{NOWHERE, Predicted};
use crate::superquadric::tuning::profile::{FAR, MAX_PROFILE_STEPS, STEEPEST, WIDE};
use smooth_scene_geometry::simd::PowerLanes;
use smooth_scene_geometry::xyz;

/// |E|/(|a₃n₃| + N) at which the height is good enough: the support value is then as exact where the profile is so flat that the
/// height jumps, and exact to the square elsewhere.
const PROFILE_TOLERANCE: f64 = 1e-14;
/// [`ProfileStart::last_step`] of an exact search: the value is exact to its cube.
pub(crate) const LAST_STEP: f64 = 1e-7;
/// Relative difference of two slopes σ below which they are the same but for rounding.
const INDISTINCT: f64 = 8.0 * f64::EPSILON;

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
    /// As in [`Norm`](super::lane_jets::Norm).
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

impl<L: PowerLanes> Bodies<L> {
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
            // Those that are close look from where they are again: no lane depends on the others.
            look = self.look(c, sigma + close.select(L::splat(0.0), shift), &section_at);
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
            // A lane that has settled waits for the others as it is: what it finds depends on none of them.
            let above = residual.simd_gt(L::splat(0.0));
            high = (above & !settled).select(high.min(sigma), high);
            low = (!above & !settled).select(low.max(sigma), low);
            let fixed_point = look.fixed_point(c);
            let within = fixed_point.simd_gt(low) & fixed_point.simd_lt(high);
            let middle = L::splat(0.5) * low + L::splat(0.5) * high;
            // Where E falls there is no maximum: halving the bracket leaves such a stretch, small steps crawl through it.
            let bracketed = (high - low).simd_lt(L::splat(WIDE));
            let fallback = (within & !bracketed).select(fixed_point, middle);
            let usable = usable & newton.simd_gt(low) & newton.simd_lt(high);
            let next = usable.select(newton, fallback);
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
