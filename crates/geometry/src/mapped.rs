//! Linear maps of shapes: scaling and shear.

use std::sync::Arc;

use super::capsule::Capsule;
use super::cone::Cone;
use super::convex_mesh::ConvexMesh;
use super::cuboid::Cuboid;
use super::cylinder::Cylinder;
use super::ellipsoid::Ellipsoid;
use super::error::{LENGTH_RANGE, ShapeError};
use super::half_space::HalfSpace;
use super::poly_ellipsoid::PolyEllipsoid;
use super::shape::{Compound, Mapped, Shape};
use super::sphere::Sphere;
use super::superellipsoid::Superellipsoid;
use super::superovoid::Superovoid;
use super::surface::{ConvexSurface, Support, SupportJet};
use crate::math::{Mat3, Pose, Vec3};

/// Largest ratio of the strongest to the weakest stretch of a map. Beyond it the result has too few digits left.
const MAX_CONDITION: f64 = 1e6;

impl Mapped {
    fn new(shape: &Shape, matrix: &Mat3) -> Result<Self, ShapeError> {
        let stretch = check_matrix(matrix)?;
        let Some(inverse) = matrix.try_inverse() else {
            return Err(out_of_range(
                "condition number of the matrix",
                f64::INFINITY,
                "at most 1e6",
            ));
        };
        let mapped = Self { shape: shape.clone(), matrix: *matrix, inverse, stretch };
        let reach = mapped.local_aabb().half_extents().amax();
        if reach > *LENGTH_RANGE.end() {
            return Err(out_of_range("half extent", reach, "at most 1e6 m"));
        }
        Ok(mapped)
    }

    /// The shape before the map.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The map M.
    pub fn matrix(&self) -> &Mat3 {
        &self.matrix
    }
}

fn out_of_range(field: &'static str, value: f64, range: &'static str) -> ShapeError {
    ShapeError::OutOfRange { shape: "mapped", field, value, range }
}

/// The largest and the smallest singular value of a map that is finite and well-conditioned.
fn check_matrix(matrix: &Mat3) -> Result<[f64; 2], ShapeError> {
    for &entry in matrix.iter() {
        if entry.is_nan() || entry.abs() > *LENGTH_RANGE.end() {
            return Err(out_of_range("an entry of the matrix", entry, "in [-1e6, 1e6]"));
        }
    }
    let singular = Vec3::from(singular_values(matrix));
    let (largest, smallest) = (singular.max(), singular.min());
    let condition = if smallest > 0.0 { largest / smallest } else { f64::INFINITY };
    if condition > MAX_CONDITION {
        return Err(out_of_range("condition number of the matrix", condition, "at most 1e6"));
    }
    if smallest < *LENGTH_RANGE.start() {
        return Err(out_of_range("smallest singular value", smallest, "at least 1e-9"));
    }
    Ok([largest, smallest])
}

/// The singular values by the one-sided Jacobi method (Golub and Van Loan, *Matrix Computations*, §8.6.3): pairs of columns are
/// turned until all are orthogonal; their lengths are the singular values. Converges quadratically, in fewer than ten sweeps.
fn singular_values(matrix: &Mat3) -> [f64; 3] {
    const MAX_SWEEPS: usize = 30;
    let mut columns: [Vec3; 3] = std::array::from_fn(|k| matrix.column(k).into_owned());
    for _ in 0..MAX_SWEEPS {
        let mut is_done = true;
        for (i, k) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[i], columns[k]);
            let product = a.dot(&b);
            if product.abs() <= f64::EPSILON * (a.norm() * b.norm()) {
                continue;
            }
            is_done = false;
            let cot = (b.norm_squared() - a.norm_squared()) / (2.0 * product);
            let tan = 1f64.copysign(cot) / (cot.abs() + (1.0 + cot * cot).sqrt());
            let cos = 1.0 / (1.0 + tan * tan).sqrt();
            let sin = cos * tan;
            (columns[i], columns[k]) = (a * cos - b * sin, a * sin + b * cos);
        }
        if is_done {
            break;
        }
    }
    columns.map(|column| column.norm())
}

