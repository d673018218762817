//! Ellipsoids.

use super::error::{ShapeError, check_radii};
use super::surface::{ConvexSurface, Support, SupportJet};
use crate::math::{Mat3, Vec3};

/// The ellipsoid (x/a₁)² + (y/a₂)² + (z/a₃)² = 1. With D = diag(a₁, a₂, a₃):
///
/// ```text
/// h(n) = |D n|,    ∇h = D² n / h,    ∇²h = (D² − ∇h ∇hᵀ) / h
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    radii: Vec3,
}

impl Ellipsoid {
    /// An ellipsoid with semi-axes in metres.
    pub fn new(radii: [f64; 3]) -> Result<Self, ShapeError> {
        Ok(Self { radii: Vec3::from(check_radii("ellipsoid", radii)?) })
    }

    /// The semi-axes along x, y and z.
    #[inline]
    pub fn radii(&self) -> [f64; 3] {
        self.radii.into()
    }
}

impl ConvexSurface for Ellipsoid {
    fn support(&self, dir: &Vec3) -> Support {
        let scaled = self.radii.component_mul(dir);
        let value = scaled.norm();
        Support { value, point: self.radii.component_mul(&scaled) / value }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let squares = Mat3::from_diagonal(&self.radii.component_mul(&self.radii));
        SupportJet { value, point, hessian: (squares - point * point.transpose()) / value }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        point.component_div(&self.radii).norm() - 1.0
    }

    /// The smallest radius of curvature of an ellipsoid is at the end of its longest axis: min²/max.
    fn min_radius_of_curvature(&self) -> f64 {
        self.radii.min() * (self.radii.min() / self.radii.max())
    }

    fn bounding_radius(&self) -> f64 {
        self.radii.max()
    }
}
