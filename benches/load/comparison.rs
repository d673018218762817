//! Nodes beside each other: the same questions to each, in one run.
//!
//! Each figure is the best of two rounds in which the nodes take turns, so that a busy moment of the machine hits all.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use smooth_scene::interfaces::rcl_interfaces::srv::{GetParametersRequest, GetParametersResponse};
use smooth_scene::interfaces::srv::GetDistanceRequest;
use smooth_scene::interfaces::{Message, srv::GetDistanceResponse};
use smooth_scene_test_support::dds_domain::own_domain;

use super::grasp::Grasp;
use super::load_files::{read_any, scratch, write_requests};
use super::node::{Node, file};
use super::peer::{Handle, Peer, Vendor};

const VENDORS: [Vendor; 2] = [Vendor::Cyclone, Vendor::FastDds];
const EMPTY: (&str, &str) = ("/scene_node/get_parameters", "rcl_interfaces/srv/GetParameters");
const DISTANCE: (&str, &str) = ("/scene_node/get_distance", "smooth_scene/srv/GetDistance");

/// How much is asked.
pub struct Effort {
    pub calls: usize,
    pub fresh_clients: usize,
    pub passing_clients: usize,
}

/// A part of the table, so that it can be measured in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    RoundTrips,
    LargeReplies,
    FirstCalls,
    PassingClients,
}

impl Part {
    pub const ALL: [Self; 4] =
        [Self::RoundTrips, Self::LargeReplies, Self::FirstCalls, Self::PassingClients];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::RoundTrips => "round-trips",
            Self::LargeReplies => "large-replies",
            Self::FirstCalls => "first-calls",
            Self::PassingClients => "passing-clients",
        }
    }
}

/// A program to be measured.
pub struct Candidate {
    pub name: String,
    pub program: PathBuf,
}

/// The rows of the table: what, and a figure per candidate.
struct Table {
    rows: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// Keeps the better figure if there is one already.
    fn note(&mut self, what: String, candidate: usize, count: usize, figure: f64) {
        let place = self.rows.iter().position(|(row, _)| *row == what);
        let place = place.unwrap_or_else(|| {
            self.rows.push((what, vec![f64::INFINITY; count]));
            self.rows.len() - 1
        });
        let best = &mut self.rows[place].1[candidate];
        *best = best.min(figure);
    }
}

/// Measures and prints.
pub fn compare(candidates: &[Candidate], parts: &[Part], effort: &Effort) {
    let grasp = Grasp::load();
    let mut table = Table { rows: Vec::new() };
    for (round, part) in (0..2).flat_map(|round| parts.iter().map(move |part| (round, *part))) {
        for (number, candidate) in candidates.iter().enumerate() {
            eprintln!("round {round}: {} of {}", part.name(), candidate.name);
            let mut note = |what: String, figure: f64| {
                table.note(what, number, candidates.len(), figure);
            };
            match part {
                Part::RoundTrips => round_trips(candidate, &grasp, effort, &mut note),
                Part::LargeReplies => large_replies(candidate, &mut note),
                Part::FirstCalls => first_calls(candidate, effort, &mut note),
                // Memory is no matter of luck.
                Part::PassingClients if round == 0 => passing_clients(candidate, effort, &mut note),
                Part::PassingClients => {}
            }
            let bytes = candidate.program.metadata().expect("it was started").len();
            note("program, MB".into(), bytes as f64 / 1e6);
        }
    }
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.name.as_str()).collect();
    println!("| | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()));
    for (what, figures) in &table.rows {
        let figures: Vec<String> = figures.iter().map(|figure| format!("{figure:.3}")).collect();
        println!("| {what} | {} |", figures.join(" | "));
    }
}

fn start(candidate: &Candidate, urdf: &Path) -> Node {
    let domain = own_domain();
    let mut command = Command::new(&candidate.program);
    command.arg("--urdf").arg(urdf).arg("--srdf").arg(file("urdf/icub_hands.srdf"));
    command.env("ROS_DOMAIN_ID", domain.to_string()).env("ROS_LOCALHOST_ONLY", "1");
    Node::run(domain, command)
}

fn hands(candidate: &Candidate) -> Node {
    start(candidate, &file("urdf/icub_hands_mixed.urdf"))
}

/// Asks the same again and again, one after the other. Microseconds in order; an answer that did not come takes forever.
fn ask<Q: Message, A: Message>(
    peer: &mut Peer,
    client: Handle,
    request: &Q,
    calls: usize,
) -> Vec<f64> {
    let (questions, answers) = (write_requests(vec![request; calls]), scratch("answers"));
    peer.start_calls(client, &questions, &answers);
    let mut micros = finish::<A>(peer, &questions, &answers);
    micros.sort_by(f64::total_cmp);
    micros
}

fn finish<A: Message>(peer: &mut Peer, questions: &Path, answers: &Path) -> Vec<f64> {
    peer.finish_calls();
    let took = |(micros, answer): (f64, Option<A>)| answer.map_or(f64::INFINITY, |_| micros);
    let micros = read_any::<A>(answers).into_iter().map(took).collect();
    std::fs::remove_file(questions).expect("it was written");
    std::fs::remove_file(answers).expect("it was written");
    micros
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part) as usize]
}

