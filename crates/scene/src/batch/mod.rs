//! Is any of these states in collision? Eight states at a time.
//!
//! Balls and capsules that contain the surfaces and are apart prove that a pair is apart; balls inside that overlap prove a
//! contact. Of superquadrics a common point or a gap along a direction proves it. All this is compared in single precision
//! on eight states at once, with margins for its rounding. Pairs about which it proves nothing are asked about exactly. So
//! each answer is that of [`in_collision`](crate::PlanningScene::in_collision), only sooner. Pairs that touched often are
//! looked at first: one contact decides about a state.

mod block;
mod findings;
mod kinematics;
mod lane_ball;
mod lane_hull;
mod lane_pose;
mod needed_poses;
mod open_pair;
mod pair_order;
mod pair_tests;
mod part;
mod prepared;

use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::pair_table::PairTable;
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;
use block::{Block, Until};
use findings::{Findings, OpenPair};
use kinematics::LANES;
use needed_poses::NeededPoses;
use open_pair::{PairNormals, SURELY_APART};
use pair_order::PairOrder;
use prepared::Prepared;
use smooth_scene_geometry::simd::Level;
use std::sync::Arc;

/// From so many pairs of superquadrics on, one state alone is asked about sooner exactly: registers of eight do the work of
/// eight states then, and most pairs are far apart.
const MANY_SUPERQUADRICS: usize = 256;
/// Pairs with at most so many joints between them are looked at without the poses of all links.
const FEW_JOINTS: usize = 3;

/// Answers for many states of one snapshot of a scene on one thread.
pub struct BatchChecker {
    scene: PlanningScene,
    /// None for scenes whose states are asked one by one.
    prepared: Option<Arc<Prepared>>,
    findings: Findings,
    order: PairOrder,
    poses: NeededPoses,
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
    /// Those that were asked about as a whole, as [`PlanningScene::in_collision`] does: on robots of many superquadrics also
    /// states that come alone.
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
        let order = prepared.as_deref().map(PairOrder::new).unwrap_or_default();
        Self {
            order,
            prepared,
            scene,
            findings: Findings::default(),
            poses: NeededPoses::default(),
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
        if let Some(prepared) = &self.prepared
            && (states.len() > 1 || prepared.superquadric_pairs() < MANY_SUPERQUADRICS)
        {
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
            let (order, findings) = (&mut self.order, &mut self.findings);
            Level::detect().run(Block { prepared, states, asked, until, order, findings });
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
                self.any_open_pair(positions, bit)
            };
            colliding |= u32::from(found) << lane;
        }
        Ok(colliding)
    }

    /// Asks about the pairs that were left open in a state, those first that touched often.
    fn any_open_pair(&mut self, positions: &[f64], bit: u32) -> bool {
        let (mut is_asked, mut is_placed) = (false, false);
        for &(pair, _) in self.findings.open.iter().filter(|(_, states)| states & bit != 0) {
            let prepared = self.prepared.as_ref().expect("only prepared scenes leave pairs open");
            let normals = self.normals.of(pair);
            if let OpenPair::Robot(place) = pair
                && self.scene.table_separates(prepared, place, positions)
            {
                continue;
            }
            if !std::mem::replace(&mut is_asked, true) {
                self.statistics.exact += 1;
            }
            let decided = match pair {
                OpenPair::Robot(place) if prepared.robot_pairs[place].joints() <= FEW_JOINTS => {
                    self.scene.relative(prepared, place, positions).decided(normals)
                }
                OpenPair::Robot(_) | OpenPair::World(_) => None,
            };
            let touches = decided.unwrap_or_else(|| {
                if !std::mem::replace(&mut is_placed, true) {
                    self.poses.begin(self.scene.model());
                }
                let placed = self.scene.place_pair(prepared, pair, &mut self.poses, positions);
                placed.decided(normals).unwrap_or_else(|| placed.touches(&self.request, normals))
            });
            if touches {
                self.order.touched(pair, 1);
                return true;
            }
        }
        false
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

impl PlanningScene {
    /// Whether the table of a pair of the robot proves it apart, by so much that the exact question cannot answer otherwise.
    /// Pairs of smooth surfaces have none: robots have many of these, and filling tables would cost more than it saves.
    fn table_separates(&self, prepared: &Prepared, place: usize, positions: &[f64]) -> bool {
        let pair = &prepared.robot_pairs[place];
        if !pair.is_of_polyhedra {
            return false;
        }
        let surfaces = [pair.a, pair.b].map(|k| &self.robot.shapes[k as usize]);
        let model = self.model();
        let table = self.robot.tables[place]
            .get_or_init(|| PairTable::new(model, surfaces, &pair.chains))
            .as_ref();
        let bound =
            table.and_then(|table| table.lower_bound(model, surfaces, &pair.chains, positions));
        bound.is_some_and(|bound| bound > pair.growth[0] + pair.growth[1] + SURELY_APART)
    }
}
