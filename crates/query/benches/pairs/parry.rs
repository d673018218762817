//! Parry's GJK and EPA on our support functions.

use parry3d_f64::math::{Pose as ParryPose, Vector as ParryVector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_test_support::families::PosedPair;

/// Parry works with absolute tolerances made for sizes around one: it gets the pairs in millimetres.
const MILLIMETRES: f64 = 1000.0;

struct InMillimetres<'a>(&'a Shape);

impl SupportMap for InMillimetres<'_> {
    fn local_support_point(&self, dir: ParryVector) -> ParryVector {
        let p = self.0.support(&Vec3::new(dir.x, dir.y, dir.z)).point * MILLIMETRES;
        ParryVector::new(p.x, p.y, p.z)
    }
}

fn parry_pose(pose_ab: &Pose) -> ParryPose {
    let (t, q) = (pose_ab.translation.vector * MILLIMETRES, pose_ab.rotation.coords);
    ParryPose::from_parts(
        ParryVector::new(t.x, t.y, t.z),
        parry3d_f64::math::Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

/// Parry's signed distance in metres and its normal, or nothing when it gives up.
pub fn parry(pair: &PosedPair, start: Option<ParryVector>) -> Option<(f64, ParryVector)> {
    let pose_ab = parry_pose(&pair.pose_a.inv_mul(&pair.pose_b));
    let simplex = &mut VoronoiSimplex::new();
    let (a, b) = (InMillimetres(&pair.a), InMillimetres(&pair.b));
    match contact_support_map_support_map_with_params(&pose_ab, &a, &b, f64::MAX, simplex, start) {
        GJKResult::ClosestPoints(p, q, n) => Some(((q - p).dot(n) / MILLIMETRES, n)),
        _ => None,
    }
}
