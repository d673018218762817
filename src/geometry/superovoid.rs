//! Superovoids: superellipsoids whose cross-section shrinks or grows linearly along z.

use super::convexity::is_convex;
use super::dual_norm::{DualNorm, NormJet};
use super::error::{ShapeError, check_exponent, check_radii};
use super::superellipsoid::{Superellipsoid, farthest_square, p_norm};
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

/// Heights sampled when the body is not convex and g may have several maxima; four more depend on the direction.
const FIXED_HEIGHTS: [f64; 16] = [
    -0.97, -0.91, -0.82, -0.71, -0.58, -0.43, -0.27, -0.1, 0.1, 0.27, 0.43, 0.58, 0.71, 0.82, 0.91,
    0.97,
];
const HULL_SAMPLES: usize = FIXED_HEIGHTS.len() + 4;
/// The extra heights of a body without the dent they are meant for.
const PLAIN_EXTRA_HEIGHT: f64 = 0.99;
const PLAIN_DENT_HEIGHT: f64 = 0.5;
/// Range of the height of a dent that is looked for. A smaller dent is shallower than rounding, a larger one is seen by
/// the fixed heights.
const SMALLEST_DENT: f64 = 1e-9;
const LARGEST_DENT: f64 = 0.6;
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
        Ok(Self { radii, exponent_xy, exponent_z, taper, convex })
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
        let rho = ((-w.abs().powf(p)).ln_1p() / p).exp();
        self.profile((w.abs() / rho).powf(p - 1.0).copysign(w))
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
    fn stationary(
        &self,
        dir: &Vec3,
        start: f64,
        mut low: f64,
        mut high: f64,
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
                || steps == MAX_PROFILE_STEPS;
            if done {
                return (profile, section, derivative);
            }
            sigma = next;
            steps += 1;
        }
    }

    /// The highest point along `dir`: its profile point, its section and E' there. `None` at the poles, where the
    /// section shrinks to a point.
    fn highest(&self, dir: &Vec3) -> Option<(Profile, Section, f64)> {
        let c = self.radii[2] * dir.z;
        let n = self.section(dir, 0.0).jet.value;
        if n <= 1e-150 * c.abs() {
            return None;
        }
        if self.convex {
            return Some(self.stationary(dir, c / n, f64::NEG_INFINITY, f64::INFINITY));
        }
        Some(self.highest_of_hull(dir, c))
    }

    /// The global maximum of g when it may have several local ones: wherever the slope of g changes from up to down
    /// between two sampled heights there is a maximum, and Newton finds it inside that bracket.
    fn highest_of_hull(&self, dir: &Vec3, c: f64) -> (Profile, Section, f64) {
        let height =
            |profile: &Profile, section: &Section| c * profile.w + profile.rho * section.jet.value;
        let mut heights = [0.0; HULL_SAMPLES];
        heights[..FIXED_HEIGHTS.len()].copy_from_slice(&FIXED_HEIGHTS);
        let dent = self.dent_edge(dir);
        let crossing = self.crossing_edges(dir);
        heights[FIXED_HEIGHTS.len()..].copy_from_slice(&[dent, -dent, crossing[0], crossing[1]]);
        heights.sort_unstable_by(f64::total_cmp);
        // Towards the lower pole g rises without end, towards the upper one it falls.
        let mut below = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut best: Option<(f64, (Profile, Section, f64))> = None;
        for w in heights.into_iter().map(Some).chain([None]) {
            let above = if let Some(w) = w {
                let profile = self.profile_at(w);
                let section = self.section(dir, profile.w);
                let residual = profile.sigma * section.jet.value - c - profile.rho * section.slope;
                (profile.sigma, residual)
            } else {
                (f64::INFINITY, f64::INFINITY)
            };
            if below.1 <= 0.0 && above.1 > 0.0 {
                let start = if below.0.is_finite() { below.0 } else { above.0 };
                let found = self.stationary(dir, start, below.0, above.0);
                let value = height(&found.0, &found.1);
                if best.as_ref().is_none_or(|(highest, _)| value > *highest) {
                    best = Some((value, found));
                }
            }
            below = above;
        }
        match best {
            Some((_, found)) => found,
            // The signs at the two ends differ, so there is always a bracket; not reached for finite directions.
            None => self.stationary(dir, 0.0, f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// How far from mid-height the dent that different tapers make in a flank with ε_z < 1 bends back: the w at which
    /// the criterion of [`is_convex`] changes sign, to leading order,
    ///
    /// ```text
    /// (p − 1)·w^(p−2) = (q − 1)·λ(1 − λ)(Tx − Ty)²,    λ the share of the x axis in N^q
    /// ```
    ///
    /// A maximum below or above mid-height is seen in the slope of g there, however shallow the dent is.
    fn dent_edge(&self, dir: &Vec3) -> f64 {
        let p = 2.0 / self.exponent_z;
        if p <= 2.0 {
            return PLAIN_DENT_HEIGHT;
        }
        let section = self.section(dir, 0.0);
        let lambda = section.u[0] * section.jet.du / section.jet.value;
        let spread = self.taper[0] - self.taper[1];
        let ratio =
            (self.norm_xy().q - 1.0) * lambda * (1.0 - lambda) * spread * spread / (p - 1.0);
        ratio.powf(1.0 / (p - 2.0)).clamp(SMALLEST_DENT, LARGEST_DENT)
    }

    /// Where the dent that pinched cross-sections make bends back, on either side of the height w at which both tapered
    /// axes reach equally far along `dir`. N is nearly max(u₁, u₂) there, λ falls from 1 to 0 within 1/(q|A − B|), and
    /// the criterion of [`is_convex`] changes sign at about (A, B as there)
    ///
    /// ```text
    /// w ± ln((q − 1)(A − B)²/(p − 1)) / (q|A − B|)
    /// ```
    ///
    /// Without such a crossing two plain heights are returned.
    fn crossing_edges(&self, dir: &Vec3) -> [f64; 2] {
        crossing_edges(
            [self.radii[0] * dir.x.abs(), self.radii[1] * dir.y.abs()],
            self.taper,
            2.0 / self.exponent_z,
            self.norm_xy().q,
        )
    }

    fn pole(&self, dir: &Vec3) -> Support {
        let a3 = self.radii[2];
        Support { value: a3 * dir.z.abs(), point: Vec3::new(0.0, 0.0, a3.copysign(dir.z)) }
    }

    fn support_at(&self, dir: &Vec3, profile: &Profile, section: &Section) -> Support {
        let b = self.tapered(profile.w);
        let a3 = self.radii[2];
        Support {
            value: a3 * dir.z * profile.w + profile.rho * section.jet.value,
            point: Vec3::new(
                (b[0] * profile.rho * section.jet.du).copysign(dir.x),
                (b[1] * profile.rho * section.jet.dv).copysign(dir.y),
                a3 * profile.w,
            ),
        }
    }
}

/// See [`Superovoid::crossing_edges`]; `u` are the scaled direction components at mid-height.
pub(crate) fn crossing_edges(u: [f64; 2], [tx, ty]: [f64; 2], p: f64, q: f64) -> [f64; 2] {
    let plain = [-PLAIN_EXTRA_HEIGHT, PLAIN_EXTRA_HEIGHT];
    let w = (u[1] - u[0]) / (u[0] * tx - u[1] * ty);
    // Written so that a division by zero counts as no crossing.
    if !(w.abs() < 1.0) {
        return plain;
    }
    let spread = (tx / (1.0 + tx * w) - ty / (1.0 + ty * w)).abs();
    let strength = (q - 1.0) * spread * spread / (p - 1.0);
    if strength <= 4.0 {
        return plain;
    }
    let reach = strength.ln() / (q * spread);
    [(w - reach).max(-PLAIN_EXTRA_HEIGHT), (w + reach).min(PLAIN_EXTRA_HEIGHT)]
}

impl ConvexSurface for Superovoid {
    fn support(&self, dir: &Vec3) -> Support {
        match self.highest(dir) {
            Some((profile, section, _)) => self.support_at(dir, &profile, &section),
            None => self.pole(dir),
        }
    }

    /// By the implicit function theorem at the optimal height w*:
    ///
    /// ```text
    /// ∇²h = ∂²g/∂n² + s sᵀ / (−∂²g/∂w²),    s = ∂²g/∂n∂w,    −∂²g/∂w² = E'(σ) / (dw/dσ)
    /// ```
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Some((profile, section, derivative)) = self.highest(dir) else {
            let Support { value, point } = self.pole(dir);
            return SupportJet { value, point, hessian: self.pole_hessian(dir.z) };
        };
        let Support { value, point } = self.support_at(dir, &profile, &section);
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

    /// Without taper that of the superellipsoid; otherwise no bound is known and the result is zero.
    fn min_radius_of_curvature(&self) -> f64 {
        if self.taper != [0.0, 0.0] {
            return 0.0;
        }
        Superellipsoid::new(self.radii, self.exponent_xy, self.exponent_z)
            .map_or(0.0, |untapered| untapered.min_radius_of_curvature())
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
            let rho = ((-inner.powf(p)).ln_1p() / p).exp();
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
