//! The closed list of shapes, with the kinds that contain other shapes.

use std::sync::Arc;

use super::aabb::{Aabb, Obb};
use super::capsule::Capsule;
use super::cone::Cone;
use super::convex_mesh::ConvexMesh;
use super::cuboid::Cuboid;
use super::cylinder::Cylinder;
use super::ellipsoid::Ellipsoid;
use super::error::ShapeError;
use super::half_space::HalfSpace;
use super::poly_ellipsoid::PolyEllipsoid;
use super::sphere::Sphere;
use super::superellipsoid::Superellipsoid;
use super::superovoid::Superovoid;
use super::surface::{BoundingSphere, ConvexSurface, Support, SupportJet};
use crate::math::{Mat3, Pose, Vec3};

/// Any shape this crate knows. A closed list: adding a kind breaks every `match`, on purpose. Cheap to clone: shapes of
/// unbounded size are shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// See [`Sphere`].
    Sphere(Sphere),
    /// See [`Ellipsoid`].
    Ellipsoid(Ellipsoid),
    /// See [`Superellipsoid`].
    Superellipsoid(Superellipsoid),
    /// See [`Superovoid`].
    Superovoid(Superovoid),
    /// See [`PolyEllipsoid`].
    PolyEllipsoid(PolyEllipsoid),
    /// A box, see [`Cuboid`].
    Cuboid(Cuboid),
    /// See [`Cylinder`].
    Cylinder(Cylinder),
    /// See [`Capsule`].
    Capsule(Capsule),
    /// See [`Cone`].
    Cone(Cone),
    /// See [`HalfSpace`].
    HalfSpace(HalfSpace),
    /// See [`ConvexMesh`].
    ConvexMesh(Arc<ConvexMesh>),
    /// See [`Compound`].
    Compound(Arc<Compound>),
    /// See [`Padded`].
    Padded(Arc<Padded>),
    /// See [`Mapped`].
    Mapped(Arc<Mapped>),
}

/// The union of parts Kᵢ, each in a pose Xᵢ = (Rᵢ, tᵢ) in the frame of the compound. Queries take the minimum over
/// [`parts`](Self::parts); the methods of [`ConvexSurface`] describe the convex hull of the union,
///
/// ```text
/// h(n) = max over i of  n·tᵢ + hᵢ(Rᵢᵀ n)
/// ```
///
/// except [`inside_outside`](ConvexSurface::inside_outside), which is that of the union.
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    pub(crate) parts: Vec<(Pose, Shape)>,
}

/// All points within r of a convex body K, the Minkowski sum of K and a ball:
///
/// ```text
/// h(n) = h_K(n) + r|n|,    ∇h = ∇h_K + r n/|n|,    ∇²h = ∇²h_K + r(I − n nᵀ)
/// ```
///
/// Made by [`Shape::padded`].
#[derive(Debug, Clone, PartialEq)]
pub struct Padded {
    pub(crate) shape: Shape,
    pub(crate) radius: f64,
}

/// The image M·K of a convex body under an invertible linear map. With u = Mᵀn:
///
/// ```text
/// h(n) = h_K(u),    ∇h = M ∇h_K(u),    ∇²h = M ∇²h_K(u/|u|) Mᵀ / |u|
/// ```
///
/// Made by [`Shape::mapped`].
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    pub(crate) shape: Shape,
    pub(crate) matrix: Mat3,
    pub(crate) inverse: Mat3,
    /// Strongest and weakest stretch: the extreme singular values of the matrix.
    pub(crate) stretch: [f64; 2],
}

/// Calls the same method on whichever surface the shape holds.
macro_rules! for_surface {
    ($shape:expr, $surface:ident => $body:expr) => {
        match $shape {
            Shape::Sphere($surface) => $body,
            Shape::Ellipsoid($surface) => $body,
            Shape::Superellipsoid($surface) => $body,
            Shape::Superovoid($surface) => $body,
            Shape::PolyEllipsoid($surface) => $body,
            Shape::Cuboid($surface) => $body,
            Shape::Cylinder($surface) => $body,
            Shape::Capsule($surface) => $body,
            Shape::Cone($surface) => $body,
            Shape::HalfSpace($surface) => $body,
            Shape::ConvexMesh($surface) => $body,
            Shape::Compound($surface) => $body,
            Shape::Padded($surface) => $body,
            Shape::Mapped($surface) => $body,
        }
    };
}

