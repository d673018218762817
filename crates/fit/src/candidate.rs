//! Parameters of the search → a surface around points, and its volume.
//!
//! Radii are not parameters. For every pose, exponents and taper the smallest surface around the points is explicit, so
//! the search is unconstrained and every candidate contains all points. In the frame of the surface, with a₃ above the
//! largest |z| and w = z/a₃, a superovoid contains a point if
//!
//! ```text
//! N_xy(x/(a₁(1 + Tw)), y/(a₂(1 + Tw))) ≤ ρ(w) = (1 − |w|^p)^(1/p),    p = 2/ε_z
//! ```
//!
//! N_xy is homogeneous: with a₁ = k·r and a₂ = k/r the smallest k is the largest quotient of the two sides over all points.

use nalgebra::UnitQuaternion;

use crate::clip::mirrored;
use crate::kind::SurfaceKind;
use crate::tuning::EXPONENTS;
use smooth_scene_geometry::math::{Mat3, Vec3, rotation_from_vector};

/// Smallest share by which a₃ exceeds the largest |z|.
const LEAST_SLACK: f64 = 1e-4;

/// Where the parameters of a search begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub rotation: UnitQuaternion<f64>,
    pub center: Vec3,
    /// Half the extents of the points along the axes.
    pub half: Vec3,
}

impl Frame {
    /// The box of the points along the columns of `axes`, of which the last is the axis of the surface.
    pub fn around(points: &[Vec3], axes: &Mat3) -> Self {
        let mut low = Vec3::repeat(f64::INFINITY);
        let mut high = Vec3::repeat(f64::NEG_INFINITY);
        for point in points {
            let local = axes.tr_mul(point);
            (low, high) = (low.inf(&local), high.sup(&local));
        }
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(*axes);
        Self {
            rotation: UnitQuaternion::from_rotation_matrix(&rotation),
            center: axes * (0.5 * (low + high)),
            half: 0.5 * (high - low),
        }
    }

    pub fn size(&self) -> f64 {
        self.half.norm().max(f64::MIN_POSITIVE)
    }
}

/// A surface without its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub kind: SurfaceKind,
    pub rotation: UnitQuaternion<f64>,
    pub center: Vec3,
    /// Natural logarithm of r = √(a₁/a₂).
    pub log_ratio: f64,
    /// a₃ = (1 + slack)·max|z|.
    pub slack: f64,
    pub exponent_xy: f64,
    pub exponent_z: f64,
    /// Taper of both radii.
    pub taper: f64,
    /// Half the length of a capsule's axis.
    pub half_length: f64,
}

/// How many parameters a kind has.
pub(crate) fn parameter_count(kind: SurfaceKind) -> usize {
    match kind {
        SurfaceKind::Sphere => 3,
        SurfaceKind::Capsule => 7,
        SurfaceKind::Ellipsoid => 8,
        SurfaceKind::Superellipsoid => 10,
        SurfaceKind::Superovoid => 11,
        SurfaceKind::Hull => unreachable!("a hull is not searched for"),
    }
}

/// The first parameters and their steps: centre, rotation, then shape.
pub(crate) fn start(kind: SurfaceKind, frame: &Frame, exponents: [f64; 2]) -> (Vec<f64>, Vec<f64>) {
    let step = 0.06 * frame.size();
    let logit = |e: f64| {
        let share = ((e - EXPONENTS[0]) / (EXPONENTS[1] - EXPONENTS[0])).clamp(0.02, 0.98);
        libm::log(share / (1.0 - share))
    };
    let floor = 1e-3 * frame.size();
    let half = frame.half.map(|h| h.max(floor));
    let ratio = 0.5 * libm::log(half.x / half.y);
    let mut values = vec![0.0; 6];
    let mut steps = vec![step, step, step, 0.12, 0.12, 0.12];
    match kind {
        SurfaceKind::Sphere => {
            values.truncate(3);
            steps.truncate(3);
        }
        SurfaceKind::Capsule => {
            values.push(libm::log((half.z - half.x.max(half.y)).max(floor)));
            steps.push(0.2);
        }
        SurfaceKind::Ellipsoid => {
            values.extend([ratio, libm::log(0.7)]);
            steps.extend([0.15, 0.3]);
        }
        SurfaceKind::Superellipsoid | SurfaceKind::Superovoid => {
            values.extend([ratio, libm::log(0.12), logit(exponents[0]), logit(exponents[1])]);
            steps.extend([0.15, 0.5, 0.5, 0.5]);
        }
        SurfaceKind::Hull => unreachable!("a hull is not searched for"),
    }
    if kind == SurfaceKind::Superovoid {
        values.push(0.0);
        steps.push(0.25);
    }
    (values, steps)
}

