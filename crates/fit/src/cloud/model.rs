//! A superovoid with a pose as twelve numbers, and how far points are from it.
//!
//! In the frame of the surface, with radii a, exponents ε_xy and ε_z and taper T ([Jaklič 2000] ch. 2; here as nested norms):
//!
//! ```text
//! w = z/a_z,  s = 1 + T·w,  u = x/(a_x·s),  v = y/(a_y·s)
//! m = ‖(u, v)‖ with power 2/ε_xy,   G = ‖(m, w)‖ with power 2/ε_z,   surface: G = 1
//! r = (G − 1)/|∇G|
//! ```
//!
//! Without taper G grows in proportion along rays from the centre, so r is the signed distance from the tangent plane at
//! the point where the ray through the point meets the surface: exact to first order near the surface, and never more than
//! the distance outside.

use nalgebra::{SVector, UnitQuaternion};
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_geometry::{Shape, ShapeError};

/// The twelve numbers of a small change: rotation vector and shift in the frame of the surface, logarithms of the radii,
/// exponents xy and z, taper.
pub(super) type Step = SVector<f64, 12>;
/// Places in a [`Step`].
pub(super) const RADII: usize = 6;
pub(super) const EXPONENT_XY: usize = 9;
pub(super) const EXPONENT_Z: usize = 10;
pub(super) const TAPER: usize = 11;

/// Exponents that are searched: below, a box or cylinder to a hundredth of its size; above, pointed.
pub(super) const EXPONENTS: [f64; 2] = [0.1, 1.9];
/// Largest taper.
pub(super) const MAX_TAPER: f64 = 0.8;
/// Smallest factor of the taper, for points beyond the tip.
const MIN_SECTION: f64 = 0.05;

/// A superovoid with its pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Model {
    pub center: Vec3,
    pub rotation: UnitQuaternion<f64>,
    pub radii: Vec3,
    pub exponent_xy: f64,
    pub exponent_z: f64,
    pub taper: f64,
}

/// ‖(a, b)‖ with power 2/ε for a, b ≥ 0, its derivatives by a and b, and that of its logarithm by ε.
pub(super) fn norm(a: f64, b: f64, exponent: f64) -> (f64, f64, f64, f64) {
    let (high, low) = if a >= b { (a, b) } else { (b, a) };
    if high <= 0.0 {
        return (0.0, 0.0, 0.0, 0.0);
    }
    let power = 2.0 / exponent;
    let log_ratio = libm::log((low / high).max(1e-300));
    // S = 1 + t is the sum of the powers, relative to that of the larger one.
    let t = libm::exp(power * log_ratio);
    let log_sum = libm::log1p(t);
    let value = high * libm::exp(log_sum / power);
    let by_high = value / (high * (1.0 + t));
    let by_low = if low > 0.0 { value * t / (low * (1.0 + t)) } else { 0.0 };
    let by_exponent = 0.5 * (log_sum - power * t * log_ratio / (1.0 + t));
    let (by_a, by_b) = if a >= b { (by_high, by_low) } else { (by_low, by_high) };
    (value, by_a, by_b, by_exponent)
}

impl Model {
    /// r and its derivative, in which |∇G| is taken to be constant.
    pub fn residual(&self, point: &Vec3) -> (f64, Step) {
        let q = self.rotation.inverse_transform_vector(&(point - self.center));
        let [ax, ay, az] = self.radii.into();
        let w = q.z / az;
        let s = (1.0 + self.taper * w).max(MIN_SECTION);
        let (u, v) = (q.x / (ax * s), q.y / (ay * s));
        let (m, m_u, m_v, m_e) = norm(u.abs(), v.abs(), self.exponent_xy);
        let (g, g_m, g_w, g_e) = norm(m, w.abs(), self.exponent_z);
        let g_u = g_m * m_u * signum(u);
        let g_v = g_m * m_v * signum(v);
        let g_w = g_w * signum(w);
        // By the factor s, times s.
        let by_section = -(g_u * u + g_v * v);
        let gradient =
            Vec3::new(g_u / (ax * s), g_v / (ay * s), (g_w + by_section * self.taper / s) / az);
        let slope = gradient.norm();
        if slope <= 0.0 {
            // The centre itself: as deep as the surface is thick, whatever changes.
            return (-self.radii.min(), Step::zeros());
        }
        let turn = gradient.cross(&q);
        let by = Step::from([
            turn.x,
            turn.y,
            turn.z,
            -gradient.x,
            -gradient.y,
            -gradient.z,
            -g_u * u,
            -g_v * v,
            -g_w * w - by_section * self.taper * w / s,
            g_m * m * m_e,
            g * g_e,
            by_section * w / s,
        ]);
        ((g - 1.0) / slope, by / slope)
    }

    /// The model after a step, within the bounds: radii within a share of `size`.
    pub fn moved(&self, step: &Step, size: f64) -> Self {
        let part = |first: usize| Vec3::new(step[first], step[first + 1], step[first + 2]);
        let [low, high] = EXPONENTS;
        let log = |k: usize| step[RADII + k].clamp(-1.0, 1.0);
        let radius = |k: usize| (self.radii[k] * libm::exp(log(k))).clamp(0.01 * size, 4.0 * size);
        Self {
            center: self.center + self.rotation * part(3),
            rotation: self.rotation * rotation_from_vector(&part(0)),
            radii: Vec3::new(radius(0), radius(1), radius(2)),
            exponent_xy: (self.exponent_xy + step[EXPONENT_XY]).clamp(low, high),
            exponent_z: (self.exponent_z + step[EXPONENT_Z]).clamp(low, high),
            taper: (self.taper + step[TAPER]).clamp(-MAX_TAPER, MAX_TAPER),
        }
    }