impl ConvexSurface for Shape {
    fn support(&self, dir: &Vec3) -> Support {
        for_surface!(self, s => s.support(dir))
    }

    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        for_surface!(self, s => s.support_jet(dir))
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        for_surface!(self, s => s.inside_outside(point))
    }

    fn min_radius_of_curvature(&self) -> f64 {
        for_surface!(self, s => s.min_radius_of_curvature())
    }

    fn local_aabb(&self) -> Aabb {
        for_surface!(self, s => s.local_aabb())
    }

    fn bounding_radius(&self) -> f64 {
        for_surface!(self, s => s.bounding_radius())
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        for_surface!(self, s => s.bounding_sphere())
    }
}

impl Shape {
    /// The kind of shape, as it is called in files.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Sphere(_) => "sphere",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Superellipsoid(_) => "superellipsoid",
            Shape::Superovoid(_) => "superovoid",
            Shape::PolyEllipsoid(_) => "poly_ellipsoid",
            Shape::Cuboid(_) => "box",
            Shape::Cylinder(_) => "cylinder",
            Shape::Capsule(_) => "capsule",
            Shape::Cone(_) => "cone",
            Shape::HalfSpace(_) => "half_space",
            Shape::ConvexMesh(_) => "convex_mesh",
            Shape::Compound(_) => "compound",
            Shape::Padded(_) => "padded",
            Shape::Mapped(_) => "mapped",
        }
    }

    /// Whether it is a box or a convex mesh. Its support points are a matter of comparing vertices: a few of them decide sooner
    /// than Newton's method, which is made for smooth surfaces.
    #[inline]
    pub fn is_polyhedron(&self) -> bool {
        matches!(self, Shape::ConvexMesh(_) | Shape::Cuboid(_))
    }

    /// Whether queries on the shape answer for the shape itself. `false` only when it is, or contains, a superovoid
    /// that is not convex: queries on that one answer for its convex hull. A compound is a union and need not be convex.
    #[inline]
    pub fn is_convex(&self) -> bool {
        match self {
            Shape::Superovoid(ovoid) => ovoid.is_convex(),
            Shape::Compound(_) | Shape::Padded(_) | Shape::Mapped(_) => {
                self.dented_superovoid().is_none()
            }
            _ => true,
        }
    }

    /// The shape itself, or an error that names the superovoid in it that is not convex.
    pub fn strict(self) -> Result<Shape, ShapeError> {
        match self.dented_superovoid() {
            None => Ok(self),
            Some(dented) => Err(ShapeError::NotConvex {
                exponent_xy: dented.exponent_xy(),
                exponent_z: dented.exponent_z(),
                taper: dented.taper(),
            }),
        }
    }

    /// The first superovoid in the shape that is not convex.
    fn dented_superovoid(&self) -> Option<&Superovoid> {
        match self {
            Shape::Superovoid(s) => (!s.is_convex()).then_some(s),
            Shape::Compound(s) => s.parts().iter().find_map(|(_, part)| part.dented_superovoid()),
            Shape::Padded(s) => s.shape().dented_superovoid(),
            Shape::Mapped(s) => s.shape().dented_superovoid(),
            _ => None,
        }
    }

    /// The tightest box along the world axes around the shape in this pose: six support values. A half-space has an
    /// infinite one.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let reach = |dir_w: Vec3| self.support(&pose.inverse_transform_vector(&dir_w)).value;
        let offset = pose.translation.vector;
        Aabb {
            min: offset - Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z())),
            max: offset + Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z())),
        }
    }

    /// The tightest box along the axes of the shape's own frame, in the world.
    pub fn obb(&self, pose: &Pose) -> Obb {
        let aabb = self.local_aabb();
        let center_w = pose.rotation * aabb.center() + pose.translation.vector;
        Obb {
            pose: Pose::from_parts(center_w.into(), pose.rotation),
            half_extents: aabb.half_extents(),
        }
    }
}

