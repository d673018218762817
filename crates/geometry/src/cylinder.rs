//! Cylinders.

use super::error::{ShapeError, check_aspect, check_length};
use super::surface::{ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet};
use crate::math::{Mat3, Vec3, sign};

/// The cylinder x² + y² ≤ r², |z| ≤ l around the z axis. With ρ = √(n₁² + n₂²):
///
/// ```text
/// h(n) = rρ + l|n₃|,    ∇h = (r n₁/ρ, r n₂/ρ, ±l),    ∇²h = (r/ρ) t tᵀ,    t = (−n₂, n₁, 0)/ρ
/// ```
///
/// On the caps (ρ = 0) and on the side (n₃ = 0) the support is a disc or a line, and the support point is its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_length: f64,
}

impl Cylinder {
    /// A cylinder along z with its centre at the origin; radius and half length in metres.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        check_length("cylinder", "radius", radius)?;
        check_length("cylinder", "half_length", half_length)?;
        check_aspect("cylinder", &[radius, half_length])?;
        Ok(Self { radius, half_length })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the length along z in metres.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }
}

/// The support point, on the rim, of the disc with this radius in the xy plane; its middle when `dir` is along z.
pub(crate) fn disc_support(radius: f64, dir: &Vec3) -> Vec3 {
    let rho = libm::hypot(dir.x, dir.y);
    if rho > 0.0 {
        Vec3::new(radius * (dir.x / rho), radius * (dir.y / rho), 0.0)
    } else {
        Vec3::zeros()
    }
}

/// The Hessian (r/ρ) t tᵀ of a disc in the xy plane; flat when the unit vector `dir` is along z.
pub(crate) fn disc_hessian(radius: f64, dir: &Vec3) -> Mat3 {
    let rho = libm::hypot(dir.x, dir.y);
    if rho <= EDGE_TOLERANCE {
        return Mat3::from_diagonal(&(Vec3::new(1.0, 1.0, 0.0) * (radius * FLAT_RADIUS)));
    }
    let t = Vec3::new(-dir.y / rho, dir.x / rho, 0.0);
    (radius * (1.0 / rho).min(FLAT_RADIUS)) * t * t.transpose()
}

impl ConvexSurface for Cylinder {
    fn support(&self, dir: &Vec3) -> Support {
        let mut point = disc_support(self.radius, dir);
        point.z = self.half_length * sign(dir.z);
        let value = self.radius * libm::hypot(dir.x, dir.y) + self.half_length * dir.z.abs();
        Support { value, point }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let mut hessian = disc_hessian(self.radius, dir);
        if dir.z.abs() <= EDGE_TOLERANCE {
            hessian[(2, 2)] += FLAT_RADIUS * self.half_length;
        }
        SupportJet { value, point, hessian }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        let across = libm::hypot(point.x, point.y) / self.radius;
        across.max(point.z.abs() / self.half_length) - 1.0
    }

    fn bounding_radius(&self) -> f64 {
        libm::hypot(self.radius, self.half_length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_smooth_surface, directions};
    use super::*;

    #[test]
    fn is_a_consistent_surface() {
        check_smooth_surface(&Cylinder::new(0.5, 1.2).unwrap());
        check_smooth_surface(&Cylinder::new(2.0, 0.1).unwrap());
    }

    #[test]
    fn support_is_the_highest_point_of_the_rims() {
        let cylinder = Cylinder::new(0.5, 1.2).unwrap();
        for dir in directions(50) {
            let mut highest = f64::NEG_INFINITY;
            for k in 0..20_000 {
                let (s, c) = (k as f64 * std::f64::consts::TAU / 20_000.0).sin_cos();
                for z in [-1.2, 1.2] {
                    highest = highest.max(dir.dot(&Vec3::new(0.5 * c, 0.5 * s, z)));
                }
            }
            assert!((cylinder.support(&dir).value - highest).abs() < 1e-7);
        }
    }

    #[test]
    fn caps_and_side_are_flat() {
        let cylinder = Cylinder::new(0.5, 1.2).unwrap();
        let cap = cylinder.support_jet(&-Vec3::z());
        assert_eq!(cap.point, Vec3::new(0.0, 0.0, -1.2));
        assert_eq!(cap.hessian.diagonal(), FLAT_RADIUS * Vec3::new(0.5, 0.5, 0.0));
        let side = cylinder.support_jet(&Vec3::x());
        assert_eq!(side.hessian.diagonal(), Vec3::new(0.0, 0.5, FLAT_RADIUS * 1.2));
    }
}