/// The scale along each axis, if the matrix is diagonal and positive.
fn diagonal_scale(matrix: &Mat3) -> Option<Vec3> {
    let scale = matrix.diagonal();
    (scale.min() > 0.0 && *matrix == Mat3::from_diagonal(&scale)).then_some(scale)
}

impl Shape {
    /// The image of the shape under an invertible linear map of its frame, as the simplest shape that is exactly that:
    /// axis-aligned scalings keep the kind where they can, half-spaces and convex meshes stay what they are under every
    /// map, compounds map their parts.
    pub fn mapped(&self, matrix: &Mat3) -> Result<Shape, ShapeError> {
        check_matrix(matrix)?;
        if let Some(scale) = diagonal_scale(matrix)
            && let Some(scaled) = self.scaled(&scale)?
        {
            return Ok(scaled);
        }
        Ok(match self {
            Shape::HalfSpace(s) => {
                // n·M⁻¹x ≤ d is (M⁻ᵀn)·x ≤ d, and the offset goes with the unit normal.
                let mapped = Mapped::new(&Sphere::new(1.0)?.into(), matrix)?;
                let normal = mapped.inverse.transpose() * s.normal();
                HalfSpace::new(normal.into(), s.offset() / normal.norm())?.into()
            }
            Shape::ConvexMesh(s) => {
                let vertices: Vec<Vec3> = s.vertices().iter().map(|v| matrix * v).collect();
                ConvexMesh::new(&vertices)?.into()
            }
            Shape::Compound(s) => {
                let parts: Result<Vec<_>, ShapeError> =
                    s.parts().iter().map(|part| mapped_part(part, matrix)).collect();
                Compound::new(parts?)?.into()
            }
            Shape::Mapped(s) => s.shape.mapped(&(matrix * s.matrix))?,
            shape => Shape::Mapped(Arc::new(Mapped::new(shape, matrix)?)),
        })
    }

    /// The shape scaled along its axes, if that is a shape of a simpler kind than [`Mapped`].
    fn scaled(&self, scale: &Vec3) -> Result<Option<Shape>, ShapeError> {
        let [x, y, z]: [f64; 3] = (*scale).into();
        let stretched = |radii: [f64; 3]| [radii[0] * x, radii[1] * y, radii[2] * z];
        Ok(Some(match self {
            Shape::Sphere(s) if x == y && y == z => Sphere::new(s.radius() * x)?.into(),
            Shape::Sphere(s) => Ellipsoid::new(stretched([s.radius(); 3]))?.into(),
            Shape::Ellipsoid(s) => Ellipsoid::new(stretched(s.radii()))?.into(),
            Shape::Superellipsoid(s) => {
                let radii = stretched(s.radii());
                Superellipsoid::new(radii, s.exponent_xy(), s.exponent_z())?.into()
            }
            Shape::Superovoid(s) => {
                let radii = stretched(s.radii());
                Superovoid::new(radii, s.exponent_xy(), s.exponent_z(), s.taper())?.into()
            }
            Shape::PolyEllipsoid(s) => {
                let [a, b, c, d, e, f] = s.radii();
                PolyEllipsoid::new([a * x, b * x, c * y, d * y, e * z, f * z])?.into()
            }
            Shape::Cuboid(s) => Cuboid::new(stretched(s.half_extents()))?.into(),
            Shape::Cylinder(s) if x == y => {
                Cylinder::new(s.radius() * x, s.half_length() * z)?.into()
            }
            Shape::Cone(s) if x == y => Cone::new(s.radius() * x, s.half_length() * z)?.into(),
            Shape::Capsule(s) if x == y && y == z => {
                Capsule::new(s.radius() * x, s.half_length() * x)?.into()
            }
            Shape::Padded(s) if x == y && y == z => {
                s.shape().mapped(&Mat3::from_diagonal(scale))?.padded(s.radius() * x)?
            }
            _ => return Ok(None),
        }))
    }
}

