//! The signed distance of a point to a surface, and its projection onto it.

use crate::api::options::QueryOptions;
use crate::api::pair_query::distance;
use crate::api::result::SolveStatus;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{LENGTH_RANGE, Shape, Sphere};

/// Where a point is with respect to a surface.
///
/// - `distance > 0`: outside by that much. `distance < 0`: inside, and −distance is the way to the nearest surface point.
/// - `projection_w = point − distance × normal_w`, up to the gap between the bounds.
/// - `lower ≤ true signed distance ≤ upper`, always.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointProjection {
    /// The best value found; between `lower` and `upper`.
    pub distance: f64,
    /// Proven lower bound on the signed distance.
    pub lower: f64,
    /// Proven upper bound on the signed distance.
    pub upper: f64,
    /// The nearest point of the surface, world frame.
    pub projection_w: Vec3,
    /// The outward unit normal of the surface there, world frame.
    pub normal_w: Vec3,
    /// How far the answer is proven.
    pub status: SolveStatus,
}

/// The signed distance from `point_w` to the surface of `shape` at `pose`, world frame.
///
/// ```text
/// d(x) = max over unit n of n·x − h(n)
/// ```
///
/// with h the support function of the posed shape: the separation function of two bodies, the second one a point.
/// Outside the maximum is unique; inside it is the nearest way out, searched from several starts, and proven in the
/// certified depth mode.
pub fn point_distance(
    shape: &Shape,
    pose: &Pose,
    point_w: &Vec3,
    options: &QueryOptions,
) -> PointProjection {
    // A ball is a point with a rounding that the solver sets aside before it starts: adding its radius again to the
    // answer gives the distance of the centre, whatever the radius.
    let radius = *LENGTH_RANGE.start();
    let marker = Sphere::new(radius).expect("the least length of all is a valid radius");
    let at = Pose::from(*point_w);
    let found = distance(shape, pose, &marker.into(), &at, options);
    PointProjection {
        distance: found.distance + radius,
        lower: found.lower + radius,
        upper: found.upper + radius,
        projection_w: found.witness_a_w,
        normal_w: found.normal_ab_w,
        status: found.status,
    }
}
