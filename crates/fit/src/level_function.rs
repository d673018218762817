//! How far inside or outside of a superovoid points are, with derivatives: the function whose maximum over the points of a part
//! has to be at most 0.
//!
//! In the frame of the surface, with u = |x|/a₁, v = |y|/a₂, w = z/a₃, τ = 1 + Tw, q = 2/ε_xy and p = 2/ε_z:
//!
//! ```text
//! L = log F,    F = ((N/τ)^p + |w|^p)^(1/p),    N = (u^q + v^q)^(1/q)
//! ```
//!
//! F ≤ 1 inside. Without taper F is the factor by which the surface has to grow to reach the point.

use nalgebra::{SVector, UnitQuaternion};

use crate::candidate::{largest_taper, unit_volume};
use crate::fast_powers::{exp2, log2};
use crate::points::{LANES, Points};
use crate::tuning::EXPONENTS;
use smooth_scene_geometry::math::{Vec3, rotation_from_vector};

/// Numbers of a step: translation and rotation in the frame of the surface, logarithms of the radii, exponents, taper.
pub(crate) const VARIABLES: usize = 12;
/// A step, or a derivative with respect to one.
pub(crate) type Step = SVector<f64, VARIABLES>;
/// Coordinates smaller than this share of the radius count as this.
const LEAST: f32 = 1e-9;
/// Least τ; the taper itself is less than one, but points outside may be beyond the ends.
const LEAST_TAU: f32 = 0.02;

/// A superovoid with both tapers equal, as the search moves it. Lengths are in units of the search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    pub rotation: UnitQuaternion<f64>,
    pub center: Vec3,
    pub log_radii: [f64; 3],
    /// What [`exponent`] maps to ε_xy and ε_z.
    pub exponents: [f64; 2],
    /// T = largest taper · tanh of this.
    pub taper: f64,
}

/// An exponent within its range.
pub(crate) fn exponent(x: f64) -> f64 {
    let x = x.clamp(-30.0, 30.0);
    EXPONENTS[0] + (EXPONENTS[1] - EXPONENTS[0]) / (1.0 + libm::exp(-x))
}

/// What [`exponent`] maps to an exponent; a little inside the range where that is at its end.
pub(crate) fn exponent_variable(exponent: f64) -> f64 {
    let share = ((exponent - EXPONENTS[0]) / (EXPONENTS[1] - EXPONENTS[0])).clamp(0.01, 0.99);
    libm::log(share / (1.0 - share))
}

impl Body {
    pub fn moved(&self, step: &Step) -> Self {
        let by = |from: usize| Vec3::new(step[from], step[from + 1], step[from + 2]);
        Self {
            rotation: self.rotation * rotation_from_vector(&by(3)),
            center: self.center + self.rotation * by(0),
            log_radii: [0, 1, 2].map(|k| (self.log_radii[k] + step[6 + k]).clamp(-12.0, 6.0)),
            exponents: [0, 1].map(|k| (self.exponents[k] + step[9 + k]).clamp(-8.0, 8.0)),
            taper: (self.taper + step[11]).clamp(-4.0, 4.0),
        }
    }

    pub fn exponent_xy(&self) -> f64 {
        exponent(self.exponents[0])
    }

    pub fn exponent_z(&self) -> f64 {
        exponent(self.exponents[1])
    }

    pub fn taper(&self) -> f64 {
        largest_taper(self.exponent_z()) * libm::tanh(self.taper)
    }

    /// The logarithm of the volume, in units of the search.
    pub fn log_volume(&self) -> f64 {
        let unit = unit_volume(self.exponent_xy(), self.exponent_z(), self.taper());
        self.log_radii.iter().sum::<f64>() + libm::log(unit)
    }

    /// The logarithm of the volume and its derivative: 1 for each radius, by differences for exponents and taper.
    pub fn log_volume_jet(&self) -> (f64, Step) {
        const STEP: f64 = 1e-6;
        let value = self.log_volume();
        let mut slope = Step::zeros();
        (6..9).for_each(|k| slope[k] = 1.0);
        for k in 9..VARIABLES {
            let mut next = *self;
            match k {
                9 | 10 => next.exponents[k - 9] += STEP,
                _ => next.taper += STEP,
            }
            slope[k] = (next.log_volume() - value) / STEP;
        }
        (value, slope)
    }
}

