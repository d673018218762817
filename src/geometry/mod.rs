//! What is this surface? Convex bodies in their own frame, one file per kind, described by their support functions.

mod aabb;
mod convexity;
mod dual_norm;
mod ellipsoid;
mod error;
mod shape;
mod sphere;
mod superellipsoid;
mod superovoid;
mod surface;

pub use aabb::{Aabb, Obb};
pub use ellipsoid::Ellipsoid;
pub use error::{LENGTH_RANGE, ShapeError};
pub use shape::Shape;
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use superovoid::Superovoid;
pub use surface::{ConvexSurface, FLAT_RADIUS, Support, SupportJet};
