//! The node under load, from Cyclone DDS and Fast DDS clients in C++ in processes of their own, on the loopback interface:
//! `cargo bench --features external-tests --bench load`, with `-- --minutes 10` for a soak. Prints Markdown. Needs what `tests/robots/install.sh`
//! installs.
//!
//! `-- --compare NAME=PROGRAM` measures this node beside another build of `scene_node` (or several), and nothing else; with
//! `--brief` a tenth as often, with `--part round-trips` (or `large-replies`, `first-calls`, `passing-clients`) only that part.
//!
//! Eight clients ask for the nearest pairs of the two hands one after the other while the grasp streams at 200 Hz; every
//! answer is asked again in this process and compared. Then one client alone, for the round trip; then 1 000 states in
//! one call against the same states in this process.

mod comparison;
#[path = "../../tests/smooth_scene/interop/grasp.rs"]
mod grasp;
#[allow(dead_code)] // The tests use the rest.
#[path = "../../tests/smooth_scene/interop/load_files.rs"]
mod load_files;
#[allow(dead_code)] // The tests use the rest.
#[path = "../../tests/smooth_scene/interop/node.rs"]
mod node;
#[allow(dead_code)] // The tests use the rest.
#[path = "../../tests/smooth_scene/interop/peer.rs"]
mod peer;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use comparison::{Candidate, Effort, Part, compare};
use grasp::Grasp;
use load_files::{Stop, read_answers, scratch, stream, write_questions};
use node::Node;
use peer::{Peer, Vendor};
use smooth_scene::interfaces::srv::{CheckStatesRequest, CheckStatesResponse, GetDistanceResponse};

const CLIENTS: usize = 8;
const CALLS: usize = 2500;

/// What some clients met.
#[derive(Default)]
struct Seen {
    micros: Vec<f64>,
    lost: usize,
    wrong: usize,
    seconds: f64,
}

impl Seen {
    fn quantile(&self, part: f64) -> f64 {
        let mut sorted = self.micros.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * part) as usize]
    }
}

/// So many clients at once, each with so many calls.
fn ask(node: &Node, grasp: &Grasp, clients: usize, calls: usize) -> Seen {
    let mut running = Vec::new();
    for number in 0..clients {
        let mut peer = Peer::start(Vendor::Cyclone, node.domain);
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        // The first call of a client pays for getting acquainted; it is not what is measured here.
        let _: GetDistanceResponse = peer.call(client, &grasp.question(0));
        let questions = write_questions(grasp, (0..calls).map(|n| number * 50 + n));
        running.push((peer, client, questions, scratch("answers")));
    }
    let begin = Instant::now();
    for (peer, client, questions, answers) in &mut running {
        peer.start_calls(*client, questions, answers);
    }
    let mut seen = Seen::default();
    for (peer, ..) in &mut running {
        peer.finish_calls();
    }
    seen.seconds = begin.elapsed().as_secs_f64();
    for (number, (_, _, questions, answers)) in running.iter().enumerate() {
        for (n, (micros, answer)) in read_answers(answers).into_iter().enumerate() {
            match answer {
                None => seen.lost += 1,
                Some(answer) => {
                    seen.micros.push(micros);
                    if let Some(fault) = grasp.fault(number * 50 + n, &answer) {
                        eprintln!("{fault}");
                        seen.wrong += 1;
                    }
                }
            }
        }
        let _ = std::fs::remove_file(questions);
        let _ = std::fs::remove_file(answers);
    }
    seen
}

/// One row of the table, with the processor time the node took.
fn row(name: &str, seen: &Seen, processor: f64, node: &Node) {
    println!(
        "| {name} | {} | {} | {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} % | {:.1} |",
        seen.micros.len(),
        seen.lost,
        seen.wrong,
        seen.quantile(0.5),
        seen.quantile(0.99),
        seen.quantile(1.0),
        seen.micros.len() as f64 / seen.seconds,
        100.0 * processor / seen.seconds,
        node.memory()
    );
}

fn measured(node: &Node, grasp: &Grasp, name: &str, clients: usize, calls: usize) -> Seen {
    let before = node.processor_time();
    let seen = ask(node, grasp, clients, calls);
    row(name, &seen, node.processor_time() - before, node);
    seen
}