/// A body ready to be evaluated at many points.
pub(crate) struct Levels {
    rows: [[f32; 3]; 3],
    offset: [f32; 3],
    log2_radii: [f32; 3],
    inverse_a3: f32,
    q: f32,
    p: f32,
    taper: f32,
    exponent_slopes: [f32; 2],
    taper_slope: f32,
    taper_by_exponent: f32,
}

impl Levels {
    pub fn of(body: &Body) -> Self {
        let turn = body.rotation.to_rotation_matrix().matrix().transpose();
        let offset = turn * body.center;
        let slope = |x: f64| {
            let share = 1.0 / (1.0 + libm::exp(-x));
            (EXPONENTS[1] - EXPONENTS[0]) * share * (1.0 - share)
        };
        let (exponent_xy, exponent_z) = (body.exponent_xy(), body.exponent_z());
        let bend = libm::tanh(body.taper);
        let most = largest_taper(exponent_z);
        let exponent_slopes = body.exponents.map(slope);
        let nearby = largest_taper(exponent(body.exponents[1] + 1e-4));
        Self {
            rows: [0, 1, 2].map(|row| [0, 1, 2].map(|column| turn[(row, column)] as f32)),
            offset: [offset.x as f32, offset.y as f32, offset.z as f32],
            log2_radii: body.log_radii.map(|log| (log * std::f64::consts::LOG2_E) as f32),
            inverse_a3: libm::exp(-body.log_radii[2]) as f32,
            q: (2.0 / exponent_xy) as f32,
            p: (2.0 / exponent_z) as f32,
            taper: (most * bend) as f32,
            // dq/dx = −(2/ε²) dε/dx
            exponent_slopes: [
                (-2.0 / (exponent_xy * exponent_xy) * exponent_slopes[0]) as f32,
                (-2.0 / (exponent_z * exponent_z) * exponent_slopes[1]) as f32,
            ],
            taper_slope: (most * (1.0 - bend * bend)) as f32,
            taper_by_exponent: (bend * (nearby - most) / 1e-4) as f32,
        }
    }

    #[inline(always)]
    fn local(&self, x: f32, y: f32, z: f32) -> [f32; 3] {
        [0, 1, 2].map(|row: usize| {
            let [a, b, c] = self.rows[row];
            a * x + b * y + c * z - self.offset[row]
        })
    }

    /// log₂ F of a point in the frame of the surface.
    #[inline(always)]
    fn log2_level(&self, [x, y, z]: [f32; 3]) -> f32 {
        let log_u = log2(x.abs().max(LEAST)) - self.log2_radii[0];
        let log_v = log2(y.abs().max(LEAST)) - self.log2_radii[1];
        let log_w = log2(z.abs().max(LEAST)) - self.log2_radii[2];
        let tau = (1.0 + self.taper * z * self.inverse_a3).max(LEAST_TAU);
        let log_n = log_sum(log_u, log_v, self.q) - log2(tau);
        log_sum(log_n, log_w, self.p)
    }

    /// L of every point.
    pub fn levels(&self, points: &Points, levels: &mut Vec<f32>) {
        let [xs, ys, zs] = &points.coordinates;
        levels.clear();
        levels.resize(xs.len(), 0.0);
        let chunks = xs.chunks_exact(LANES).zip(ys.chunks_exact(LANES)).zip(zs.chunks_exact(LANES));
        for (((xs, ys), zs), out) in chunks.zip(levels.chunks_exact_mut(LANES)) {
            for k in 0..LANES {
                let local = self.local(xs[k], ys[k], zs[k]);
                out[k] = self.log2_level(local) * std::f32::consts::LN_2;
            }
        }
        levels.truncate(points.count);
    }

