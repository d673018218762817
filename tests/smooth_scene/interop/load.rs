//! Many clients at once: nothing lost, none wrong. How fast it is, is measured in `benches/load`.

use std::sync::atomic::AtomicBool;

use smooth_scene::cdr;
use smooth_scene::interfaces::srv::{GetDistanceResponse, GetSceneRequest, GetSceneResponse};

use super::grasp::Grasp;
use super::load_files::{Stop, read_answers, scratch, stream, write_questions};
use super::node::Node;
use super::peer::{PATIENCE, Peer, VENDORS};

#[test]
fn eight_clients_at_once_lose_nothing_and_get_nothing_wrong() {
    const CALLS: usize = 100;
    let (node, grasp) = (Node::hands(), Grasp::load());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Stop(&stop);
        scope.spawn(|| stream(node.domain, &grasp, &stop));
        let mut running = Vec::new();
        for number in 0..8 {
            let mut peer = Peer::start(VENDORS[number % VENDORS.len()], node.domain);
            let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
            let _: GetDistanceResponse = peer.call(client, &grasp.question(0));
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
    let request = cdr::encode(&GetSceneRequest::default());
    for number in 0..40 {
        let mut peer = Peer::start(VENDORS[number % VENDORS.len()], node.domain);
        let client = peer.client("/scene_node/get_scene", "smooth_scene/srv/GetScene");
        let answer = peer.call_bytes(client, &request, PATIENCE);
        let answer = answer.unwrap_or_else(|| panic!("client {number} is not answered"));
        let answer: GetSceneResponse = cdr::decode(&answer).unwrap();
        assert_eq!(answer.status, GetSceneResponse::OK, "client {number}");
        peer.leave();
    }
}
