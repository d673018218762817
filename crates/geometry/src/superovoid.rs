//! Superovoids: superellipsoids whose cross-section shrinks or grows linearly along z.

use super::convexity::{dent_height, is_convex};
use super::dual_norm::{DualNorm, NormJet};
use super::error::{ShapeError, check_exponent, check_radii};
use super::p_norm::{farthest_square, p_norm};
use super::rolling_radius::rolling_radius;
use super::surface::{ConvexSurface, FLAT_RADIUS, Support, SupportJet, rank_two};
use crate::math::{Mat3, Vec3};

/// The superovoid [Gonçalves 2017]: a [`Superellipsoid`](super::Superellipsoid) with tapered cross-section,
/// a₁ → a₁(1 + Tx·z/a₃) and a₂ → a₂(1 + Ty·z/a₃), |T| < 1.
///
/// At height w = z/a₃ the section is a superellipse scaled by ρ(w) = (1 − |w|^p)^(1/p), p = 2/ε_z, so with bᵢ(w) the
/// tapered semi-axes and N the dual norm of the section,
///
/// ```text
/// h(n) = max over w in [−1, 1] of  g(w) = a₃n₃·w + ρ(w)·N(w),    N(w) = N_xy(b₁|n₁|, b₂|n₂|)
/// ```
///
/// Not every superovoid is convex. One that is not answers every query for its convex hull, which is what h describes,
/// and says so through [`is_convex`](Self::is_convex).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superovoid {
    radii: [f64; 3],
    exponent_xy: f64,
    exponent_z: f64,
    taper: [f64; 2],
    convex: bool,
    dent: Option<Dent>,
    /// See [`rolling_radius`].
    rolling_radius: f64,
}

/// The height on both sides of the middle beyond which the profile is not dented, with ρ and σ there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dent {
    /// Height w, in units of the third radius.
    pub w: f64,
    /// Radius ρ of the profile at that height.
    pub rho: f64,
    /// Slope σ = (w/ρ)^(p−1) of the profile's normal there.
    pub sigma: f64,
}

/// The cross-section at one height, seen along one direction: N(w) with its derivatives by w.
struct Section {
    /// Tapered semi-axes times |n₁|, |n₂|.
    u: [f64; 2],
    jet: NormJet,
    /// dN/dw.
    slope: f64,
    /// κ·m² of the norm's Hessian, m = max(u).
    kappa: f64,
    /// (u₂u₁' − u₁u₂')/m: how the section turns as w changes.
    turn: f64,
    m: f64,
}

/// A point of the profile curve |ρ|^p + |w|^p = 1 whose normal has slope σ = (w/ρ)^(p−1).
#[derive(Clone, Copy)]
struct Profile {
    sigma: f64,
    rho: f64,
    w: f64,
    /// dw/dσ, infinite where the profile is flat (σ = 0, ε_z < 1).
    dw: f64,
    /// σ·dw/dσ, finite everywhere.
    sigma_dw: f64,
}

/// Heights from which the search for the highest point of a body that is not convex starts.
const HULL_STARTS: [f64; 5] = [-1.0, -0.6, 0.0, 0.6, 1.0];
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
#[derive(Debug, Clone, Copy, Default)]
struct Height {
    w: f64,
    sigma: f64,
    rho: f64,
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

/// The highest point along a direction.
struct Highest {
    profile: Profile,
    section: Section,
    /// E' there.
    derivative: f64,
    /// How much farther the hull may reach; see [`Higher`].
    hidden: f64,
}

/// Newton with bisection halves a bracket at worst: 60 halvings exhaust an `f64`, and 4 to 6 steps are typical.
const MAX_PROFILE_STEPS: usize = 60;
/// |E|/(|a₃n₃| + N) below which the optimal height counts as found; the error of h is of the order of its square.
const PROFILE_TOLERANCE: f64 = 4e-16;

impl Superovoid {
    /// A superovoid with semi-axes in metres, squareness in (0, 2) and taper in (−1, 1). A surface that is not convex
    /// is accepted and stands for its convex hull.
    pub fn new(
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
        taper: [f64; 2],
    ) -> Result<Self, ShapeError> {
        check_radii("superovoid", radii)?;
        check_exponent("superovoid", "exponent_xy", exponent_xy)?;
        check_exponent("superovoid", "exponent_z", exponent_z)?;
        for (field, value) in [("taper[0]", taper[0]), ("taper[1]", taper[1])] {
            // Written so that NaN is refused too.
            if !(value > -1.0 && value < 1.0) {
                let range = "in the open interval (-1, 1)";
                return Err(ShapeError::OutOfRange { shape: "superovoid", field, value, range });
            }
        }
        let convex = is_convex(exponent_xy, exponent_z, taper);
        let rolling_radius = rolling_radius(radii, exponent_xy, exponent_z, taper);
        let mut shape =
            Self { radii, exponent_xy, exponent_z, taper, convex, dent: None, rolling_radius };
        if !convex {
            shape.dent = shape.dent_of(0.25);
        }
        Ok(shape)
    }

