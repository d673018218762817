//! `smooth_scene check`: is this robot well described, and is this state of it free?

mod joint_values;
mod json;
mod report;

use super::load_robot::{LoadFailure, Note, load_with_srdf};
use super::robot_args::CheckArguments;
use crate::query::QueryOptions;
use crate::robot::{LimitBreach, RobotModel, RobotState};
use crate::scene::{
    CheckRequest, NearestRequest, PairDistance, PairLevel, PlanningScene, SceneError, Workspace,
};
use joint_values::{StateFailure, apply_joints, apply_states};
use std::io::{self, Write};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckFailure {
    #[error(transparent)]
    Load(#[from] LoadFailure),
    #[error(transparent)]
    State(#[from] StateFailure),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

/// A robot, a state of it, and what was found.
pub(crate) struct Checked {
    /// The file, as it was named.
    pub file: String,
    pub scene: PlanningScene,
    pub notes: Vec<Note>,
    pub has_srdf: bool,
    pub state: RobotState,
    pub breaches: Vec<LimitBreach>,
    /// Every pair in contact, by body.
    pub contacts: Vec<PairDistance>,
    /// The nearest pairs that are apart.
    pub nearest: Vec<PairDistance>,
}

impl Checked {
    pub fn model(&self) -> &RobotModel {
        self.scene.model()
    }

    pub fn in_collision(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// Links and names of surfaces that are not convex, so that their hulls are used.
    pub fn dented(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.model().links().iter().flat_map(|link| {
            let dented = link.collisions.iter().filter(|collision| !collision.shape.is_convex());
            dented.map(|collision| (link.name.as_str(), collision.name.as_deref()))
        })
    }

    /// How many surfaces of each kind there are.
    pub fn surface_kinds(&self) -> std::collections::BTreeMap<&'static str, usize> {
        let mut kinds = std::collections::BTreeMap::new();
        for collision in self.model().links().iter().flat_map(|link| &link.collisions) {
            *kinds.entry(collision.shape.kind()).or_default() += 1;
        }
        kinds
    }

    /// How many pairs may touch, by reason.
    pub fn allowed_by_reason(&self) -> std::collections::BTreeMap<&str, usize> {
        let mut reasons = std::collections::BTreeMap::new();
        for (_, _, entry) in self.scene.acm().entries().filter(|(.., entry)| entry.allowed) {
            *reasons.entry(entry.reason.name()).or_default() += 1;
        }
        reasons
    }
}

/// Checks a robot and prints what was found; returns whether it is in collision.
pub(crate) fn run(arguments: &CheckArguments) -> Result<bool, CheckFailure> {
    let outcome = check(arguments);
    let text = match &outcome {
        Ok(checked) if arguments.json => json::report(checked),
        Ok(checked) => report::report(checked),
        // Errors are JSON too.
        Err(failure) if arguments.json => json::failure(failure),
        Err(_) => String::new(),
    };
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // The reader has closed the pipe, as in `… | head`.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CheckFailure::Output(error)),
        _ => Ok(outcome?.in_collision()),
    }
}

fn check(arguments: &CheckArguments) -> Result<Checked, CheckFailure> {
    let robot = load_with_srdf(&arguments.robot, arguments.srdf.as_deref())?;
    let mut state = RobotState::new(robot.model.clone());
    if let Some(semantics) = &robot.semantics {
        apply_states(&mut state, semantics, &arguments.states)?;
    }
    apply_joints(&mut state, &arguments.joints)?;
    let has_srdf = robot.semantics.is_some();
    let scene = PlanningScene::new(robot.model, robot.semantics)?;
    let (contacts, nearest) = proximities(&scene, &state, arguments)?;
    Ok(Checked {
        file: arguments.robot.urdf.display().to_string(),
        scene,
        notes: robot.notes,
        has_srdf,
        breaches: state.limit_breaches(),
        state,
        contacts,
        nearest,
    })
}

/// The contacts, and the nearest of the other pairs.
fn proximities(
    scene: &PlanningScene,
    state: &RobotState,
    arguments: &CheckArguments,
) -> Result<(Vec<PairDistance>, Vec<PairDistance>), SceneError> {
    let query = if arguments.certify { QueryOptions::certified() } else { QueryOptions::default() };
    let check = CheckRequest { query, ..CheckRequest::default() };
    let mut ws = Workspace::cold();
    let (mut contacts, mut nearest) = (Vec::new(), Vec::new());
    scene.contacts(state.positions(), &check, PairLevel::Bodies, &mut ws, &mut contacts)?;
    let request = NearestRequest {
        check,
        max_distance: arguments.max_distance.unwrap_or(f64::INFINITY),
        max_results: arguments.nearest.saturating_add(contacts.len()),
        level: PairLevel::Bodies,
    };
    scene.nearest(state.positions(), &request, &mut ws, &mut nearest)?;
    nearest.retain(|pair| !pair.is_contact());
    nearest.truncate(arguments.nearest);
    Ok((contacts, nearest))
}
