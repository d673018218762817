//! The smallest surface of a candidate around points, and its volume.

use crate::candidate::Frame;
use crate::candidate::{Candidate, unit_volume};
use crate::fast_powers::{exp2, log2};
use crate::kind::SurfaceKind;
use crate::points::{LANES, Points};
use smooth_scene_geometry::math::{Mat3, Vec3};

/// Points as the search sees them: in single precision, coordinate by coordinate, in units of `size` from `center`.
#[derive(Debug, Clone)]
pub(crate) struct SearchPoints {
    points: Points,
    center: Vec3,
    size: f64,
    local: [Vec<f32>; 3],
}

impl SearchPoints {
    /// At least one point, in units of `frame`.
    pub fn new(points: &[Vec3], frame: &Frame) -> Self {
        Self::in_units(points, frame.center, frame.size())
    }

    /// At least one point.
    pub fn in_units(points: &[Vec3], center: Vec3, size: f64) -> Self {
        let points = Points::new(points, &center, size);
        let local = [0; 3].map(|_| vec![0.0; points.coordinates[0].len()]);
        Self { points, center, size, local }
    }

    /// Centre and size of the units.
    pub fn units(&self) -> (Vec3, f64) {
        (self.center, self.size)
    }

    /// The same points for the level function.
    pub fn for_levels(&self) -> Points {
        self.points.clone()
    }

    /// The largest |z| in the frame of the candidate, in units.
    pub fn highest_of(&mut self, candidate: &Candidate) -> f64 {
        self.place_for(candidate);
        f64::from(self.highest().max(1e-4))
    }

    /// The logarithm of the volume of the smallest surface around the points; infinite where there is none.
    pub fn log_volume(&mut self, candidate: &Candidate) -> f64 {
        let extent = self.extent(candidate);
        self.log_volume_of(candidate, &extent)
    }

    /// The logarithm of the volume of a surface of this size, m³.
    pub fn log_volume_of(&self, candidate: &Candidate, extent: &Extent) -> f64 {
        let log_size = 3.0 * libm::log(self.size);
        let (width, a3) = (f64::from(extent.width), f64::from(extent.a3));
        if matches!(candidate.kind, SurfaceKind::Sphere | SurfaceKind::Capsule) {
            let volume = std::f64::consts::PI * width * width * (2.0 * a3 + 4.0 / 3.0 * width);
            return libm::log(volume.max(1e-30)) + log_size;
        }
        let unit = unit_volume(candidate.exponent_xy, candidate.exponent_z, candidate.taper);
        2.0 * std::f64::consts::LN_2 * width + libm::log(a3 * unit) + log_size
    }

    /// The size of the smallest surface around the points: log₂ k and a₃ of a superovoid, the radius of a capsule; in units
    /// of this set of points.
    pub fn extent(&mut self, candidate: &Candidate) -> Extent {
        self.place_for(candidate);
        match candidate.kind {
            SurfaceKind::Sphere | SurfaceKind::Capsule => {
                let half = (candidate.half_length / self.size) as f32;
                Extent { width: self.capsule_radius(half), a3: half }
            }
            _ => {
                let a3 = self.highest().max(1e-4) * (1.0 + candidate.slack as f32);
                Extent { width: self.section_scale(candidate, a3).max(-12.0), a3 }
            }
        }
    }

    fn place_for(&mut self, candidate: &Candidate) {
        let turn = candidate.rotation.to_rotation_matrix().matrix().transpose();
        let shift = turn * ((candidate.center - self.center) / self.size);
        self.place(&turn, &shift);
    }

    /// How deep each point is in a surface of this size, roughly as a share of its width; negative outside. Both sets of
    /// points have to have the same centre and size.
    pub fn depths(&mut self, candidate: &Candidate, extent: &Extent, depths: &mut Vec<f32>) {
        self.place_for(candidate);
        depths.clear();
        depths.resize(self.local[0].len(), 0.0);
        let [xs, ys, zs] = &self.local;
        if matches!(candidate.kind, SurfaceKind::Sphere | SurfaceKind::Capsule) {
            for (k, depth) in depths.iter_mut().enumerate() {
                let beyond = (zs[k].abs() - extent.a3).max(0.0);
                let distance = (xs[k] * xs[k] + ys[k] * ys[k] + beyond * beyond).sqrt();
                *depth = 1.0 - distance / extent.width;
            }
            return;
        }
        let section = Section::of(candidate, extent.a3);
        let chunks = xs.chunks_exact(LANES).zip(ys.chunks_exact(LANES)).zip(zs.chunks_exact(LANES));
        for (((xs, ys), zs), depths) in chunks.zip(depths.chunks_exact_mut(LANES)) {
            for k in 0..LANES {
                depths[k] = extent.width - section.quotient(xs[k], ys[k], zs[k]);
            }
        }
    }

