//! Buffers that a caller keeps between questions, so that a question allocates nothing, and the warm starts of pairs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::body::BodyId;
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use crate::robot_shapes::RobotShapes;
use crate::world::ObjectId;
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::broad_phase::BoxLanes;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_query::{SolidBatch, WarmStart};
use smooth_scene_robot::LinkPoses;

/// Warm starts kept for pairs with objects of the world; beyond it all are forgotten.
const MAX_WORLD_STARTS: usize = 1 << 16;

/// A surface of the robot in the state that is asked about.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub pose: Pose,
    /// The rotation of `pose` as a matrix.
    pub rotation: Mat3,
    /// Middle of the box, world frame.
    pub center_w: Vec3,
    /// Box along the axes of the world, not padded.
    pub aabb: Aabb,
}

/// A pair of surfaces of the robot whose bounding volumes are near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// A lower bound on the distance, from bounding balls and boxes.
    pub gap: f64,
    /// Distance of balls that fill most of the bodies: the more negative, the likelier they touch.
    pub core_gap: f64,
    pub a: u32,
    pub b: u32,
    /// What the bodies are grown by.
    pub growth: [f64; 2],
}

/// What the bounds on the distances of candidates are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gaps {
    /// To look at near pairs first.
    Tight,
    /// To leave out pairs that are farther than a limit.
    Sufficient,
}

/// A surface of the robot and an object of the world whose boxes are near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorldCandidate {
    /// A lower bound on their signed distance as grown.
    pub gap: f64,
    pub shape: u32,
    pub object: ObjectId,
}

/// Two bodies and which of their surfaces.
pub(crate) type SurfacePair = (BodyId, BodyId, u32, u32);

/// Buffers of one thread. A workspace may be used with any scene, one after the other.
///
/// A *warm* workspace starts each query from what the last one found for the same pair: for states that follow each
/// other. Whether bodies touch, and distances of bodies apart, then agree with cold answers to the tolerance of the query,
/// not to the last bit. Depths of the fast mode are searched from the way out that was the shortest last time, and may
/// stay there when another has become shorter: some per cent of the depths of angular bodies. A *cold* workspace
/// gives the same bits whatever was asked before.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(crate) poses: LinkPoses,
    pub(crate) placed: Vec<Placed>,
    pub(crate) boxes: BoxLanes,
    pub(crate) candidates: Vec<Candidate>,
    /// The nearest pairs so far, when their number is limited.
    pub(crate) best: Vec<(f64, SurfacePair)>,
    /// The warm starts of the candidates.
    pub(crate) starts: Vec<WarmStart>,
    /// Made when it is first needed: it is large.
    pub(crate) solids: Option<SolidBatch>,
    /// Candidates that it leaves open.
    pub(crate) open: Vec<usize>,
    pub(crate) world_candidates: Vec<WorldCandidate>,
    /// The distances of an answer as numbers to sort by, and where each pair is in it.
    pub(crate) order: Vec<(i64, usize)>,
    warm: Option<Starts>,
    /// The robot these buffers were made for.
    robot: Option<Arc<RobotShapes>>,
}

/// Warm starts: a flat table for pairs of the robot, a map for pairs with the world.
#[derive(Debug, Clone, Default)]
struct Starts {
    robot: Vec<WarmStart>,
    world: HashMap<(u32, ObjectId, u32), WarmStart>,
}

impl Default for Workspace {
    /// A cold one.
    fn default() -> Self {
        Self::cold()
    }
}

impl Workspace {
    /// A workspace that forgets each question.
    pub fn cold() -> Self {
        Self {
            poses: LinkPoses::new(),
            placed: Vec::new(),
            boxes: BoxLanes::new(0),
            candidates: Vec::new(),
            best: Vec::new(),
            starts: Vec::new(),
            solids: None,
            open: Vec::new(),
            world_candidates: Vec::new(),
            order: Vec::new(),
            warm: None,
            robot: None,
        }
    }

    /// A workspace for states that follow each other.
    pub fn warm() -> Self {
        Self { warm: Some(Starts::default()), ..Self::cold() }
    }

    /// Where the links were in the last question.
    pub fn link_poses(&self) -> &LinkPoses {
        &self.poses
    }

    /// Puts the robot into a state.
    pub(crate) fn place(
        &mut self,
        scene: &PlanningScene,
        positions: &[f64],
    ) -> Result<(), SceneError> {
        self.fit(scene);
        self.poses.update(scene.model(), positions)?;
        self.placed.clear();
        for (index, shape) in scene.robot.shapes.iter().enumerate() {
            let pose = self.poses[shape.link] * shape.pose_in_link;
            let rotation = pose.rotation.to_rotation_matrix().into_inner();
            let center_w = rotation * shape.center + pose.translation.vector;
            let mut half_w = rotation.abs() * shape.half_extents;
            // The corners of a box reach beyond its ball. A half-space has neither: 0 · ∞ is no number.
            for half in half_w.iter_mut() {
                *half = if half.is_nan() { f64::INFINITY } else { half.min(shape.radius) };
            }
            let aabb = Aabb { min: center_w - half_w, max: center_w + half_w };
            self.boxes.set(index, &aabb.inflated(shape.self_padding));
            self.placed.push(Placed { pose, rotation, center_w, aabb });
        }
        Ok(())
    }

    /// Makes the buffers those of this scene's robot.
    fn fit(&mut self, scene: &PlanningScene) {
        if self.robot.as_ref().is_some_and(|robot| Arc::ptr_eq(robot, &scene.robot)) {
            return;
        }
        let count = scene.robot.shapes.len();
        self.boxes = BoxLanes::new(count);
        if let Some(starts) = &mut self.warm {
            starts.robot.clear();
            starts.robot.resize(count * count.saturating_sub(1) / 2, WarmStart::default());
            starts.world.clear();
        }
        self.robot = Some(scene.robot.clone());
    }

    pub(crate) fn robot_start(&self, a: u32, b: u32) -> WarmStart {
        match &self.warm {
            Some(starts) => starts.robot[triangular(a, b)],
            None => WarmStart::default(),
        }
    }

    pub(crate) fn keep_robot_start(&mut self, a: u32, b: u32, start: WarmStart) {
        if let Some(starts) = &mut self.warm {
            starts.robot[triangular(a, b)] = start;
        }
    }

    /// The start for a surface of the robot and a part of an object. After the object changed it is a bad start, not a
    /// wrong one: every answer is proven.
    pub(crate) fn world_start(&self, shape: u32, object: ObjectId, part: u32) -> WarmStart {
        let starts = self.warm.as_ref();
        starts.and_then(|s| s.world.get(&(shape, object, part))).copied().unwrap_or_default()
    }

    pub(crate) fn keep_world_start(
        &mut self,
        shape: u32,
        object: ObjectId,
        part: u32,
        start: WarmStart,
    ) {
        let Some(starts) = &mut self.warm else { return };
        if starts.world.len() >= MAX_WORLD_STARTS {
            starts.world.clear();
        }
        starts.world.insert((shape, object, part), start);
    }
}

/// Place of the pair a < b in a table of all pairs.
fn triangular(a: u32, b: u32) -> usize {
    let (a, b) = (a as usize, b as usize);
    b * b.saturating_sub(1) / 2 + a
}
