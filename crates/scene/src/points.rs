//! Where points are with respect to the bodies of a scene: how far from the nearest one, on which side, along which normal.
//!
//! A point is compared with the surfaces themselves: scales of links count, paddings and margins do not.

use rayon::prelude::*;

use crate::body::{BodyId, BodySet};
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use crate::robot_surfaces::RobotSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{PointProjection, QueryOptions, point_distance};

/// The body that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestToPoint {
    /// The body.
    pub body: BodyId,
    /// Which of its convex surfaces, compounds taken apart.
    pub part: u32,
    /// Distance, its bounds, the nearest point of the surface and its outward normal. The bounds hold for the nearest of all
    /// bodies, not only for this one. In several surfaces at once, it is the one that the point is deepest in.
    pub projection: PointProjection,
}

/// A convex surface in the world, and a ball around it.
#[derive(Debug)]
struct Placed {
    body: BodyId,
    part: u32,
    pose_w: Pose,
    shape: Shape,
    center_w: Vec3,
    radius: f64,
}

impl Placed {
    fn new(body: BodyId, part: u32, pose_w: Pose, shape: &Shape) -> Self {
        let ball = shape.bounding_sphere();
        let center_w = pose_w.transform_point(&ball.center.into()).coords;
        Self { body, part, pose_w, shape: shape.clone(), center_w, radius: ball.radius }
    }
}

/// The surfaces of some bodies of a scene in one state, to be asked about points.
#[derive(Debug)]
pub struct PointQuery {
    surfaces: Vec<Placed>,
    options: QueryOptions,
}

impl PointQuery {
    /// The surfaces of these bodies, or of all, with the robot at these positions.
    pub fn new(
        scene: &PlanningScene,
        positions: &[f64],
        bodies: Option<&BodySet>,
        options: &QueryOptions,
    ) -> Result<Self, SceneError> {
        let is_wanted = |body| bodies.is_none_or(|bodies| bodies.contains(body));
        let mut surfaces = Vec::new();
        for surface in scene.robot_surfaces(positions)? {
            if is_wanted(surface.body) {
                let RobotSurface { body, part, pose_w, shape, .. } = surface;
                surfaces.push(Placed::new(body, part, pose_w, shape));
            }
        }
        for (id, object) in scene.world().iter() {
            let body = BodyId::Object(id);
            if is_wanted(body) {
                let mut part = 0;
                object.for_each_part(|pose, shape| {
                    surfaces.push(Placed::new(body, part, object.pose() * pose, shape));
                    part += 1;
                });
            }
        }
        Ok(Self { surfaces, options: *options })
    }

    /// The body nearest to a point, in the frame of the root; none if all are farther than `max_distance`.
    pub fn nearest(&self, point_w: &Vec3, max_distance: f64) -> Option<NearestToPoint> {
        // No point of a surface is nearer than its ball. Nearest balls first: most surfaces are never asked.
        let gap = |placed: &Placed| (point_w - placed.center_w).norm() - placed.radius;
        let mut order: Vec<(f64, usize)> =
            self.surfaces.iter().enumerate().map(|(k, placed)| (gap(placed), k)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best: Option<NearestToPoint> = None;
        let mut lower = f64::INFINITY;
        for (gap, k) in order {
            // With room for the rounding of the gap itself.
            let known = best.map_or(max_distance, |best| best.projection.upper);
            if gap - 1e-9 * (1.0 + gap.abs()) > known {
                break;
            }
            let placed = &self.surfaces[k];
            let found = point_distance(&placed.shape, &placed.pose_w, point_w, &self.options);
            lower = lower.min(found.lower);
            if best.is_none_or(|best| found.distance < best.projection.distance) {
                best = Some(NearestToPoint {
                    body: placed.body,
                    part: placed.part,
                    projection: found,
                });
            }
        }
        let mut best = best?;
        best.projection.lower = lower;
        (best.projection.distance <= max_distance).then_some(best)
    }

    /// The same for many points, over all cores.
    pub fn nearest_to_each(
        &self,
        points_w: &[Vec3],
        max_distance: f64,
    ) -> Vec<Option<NearestToPoint>> {
        points_w.par_iter().map(|point| self.nearest(point, max_distance)).collect()
    }
}
