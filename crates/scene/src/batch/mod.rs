//! Is any of these states in collision? Eight states at a time.
//!
//! Balls that contain the surfaces and are apart prove that a pair is apart; balls inside that overlap prove a contact.
//! Both are compared in single precision on eight states at once, with margins for its rounding. Pairs about which they
//! prove nothing are asked about exactly. So each answer is that of
//! [`in_collision`](crate::PlanningScene::in_collision), only sooner.

mod block;
mod kinematics;
mod lane_ball;
mod part;
mod prepared;

use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::oriented_boxes::box_gap;
use crate::pairs::GrownPair;
use crate::planning_scene::PlanningScene;
use crate::robot_shapes::RobotShape;
use crate::workspace::Workspace;
use block::{Block, Findings, OpenPair, Until};
use kinematics::LANES;
use part::Part;
use prepared::Prepared;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::simd::Level;
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{Collision, WarmStart};
use smooth_scene_robot::LinkPoses;
use std::cmp::Reverse;
use std::sync::Arc;

/// Surfaces of which boxes or a direction say less than this about their distance are asked about exactly, m: far above the
/// rounding of a gap at a kilometre.
const SURELY_APART: f64 = 1e-9;
/// Directions kept for each pair.
const MAX_NORMALS: usize = 3;
/// Pairs with at most so many joints between them are looked at without the poses of all links.
const FEW_JOINTS: usize = 3;

/// Answers for many states of one snapshot of a scene on one thread.
pub struct BatchChecker {
    scene: PlanningScene,
    /// None for scenes whose states are asked one by one.
    prepared: Option<Arc<Prepared>>,
    findings: Findings,
    /// Open pairs of one state, those first that touched most often.
    order: Vec<(Reverse<u64>, OpenPair)>,
    poses: LinkPoses,
    normals: Normals,
    workspace: Workspace,
    request: CheckRequest,
    statistics: BatchStatistics,
}

/// How the answers of a [`BatchChecker`] came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchStatistics {
    /// States that were asked about.
    pub states: u64,
    /// Those for which at least one pair was asked about exactly.
    pub exact: u64,
    /// Those that were asked about as a whole, as [`PlanningScene::in_collision`] does.
    pub whole: u64,
}

impl BatchChecker {
    /// Prepares a scene: finds the balls of every surface, some certified queries for each. Robots with surfaces without
    /// bounds and worlds with more than 20 000 pairs are not prepared; their states are asked about one by one. So are
    /// states in which a joint without limits has moved the robot by more than 2 m.
    pub fn new(scene: &PlanningScene) -> Self {
        Self::prepared(scene.clone(), Prepared::new(scene).map(Arc::new))
    }

    /// One more for the same scene, for another thread, without preparing it again.
    pub fn another(&self) -> Self {
        Self::prepared(self.scene.clone(), self.prepared.clone())
    }

    fn prepared(scene: PlanningScene, prepared: Option<Arc<Prepared>>) -> Self {
        Self {
            prepared,
            scene,
            findings: Findings::default(),
            order: Vec::new(),
            poses: LinkPoses::new(),
            normals: Normals::default(),
            workspace: Workspace::cold(),
            request: CheckRequest::default(),
            statistics: BatchStatistics::default(),
        }
    }

    /// How the answers so far came about.
    pub fn statistics(&self) -> BatchStatistics {
        self.statistics
    }

    /// Whether each state is in collision. States follow each other in one slice.
    pub fn in_collision(&mut self, states: &[f64]) -> Result<Vec<bool>, SceneError> {
        let mut answers = Vec::new();
        for block in self.blocks(states)? {
            let colliding = self.block(&block, Until::EveryState)?;
            answers.extend((0..block.len()).map(|lane| colliding & (1 << lane) != 0));
        }
        Ok(answers)
    }

