//! The node on one machine, clients on another, and a network between them that is not kind: 5 % of the frames are lost,
//! all are delayed by 20 ms, some overtake others; the cable is pulled for ten seconds; addresses change.
//!
//! Nothing is lost and nothing is wrong. `TWO_MACHINES_CALLS=2500` asks as often as a long run should.

use std::path::PathBuf;
use std::time::Duration;

use smooth_scene::cdr;
use smooth_scene::interfaces::srv::{GetDistanceResponse, GetSceneRequest, GetSceneResponse};

use super::grasp::Grasp;
use super::load_files::{read_answers, scratch, write_questions};
use super::network::{CableState, Machine, Seen, TwoMachines, Weather};
use super::node::Node;
use super::peer::{Handle, Peer, Vendor};

/// The namespaces have all ports to themselves.
const DOMAIN: u16 = 0;
const CLIENTS: usize = 8;
/// Of each client, unless the environment says otherwise. Each takes 40 ms and more.
const CALLS: usize = 60;

fn calls() -> usize {
    match std::env::var("TWO_MACHINES_CALLS") {
        Ok(calls) => calls.parse().expect("TWO_MACHINES_CALLS is a number"),
        Err(_) => CALLS,
    }
}

const STORM: Weather = Weather { loss: 0.05, delay: 0.02, reordered: 0.05, seed: 7 };

/// A client that asks what is in a file.
struct Asking {
    number: usize,
    vendor: Vendor,
    peer: Peer,
    client: Handle,
    questions: PathBuf,
    answers: PathBuf,
}

impl Asking {
    fn new(machines: &TwoMachines, vendor: Vendor, number: usize, grasp: &Grasp) -> Self {
        let command = Peer::command(vendor, DOMAIN, Machine::Desk.address());
        let mut peer = Peer::run(vendor, machines.on(Machine::Desk, &command));
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        let states = (0..calls()).map(|n| number * 50 + n);
        let (questions, answers) = (write_questions(grasp, states), scratch("answers"));
        Self { number, vendor, peer, client, questions, answers }
    }

    fn start(&mut self) {
        self.peer.start_calls(self.client, &self.questions, &self.answers);
    }

    /// Waits for the rest; everything has to be answered and right. The longest call, ms.
    fn finish(mut self, grasp: &Grasp) -> f64 {
        let end = self.peer.finish_calls();
        let all = read_answers(&self.answers);
        std::fs::remove_file(&self.questions).unwrap();
        std::fs::remove_file(&self.answers).unwrap();
        assert_eq!(end, "done", "client {} of {:?}", self.number, self.vendor);
        assert_eq!(all.len(), calls());
        for (n, (_, answer)) in all.iter().enumerate() {
            let answer = answer.as_ref().expect("`done` says that all were answered");
            let fault = grasp.fault(self.number * 50 + n, answer);
            assert_eq!(fault, None, "client {} of {:?}", self.number, self.vendor);
        }
        all.iter().map(|(micros, _)| micros / 1e3).fold(0.0, f64::max)
    }
}

/// Eight clients ask while something happens to the network. What the cable has seen.
fn ask_while(vendors: &[Vendor], weather: Weather, happens: impl FnOnce(&TwoMachines)) -> Seen {
    let grasp = Grasp::load();
    let machines = TwoMachines::new(weather);
    let node = Node::run(DOMAIN, machines.on(Machine::Robot, &Node::hands_command(DOMAIN)));
    let clients = (0..CLIENTS)
        .map(|number| Asking::new(&machines, vendors[number % vendors.len()], number, &grasp));
    let mut clients: Vec<Asking> = clients.collect();
    clients.iter_mut().for_each(Asking::start);
    happens(&machines);
    for client in clients {
        let (number, vendor) = (client.number, client.vendor);
        let longest = client.finish(&grasp);
        println!("client {number}, {vendor:?}: longest call {longest:.0} ms");
    }
    drop(node);
    let seen = machines.finish();
    println!("{seen:?}");
    seen
}

const ALL: [Vendor; 4] =
    [Vendor::OursLikeFastDds, Vendor::Cyclone, Vendor::OursLikeCyclone, Vendor::FastDds];
const OURS: [Vendor; 2] = [Vendor::OursLikeFastDds, Vendor::OursLikeCyclone];

