//! The highest point of a superovoid that is not convex: branch and bound over heights.

use super::Highest;
use super::Superovoid;
use super::height::{Profile, Section};
use crate::math::Vec3;
use crate::simd::{F64x4, Kernel, Lanes, Level, PowerLanes, Simd};

/// Heights from which the search starts, besides the poles.
const HULL_STARTS: [f64; 3] = [-0.6, 0.0, 0.6];
/// Intervals waiting in that search: one per halving of the narrowest, and the first four.
const MAX_WAITING: usize = 32;
/// Halvings after which the intervals left are no longer searched; what they may hide is added to the support value.
/// A handful is typical, some hundred where two maxima nearly merge.
const MAX_HALVINGS: usize = 4000;
/// Error of the support value, relative to it, that the search accepts.
const HULL_NOISE: f64 = 1e-14;
/// Interval that is not halved any more. The bound on g over an interval exceeds g by at most κ·width²/8, κ a few times
/// q ≤ 2000 in units of the support value: below the rounding of that value here. (At 1e-6 it was not: a lower bound was too
/// low by 1e-13.)
const NARROWEST: f64 = 1e-8;
/// How g bends on an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bend {
    Concave,
    Convex,
    Unknown,
}

/// One height of a body that is not convex, seen along one direction.
#[derive(Debug, Clone, Copy)]
struct Height {
    w: f64,
    sigma: f64,
    rho: f64,
    /// |w|^p, |w|^(p−1) and |w|^(p−2).
    powers: [f64; 3],
    /// N(w).
    norm: f64,
    /// The share of the x axis in N^q.
    lambda: f64,
    /// g(w).
    reach: f64,
    /// −g'(w).
    fall: f64,
}

impl Height {
    /// An upper bound on g between two heights: ρ is concave, so below both tangents, and N convex, so below its chord.
    #[inline(always)]
    fn highest_between(&self, high: &Height, c: f64) -> f64 {
        let width = high.w - self.w;
        let growth = (high.norm - self.norm) / width;
        // The largest value of c·w + (ρ₀ − σ(w − w₀))·(N₀ + growth·(w − w₀)) for w − w₀ in [from, to].
        let along = |at: &Height, from: f64, to: f64| {
            let value =
                |x: f64| c * (at.w + x) + (at.rho - at.sigma * x).max(0.0) * (at.norm + growth * x);
            let (linear, square) = (c - at.sigma * at.norm + at.rho * growth, at.sigma * growth);
            let peak = linear / (2.0 * square);
            let inside = if square > 0.0 { value(peak.clamp(from, to)) } else { f64::NEG_INFINITY };
            value(from).max(value(to)).max(inside)
        };
        match (self.sigma.is_finite(), high.sigma.is_finite()) {
            (true, true) => {
                // Where the two tangents meet.
                let meet = (high.rho - self.rho + high.sigma * width) / (high.sigma - self.sigma);
                let meet = if meet.is_finite() { meet.clamp(0.0, width) } else { width };
                along(self, 0.0, meet).max(along(high, meet - width, 0.0))
            }
            (true, false) => along(self, 0.0, width),
            (false, true) => along(high, -width, 0.0),
            (false, false) => f64::INFINITY,
        }
    }
}

/// A maximum of g that is known before the search: its height (not a number: none) and value.
struct Known {
    w: f64,
    reach: f64,
}

/// What a search above a known maximum found.
struct Higher {
    top: Option<(Profile, Section, f64)>,
    /// How much farther the hull may reach in intervals that were not searched to the end: zero in all but degenerate
    /// cases.
    hidden: f64,
}

/// An interval of heights with a bound on g over it.
#[derive(Clone, Copy)]
struct Interval {
    low: Height,
    high: Height,
    ceiling: f64,
}

/// The search along one direction.
struct Search<'a> {
    ovoid: &'a Superovoid,
    dir: &'a Vec3,
    /// a₃n₃.
    c: f64,
    /// Exponents of the profile and of the dual norm of the sections.
    p: f64,
    q: f64,
    inv_q: f64,
    known: &'a Known,
}