fn check_states(node: &Node, grasp: &Grasp) {
    let mut peer = Peer::start(Vendor::Cyclone, node.domain);
    let client = peer.client("/scene_node/check_states", "smooth_scene/srv/CheckStates");
    let states = grasp.states.iter().cycle().take(1000);
    let request = CheckStatesRequest {
        joint_names: grasp.states[0].name.clone(),
        positions: states.flat_map(|state| state.position.clone()).collect(),
        ..CheckStatesRequest::default()
    };
    let files = (load_files::write_requests([&request]), scratch("answers"));
    let (mut over_the_wire, mut here) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..20 {
        peer.start_calls(client, &files.0, &files.1);
        assert_eq!(peer.finish_calls(), "done");
        let answers: Vec<(f64, Option<CheckStatesResponse>)> = load_files::read_any(&files.1);
        over_the_wire = over_the_wire.min(answers[0].0);
        let begin = Instant::now();
        let expected = grasp.check_states(request.clone());
        here = here.min(begin.elapsed().as_secs_f64() * 1e6);
        assert_eq!(answers[0].1.as_ref().map(|answer| &answer.states), Some(&expected.states));
    }
    let _ = std::fs::remove_file(files.0);
    let _ = std::fs::remove_file(files.1);
    println!("\n| 1 000 states, yes or no | ms |\n|---|---|");
    println!("| one call of check_states, from Cyclone DDS | {:.2} |", over_the_wire / 1e3);
    println!("| the same service called in process | {:.2} |", here / 1e3);
    println!("| ratio | {:.2} |", over_the_wire / here);
}

/// The nodes to be measured beside each other, if that is asked for: this one first.
fn candidates(arguments: &[String]) -> Vec<Candidate> {
    let others = arguments.windows(2).filter(|pair| pair[0] == "--compare").map(|pair| {
        let (name, program) = pair[1].split_once('=').expect("--compare NAME=PROGRAM");
        Candidate { name: name.to_owned(), program: program.into() }
    });
    let mut all: Vec<Candidate> = others.collect();
    if !all.is_empty() {
        let program = env!("CARGO_BIN_EXE_scene_node").into();
        all.insert(0, Candidate { name: "this".to_owned(), program });
    }
    all
}

/// The parts that are asked for, or all.
fn parts(arguments: &[String]) -> Vec<Part> {
    let part = |pair: &[String]| {
        let found = Part::ALL.into_iter().find(|part| part.name() == pair[1]);
        found.unwrap_or_else(|| panic!("there is no part `{}`", pair[1]))
    };
    let named = arguments.windows(2).filter(|pair| pair[0] == "--part").map(part);
    match named.collect::<Vec<_>>() {
        none if none.is_empty() => Part::ALL.to_vec(),
        some => some,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let candidates = candidates(&arguments);
    if !candidates.is_empty() {
        let effort = match arguments.iter().any(|argument| argument == "--brief") {
            true => Effort { calls: 250, fresh_clients: 20, passing_clients: 50 },
            false => Effort { calls: CALLS, fresh_clients: 100, passing_clients: 1000 },
        };
        return compare(&candidates, &parts(&arguments), &effort);
    }
    let minutes = arguments.iter().position(|argument| argument == "--minutes");
    let minutes: f64 = minutes.map_or(0.0, |place| arguments[place + 1].parse().unwrap());
    let (node, grasp) = (Node::hands(), Grasp::load());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        println!(
            "| get_distance, 10 nearest pairs of the hands | answered | lost | wrong | median µs | 99 % µs | longest µs | calls/s | node's CPU | MiB |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        measured(&node, &grasp, "1 client, joints still", 1, CALLS);
        let _stop = Stop(&stop);
        scope.spawn(|| stream(node.domain, &grasp, &stop));
        std::thread::sleep(Duration::from_secs(2));
        measured(&node, &grasp, "1 client, grasp at 200 Hz", 1, CALLS);
        measured(&node, &grasp, "8 clients, grasp at 200 Hz", CLIENTS, CALLS);
        let begin = Instant::now();
        while begin.elapsed().as_secs_f64() < 60.0 * minutes {
            let name = format!("soak, minute {:.1}", begin.elapsed().as_secs_f64() / 60.0);
            measured(&node, &grasp, &name, CLIENTS, CALLS);
        }
    });
    check_states(&node, &grasp);
}
