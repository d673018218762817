//! Where points are with respect to the bodies of a scene: how far from the nearest one, on which side, along which normal.
//!
//! A point is compared with the surfaces themselves: scales of links count, paddings and margins do not.

use rayon::prelude::*;

use crate::body::{BodyId, BodySet};
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{PointProjection, QueryOptions, point_distance};
use smooth_scene_robot::forward_kinematics;

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
        let model = scene.model();
        let poses = forward_kinematics(model, positions)?;
        let mut query = Self { surfaces: Vec::new(), options: *options };
        let is_wanted = |body| bodies.is_none_or(|bodies| bodies.contains(body));
        for id in model.link_ids() {
            let (link, body) = (model.link(id), BodyId::Link(id));
            if is_wanted(body) {
                let scale = scene.sizes().link(&link.name).scale;
                let shapes = link.collisions.iter().map(|c| (poses[id] * c.pose_in_link, &c.shape));
                query.add(scene, body, scale, shapes)?;
            }
        }
        for (place, item) in (0..).zip(scene.attached()) {
            let (body, object) = (BodyId::Attached(place), &item.object);
            if is_wanted(body) {
                let at = poses[item.link] * object.pose();
                query.add(
                    scene,
                    body,
                    1.0,
                    object.shapes().map(|(pose, shape)| (at * pose, shape)),
                )?;
            }
        }
        for (id, object) in scene.world().iter() {
            let body = BodyId::Object(id);
            if is_wanted(body) {
                let at = object.pose();
                query.add(
                    scene,
                    body,
                    1.0,
                    object.shapes().map(|(pose, shape)| (at * pose, shape)),
                )?;
            }
        }
        Ok(query)
    }

    fn add<'a>(
        &mut self,
        scene: &PlanningScene,
        body: BodyId,
        scale: f64,
        shapes: impl Iterator<Item = (Pose, &'a Shape)>,
    ) -> Result<(), SceneError> {
        let mut part = 0;
        for (pose_w, shape) in shapes {
            let refused = |source| SceneError::Shape { name: scene.body_name(body).into(), source };
            let scaled = match scale {
                1.0 => shape.clone(),
                _ => shape.mapped(&(Mat3::identity() * scale)).map_err(refused)?,
            };
            let parts = match scaled {
                Shape::Compound(compound) => compound.parts().to_vec(),
                convex => vec![(Pose::identity(), convex)],
            };
            for (local, shape) in parts {
                let (pose_w, ball) = (pose_w * local, shape.bounding_sphere());
                let center_w = pose_w.transform_point(&ball.center.into()).coords;
                let radius = ball.radius;
                self.surfaces.push(Placed { body, part, pose_w, shape, center_w, radius });
                part += 1;
            }
        }
        Ok(())
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
