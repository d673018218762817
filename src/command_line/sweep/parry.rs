//! Parry's GJK and EPA on the smooth surfaces.

use super::measure::Found;
use super::pair::Pair;
use crate::geometry::{ConvexSurface, Shape};
use crate::math::{Pose, Vec3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

/// Parry works with absolute tolerances made for sizes around one: it gets bodies of that size.
struct Scaled<'a> {
    shape: &'a Shape,
    factor: f64,
}

impl SupportMap for Scaled<'_> {
    fn local_support_point(&self, dir: Vector) -> Vector {
        let point = self.shape.support(&Vec3::new(dir.x, dir.y, dir.z)).point * self.factor;
        Vector::new(point.x, point.y, point.z)
    }
}

fn parry_pose(pose: &Pose, factor: f64) -> ParryPose {
    let (t, q) = (pose.translation.vector * factor, pose.rotation.coords);
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

pub(crate) fn ask(pair: &Pair) -> Found {
    let factor = 10.0 / pair.a.bounding_radius().max(pair.b.bounding_radius());
    let pose_ab = parry_pose(&pair.pose_a.inv_mul(&pair.pose_b), factor);
    let (a, b) = (Scaled { shape: &pair.a, factor }, Scaled { shape: &pair.b, factor });
    let simplex = &mut VoronoiSimplex::new();
    match contact_support_map_support_map_with_params(&pose_ab, &a, &b, f64::MAX, simplex, None) {
        GJKResult::ClosestPoints(p, q, n) => {
            let distance = (q - p).dot(n) / factor;
            let skew = n.cross(q - p).length() / factor;
            Found { distance: Some(distance), skew: Some(skew), ..Found::decision(distance <= 0.0) }
        }
        _ => Found { converged: false, distance: Some(f64::NAN), ..Found::decision(false) },
    }
}
