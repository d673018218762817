//! Which link catches, and where it can be.

use std::sync::Arc;

use crate::error::ViewError;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_plan::state_towards_pose;
use smooth_scene_robot::{LinkId, LinkPoses, LinkSurface, RobotModel, StateSampler};
use smooth_scene_scene::PlanningScene;

/// States from which the reach is estimated, and the share of them that is left out at each end.
const SAMPLES: usize = 200;
const LEFT_OUT: f64 = 0.1;
/// Half the room is at most so many times as wide as the hand: a hand that can go anywhere still sees what falls.
const WIDEST: f64 = 5.0;
/// Degrees of freedom a hand needs.
const LEAST_FREEDOM: usize = 2;
/// Names that say that a link is a hand.
const NAMES: [&str; 3] = ["palm", "hand", "gripper"];

/// A link that is moved, and its room in the plane of the game.
#[derive(Debug, Clone)]
pub(crate) struct Hand {
    pub link: String,
    id: LinkId,
    /// Where it shall be; it gets as near as the joints allow.
    pub goal: Pose,
    /// The least and the greatest y and z of the goal.
    pub room: [[f64; 2]; 2],
    /// Length of the joints that a move may turn, for sizes: half the diagonal of the room.
    pub reach: f64,
}

impl Hand {
    /// The named link, or the one that looks most like a hand.
    pub fn new(
        scene: &PlanningScene,
        positions: &[f64],
        name: Option<&str>,
    ) -> Result<Self, ViewError> {
        let model = scene.model();
        let id = match name {
            Some(name) => {
                let unknown = || ViewError::Unknown { kind: "link", name: name.into() };
                model.link_id(name).ok_or_else(unknown)?
            }
            None => {
                likely(model).ok_or(ViewError::NothingTo("reach with: no link moves enough"))?
            }
        };
        let mut poses = LinkPoses::new();
        poses.update(model, positions).map_err(smooth_scene_scene::SceneError::from)?;
        let goal = poses[id];
        let room = room(model, id, &goal)?;
        let sides = room.map(|[least, most]| most - least);
        let reach = 0.5 * smooth_scene_geometry::math::hypot(sides[0], sides[1]);
        if reach <= 1e-3 {
            return Err(ViewError::NothingTo("reach with: the link hardly moves"));
        }
        Ok(Self { link: model.link(id).name.clone(), id, goal, room, reach })
    }

    /// Moves the goal within the room; true if it moved.
    pub fn steer(&mut self, y: f64, z: f64) -> bool {
        let at = self.goal.translation.vector;
        let clamped = |value: f64, [least, most]: [f64; 2]| value.clamp(least, most);
        let to = Vec3::new(at.x, clamped(at.y + y, self.room[0]), clamped(at.z + z, self.room[1]));
        self.goal.translation.vector = to;
        to != at
    }

    /// The state in which the link is nearest to the goal.
    pub fn follow(&self, scene: &PlanningScene, positions: &[f64]) -> Result<Vec<f64>, ViewError> {
        Ok(state_towards_pose(scene, None, positions, &self.link, &self.goal)?)
    }

    /// Whether a link is part of the hand: it, or what hangs on it.
    pub fn has(&self, model: &RobotModel, link: &str) -> bool {
        let mut next = model.link_id(link);
        while let Some(id) = next {
            if id == self.id {
                return true;
            }
            next = model.parent_link(id);
        }
        false
    }
}

/// Degrees of freedom between the root and a link.
fn freedom(model: &RobotModel, link: LinkId) -> usize {
    let joints = model.joints_up_to(link, model.root());
    joints.iter().map(|joint| model.joint(*joint).kind.velocity_count()).sum()
}

/// A link that is called a hand, else the one with the most degrees of freedom; the first of equals.
fn likely(model: &RobotModel) -> Option<LinkId> {
    let with_surface = |id: &LinkId| !model.link(*id).collisions.is_empty();
    let moves = |id: &LinkId| freedom(model, *id) >= LEAST_FREEDOM;
    let able: Vec<LinkId> = model.link_ids().filter(with_surface).filter(moves).collect();
    let is_hand = |id: &&LinkId| NAMES.iter().any(|name| model.link(**id).name.contains(name));
    let most = able.iter().rev().max_by_key(|id| freedom(model, **id));
    able.iter().find(is_hand).or(most).copied()
}

/// The largest half extent of the surfaces of a link; without any a tenth of a metre.
fn size(model: &RobotModel, link: LinkId) -> f64 {
    let half = |surface: &LinkSurface| {
        let aabb = surface.shape.local_aabb();
        0.5 * (aabb.max - aabb.min).amax()
    };
    let largest = model.link(link).collisions.iter().map(half).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 0.1 }
}

/// The least and greatest y and z of a link in random states, without the outermost, and never without where it is.
fn room(model: &Arc<RobotModel>, link: LinkId, now: &Pose) -> Result<[[f64; 2]; 2], ViewError> {
    let mut sampler = StateSampler::new(model, 1);
    let mut poses = LinkPoses::new();
    let mut seen = [Vec::with_capacity(SAMPLES), Vec::with_capacity(SAMPLES)];
    for _ in 0..SAMPLES {
        poses.update(model, &sampler.draw()).map_err(smooth_scene_scene::SceneError::from)?;
        let at = poses[link].translation.vector;
        seen[0].push(at.y);
        seen[1].push(at.z);
    }
    let left_out = (LEFT_OUT * SAMPLES as f64) as usize;
    let now = [now.translation.vector.y, now.translation.vector.z];
    let most = WIDEST * size(model, link);
    let mut room = [[0.0; 2]; 2];
    for (k, values) in seen.iter_mut().enumerate() {
        values.sort_by(f64::total_cmp);
        let [least, greatest] = [values[left_out], values[SAMPLES - 1 - left_out]];
        room[k] = [least.clamp(now[k] - most, now[k]), greatest.clamp(now[k], now[k] + most)];
    }
    Ok(room)
}
