//! Where to look for the highest point of a body that is not convex and stands for its hull.
//!
//! The samples find it in all but rare cases; the solver confirms its final normal with `Superovoid::support`, which
//! proves that nothing is higher.

use super::lanes::{exp2, log2};
use super::superquadric_lanes::{Bodies, Parameters};
use crate::math::Vec3;
use wide::f64x4;

/// Heights at which a body that is not convex is sampled, on both sides of its middle.
const HEIGHTS: [f64; 4] = [0.2, 0.5, 0.75, 0.93];
/// Samples per direction: those heights on both sides, and four more.
const HULL_SAMPLES: usize = 12;
/// The extra height of a profile that is not flat at mid-height.
const PLAIN_DENT_HEIGHT: f64 = 0.5;
/// The extra heights of a body whose axes do not cross.
const PLAIN_END_HEIGHT: f64 = 0.99;

/// Where a body that is not convex is sampled for its highest section; see `Superovoid::support` for the reasons.
pub(crate) struct HullSamples {
    body: Bodies,
    /// Profile points at [`HEIGHTS`].
    rho: f64x4,
    sigma: f64x4,
    radii: [f64; 3],
    taper: [f64; 2],
    p: f64,
    q: f64,
    /// (q − 1)(Tx − Ty)²/(p − 1): the depth of the dent at mid-height for ε_z < 1.
    dent: f64,
}

/// A sampled height: slope of the profile, −g' and g there.
#[derive(Clone, Copy, Default)]
struct Height {
    sigma: f64,
    fall: f64,
    reach: f64,
}

impl HullSamples {
    pub fn new(parameters: &Parameters) -> Self {
        let p = 2.0 / parameters.exponent_z;
        let profile = HEIGHTS.map(|w| profile_at(w, p));
        let spread = parameters.taper[0] - parameters.taper[1];
        let q = 2.0 / (2.0 - parameters.exponent_xy);
        Self {
            body: Bodies::new([parameters; 4]),
            rho: f64x4::new(profile.map(|point| point[0])),
            sigma: f64x4::new(profile.map(|point| point[1])),
            radii: parameters.radii,
            taper: parameters.taper,
            p,
            q,
            dent: (q - 1.0) * spread * spread / (p - 1.0),
        }
    }

    /// Start, lower and upper end of the brackets in which the two candidates for the highest point along `dir` lie.
    pub fn brackets(&self, dir: &Vec3) -> [[f64; 3]; 2] {
        let lanes = [f64x4::splat(dir.x), f64x4::splat(dir.y), f64x4::splat(dir.z)];
        let mut heights = [Height::default(); HULL_SAMPLES];
        let mut sample = |slots: [usize; 4], w: f64x4, rho: f64x4, sigma: f64x4| {
            let (reach, fall) = self.body.section_height(lanes, w, rho, sigma);
            let (reach, fall, sigma) = (reach.to_array(), fall.to_array(), sigma.to_array());
            for (k, slot) in slots.into_iter().enumerate() {
                heights[slot] = Height { sigma: sigma[k], fall: fall[k], reach: reach[k] };
            }
        };
        let fixed = f64x4::new(HEIGHTS);
        sample([4, 3, 2, 1], -fixed, self.rho, -self.sigma);
        sample([7, 8, 9, 10], fixed, self.rho, self.sigma);
        let dent = self.dent_edge(lanes);
        let u = [self.radii[0] * dir.x.abs(), self.radii[1] * dir.y.abs()];
        let [low, high] = crossing_edges(u, self.taper, self.p, self.q);
        let w = f64x4::new([dent, -dent, low, high]);
        let (rho, sigma) = self.profile_at(w);
        sample([6, 5, 0, 11], w, rho, sigma);
        // Filled in nearly ascending order, which is what a short insertion sort likes.
        heights.sort_unstable_by(|a, b| a.sigma.total_cmp(&b.sigma));
        two_highest_brackets(&heights)
    }

