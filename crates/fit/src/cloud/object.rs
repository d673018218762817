//! A group of points → the surface closest to them, or their hull with the reason.

use super::closest::{ClosestFit, ClosestOptions, NoFit, fit_closest};
use super::error::CloudError;
use crate::surface::FittedSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexMesh, ConvexSurface, Shape};

/// Largest noise of an accepted surface, as a share of its size.
const MAX_NOISE: f64 = 0.08;
/// Largest size of an accepted surface over that of its points: what is not seen is not larger than what is.
const MAX_GROWTH: f64 = 2.0;
/// Points of which a hull is made at once; a mesh may have a million.
const HULL_POINTS: usize = 500_000;
/// Points nearer to each other than this are one point, m: meshes are not smaller.
const ONE_POINT: f64 = 1e-9;

/// An object of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundObject {
    /// Its surface, in the frame of the cloud.
    pub surface: FittedSurface,
    /// Why it is the hull of its points; none when it is the surface closest to them.
    pub reason: Option<NoFit>,
    /// How many points it has.
    pub points: usize,
    /// Share of them that belongs to the surface.
    pub explained: f64,
    /// Mean distance of these from the surface, m.
    pub mean_distance: f64,
}

/// The surface of a group that explains at least the share `needed` of its points, or its hull.
pub(super) fn object(
    points: &[Vec3],
    options: &ClosestOptions,
    needed: f64,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<FoundObject, CloudError> {
    let fit = fit_closest(points, options, is_cancelled);
    match fit.and_then(|fit| accepted(fit, points, needed)) {
        Ok((fit, explained)) => Ok(FoundObject {
            surface: fit.surface,
            reason: None,
            points: points.len(),
            explained,
            mean_distance: fit.mean_distance,
        }),
        Err(NoFit::Cancelled) => Err(CloudError::Cancelled),
        Err(reason) => Ok(hull_object(points, reason)),
    }
}

/// The fit and the share that it explains, or why it is not good enough.
fn accepted(fit: ClosestFit, points: &[Vec3], needed: f64) -> Result<(ClosestFit, f64), NoFit> {
    let size = fit.surface.shape.bounding_radius();
    let found = fit.memberships.iter().filter(|p| **p > 0.5).count() as f64 / points.len() as f64;
    if found < needed {
        return Err(NoFit::Unlike { found, needed });
    }
    if fit.noise > MAX_NOISE * size {
        return Err(NoFit::Rough { noise: fit.noise, limit: MAX_NOISE * size });
    }
    let center = points.iter().sum::<Vec3>() / points.len() as f64;
    let extent = points.iter().map(|p| (p - center).norm()).fold(0.0, f64::max);
    match size > MAX_GROWTH * extent {
        true => Err(NoFit::Large { size, extent }),
        false => Ok((fit, found)),
    }
}

/// The hull of a group, and why it is that.
pub(super) fn hull_object(points: &[Vec3], reason: NoFit) -> FoundObject {
    FoundObject {
        surface: FittedSurface::at(&Pose::identity(), hull(points)),
        reason: Some(reason),
        points: points.len(),
        explained: 1.0,
        mean_distance: 0.0,
    }
}

/// The convex hull of at least one point; flat, straight or a single point if they are.
pub(super) fn hull(points: &[Vec3]) -> Shape {
    let mesh = |points: &[Vec3]| {
        let first = points[0];
        let is_one = points.iter().all(|point| (point - first).amax() < ONE_POINT);
        let points = if is_one { &points[..1] } else { points };
        ConvexMesh::new(points).expect("at least one point, all of them within 1e6 m")
    };
    let parts: Vec<Vec3> =
        points.chunks(HULL_POINTS).flat_map(|part| mesh(part).vertices().to_vec()).collect();
    Shape::ConvexMesh(mesh(&parts).into())
}
