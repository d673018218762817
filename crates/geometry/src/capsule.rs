//! Capsules: cylinders with hemispherical ends.

use super::error::{ShapeError, check_length};
use super::surface::{ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet, tangential};
use crate::math::{Vec3, sign};

/// All points within r of the segment from −l to l on the z axis:
///
/// ```text
/// h(n) = r|n| + l|n₃|,    ∇h = r n/|n| + (0, 0, ±l),    ∇²h = r(I − n nᵀ)
/// ```
///
/// On the side (n₃ = 0) the support is a line, and the support point is its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_length: f64,
}

impl Capsule {
    /// A capsule along z around the origin. `half_length` is half the length of the axis segment, caps not included;
    /// the body reaches from −(half_length + radius) to half_length + radius. Metres.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        check_length("capsule", "radius", radius)?;
        check_length("capsule", "half_length", half_length)?;
        Ok(Self { radius, half_length })
    }

    /// The radius in metres.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the length of the axis segment, caps not included, in metres.
    #[inline]
    pub fn half_length(&self) -> f64 {
        self.half_length
    }
}

impl ConvexSurface for Capsule {
    fn support(&self, dir: &Vec3) -> Support {
        let length = dir.norm();
        let mut point = dir * (self.radius / length);
        point.z += self.half_length * sign(dir.z);
        Support { value: self.radius * length + self.half_length * dir.z.abs(), point }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let mut hessian = tangential(dir) * self.radius;
        if dir.z.abs() <= EDGE_TOLERANCE {
            hessian[(2, 2)] += FLAT_RADIUS * self.half_length;
        }
        SupportJet { value, point, hessian }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        let beyond = (point.z.abs() - self.half_length).max(0.0);
        Vec3::new(point.x, point.y, beyond).norm() / self.radius - 1.0
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.radius
    }

    fn bounding_radius(&self) -> f64 {
        self.radius + self.half_length
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_smooth_surface, smallest_sampled_radius};
    use super::*;

    #[test]
    fn is_a_consistent_surface() {
        check_smooth_surface(&Capsule::new(0.3, 1.1).unwrap());
    }

    #[test]
    fn its_smallest_radius_of_curvature_is_its_radius() {
        let capsule = Capsule::new(0.3, 1.1).unwrap();
        // The eigenvalue next to that of the flat side has lost half its digits.
        assert!((smallest_sampled_radius(&capsule) - 0.3).abs() < 1e-6);
    }

    #[test]
    fn the_side_is_a_line() {
        let jet = Capsule::new(0.3, 1.1).unwrap().support_jet(&Vec3::y());
        assert_eq!(jet.point, Vec3::new(0.0, 0.3, 0.0));
        assert!(jet.hessian[(2, 2)] > 1e8 && jet.hessian[(0, 0)] == 0.3);
    }
}
