//! Poly-ellipsoids: eight ellipsoid octants glued along the coordinate planes.

use super::error::{ShapeError, check_aspect, check_length};
use super::surface::{ConvexSurface, Support, SupportJet};
use crate::math::{Mat3, Vec3};

/// A poly-ellipsoid [Ruan 2022]: in each octant the ellipsoid whose semi-axes are the radii on that side,
///
/// ```text
/// (x/a(x))² + (y/b(y))² + (z/c(z))² = 1,    a(x) = a₊ for x ≥ 0, a₋ for x < 0, and so on
/// h(n) = |D n|,    ∇h = D² n / h,    D = diag(a(n₁), b(n₂), c(n₃))
/// ```
///
/// Neighbouring octants share an ellipse in the plane between them and have the same normals there, so the surface is
/// smooth (its curvature may jump) and convex. The support point has the signs of n, which is why the octant of n is
/// the octant to evaluate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolyEllipsoid {
    radii: [f64; 6],
}

const FIELDS: [&str; 6] = ["radii[0]", "radii[1]", "radii[2]", "radii[3]", "radii[4]", "radii[5]"];

impl PolyEllipsoid {
    /// A poly-ellipsoid with semi-axes in metres along +x, −x, +y, −y, +z, −z.
    pub fn new(radii: [f64; 6]) -> Result<Self, ShapeError> {
        for (field, value) in FIELDS.into_iter().zip(radii) {
            check_length("poly_ellipsoid", field, value)?;
        }
        check_aspect("poly_ellipsoid", &radii)?;
        Ok(Self { radii })
    }

    /// The semi-axes along +x, −x, +y, −y, +z, −z.
    pub fn radii(&self) -> [f64; 6] {
        self.radii
    }

    /// The semi-axes of the octant that `v` points into.
    fn octant(&self, v: &Vec3) -> Vec3 {
        let side = |axis: usize| self.radii[2 * axis + usize::from(v[axis] < 0.0)];
        Vec3::new(side(0), side(1), side(2))
    }
}

impl ConvexSurface for PolyEllipsoid {
    fn support(&self, dir: &Vec3) -> Support {
        let radii = self.octant(dir);
        let scaled = radii.component_mul(dir);
        let value = scaled.norm();
        Support { value, point: radii.component_mul(&scaled) / value }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let radii = self.octant(dir);
        let squares = Mat3::from_diagonal(&radii.component_mul(&radii));
        SupportJet { value, point, hessian: (squares - point * point.transpose()) / value }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        point.component_div(&self.octant(point)).norm() - 1.0
    }

    /// The smallest over the octants of the ellipsoid's min²/max, which is reached at an axis end of that octant.
    fn min_radius_of_curvature(&self) -> f64 {
        let mut smallest = f64::INFINITY;
        for x in [1.0, -1.0] {
            for y in [1.0, -1.0] {
                for z in [1.0, -1.0] {
                    let radii = self.octant(&Vec3::new(x, y, z));
                    smallest = smallest.min(radii.min() * (radii.min() / radii.max()));
                }
            }
        }
        smallest
    }

    fn bounding_radius(&self) -> f64 {
        self.radii.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ellipsoid::Ellipsoid;
    use super::super::testing::{check_smooth_surface, directions, smallest_sampled_radius};
    use super::*;

    #[test]
    fn is_a_consistent_smooth_surface() {
        check_smooth_surface(&PolyEllipsoid::new([0.4, 1.0, 0.7, 0.5, 2.0, 0.9]).unwrap());
    }

    #[test]
    fn equal_sides_make_an_ellipsoid() {
        let poly = PolyEllipsoid::new([0.4, 0.4, 0.7, 0.7, 2.0, 2.0]).unwrap();
        let ellipsoid = Ellipsoid::new([0.4, 0.7, 2.0]).unwrap();
        for dir in directions(50) {
            assert_eq!(poly.support_jet(&dir), ellipsoid.support_jet(&dir));
        }
        assert_eq!(poly.min_radius_of_curvature(), ellipsoid.min_radius_of_curvature());
    }

    #[test]
    fn the_bound_on_the_radius_of_curvature_is_tight() {
        let poly = PolyEllipsoid::new([0.4, 1.0, 0.7, 0.5, 2.0, 0.9]).unwrap();
        let (bound, sampled) = (poly.min_radius_of_curvature(), smallest_sampled_radius(&poly));
        assert!(bound <= sampled && sampled < 1.05 * bound, "{bound} {sampled}");
    }

    #[test]
    fn a_bad_radius_is_refused_by_name() {
        let error = PolyEllipsoid::new([1.0, 1.0, 1.0, -2.0, 1.0, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "poly_ellipsoid: radii[3] is -2, must be in [1e-9, 1e6] m");
    }
}
