//! The node comes and goes.

use std::time::{Duration, Instant};

use smooth_scene::cdr;

use super::grasp::Grasp;
use super::node::Node;
use super::peer::{Peer, VENDORS};

#[test]
fn clients_that_stay_are_answered_by_the_next_node() {
    let grasp = Grasp::load();
    let mut node = Node::hands();
    let domain = node.domain;
    let mut peers = VENDORS.map(|vendor| Peer::start(vendor, domain));
    let clients = peers
        .each_mut()
        .map(|peer| peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance"));
    for round in 0..3 {
        for (peer, client) in peers.iter_mut().zip(clients) {
            let begin = Instant::now();
            // A request sent while nobody is there is lost, as with any ROS service: ask again.
            let answer = loop {
                let request = cdr::encode(&grasp.question(round));
                match peer.call_bytes(client, &request, 500) {
                    Some(answer) => break cdr::decode(&answer).unwrap(),
                    None => assert!(begin.elapsed() < Duration::from_secs(20), "round {round}"),
                }
            };
            assert_eq!(grasp.fault(round, &answer), None);
        }
        let (status, _) = node.end(if round % 2 == 0 { "KILL" } else { "TERM" });
        assert_eq!(status.success(), round % 2 == 1);
        node = Node::hands_in(domain);
    }
}

#[test]
fn it_ends_soon_whatever_it_is_doing() {
    let grasp = Grasp::load();
    for signal in ["INT", "TERM"] {
        let mut node = Node::hands();
        let mut peer = Peer::start(VENDORS[0], node.domain);
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        for state in 0..100 {
            peer.send(client, &cdr::encode(&grasp.question(state)));
        }
        let (status, time) = node.end(signal);
        assert!(status.success(), "{signal}: {status}");
        // A tenth of a second by itself; tests run side by side.
        assert!(time < Duration::from_secs(10), "{signal}: {time:?}");
    }
}