/// A frame, parameters and steps with which [`Candidate::of`] gives this candidate again.
pub(crate) fn parameters(candidate: &Candidate, points: &[Vec3]) -> (Frame, Vec<f64>, Vec<f64>) {
    let axes = *candidate.rotation.to_rotation_matrix().matrix();
    let around = Frame::around(points, &axes);
    let frame = Frame { rotation: candidate.rotation, center: candidate.center, ..around };
    let exponents = [candidate.exponent_xy, candidate.exponent_z];
    let (mut values, steps) = start(candidate.kind, &frame, exponents);
    if candidate.kind == SurfaceKind::Capsule {
        values[6] = libm::log(candidate.half_length);
    }
    if values.len() > 7 {
        values[6] = candidate.log_ratio;
        values[7] = libm::log(candidate.slack);
    }
    if candidate.kind == SurfaceKind::Superovoid {
        values[10] = libm::atanh(candidate.taper / largest_taper(candidate.exponent_z));
    }
    (frame, values, steps.into_iter().map(|step| 0.5 * step).collect())
}

impl Candidate {
    /// The surface that parameters describe.
    pub fn of(kind: SurfaceKind, frame: &Frame, x: &[f64]) -> Self {
        let turn =
            if kind == SurfaceKind::Sphere { Vec3::zeros() } else { Vec3::new(x[3], x[4], x[5]) };
        let mut candidate = Self {
            kind,
            rotation: frame.rotation * rotation_from_vector(&turn),
            center: frame.center + frame.rotation * Vec3::new(x[0], x[1], x[2]),
            log_ratio: 0.0,
            slack: 1.0,
            exponent_xy: 1.0,
            exponent_z: 1.0,
            taper: 0.0,
            half_length: 0.0,
        };
        let exponent = |x: f64| {
            EXPONENTS[0] + (EXPONENTS[1] - EXPONENTS[0]) / (1.0 + libm::exp(-x.clamp(-30.0, 30.0)))
        };
        match kind {
            SurfaceKind::Sphere => {}
            SurfaceKind::Capsule => candidate.half_length = libm::exp(x[6].clamp(-30.0, 30.0)),
            _ => {
                candidate.log_ratio = x[6].clamp(-4.0, 4.0);
                candidate.slack = libm::exp(x[7].clamp(-9.0, 4.0)).max(LEAST_SLACK);
            }
        }
        if parameter_count(kind) >= 10 {
            candidate.exponent_xy = exponent(x[8]);
            candidate.exponent_z = exponent(x[9]);
        }
        if kind == SurfaceKind::Superovoid {
            candidate.taper = largest_taper(candidate.exponent_z) * libm::tanh(x[10]);
        }
        candidate
    }
}

impl Candidate {
    /// The mirror image across the plane through the origin normal to an axis. The surface is its own mirror image along its
    /// y axis; with that the frame of the image is right-handed again.
    pub fn mirrored(&self, axis: usize) -> Self {
        let mut axes = *self.rotation.to_rotation_matrix().matrix();
        axes.row_mut(axis).neg_mut();
        axes.column_mut(1).neg_mut();
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(axes);
        Self {
            rotation: UnitQuaternion::from_rotation_matrix(&rotation),
            center: mirrored(&self.center, axis),
            ..*self
        }
    }

