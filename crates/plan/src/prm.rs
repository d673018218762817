//! Many questions in one scene: a roadmap that is kept between them.

use crate::checker::{MotionChecker, SceneChecker};
use crate::edge_proof::Stop;
use crate::error::PlanError;
use crate::options::PlanOptions;
use crate::planner::{Plan, check_ends, check_fixed, finished, shorten_then_prove};
use crate::probe::Probe;
use crate::roadmap::Graph;
use crate::simplify::length;
use crate::space::JointSpace;
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::PlanningScene;

/// A roadmap of one snapshot of a scene and one group. Each question leaves in it what it found out: later ones are answered
/// faster. The answers to the same questions in the same order are the same.
pub struct Roadmap<'a> {
    scene: &'a PlanningScene,
    space: JointSpace,
    options: PlanOptions,
    checker: Box<dyn MotionChecker + 'a>,
    graph: Graph,
}

impl<'a> Roadmap<'a> {
    /// An empty roadmap. `base` says where the joints outside the group are.
    pub fn new(
        scene: &'a PlanningScene,
        group: Option<&str>,
        base: &[f64],
        options: &PlanOptions,
    ) -> Result<Self, PlanError> {
        options.check()?;
        let space = JointSpace::new(scene, group, base)?;
        let graph = Graph::new(StateSampler::new(space.model(), options.seed));
        let checker = Box::new(SceneChecker::keeping_everywhere(scene, options.clearance)?);
        Ok(Self { scene, space, options: options.clone(), checker, graph })
    }

    /// How many points it has.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether nothing was asked yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plans from one state to another. The budget of states is that of one question.
    pub fn plan(&mut self, start: &[f64], goal: &[f64], stop: Stop) -> Result<Plan, PlanError> {
        let mut near = SceneChecker::keeping(self.scene, self.options.clearance, start, goal)?;
        if near.near_ends().is_empty() {
            return self.plan_by(None, start, goal, stop);
        }
        // What is found out with less clearance is not kept: it does not hold for the next question.
        let kept = self.graph.clone();
        let found = self.plan_by(Some(&mut near), start, goal, stop);
        self.graph = kept;
        found
    }

    /// Plans by the roadmap's own checker or by another one.
    fn plan_by(
        &mut self,
        other: Option<&mut SceneChecker>,
        start: &[f64],
        goal: &[f64],
        stop: Stop,
    ) -> Result<Plan, PlanError> {
        let checker: &mut dyn MotionChecker = match other {
            Some(other) => other,
            None => &mut *self.checker,
        };
        let (scene, space, graph) = (self.scene, &self.space, &mut self.graph);
        check_ends(scene, space, start, goal, checker)?;
        // The roadmap is valid for the positions it was made with.
        check_fixed(space, &space.positions(&space.point(start)), start)?;
        let mut probe = Probe::new(space, &self.options, checker, stop)?;
        probe.check_constraints(start, goal)?;
        let [from, to] = [start, goal].map(|state| graph.node(&probe, &space.point(state)));
        let way = loop {
            if let Some(way) = graph.proven_way(&mut probe, from, to, f64::INFINITY)? {
                break way;
            }
            graph.grow(&mut probe, &|_| true)?;
        };
        // What was shortened may be refused by a proof, and need not be shorter than what is proven already.
        probe.remember(way.segments.iter().cloned());
        let shorter = shorten_then_prove(&mut probe, graph.sampler(), &way.points)?;
        let found = match shorter {
            Some(shorter) if length(space, &shorter.0) < length(space, &way.points) => shorter,
            _ => (way.points, way.segments),
        };
        Ok(finished(&probe, found))
    }
}
