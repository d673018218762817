//! `smooth_scene grasp`: how well a hand holds an object, in one state or many, best first.

pub(crate) mod args;

use super::check::joint_values::{StateFailure, apply_joints, apply_states};
use super::check::state_file::{self, StateFileFailure};
use super::interrupt;
use super::load_robot::{LoadFailure, Robot, load_with_srdf};
use super::print::print;
use super::program::{INTERRUPTED, NO_GRASP, Program, USAGE_OR_FILE_ERROR};
use super::progress::Progress;
use super::table::Table;
use crate::dynamics::{
    ForceClosure, GraspError, GraspQuality, MassError, SceneContacts, grasp_quality,
    object_options, scene_contacts,
};
use crate::robot::RobotState;
use crate::scene::{BodyId, PlanningScene, SceneError, Workspace, WorldFile, WorldFileError};
use args::GraspArguments;
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Why no grasp was judged.
#[derive(Debug, thiserror::Error)]
enum GraspFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error(transparent)]
    States(#[from] StateFileFailure),
    #[error(transparent)]
    World(#[from] WorldFileError),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("--hand: {0}")]
    Hand(SceneError),
    #[error("--object: the world has no object `{0}`")]
    NoSuchObject(String),
    #[error("--object `{name}`: {source}")]
    Mass { name: String, source: MassError },
    #[error("--margin is {0}, must be zero or more and finite")]
    Margin(f64),
    #[error("state {state}: {source}")]
    Grasp { state: usize, source: GraspError },
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
    contacts: SceneContacts,
    quality: GraspQuality,
}

/// Judges grasps, prints them, and says how it ended.
pub(crate) fn run(program: Program, arguments: &GraspArguments) -> ExitCode {
    match judge(program, arguments) {
        Ok(code) => code,
        Err(failure) => program.failed(&failure, USAGE_OR_FILE_ERROR),
    }
}

fn judge(program: Program, arguments: &GraspArguments) -> Result<ExitCode, GraspFailure> {
    // Written so that NaN is refused too.
    if !(arguments.margin >= 0.0 && arguments.margin.is_finite()) {
        return Err(GraspFailure::Margin(arguments.margin));
    }
    let robot = &arguments.robot;
    let Robot { model, semantics, notes, .. } =
        load_with_srdf(&robot.urdf, &robot.reading, arguments.srdf.as_deref())?;
    notes.iter().for_each(|note| program.note(note));
    let mut base = RobotState::new(model.clone());
    if let Some(semantics) = &semantics {
        apply_states("--state", &mut base, semantics, &arguments.named_states)?;
    }
    apply_joints("--joints", &mut base, &arguments.joints)?;
    let mut scene = PlanningScene::new(model, semantics)?;
    let world = WorldFile::load(&arguments.world)?;
    world.notes().iter().for_each(|note| program.note(note));
    world.add_to(&mut scene)?;
    let hand = scene.body_set(&arguments.hand).map_err(GraspFailure::Hand)?;
    let hand = hand.expect("clap requires at least one name");
    let unknown = || GraspFailure::NoSuchObject(arguments.object.clone());
    let id = scene.world().find(&arguments.object).ok_or_else(unknown)?;
    let object = scene.world().get(id).ok_or_else(unknown)?;
    let options = object_options(object, arguments.edges)
        .map_err(|source| GraspFailure::Mass { name: arguments.object.clone(), source })?;
    let states: Vec<(Option<u64>, RobotState)> = match &arguments.states {
        None => vec![(None, base)],
        Some(path) => {
            let read = state_file::read(path, &base)?;
            read.states.into_iter().map(|(line, state)| (Some(line), state)).collect()
        }
    };
    let interrupted = interrupt::watch().map_err(GraspFailure::Signals)?;
    let mut progress = Progress::new(Some(states.len() as u64));
    let mut ws = Workspace::cold();
    let mut judged = Vec::new();
    for (place, (line, state)) in states.iter().enumerate() {
        if interrupted.load(Ordering::Relaxed) {
            drop(progress);
            program.note("interrupted");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        progress.update(place as u64, "states");
        let contacts = scene_contacts(
            &scene,
            state.positions(),
            &hand,
            BodyId::Object(id),
            arguments.margin,
            arguments.friction,
            &mut ws,
        )?;
        let state = place + 1;
        let quality = grasp_quality(&contacts.contacts, &options)
            .map_err(|source| GraspFailure::Grasp { state, source })?;
        judged.push(Judged { state, line: *line, contacts, quality });
    }
    drop(progress);
    // Equal ones stay in the order of the file.
    judged.sort_by(|a, b| {
        let closed = b.quality.closure.is_closed().cmp(&a.quality.closure.is_closed());
        closed.then(b.quality.epsilon.total_cmp(&a.quality.epsilon))
    });
    let text = if arguments.json { lines(&scene, &judged) } else { table(&judged) };
    print(&text).map_err(GraspFailure::Output)?;
    let any = judged.iter().any(|one| one.quality.closure.is_closed());
    Ok(if any { ExitCode::SUCCESS } else { ExitCode::from(NO_GRASP) })
}

fn table(judged: &[Judged]) -> String {
    let headings = ["state", "contacts", "closed", "epsilon", "volume", "weakest (force, moment)"];
    let mut table = Table::new(&headings, 0);
    for one in judged {
        let quality = &one.quality;
        let weakest: Vec<String> = quality.weakest.iter().map(|x| format!("{x:.2}")).collect();
        table.row(vec![
            one.state.to_string(),
            one.contacts.contacts.len().to_string(),
            if quality.closure.is_closed() { "yes" } else { "no" }.to_owned(),
            format!("{:.5}", quality.epsilon),
            format!("{:.3e}", quality.volume),
            weakest.join(" "),
        ]);
    }
    table.text()
}

fn lines(scene: &PlanningScene, judged: &[Judged]) -> String {
    let mut text = String::new();
    for one in judged {
        let quality = &one.quality;
        let contacts = one.contacts.bodies.iter().zip(&one.contacts.contacts);
        let contacts: Vec<Value> = contacts
            .map(|(body, contact)| {
                json!({"link": scene.body_name(*body), "point": contact.point_w.as_slice(),
                    "normal": contact.normal_w.as_slice()})
            })
            .collect();
        let mut value = json!({
            "state": one.state, "line": one.line, "contacts": contacts,
            "closed": quality.closure.is_closed(), "epsilon": quality.epsilon,
            "epsilon_lower": quality.epsilon_lower, "volume": quality.volume,
            "weakest": quality.weakest.as_slice(),
        });
        match &quality.closure {
            ForceClosure::Closed { weights } => value["weights"] = json!(weights),
            ForceClosure::Open { separating } => value["separating"] = json!(separating.as_slice()),
        }
        text += &format!("{value}\n");
    }
    text
}
