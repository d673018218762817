//! Is this configuration free? In collision or not, and between whom.

use crate::body::{Between, BodyId};
use crate::error::SceneError;
use crate::pairs::GrownPair;
use crate::planning_scene::PlanningScene;
use crate::workspace::{Candidate, Gaps, Workspace};
use smooth_scene_geometry::broad_phase::STOP;
use smooth_scene_query::QueryOptions;

/// What to look at, and how closely.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRequest {
    /// Between which bodies.
    pub between: Between,
    /// Whether to look at links and attached objects among themselves.
    pub robot: bool,
    /// Whether to look at them against objects of the world.
    pub world: bool,
    /// Tolerances of the queries, and whether depths are to be certified.
    pub query: QueryOptions,
}

impl Default for CheckRequest {
    fn default() -> Self {
        Self {
            between: Between::default(),
            robot: true,
            world: true,
            query: QueryOptions::default(),
        }
    }
}

impl PlanningScene {
    /// Whether the robot in this state touches itself or the world where it may not. Touching within rounding counts.
    pub fn in_collision(
        &self,
        positions: &[f64],
        request: &CheckRequest,
        ws: &mut Workspace,
    ) -> Result<bool, SceneError> {
        Ok(self.any_collision(positions, request, ws)?.is_some())
    }

    /// Two bodies that touch where they may not, or none. Of several pairs the one found first: pairs of the robot
    /// before pairs with the world, likely contacts first.
    pub fn any_collision(
        &self,
        positions: &[f64],
        request: &CheckRequest,
        ws: &mut Workspace,
    ) -> Result<Option<(BodyId, BodyId)>, SceneError> {
        ws.place(self, positions)?;
        if request.robot
            && let Some(found) = self.robot_collision(request, ws)
        {
            return Ok(Some(found));
        }
        Ok(if request.world { self.world_collision(request, ws) } else { None })
    }

    fn robot_collision(
        &self,
        request: &CheckRequest,
        ws: &mut Workspace,
    ) -> Option<(BodyId, BodyId)> {
        self.collect_robot_pairs(0.0, &request.between, Gaps::Sufficient, ws);
        // The likeliest contact first: it ends the search.
        ws.candidates.sort_unstable_by(|x, y| {
            x.core_gap.total_cmp(&y.core_gap).then((x.a, x.b).cmp(&(y.a, y.b)))
        });
        for place in 0..ws.candidates.len() {
            let candidate = ws.candidates[place];
            if self.robot_pair_collides(&candidate, request, ws) {
                let bodies = [candidate.a, candidate.b].map(|k| self.robot.shapes[k as usize].body);
                return Some((bodies[0], bodies[1]));
            }
        }
        None
    }

    /// Visits every two surfaces of the robot that touch where they may not.
    pub(crate) fn for_each_robot_collision(
        &self,
        positions: &[f64],
        request: &CheckRequest,
        ws: &mut Workspace,
        mut visit: impl FnMut(BodyId, BodyId),
    ) -> Result<(), SceneError> {
        ws.place(self, positions)?;
        self.collect_robot_pairs(0.0, &request.between, Gaps::Sufficient, ws);
        for place in 0..ws.candidates.len() {
            let candidate = ws.candidates[place];
            if self.robot_pair_collides(&candidate, request, ws) {
                let bodies = [candidate.a, candidate.b].map(|k| self.robot.shapes[k as usize].body);
                visit(bodies[0], bodies[1]);
            }
        }
        Ok(())
    }

    fn robot_pair_collides(
        &self,
        candidate: &Candidate,
        request: &CheckRequest,
        ws: &mut Workspace,
    ) -> bool {
        let pair = self.robot_pair(candidate, &ws.placed);
        let found = pair.collide(&request.query, &ws.robot_start(candidate.a, candidate.b));
        ws.keep_robot_start(candidate.a, candidate.b, found.warm());
        found.is_contact()
    }

    fn world_collision(
        &self,
        request: &CheckRequest,
        ws: &mut Workspace,
    ) -> Option<(BodyId, BodyId)> {
        if self.world.is_empty() {
            return None;
        }
        for (index, shape) in (0u32..).zip(&self.robot.shapes) {
            let placed = ws.placed[index as usize].clone();
            let mut hit = None;
            let reach = shape.padding + self.robot.largest_object_margin;
            self.world.for_each_near(&placed.aabb, reach, |id, _| {
                if self.gap_to_object(shape, &placed, id) > reach {
                    return reach;
                }
                let visit = |part, pair: &GrownPair| {
                    let start = ws.world_start(index, id, part);
                    let found = pair.collide(&request.query, &start);
                    ws.keep_world_start(index, id, part, found.warm());
                    if found.is_contact() {
                        hit = Some((shape.body, BodyId::Object(id)));
                        return STOP;
                    }
                    0.0
                };
                self.for_each_part_near(shape, &placed, id, &request.between, visit, 0.0);
                if hit.is_some() { STOP } else { reach }
            });
            if hit.is_some() {
                return hit;
            }
        }
        None
    }
}
