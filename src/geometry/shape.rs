//! The closed list of shapes.

use super::aabb::Aabb;
use super::ellipsoid::Ellipsoid;
use super::sphere::Sphere;
use super::superellipsoid::Superellipsoid;
use super::superovoid::Superovoid;
use super::surface::{ConvexSurface, Support, SupportJet};
use crate::math::Vec3;

/// Any shape this crate knows. A closed list: adding a kind breaks every `match`, on purpose.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// See [`Sphere`].
    Sphere(Sphere),
    /// See [`Ellipsoid`].
    Ellipsoid(Ellipsoid),
    /// See [`Superellipsoid`].
    Superellipsoid(Superellipsoid),
    /// See [`Superovoid`].
    Superovoid(Superovoid),
}

/// Calls the same method on whichever surface the shape holds.
macro_rules! for_surface {
    ($shape:expr, $surface:ident => $body:expr) => {
        match $shape {
            Shape::Sphere($surface) => $body,
            Shape::Ellipsoid($surface) => $body,
            Shape::Superellipsoid($surface) => $body,
            Shape::Superovoid($surface) => $body,
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
}

impl Shape {
    /// The kind of shape, as it is called in files.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Sphere(_) => "sphere",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Superellipsoid(_) => "superellipsoid",
            Shape::Superovoid(_) => "superovoid",
        }
    }

    /// Whether the shape is what it says. `false` only for a superovoid that is not convex: queries on it answer for
    /// its convex hull.
    pub fn is_convex(&self) -> bool {
        match self {
            Shape::Superovoid(s) => s.is_convex(),
            _ => true,
        }
    }
}

impl From<Sphere> for Shape {
    fn from(surface: Sphere) -> Self {
        Shape::Sphere(surface)
    }
}

impl From<Ellipsoid> for Shape {
    fn from(surface: Ellipsoid) -> Self {
        Shape::Ellipsoid(surface)
    }
}

impl From<Superellipsoid> for Shape {
    fn from(surface: Superellipsoid) -> Self {
        Shape::Superellipsoid(surface)
    }
}

impl From<Superovoid> for Shape {
    fn from(surface: Superovoid) -> Self {
        Shape::Superovoid(surface)
    }
}