    /// Whether any state is in collision.
    pub fn any_in_collision(&mut self, states: &[f64]) -> Result<bool, SceneError> {
        for block in self.blocks(states)? {
            if self.block(&block, Until::FirstCollision)? != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The states in groups of eight.
    fn blocks<'s>(
        &self,
        states: &'s [f64],
    ) -> Result<impl Iterator<Item = Vec<&'s [f64]>> + use<'s>, SceneError> {
        let width = self.scene.model().position_count();
        let is_whole =
            if width == 0 { states.is_empty() } else { states.len().is_multiple_of(width) };
        if !is_whole {
            let (what, given) = ("positions", states.len());
            let expected = width * (states.len() / width.max(1) + 1);
            return Err(
                smooth_scene_robot::StateError::WrongLength { what, expected, given }.into()
            );
        }
        let block = (width * LANES).max(1);
        Ok(states.chunks(block).map(move |block| block.chunks_exact(width.max(1)).collect()))
    }

    /// The colliding states of at most eight, as bits; with [`Until::FirstCollision`] maybe not all of them.
    fn block(&mut self, states: &[&[f64]], until: Until) -> Result<u32, SceneError> {
        self.statistics.states += states.len() as u64;
        let mut asked = 0;
        if let Some(prepared) = &self.prepared {
            for (lane, positions) in states.iter().enumerate() {
                asked |= u32::from(prepared.chain.covers(positions)) << lane;
            }
        }
        let mut colliding = 0;
        if let (Some(prepared), true) = (&self.prepared, asked != 0) {
            let some = states[asked.trailing_zeros() as usize];
            let fill = |lane: usize| match asked & (1 << lane) {
                0 => some,
                _ => states[lane],
            };
            let states = std::array::from_fn(fill);
            let findings = &mut self.findings;
            Level::detect().run(Block { prepared, states, asked, until, findings });
            colliding = self.findings.colliding;
        }
        for (lane, positions) in states.iter().enumerate() {
            let bit = 1 << lane;
            if colliding & bit != 0 {
                continue;
            }
            if until == Until::FirstCollision && colliding != 0 {
                break;
            }
            let found = if asked & bit == 0 {
                self.statistics.whole += 1;
                self.scene.in_collision(positions, &self.request, &mut self.workspace)?
            } else {
                self.any_open_pair(positions, bit)?
            };
            colliding |= u32::from(found) << lane;
        }
        Ok(colliding)
    }

    /// Asks about the pairs that balls left open in a state.
    fn any_open_pair(&mut self, positions: &[f64], bit: u32) -> Result<bool, SceneError> {
        if !self.findings.open.iter().any(|(_, states)| states & bit != 0) {
            return Ok(false);
        }
        self.statistics.exact += 1;
        let prepared = self.prepared.as_ref().expect("only prepared scenes leave pairs open");
        self.order.clear();
        for &(pair, _) in self.findings.open.iter().filter(|(_, states)| states & bit != 0) {
            self.order.push((Reverse(self.normals.of(pair).contacts), pair));
        }
        // Pairs that touched often first: they touch again, and one contact is enough. The order of equals stays.
        self.order.sort_by_key(|(contacts, _)| *contacts);
        let mut is_placed = false;
        for &(_, pair) in &self.order {
            let normals = self.normals.of(pair);
            if let OpenPair::Robot(place) = pair
                && prepared.robot_pairs[place].chains.iter().map(Vec::len).sum::<usize>()
                    <= FEW_JOINTS
                && normals.separate(&self.scene.relative(prepared, place, positions))
            {
                continue;
            }
            if !std::mem::replace(&mut is_placed, true) {
                self.poses.update(self.scene.model(), positions)?;
            }
            let placed = self.scene.place_pair(prepared, pair, &self.poses);
            if placed.touches(&self.request, normals) {
                normals.contacts += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A surface of a pair, placed: its pose, and its box with the axes as columns and the middle in the world.
struct PlacedBox<'a> {
    shape: &'a Shape,
    pose: Pose,
    rotation: Mat3,
    center_w: Vec3,
    half: &'a Vec3,
}

impl<'a> PlacedBox<'a> {
    fn new(surface: &'a RobotShape, poses: &LinkPoses) -> Self {
        let pose = poses[surface.link] * surface.pose_in_link;
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        let center_w = rotation * surface.center + pose.translation.vector;
        Self { shape: &surface.shape, pose, rotation, center_w, half: &surface.half_extents }
    }

    fn of_part(part: &'a Part) -> Self {
        let Part { shape, pose, rotation, center_w, half, .. } = part;
        Self { shape, pose: *pose, rotation: *rotation, center_w: *center_w, half }
    }
}

/// Directions that separated each pair in states asked about before.
#[derive(Debug, Default)]
struct Normals {
    robot: Vec<PairNormals>,
    world: Vec<PairNormals>,
}

impl Normals {
    fn of(&mut self, pair: OpenPair) -> &mut PairNormals {
        let (list, place) = match pair {
            OpenPair::Robot(place) => (&mut self.robot, place),
            OpenPair::World(place) => (&mut self.world, place),
        };
        if list.len() <= place {
            list.resize(place + 1, PairNormals::default());
        }
        &mut list[place]
    }
}

/// What is known about one pair from states asked about before.
#[derive(Debug, Clone, Default)]
struct PairNormals {
    /// Directions that separated it, in the frame of its first surface, the one that helped last first.
    known: Vec<Vec3>,
    /// How often it touched.
    contacts: u64,
}

impl PairNormals {
    /// Whether one of the directions proves the pair apart, by so much that the exact question cannot answer otherwise.
    fn separate(&mut self, pair: &PlacedPair) -> bool {
        let growth = pair.growth[0] + pair.growth[1];
        let separates = |normal_a: &Vec3| pair.gap_along(normal_a) > growth + SURELY_APART;
        match self.known.iter().position(separates) {
            Some(place) => {
                self.known[..=place].rotate_right(1);
                true
            }
            None => false,
        }
    }

    fn keep(&mut self, normal_a: Vec3) {
        self.known.truncate(MAX_NORMALS - 1);
        self.known.insert(0, normal_a);
    }
}

/// An open pair in one state.
struct PlacedPair<'a> {
    a: &'a Shape,
    pose_a: Pose,
    b: &'a Shape,
    pose_b: Pose,
    growth: [f64; 2],
    /// A lower bound on the distance of the boxes around both; no number for a half-space.
    box_gap: f64,
}

impl PlacedPair<'_> {
    /// Whether the pair touches: boxes first, then directions that separated it before, then the exact question. The first
    /// two decide only where the exact question cannot answer otherwise.
    fn touches(&self, request: &CheckRequest, normals: &mut PairNormals) -> bool {
        let growth = self.growth[0] + self.growth[1];
        if self.box_gap > growth + SURELY_APART {
            return false;
        }
        if normals.separate(self) {
            return false;
        }
        let Self { a, pose_a, b, pose_b, growth, .. } = self;
        let pair = GrownPair { a, pose_a, b, pose_b, growth: *growth };
        match pair.collide(&request.query, &WarmStart::default()) {
            Collision::Apart { normal_ab_w, .. } => {
                normals.keep(pose_a.rotation.inverse_transform_vector(&normal_ab_w));
                false
            }
            Collision::Overlapping { .. } | Collision::Touching { .. } => true,
        }
    }

    /// How far the surfaces are apart along a direction of the frame of A.
    fn gap_along(&self, normal_a: &Vec3) -> f64 {
        let normal_w = self.pose_a.rotation * normal_a;
        let normal_b = self.pose_b.rotation.inverse_transform_vector(&-normal_w);
        let offset_w = self.pose_b.translation.vector - self.pose_a.translation.vector;
        normal_w.dot(&offset_w) - self.a.support(normal_a).value - self.b.support(&normal_b).value
    }
}

impl PlanningScene {
    /// A pair of the robot as seen from the last link above both, in one state.
    fn relative<'a>(
        &'a self,
        prepared: &Prepared,
        place: usize,
        positions: &[f64],
    ) -> PlacedPair<'a> {
        let (model, pair) = (self.model(), &prepared.robot_pairs[place]);
        let [one, other] = [pair.a, pair.b].map(|k| &self.robot.shapes[k as usize]);
        PlacedPair {
            a: &one.shape,
            pose_a: one.pose_above(model, &pair.chains[0], positions),
            b: &other.shape,
            pose_b: other.pose_above(model, &pair.chains[1], positions),
            growth: self.robot.inflation(one, other),
            box_gap: f64::NEG_INFINITY,
        }
    }

    /// Places an open pair, and measures the gap of the boxes around it.
    fn place_pair<'a>(
        &'a self,
        prepared: &'a Prepared,
        pair: OpenPair,
        poses: &LinkPoses,
    ) -> PlacedPair<'a> {
        let shapes = &self.robot.shapes;
        let (a, b, growth) = match pair {
            OpenPair::Robot(place) => {
                let found = &prepared.robot_pairs[place];
                let [one, other] = [found.a, found.b].map(|k| &shapes[k as usize]);
                let [a, b] = [one, other].map(|surface| PlacedBox::new(surface, poses));
                (a, b, self.robot.inflation(one, other))
            }
            OpenPair::World(place) => {
                let found = &prepared.world_pairs[place];
                let a = PlacedBox::new(&shapes[found.surface as usize], poses);
                (a, PlacedBox::of_part(&prepared.parts[found.part as usize]), found.growth)
            }
        };
        let offset_w = b.center_w - a.center_w;
        PlacedPair {
            a: a.shape,
            pose_a: a.pose,
            b: b.shape,
            pose_b: b.pose,
            growth,
            box_gap: box_gap(&offset_w, &a.rotation, a.half, &b.rotation, b.half),
        }
    }
}
