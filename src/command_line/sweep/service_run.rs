//! Measures the services of a node as a planner sees them, from request to answer.

use super::diagnostics::Diagnostics;
use super::failure::Failure;
use super::intersecting_pairs::is_measured;
use super::measure::Stopped;
use super::movement::Movement;
use super::results::Row;
use super::robots::Robot;
use super::service_client::Service;
use super::statistics::Summary;
use crate::command_line::progress::Progress;
use crate::interfaces::srv::{
    CheckStatesRequest, CheckStatesResponse, GetDistanceRequest, GetDistanceResponse,
};
use crate::scene::{CheckRequest, PairDistance, PairLevel, Workspace};
use crate::transport::Transport;

/// Largest difference from the distance of the same scene in this process, in metres: the width of a proof.
const SAME: f64 = 1e-9;
/// Repetitions of the call with all states.
const BATCHES: usize = 5;

/// Answers of the node and of the same scene in this process, counted as they are compared.
#[derive(Debug, Default)]
struct Tally {
    nanos: Vec<u64>,
    /// Mean time of each repetition, in microseconds.
    sweeps: Vec<f64>,
    wrong: usize,
    refused: usize,
    worst: f64,
}

impl Tally {
    fn row(&self, method: &str, with_distance: bool) -> Row {
        let mut row = Row::missing("services", method, "", None);
        (row.micros, row.missing) = (Summary::of_nanos(&self.nanos), None);
        (row.wrong_decisions, row.unconverged) = (self.wrong, self.refused);
        row.sweep_means = self.sweeps.clone();
        row.worst_error = with_distance.then_some(self.worst);
        row
    }
}

/// Results of a run through the services.
pub(crate) struct Asked {
    /// Every contact of a state, yes or no for one state, and for all states in one call.
    pub rows: Vec<Row>,
    /// Intersecting pairs of all states: by the node, and in this process.
    pub pairs: [usize; 2],
}

/// Asks a node about every state of a movement, and compares each answer with that of the same scene in this process.
pub(crate) fn ask(
    transport: &dyn Transport,
    node: &str,
    robot: &Robot,
    movement: &Movement,
    stopped: Stopped,
) -> Result<Asked, Failure> {
    let mut diagnostics = Diagnostics::new(transport)?;
    let find = |name: &str, kind: &str| {
        let (name, kind) = (format!("{node}/{name}"), format!("smooth_scene/srv/{kind}"));
        Service::find(transport, &name, &kind, stopped)
    };
    let distance = find("get_distance", "GetDistance")?;
    let check = find("check_states", "CheckStates")?;
    let names = robot.model().variable_names();
    // Cold, as in the node: answers must not depend on earlier queries.
    let (mut ws, mut ours) = (Workspace::cold(), Vec::new());
    let (mut contacts, mut yes_no) = (Tally::default(), Tally::default());
    let rows = |contacts: &Tally, yes_no: &Tally| {
        vec![
            contacts.row("get_distance, every contact of a state", true),
            yes_no.row("check_states, one state a call", false),
        ]
    };
    let mut pairs = [0; 2];
    let mut expected = Vec::new();
    let mut progress = Progress::new(Some(movement.states.len() as u64));
    for state in &movement.states {
        if stopped() {
            break;
        }
        progress.update(expected.len() as u64, "states");
        let request = CheckRequest::default();
        robot
            .scene
            .contacts(state.positions(), &request, PairLevel::Bodies, &mut ws, &mut ours)
            .map_err(|e| Failure::State(e.to_string()))?;
        expected.push(!ours.is_empty());

        let mut ask = GetDistanceRequest { max_distance: 0.0, ..GetDistanceRequest::default() };
        ask.joint_state.name = names.to_vec();
        ask.joint_state.position = state.positions().to_vec();
        let (answer, nanos): (GetDistanceResponse, u64) = distance.ask(&ask)?;
        contacts.nanos.push(nanos);
        if answer.status == GetDistanceResponse::OK {
            compare(&answer, &ours, robot, &mut contacts);
            let theirs = answer.proximities.iter();
            pairs[0] += theirs.filter(|p| is_measured(robot, &p.body_a, &p.body_b)).count();
        } else {
            refuse(&distance, answer.status, &answer.message, &mut contacts)?;
        }
        let name = |body| robot.scene.body_name(body);
        let measured_pair = |p: &&PairDistance| is_measured(robot, name(p.body_a), name(p.body_b));
        pairs[1] += ours.iter().filter(measured_pair).count();

        let ask = CheckStatesRequest {
            joint_names: names.to_vec(),
            positions: state.positions().to_vec(),
            ..CheckStatesRequest::default()
        };
        let (answer, nanos): (CheckStatesResponse, u64) = check.ask(&ask)?;
        yes_no.nanos.push(nanos);
        let collision = [CheckStatesResponse::COLLISION];
        if answer.status == CheckStatesResponse::OK {
            yes_no.wrong += usize::from((answer.states == collision) == ours.is_empty());
        } else {
            refuse(&check, answer.status, &answer.message, &mut yes_no)?;
        }
        diagnostics.now_and_then(|| rows(&contacts, &yes_no))?;
    }
    drop(progress);
    let mut rows = rows(&contacts, &yes_no);
    if !stopped() {
        let batch = ask_all(&check, names, movement, &expected)?;
        rows.push(batch.row("check_states, all states in one call", false));
    }
    diagnostics.publish(&rows)?;
    Ok(Asked { rows, pairs })
}

