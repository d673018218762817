//! Planning with a clock beside it: the library has none.

use crate::plan::{
    EdgeProof, LevelsChecker, MotionChecker, NearAtEnd, Plan, PlanError, PlanOptions, SceneChecker,
    Stop, SurfaceName, plan_with, verify_levels,
};
use crate::scene::{BodyId, PlanningScene, SceneError};
use std::time::{Duration, Instant};

/// A checker that measures how long proofs take.
struct TimedChecker<'a> {
    inner: Box<dyn MotionChecker + 'a>,
    proofs: Duration,
}

impl MotionChecker for TimedChecker<'_> {
    fn collision(&mut self, positions: &[f64]) -> Result<Option<(BodyId, BodyId)>, SceneError> {
        self.inner.collision(positions)
    }

    fn any_collision(&mut self, states: &[f64], width: usize) -> Result<bool, SceneError> {
        self.inner.any_collision(states, width)
    }

    fn near_ends(&self) -> &[NearAtEnd] {
        self.inner.near_ends()
    }

    fn surface_names(&self) -> Vec<SurfaceName> {
        self.inner.surface_names()
    }

    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        let begin = Instant::now();
        let proof = self.inner.prove(from, to, stop);
        self.proofs += begin.elapsed();
        proof
    }
}

/// An answer and what it took.
pub(crate) struct Timed {
    pub answer: Result<Plan, PlanError>,
    /// Search and shortening.
    pub search: Duration,
    /// Proofs.
    pub proofs: Duration,
}

/// A question for the planner.
pub(crate) struct Question<'a> {
    pub scene: &'a PlanningScene,
    /// The same scene with another model of the robot, which may prove free what the first does not.
    pub finer: Option<&'a PlanningScene>,
    pub group: Option<&'a str>,
    pub from: &'a [f64],
    pub to: &'a [f64],
}

impl Question<'_> {
    /// The scenes any of which may prove a motion free.
    pub fn scenes(&self) -> Vec<&PlanningScene> {
        std::iter::once(self.scene).chain(self.finer).collect()
    }
}

/// What answers for the scenes of a question.
pub(crate) fn checker<'a>(
    question: &Question<'a>,
    options: &PlanOptions,
) -> Result<Box<dyn MotionChecker + 'a>, PlanError> {
    let Question { scene, finer, from, to, .. } = *question;
    Ok(match finer {
        None => Box::new(SceneChecker::keeping(scene, options.clearance, from, to)?),
        Some(finer) => {
            Box::new(LevelsChecker::keeping(&[scene, finer], options.clearance, from, to)?)
        }
    })
}

/// Plans and measures. Preparing the scene for proofs is not part of the times.
pub(crate) fn solve(
    question: &Question,
    options: &PlanOptions,
    stop: Stop,
) -> Result<Timed, PlanError> {
    let Question { scene, group, from, to, .. } = *question;
    let mut checker = TimedChecker { inner: checker(question, options)?, proofs: Duration::ZERO };
    let begin = Instant::now();
    let answer = plan_with(scene, group, from, to, options, &mut checker, stop);
    let whole = begin.elapsed();
    Ok(Timed { answer, search: whole.saturating_sub(checker.proofs), proofs: checker.proofs })
}

/// Checks the certificate of a path again. That it does not hold would be a fault of the planner.
pub(crate) fn check_certificate(question: &Question, timed: &Timed) {
    if let Ok(plan) = &timed.answer {
        let checked = verify_levels(&question.scenes(), &plan.waypoints, &plan.certificate);
        checked.expect("a path is returned with a certificate that proves it");
    }
}
