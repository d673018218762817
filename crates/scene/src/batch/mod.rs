//! Is any of these states in collision? Eight states at a time.
//!
//! Balls that contain the surfaces and are apart prove that a pair is apart; balls inside that overlap prove a contact.
//! Both are compared in single precision on eight states at once, with margins for its rounding. Pairs about which they
//! prove nothing are asked about exactly. So each answer is that of
//! [`in_collision`](crate::PlanningScene::in_collision), only sooner.

mod block;
mod kinematics;
mod lane_ball;
mod open_pair;
mod part;
mod prepared;

use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::pair_table::PairTable;
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;
use block::{Block, Findings, OpenPair, Until};
use kinematics::LANES;
use open_pair::{PairNormals, SURELY_APART, is_polyhedron};
use prepared::Prepared;
use smooth_scene_geometry::simd::Level;
use smooth_scene_robot::LinkPoses;
use std::cmp::Reverse;
use std::sync::Arc;

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
        let prepared = self.prepared.as_ref().expect("only prepared scenes leave pairs open");
        self.order.clear();
        for &(pair, _) in self.findings.open.iter().filter(|(_, states)| states & bit != 0) {
            let is_decided = match pair {
                OpenPair::Robot(place) => self.scene.table_separates(prepared, place, positions),
                OpenPair::World(_) => false,
            };
            if !is_decided {
                self.order.push((Reverse(self.normals.of(pair).contacts), pair));
            }
        }
        if self.order.is_empty() {
            return Ok(false);
        }
        self.statistics.exact += 1;
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
        let surfaces = [pair.a, pair.b].map(|k| &self.robot.shapes[k as usize]);
        if !surfaces.iter().all(|surface| is_polyhedron(&surface.shape)) {
            return false;
        }
        let model = self.model();
        let table = self.robot.tables[place]
            .get_or_init(|| PairTable::new(model, surfaces, &pair.chains))
            .as_ref();
        let bound =
            table.and_then(|table| table.lower_bound(model, surfaces, &pair.chains, positions));
        let growth: f64 = self.robot.inflation(surfaces[0], surfaces[1]).iter().sum();
        bound.is_some_and(|bound| bound > growth + SURELY_APART)
    }
}
