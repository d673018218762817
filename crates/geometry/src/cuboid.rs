//! Boxes. The type is called `Cuboid` because `Box` is taken; the kind is called "box" everywhere else.

use super::error::{ShapeError, check_aspect, check_length};
use super::surface::{ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet};
use crate::math::{Mat3, Vec3, sign};

/// The box |x| ≤ e₁, |y| ≤ e₂, |z| ≤ e₃:
///
/// ```text
/// h(n) = e₁|n₁| + e₂|n₂| + e₃|n₃|,    ∇h = (±e₁, ±e₂, ±e₃) with the signs of n
/// ```
///
/// Where a component of n is zero the support is an edge or a face, and the support point is its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    half_extents: Vec3,
}

impl Cuboid {
    /// A box around the origin with half edge lengths in metres.
    pub fn new(half_extents: [f64; 3]) -> Result<Self, ShapeError> {
        check_length("box", "half_extents[0]", half_extents[0])?;
        check_length("box", "half_extents[1]", half_extents[1])?;
        check_length("box", "half_extents[2]", half_extents[2])?;
        check_aspect("box", &half_extents)?;
        Ok(Self { half_extents: Vec3::from(half_extents) })
    }

    /// Half the edge lengths along x, y and z.
    pub fn half_extents(&self) -> [f64; 3] {
        self.half_extents.into()
    }
}

impl ConvexSurface for Cuboid {
    fn support(&self, dir: &Vec3) -> Support {
        Support {
            value: self.half_extents.dot(&dir.abs()),
            point: self.half_extents.component_mul(&dir.map(sign)),
        }
    }

    /// Flat along every axis whose component of n is zero, a vertex otherwise.
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Support { value, point } = self.support(dir);
        let flat = dir.zip_map(&self.half_extents, |component, extent| {
            if component.abs() <= EDGE_TOLERANCE { FLAT_RADIUS * extent } else { 0.0 }
        });
        SupportJet { value, point, hessian: Mat3::from_diagonal(&flat) }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        point.component_div(&self.half_extents).amax() - 1.0
    }

    fn bounding_radius(&self) -> f64 {
        self.half_extents.norm()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_surface, directions};
    use super::*;

    #[test]
    fn is_a_consistent_surface() {
        check_surface(&Cuboid::new([0.5, 1.0, 1.5]).unwrap());
    }

    #[test]
    fn support_is_the_highest_corner() {
        let cuboid = Cuboid::new([0.5, 1.0, 1.5]).unwrap();
        for dir in directions(100) {
            let highest = (0..8)
                .map(|k| {
                    let signs = [k & 1, (k >> 1) & 1, (k >> 2) & 1].map(|b| 2.0 * b as f64 - 1.0);
                    Vec3::new(0.5 * signs[0], signs[1], 1.5 * signs[2]).dot(&dir)
                })
                .fold(f64::NEG_INFINITY, f64::max);
            assert!((cuboid.support(&dir).value - highest).abs() < 1e-15);
        }
    }

    #[test]
    fn faces_and_edges_are_flat_and_corners_are_not() {
        let cuboid = Cuboid::new([0.5, 1.0, 1.5]).unwrap();
        let face = cuboid.support_jet(&Vec3::z());
        assert_eq!(face.point, Vec3::new(0.0, 0.0, 1.5));
        assert_eq!(face.hessian.diagonal(), FLAT_RADIUS * Vec3::new(0.5, 1.0, 0.0));
        let edge = cuboid.support_jet(&Vec3::new(0.6, 0.0, -0.8));
        assert_eq!(edge.hessian.diagonal(), FLAT_RADIUS * Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(cuboid.support_jet(&Vec3::new(0.6, 0.48, 0.64)).hessian, Mat3::zeros());
    }

    #[test]
    fn a_bad_extent_is_refused_by_name() {
        let error = Cuboid::new([1.0, 0.0, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "box: half_extents[1] is 0, must be in [1e-9, 1e6] m");
    }
}
