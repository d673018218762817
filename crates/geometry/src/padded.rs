//! Padding: every point within a given distance of a shape.

use std::sync::Arc;

use super::capsule::Capsule;
use super::error::{LENGTH_RANGE, ShapeError};
use super::half_space::HalfSpace;
use super::point_distance::distance_to_point;
use super::shape::{Compound, Padded, Shape};
use super::sphere::Sphere;
use super::surface::{BoundingSphere, ConvexSurface, Support, SupportJet, tangential};
use crate::math::{Pose, Vec3};

impl Padded {
    /// The shape without its padding.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How far the surface was moved outwards, in metres.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Shape {
    /// The shape grown by `radius` metres on all sides, as the simplest shape that is exactly that: spheres and capsules
    /// get a larger radius, half-spaces a larger offset, padded shapes more padding, compounds padded parts.
    pub fn padded(&self, radius: f64) -> Result<Shape, ShapeError> {
        // Written so that NaN is refused too.
        if !(radius >= 0.0 && radius <= *LENGTH_RANGE.end()) {
            let (field, range) = ("radius", "in [0, 1e6] m");
            return Err(ShapeError::OutOfRange { shape: "padded", field, value: radius, range });
        }
        if radius == 0.0 {
            return Ok(self.clone());
        }
        Ok(match self {
            Shape::Sphere(s) => Sphere::new(s.radius() + radius)?.into(),
            Shape::Capsule(s) => Capsule::new(s.radius() + radius, s.half_length())?.into(),
            Shape::HalfSpace(s) => HalfSpace::new(s.normal().into(), s.offset() + radius)?.into(),
            Shape::Padded(s) => s.shape.padded(s.radius + radius)?,
            Shape::Compound(s) => {
                let padded = |(pose, shape): &(Pose, Shape)| Ok((*pose, shape.padded(radius)?));
                let parts: Result<Vec<_>, ShapeError> = s.parts().iter().map(padded).collect();
                Compound::new(parts?)?.into()
            }
            shape => Shape::Padded(Arc::new(Padded { shape: shape.clone(), radius })),
        })
    }
}

impl ConvexSurface for Padded {
    fn support(&self, dir: &Vec3) -> Support {
        let Support { value, point } = self.shape.support(dir);
        let length = dir.norm();
        Support { value: value + self.radius * length, point: point + dir * (self.radius / length) }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let SupportJet { value, point, hessian } = self.shape.support_jet(dir);
        SupportJet {
            value: value + self.radius,
            point: point + dir * self.radius,
            hessian: hessian + tangential(dir) * self.radius,
        }
    }

    /// Over the size of the body: outside the unpadded shape its distance from it minus r, inside it −r plus the value
    /// of the unpadded shape, which continues the first without a jump.
    fn inside_outside(&self, point: &Vec3) -> f64 {
        let core = self.shape.inside_outside(point);
        let size = self.bounding_radius();
        if core <= 0.0 {
            return core - self.radius / size;
        }
        (distance_to_point(&self.shape, point) - self.radius) / size
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.shape.min_radius_of_curvature() + self.radius
    }

    fn bounding_radius(&self) -> f64 {
        self.shape.bounding_radius() + self.radius
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        let BoundingSphere { center, radius } = self.shape.bounding_sphere();
        BoundingSphere { center, radius: radius + self.radius }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_smooth_surface, check_surface, smallest_sampled_radius};
    use super::*;

    #[test]
    fn is_a_consistent_surface() {
        let round = Shape::superellipsoid([0.5, 0.7, 1.0], 0.8, 1.2).unwrap();
        check_smooth_surface(&round.padded(0.2).unwrap());
        check_surface(&Shape::cuboid([0.5, 0.7, 1.0]).unwrap().padded(0.1).unwrap());
        check_smooth_surface(&Shape::cylinder(0.5, 0.7).unwrap().padded(1e-3).unwrap());
    }

    #[test]
    fn a_padded_ellipsoid_has_larger_radii_of_curvature() {
        let padded = Shape::ellipsoid([0.5, 0.7, 1.0]).unwrap().padded(0.3).unwrap();
        assert_eq!(padded.min_radius_of_curvature(), 0.25 + 0.3);
        let sampled = smallest_sampled_radius(&padded);
        assert!((0.55 - 1e-12..0.56).contains(&sampled));
    }

    #[test]
    fn the_simplest_equivalent_shape_is_used() {
        let ball = Shape::sphere(1.0).unwrap();
        assert_eq!(ball.padded(0.5).unwrap(), Shape::sphere(1.5).unwrap());
        assert_eq!(ball.padded(0.0).unwrap(), ball);
        let capsule = Shape::capsule(1.0, 2.0).unwrap();
        assert_eq!(capsule.padded(0.5).unwrap(), Shape::capsule(1.5, 2.0).unwrap());
        let floor = Shape::half_space([0.0, 0.0, 1.0], 1.0).unwrap();
        assert_eq!(floor.padded(0.5).unwrap(), Shape::half_space([0.0, 0.0, 1.0], 1.5).unwrap());
        let cuboid = Shape::cuboid([1.0; 3]).unwrap();
        let twice = cuboid.padded(0.25).unwrap().padded(0.5).unwrap();
        assert_eq!(twice, cuboid.padded(0.75).unwrap());
        let pair = Shape::compound(vec![(Pose::translation(1.0, 0.0, 0.0), ball)]).unwrap();
        let Shape::Compound(padded) = pair.padded(0.5).unwrap() else { panic!() };
        assert_eq!(padded.parts()[0].1, Shape::sphere(1.5).unwrap());
    }

    #[test]
    fn negative_padding_is_refused() {
        let error = Shape::cuboid([1.0; 3]).unwrap().padded(-0.1).unwrap_err();
        assert_eq!(error.to_string(), "padded: radius is -0.1, must be in [0, 1e6] m");
        assert!(Shape::sphere(1.0).unwrap().padded(f64::NAN).is_err());
    }
}
