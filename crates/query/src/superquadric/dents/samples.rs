//! Where to look for the highest point of a body that is not convex and stands for its hull.
//!
//! The samples find it in all but rare cases; the solver confirms its final normal with `Superovoid::support`, which
//! proves that nothing is higher.

use crate::superquadric::bodies::{Bodies, Parameters};
use crate::superquadric::profile_lanes::SectionHeight;
use crate::superquadric::tuning::dents::{DEEPEST_LEAN, PLAIN_END_HEIGHT, PLAIN_FLANK_HEIGHT};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::{F64x4, Lanes, PowerLanes, Simd};
use smooth_scene_geometry::xyz;

/// Samples per direction: both edges of at most two dents.
const HULL_SAMPLES: usize = 4;
/// Where a body that is not convex is sampled for its highest section; see `Superovoid::support` for the reasons.
pub(crate) struct HullSamples {
    parameters: Parameters,
    p: f64,
    q: f64,
    /// (q − 1)(Tx − Ty)²/(p − 1): the depth of the dent at mid-height for ε_z < 1.
    dent: f64,
}

/// What the section at mid-height tells about g(w) = c·w + ρ(w)N(w) along one direction.
pub(crate) struct MiddleSection {
    pub dir: Vec3,
    /// N(0).
    pub norm: f64,
    /// The share of the x axis in N^q there.
    pub share: f64,
    /// N'/N there.
    pub rate: f64,
    /// c = a₃n₃.
    pub climb: f64,
}

/// Where the maxima of g lie: start, lower and upper end of the two brackets whose ends reach highest.
pub(crate) struct Brackets {
    pub two: [[f64; 3]; 2],
    /// Whether there is a second one; if not, the first is repeated.
    pub is_double: bool,
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
        let spread = parameters.taper[0] - parameters.taper[1];
        let q = 2.0 / (2.0 - parameters.exponent_xy);
        Self { parameters: *parameters, p, q, dent: (q - 1.0) * spread * spread / (p - 1.0) }
    }

    /// The brackets in which the candidates for the highest point along a direction lie.
    #[inline(always)]
    pub fn brackets<S: Simd>(&self, middle: &MiddleSection) -> Brackets {
        let MiddleSection { dir, norm, share, rate, climb } = middle;
        let start = climb / norm + rate;
        let u = [self.parameters.radii[0] * dir.x.abs(), self.parameters.radii[1] * dir.y.abs()];
        let crossing = crossing_edges(u, self.parameters.taper, self.p, self.q);
        if crossing.is_none()
            && let Some([low, high]) = self.only_side(middle)
        {
            let start = if low < start && start < high { start } else { climb / norm };
            return Brackets { two: [[start, low, high]; 2], is_double: false };
        }
        let [low, high] = crossing.unwrap_or([-PLAIN_END_HEIGHT, PLAIN_END_HEIGHT]);
        let [inner, outer] = self.flank_edges::<S>(*share, *rate);
        let w = S::F64x4::from(F64x4([inner, outer, low, high]));
        let (rho, sigma) = self.profile_at::<S>(w);
        let lanes = xyz!(|i| S::F64x4::splat(dir[i]));
        let SectionHeight { reach, fall, .. } = Bodies::of_two(&self.parameters, &self.parameters)
            .map(
                // A closure, because a path cannot be `inline(always)`.
                #[allow(clippy::redundant_closure)]
                #[inline(always)]
                |stored| S::F64x4::from(stored),
            )
            .section_height(lanes, w, rho, sigma);
        let [F64x4(reach), F64x4(fall), F64x4(sigma)] = [reach.into(), fall.into(), sigma.into()];
        let mut heights =
            [2, 0, 1, 3].map(|k| Height { sigma: sigma[k], fall: fall[k], reach: reach[k] });
        // Nearly in ascending order, which is what a short insertion sort likes.
        heights.sort_unstable_by(|a, b| a.sigma.total_cmp(&b.sigma));
        two_highest_brackets(&heights, start)
    }

    /// The slopes among which the only maximum is, when a glance at mid-height shows that there is one: nothing dents
    /// the flank along this direction, or g is so steep at mid-height that the dent there does not turn it.
    fn only_side(&self, middle: &MiddleSection) -> Option<[f64; 2]> {
        let MiddleSection { norm, rate, climb, .. } = middle;
        if self.p <= 2.0 {
            return (self.lean(*rate) > DEEPEST_LEAN).then_some([-f64::MAX, f64::MAX]);
        }
        let rise = climb + rate * norm;
        // N'' with λ(1 − λ) at its largest, since pinched sections change λ quickly with height.
        let most = 0.25 * self.dent * (self.p - 1.0) * norm;
        if rise > most {
            Some([0.0, f64::MAX])
        } else if rise < -most {
            Some([-f64::MAX, 0.0])
        } else {
            None
        }
    }

    /// (p − 1)/(2|r|): how much straighter than the flank a section shrinks towards a pole.
    fn lean(&self, rate: f64) -> f64 {
        (self.p - 1.0) / (2.0 * rate.abs())
    }

    /// Where the flank of the profile bends back, if the taper dents it.
    ///
    /// With ε_z < 1 the flank is flat at mid-height and different tapers dent it there, as far up and down as the
    /// criterion of convexity is negative, to leading order
    ///
    /// ```text
    /// (p − 1)·|w|^(p−2) = (q − 1)·λ(1 − λ)(Tx − Ty)²,    λ the share of the x axis in N^q
    /// ```
    ///
    /// With ε_z > 1 the flank is nearly straight between mid-height and pole, and a section that shrinks at the rate
    /// r = −N'/N towards the pole dents it between the heights where
    ///
    /// ```text
    /// p − 1 = 2|w|(1 − |w|^p)·r
    /// ```
    ///
    /// A maximum on either side of a dent is seen in the slope of g at its edges, however shallow the dent is.
    #[inline(always)]
    fn flank_edges<S: Simd>(&self, share: f64, rate: f64) -> [f64; 2] {
        if self.p > 2.0 {
            let ratio = (self.dent * share * (1.0 - share)).max(1e-300);
            let log_w = S::F64x4::splat(ratio).log2() * S::F64x4::splat(1.0 / (self.p - 2.0));
            let w: F64x4 = log_w.exp2().into();
            let w = w.0[0].clamp(1e-9, 0.6);
            return [-w, w];
        }
        let lean = self.lean(rate);
        if lean > DEEPEST_LEAN {
            return [-PLAIN_FLANK_HEIGHT, PLAIN_FLANK_HEIGHT];
        }
        let narrow = -1f64.copysign(rate);
        [narrow * lean, narrow * (1.0 - lean / self.p)]
    }

    /// ρ and σ of the profile points at four heights.
    #[inline(always)]
    fn profile_at<S: Simd>(&self, w: S::F64x4) -> (S::F64x4, S::F64x4) {
        let (one, p) = (S::F64x4::splat(1.0), S::F64x4::splat(self.p));
        let log_w = w.abs().max(S::F64x4::splat(S::F64x4::TINY)).log2();
        let log_rho = (one - (p * log_w).exp2()).log2() / p;
        let sigma = ((p - one) * (log_w - log_rho)).exp2();
        (log_rho.exp2(), sigma | (w & S::F64x4::splat(-0.0)))
    }
}