impl Kernel for Search<'_> {
    type Output = Higher;

    #[inline(always)]
    fn run<S: Simd>(self) -> Higher {
        self.higher_than_known::<S>()
    }
}

impl Superovoid {
    /// The global maximum of g when it may have several local ones.
    pub(super) fn highest_of_hull(&self, dir: &Vec3, c: f64) -> Highest {
        let (profile, section, derivative) = self.at_slope(dir, 0.0);
        let known = Known { w: f64::NAN, reach: section.jet.value };
        let Higher { top, hidden } = self.higher_than(dir, c, &known);
        let (profile, section, derivative) = top.unwrap_or((profile, section, derivative));
        Highest { profile, section, derivative, hidden }
    }

    /// Whether nothing of the hull reaches farther along `dir` than `reach`, which is reached at the stationary height
    /// `w` ∈ [−1, 1].
    pub fn is_highest(&self, dir: &Vec3, w: f64, reach: f64) -> bool {
        let c = self.radii[2] * dir.z;
        let Higher { top, hidden } = self.higher_than(dir, c, &Known { w, reach });
        top.is_none() && hidden == 0.0
    }

    /// The highest maximum of g above a known one.
    fn higher_than(&self, dir: &Vec3, c: f64, known: &Known) -> Higher {
        let norm = self.norm_xy();
        let p = 2.0 / self.exponent_z;
        let (q, inv_q) = (norm.q, norm.inv_q);
        Level::detect().run(Search { ovoid: self, dir, c, p, q, inv_q, known })
    }
}

