//! Half-spaces: everything on one side of a plane.

use super::error::{LENGTH_RANGE, ShapeError};
use super::surface::{
    BoundingSphere, ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet, tangential,
};
use crate::math::{Mat3, Vec3, unit_or};

/// The half-space {x : n·x ≤ d} with unit outward normal n: the floor is n = z, d = 0.
///
/// It has no bounds, so its support value is infinite except along n, where it is d·|dir|. Queries treat it in closed
/// form: the signed distance of a body B is −d − h_B(−n) in the frame of the half-space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

impl HalfSpace {
    /// The half-space below the plane with this outward normal, `offset` metres from the origin along it. The normal is
    /// scaled to unit length; the offset is not, it is a distance.
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self, ShapeError> {
        let given = Vec3::from(normal);
        // A normal that is unit but for rounding stays as it is: what was written reads back to the same bits.
        let is_unit = (given.norm() - 1.0).abs() <= 4.0 * f64::EPSILON;
        let unit = if is_unit { given } else { unit_or(&given, &Vec3::zeros()) };
        if unit == Vec3::zeros() {
            let reason = format!("normal {normal:?} has no direction");
            return Err(ShapeError::Degenerate { shape: "half_space", reason });
        }
        if offset.is_nan() || offset.abs() > *LENGTH_RANGE.end() {
            return Err(ShapeError::OutOfRange {
                shape: "half_space",
                field: "offset",
                value: offset,
                range: "in [-1e6, 1e6] m",
            });
        }
        Ok(Self { normal: unit, offset })
    }

    /// The unit outward normal.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Signed distance of the bounding plane from the origin along the normal, in metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The point of the bounding plane nearest to the origin.
    pub fn foot(&self) -> Vec3 {
        self.normal * self.offset
    }

    /// Signed distance of `point` from the plane: positive outside.
    pub fn signed_distance(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    fn is_along_normal(&self, dir: &Vec3) -> bool {
        (unit_or(dir, &self.normal) - self.normal).norm() <= EDGE_TOLERANCE
    }
}

impl ConvexSurface for HalfSpace {
    /// The value is infinite unless `dir` is along the normal. The point is the foot in either case: finite, and the
    /// right one where there is one.
    fn support(&self, dir: &Vec3) -> Support {
        let value =
            if self.is_along_normal(dir) { self.offset * dir.norm() } else { f64::INFINITY };
        Support { value, point: self.foot() }
    }

    /// The plane is flat: [`FLAT_RADIUS`] metres along the normal, zero in directions without a support point.
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let hessian = if value.is_finite() { tangential(dir) * FLAT_RADIUS } else { Mat3::zeros() };
        SupportJet { value, point, hessian }
    }

    /// The signed distance in metres.
    fn inside_outside(&self, point: &Vec3) -> f64 {
        self.signed_distance(point)
    }

    /// Infinite.
    fn bounding_radius(&self) -> f64 {
        f64::INFINITY
    }

    /// The foot, with an infinite radius.
    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: self.foot(), radius: f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::directions;
    use super::*;

    #[test]
    fn the_normal_is_scaled_to_unit_length() {
        let floor = HalfSpace::new([0.0, 3.0, 4.0], 2.0).unwrap();
        assert!((floor.normal() - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
        assert!((floor.foot() - Vec3::new(0.0, 1.2, 1.6)).norm() < 1e-15);
        assert!((floor.inside_outside(&Vec3::new(9.0, 0.0, 5.0)) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn support_is_finite_along_the_normal_only_and_never_nan() {
        let floor = HalfSpace::new([0.0, 0.0, 1.0], -0.5).unwrap();
        assert_eq!(floor.support(&Vec3::new(0.0, 0.0, 2.0)).value, -1.0);
        for dir in directions(60) {
            let jet = floor.support_jet(&dir);
            assert_eq!(jet.value, f64::INFINITY);
            assert_eq!(jet.point, floor.foot());
        }
        let aabb = floor.local_aabb();
        assert_eq!((aabb.max.z, aabb.min.z, aabb.max.x), (-0.5, f64::NEG_INFINITY, f64::INFINITY));
        assert!(aabb.center().iter().all(|c| c.is_finite()));
        assert!(aabb.half_extents().iter().all(|c| *c == f64::INFINITY));
        assert_eq!(floor.bounding_sphere().radius, f64::INFINITY);
    }

    #[test]
    fn a_normal_without_direction_is_refused() {
        assert_eq!(
            HalfSpace::new([0.0; 3], 0.0).unwrap_err().to_string(),
            "half_space: normal [0.0, 0.0, 0.0] has no direction"
        );
        assert!(HalfSpace::new([f64::NAN, 0.0, 1.0], 0.0).is_err());
        assert_eq!(
            HalfSpace::new([1.0, 0.0, 0.0], f64::INFINITY).unwrap_err().to_string(),
            "half_space: offset is inf, must be in [-1e6, 1e6] m"
        );
    }
}