/// The two brackets, among those in which g turns from rising to falling, whose ends reach highest.
fn two_highest_brackets(heights: &[Height; HULL_SAMPLES], middle: f64) -> Brackets {
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
        let start = if below.sigma < middle && middle < above.sigma {
            middle
        } else if k == 0 {
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
    Brackets { two: [best[0].1, best[1].1], is_double: found > 1 }
}

/// Where the dent that pinched cross-sections make bends back, on either side of the height w at which both tapered axes
/// reach equally far; `u` are the scaled direction components at mid-height. N is nearly max(u₁, u₂) there, λ falls from
/// 1 to 0 within 1/(q|A − B|), and the criterion of convexity (A, B, λ as there) changes sign at about
///
/// ```text
/// w ± ln((q − 1)(A − B)²/(p − 1)) / (q|A − B|)
/// ```
///
fn crossing_edges(u: [f64; 2], [tx, ty]: [f64; 2], p: f64, q: f64) -> Option<[f64; 2]> {
    let w = (u[1] - u[0]) / (u[0] * tx - u[1] * ty);
    // A division by zero counts as no crossing.
    if w.is_nan() || w.abs() >= 1.0 {
        return None;
    }
    let spread = (tx / (1.0 + tx * w) - ty / (1.0 + ty * w)).abs();
    let strength = (q - 1.0) * spread * spread / (p - 1.0);
    if strength <= 4.0 {
        return None;
    }
    let reach = libm::log(strength) / (q * spread);
    Some([(w - reach).max(-PLAIN_END_HEIGHT), (w + reach).min(PLAIN_END_HEIGHT)])
}