    /// The same surface or a similar one with axis k (0: x, 1: y) of the old frame as z.
    pub fn with_axis_as_z(&self, axis: usize) -> Self {
        let r = self.rotation.to_rotation_matrix();
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let columns = [r.matrix().column(x), r.matrix().column(y), r.matrix().column(axis)];
        let turned = nalgebra::Matrix3::from_columns(&columns);
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(turned);
        Self {
            rotation: UnitQuaternion::from_rotation_matrix(&rotation),
            radii: Vec3::new(self.radii[x], self.radii[y], self.radii[axis]),
            exponent_xy: self.exponent_z,
            exponent_z: self.exponent_xy,
            taper: 0.0,
            ..*self
        }
    }

    /// Turned by 45° about z, with the exponent of the cross-section mirrored at 1: a square with half side a seen as a
    /// rhombus with half diagonal √2·a, and the other way round ([Liu 2022] call this duality).
    pub fn dual(&self) -> Self {
        let quarter = rotation_from_vector(&(Vec3::z() * std::f64::consts::FRAC_PI_4));
        // Distance of the surface along the diagonal of the cross-section, for equal radii: 2^((1 − ε)/2).
        let diagonal = libm::exp2(0.5 * (1.0 - self.exponent_xy));
        let mean = libm::sqrt(self.radii.x * self.radii.y) * diagonal;
        let [low, high] = EXPONENTS;
        Self {
            rotation: self.rotation * quarter,
            radii: Vec3::new(mean, mean, self.radii.z),
            exponent_xy: (2.0 - self.exponent_xy).clamp(low, high),
            ..*self
        }
    }

    /// Its pose.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.center.into(), self.rotation)
    }

    /// The shape of the simplest kind that it is.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        let radii: [f64; 3] = self.radii.into();
        let is_ellipsoid = self.exponent_xy == 1.0 && self.exponent_z == 1.0 && self.taper == 0.0;
        match self.taper == 0.0 {
            _ if is_ellipsoid && radii[0] == radii[1] && radii[1] == radii[2] => {
                Shape::sphere(radii[0])
            }
            _ if is_ellipsoid => Shape::ellipsoid(radii),
            true => Shape::superellipsoid(radii, self.exponent_xy, self.exponent_z),
            false => {
                let taper = [self.taper; 2];
                Shape::superovoid(radii, self.exponent_xy, self.exponent_z, taper)?.strict()
            }
        }
    }
}

fn signum(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use smooth_scene_geometry::ConvexSurface;

    fn model(random: &mut Random) -> Model {
        let mut between = |low: f64, high: f64| low + (high - low) * random.uniform();
        Model {
            center: Vec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)),
            rotation: rotation_from_vector(&Vec3::new(between(-1.5, 1.5), between(-1.5, 1.5), 0.7)),
            radii: Vec3::new(between(0.5, 2.0), between(0.5, 2.0), between(0.5, 2.0)),
            exponent_xy: between(0.2, 1.8),
            exponent_z: between(0.2, 1.8),
            taper: between(-0.5, 0.5),
        }
    }

    #[test]
    fn residual_vanishes_on_the_surface() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let model = Model { taper: 0.0, ..model(&mut random) };
            let shape = model.shape().unwrap();
            let [x, y] = random.normal_pair();
            let direction = Vec3::new(x, y, random.normal_pair()[0]).normalize();
            let point = model.pose() * nalgebra::Point3::from(shape.support(&direction).point);
            let (r, _) = model.residual(&point.coords);
            assert!(r.abs() < 1e-9, "{model:?} {r}");
        }
    }

    /// On the surface the slope does not matter, so the derivative must be that of differences.
    #[test]
    fn derivative_is_that_of_differences_on_the_surface() {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let model = model(&mut random);
            let direction = Vec3::new(1.0, 0.7, -0.4) + Vec3::repeat(random.uniform());
            // Along a ray to the surface, by bisection on the sign.
            let (mut low, mut high) = (0.0, 20.0);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                let (r, _) = model.residual(&(model.center + direction * middle));
                if r < 0.0 { low = middle } else { high = middle }
            }
            let point = model.center + direction * low;
            let (_, by) = model.residual(&point);
            let h = 1e-6;
            for k in 0..12 {
                let mut step = Step::zeros();
                step[k] = h;
                let ahead = model.moved(&step, 1.0).residual(&point).0;
                let behind = model.moved(&-step, 1.0).residual(&point).0;
                let difference = (ahead - behind) / (2.0 * h);
                // Curvature of exponents near 0.2 makes the differences the less exact ones.
                assert!(
                    (difference - by[k]).abs() < 1e-4 * (1.0 + by[k].abs()),
                    "{k}: {difference} {}",
                    by[k]
                );
            }
        }
    }

    #[test]
    fn renamed_axes_of_an_ellipsoid_give_the_same_surface() {
        let mut random = Random::new(7);
        let model = Model { exponent_xy: 1.0, exponent_z: 1.0, taper: 0.0, ..model(&mut random) };
        let point = Vec3::new(0.3, -0.8, 2.0);
        for axis in 0..2 {
            let other = model.with_axis_as_z(axis).residual(&point).0;
            assert!((other - model.residual(&point).0).abs() < 1e-12);
        }
    }
}
