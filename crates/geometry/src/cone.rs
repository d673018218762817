//! Cones.

use super::cylinder::{disc_hessian, disc_support};
use super::error::{ShapeError, check_aspect, check_length};
use super::surface::{ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet};
use crate::math::{Mat3, Vec3};

/// The circular cone with apex (0, 0, l) and base disc of radius r at z = −l; the origin is at mid-height, as in ROS
/// and FCL. The hull of a point and a disc, so with ρ = √(n₁² + n₂²)
///
/// ```text
/// h(n) = max( l n₃,  rρ − l n₃ )
/// ```
///
/// the first value at the apex, the second on the rim of the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    radius: f64,
    half_length: f64,
}

impl Cone {
    /// A cone along z with its base radius and half its height in metres.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        check_length("cone", "radius", radius)?;
        check_length("cone", "half_length", half_length)?;
        check_aspect("cone", &[radius, half_length])?;
        Ok(Self { radius, half_length })
    }

    /// Radius of the base in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the height in metres.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Length of the line from the apex to the rim.
    fn slant(&self) -> f64 {
        libm::hypot(self.radius, 2.0 * self.half_length)
    }

    /// How much higher along `dir` the rim is than the apex: rρ − 2l n₃.
    fn rim_above_apex(&self, dir: &Vec3) -> f64 {
        self.radius * libm::hypot(dir.x, dir.y) - 2.0 * self.half_length * dir.z
    }
}

impl ConvexSurface for Cone {
    fn support(&self, dir: &Vec3) -> Support {
        if self.rim_above_apex(dir) < 0.0 {
            let point = Vec3::new(0.0, 0.0, self.half_length);
            return Support { value: self.half_length * dir.z, point };
        }
        let mut point = disc_support(self.radius, dir);
        point.z = -self.half_length;
        Support { value: self.radius * libm::hypot(dir.x, dir.y) - self.half_length * dir.z, point }
    }

    /// Zero at the apex, that of the disc on the rim, and flat along the slant line where the two are equally high.
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let slant = self.slant();
        let above = self.rim_above_apex(dir);
        if above < -EDGE_TOLERANCE * slant {
            return SupportJet { value, point, hessian: Mat3::zeros() };
        }
        let mut hessian = disc_hessian(self.radius, dir);
        if above <= EDGE_TOLERANCE * slant {
            let mut line = disc_support(self.radius, dir);
            line.z = -2.0 * self.half_length;
            hessian += line * line.transpose() * (FLAT_RADIUS / slant);
        }
        SupportJet { value, point, hessian }
    }

    /// The larger of the distances to the base plane and to the tangent plane of the side, over the slant length.
    fn inside_outside(&self, point: &Vec3) -> f64 {
        let slant = self.slant();
        let below_base = -self.half_length - point.z;
        let outside_slant = (2.0 * self.half_length * libm::hypot(point.x, point.y)
            + self.radius * (point.z - self.half_length))
            / slant;
        below_base.max(outside_slant) / slant
    }

    fn bounding_radius(&self) -> f64 {
        libm::hypot(self.radius, self.half_length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_smooth_surface;
    use super::*;

    #[test]
    fn is_a_consistent_surface() {
        check_smooth_surface(&Cone::new(0.6, 1.0).unwrap());
        check_smooth_surface(&Cone::new(2.0, 0.3).unwrap());
    }

    #[test]
    fn apex_base_and_slant_are_where_they_should_be() {
        let cone = Cone::new(0.6, 0.4).unwrap();
        assert_eq!(cone.support(&Vec3::z()).point, Vec3::new(0.0, 0.0, 0.4));
        assert_eq!(cone.support(&-Vec3::z()).point, Vec3::new(0.0, 0.0, -0.4));
        assert_eq!(cone.support(&Vec3::x()).point, Vec3::new(0.6, 0.0, -0.4));
        // The normal of the side is (2l, r)/slant = (0.8, 0.6).
        let side = cone.support_jet(&Vec3::new(0.8, 0.0, 0.6));
        let along = Vec3::new(0.6, 0.0, -0.8);
        assert!((side.hessian * along - along * FLAT_RADIUS).norm() < 1e-3);
        assert!(cone.inside_outside(&Vec3::new(0.3, 0.0, 0.0)).abs() < 1e-15);
        assert!(cone.inside_outside(&Vec3::zeros()) < 0.0);
    }
}
