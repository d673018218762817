//! How near is the robot to the world? The part of [`nearest`](PlanningScene::nearest) about objects.
//!
//! When only the k nearest pairs are wanted, bounds come first: boxes bound a distance from below, two points of the
//! bodies from above. The k-th smallest upper bound limits the search through the tree, and what remains is measured in
//! the order of the lower bounds. The first few pairs then lower the limit below the bounds of nearly all others, whichever surface of
//! the robot they belong to, and whether the bodies are apart or inside each other.

use crate::body::BodyId;
use crate::nearest_found::Found;
use crate::object::SceneObject;
use crate::pair_distance::PairDistance;
use crate::pairs::GrownPair;
use crate::planning_scene::PlanningScene;
use crate::robot_shape::RobotShape;
use crate::workspace::{Placed, Workspace, WorldCandidate};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};

/// Far above the rounding of a distance, far below what is asked for; relative to coordinates.
const ROUNDING: f64 = 1e-12;

impl PlanningScene {
    pub(crate) fn collect_near_world(&self, found: &mut Found, ws: &mut Workspace) {
        let mut candidates = std::mem::take(&mut ws.world_candidates);
        candidates.clear();
        for index in 0..self.robot.shapes.len() as u32 {
            self.collect_world_candidates(index, found, ws, &mut candidates);
        }
        if found.counts() {
            candidates.sort_unstable_by(|x, y| {
                x.gap.total_cmp(&y.gap).then((x.shape, x.object).cmp(&(y.shape, y.object)))
            });
        }
        for candidate in &candidates {
            if candidate.gap <= found.limit {
                self.measure_world_candidate(candidate, found, ws);
            }
        }
        ws.world_candidates = candidates;
    }

    /// The objects near one surface of the robot.
    fn collect_world_candidates(
        &self,
        index: u32,
        found: &mut Found,
        ws: &Workspace,
        candidates: &mut Vec<WorldCandidate>,
    ) {
        let (shape, placed) = (&self.robot.shapes[index as usize], &ws.placed[index as usize]);
        let between = &found.request.check.between;
        let growth = shape.padding + self.robot.largest_object_margin;
        let reach = |found: &Found| found.limit.max(0.0) + growth;
        self.world.for_each_near(&placed.aabb, reach(found), |id, _| {
            let lower = self.gap_to_object(shape, placed, id);
            if lower > reach(found) || !between.includes(shape.body, BodyId::Object(id)) {
                return reach(found);
            }
            let object = self.object_at(id);
            let Some([a, b]) = self.growth_with_object(shape, object.name()) else {
                return reach(found);
            };
            let mut gap = lower - (a + b);
            if found.counts()
                && gap <= found.limit
                && let Some([separation, way]) = bounds_from_points(shape, placed, object)
            {
                found.bound((shape.body, BodyId::Object(id), shape.part, 0), way - (a + b));
                // What separates the first part says nothing about the others.
                if object.shapes().len() == 1 {
                    gap = gap.max(separation - (a + b));
                }
            }
            if gap <= found.limit {
                candidates.push(WorldCandidate { gap, shape: index, object: id });
            }
            reach(found)
        });
    }

    fn measure_world_candidate(
        &self,
        candidate: &WorldCandidate,
        found: &mut Found,
        ws: &mut Workspace,
    ) {
        let &WorldCandidate { shape: index, object: id, .. } = candidate;
        let shape = &self.robot.shapes[index as usize];
        let placed = ws.placed[index as usize].clone();
        let check = &found.request.check;
        let limit = found.limit.max(0.0);
        let visit = |part, pair: &GrownPair| {
            let start = ws.world_start(index, id, part);
            let (answer, warm) = pair.distance(found.limit, &check.query, &start);
            ws.keep_world_start(index, id, part, warm);
            if let Some(distance) = answer {
                let bodies = [(shape.body, shape.part), (BodyId::Object(id), part)];
                found.add(PairDistance::new(bodies, distance));
            }
            // A limit below zero would end the search; a contact does not.
            found.limit.max(0.0)
        };
        self.for_each_part_near(shape, &placed, id, &check.between, visit, limit);
    }
}

/// Bounds on the signed distance from a point of a surface and one of an object, each the farthest towards the other:
/// the separation along the direction between the middles, and the way between the points. Of the first part of the
/// object; None unless both are bounded and convex.
fn bounds_from_points(
    shape: &RobotShape,
    placed: &Placed,
    object: &SceneObject,
) -> Option<[f64; 2]> {
    let (local, part) = object.shapes().next().expect("an object has at least one shape");
    let has_farthest_point =
        |shape: &Shape| !matches!(shape, Shape::Compound(_) | Shape::HalfSpace(_));
    if !has_farthest_point(part) || !has_farthest_point(&shape.shape) {
        return None;
    }
    let pose = object.pose() * local;
    let dir_w = pose.translation.vector - placed.center_w;
    // Points with the same middle have no direction between them; any will do.
    let dir_w = dir_w.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::x);
    let toward = |pose: &Pose, body: &Shape, dir_w: Vec3| {
        let dir = pose.rotation.inverse_transform_vector(&dir_w);
        pose.transform_point(&body.support(&dir).point.into()).coords
    };
    let (a, b) = (toward(&placed.pose, &shape.shape, dir_w), toward(&pose, part, -dir_w));
    let (separation, way) = (dir_w.dot(&(b - a)), (b - a).norm());
    // The pair must not be lost when these are its nearest points and rounding makes them nearer or farther.
    let rounding = ROUNDING * (way + a.amax());
    Some([separation - rounding, way + rounding])
}
