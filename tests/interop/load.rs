//! Many clients at once: nothing lost, none wrong. How fast it is, is measured in `benches/load`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use smooth_scene::ros::cdr;
use smooth_scene::ros::interfaces::srv::{GetDistanceResponse, GetSceneRequest, GetSceneResponse};

use crate::grasp::Grasp;
use crate::node::Node;
use crate::peer::{Peer, VENDORS, Vendor};

/// Questions, in the form peers read.
pub fn write_questions(grasp: &Grasp, states: impl Iterator<Item = usize>) -> PathBuf {
    let mut bytes = Vec::new();
    for state in states {
        let request = cdr::encode(&grasp.question(state));
        bytes.extend((request.len() as u32).to_le_bytes());
        bytes.extend(request);
    }
    let path = scratch("questions");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Microseconds and answers, as peers write them; an answer is missing where none came.
pub fn read_answers(path: &PathBuf) -> Vec<(f64, Option<GetDistanceResponse>)> {
    let bytes = std::fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let micros = f64::from_le_bytes(rest[..8].try_into().unwrap());
        let length = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        let (answer, after) = rest[12..].split_at(length);
        answers.push((micros, (length > 0).then(|| cdr::decode(answer).unwrap())));
        rest = after;
    }
    answers
}

/// A file name nobody else uses.
pub fn scratch(what: &str) -> PathBuf {
    use std::sync::atomic::AtomicUsize;
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("smooth_scene-{what}-{}-{number}", std::process::id()))
}

/// Publishes the grasp over and over, 200 times a second, until told to stop.
pub fn stream(domain: u16, grasp: &Grasp, stop: &AtomicBool) {
    let mut robot = Peer::start(Vendor::Cyclone, domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    for state in grasp.states.iter().cycle() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        robot.publish(joints, state);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn eight_clients_at_once_lose_nothing_and_get_nothing_wrong() {
    const CALLS: usize = 100;
    let (node, grasp) = (Node::hands(), Grasp::load());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| stream(node.domain, &grasp, &stop));
        let mut running = Vec::new();
        for number in 0..8 {
            let mut peer = Peer::start(VENDORS[number % 2], node.domain);
            let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
            let questions = write_questions(&grasp, (0..CALLS).map(|n| number * 50 + n));
            let answers = scratch("answers");
            peer.start_calls(client, &questions, &answers);
            running.push((number, peer, questions, answers));
        }
        for (number, mut peer, questions, answers) in running {
            let end = peer.finish_calls();
            let all = read_answers(&answers);
            std::fs::remove_file(questions).unwrap();
            std::fs::remove_file(answers).unwrap();
            stop.store(number == 7, Ordering::Relaxed);
            assert_eq!(end, "done");
            assert_eq!(all.len(), CALLS);
            for (n, (_, answer)) in all.iter().enumerate() {
                assert_eq!(grasp.fault(number * 50 + n, answer.as_ref().unwrap()), None);
            }
        }
    });
}

#[test]
fn the_first_call_of_forty_fresh_clients_is_answered() {
    let node = Node::hands();
    for number in 0..40 {
        let mut peer = Peer::start(VENDORS[number % 2], node.domain);
        let answer: GetSceneResponse = peer.ask(
            "/scene_node/get_scene",
            "smooth_scene/srv/GetScene",
            &GetSceneRequest::default(),
        );
        assert_eq!(answer.status, GetSceneResponse::OK, "client {number}");
    }
}