/// A constructor of `Shape` for each kind, with the arguments of the kind's own.
macro_rules! constructors {
    ($($name:ident: $kind:ident($($argument:ident: $type:ty),*);)*) => {
        impl Shape {
            $(
                #[doc = concat!("See [`", stringify!($kind), "::new`].")]
                pub fn $name($($argument: $type),*) -> Result<Self, ShapeError> {
                    Ok($kind::new($($argument),*)?.into())
                }
            )*
        }
    };
}

constructors! {
    sphere: Sphere(radius: f64);
    ellipsoid: Ellipsoid(radii: [f64; 3]);
    superellipsoid: Superellipsoid(radii: [f64; 3], exponent_xy: f64, exponent_z: f64);
    superovoid: Superovoid(radii: [f64; 3], exponent_xy: f64, exponent_z: f64, taper: [f64; 2]);
    poly_ellipsoid: PolyEllipsoid(radii: [f64; 6]);
    cuboid: Cuboid(half_extents: [f64; 3]);
    cylinder: Cylinder(radius: f64, half_length: f64);
    capsule: Capsule(radius: f64, half_length: f64);
    cone: Cone(radius: f64, half_length: f64);
    half_space: HalfSpace(normal: [f64; 3], offset: f64);
    convex_mesh: ConvexMesh(points: &[Vec3]);
    compound: Compound(parts: Vec<(Pose, Shape)>);
}

/// `From` for the kinds that a shape holds by value.
macro_rules! from_surface {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Shape {
            fn from(surface: $kind) -> Self {
                Shape::$kind(surface)
            }
        }
    )*};
}

/// `From` for the kinds that a shape shares.
macro_rules! from_shared_surface {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Shape {
            fn from(surface: $kind) -> Self {
                Shape::$kind(Arc::new(surface))
            }
        }
    )*};
}

