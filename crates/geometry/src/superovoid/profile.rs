//! Cross-sections and profile of a superovoid, and the height at which it is stationary along a direction.

use super::Superovoid;
use super::height::{Profile, Section};
use crate::math::Vec3;

/// Newton with bisection halves a bracket at worst: 60 halvings exhaust an `f64`, and 4 to 6 steps are typical.
const MAX_PROFILE_STEPS: usize = 60;
/// |E|/(|a₃n₃| + N) below which the optimal height counts as found; the error of h is of the order of its square.
const PROFILE_TOLERANCE: f64 = 4e-16;

impl Superovoid {
    pub(super) fn section(&self, dir: &Vec3, w: f64) -> Section {
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

    pub(super) fn profile(&self, sigma: f64) -> Profile {
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
    pub(super) fn profile_at(&self, w: f64) -> Profile {
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
    pub(super) fn stationary(
        &self,
        dir: &Vec3,
        start: f64,
        low: f64,
        high: f64,
    ) -> (Profile, Section, f64) {
        self.stationary_from(dir, start, low, high, MAX_PROFILE_STEPS)
    }

    /// As [`stationary`](Self::stationary), with a limit on the steps: with none it only evaluates.
    pub(super) fn stationary_from(
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

    /// Profile point, section and E' at a given slope of the profile.
    pub(super) fn at_slope(&self, dir: &Vec3, sigma: f64) -> (Profile, Section, f64) {
        self.stationary_from(dir, sigma, f64::NEG_INFINITY, f64::INFINITY, 0)
    }
}