    /// Adds `weight` times the derivative of L at point `index`.
    pub fn add_slope(&self, points: &Points, index: usize, weight: f64, slope: &mut Step) {
        const LN_2: f32 = std::f32::consts::LN_2;
        let [xs, ys, zs] = &points.coordinates;
        let [x, y, z] = self.local(xs[index], ys[index], zs[index]);
        let away = |c: f32| if c.abs() < LEAST { LEAST } else { c };
        let (x, y, z) = (away(x), away(y), away(z));
        let [log_u, log_v, log_w] = [x, y, z];
        let log_u = log2(log_u.abs()) - self.log2_radii[0];
        let log_v = log2(log_v.abs()) - self.log2_radii[1];
        let log_w = log2(log_w.abs()) - self.log2_radii[2];
        let w = z * self.inverse_a3;
        let tau = (1.0 + self.taper * w).max(LEAST_TAU);
        let norm = log_sum(log_u, log_v, self.q);
        let log_n = norm - log2(tau);
        let level = log_sum(log_n, log_w, self.p);
        // Shares of the sums: they add up to one.
        let (share_u, share_v) = (exp2(self.q * (log_u - norm)), exp2(self.q * (log_v - norm)));
        let (share_n, share_w) = (exp2(self.p * (log_n - level)), exp2(self.p * (log_w - level)));
        let lean = share_n * self.taper / tau;
        let gradient = Vec3::new(
            f64::from(share_n * share_u / x),
            f64::from(share_n * share_v / y),
            f64::from(share_w / z - lean * self.inverse_a3),
        );
        let turn = Vec3::new(f64::from(x), f64::from(y), f64::from(z)).cross(&gradient);
        // ∂(log S)/q by q: (Σ shareᵢ logᵢ − log of the whole)/q, each to base two.
        let by_q = share_n * (share_u * log_u + share_v * log_v - norm) * LN_2 / self.q;
        let by_p = (share_n * log_n + share_w * log_w - level) * LN_2 / self.p;
        let by_taper = -share_n * w / tau;
        for k in 0..3 {
            slope[k] -= weight * gradient[k];
            slope[3 + k] -= weight * turn[k];
        }
        slope[6] -= weight * f64::from(share_n * share_u);
        slope[7] -= weight * f64::from(share_n * share_v);
        slope[8] -= weight * f64::from(share_w - lean * w);
        slope[9] += weight * f64::from(by_q * self.exponent_slopes[0]);
        slope[10] +=
            weight * f64::from(by_p * self.exponent_slopes[1] + by_taper * self.taper_by_exponent);
        slope[11] += weight * f64::from(by_taper * self.taper_slope);
    }
}

/// log₂ of (2^(n·a) + 2^(n·b))^(1/n).
#[inline(always)]
fn log_sum(a: f32, b: f32, n: f32) -> f32 {
    let (high, low) = (a.max(b), a.min(b));
    high + log2(1.0 + exp2(n * (low - high))) / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_differences() {
        let body = Body {
            rotation: rotation_from_vector(&Vec3::new(0.3, -0.2, 0.5)),
            center: Vec3::new(0.1, -0.05, 0.2),
            log_radii: [-0.7, -0.3, 0.1],
            exponents: [0.2, -0.6],
            taper: 0.4,
        };
        let points = Points::new(
            &[Vec3::new(0.4, 0.3, -0.5), Vec3::new(-0.3, 0.5, 0.7)],
            &Vec3::zeros(),
            1.0,
        );
        let level = |body: &Body, index: usize| {
            let mut levels = Vec::new();
            Levels::of(body).levels(&points, &mut levels);
            f64::from(levels[index])
        };
        for index in 0..2 {
            let mut slope = Step::zeros();
            Levels::of(&body).add_slope(&points, index, 1.0, &mut slope);
            for k in 0..VARIABLES {
                let at = |sign: f64| {
                    let mut step = Step::zeros();
                    step[k] = sign * 3e-3;
                    level(&body.moved(&step), index)
                };
                let difference = (at(1.0) - at(-1.0)) / 6e-3;
                // Single precision over steps of 3e-3, and the third derivative.
                assert!((difference - slope[k]).abs() < 2e-3, "{k}: {difference} {}", slope[k]);
            }
        }
    }
}
