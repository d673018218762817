//! Any body against a half-space: the closed form.

use crate::api::result::{SignedDistance, SolveStatus, WarmStart};
use smooth_scene_geometry::math::{Pose, Vec3, is_finite};
use smooth_scene_geometry::{ConvexSurface, Shape};

/// The signed distance between a shape, body A, and the half-space {x : n·x ≤ offset}, body B, everything in the world
/// frame. `plane_normal_w` points out of the half-space; it is normalised, and the offset with it. A normal without a
/// direction, or numbers that are not finite, describe no half-space: nothing is proven then, and the bounds are infinite.
///
/// The half-space has a finite support value along n only, so f has one direction left, −n from A to B:
///
/// ```text
/// distance = min over A of n·x − offset = −h_A(−n) − offset
/// ```
///
/// with h_A the support function of the posed shape. The witness on A is its support point along −n, the one on B its
/// projection onto the plane (for superellipsoids: A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics*,
/// MSc thesis, 2015, §3.2, after Lopes et al. 2015). Exact for every shape, apart or overlapping.
pub fn half_space_distance(
    shape: &Shape,
    pose: &Pose,
    plane_normal_w: &Vec3,
    offset: f64,
) -> SignedDistance {
    let length = plane_normal_w.norm();
    if !(length > 0.0 && length.is_finite() && offset.is_finite() && is_finite(pose)) {
        return SignedDistance::unknown(pose.translation.vector, !shape.is_convex());
    }
    let (normal_w, offset) = (plane_normal_w / length, offset / length);
    let dir = pose.rotation.inverse_transform_vector(&-normal_w);
    let support = shape.support(&dir);
    let distance = normal_w.dot(&pose.translation.vector) - support.value - offset;
    let witness_a_w = pose.rotation * support.point + pose.translation.vector;
    SignedDistance {
        distance,
        lower: distance,
        upper: distance,
        witness_a_w,
        witness_b_w: witness_a_w - normal_w * distance,
        normal_ab_w: -normal_w,
        status: SolveStatus::Certified,
        iterations: 1,
        of_hull: !shape.is_convex(),
        warm: WarmStart::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::{Ellipsoid, Sphere};

    #[test]
    fn sphere_over_a_floor_that_is_not_normalised() {
        let sphere = Sphere::new(0.5).unwrap().into();
        let floor = Vec3::new(0.0, 0.0, 2.0);
        let found = half_space_distance(&sphere, &Pose::translation(1.0, 2.0, 3.0), &floor, 2.0);
        assert!((found.distance - 1.5).abs() < 1e-15);
        assert!((found.witness_a_w - Vec3::new(1.0, 2.0, 2.5)).norm() < 1e-15);
        assert!((found.witness_b_w - Vec3::new(1.0, 2.0, 1.0)).norm() < 1e-15);
        assert_eq!(found.normal_ab_w, -Vec3::z());
    }

    #[test]
    fn a_plane_without_direction_proves_nothing() {
        let sphere = Sphere::new(0.5).unwrap().into();
        for normal in [Vec3::zeros(), Vec3::new(f64::NAN, 0.0, 1.0)] {
            let found =
                half_space_distance(&sphere, &Pose::translation(0.0, 0.0, 9.0), &normal, 0.0);
            assert_eq!(found.status, SolveStatus::BudgetExhausted);
            assert_eq!((found.lower, found.upper), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }

    #[test]
    fn witnesses_of_an_overlapping_ellipsoid_satisfy_the_sign_convention() {
        let ellipsoid = Ellipsoid::new([0.3, 0.9, 1.4]).unwrap().into();
        let pose = Pose::new(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.5, -0.7, 0.2));
        let normal = Vec3::new(0.48, 0.6, -0.64);
        let found = half_space_distance(&ellipsoid, &pose, &normal, 0.4);
        assert!(found.distance < 0.0);
        let linked = found.witness_a_w + found.normal_ab_w * found.distance - found.witness_b_w;
        assert!(linked.norm() < 1e-15);
        assert!((normal.dot(&found.witness_b_w) - 0.4).abs() < 1e-15);
    }
}
