//! What is this surface? Convex bodies in their own frame, one file per kind, described by their support functions.

mod aabb;
pub mod broad_phase;
mod capsule;
mod compound;
mod cone;
mod convex_mesh;
mod convexity;
mod cuboid;
mod cylinder;
mod dual_norm;
mod ellipsoid;
mod error;
mod flat_hull;
mod half_space;
mod hull;
mod mapped;
pub mod math;
mod p_norm;
mod padded;
mod point_distance;
mod poly_ellipsoid;
mod rolling_radius;
mod shape;
mod shape_kind;
pub mod simd;
mod sphere;
mod superellipsoid;
mod superovoid;
mod surface;
mod tessellate;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use aabb::{Aabb, Obb};
pub use capsule::Capsule;
pub use cone::Cone;
pub use convex_mesh::ConvexMesh;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use error::{EXPONENT_RANGE, LENGTH_RANGE, MAX_ASPECT_RATIO, ShapeError};
pub use half_space::HalfSpace;
pub use poly_ellipsoid::PolyEllipsoid;
pub use shape::{Compound, Mapped, Padded, Shape};
pub use shape_kind::{
    Content, Field, NamedNumbers, NumberFields, Quantity, ShapeKind, full_length_range,
};
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use superovoid::{Dent, Superovoid};
pub use surface::{BoundingSphere, ConvexSurface, FLAT_RADIUS, Support, SupportJet};
pub use tessellate::{
    HALF_SPACE_PATCH, MAX_TESSELLATION_VERTICES, TriangleMesh, tessellate,
    tessellate_with_vertex_count,
};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
