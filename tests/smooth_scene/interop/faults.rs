//! Peers that misbehave: the node keeps answering, and refuses with a reason.

use std::convert::Infallible;

use smooth_scene::cdr;
use smooth_scene::interfaces::ServiceType;
use smooth_scene::interfaces::rosgraph_msgs::msg::Clock;
use smooth_scene::interfaces::srv::*;
use smooth_scene::interfaces::std_msgs;
use smooth_scene::node::services::{ServiceVisitor, for_each_service};
use smooth_scene::node::{Endpoint, Service};

use super::grasp::Grasp;
use super::load_files::{scratch, write_requests};
use super::node::{Node, file};
use super::peer::{Handle, PATIENCE, Peer, VENDORS, Vendor};
use smooth_scene_test_support::dds_domain::own_domain;

/// Names and types of all services of the node.
pub fn services() -> Vec<(String, &'static str)> {
    struct Collect(Vec<(String, &'static str)>);
    impl ServiceVisitor for Collect {
        type Error = Infallible;

        fn visit<S: Service>(
            &mut self,
            endpoint: &'static Endpoint,
            _: S,
        ) -> Result<(), Infallible> {
            let name = match endpoint.name.strip_prefix('~') {
                Some(private) => format!("/scene_node{private}"),
                None => format!("/{}", endpoint.name),
            };
            self.0.push((name, S::Type::TYPE_NAME));
            Ok(())
        }
    }
    let mut all = Collect(Vec::new());
    let Ok(()) = for_each_service(&mut all);
    all.0
}

/// The generator xorshift64.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn get_distance(peer: &mut Peer) -> Handle {
    peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance")
}

#[test]
fn a_client_killed_in_mid_call_disturbs_nobody() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    let mut witness = Peer::start(Vendor::Cyclone, node.domain);
    let client = get_distance(&mut witness);
    for vendor in VENDORS {
        for state in 0..5 {
            let mut victim = Peer::start(vendor, node.domain);
            let asking = get_distance(&mut victim);
            for n in 0..20 {
                victim.send(asking, &cdr::encode(&grasp.question(n)));
            }
            drop(victim);
            let answer = witness.call(client, &grasp.question(state));
            assert_eq!(grasp.fault(state, &answer), None, "{vendor:?}");
        }
    }
}

