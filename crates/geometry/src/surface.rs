//! What every convex surface can tell about itself: the support function and its first two derivatives.
//!
//! The support function of a convex body K is
//!
//! ```text
//! h(n) = max { n·x : x in K }
//! ```
//!
//! It is convex and positively homogeneous. Its gradient is the support point, the point of the surface whose outward
//! normal is n (the inverse Gauss map); its Hessian at a unit n, restricted to the tangent plane, is the matrix of
//! radii of curvature there [Schneider 2014, §2.5]. Every query of this crate is written in these three quantities.

use super::aabb::Aabb;
use crate::math::{Mat3, Vec3};

/// Radius of curvature, in multiples of the size of the body, above which a surface counts as flat. A flat spot has an
/// infinite radius; the Hessians below store this multiple instead, so that no matrix ever holds an infinity.
pub const FLAT_RADIUS: f64 = 1e9;

/// Distance of a unit direction from the normal of a face, or from the plane of normals of an edge, up to which the
/// Hessians count it as lying there. A few thousand roundings of a unit vector, and far below any step of a solver.
pub(crate) const EDGE_TOLERANCE: f64 = 1e-12;

/// Support value and support point in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Support {
    /// h(n) for the n that was passed, unit or not.
    pub value: f64,
    /// The support point ∇h(n), in the frame of the body.
    pub point: Vec3,
}

/// Support value, point and curvature at one unit direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportJet {
    /// h(n).
    pub value: f64,
    /// ∇h(n), in the frame of the body.
    pub point: Vec3,
    /// ∇²h(n): symmetric, positive semi-definite, with n in its null space. Its two other eigenvalues are the principal
    /// radii of curvature; at a vertex or an edge they are zero, on a flat face [`FLAT_RADIUS`] times the size.
    pub hessian: Mat3,
}

/// A ball that contains a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingSphere {
    /// Its centre, in the frame of the body.
    pub center: Vec3,
    /// Its radius in metres; infinite for a half-space.
    pub radius: f64,
}

/// A convex body in its own frame.
///
/// Directions need not be unit vectors unless said otherwise, and must not be zero.
pub trait ConvexSurface {
    /// Support value and point along `dir`.
    fn support(&self, dir: &Vec3) -> Support;

    /// Support value, point and radii of curvature along the unit vector `dir`.
    fn support_jet(&self, dir: &Vec3) -> SupportJet;

    /// Negative inside, zero on the surface, positive outside, and continuous; not a distance.
    fn inside_outside(&self, point: &Vec3) -> f64;

    /// A lower bound on every radius of curvature of the surface: a ball of this radius rolls inside it freely.
    fn min_radius_of_curvature(&self) -> f64 {
        0.0
    }

    /// The tightest box along the axes of the body's frame: six support values.
    fn local_aabb(&self) -> Aabb {
        let reach = |dir: Vec3| self.support(&dir).value;
        Aabb {
            min: -Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z())),
            max: Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z())),
        }
    }

    /// Radius of the smallest ball around the origin of the body's frame that contains the body, or slightly more.
    fn bounding_radius(&self) -> f64;

    /// A ball around the middle of [`local_aabb`](Self::local_aabb) that contains the body. Unless a shape knows better
    /// its radius is the smaller of two upper bounds: half the diagonal of the box, and the reach from the origin plus
    /// the distance of the centre from it.
    fn bounding_sphere(&self) -> BoundingSphere {
        let aabb = self.local_aabb();
        let center = aabb.center();
        let radius = aabb.half_extents().norm().min(self.bounding_radius() + center.norm());
        BoundingSphere { center, radius }
    }
}

/// The projection I − n nᵀ onto the plane normal to the unit vector `n`.
#[inline]
pub(crate) fn tangential(n: &Vec3) -> Mat3 {
    Mat3::identity() - n * n.transpose()
}

/// The matrix `alpha·t·tᵀ + beta·s·sᵀ`: the form every smooth support Hessian of this crate takes.
#[inline]
pub(crate) fn rank_two(alpha: f64, t: &Vec3, beta: f64, s: &Vec3) -> Mat3 {
    alpha * t * t.transpose() + beta * s * s.transpose()
}
