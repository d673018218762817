//! Through the services of a running node: what a planner sees, from the request to the answer.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::results::Row;
use crate::robots::Robot;
use crate::source::Movement;
use crate::statistics::Summary;
use serde::Serialize;
use serde::de::DeserializeOwned;
use smooth_scene::ros::cdr;
use smooth_scene::ros::interfaces::srv::{
    CheckStatesRequest, CheckStatesResponse, GetDistanceRequest, GetDistanceResponse,
};
use smooth_scene::ros::transport::{Client, Transport};
use smooth_scene::scene::{CheckRequest, PairLevel, Proximity, Workspace};
use std::time::{Duration, Instant};

/// How long a node may take to appear.
const APPEARS: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWERS: Duration = Duration::from_secs(10);
/// What a distance may differ from the one of the same scene in this process, in metres: that of a proof.
const SAME: f64 = 1e-9;

/// A service with its answers turned into Rust.
struct Service {
    name: String,
    client: Box<dyn Client>,
}

impl Service {
    fn find(transport: &dyn Transport, name: &str, type_name: &str) -> Result<Self, Failure> {
        let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
        let client = transport.client(name, type_name).map_err(|e| other(&e))?;
        let name = transport.resolve(name).map_err(|e| other(&e))?;
        if !client.wait_for_server(APPEARS) {
            let seconds = APPEARS.as_secs();
            return Err(Failure::Other(format!("no node offers {name} after {seconds} s")));
        }
        Ok(Self { name, client })
    }

    /// Asks once; the answer and how long it took in nanoseconds, from the request in memory to the answer in memory.
    fn ask<Q: Serialize, A: DeserializeOwned>(&self, request: &Q) -> Result<(A, u64), Failure> {
        let failed = |e: &dyn std::error::Error| Failure::Other(format!("{}: {e}", self.name));
        let start = Instant::now();
        let bytes = self.client.call(&cdr::encode(request), ANSWERS).map_err(|e| failed(&e))?;
        let answer = cdr::decode(&bytes).map_err(|e| failed(&e))?;
        Ok((answer, start.elapsed().as_nanos() as u64))
    }
}

/// Answers of the node and of the same scene in this process, counted as they are compared.
#[derive(Debug, Default)]
struct Tally {
    nanos: Vec<u64>,
    wrong: usize,
    refused: usize,
    worst: f64,
}

impl Tally {
    fn row(&self, method: &str, with_distance: bool) -> Row {
        let mut row = Row::missing("services", method, "", None);
        (row.micros, row.missing) = (Summary::of_nanos(&self.nanos), None);
        (row.wrong_decisions, row.unconverged) = (self.wrong, self.refused);
        row.worst_error = with_distance.then_some(self.worst);
        row
    }
}

/// The rows of the services: every contact of a state, yes or no for one state, and for all states in one call.
pub(crate) fn rows(
    transport: &dyn Transport,
    node: &str,
    robot: &Robot,
    movement: &Movement,
    stopped: &dyn Fn() -> bool,
) -> Result<Vec<Row>, Failure> {
    let type_of = |name: &str| format!("smooth_scene/srv/{name}");
    let distance =
        Service::find(transport, &format!("{node}/get_distance"), &type_of("GetDistance"))?;
    let check = Service::find(transport, &format!("{node}/check_states"), &type_of("CheckStates"))?;
    let names = robot.model().variable_names();
    let (mut ws, mut ours) = (Workspace::warm(), Vec::new());
    let (mut contacts, mut yes_no, mut batch) =
        (Tally::default(), Tally::default(), Tally::default());
    let mut expected = Vec::new();
    let mut progress = Progress::new(movement.states.len());
    for state in &movement.states {
        if stopped() {
            break;
        }
        progress.step("calls");
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
        } else {
            refuse(&distance, answer.status, &answer.message, &mut contacts)?;
        }

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
    }
    drop(progress);
    let all = &movement.states[..expected.len()];
    let positions = all.iter().flat_map(|state| state.positions().iter().copied()).collect();
    let ask = CheckStatesRequest {
        joint_names: names.to_vec(),
        positions,
        ..CheckStatesRequest::default()
    };
    let (answer, nanos): (CheckStatesResponse, u64) = check.ask(&ask)?;
    batch.nanos = vec![nanos / expected.len().max(1) as u64; expected.len()];
    if answer.status == CheckStatesResponse::OK {
        let collides = answer.states.iter().map(|s| *s == CheckStatesResponse::COLLISION);
        batch.wrong = collides.zip(&expected).filter(|(found, e)| found != *e).count()
            + answer.states.len().abs_diff(expected.len());
    } else {
        refuse(&check, answer.status, &answer.message, &mut batch)?;
    }
    Ok(vec![
        contacts.row("get_distance, every contact of a state", true),
        yes_no.row("check_states, one state a call", false),
        batch.row("check_states, all states in one call", false),
    ])
}

/// Nobody can be measured who refuses the first request; later refusals are counted.
fn refuse(service: &Service, status: u8, message: &str, tally: &mut Tally) -> Result<(), Failure> {
    tally.refused += 1;
    if tally.nanos.len() > 1 {
        return Ok(());
    }
    Err(Failure::Other(format!("{} refuses (status {status}): {message}", service.name)))
}

/// Counts an answer whose contacts are not those of the scene here.
fn compare(answer: &GetDistanceResponse, ours: &[Proximity], robot: &Robot, tally: &mut Tally) {
    let mut same = answer.proximities.len() == ours.len();
    for found in &answer.proximities {
        let scene = &robot.scene;
        let names = |p: &Proximity| [scene.body_name(p.body_a), scene.body_name(p.body_b)];
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
