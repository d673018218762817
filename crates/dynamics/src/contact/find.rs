//! The points at which two bodies touch, with depth, normal and relative curvature.

use crate::contact::face::{add_corners, is_flat};
use crate::contact::hertz::hertz_stiffness;
use crate::contact::manifold::{self, ManifoldPoint};
use nalgebra::{Matrix2, Vector2};
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{PairQuery, SignedDistance, WarmStart, Within, half_space_distance};

/// Radii of curvature are limited to this share of the smaller bounding radius from below: edges and corners are not
/// infinitely sharp.
const SHARPEST: f64 = 0.01;
/// And to this many bounding radii from above: a face is as stiff as a ball that much larger than its body.
const FLATTEST: f64 = 10.0;

/// Corners up to this much of the smaller bounding radius behind the farthest belong to the same face or edge.
const FACE: f64 = 1e-4;

/// The signed distance of two posed shapes if it is at most `threshold`.
pub(crate) fn distance_within(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    threshold: f64,
    warm: &mut WarmStart,
) -> Option<SignedDistance> {
    if let Shape::HalfSpace(plane) = b.0 {
        let normal_w = b.1.rotation * plane.normal();
        let offset = plane.offset() + normal_w.dot(&b.1.translation.vector);
        let found = half_space_distance(a.0, a.1, &normal_w, offset);
        return (found.distance <= threshold).then_some(found);
    }
    match PairQuery::new(a.0, a.1, b.0, b.1).warm_start(warm).within(threshold) {
        Within::Farther { warm: next, .. } => {
            *warm = next;
            None
        }
        Within::Near(found) => {
            *warm = found.warm;
            Some(found)
        }
    }
}

/// All points at which two bodies whose distance was found are not farther apart than `reach`; none when they are.
pub(crate) fn touches(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    found: &SignedDistance,
    reach: f64,
    points: &mut Vec<ManifoldPoint>,
) {
    points.clear();
    if found.distance > reach {
        return;
    }
    if is_flat(a.0) && is_flat(b.0) {
        manifold::points(a, b, found, reach, points);
    } else {
        let point_w = 0.5 * (found.witness_a_w + found.witness_b_w);
        points.push(ManifoldPoint { point_w, depth: -found.distance });
    }
}

/// Hertz's stiffness from the curvatures of both surfaces at the points with normal n and −n.
pub(crate) fn stiffness(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    normal_w: &Vec3,
    modulus: f64,
) -> f64 {
    let size = a.0.bounding_radius().min(b.0.bounding_radius());
    let basis = tangent_basis(normal_w);
    let relative = curvature(a, normal_w, &basis, size) + curvature(b, &-normal_w, &basis, size);
    let values = relative.symmetric_eigenvalues();
    let limits = [1.0 / (FLATTEST * size), 2.0 / (SHARPEST * size)];
    hertz_stiffness([0, 1].map(|k| values[k].clamp(limits[0], limits[1])), modulus)
}

/// The curvatures of a surface in a basis of its tangent plane: the inverse of its radii of curvature, within the limits.
fn curvature(
    body: (&Shape, &Pose),
    outward_w: &Vec3,
    basis: &(Vec3, Vec3),
    size: f64,
) -> Matrix2<f64> {
    if matches!(body.0, Shape::HalfSpace(_)) {
        return Matrix2::zeros();
    }
    let jet = body.0.support_jet(&body.1.rotation.inverse_transform_vector(outward_w));
    let [u, v] = [basis.0, basis.1].map(|t| body.1.rotation.inverse_transform_vector(&t));
    let (hu, hv) = (jet.hessian * u, jet.hessian * v);
    let across = 0.5 * (u.dot(&hv) + v.dot(&hu));
    let mut eigen = Matrix2::new(u.dot(&hu), across, across, v.dot(&hv)).symmetric_eigen();
    let limits = [SHARPEST * size, FLATTEST * size];
    eigen.eigenvalues.apply(|radius| {
        *radius = if *radius >= limits[1] { 0.0 } else { 1.0 / radius.max(limits[0]) };
    });
    let curvature = eigen.recompose();
    if is_flat(body.0) { flattened(curvature, body, outward_w, basis, size) } else { curvature }
}

/// Without the curvature along faces and straight edges, where the support function has no radius of curvature.
fn flattened(
    curvature: Matrix2<f64>,
    body: (&Shape, &Pose),
    outward_w: &Vec3,
    basis: &(Vec3, Vec3),
    size: f64,
) -> Matrix2<f64> {
    let mut corners = Vec::new();
    let outward = body.1.rotation.inverse_transform_vector(outward_w);
    add_corners(body.0, &outward, FACE * size, &mut corners);
    let across = |corner: &Vec3| {
        let arm_w = body.1.rotation * (corner - corners[0]);
        Vector2::new(basis.0.dot(&arm_w), basis.1.dot(&arm_w))
    };
    let arms: Vec<Vector2<f64>> = corners.iter().map(across).collect();
    let longest =
        arms.iter().fold(Vector2::zeros(), |a, b| if b.norm() > a.norm() { *b } else { a });
    let length = longest.norm();
    if length <= FACE * size {
        return curvature;
    }
    let along = longest / length;
    if arms.iter().any(|arm| along.perp(arm).abs() > FACE * size) {
        return Matrix2::zeros();
    }
    let rest = Matrix2::identity() - along * along.transpose();
    rest * curvature * rest
}