fn round_trips(
    candidate: &Candidate,
    grasp: &Grasp,
    effort: &Effort,
    note: &mut impl FnMut(String, f64),
) {
    let node = hands(candidate);
    let (begin, before) = (Instant::now(), node.processor_time());
    std::thread::sleep(Duration::from_secs(5));
    let idle = (node.processor_time() - before) / begin.elapsed().as_secs_f64();
    note("CPU idle, %".into(), 100.0 * idle);
    let question: GetDistanceRequest = grasp.question(100);
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let client = peer.client(EMPTY.0, EMPTY.1);
        let empty = GetParametersRequest::default();
        ask::<_, GetParametersResponse>(&mut peer, client, &empty, 100);
        let micros = ask::<_, GetParametersResponse>(&mut peer, client, &empty, effort.calls);
        note(format!("empty service, {vendor:?}: median, µs"), quantile(&micros, 0.5));
        note(format!("empty service, {vendor:?}: p99, µs"), quantile(&micros, 0.99));
        let client = peer.client(DISTANCE.0, DISTANCE.1);
        ask::<_, GetDistanceResponse>(&mut peer, client, &question, 100);
        let micros = ask::<_, GetDistanceResponse>(&mut peer, client, &question, effort.calls);
        note(format!("10 nearest pairs, {vendor:?}: median, µs"), quantile(&micros, 0.5));
        note(format!("10 nearest pairs, {vendor:?}: p99, µs"), quantile(&micros, 0.99));
    }
    for vendor in VENDORS {
        let mut running: Vec<_> = (0..super::CLIENTS)
            .map(|_| {
                let mut peer = Peer::start(vendor, node.domain);
                let client = peer.client(DISTANCE.0, DISTANCE.1);
                let questions = write_requests(vec![&question; effort.calls]);
                (peer, client, questions, scratch("answers"))
            })
            .collect();
        let (begin, before) = (Instant::now(), node.processor_time());
        for (peer, client, questions, answers) in &mut running {
            peer.start_calls(*client, questions, answers);
        }
        let mut calls = 0;
        for (peer, _, questions, answers) in &mut running {
            calls += finish::<GetDistanceResponse>(peer, questions, answers).len();
        }
        let seconds = begin.elapsed().as_secs_f64();
        let micros = 1e6 * seconds / calls as f64;
        note(format!("8 clients, {vendor:?}: µs of the machine per call"), micros);
        let processor = 1e6 * (node.processor_time() - before) / calls as f64;
        note(format!("8 clients, {vendor:?}: µs of the node's CPU per call"), processor);
    }
}

/// The description of the robot with a long comment, asked for as a parameter.
fn large_replies(candidate: &Candidate, note: &mut impl FnMut(String, f64)) {
    let urdf = std::fs::read_to_string(file("urdf/icub_hands_mixed.urdf")).expect("bundled");
    for megabytes in [1, 20] {
        let comment = format!("<!-- {} --></robot>", "x".repeat(megabytes * 1_000_000));
        let path = scratch("large").with_extension("urdf");
        std::fs::write(&path, urdf.replace("</robot>", &comment)).expect("a disk with room");
        let node = start(candidate, &path);
        for vendor in VENDORS {
            let mut peer = Peer::start(vendor, node.domain);
            let client = peer.client(EMPTY.0, EMPTY.1);
            let request = GetParametersRequest { names: vec!["robot_description".into()] };
            let micros = ask::<_, GetParametersResponse>(&mut peer, client, &request, 5);
            note(format!("reply of {megabytes} MB, {vendor:?}: median, ms"), micros[2] / 1e3);
            note(format!("reply of {megabytes} MB, {vendor:?}: longest, ms"), micros[4] / 1e3);
        }
        std::fs::remove_file(path).expect("it was written");
    }
}

fn first_calls(candidate: &Candidate, effort: &Effort, note: &mut impl FnMut(String, f64)) {
    let node = hands(candidate);
    for vendor in VENDORS {
        let mut millis = Vec::new();
        for _ in 0..effort.fresh_clients {
            let mut peer = Peer::start(vendor, node.domain);
            let client = peer.client(EMPTY.0, EMPTY.1);
            let request = GetParametersRequest::default();
            millis.push(ask::<_, GetParametersResponse>(&mut peer, client, &request, 1)[0] / 1e3);
            peer.leave();
        }
        millis.sort_by(f64::total_cmp);
        let clients = effort.fresh_clients;
        note(
            format!("first call of {clients} {vendor:?} clients: median, ms"),
            quantile(&millis, 0.5),
        );
        note(
            format!("first call of {clients} {vendor:?} clients: longest, ms"),
            quantile(&millis, 1.0),
        );
    }
}

/// Half of the clients come and go before the memory is looked at, half after: what grows is what is kept of them.
fn passing_clients(candidate: &Candidate, effort: &Effort, note: &mut impl FnMut(String, f64)) {
    let node = hands(candidate);
    let pass = |count: usize| {
        for number in 0..count {
            let mut peer = Peer::start(VENDORS[number % 2], node.domain);
            let client = peer.client(EMPTY.0, EMPTY.1);
            let request = GetParametersRequest::default();
            ask::<_, GetParametersResponse>(&mut peer, client, &request, 1);
            peer.leave();
        }
    };
    pass(effort.passing_clients / 2);
    let before = node.memory();
    pass(effort.passing_clients / 2);
    let count = effort.passing_clients;
    note(format!("memory after {count} clients, MiB"), node.memory());
    note(format!("of it since the first {}, MiB", count / 2), node.memory() - before);
}
