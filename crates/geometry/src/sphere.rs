//! Spheres.

use super::error::{ShapeError, check_length};
use super::surface::{ConvexSurface, Support, SupportJet, tangential};
use crate::math::Vec3;

/// A ball around the origin: h(n) = r·|n|.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere with the given radius in metres.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: check_length("sphere", "radius", radius)? })
    }

    /// The radius in metres.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl ConvexSurface for Sphere {
    fn support(&self, dir: &Vec3) -> Support {
        let length = dir.norm();
        Support { value: self.radius * length, point: dir * (self.radius / length) }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        SupportJet {
            value: self.radius,
            point: dir * self.radius,
            hessian: tangential(dir) * self.radius,
        }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        point.norm() / self.radius - 1.0
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.radius
    }

    fn bounding_radius(&self) -> f64 {
        self.radius
    }
}