/// A part of a compound after the map: x = R y + t goes to M x = R(RᵀM R y) + M t, so the part is mapped by RᵀMR in its
/// own frame and its origin by M.
fn mapped_part(part: &(Pose, Shape), matrix: &Mat3) -> Result<(Pose, Shape), ShapeError> {
    let (pose, shape) = part;
    let moved = Pose::from_parts((matrix * pose.translation.vector).into(), pose.rotation);
    let is_uniform = *matrix == Mat3::identity() * matrix[(0, 0)];
    // Rotating a uniform scale would only add rounding, and with it lose the simple kinds.
    let local = if is_uniform {
        *matrix
    } else {
        let rotation = pose.rotation.to_rotation_matrix();
        rotation.matrix().transpose() * matrix * rotation.matrix()
    };
    Ok((moved, shape.mapped(&local)?))
}

impl ConvexSurface for Mapped {
    fn support(&self, dir: &Vec3) -> Support {
        let Support { value, point } = self.shape.support(&self.matrix.tr_mul(dir));
        Support { value, point: self.matrix * point }
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let pulled = self.matrix.tr_mul(dir);
        let length = pulled.norm();
        let jet = self.shape.support_jet(&(pulled / length));
        SupportJet {
            value: jet.value * length,
            point: self.matrix * jet.point,
            hessian: self.matrix * (jet.hessian / length) * self.matrix.transpose(),
        }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        self.shape.inside_outside(&(self.inverse * point))
    }

    /// If r bounds the radii of K, then K = L + rB with a ball B, so MK = ML + r·MB. The radii of a sum are at least
    /// those of each summand, and those of the ellipsoid MB are at least σ_min²/σ_max.
    fn min_radius_of_curvature(&self) -> f64 {
        let [largest, smallest] = self.stretch;
        smallest * (smallest / largest) * self.shape.min_radius_of_curvature()
    }