#[test]
fn a_viewer_that_vanishes_leaves_no_trace() {
    let (mut node, grasp) = (Node::hands(), Grasp::load());
    let mut robot = Peer::start(Vendor::FastDds, node.domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    let topic = ("/scene_node/markers", "visualization_msgs/msg/MarkerArray", "latched");
    for round in 0..6 {
        let mut viewer = Peer::start(VENDORS[round % VENDORS.len()], node.domain);
        viewer.subscribe(topic.0, topic.1, topic.2);
        for state in &grasp.states[..20] {
            robot.publish(joints, state);
        }
        drop(viewer);
    }
    let before = node.memory();
    for state in grasp.states.iter().cycle().take(1000) {
        robot.publish(joints, state);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // The markers of 1 000 states kept for somebody who is gone would be more than a hundred.
    let growth = node.memory() - before;
    assert!(growth < 50.0, "{growth} MiB for viewers that are gone");
    assert!(node.is_alive());
    let client = get_distance(&mut robot);
    let answer = robot.call(client, &grasp.question(3));
    assert_eq!(grasp.fault(3, &answer), None);
}

#[test]
fn answers_are_not_kept_for_a_client_that_vanished() {
    const CALLS: usize = 20_000;
    let (node, grasp) = (Node::hands(), Grasp::load());
    let mut witness = Peer::start(Vendor::Cyclone, node.domain);
    let client = get_distance(&mut witness);
    let mut victim = Peer::start(Vendor::FastDds, node.domain);
    let asking = get_distance(&mut victim);
    let _: GetDistanceResponse = victim.call(asking, &grasp.question(0));
    // Killed without a word: to DDS it is there, and silent, until its lease ends.
    drop(victim);
    let before = node.memory();
    let question = GetDistanceRequest { max_results: 300, ..grasp.question(0) };
    let (questions, answers) = (write_requests(&vec![question; CALLS]), scratch("answers"));
    witness.start_calls(client, &questions, &answers);
    let end = witness.finish_calls();
    let size = answers.metadata().unwrap().len() as f64 / f64::from(1 << 20);
    std::fs::remove_file(questions).unwrap();
    std::fs::remove_file(answers).unwrap();
    assert_eq!(end, "done");
    // The node asks after 16 MiB whether they arrived, and lets go of them within seconds.
    let growth = node.most_memory() - before;
    assert!(size > 250.0, "{size} MiB are not many");
    assert!(growth < 150.0, "{growth} MiB after answers of {size} MiB");
    let answer = witness.call(client, &grasp.question(3));
    assert_eq!(grasp.fault(3, &answer), None);
}

#[test]
fn malformed_requests_are_refused_with_a_reason() {
    let node = Node::hands();
    let whole = cdr::encode(&Grasp::load().question(0));
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let client = get_distance(&mut peer);
        let mut endless = whole.clone();
        // The number of joint names.
        endless[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
        for bytes in [&whole[..4], &whole[..whole.len() / 2], &endless[..]] {
            let answer = peer.call_bytes(client, bytes, PATIENCE).expect("no answer");
            let answer: GetDistanceResponse = cdr::decode(&answer).unwrap();
            assert_eq!(answer.status, GetDistanceResponse::REFUSED, "{vendor:?}");
            assert!(answer.message.contains("CDR"), "{vendor:?}: {}", answer.message);
        }
    }
}

#[test]
fn ten_thousand_random_byte_strings_per_service() {
    let (mut node, grasp) = (Node::hands(), Grasp::load());
    let mut seed = 0x5eed_u64;
    let mut peer = Peer::start(Vendor::Cyclone, node.domain);
    for (name, type_name) in services() {
        let client = peer.client(&name, type_name);
        for n in 0..10_000 {
            let length = (random(&mut seed) % 200) as usize;
            let mut bytes = vec![0, 1, 0, 0];
            bytes.extend((0..length).map(|_| {
                // Small numbers often: they pass for lengths and go on to the next field.
                let byte = random(&mut seed);
                if byte & 0x300 == 0 { byte as u8 } else { (byte & 1) as u8 }
            }));
            let answer = peer.call_bytes(client, &bytes, PATIENCE);
            assert!(answer.is_some(), "{name}: no answer to string {n} of seed 0x5eed: {bytes:?}");
        }
        assert!(node.is_alive(), "{name}");
    }
    let client = get_distance(&mut peer);
    let answer = peer.call(client, &grasp.question(0));
    assert_eq!(grasp.fault(0, &answer), None);
}

#[test]
fn more_than_is_permitted_is_refused() {
    let (urdf, srdf) = (file("urdf/icub_hands_mixed.urdf"), file("urdf/icub_hands.srdf"));
    let arguments = [
        "--urdf",
        urdf.to_str().unwrap(),
        "--srdf",
        srdf.to_str().unwrap(),
        "--ros-args",
        "-p",
        "limits.message_bytes:=200000",
        "-p",
        "limits.states:=100",
    ];
    let (node, grasp) = (Node::start(own_domain(), &arguments), Grasp::load());
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let client = peer.client("/scene_node/check_states", "smooth_scene/srv/CheckStates");
        for (states, reason) in [(101, "100"), (2000, "200000")] {
            let request = CheckStatesRequest {
                joint_names: grasp.states[0].name.clone(),
                positions: grasp.states[0].position.repeat(states),
                ..CheckStatesRequest::default()
            };
            let answer: CheckStatesResponse = peer.call(client, &request);
            assert_eq!(answer.status, CheckStatesResponse::REFUSED, "{vendor:?} {states}");
            assert!(answer.message.contains(reason), "{vendor:?}: {}", answer.message);
            assert!(answer.states.is_empty());
        }
    }
}

#[test]
fn a_clock_that_jumps_back_is_followed() {
    let (urdf, srdf) = (file("urdf/icub_hands_mixed.urdf"), file("urdf/icub_hands.srdf"));
    let arguments = [
        "--urdf",
        urdf.to_str().unwrap(),
        "--srdf",
        srdf.to_str().unwrap(),
        "--ros-args",
        "-p",
        "use_sim_time:=true",
    ];
    let (node, grasp) = (Node::start(own_domain(), &arguments), Grasp::load());
    let mut peer = Peer::start(Vendor::FastDds, node.domain);
    let clock = peer.advertise("/clock", "rosgraph_msgs/msg/Clock", "best_effort");
    let joints = peer.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    let client = get_distance(&mut peer);
    let current = GetDistanceRequest { joint_state: Default::default(), ..grasp.question(0) };
    for (turn, second) in [1000, 2000, 10].into_iter().enumerate() {
        // What was known is old after a jump forward, and from the future after a jump back: neither counts.
        let mut time = Clock::default();
        time.clock.sec = second;
        let settled = |peer: &mut Peer, wanted: u8| {
            for _ in 0..200 {
                let answer: GetDistanceResponse = peer.call(client, &current);
                if answer.status == wanted {
                    return true;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            false
        };
        for _ in 0..3 {
            peer.publish(clock, &time);
        }
        assert!(
            settled(&mut peer, GetDistanceResponse::NO_STATE),
            "turn {turn}: stale is not noticed"
        );
        let mut state = grasp.states[0].clone();
        state.header.stamp.sec = second;
        for _ in 0..3 {
            peer.publish(joints, &state);
        }
        assert!(settled(&mut peer, GetDistanceResponse::OK), "turn {turn}: the state is not taken");
    }
}

#[test]
fn descriptions_swapped_under_load_are_whole_or_refused() {
    let grasp = Grasp::load();
    let node = Node::start(own_domain(), &[]);
    let mut asker = Peer::start(Vendor::Cyclone, node.domain);
    let mut swapper = Peer::start(Vendor::FastDds, node.domain);
    let topic = swapper.advertise("/robot_description", "std_msgs/msg/String", "latched");
    let text =
        |path: &str| std_msgs::msg::String { data: std::fs::read_to_string(file(path)).unwrap() };
    let good = [text("urdf/icub_hands_mixed.urdf"), text("urdf/icub_hands_superovoid.urdf")];
    let bad = std_msgs::msg::String { data: "<robot name='half'><link".into() };
    swapper.publish(topic, &good[0]);
    let client = get_distance(&mut asker);
    let mut revisions = Vec::new();
    for round in 0..60 {
        let message = if round % 3 == 2 { &bad } else { &good[round % 2] };
        swapper.publish(topic, message);
        for n in 0..5 {
            let answer: GetDistanceResponse = asker.call(client, &grasp.question(round + n));
            if revisions.is_empty() && answer.status == GetDistanceResponse::NO_ROBOT {
                continue;
            }
            assert_eq!(answer.status, GetDistanceResponse::OK, "{}", answer.message);
            revisions.push(answer.revision);
        }
    }
    assert!(revisions.windows(2).all(|pair| pair[0] <= pair[1]), "revisions went back");
    assert!(revisions.last() > revisions.first(), "no description was taken over");
    assert!(node.has_logged("refused"), "the reason of the refusal is not in the log");
}
