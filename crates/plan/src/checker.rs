//! What a planner asks about the robot: is this state free, and can this edge be proven free?

use crate::clearance::{Clearance, NearAtEnd};
use crate::edge_proof::{EdgeProof, Stop};
use crate::error::{Endpoint, PlanError};
use crate::prove::EdgeProver;
use crate::surfaces::SurfaceName;
use smooth_scene_scene::{
    BatchChecker, BatchStatistics, BodyId, CheckRequest, PlanningScene, SceneError, Workspace,
};

/// What a planner does at the moment. Proofs are asked for in both phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    /// It looks for a way from the start to the goal.
    Searching,
    /// It has found one and makes it shorter.
    Shortening {
        /// Length of what was found, in the distance of [`JointSpace`](crate::JointSpace).
        length: f64,
    },
}

/// The questions of a planner. Positions are those of the whole robot.
pub trait MotionChecker {
    /// Two bodies that touch where they may not, or none.
    fn collision(&mut self, positions: &[f64]) -> Result<Option<(BodyId, BodyId)>, SceneError>;

    /// Whether any of the states, one after the other in `states`, is in collision. A checker that answers for several
    /// states at once does so here.
    fn any_collision(&mut self, states: &[f64], width: usize) -> Result<bool, SceneError> {
        for positions in states.chunks_exact(width) {
            if self.collision(positions)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bodies between which less than its clearance is kept, because start or goal are closer; none for a checker that
    /// keeps none.
    fn near_ends(&self) -> &[NearAtEnd] {
        &[]
    }

    /// The surfaces that its certificates refer to.
    fn surface_names(&self) -> Vec<SurfaceName>;

    /// Whether [`grew`](Self::grew) wants to be told anything.
    fn watches(&self) -> bool {
        false
    }

    /// Is told each edge that a search tree gains, for whoever wants to watch it grow.
    fn grew(&mut self, _from: &[f64], _to: &[f64]) {}

    /// Is told what the planner does from now on, for whoever wants to measure it: the library reads no clock.
    fn entered(&mut self, _phase: Phase) {}

    /// Proves that the straight motion between two states is free, self-collision included.
    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError>;

    /// Proves the same for the parabola from one state around a corner to another. A checker that does not know how
    /// proves none, and its robots stop at corners.
    fn prove_blend(&mut self, _states: [&[f64]; 3], _stop: Stop) -> Result<EdgeProof, SceneError> {
        Ok(EdgeProof::Refuted)
    }
}

/// The questions answered by a planning scene: one state by [`PlanningScene::any_collision`], many by a [`BatchChecker`],
/// edges by the certificate that an [`EdgeProver`] finds.
pub struct SceneChecker<'a> {
    /// The scene grown by the clearance: states are checked in it.
    grown: PlanningScene,
    /// The same for many states at once.
    batch: BatchChecker,
    clearance: Clearance,
    state: CheckRequest,
    workspace: Workspace,
    prover: EdgeProver<'a>,
}

impl<'a> SceneChecker<'a> {
    /// For one snapshot of a scene.
    pub fn new(scene: &'a PlanningScene) -> Result<Self, PlanError> {
        Self::with(scene, Clearance::default())
    }

    /// For a motion between two states that keeps a clearance, m. Bodies that are closer than that at one of them keep
    /// less: [`near_ends`](MotionChecker::near_ends) names them.
    pub fn keeping(
        scene: &'a PlanningScene,
        clearance: f64,
        start: &[f64],
        goal: &[f64],
    ) -> Result<Self, PlanError> {
        let ends = [(Endpoint::Start, start), (Endpoint::Goal, goal)];
        Self::with(scene, Clearance::new(scene, clearance, &ends)?)
    }

    /// As [`keeping`](Self::keeping) between states that are not known yet.
    pub(crate) fn keeping_everywhere(
        scene: &'a PlanningScene,
        clearance: f64,
    ) -> Result<Self, PlanError> {
        Self::with(scene, Clearance::new(scene, clearance, &[])?)
    }

    /// Whether each of these states, one after the other, is in collision.
    pub(crate) fn in_collision(&mut self, states: &[f64]) -> Result<Vec<bool>, SceneError> {
        self.batch.in_collision(states)
    }

    /// How the answers about many states came about.
    pub fn batch_statistics(&self) -> BatchStatistics {
        self.batch.statistics()
    }

    fn with(scene: &'a PlanningScene, clearance: Clearance) -> Result<Self, PlanError> {
        let grown = clearance.grown(scene)?;
        Ok(Self {
            batch: BatchChecker::new(&grown),
            grown,
            prover: EdgeProver::keeping(scene, &clearance)?,
            clearance,
            state: CheckRequest::default(),
            workspace: Workspace::cold(),
        })
    }
}

impl MotionChecker for SceneChecker<'_> {
    fn collision(&mut self, positions: &[f64]) -> Result<Option<(BodyId, BodyId)>, SceneError> {
        self.grown.any_collision(positions, &self.state, &mut self.workspace)
    }

    fn any_collision(&mut self, states: &[f64], _width: usize) -> Result<bool, SceneError> {
        self.batch.any_in_collision(states)
    }

    fn near_ends(&self) -> &[NearAtEnd] {
        self.clearance.near()
    }

    fn surface_names(&self) -> Vec<SurfaceName> {
        self.prover.surface_names()
    }

    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.prover.prove(from, to, stop)
    }

    fn prove_blend(&mut self, states: [&[f64]; 3], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.prover.prove_blend(states, stop)
    }
}
