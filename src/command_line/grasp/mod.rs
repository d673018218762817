//! `smooth_scene grasp`: how well a hand holds an object, in one state or many, best first.

pub(crate) mod args;
mod report;

use super::check::joint_values::StateFailure;
use super::check::state_file::{self, StateFileFailure};
use super::interrupt;
use super::load_scene::{LoadSceneFailure, LoadedScene};
use super::print::print;
use super::program::{INTERRUPTED, NO_GRASP, Program, USAGE_OR_FILE_ERROR};
use super::progress::Progress;
use crate::dynamics::{
    GraspDetail, GraspPose, GraspQuestion, JudgeError, JudgedGrasp, judge_grasps,
};
use crate::robot::RobotState;
use crate::scene::{BodyId, PlanningScene, SceneError};
use args::GraspArguments;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// States judged between two looks at the clock and at Ctrl-C.
const BLOCK: usize = 128;

/// Why no grasp was judged.
#[derive(Debug, thiserror::Error)]
enum GraspFailure {
    #[error(transparent)]
    Load(#[from] LoadSceneFailure),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error(transparent)]
    States(#[from] StateFileFailure),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("{0}: has joint names but no states")]
    NoStates(String),
    #[error("--hand: {0}")]
    Hand(SceneError),
    #[error("--hand: `{0}` is an object of the world, must move with a link")]
    HandOfWorld(String),
    #[error("--object: the world has no object `{0}`")]
    NoSuchObject(String),
    #[error("--object `{name}`: {source}")]
    Mass { name: String, source: JudgeError },
    #[error("--{0} is {1}, must be zero or more and finite")]
    Negative(&'static str, f64),
    #[error("state {state}: {source}")]
    Grasp { state: usize, source: JudgeError },
    #[error("signals cannot be handled: {0}")]
    Signals(io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// One state and what was found.
struct Judged {
    /// From 1.
    state: usize,
    /// Of the file.
    line: Option<u64>,
    grasp: JudgedGrasp,
}

/// What is judged.
struct Prepared {
    scene: PlanningScene,
    question: GraspQuestion,
    /// With the line of the file.
    states: Vec<(Option<u64>, RobotState)>,
}

/// Judges grasps, prints them, and says how it ended.
pub(crate) fn run(program: Program, arguments: &GraspArguments) -> ExitCode {
    match judge(program, arguments) {
        Ok(code) => code,
        Err(failure) => program.failed(&failure, USAGE_OR_FILE_ERROR),
    }
}

fn prepare(program: Program, arguments: &GraspArguments) -> Result<Prepared, GraspFailure> {
    for (name, value) in [("margin", arguments.margin), ("friction", arguments.friction)] {
        // Written so that NaN is refused too.
        if !(value >= 0.0 && value.is_finite()) {
            return Err(GraspFailure::Negative(name, value));
        }
    }
    let LoadedScene { scene, notes, .. } = arguments.scene.load()?;
    notes.iter().for_each(|note| program.note(note));
    let base = arguments.state.state(&scene)?;
    let question = question(&scene, arguments)?;
    let states = match &arguments.states {
        None => vec![(None, base)],
        Some(path) => {
            let read = state_file::read(path, &base)?;
            if read.states.is_empty() {
                return Err(GraspFailure::NoStates(path.display().to_string()));
            }
            read.states.into_iter().map(|(line, state)| (Some(line), state)).collect()
        }
    };
    Ok(Prepared { scene, question, states })
}

fn question(
    scene: &PlanningScene,
    arguments: &GraspArguments,
) -> Result<GraspQuestion, GraspFailure> {
    let hand = scene.body_set(&arguments.hand).map_err(GraspFailure::Hand)?;
    let hand = hand.expect("clap requires at least one name");
    if let Some(body) = hand.iter().find(|body| matches!(body, BodyId::Object(_))) {
        return Err(GraspFailure::HandOfWorld(scene.body_name(body).to_owned()));
    }
    let object = scene.world().find(&arguments.object);
    let object = object.ok_or_else(|| GraspFailure::NoSuchObject(arguments.object.clone()))?;
    let detail = match (arguments.gradient, arguments.json) {
        (true, _) => GraspDetail::Gradient,
        (false, true) => GraspDetail::Curvatures,
        (false, false) => GraspDetail::Contacts,
    };
    let GraspArguments { margin, friction, edges, .. } = *arguments;
    Ok(GraspQuestion { hand, object, margin, friction, edges, detail })
}

fn judge(program: Program, arguments: &GraspArguments) -> Result<ExitCode, GraspFailure> {
    let Prepared { scene, question, states } = prepare(program, arguments)?;
    let interrupted = interrupt::watch().map_err(GraspFailure::Signals)?;
    let mut progress = Progress::new(Some(states.len() as u64));
    let mut judged = Vec::new();
    for block in states.chunks(BLOCK) {
        if interrupted.load(Ordering::Relaxed) {
            drop(progress);
            program.note("interrupted");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let first = judged.len();
        progress.update(first as u64, "states");
        let pose = |positions| GraspPose { positions, object_w: None };
        let poses: Vec<GraspPose<'_>> = block.iter().map(|one| pose(one.1.positions())).collect();
        let failed = |(place, source)| match source {
            JudgeError::Mass(_) => GraspFailure::Mass { name: arguments.object.clone(), source },
            source => GraspFailure::Grasp { state: first + place + 1, source },
        };
        let grasps = judge_grasps(&scene, &question, &poses).map_err(failed)?;
        for ((line, _), grasp) in block.iter().zip(grasps) {
            judged.push(Judged { state: judged.len() + 1, line: *line, grasp });
        }
    }
    drop(progress);
    // Equal ones stay in the order of the file.
    judged.sort_by(|a, b| {
        let [a, b] = [a, b].map(|one| &one.grasp.quality);
        let closed = b.closure.is_closed().cmp(&a.closure.is_closed());
        closed.then(b.epsilon.total_cmp(&a.epsilon))
    });
    let any = judged.iter().any(|one| one.grasp.quality.closure.is_closed());
    let top = arguments.top.and_then(|top| usize::try_from(top).ok()).unwrap_or(usize::MAX);
    judged.truncate(top);
    let text = match arguments.json {
        true => report::lines(&scene, &judged, question.detail),
        false => report::table(&scene, &judged, question.detail),
    };
    print(&text).map_err(GraspFailure::Output)?;
    Ok(if any { ExitCode::SUCCESS } else { ExitCode::from(NO_GRASP) })
}
