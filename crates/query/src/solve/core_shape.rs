//! Shapes without their rounding: a sphere is a point plus a radius, a padded body a body plus a radius.
//!
//! Rounding by r adds r|n| to the support function, so on the unit sphere f only shifts by a constant: the same normal
//! is optimal, the distance shrinks by r, and bounds and witnesses move along. Queries therefore run on the cores, and
//! an overlap that is shallower than the rounding is a proven distance of the cores.

use smooth_scene_geometry::math::{Mat3, Vec3, sign};
use smooth_scene_geometry::{ConvexSurface, Shape, Support, SupportJet};

/// A shape without its rounding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CoreShape<'a> {
    /// The origin: a sphere without its radius.
    Point,
    /// The points (0, 0, z) with |z| up to this length: a capsule without its radius.
    Segment(f64),
    /// A shape without a rounding radius.
    Surface(&'a Shape),
}

/// The nearest of the points (0, 0, z) with |z| up to `half`.
fn nearest_on_axis(half: f64, point: &Vec3) -> Vec3 {
    Vec3::new(0.0, 0.0, point.z.clamp(-half, half))
}

impl<'a> CoreShape<'a> {
    /// The core of a shape and its rounding radius.
    #[inline(always)]
    pub fn of(shape: &'a Shape) -> (Self, f64) {
        match shape {
            Shape::Sphere(_) | Shape::Capsule(_) | Shape::Padded(_) => Self::of_rounded(shape),
            _ => (CoreShape::Surface(shape), 0.0),
        }
    }

    fn of_rounded(shape: &'a Shape) -> (Self, f64) {
        match shape {
            Shape::Sphere(sphere) => (CoreShape::Point, sphere.radius()),
            Shape::Capsule(capsule) => {
                (CoreShape::Segment(capsule.half_length()), capsule.radius())
            }
            Shape::Padded(padded) => {
                let (core, radius) = CoreShape::of_rounded(padded.shape());
                (core, radius + padded.radius())
            }
            _ => (CoreShape::Surface(shape), 0.0),
        }
    }

    /// Whether it is a polyhedron, thin ones included.
    #[inline]
    pub fn is_faceted(&self) -> bool {
        match self {
            CoreShape::Point | CoreShape::Segment(_) => true,
            CoreShape::Surface(shape) => shape.is_polyhedron(),
        }
    }

    #[inline]
    pub fn support(&self, dir: &Vec3) -> Support {
        match self {
            CoreShape::Point => Support { value: 0.0, point: Vec3::zeros() },
            CoreShape::Segment(half) => Support {
                value: half * dir.z.abs(),
                point: Vec3::new(0.0, 0.0, half * sign(dir.z)),
            },
            CoreShape::Surface(shape) => shape.support(dir),
        }
    }

    #[inline]
    pub fn support_jet(&self, dir: &Vec3) -> SupportJet {
        match self {
            CoreShape::Surface(shape) => shape.support_jet(dir),
            CoreShape::Point | CoreShape::Segment(_) => {
                let Support { value, point } = self.support(dir);
                SupportJet { value, point, hessian: Mat3::zeros() }
            }
        }
    }

    /// Negative inside, positive outside.
    pub fn inside_outside(&self, point: &Vec3) -> f64 {
        match self {
            CoreShape::Point => point.norm(),
            CoreShape::Segment(half) => (point - nearest_on_axis(*half, point)).norm(),
            CoreShape::Surface(shape) => shape.inside_outside(point),
        }
    }

    /// The nearest point of a core that has no inside: `None` for a body.
    pub fn thin_point(&self, point: &Vec3) -> Option<Vec3> {
        match self {
            CoreShape::Point => Some(Vec3::zeros()),
            CoreShape::Segment(half) => Some(nearest_on_axis(*half, point)),
            CoreShape::Surface(Shape::ConvexMesh(mesh)) => mesh.nearest_on_flat(point),
            CoreShape::Surface(_) => None,
        }
    }

    /// See [`ConvexSurface::min_radius_of_curvature`].
    #[inline]
    pub fn min_radius_of_curvature(&self) -> f64 {
        match self {
            CoreShape::Surface(shape) => shape.min_radius_of_curvature(),
            CoreShape::Point | CoreShape::Segment(_) => 0.0,
        }
    }

    /// See [`ConvexSurface::bounding_radius`].
    pub fn bounding_radius(&self) -> f64 {
        match self {
            CoreShape::Point => 0.0,
            CoreShape::Segment(half) => *half,
            CoreShape::Surface(shape) => shape.bounding_radius(),
        }
    }

    /// A length that stands for the size of the body, without evaluating powers: the longest semi-axis where there is
    /// one, otherwise the bounding radius. Never larger than that.
    #[inline]
    pub fn reach(&self) -> f64 {
        let longest = |radii: [f64; 3]| radii[0].max(radii[1]).max(radii[2]);
        match self {
            CoreShape::Surface(Shape::Ellipsoid(s)) => longest(s.radii()),
            CoreShape::Surface(Shape::Superellipsoid(s)) => longest(s.radii()),
            CoreShape::Surface(Shape::Superovoid(s)) => longest(s.radii()),
            _ => self.bounding_radius(),
        }
    }
}