#[test]
fn frames_that_are_lost_delayed_and_reordered_cost_no_answer() {
    let seen = ask_while(&ALL, STORM, |_| {});
    assert!(seen.lost * 30 > seen.frames && seen.reordered * 30 > seen.frames, "{seen:?}");
    assert!(seen.largest <= 1514, "{seen:?}");
    // What we send fits the network's packets.
    assert_eq!(seen.fragments.get(Machine::Robot.address()), None, "{seen:?}");
}

#[test]
fn a_cable_that_is_pulled_for_ten_seconds_costs_no_answer() {
    ask_while(&ALL, STORM, |machines| {
        std::thread::sleep(Duration::from_secs(1));
        machines.set_cable(CableState::Pulled);
        std::thread::sleep(Duration::from_secs(10));
        machines.set_cable(CableState::Plugged);
    });
}

/// Ours follow without losing anything. Cyclone and Fast DDS go on sending to the address at which they found others.
#[test]
fn addresses_that_change_on_both_sides_cost_no_answer() {
    ask_while(&OURS, STORM, |machines| {
        let new = [(Machine::Robot, "10.77.0.11"), (Machine::Desk, "10.77.0.12")];
        for (machine, address) in new {
            std::thread::sleep(Duration::from_secs(1));
            machines.change_address(machine, address);
        }
    });
}

/// Cyclone and Fast DDS are told to forget the node, and find it anew: calls meanwhile are lost, later ones are answered.
#[test]
fn others_find_the_node_again_when_its_address_changes() {
    let grasp = Grasp::load();
    let machines = TwoMachines::new(STORM);
    let _node = Node::run(DOMAIN, machines.on(Machine::Robot, &Node::hands_command(DOMAIN)));
    let mut peers = [Vendor::Cyclone, Vendor::FastDds].map(|vendor| {
        let command = Peer::command(vendor, DOMAIN, Machine::Desk.address());
        let mut peer = Peer::run(vendor, machines.on(Machine::Desk, &command));
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        let answer = peer.call(client, &grasp.question(0));
        assert_eq!(grasp.fault(0, &answer), None, "{vendor:?}");
        (vendor, peer, client)
    });
    machines.change_address(Machine::Robot, "10.77.0.11");
    for (vendor, peer, client) in &mut peers {
        let request = cdr::encode(&grasp.question(1));
        let mut answers = (0..30).filter_map(|_| peer.call_bytes(*client, &request, 4000));
        let answer = answers.next().unwrap_or_else(|| panic!("{vendor:?} does not find the node"));
        assert_eq!(grasp.fault(1, &cdr::decode(&answer).unwrap()), None, "{vendor:?}");
        // New endpoints are found, too.
        let scene: GetSceneResponse = peer.ask(
            "/scene_node/get_scene",
            "smooth_scene/srv/GetScene",
            &GetSceneRequest::default(),
        );
        assert_eq!(scene.status, GetSceneResponse::OK, "{vendor:?}: {}", scene.message);
    }
}

/// All pairs of the hands with their gradients, in packets of 1500 bytes.
#[test]
fn large_answers_cross_the_network() {
    let grasp = Grasp::load();
    let machines = TwoMachines::new(STORM);
    let _node = Node::run(DOMAIN, machines.on(Machine::Robot, &Node::hands_command(DOMAIN)));
    for vendor in [Vendor::Cyclone, Vendor::FastDds] {
        let command = Peer::command(vendor, DOMAIN, Machine::Desk.address());
        let mut peer = Peer::run(vendor, machines.on(Machine::Desk, &command));
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        let question = smooth_scene::interfaces::srv::GetDistanceRequest {
            max_results: 100_000,
            max_distance: 10.0,
            gradient: true,
            ..grasp.question(0)
        };
        let answer: GetDistanceResponse = peer.call(client, &question);
        assert_eq!(answer.status, GetDistanceResponse::OK, "{vendor:?}: {}", answer.message);
        let bytes = cdr::encode(&answer).len();
        assert!(bytes > 100_000, "{bytes} bytes are not many");
    }
    let seen = machines.finish();
    assert_eq!(seen.fragments.get(Machine::Robot.address()), None, "{seen:?}");
}