    /// The same with nearly flat ends; `None` for kinds whose ends are round. Beside other surfaces a search from round ends
    /// does not get there.
    pub fn with_flat_ends(&self) -> Option<Self> {
        let has_ends = matches!(self.kind, SurfaceKind::Superellipsoid | SurfaceKind::Superovoid);
        let taper = 0.8 * self.taper;
        has_ends.then_some(Self { exponent_z: 0.15, slack: 0.02, taper, ..*self })
    }
}

/// The largest taper, the same for both radii, with which a superovoid of ε_z ≤ 1 is convex, less two per cent. From the
/// criterion 2|T|s(1 − s^p) ≤ (1 − |T|s)(p − 1) for all s in [0, 1] (see `convexity.rs` of the geometry crate):
///
/// ```text
/// |T| ≤ (p − 1)/max (2s(1 − s^p) + (p − 1)s)
/// ```
pub(crate) fn largest_taper(exponent_z: f64) -> f64 {
    let p = 2.0 / exponent_z;
    let lean = |s: f64| 2.0 * s * (1.0 - libm::pow(s, p)) + (p - 1.0) * s;
    // The derivative is (p + 1)(1 − 2s^p).
    let s = libm::pow(0.5, 1.0 / p);
    (0.98 * (p - 1.0) / lean(s).max(lean(1.0))).min(0.98)
}

/// Volume of a superovoid with unit radii and both tapers `taper`:
///
/// ```text
/// V = 2 ε_z ε_xy B(ε_z/2 + 1, ε_z) B(ε_xy/2, ε_xy/2) · (1 + T² m₂),    m₂ = B(3/p, 2/p + 1)/B(1/p, 2/p + 1)
/// ```
///
/// The first part is that of the superellipsoid [Jaklič 2000]: the area of a section, integrated over the height. m₂ is
/// the mean of w² over the sections ρ(w)²; the term linear in w vanishes.
pub(crate) fn unit_volume(exponent_xy: f64, exponent_z: f64, taper: f64) -> f64 {
    let log_beta = |a: f64, b: f64| libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let plain = 2.0
        * exponent_z
        * exponent_xy
        * libm::exp(
            log_beta(0.5 * exponent_z + 1.0, exponent_z)
                + log_beta(0.5 * exponent_xy, 0.5 * exponent_xy),
        );
    if taper == 0.0 {
        return plain;
    }
    let inverse = 0.5 * exponent_z;
    let second = libm::exp(
        log_beta(3.0 * inverse, 2.0 * inverse + 1.0) - log_beta(inverse, 2.0 * inverse + 1.0),
    );
    plain * (1.0 + taper * taper * second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::Superovoid;

    #[test]
    fn volumes_of_ball_cylinder_and_cone_like_bodies_are_known() {
        assert!((unit_volume(1.0, 1.0, 0.0) - 4.0 / 3.0 * std::f64::consts::PI).abs() < 1e-12);
        // Towards a cylinder of height 2 and a box of side 2.
        assert!((unit_volume(1.0, 1e-3, 0.0) / (2.0 * std::f64::consts::PI) - 1.0).abs() < 1e-5);
        assert!((unit_volume(1e-3, 1e-3, 0.0) / 8.0 - 1.0).abs() < 1e-4);
        // A frustum with radii 0.5 and 1.5: ∫(1 + w/2)² = 2 + 1/6.
        let frustum = std::f64::consts::PI * (2.0 + 1.0 / 6.0);
        assert!((unit_volume(1.0, 1e-3, 0.5) / frustum - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_largest_taper_is_convex_and_not_far_from_the_limit() {
        for exponent_z in [0.1, 0.3, 0.5, 0.8, 1.0] {
            let taper = largest_taper(exponent_z);
            let make = |t: f64| Superovoid::new_convex([1.0; 3], 0.7, exponent_z, [t, t]);
            assert!(make(taper).is_ok() && make(-taper).is_ok(), "{exponent_z}: {taper}");
            assert!(taper > 0.9 || make(taper * 1.05).is_err(), "{exponent_z}: {taper}");
        }
    }
}
