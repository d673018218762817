//! Where the surfaces of two links meet: points that both take although neither mesh is there.

use std::collections::BTreeMap;

use crate::error::FitError;
use crate::link_fit::{LinkFit, hull_of};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexMesh, ConvexSurface, tessellate};
use smooth_scene_robot::{LinkPoses, RobotModel, StateSampler};

/// Most random states that are looked at.
const STATES: usize = 4000;
/// Points of a pair that are enough.
const ENOUGH: usize = 300;
/// Deviation of the triangles whose corners are looked at, as a share of the size of a surface.
const DEVIATION: f64 = 0.01;

/// For the links of these pairs, points in the link's frame that lie in surfaces of both links in some random state, and
/// in neither hull: [`Models::choose`](crate::Models::choose) keeps surfaces clear of them where it can.
pub fn contested_points(
    model: &RobotModel,
    fits: &[LinkFit],
    pairs: &[[String; 2]],
    seed: u64,
) -> Result<BTreeMap<String, Vec<Vec3>>, FitError> {
    let mut bodies: BTreeMap<&str, Body> = BTreeMap::new();
    for name in pairs.iter().flatten() {
        // A link that was not fitted has no surfaces to change.
        if let Some(fit) = fits.iter().find(|fit| fit.name == *name && fit.hull.is_none()) {
            bodies.insert(name, Body::new(model, fit)?);
        }
    }
    let mut found: BTreeMap<String, Vec<Vec3>> = BTreeMap::new();
    let mut counts = vec![0; pairs.len()];
    let mut sampler = StateSampler::new(model, seed);
    let (mut poses, mut positions) = (LinkPoses::new(), Vec::new());
    for _ in 0..STATES {
        sampler.draw_into(&mut positions);
        poses.update(model, &positions).expect("a sampled state is one of the model");
        for ([a, b], count) in pairs.iter().zip(&mut counts) {
            if *count >= ENOUGH {
                continue;
            }
            let (Some(of_a), Some(of_b)) = (bodies.get(a.as_str()), bodies.get(b.as_str())) else {
                continue;
            };
            let pose_ab = poses.as_slice()[of_a.link].inverse() * poses.as_slice()[of_b.link];
            let place = pose_ab.rotation * of_b.center + pose_ab.translation.vector;
            if (place - of_a.center).norm() > of_a.radius + of_b.radius {
                continue;
            }
            for (one, other, pose) in [(of_a, of_b, pose_ab), (of_b, of_a, pose_ab.inverse())] {
                // The points of `other`, seen from `one`.
                for point in &other.points {
                    let seen = pose.rotation * point + pose.translation.vector;
                    if one.takes(&seen) && other.is_outside_hull(point) {
                        found.entry(one.name.clone()).or_default().push(seen);
                        found.entry(other.name.clone()).or_default().push(*point);
                        *count += 1;
                    }
                }
            }
        }
    }
    Ok(found)
}

/// A link with its surfaces.
struct Body<'f> {
    name: String,
    link: usize,
    fit: &'f LinkFit,
    hull: ConvexMesh,
    /// Points of its surfaces, in the link's frame, and a ball around them.
    points: Vec<Vec3>,
    center: Vec3,
    radius: f64,
}

impl<'f> Body<'f> {
    fn new(model: &RobotModel, fit: &'f LinkFit) -> Result<Self, FitError> {
        let link = model.links().iter().position(|link| link.name == fit.name);
        let link = link.expect("the fitted links are those of this robot");
        let points = fit.surfaces.iter().flat_map(|surface| {
            let pose: Pose = surface.pose();
            let mesh = tessellate(&surface.shape, DEVIATION * surface.shape.bounding_radius());
            mesh.vertices.into_iter().map(move |p| pose.rotation * p + pose.translation.vector)
        });
        let points: Vec<Vec3> = points.collect();
        let center = points.iter().sum::<Vec3>() / points.len() as f64;
        let radius = points.iter().map(|p| (p - center).norm()).fold(0.0, f64::max);
        let (name, hull) = (fit.name.clone(), hull_of(&fit.triangles)?);
        Ok(Self { name, link, fit, hull, points, center, radius })
    }

    /// Whether a point is in a surface and not in the hull.
    fn takes(&self, point: &Vec3) -> bool {
        let inside = self.fit.surfaces.iter().any(|surface| {
            let local = surface.pose().inverse_transform_point(&(*point).into()).coords;
            surface.shape.inside_outside(&local) <= 0.0
        });
        inside && self.is_outside_hull(point)
    }

    fn is_outside_hull(&self, point: &Vec3) -> bool {
        self.hull.is_flat() || self.hull.inside_outside(point) > 0.0
    }
}