    fn bounding_radius(&self) -> f64 {
        // σ_max is rounded; the factor keeps the bound an upper one.
        self.stretch[0] * self.shape.bounding_radius() * (1.0 + 1e-14)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::super::testing::{check_smooth_surface, directions, smallest_sampled_radius};
    use super::*;

    fn shear() -> Mat3 {
        Mat3::new(1.0, 0.3, -0.2, 0.0, 0.8, 0.4, 0.1, 0.0, 1.5)
    }

    #[test]
    fn is_a_consistent_surface() {
        let shape = Shape::superellipsoid([0.5, 0.7, 1.0], 0.8, 1.2).unwrap();
        check_smooth_surface(&shape.mapped(&shear()).unwrap());
        let shape = Shape::cylinder(0.5, 0.7).unwrap();
        check_smooth_surface(&shape.mapped(&-shear()).unwrap());
    }

    #[test]
    fn the_bound_on_the_radius_of_curvature_holds_and_is_tight_for_balls() {
        let ball = Shape::sphere(0.7).unwrap().mapped(&shear()).unwrap();
        let (bound, sampled) = (ball.min_radius_of_curvature(), smallest_sampled_radius(&ball));
        assert!(bound <= sampled && sampled < 1.01 * bound, "{bound} {sampled}");
        let egg = Shape::ellipsoid([0.4, 0.7, 1.0]).unwrap().mapped(&shear()).unwrap();
        let (bound, sampled) = (egg.min_radius_of_curvature(), smallest_sampled_radius(&egg));
        assert!(bound > 0.0 && bound <= sampled, "{bound} {sampled}");
    }

    #[test]
    fn axis_aligned_scalings_keep_the_kind() {
        let scale = Mat3::from_diagonal(&Vec3::new(2.0, 2.0, 3.0));
        let mapped = |shape: Result<Shape, ShapeError>| shape.unwrap().mapped(&scale).unwrap();
        assert_eq!(mapped(Shape::sphere(1.0)), Shape::ellipsoid([2.0, 2.0, 3.0]).unwrap());
        assert_eq!(mapped(Shape::cuboid([1.0; 3])), Shape::cuboid([2.0, 2.0, 3.0]).unwrap());
        assert_eq!(mapped(Shape::cylinder(1.0, 1.0)), Shape::cylinder(2.0, 3.0).unwrap());
        assert_eq!(mapped(Shape::cone(1.0, 1.0)), Shape::cone(2.0, 3.0).unwrap());
        assert_eq!(mapped(Shape::capsule(1.0, 1.0)).kind(), "mapped");
        assert_eq!(
            mapped(Shape::poly_ellipsoid([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
            Shape::poly_ellipsoid([2.0, 4.0, 6.0, 8.0, 15.0, 18.0]).unwrap()
        );
        assert_eq!(
            mapped(Shape::superovoid([1.0; 3], 0.8, 1.2, [0.1, 0.2])),
            Shape::superovoid([2.0, 2.0, 3.0], 0.8, 1.2, [0.1, 0.2]).unwrap()
        );
    }

    /// Whatever kind the result has, its support is that of the map: h(Mᵀn).
    #[test]
    fn every_kind_maps_to_the_support_function_of_the_image() {
        let pose = Pose::from_parts(
            Vec3::new(1.0, 2.0, -1.0).into(),
            UnitQuaternion::from_euler_angles(0.4, 1.0, -0.3),
        );
        let shapes = [
            Shape::cuboid([0.5, 0.7, 1.0]),
            Shape::capsule(0.5, 0.7),
            Shape::cone(0.5, 0.7),
            Shape::convex_mesh(&directions(60)),
            Shape::capsule(0.5, 0.7).unwrap().mapped(&shear()),
            Shape::cuboid([0.5, 0.7, 1.0]).unwrap().padded(0.2),
            Shape::compound(vec![(pose, Shape::cuboid([0.5, 0.7, 1.0]).unwrap())]),
        ];
        for shape in shapes {
            let shape = shape.unwrap();
            let uniform = Mat3::identity() * 0.5;
            let diagonal = Mat3::from_diagonal(&Vec3::new(0.5, 2.0, 3.0));
            for matrix in [shear(), -shear(), uniform, diagonal] {
                let mapped = shape.mapped(&matrix).unwrap();
                for dir in directions(40) {
                    let expected = shape.support(&matrix.tr_mul(&dir)).value;
                    let error = mapped.support(&dir).value - expected;
                    assert!(error.abs() < 1e-11, "{} {error}", shape.kind());
                }
            }
        }
    }

    #[test]
    fn a_mapped_half_space_has_the_images_of_its_points_on_its_plane() {
        let floor = Shape::half_space([0.2, 0.3, 1.0], 0.7).unwrap();
        let Shape::HalfSpace(before) = &floor else { panic!() };
        let Shape::HalfSpace(after) = floor.mapped(&shear()).unwrap() else { panic!() };
        for dir in directions(20) {
            let on_plane = dir - before.normal() * before.signed_distance(&dir);
            assert!(after.signed_distance(&(shear() * on_plane)).abs() < 1e-14);
            let inside = shear() * (on_plane - before.normal());
            assert!(after.signed_distance(&inside) < 0.0);
        }
    }

    #[test]
    fn bad_matrices_are_refused() {
        let ball = Shape::sphere(1.0).unwrap();
        let message = |matrix: Mat3| ball.mapped(&matrix).unwrap_err().to_string();
        assert_eq!(
            message(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0))),
            "mapped: condition number of the matrix is inf, must be at most 1e6"
        );
        assert!(message(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 1e-7))).contains("at most 1e6"));
        assert!(message(Mat3::repeat(f64::NAN)).contains("an entry of the matrix is NaN"));
    }
}