    /// As [`new`](Self::new), but refuses a surface that is not convex.
    pub fn new_convex(
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
        taper: [f64; 2],
    ) -> Result<Self, ShapeError> {
        let shape = Self::new(radii, exponent_xy, exponent_z, taper)?;
        if shape.convex {
            return Ok(shape);
        }
        Err(ShapeError::NotConvex { exponent_xy, exponent_z, taper })
    }

    /// The semi-axes along x, y (both at mid-height) and z.
    pub fn radii(&self) -> [f64; 3] {
        self.radii
    }

    /// Squareness of the cross-sections at constant z.
    pub fn exponent_xy(&self) -> f64 {
        self.exponent_xy
    }

    /// Squareness of the profile along z.
    pub fn exponent_z(&self) -> f64 {
        self.exponent_z
    }

    /// Relative growth of the x and y radii from mid-height to the top.
    pub fn taper(&self) -> [f64; 2] {
        self.taper
    }

    /// Whether the surface is convex; if not, queries answer for its convex hull.
    pub fn is_convex(&self) -> bool {
        self.convex
    }

    /// Where the dents of a body that is not convex end for certain, if that is known.
    pub fn dent(&self) -> Option<Dent> {
        self.dent
    }

    /// The same along directions whose sections have λ(1 − λ) of at most `mixed` within the dent.
    pub fn dent_of(&self, mixed: f64) -> Option<Dent> {
        let w = dent_height(self.exponent_xy, self.exponent_z, self.taper, mixed)?;
        let Profile { rho, sigma, .. } = self.profile_at(w);
        Some(Dent { w, rho, sigma })
    }

    pub(crate) fn norm_xy(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_xy)
    }