    /// How far from mid-height the dent that different tapers make in a flank with ε_z < 1 bends back: where the
    /// criterion of convexity changes sign, to leading order,
    ///
    /// ```text
    /// (p − 1)·w^(p−2) = (q − 1)·λ(1 − λ)(Tx − Ty)²,    λ the share of the x axis in N^q
    /// ```
    ///
    /// A maximum below or above mid-height is seen in the slope of g there, however shallow the dent is.
    fn dent_edge(&self, lanes: [f64x4; 3]) -> f64 {
        if self.p <= 2.0 {
            return PLAIN_DENT_HEIGHT;
        }
        let lambda = self.body.share_of_x(lanes);
        let ratio = (f64x4::splat(self.dent) * lambda * (f64x4::splat(1.0) - lambda))
            .fast_max(f64x4::splat(1e-300));
        let w = exp2(log2(ratio) * f64x4::splat(1.0 / (self.p - 2.0))).to_array()[0];
        w.clamp(1e-9, 0.6)
    }

    /// ρ and σ of the profile points at four heights.
    fn profile_at(&self, w: f64x4) -> (f64x4, f64x4) {
        let (one, p) = (f64x4::splat(1.0), f64x4::splat(self.p));
        let log_w = log2(w.abs().fast_max(f64x4::splat(1e-290)));
        let log_rho = log2(one - exp2(p * log_w)) / p;
        let sigma = exp2((p - one) * (log_w - log_rho));
        (exp2(log_rho), sigma | (w & f64x4::splat(-0.0)))
    }
}

/// ρ and σ of the profile point at height w in (0, 1).
fn profile_at(w: f64, p: f64) -> [f64; 2] {
    let rho = ((-w.powf(p)).ln_1p() / p).exp();
    [rho, (w / rho).powf(p - 1.0)]
}

/// The two brackets, among those in which g turns from rising to falling, whose ends reach highest.
fn two_highest_brackets(heights: &[Height; HULL_SAMPLES]) -> [[f64; 3]; 2] {
    let low_end = Height { sigma: -f64::MAX, fall: -1.0, reach: f64::NEG_INFINITY };
    let high_end = Height { sigma: f64::MAX, fall: 1.0, reach: f64::NEG_INFINITY };
    let mut best = [(f64::NEG_INFINITY, [0.0, -f64::MAX, f64::MAX]); 2];
    let mut found = 0;
    for k in 0..=heights.len() {
        let below = if k == 0 { low_end } else { heights[k - 1] };
        let above = if k == heights.len() { high_end } else { heights[k] };
        if !(below.fall <= 0.0 && above.fall > 0.0) {
            continue;
        }
        let start = if k == 0 {
            above.sigma
        } else if k == heights.len() {
            below.sigma
        } else {
            // Where the chord of g' is zero.
            below.sigma - below.fall * (above.sigma - below.sigma) / (above.fall - below.fall)
        };
        let candidate = (below.reach.max(above.reach), [start, below.sigma, above.sigma]);
        found += 1;
        if candidate.0 > best[0].0 {
            best = [candidate, best[0]];
        } else if candidate.0 > best[1].0 {
            best[1] = candidate;
        }
    }
    if found < 2 {
        best[1] = best[0];
    }
    [best[0].1, best[1].1]
}

/// Where the dent that pinched cross-sections make bends back, on either side of the height w at which both tapered axes
/// reach equally far; `u` are the scaled direction components at mid-height. N is nearly max(u₁, u₂) there, λ falls from
/// 1 to 0 within 1/(q|A − B|), and the criterion of convexity (A, B, λ as there) changes sign at about
///
/// ```text
/// w ± ln((q − 1)(A − B)²/(p − 1)) / (q|A − B|)
/// ```
///
/// Without such a crossing two plain heights are returned.
fn crossing_edges(u: [f64; 2], [tx, ty]: [f64; 2], p: f64, q: f64) -> [f64; 2] {
    let plain = [-PLAIN_END_HEIGHT, PLAIN_END_HEIGHT];
    let w = (u[1] - u[0]) / (u[0] * tx - u[1] * ty);
    // A division by zero counts as no crossing.
    if w.is_nan() || w.abs() >= 1.0 {
        return plain;
    }
    let spread = (tx / (1.0 + tx * w) - ty / (1.0 + ty * w)).abs();
    let strength = (q - 1.0) * spread * spread / (p - 1.0);
    if strength <= 4.0 {
        return plain;
    }
    let reach = strength.ln() / (q * spread);
    [(w - reach).max(-PLAIN_END_HEIGHT), (w + reach).min(PLAIN_END_HEIGHT)]
}