from_surface!(Sphere Ellipsoid Superellipsoid Superovoid PolyEllipsoid Cuboid Cylinder Capsule Cone HalfSpace);
from_shared_surface!(ConvexMesh Compound Padded Mapped);

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::super::testing::{directions, special_directions, uniform_numbers};
    use super::*;

    #[test]
    fn a_shape_is_small_and_can_be_shared_between_threads() {
        fn assert_shareable<T: Send + Sync + Clone>() {}
        assert_shareable::<Shape>();
        assert!(size_of::<Shape>() <= 128, "{}", size_of::<Shape>());
    }

    /// Lengths over eighteen orders of magnitude, exponents at both ends, directions on and next to the axes.
    #[test]
    fn extreme_parameters_give_finite_answers() {
        let mut uniform = uniform_numbers(9);
        let mut dirs = directions(20);
        for dir in special_directions() {
            dirs.push(dir);
            for step in [1e-300, 1e-160, 1e-17, 1e-12, 1e-9] {
                dirs.push((dir + Vec3::new(step, -step, 0.5 * step)).normalize());
            }
        }
        for _ in 0..300 {
            let mut length = || 10f64.powf(6.0 * uniform() - 4.0).clamp(1e-9, 1e6);
            let r = [length(), length(), length()];
            let s = [length(), length(), length()];
            let mut exponent = || [0.001, 0.02, 0.1, 1.0, 1.5, 1.999][(uniform() * 6.0) as usize];
            let (xy, z) = (exponent(), exponent());
            let shapes = [
                Shape::sphere(r[0]),
                Shape::ellipsoid(r),
                Shape::superellipsoid(r, xy, z),
                Shape::superovoid(r, xy, z, [0.3, -0.9]),
                Shape::superovoid(r, xy, z, [0.1, 0.1]),
                Shape::poly_ellipsoid([r[0], s[0], r[1], s[1], r[2], s[2]]),
                Shape::cuboid(r),
                Shape::cylinder(r[0], r[1]),
                Shape::capsule(r[0], r[1]),
                Shape::cone(r[0], r[1]),
                Shape::cuboid(r).unwrap().padded(s[0]),
                Shape::superellipsoid(r, xy, z).unwrap().padded(s[0]),
            ];
            for shape in shapes.map(Result::unwrap) {
                for dir in &dirs {
                    let (support, jet) = (shape.support(dir), shape.support_jet(dir));
                    let sum = support.value + support.point.sum() + jet.value + jet.point.sum();
                    assert!(sum.is_finite(), "{shape:?} {dir:?}");
                    assert!(jet.hessian.iter().all(|x| x.is_finite()), "{shape:?} {dir:?}");
                }
                for reach in [0.0, 1e-9, 1.0, 1e6] {
                    assert!(
                        !shape.inside_outside(&(dirs[0] * reach)).is_nan(),
                        "{shape:?} {reach}"
                    );
                }
                let bounds = [shape.bounding_sphere().radius, shape.min_radius_of_curvature()];
                assert!(bounds.iter().all(|x| x.is_finite()), "{shape:?}");
            }
        }
    }

    fn dented() -> Shape {
        Shape::superovoid([1.0; 3], 0.8, 0.5, [0.3, -0.3]).unwrap()
    }

    #[test]
    fn a_dented_superovoid_is_found_inside_other_shapes() {
        let shear = crate::math::Mat3::new(1.0, 0.2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let nested = dented().padded(0.1).unwrap().mapped(&shear).unwrap();
        let ball = Shape::sphere(1.0).unwrap();
        let union = |part| {
            Shape::compound(vec![(Pose::identity(), ball.clone()), (Pose::identity(), part)])
        };
        let message =
            "superovoid with exponent_xy 0.8, exponent_z 0.5, taper [0.3, -0.3] is not convex";
        for shape in [dented(), nested.clone(), union(nested).unwrap()] {
            assert!(!shape.is_convex());
            assert_eq!(shape.strict().unwrap_err().to_string(), message);
        }
        let convex = union(ball.clone()).unwrap();
        assert!(convex.is_convex() && convex.clone().strict() == Ok(convex));
    }

    #[test]
    fn world_boxes_are_tight() {
        let pose = Pose::from_parts(
            Vec3::new(1.0, -2.0, 3.0).into(),
            UnitQuaternion::from_euler_angles(0.5, 0.2, -1.0),
        );
        let shape = Shape::poly_ellipsoid([0.4, 1.0, 0.7, 0.5, 2.0, 0.9]).unwrap();
        let aabb = shape.aabb(&pose);
        let obb = shape.obb(&pose);
        let mut seen = Aabb { min: Vec3::repeat(1e9), max: Vec3::repeat(-1e9) };
        for dir in directions(20_000) {
            let point_w = pose * nalgebra::Point3::from(shape.support(&dir).point);
            seen = seen.merged(&Aabb { min: point_w.coords, max: point_w.coords });
            let point_box = obb.pose.inverse() * point_w;
            assert!((point_box.coords.abs() - obb.half_extents).max() < 1e-12);
        }
        assert!((seen.min - aabb.min).amax() < 1e-3 && (seen.max - aabb.max).amax() < 1e-3);
        assert!(
            aabb.inflated(1e-12).contains(&seen.min) && aabb.inflated(1e-12).contains(&seen.max)
        );
    }

    #[test]
    fn boxes_of_a_half_space_are_infinite_and_not_nan() {
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.5).unwrap();
        let turned = Pose::from_parts(
            Vec3::new(1.0, 2.0, 3.0).into(),
            UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2),
        );
        let aabb = floor.aabb(&turned);
        assert!((aabb.max.x - 1.5).abs() < 1e-12 && aabb.min.x == f64::NEG_INFINITY);
        assert_eq!((aabb.min.y, aabb.max.y), (f64::NEG_INFINITY, f64::INFINITY));
        let obb = floor.obb(&turned);
        assert!(obb.pose.translation.vector.iter().all(|x| x.is_finite()));
        assert_eq!(obb.half_extents, Vec3::repeat(f64::INFINITY));
        let other = Shape::sphere(1.0).unwrap().aabb(&Pose::translation(3.0, 0.0, 0.0));
        assert!((aabb.distance(&other) - 0.5).abs() < 1e-12);
        assert!(aabb.overlaps(&aabb) && aabb.distance(&aabb) == 0.0);
    }
}