    pub(crate) fn norm_z(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_z)
    }

    /// Semi-axes of the section plane at height w.
    fn tapered(&self, w: f64) -> [f64; 2] {
        [self.radii[0] * (1.0 + self.taper[0] * w), self.radii[1] * (1.0 + self.taper[1] * w)]
    }

    fn section(&self, dir: &Vec3, w: f64) -> Section {
        let b = self.tapered(w);
        let (n1, n2) = (dir.x.abs(), dir.y.abs());
        let u = [b[0] * n1, b[1] * n2];
        let rate = [self.radii[0] * self.taper[0] * n1, self.radii[1] * self.taper[1] * n2];
        let norm = self.norm_xy();
        let jet = norm.jet(u[0], u[1]);
        let m = u[0].max(u[1]).max(f64::MIN_POSITIVE);
        Section {
            u,
            slope: jet.du * rate[0] + jet.dv * rate[1],
            kappa: norm.curvature(u[0], u[1], &jet),
            turn: (u[1] * rate[0] - u[0] * rate[1]) / m,
            jet,
            m,
        }
    }

    fn profile(&self, sigma: f64) -> Profile {
        let norm = self.norm_z();
        let jet = norm.jet(1.0, sigma.abs());
        let w = jet.dv.copysign(sigma);
        let sigma_dw = (norm.q - 1.0) * jet.du * w / jet.value;
        let dw = if sigma != 0.0 {
            sigma_dw / sigma
        } else if norm.q < 2.0 {
            f64::INFINITY
        } else if norm.q == 2.0 {
            1.0
        } else {
            0.0
        };
        Profile { sigma, rho: jet.du, w, dw, sigma_dw }
    }

    /// The profile point at height w, |w| < 1.
    fn profile_at(&self, w: f64) -> Profile {
        let p = 2.0 / self.exponent_z;
        let rho = libm::exp(libm::log1p(-libm::pow(w.abs(), p)) / p);
        self.profile(libm::pow(w.abs() / rho, p - 1.0).copysign(w))
    }

    /// The stationary height in a bracket, as a slope σ of the profile: the zero of
    ///
    /// ```text
    /// E(σ) = σN(w) − a₃n₃ − ρN'(w),    E'(σ) = N + (2σN' − ρN'')·dw/dσ
    /// ```
    ///
    /// E = −g'(w), because ρ' = −σ along the profile; σ rather than w is the unknown because g' is infinite at the
    /// poles. E increases wherever g is concave. Newton's step, or the middle of the bracket when the step leaves it.
    /// Returns the profile point, the section there, and E'.
    fn stationary(&self, dir: &Vec3, start: f64, low: f64, high: f64) -> (Profile, Section, f64) {
        self.stationary_from(dir, start, low, high, MAX_PROFILE_STEPS)
    }

    /// As [`stationary`](Self::stationary), with a limit on the steps: with none it only evaluates.
    fn stationary_from(
        &self,
        dir: &Vec3,
        start: f64,
        mut low: f64,
        mut high: f64,
        max_steps: usize,
    ) -> (Profile, Section, f64) {
        let c = self.radii[2] * dir.z;
        let mut sigma = start;
        let mut steps = 0;
        loop {
            let profile = self.profile(sigma);
            let section = self.section(dir, profile.w);
            let n = section.jet.value;
            let residual = sigma * n - c - profile.rho * section.slope;
            let convexity = section.kappa * section.turn * section.turn;
            let mut derivative = n + 2.0 * section.slope * profile.sigma_dw;
            if convexity > 0.0 {
                derivative -= profile.rho * convexity * profile.dw;
            }
            if residual > 0.0 {
                high = high.min(sigma);
            } else {
                low = low.max(sigma);
            }
            let mut next = sigma - residual / derivative;
            if !(derivative > 0.0 && next > low && next < high) {
                next = 0.5 * (low + high);
                if !next.is_finite() {
                    // No bracket yet: the fixed-point step always stays within the reach of the taper.
                    next = (c + profile.rho * section.slope) / n;
                }
            }
            let done = residual.abs() <= PROFILE_TOLERANCE * (c.abs() + n)
                || (next - sigma).abs() <= 2.0 * f64::EPSILON * sigma.abs()
                || steps == max_steps;
            if done {
                return (profile, section, derivative);
            }
            sigma = next;
            steps += 1;
        }
    }

    /// The highest point along `dir`. `None` at the poles, where the
    /// section shrinks to a point.
    fn highest(&self, dir: &Vec3) -> Option<Highest> {
        let c = self.radii[2] * dir.z;
        let n = self.section(dir, 0.0).jet.value;
        if n <= 1e-150 * c.abs() {
            return None;
        }
        if self.convex {
            let (profile, section, derivative) =
                self.stationary(dir, c / n, f64::NEG_INFINITY, f64::INFINITY);
            return Some(Highest { profile, section, derivative, hidden: 0.0 });
        }
        Some(self.highest_of_hull(dir, c))
    }

    /// The global maximum of g when it may have several local ones.
    fn highest_of_hull(&self, dir: &Vec3, c: f64) -> Highest {
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

    /// The highest maximum of g above a known one: branch and bound over heights.
    ///
    /// An interval on which g is concave holds at most one maximum, between ends where g rises and falls. One on which g
    /// is convex, or cannot reach the best value so far, holds none that matters. Any other is halved, and the half that
    /// may reach farther is searched first: a good value early makes the rest short.
    fn higher_than(&self, dir: &Vec3, c: f64, known: &Known) -> Higher {
        // Each with its bound on g.
        let mut waiting = [(Height::default(), Height::default(), 0.0); MAX_WAITING];
        let starts = HULL_STARTS.map(|w| self.height_at(dir, c, w));
        let noise = HULL_NOISE * (c.abs() + starts[2].norm);
        let mut best = known.reach;
        let mut found = Higher { top: None, hidden: 0.0 };
        // Not the poles: g is steeper than any line there, so neither is a maximum.
        for height in &starts[1..4] {
            if height.reach > best + noise {
                best = height.reach;
                found.top = Some(self.at_slope(dir, height.sigma));
            }
        }
        let mut count = 0;
        for k in 1..starts.len() {
            let ceiling = starts[k - 1].highest_between(&starts[k], c);
            waiting[count] = (starts[k - 1], starts[k], ceiling);
            count += 1;
        }
        let mut halvings = 0;
        while count > 0 {
            count -= 1;
            let (low, high, ceiling) = waiting[count];
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
                    let stationary = self.stationary(dir, start.sigma, low.sigma, high.sigma);
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
            let middle = self.height_at(dir, c, 0.5 * (low.w + high.w));
            if middle.reach > best + noise {
                best = middle.reach;
                found.top = Some(self.at_slope(dir, middle.sigma));
            }
            let lower = (low, middle, low.highest_between(&middle, c));
            let upper = (middle, high, middle.highest_between(&high, c));
            // The last one is searched first.
            let [later, sooner] = if lower.2 > upper.2 { [upper, lower] } else { [lower, upper] };
            (waiting[count], waiting[count + 1]) = (later, sooner);
            count += 2;
        }
        found
    }

    /// Profile point, section and E' at a given slope of the profile.
    fn at_slope(&self, dir: &Vec3, sigma: f64) -> (Profile, Section, f64) {
        self.stationary_from(dir, sigma, f64::NEG_INFINITY, f64::INFINITY, 0)
    }

    fn height_at(&self, dir: &Vec3, c: f64, w: f64) -> Height {
        let profile = if w.abs() < 1.0 {
            self.profile_at(w)
        } else {
            // The pole: the tangent is vertical.
            Profile { sigma: f64::INFINITY.copysign(w), rho: 0.0, w, dw: 0.0, sigma_dw: 0.0 }
        };
        let section = self.section(dir, w);
        let norm = section.jet.value;
        Height {
            w,
            sigma: profile.sigma,
            rho: profile.rho,
            norm,
            lambda: section.u[0] * section.jet.du / norm,
            reach: c * w + profile.rho * norm,
            fall: if profile.sigma.is_finite() {
                profile.sigma * norm - c - profile.rho * section.slope
            } else {
                profile.sigma
            },
        }
    }

    /// How g bends between two heights, from the largest and smallest value each term of the criterion of
    /// [`is_convex`] can take between them: powers of |w| are monotone on either side of mid-height, and so is λ.
    fn bend_between(&self, low: &Height, high: &Height) -> Bend {
        debug_assert!(low.w >= 0.0 || high.w <= 0.0, "the starts include mid-height");
        let (p, q) = (2.0 / self.exponent_z, self.norm_xy().q);
        let (inner, outer) = if low.w >= 0.0 { (low.w, high.w) } else { (-high.w, -low.w) };
        // (p − 1)|w|^(p−2), weakest and strongest.
        let powers = [inner, outer].map(|w| (p - 1.0) * libm::pow(w, p - 2.0));
        let (weak, strong) = (powers[0].min(powers[1]), powers[0].max(powers[1]));
        // ∓2|w|^(p−1)(1 − |w|^p)·N'/N: up where N shrinks away from mid-height, down where it grows.
        let [tx, ty] = self.taper;
        let rate = |t: f64, w: f64| t / (1.0 + t * w);
        let away = 1f64.copysign(low.w + high.w);
        let rates = [rate(tx, low.w), rate(tx, high.w), rate(ty, low.w), rate(ty, high.w)];
        let (open_near, open_far) = (1.0 - libm::pow(inner, p), 1.0 - libm::pow(outer, p));
        let lean = 2.0 * libm::pow(outer, p - 1.0) * open_near;
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

    fn pole(&self, dir: &Vec3) -> Support {
        let a3 = self.radii[2];
        Support { value: a3 * dir.z.abs(), point: Vec3::new(0.0, 0.0, a3.copysign(dir.z)) }
    }

    fn support_at(&self, dir: &Vec3, highest: &Highest) -> Support {
        let Highest { profile, section, hidden, .. } = highest;
        let b = self.tapered(profile.w);
        let a3 = self.radii[2];
        Support {
            value: a3 * dir.z * profile.w + profile.rho * section.jet.value + hidden,
            point: Vec3::new(
                (b[0] * profile.rho * section.jet.du).copysign(dir.x),
                (b[1] * profile.rho * section.jet.dv).copysign(dir.y),
                a3 * profile.w,
            ),
        }
    }
}

impl ConvexSurface for Superovoid {
    fn support(&self, dir: &Vec3) -> Support {
        match self.highest(dir) {
            Some(highest) => self.support_at(dir, &highest),
            None => self.pole(dir),
        }
    }

    /// By the implicit function theorem at the optimal height w*:
    ///
    /// ```text
    /// ∇²h = ∂²g/∂n² + s sᵀ / (−∂²g/∂w²),    s = ∂²g/∂n∂w,    −∂²g/∂w² = E'(σ) / (dw/dσ)
    /// ```
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Some(highest) = self.highest(dir) else {
            let Support { value, point } = self.pole(dir);
            return SupportJet { value, point, hessian: self.pole_hessian(dir.z) };
        };
        let Support { value, point } = self.support_at(dir, &highest);
        let Highest { profile, section, derivative, .. } = highest;
        let b = self.tapered(profile.w);
        let [a1, a2, a3] = self.radii;
        let [tx, ty] = self.taper;
        let Section { u, jet, kappa, turn, m, .. } = section;
        let (sx, sy) = (1f64.copysign(dir.x), 1f64.copysign(dir.y));
        let rho = profile.rho;
        let t = Vec3::new(sx * b[0] * (u[1] / m), -sy * b[1] * (u[0] / m), 0.0);
        // Divided by 1 + |σ|: σ is unbounded towards the poles, s/(1 + |σ|) is not.
        let scale = 1.0 + profile.sigma.abs();
        let bend = rho * kappa * turn;
        let s = Vec3::new(
            sx * (jet.du * (rho * a1 * tx - profile.sigma * b[0]) + bend * b[0] * (u[1] / m)),
            sy * (jet.dv * (rho * a2 * ty - profile.sigma * b[1]) - bend * b[1] * (u[0] / m)),
            a3,
        ) / scale;
        let flattest = FLAT_RADIUS / value;
        let beta = (profile.dw * scale) / derivative * scale;
        // A curvature that vanishes or cannot be computed means a flat spot.
        let beta = if beta >= 0.0 && beta < flattest { beta } else { flattest };
        SupportJet { value, point, hessian: rank_two(rho * kappa, &t, beta, &s) }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        let w = point.z / self.radii[2];
        let b = self.tapered(w.clamp(-1.0, 1.0));
        let r = p_norm(point.x / b[0], point.y / b[1], 2.0 / self.exponent_xy);
        p_norm(r, w, 2.0 / self.exponent_z) - 1.0
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.rolling_radius
    }

    /// The largest a₃²w² + ρ²·(farthest point of the section)², from samples in w. The samples are dense enough for a
    /// relative error far below the factor added at the end.
    fn bounding_radius(&self) -> f64 {
        const SAMPLES: usize = 64;
        let mut farthest = self.radii[2] * self.radii[2];
        for k in 0..=SAMPLES {
            let w = 2.0 * k as f64 / SAMPLES as f64 - 1.0;
            // Upper bound on the cell around w: the widest section radius times the largest ρ in the cell.
            let half = 1.0 / SAMPLES as f64;
            let (inner, outer) = ((w.abs() - half).max(0.0), (w.abs() + half).min(1.0));
            let p = 2.0 / self.exponent_z;
            let rho = libm::exp(libm::log1p(-libm::pow(inner, p)) / p);
            let (low, high) = (self.tapered(w - half), self.tapered(w + half));
            let b = [low[0].max(high[0]), low[1].max(high[1])];
            let section = farthest_square(b[0] * b[0], b[1] * b[1], self.exponent_xy);
            farthest = farthest.max((self.radii[2] * outer).powi(2) + rho * rho * section);
        }
        farthest.sqrt()
    }
}

