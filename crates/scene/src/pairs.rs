//! The pairs of surfaces a question has to look at, and one query on one of them.

use crate::body::{Between, BodyId};
use crate::oriented_boxes::box_gap;
use crate::planning_scene::PlanningScene;
use crate::robot_shape::RobotShape;
use crate::workspace::{Candidate, Gaps, Placed, Workspace};
use crate::world::ObjectId;
use smooth_scene_geometry::math::{Mat3, Pose};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{Collision, PairQuery, QueryOptions, SignedDistance, WarmStart, Within};

/// Rounding of the gap of two boxes, relative to their coordinates: some dozen units in the last place.
const BOX_ROUNDING: f64 = 1e-14;

/// Two convex surfaces in the world, and how far each is grown.
pub(crate) struct GrownPair<'a> {
    pub a: &'a Shape,
    pub pose_a: &'a Pose,
    pub b: &'a Shape,
    pub pose_b: &'a Pose,
    pub growth: [f64; 2],
}

impl<'a> GrownPair<'a> {
    fn query(&self, options: &QueryOptions, warm: &WarmStart) -> PairQuery<'a> {
        PairQuery::new(self.a, self.pose_a, self.b, self.pose_b).options(options).warm_start(warm)
    }

    /// Whether the grown surfaces meet.
    pub fn collide(&self, options: &QueryOptions, warm: &WarmStart) -> Collision {
        let margin = self.growth[0] + self.growth[1];
        self.query(options, warm).collides_within(margin)
    }

    /// Whether the grown surfaces are proven to be farther apart than this, m, which is not negative.
    pub fn is_beyond(&self, limit: f64, options: &QueryOptions) -> bool {
        let [one, other] = self.growth;
        let grown = Self { growth: [one + limit, other], ..*self };
        !grown.collide(options, &WarmStart::default()).is_contact()
    }

    /// The signed distance of the grown surfaces if it is at most `limit`, and the next warm start.
    pub fn distance(
        &self,
        limit: f64,
        options: &QueryOptions,
        warm: &WarmStart,
    ) -> (Option<SignedDistance>, WarmStart) {
        let threshold = limit + self.growth[0] + self.growth[1];
        match self.query(options, warm).within(threshold) {
            Within::Farther { warm, .. } => (None, warm),
            Within::Near(found) => (Some(grown(&found, self.growth)), found.warm),
        }
    }
}

/// The answer for surfaces that were grown by so much: a ball added to a body moves its surface along the normal.
#[inline]
pub(crate) fn grown(found: &SignedDistance, growth: [f64; 2]) -> SignedDistance {
    let sum = growth[0] + growth[1];
    SignedDistance {
        distance: found.distance - sum,
        lower: found.lower - sum,
        upper: found.upper - sum,
        witness_a_w: found.witness_a_w + found.normal_ab_w * growth[0],
        witness_b_w: found.witness_b_w - found.normal_ab_w * growth[1],
        ..*found
    }
}

