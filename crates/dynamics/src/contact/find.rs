//! The points at which two bodies touch, with depth, normal and relative curvature.

use crate::contact::hertz::hertz_stiffness;
use nalgebra::Matrix2;
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, Cuboid, Shape};
use smooth_scene_query::{PairQuery, SignedDistance, WarmStart, Within, half_space_distance};
use smooth_scene_scene::{ContactPoint, points_of_contact};

/// Most points of one contact of two flat bodies.
const MAX_POINTS: usize = 9;
/// Radii of curvature are limited to this share of the smaller bounding radius from below: edges and corners are not
/// infinitely sharp.
const SHARPEST: f64 = 0.01;
/// And to this many bounding radii from above: a face is as stiff as a ball that much larger than its body.
const FLATTEST: f64 = 10.0;

/// One point of a contact of A and B, world frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub point_w: Vec3,
    /// From A to B.
    pub normal_ab_w: Vec3,
    pub depth: f64,
    /// k of F = k δ^(3/2).
    pub stiffness: f64,
}

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

/// All points at which two bodies whose distance was found touch; none when they are apart.
pub(crate) fn touches(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    found: &SignedDistance,
    modulus: f64,
    out: &mut Vec<Touch>,
) {
    out.clear();
    if found.distance >= 0.0 {
        return;
    }
    let normal_ab_w = found.normal_ab_w;
    let stiffness = stiffness(a, b, &normal_ab_w, modulus);
    let touch = |point_w, depth| Touch { point_w, normal_ab_w, depth, stiffness };
    match (a.0, b.0) {
        (Shape::Cuboid(cuboid), Shape::HalfSpace(_)) => {
            for corner in corners(cuboid, a.1) {
                // Against the plane, whose outward normal is −n.
                let depth = normal_ab_w.dot(&(corner - found.witness_b_w));
                if depth > 0.0 {
                    out.push(touch(corner - normal_ab_w * (0.5 * depth), depth));
                }
            }
        }
        _ if is_flat(a.0) && is_flat(b.0) => {
            let mut points: Vec<ContactPoint> = Vec::new();
            points_of_contact(a, b, found, MAX_POINTS, &mut points);
            let deep = points.iter().filter(|point| point.depth > 0.0);
            out.extend(deep.map(|point| touch(point.point_w, point.depth)));
        }
        _ => {
            let point_w = 0.5 * (found.witness_a_w + found.witness_b_w);
            out.push(touch(point_w, -found.distance));
        }
    }
}

fn corners(cuboid: &Cuboid, pose: &Pose) -> impl Iterator<Item = Vec3> {
    let half = Vec3::from(cuboid.half_extents());
    let pose = *pose;
    (0..8).map(move |k| {
        let signs = Vec3::from([0, 1, 2].map(|i| if k >> i & 1 == 0 { -1.0 } else { 1.0 }));
        pose.rotation * half.component_mul(&signs) + pose.translation.vector
    })
}

/// Whether the shape has faces or straight edges, on which it touches at more than a point.
fn is_flat(shape: &Shape) -> bool {
    match shape {
        Shape::Cuboid(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::HalfSpace(_)
        | Shape::ConvexMesh(_) => true,
        Shape::Padded(s) => is_flat(s.shape()),
        Shape::Mapped(s) => is_flat(s.shape()),
        Shape::Compound(_) => true,
        Shape::Sphere(_)
        | Shape::Ellipsoid(_)
        | Shape::Superellipsoid(_)
        | Shape::Superovoid(_)
        | Shape::PolyEllipsoid(_)
        | Shape::Capsule(_) => false,
    }
}

/// Hertz's stiffness from the curvatures of both surfaces at the points with normal n and −n.
fn stiffness(a: (&Shape, &Pose), b: (&Shape, &Pose), normal_w: &Vec3, modulus: f64) -> f64 {
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
    eigen.recompose()
}