impl Superovoid {
    /// As for the superellipsoid, with the semi-axes of the end that `z` points to.
    fn pole_hessian(&self, z: f64) -> Mat3 {
        let b = self.tapered(1f64.copysign(z));
        let diagonal = if self.exponent_z < 1.0 {
            Vec3::new(b[0], b[1], 0.0) * FLAT_RADIUS
        } else if self.exponent_z > 1.0 {
            Vec3::zeros()
        } else {
            Vec3::new(b[0] * b[0], b[1] * b[1], 0.0) / self.radii[2]
        };
        Mat3::from_diagonal(&diagonal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superellipsoid;

    const DIRS: [[f64; 3]; 5] = [
        [0.3, -0.5, 0.8],
        [-0.9, 0.2, 0.1],
        [0.1, 0.7, -0.6],
        [-0.4, -0.4, -0.4],
        [0.01, 0.02, 0.99],
    ];

    #[test]
    fn without_taper_it_is_the_superellipsoid() {
        for (exy, ez) in [(0.3, 0.4), (1.0, 1.0), (1.6, 0.5), (0.7, 1.7)] {
            let ovoid = Superovoid::new([0.7, 1.1, 1.9], exy, ez, [0.0, 0.0]).unwrap();
            let ellipsoid = Superellipsoid::new([0.7, 1.1, 1.9], exy, ez).unwrap();
            assert!(ovoid.is_convex());
            assert_eq!(ovoid.min_radius_of_curvature(), ellipsoid.min_radius_of_curvature());
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let (a, b) = (ovoid.support_jet(&dir), ellipsoid.support_jet(&dir));
                assert!((a.value - b.value).abs() < 1e-14);
                assert!((a.point - b.point).norm() < 1e-13);
                assert!((a.hessian - b.hessian).norm() < 1e-11 * b.hessian.norm());
            }
        }
    }

    #[test]
    fn support_value_is_the_maximum_over_a_dense_sampling_of_the_surface() {
        for (exy, ez, taper) in [
            (1.0, 0.8, [-0.1, -0.1]),
            (0.3, 0.4, [0.4, -0.3]),
            (1.6, 1.5, [0.3, 0.4]),
            (0.6, 1.8, [0.9, 0.9]),
            (1.2, 1.0, [-0.9, 0.2]),
        ] {
            let shape = Superovoid::new([0.7, 1.1, 1.9], exy, ez, taper).unwrap();
            let [a1, a2, a3] = shape.radii();
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let support = shape.support(&dir);
                assert!(shape.inside_outside(&support.point).abs() < 1e-12);
                let mut highest = f64::NEG_INFINITY;
                for i in 0..=2000 {
                    let eta = (i as f64 / 1000.0 - 1.0) * std::f64::consts::FRAC_PI_2;
                    let w = eta.sin().abs().powf(ez).copysign(eta);
                    let rho = eta.cos().abs().powf(ez);
                    for j in 0..1000 {
                        let omega = j as f64 * std::f64::consts::TAU / 1000.0;
                        let c = omega.cos().abs().powf(exy).copysign(omega.cos());
                        let s = omega.sin().abs().powf(exy).copysign(omega.sin());
                        let point = Vec3::new(
                            a1 * (1.0 + taper[0] * w) * rho * c,
                            a2 * (1.0 + taper[1] * w) * rho * s,
                            a3 * w,
                        );
                        highest = highest.max(point.dot(&dir));
                    }
                }
                assert!(highest <= support.value + 1e-13, "{highest} {support:?}");
                assert!(highest > support.value - 2e-4, "{highest} {support:?}");
            }
        }
    }