    /// The points in the frame of the candidate.
    fn place(&mut self, turn: &Mat3, shift: &Vec3) {
        let [xs, ys, zs] = &self.points.coordinates;
        for (axis, out) in self.local.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|column| turn[(axis, column)] as f32);
            let offset = shift[axis] as f32;
            for (((out, x), y), z) in out.iter_mut().zip(xs).zip(ys).zip(zs) {
                *out = a * x + b * y + c * z - offset;
            }
        }
    }

    fn highest(&self) -> f32 {
        let mut most = [0f32; LANES];
        for chunk in self.local[2].chunks_exact(LANES) {
            for (most, z) in most.iter_mut().zip(chunk) {
                *most = z.abs().max(*most);
            }
        }
        most.into_iter().fold(0.0, f32::max)
    }

    /// The largest distance of a point from the segment of this half length on the z axis.
    fn capsule_radius(&self, half: f32) -> f32 {
        let [xs, ys, zs] = &self.local;
        let mut most = [0f32; LANES];
        let chunks = xs.chunks_exact(LANES).zip(ys.chunks_exact(LANES)).zip(zs.chunks_exact(LANES));
        for ((xs, ys), zs) in chunks {
            for k in 0..LANES {
                let beyond = (zs[k].abs() - half).max(0.0);
                most[k] = (xs[k] * xs[k] + ys[k] * ys[k] + beyond * beyond).max(most[k]);
            }
        }
        most.into_iter().fold(0.0, f32::max).sqrt()
    }

    /// log₂ of the smallest k; see the documentation of the module.
    fn section_scale(&self, candidate: &Candidate, a3: f32) -> f32 {
        let section = Section::of(candidate, a3);
        let [xs, ys, zs] = &self.local;
        let mut most = [-60f32; LANES];
        let chunks = xs.chunks_exact(LANES).zip(ys.chunks_exact(LANES)).zip(zs.chunks_exact(LANES));
        for ((xs, ys), zs) in chunks {
            for k in 0..LANES {
                most[k] = section.quotient(xs[k], ys[k], zs[k]).max(most[k]);
            }
        }
        most.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The size of a candidate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// log₂ k, or the radius of a capsule.
    pub width: f32,
    /// a₃, or half the length of a capsule's axis.
    pub a3: f32,
}

/// What the quotients of all points have in common.
struct Section {
    p: f32,
    q: f32,
    ratio: f32,
    taper: f32,
    inverse_a3: f32,
}

impl Section {
    fn of(candidate: &Candidate, a3: f32) -> Self {
        Self {
            p: (2.0 / candidate.exponent_z) as f32,
            q: (2.0 / candidate.exponent_xy) as f32,
            ratio: (candidate.log_ratio * std::f64::consts::LOG2_E) as f32,
            taper: candidate.taper as f32,
            inverse_a3: 1.0 / a3,
        }
    }

    /// log₂ of the quotient; large where |z| ≥ a₃.
    #[inline(always)]
    fn quotient(&self, x: f32, y: f32, z: f32) -> f32 {
        const LEAST: f32 = 1e-12;
        let w = z * self.inverse_a3;
        let log_x = log2(x.abs().max(LEAST)) - self.ratio;
        let log_y = log2(y.abs().max(LEAST)) + self.ratio;
        let (high, low) = (log_x.max(log_y), log_x.min(log_y));
        let norm = high + log2(1.0 + exp2(self.q * (low - high))) / self.q;
        let power = exp2(self.p * log2(w.abs().max(LEAST)));
        // Beyond the ends the distance along the axis counts.
        let beyond = 40.0 * (w.abs() - 1.0).max(0.0);
        let rho = log2((1.0 - power).max(1e-7)) / self.p;
        norm.max(-20.0 + beyond) - rho - log2((1.0 + self.taper * w).max(1e-3)) + beyond
    }
}