impl PlanningScene {
    /// The pair that a candidate stands for.
    pub(crate) fn robot_pair<'a>(
        &'a self,
        candidate: &Candidate,
        placed: &'a [Placed],
    ) -> GrownPair<'a> {
        let (a, b) = (candidate.a as usize, candidate.b as usize);
        let (one, other) = (&self.robot.shapes[a], &self.robot.shapes[b]);
        GrownPair {
            a: &one.shape,
            pose_a: &placed[a].pose,
            b: &other.shape,
            pose_b: &placed[b].pose,
            growth: candidate.growth,
        }
    }

    /// Fills the workspace with the pairs of surfaces of the robot whose bounding volumes are within `limit`.
    pub(crate) fn collect_robot_pairs(
        &self,
        limit: f64,
        between: &Between,
        gaps: Gaps,
        ws: &mut Workspace,
    ) {
        let (robot, placed) = (&self.robot, &ws.placed);
        let candidates = &mut ws.candidates;
        candidates.clear();
        let everything = *between == Between::default();
        let reach = limit + robot.largest_margin;
        robot.filter.for_each_within(&ws.boxes, reach, |a, b, _| {
            let (one, other) = (&robot.shapes[a], &robot.shapes[b]);
            let [grow_a, grow_b] = robot.inflation(one, other);
            let offset_w = placed[b].center_w - placed[a].center_w;
            let centers = offset_w.norm();
            let growth = grow_a + grow_b;
            let mut gap = centers - (one.radius + other.radius) - growth;
            let core_gap = centers - (one.core_radius + other.core_radius);
            // The gap of two boxes is never more than that of the balls inside them.
            let is_near = gaps == Gaps::Sufficient && core_gap - growth <= limit;
            if gap <= limit && !is_near {
                let (at_a, at_b) = (&placed[a].rotation, &placed[b].rotation);
                let boxes = box_gap(&offset_w, at_a, &one.half_extents, at_b, &other.half_extents);
                // A half-space has a box without bounds: the comparison with NaN keeps the other bound.
                gap = gap.max(boxes - growth);
            }
            if gap <= limit && (everything || between.includes(one.body, other.body)) {
                let (a, b, growth) = (a as u32, b as u32, [grow_a, grow_b]);
                candidates.push(Candidate { gap, core_gap, a, b, growth });
            }
        });
    }

    /// Whether a surface of the robot and an object may not touch; then how far each is grown.
    pub(crate) fn growth_with_object(&self, shape: &RobotShape, object: &str) -> Option<[f64; 2]> {
        if !self.robot.names_objects {
            return Some([shape.padding, 0.0]);
        }
        let body = self.body_name(shape.body);
        if self.acm.decide(body, object).allowed {
            return None;
        }
        let margin = self.sizes.margin(body, object);
        Some([shape.padding + 0.5 * margin, 0.5 * margin])
    }

    /// A lower bound on the signed distance of a surface of the robot and an object, not grown: the largest gap along an
    /// axis of either box.
    pub(crate) fn gap_to_object(&self, shape: &RobotShape, placed: &Placed, id: ObjectId) -> f64 {
        let aabb = self.world.aabb(id);
        let (offset_w, half) = (aabb.center() - placed.center_w, aabb.half_extents());
        let reach = offset_w.amax() + shape.radius + half.amax();
        // Half-spaces have boxes without end, and those say nothing.
        if !reach.is_finite() {
            return f64::NEG_INFINITY;
        }
        let axes = Mat3::identity();
        let gap = box_gap(&offset_w, &placed.rotation, &shape.half_extents, &axes, &half);
        // Some dozen operations may round; bodies that just touch must not be told apart by that.
        gap - BOX_ROUNDING * (placed.center_w.amax() + reach)
    }

    /// The pair of one surface of the robot and one part of an object, unless bounding balls prove it farther than
    /// `limit`. Balls are only looked at where the object's own box says little about its parts.
    pub(crate) fn for_each_part_near(
        &self,
        shape: &RobotShape,
        placed: &Placed,
        id: ObjectId,
        between: &Between,
        mut visit: impl FnMut(u32, &GrownPair) -> f64,
        limit: f64,
    ) {
        let object = self.object_at(id);
        if !between.includes(shape.body, BodyId::Object(id)) {
            return;
        }
        // Without a growth the pair may touch.
        let Some(growth) = self.growth_with_object(shape, object.name()) else { return };
        let mut part = 0;
        let mut limit = limit;
        let several = object.shapes().len() > 1
            || object.shapes().any(|(_, shape)| matches!(shape, Shape::Compound(_)));
        object.for_each_part(|local, b| {
            let pose_b = object.pose() * local;
            let reach = shape.radius + b.bounding_radius() + growth[0] + growth[1];
            let centers = (pose_b.translation.vector - placed.center_w).norm();
            if limit >= 0.0 && !(several && centers - reach > limit) {
                let pair =
                    GrownPair { a: &shape.shape, pose_a: &placed.pose, b, pose_b: &pose_b, growth };
                limit = limit.min(visit(part, &pair));
            }
            part += 1;
        });
    }
}