    #[test]
    fn hessian_is_the_derivative_of_the_support_point() {
        for (exy, ez, taper) in [
            (1.0, 0.8, [-0.1, -0.1]),
            (0.5, 1.2, [0.3, -0.2]),
            (1.6, 1.5, [0.3, 0.4]),
            (1.3, 1.0, [0.5, 0.1]),
        ] {
            let shape = Superovoid::new([0.7, 1.1, 1.9], exy, ez, taper).unwrap();
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let jet = shape.support_jet(&dir);
                for k in 0..3 {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-6;
                    let difference = (shape.support(&(dir + step)).point
                        - shape.support(&(dir - step)).point)
                        / 2e-6;
                    let error = (difference - jet.hessian.column(k)).norm();
                    assert!(error < 3e-6 * jet.hessian.norm(), "{exy} {ez} {dir:?} {error}");
                }
            }
        }
    }

    #[test]
    fn the_strict_constructor_names_the_parameters_of_a_dented_surface() {
        let error = Superovoid::new_convex([1.0; 3], 0.8, 0.5, [0.3, -0.3]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "superovoid with exponent_xy 0.8, exponent_z 0.5, taper [0.3, -0.3] is not convex"
        );
        let error = Superovoid::new([1.0; 3], 0.8, 0.5, [1.0, 0.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "superovoid: taper[0] is 1, must be in the open interval (-1, 1)"
        );
    }
}
