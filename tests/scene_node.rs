//! The program `scene_node`, as a user starts and ends it: over DDS on the loopback, with nothing of ROS installed.

use smooth_scene::ros::cdr;
use smooth_scene::ros::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::ros::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::ros::transport::Transport;
use smooth_scene::ros::transport::embedded::EmbeddedTransport;
use smooth_scene::ros::transport::environment::{DiscoveryRange, Environment};
use smooth_scene::ros::transport::ros_args::RosArgs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(30);

fn command(domain: u16) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scene_node"));
    command.env("ROS_DOMAIN_ID", domain.to_string());
    command.env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    command
}

/// A domain of its own.
fn domain(offset: u32) -> u16 {
    ((std::process::id() + offset) % 200 + 20) as u16
}

/// Starts the node with the two hands, and waits until it says that it is ready.
fn start(domain: u16) -> Child {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut node = command(domain)
        .args(["--urdf", &format!("{root}/urdf/icub_hands_mixed.urdf")])
        .args(["--srdf", &format!("{root}/urdf/icub_hands.srdf")])
        .args(["--ros-args", "-r", "__node:=hands", "-r", "__ns:=/lab"])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(node.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("ready")), "it ended before it was ready");
    node
}

fn end(mut node: Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &node.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = node.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status.code(), Some(0), "{signal}");
}

#[test]
fn it_answers_under_the_name_it_was_given_and_ends_on_either_signal() {
    let domain_id = domain(0);
    let node = start(domain_id);
    let range = DiscoveryRange::Localhost;
    let environment = Environment { domain_id, range, ..Environment::default() };
    let peer = EmbeddedTransport::new("peer", &RosArgs::default(), &environment).unwrap();
    let client = peer.client("/lab/hands/get_distance", "smooth_scene/srv/GetDistance").unwrap();
    assert!(client.wait_for_server(PATIENCE), "the service is not found");
    let ask = |joint_state: JointState| -> GetDistanceResponse {
        let request = GetDistanceRequest {
            joint_state,
            max_distance: f64::INFINITY,
            max_results: 3,
            ..GetDistanceRequest::default()
        };
        cdr::decode(&client.call(&cdr::encode(&request), PATIENCE).unwrap()).unwrap()
    };
    let nothing_known = ask(JointState::default());
    assert_eq!(nothing_known.status, GetDistanceResponse::NO_STATE);
    assert!(nothing_known.message.contains("no joint state"), "{}", nothing_known.message);
    let unknown =
        ask(JointState { name: vec!["tail".into()], position: vec![0.0], ..JointState::default() });
    assert_eq!(unknown.status, GetDistanceResponse::REFUSED);
    assert!(unknown.message.contains("tail"), "{}", unknown.message);
    end(node, "-INT");
    end(start(domain(1)), "-TERM");
}

#[test]
fn bad_arguments_end_it_with_the_reason() {
    for (arguments, reasons) in [
        (vec!["--ros-args", "-p", "max_state_age:=-1.0"], ["max_state_age", "-1", "1000000"]),
        (vec!["--ros-args", "-p", "worker_threads:=many"], ["worker_threads", "integer", "string"]),
        (vec!["--urdf", "/nowhere.urdf"], ["/nowhere.urdf", "No such file", "scene_node:"]),
        (vec!["--urdf", file!()], ["robot description", "refused", "1:"]),
    ] {
        let ended = command(domain(2)).args(&arguments).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(ended.stderr).unwrap();
        for reason in reasons {
            assert!(said.contains(reason), "{arguments:?}: {said}");
        }
    }
}
