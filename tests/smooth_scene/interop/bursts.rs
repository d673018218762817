//! Many requests at once: as many as the queue holds are answered, the rest is refused, and nothing is silent.

use smooth_scene::interfaces::srv::GetDistanceResponse;

use super::grasp::Grasp;
use super::load_files::{read_answers, scratch, write_questions};
use super::node::Node;
use super::peer::{Peer, Vendor};

/// Requests that may wait, by default.
const QUEUE: usize = 1000;

#[test]
fn every_request_of_a_burst_is_answered_or_refused() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    for vendor in [Vendor::Cyclone, Vendor::FastDds] {
        let mut peer = Peer::start(vendor, node.domain);
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        for size in [100, 2000] {
            let (questions, answers) = (write_questions(&grasp, 0..size), scratch("answers"));
            peer.start_burst(client, &questions, &answers);
            let end = peer.finish_calls();
            let all = read_answers(&answers);
            std::fs::remove_file(questions).unwrap();
            std::fs::remove_file(answers).unwrap();
            assert_eq!(end, "done", "{vendor:?}, {size} at once");
            let mut answered = 0;
            for (state, (_, answer)) in all.iter().enumerate() {
                let answer = answer.as_ref().expect("`done` says that all were answered");
                if answer.status != GetDistanceResponse::OVERLOADED {
                    assert_eq!(grasp.fault(state, answer), None, "{vendor:?}, {size} at once");
                    answered += 1;
                }
            }
            println!("{vendor:?}: {answered} of {size} answered, the others refused");
            assert!(answered >= size.min(QUEUE), "{vendor:?}: {answered} of {size}");
        }
    }
}