/// All states in one call, several times; the shortest time counts.
fn ask_all(
    check: &Service,
    names: &[String],
    movement: &Movement,
    expected: &[bool],
) -> Result<Tally, Failure> {
    let positions = movement.states.iter().flat_map(|state| state.positions().iter().copied());
    let ask = CheckStatesRequest {
        joint_names: names.to_vec(),
        positions: positions.collect(),
        ..CheckStatesRequest::default()
    };
    let mut batch = Tally::default();
    let (answer, mut least): (CheckStatesResponse, u64) = check.ask(&ask)?;
    let count = expected.len().max(1);
    let mut means = vec![least];
    for _ in 1..BATCHES {
        means.push(check.ask::<_, CheckStatesResponse>(&ask)?.1);
    }
    least = means.iter().copied().fold(least, u64::min);
    batch.sweeps = means.into_iter().map(|nanos| nanos as f64 / 1000.0 / count as f64).collect();
    batch.nanos = vec![least / count as u64; expected.len()];
    if answer.status == CheckStatesResponse::OK {
        let collides = answer.states.iter().map(|s| *s == CheckStatesResponse::COLLISION);
        batch.wrong = collides.zip(expected).filter(|(found, e)| found != *e).count()
            + answer.states.len().abs_diff(expected.len());
    } else {
        refuse(check, answer.status, &answer.message, &mut batch)?;
    }
    Ok(batch)
}

/// Counts a refusal. A node that refuses the first request cannot be measured.
fn refuse(service: &Service, status: u8, message: &str, tally: &mut Tally) -> Result<(), Failure> {
    tally.refused += 1;
    if tally.nanos.len() > 1 {
        return Ok(());
    }
    Err(Failure::Other(format!("{} refuses (status {status}): {message}", service.name)))
}

/// Counts an answer whose contacts differ from those of the scene in this process.
fn compare(answer: &GetDistanceResponse, ours: &[PairDistance], robot: &Robot, tally: &mut Tally) {
    let mut same = answer.proximities.len() == ours.len();
    for found in &answer.proximities {
        let scene = &robot.scene;
        let names = |p: &PairDistance| [scene.body_name(p.body_a), scene.body_name(p.body_b)];
        let pair = [found.body_a.as_str(), found.body_b.as_str()];
        let Some(own) = ours.iter().find(|p| names(p) == pair) else {
            same = false;
            continue;
        };
        let error = (found.distance - own.distance.distance).abs();
        tally.worst = tally.worst.max(error);
        same &= error <= SAME;
    }
    tally.wrong += usize::from(!same);
}