impl Search<'_> {
    /// An interval on which g is concave holds at most one maximum, between ends where g rises and falls. One on which g
    /// is convex, or cannot reach the best value so far, holds none that matters. Any other is halved, and the half that
    /// may reach farther is searched first: a good value early makes the rest short.
    #[inline(always)]
    fn higher_than_known<S: Simd>(&self) -> Higher {
        let Self { ovoid, dir, c, known, .. } = *self;
        // An empty slot is cheap to make.
        let mut waiting: [Option<Interval>; MAX_WAITING] = [None; MAX_WAITING];
        let starts = [
            self.pole::<S>(-1.0),
            self.height::<S>(HULL_STARTS[0]),
            self.height::<S>(HULL_STARTS[1]),
            self.height::<S>(HULL_STARTS[2]),
            self.pole::<S>(1.0),
        ];
        let noise = HULL_NOISE * (c.abs() + starts[2].norm);
        let mut best = known.reach;
        let mut found = Higher { top: None, hidden: 0.0 };
        // Not the poles: g is steeper than any line there, so neither is a maximum.
        for height in &starts[1..4] {
            if height.reach > best + noise {
                best = height.reach;
                found.top = Some(ovoid.at_slope(dir, height.sigma));
            }
        }
        let mut count = 0;
        for ends in starts.windows(2) {
            waiting[count] = Some(self.interval(&ends[0], &ends[1]));
            count += 1;
        }
        let mut halvings = 0;
        while count > 0 {
            count -= 1;
            let Interval { low, high, ceiling } =
                waiting[count].expect("the first `count` slots are filled");
            if ceiling <= best + noise {
                continue;
            }
            let bend = self.bend_between(&low, &high);
            if bend == Bend::Convex {
                // The higher end is the maximum, and is known.
                continue;
            }
            let narrow = high.w - low.w < NARROWEST || halvings == MAX_HALVINGS;
            if narrow || bend == Bend::Concave {
                let is_known = low.w <= known.w && known.w <= high.w;
                if low.fall <= 0.0 && high.fall > 0.0 && !is_known {
                    let start = if low.sigma.abs() < high.sigma.abs() { low } else { high };
                    let stationary = ovoid.stationary(dir, start.sigma, low.sigma, high.sigma);
                    let reach = c * stationary.0.w + stationary.0.rho * stationary.1.jet.value;
                    if reach > best {
                        (best, found.top) = (reach, Some(stationary));
                    }
                }
                if bend != Bend::Concave {
                    found.hidden = found.hidden.max(ceiling - best);
                }
                continue;
            }
            halvings += 1;
            let middle = self.height::<S>(0.5 * (low.w + high.w));
            if middle.reach > best + noise {
                best = middle.reach;
                found.top = Some(ovoid.at_slope(dir, middle.sigma));
            }
            let (lower, upper) = (self.interval(&low, &middle), self.interval(&middle, &high));
            // The last one is searched first.
            let [later, sooner] =
                if lower.ceiling > upper.ceiling { [upper, lower] } else { [lower, upper] };
            (waiting[count], waiting[count + 1]) = (Some(later), Some(sooner));
            count += 2;
        }
        found
    }

    #[inline(always)]
    fn interval(&self, low: &Height, high: &Height) -> Interval {
        Interval { low: *low, high: *high, ceiling: low.highest_between(high, self.c) }
    }

    /// A height |w| < 1. The powers of the profile and of the section go through the same logarithms and exponentials, on
    /// different lanes.
    ///
    /// The slope of the profile takes no powers of its own: σ = (|w|/ρ)^(p−1) = |w|^(p−1)·ρ/ρ^p, ρ^p = 1 − |w|^p.
    #[inline(always)]
    fn height<S: Simd>(&self, w: f64) -> Height {
        let Self { p, q, inv_q, .. } = *self;
        let tiny = S::F64x4::splat(S::F64x4::TINY);
        let section = SectionSides::new(self.ovoid, self.dir, w);
        let bases = F64x4([w.abs(), w.abs(), w.abs(), section.ratio]);
        let logarithms = S::F64x4::from(bases).max(tiny).log2();
        let exponents = S::F64x4::from(F64x4([p, p - 1.0, p - 2.0, q - 1.0]));
        let F64x4([power, power_1, power_2, slope]) = (exponents * logarithms).exp2().into();
        let (open, grown) = (1.0 - power, 1.0 + slope * section.ratio);
        let logarithms = S::F64x4::from(F64x4([open, grown, 1.0, 1.0])).max(tiny).log2();
        let exponents = S::F64x4::from(F64x4([1.0 / p, inv_q, 0.0, 0.0]));
        let F64x4([rho, growth, ..]) = (exponents * logarithms).exp2().into();
        let sigma = (power_1 * rho / open).copysign(w);
        let powers = [power, power_1, power_2];
        self.height_with(&section, w, [sigma, rho], powers, slope, growth)
    }

    /// A pole: the tangent is vertical.
    #[inline(always)]
    fn pole<S: Simd>(&self, w: f64) -> Height {
        let section = SectionSides::new(self.ovoid, self.dir, w);
        let tiny = S::F64x4::splat(S::F64x4::TINY);
        let logarithm = S::F64x4::splat(section.ratio).max(tiny).log2();
        let F64x4([slope, ..]) = (S::F64x4::splat(self.q - 1.0) * logarithm).exp2().into();
        let grown = S::F64x4::splat(1.0 + slope * section.ratio);
        let F64x4([growth, ..]) = (S::F64x4::splat(self.inv_q) * grown.log2()).exp2().into();
        let sigma = f64::INFINITY.copysign(w);
        let height = self.height_with(&section, w, [sigma, 0.0], [1.0; 3], slope, growth);
        Height { fall: sigma, ..height }
    }

    /// Puts a height together, from t^(q−1) and N/max of its section; see `DualNorm`.
    #[inline(always)]
    fn height_with(
        &self,
        section: &SectionSides,
        w: f64,
        [sigma, rho]: [f64; 2],
        powers: [f64; 3],
        slope: f64,
        growth: f64,
    ) -> Height {
        let c = self.c;
        let d_large = growth / (1.0 + slope * section.ratio);
        let d_small = d_large * slope;
        let (du, dv) =
            if section.u[0] >= section.u[1] { (d_large, d_small) } else { (d_small, d_large) };
        let norm = section.large * growth;
        let norm_slope = du * section.rate[0] + dv * section.rate[1];
        Height {
            w,
            sigma,
            rho,
            powers,
            norm,
            lambda: section.u[0] * du / norm,
            reach: c * w + rho * norm,
            fall: sigma * norm - c - rho * norm_slope,
        }
    }

    /// How g bends between two heights, from the largest and smallest value each term of the criterion of
    /// [`is_convex`](crate::convexity::is_convex) can take between them: powers of |w| are monotone on either side of
    /// mid-height, and so is λ.
    #[inline(always)]
    fn bend_between(&self, low: &Height, high: &Height) -> Bend {
        debug_assert!(low.w >= 0.0 || high.w <= 0.0, "the starts include mid-height");
        let Self { p, q, .. } = *self;
        let (inner, outer) = if low.w >= 0.0 { (low, high) } else { (high, low) };
        // (p − 1)|w|^(p−2), weakest and strongest.
        let powers = [(p - 1.0) * inner.powers[2], (p - 1.0) * outer.powers[2]];
        let (weak, strong) = (powers[0].min(powers[1]), powers[0].max(powers[1]));
        // ∓2|w|^(p−1)(1 − |w|^p)·N'/N: up where N shrinks away from mid-height, down where it grows.
        let [tx, ty] = self.ovoid.taper;
        let rate = |t: f64, w: f64| t / (1.0 + t * w);
        let away = 1f64.copysign(low.w + high.w);
        let rates = [rate(tx, low.w), rate(tx, high.w), rate(ty, low.w), rate(ty, high.w)];
        let (open_near, open_far) = (1.0 - inner.powers[0], 1.0 - outer.powers[0]);
        let lean = 2.0 * outer.powers[1] * open_near;
        let shrink = rates.into_iter().fold(0.0, |most: f64, rate| most.max(-away * rate));
        let grow = rates.into_iter().fold(0.0, |most: f64, rate| most.max(away * rate));
        // (q − 1)λ(1 − λ)(A − B)²(1 − |w|^p)².
        let mixed = [low.lambda * (1.0 - low.lambda), high.lambda * (1.0 - high.lambda)];
        let crosses = (low.lambda - 0.5) * (high.lambda - 0.5) <= 0.0;
        let most_mixed = if crosses { 0.25 } else { mixed[0].max(mixed[1]) };
        let spread = [(rates[0] - rates[2]).powi(2), (rates[1] - rates[3]).powi(2)];
        let most = (q - 1.0) * most_mixed * spread[0].max(spread[1]) * open_near * open_near;
        let least =
            (q - 1.0) * mixed[0].min(mixed[1]) * spread[0].min(spread[1]) * open_far * open_far;
        if lean * shrink + most < weak {
            Bend::Concave
        } else if least > strong + lean * grow {
            Bend::Convex
        } else {
            Bend::Unknown
        }
    }
}

/// The section at one height before its powers are taken.
struct SectionSides {
    /// Tapered semi-axes times |n₁|, |n₂|, and how they grow with w.
    u: [f64; 2],
    rate: [f64; 2],
    /// The larger of u, and the ratio of the smaller to it.
    large: f64,
    ratio: f64,
}

impl SectionSides {
    #[inline(always)]
    fn new(ovoid: &Superovoid, dir: &Vec3, w: f64) -> Self {
        let ([a1, a2, _], [tx, ty]) = (ovoid.radii, ovoid.taper);
        let (n1, n2) = (dir.x.abs(), dir.y.abs());
        let u = [a1 * (1.0 + tx * w) * n1, a2 * (1.0 + ty * w) * n2];
        let large = u[0].max(u[1]).max(f64::MIN_POSITIVE);
        let ratio = u[0].min(u[1]) / large;
        Self { u, rate: [a1 * tx * n1, a2 * ty * n2], large, ratio }
    }
}
