//! Planning with a clock beside it: the library has none.

use crate::plan::{
    EdgeProof, LevelsChecker, MotionChecker, NearAtEnd, Phase, Plan, PlanError, PlanOptions,
    SceneChecker, Stop, SurfaceName, first_proven, plan_anytime_with, plan_with, verify_levels,
};
use crate::scene::{BodyId, PlanningScene, SceneError};
use std::cell::Cell;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// How long a planner took for what.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Times {
    /// Until start and goal were connected.
    pub searching: Duration,
    /// Making the path shorter.
    pub shortening: Duration,
    /// Proofs, which are part of neither.
    pub proofs: Duration,
}

/// A checker that measures how long a planner takes for what.
struct TimedChecker<'a> {
    inner: Box<dyn MotionChecker + 'a>,
    times: Times,
    is_shortening: bool,
    /// Since when the planner does that, and the proofs since then.
    since: Instant,
    proofs_since: Duration,
    /// Length of the first connection.
    first_length: Option<f64>,
}

impl<'a> TimedChecker<'a> {
    fn new(inner: Box<dyn MotionChecker + 'a>) -> Self {
        Self {
            inner,
            times: Times::default(),
            is_shortening: false,
            since: Instant::now(),
            proofs_since: Duration::ZERO,
            first_length: None,
        }
    }

    /// Adds the time since the last call to what was done in it.
    fn count(&mut self) {
        let now = Instant::now();
        let passed = (now - self.since).saturating_sub(self.proofs_since);
        let times = &mut self.times;
        *(if self.is_shortening { &mut times.shortening } else { &mut times.searching }) += passed;
        (self.since, self.proofs_since) = (now, Duration::ZERO);
    }

    /// What was measured, up to now.
    fn timed(mut self, answer: Result<Plan, PlanError>) -> Timed {
        self.count();
        Timed { answer, times: Some(self.times), first_length: self.first_length }
    }
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

    fn entered(&mut self, phase: Phase) {
        self.count();
        self.is_shortening = match phase {
            Phase::Searching => false,
            Phase::Shortening { length } => {
                self.first_length.get_or_insert(length);
                true
            }
        };
    }

    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        let begin = Instant::now();
        let proof = self.inner.prove(from, to, stop);
        let passed = begin.elapsed();
        self.times.proofs += passed;
        self.proofs_since += passed;
        proof
    }
}

/// An answer and what it took.
pub(crate) struct Timed {
    pub answer: Result<Plan, PlanError>,
    /// None where several threads found no path: each has times of its own.
    pub times: Option<Times>,
    /// Length of the first connection; none where the straight way is free.
    pub first_length: Option<f64>,
}

impl Times {
    /// Search and shortening.
    pub fn search(&self) -> Duration {
        self.searching + self.shortening
    }
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
    let mut checker = TimedChecker::new(checker(question, options)?);
    let answer = plan_with(scene, group, from, to, options, &mut checker, stop);
    Ok(checker.timed(answer))
}

/// As [`solve`] with the seeds from that of the options on, one on each thread: the seed that was first, and its answer.
pub(crate) fn solve_on_threads(
    question: &Question,
    options: &PlanOptions,
    threads: NonZeroU32,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(u64, Timed), PlanError> {
    let answer = |seed: u64, stop: Stop| {
        let timed = solve(question, &PlanOptions { seed, ..options.clone() }, stop)?;
        match &timed.answer {
            Ok(_) => Ok(timed),
            Err(error) => Err(error.clone()),
        }
    };
    match first_proven(options.seed, threads, stop, &answer) {
        Err(error @ (PlanError::NoConnection { .. } | PlanError::InCollision { .. })) => {
            // An answer, too: that there is none.
            let timed = Timed { answer: Err(error), times: None, first_length: None };
            Ok((options.seed, timed))
        }
        found => found,
    }
}

/// A path that is shorter than all before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Improvement {
    /// Since the beginning.
    pub at: Duration,
    pub length: f64,
}

/// Plans, goes on from the first path to ever shorter ones for so long, and measures.
pub(crate) fn improve(
    question: &Question,
    options: &PlanOptions,
    allowed: Duration,
    told: &mut dyn FnMut(Improvement),
    stop: Stop,
) -> Result<Timed, PlanError> {
    let Question { scene, group, from, to, .. } = *question;
    let mut checker = TimedChecker::new(checker(question, options)?);
    let begin = Instant::now();
    let first = Cell::new(None);
    let mut improved = |plan: &Plan| {
        let now = Instant::now();
        first.set(first.get().or(Some(now)));
        told(Improvement { at: now - begin, length: plan.length });
    };
    let stop = || stop() || first.get().is_some_and(|first: Instant| first.elapsed() >= allowed);
    let ends = [from, to];
    let answer = plan_anytime_with(scene, group, ends, options, &mut checker, &mut improved, &stop);
    Ok(checker.timed(answer))
}

/// Checks the certificate of a path again. That it does not hold would be a fault of the planner.
pub(crate) fn check_certificate(question: &Question, timed: &Timed) {
    if let Ok(plan) = &timed.answer {
        let checked = verify_levels(&question.scenes(), &plan.waypoints, &plan.certificate);
        checked.expect("a path is returned with a certificate that proves it");
    }
}
