//! The program `scene_node`, as a user starts and ends it: over DDS on the loopback, with nothing of ROS installed.

use smooth_scene::cdr;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::robot::{LoadOptions, parse_urdf};
use smooth_scene::transport::embedded::EmbeddedTransport;
use smooth_scene::transport::environment::{DiscoveryRange, Environment};
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Qos, Transport};
use smooth_scene_test_support::dds_domain::own_domain;
use smooth_scene_test_support::signals;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn command(domain: u16) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scene_node"));
    command.env("ROS_DOMAIN_ID", domain.to_string());
    command.env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    command
}

/// Starts the node with the two hands, and waits until it says that it is ready.
fn start(domain: u16, ros_arguments: &[&str]) -> Child {
    let root = env!("CARGO_MANIFEST_DIR");
    ready(
        command(domain)
            .args(["--urdf", &format!("{root}/urdf/icub_hands_mixed.urdf")])
            .args(["--srdf", &format!("{root}/urdf/icub_hands.srdf")])
            .arg("--ros-args")
            .args(ros_arguments),
    )
    .0
}

/// Waits until a node says that it is ready; what it said until then.
pub fn ready(command: &mut Command) -> (Child, Vec<String>) {
    let mut node = command.spawn().unwrap();
    let mut said = Vec::new();
    // The rest is read and dropped: a node whose log nobody takes would stop.
    let mut lines = BufReader::new(node.stderr.take().unwrap()).lines().map_while(Result::ok);
    while !said.last().is_some_and(|line: &String| line.contains("ready")) {
        said.push(lines.next().unwrap_or_else(|| panic!("it ended before it was ready: {said:?}")));
    }
    std::thread::spawn(move || lines.for_each(drop));
    (node, said)
}

pub fn peer(domain_id: u16) -> EmbeddedTransport {
    let range = DiscoveryRange::Localhost;
    let environment = Environment { domain_id, range, ..Environment::default() };
    EmbeddedTransport::new("peer", &RosArgs::default(), &environment).unwrap()
}

pub fn end(mut node: Child, signal: &str) {
    signals::send(&node, signal);
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
    let domain_id = own_domain();
    let names = ["-r", "__node:=hands", "-r", "__ns:=/lab"];
    let node = start(domain_id, &names);
    let peer = peer(domain_id);
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
    end(node, "INT");
    end(start(own_domain(), &names), "TERM");
}

#[test]
fn bad_arguments_end_it_with_the_reason() {
    for (arguments, reasons) in [
        (vec!["--ros-args", "-p", "max_state_age:=-1.0"], ["max_state_age", "-1", "1000000"]),
        (vec!["--ros-args", "-p", "worker_threads:=many"], ["worker_threads", "integer", "string"]),
        (vec!["--urdf", "/nowhere.urdf"], ["/nowhere.urdf", "No such file", "scene_node:"]),
        (vec!["--urdf", file!()], ["robot description", "refused", "1:"]),
        (
            vec!["--ros-args", "-p", "view.enabled:=true", "-p", "view.address:=nowhere"],
            ["view.address", "nowhere", "such as 127.0.0.1"],
        ),
    ] {
        let ended = command(own_domain()).args(&arguments).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(ended.stderr).unwrap();
        for reason in reasons {
            assert!(said.contains(reason), "{arguments:?}: {said}");
        }
    }
}

/// The page of the program, and a second program that wants the same port.
#[test]
fn it_serves_the_view_on_the_loopback_and_says_where() {
    let mut node = command(own_domain())
        .args(["--ros-args", "-p", "view.enabled:=true", "-p", "view.port:=0"])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(node.stderr.take().unwrap()).lines();
    let said =
        lines.find_map(|line| line.unwrap().split_once("http://").map(|(_, x)| x.to_owned()));
    let address = said.expect("it says where").trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");

    let port = format!("view.port:={}", address.rsplit(':').next().unwrap());
    let second = command(own_domain())
        .args(["--ros-args", "-p", "view.enabled:=true", "-p", &port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let reason = String::from_utf8(second.stderr).unwrap();
    assert!(reason.contains(&format!("cannot listen on {address}")), "{reason}");
    end(node, "INT");
}

#[test]
fn relative_meshes_are_looked_for_beside_the_urdf() {
    let folder = tempfile::tempdir().unwrap();
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut mesh = "solid tip\n".to_owned();
    for left_out in 0..4 {
        mesh += "facet normal 0 0 0\nouter loop\n";
        for (_, [x, y, z]) in corners.iter().enumerate().filter(|(n, _)| *n != left_out) {
            mesh += &format!("vertex {x} {y} {z}\n");
        }
        mesh += "endloop\nendfacet\n";
    }
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    std::fs::write(folder.path().join("meshes/tip.stl"), mesh + "endsolid tip\n").unwrap();
    let urdf = r#"<robot name="tip"><link name="tip"><collision><geometry>
        <mesh filename="meshes/tip.stl"/></geometry></collision></link></robot>"#;
    std::fs::write(folder.path().join("robot.urdf"), urdf).unwrap();
    let path = folder.path().join("robot.urdf");
    // From elsewhere, and from the folder itself, where the path of the file names no folder.
    for (from, file) in
        [("/", path.to_str().unwrap()), (folder.path().to_str().unwrap(), "robot.urdf")]
    {
        let (node, said) = ready(command(own_domain()).current_dir(from).args(["--urdf", file]));
        assert!(
            said.iter().any(|line| line.contains("`tip`: 1 links, 0 variables, 1 surfaces")),
            "{said:?}"
        );
        end(node, "INT");
    }
}

#[test]
fn the_log_level_of_the_node_is_its_own() {
    let names = ["--ros-args", "-r", "__node:=hands", "-r", "__ns:=/lab", "--log-level"];
    let (node, _) = ready(command(own_domain()).args(names).arg("other:=warn"));
    end(node, "INT");
    for level in ["warn", "lab.hands:=warn"] {
        let domain = own_domain();
        let mut node = command(domain).args(names).arg(level).spawn().unwrap();
        let said = node.stderr.take().unwrap();
        let peer = peer(domain);
        let client = peer.client("/lab/hands/get_scene", "smooth_scene/srv/GetScene").unwrap();
        assert!(client.wait_for_server(PATIENCE), "{level}: the service is not found");
        signals::wait_until_it_watches(&node);
        end(node, "INT");
        let lines: Vec<String> = BufReader::new(said).lines().map(Result::unwrap).collect();
        assert!(!lines.iter().any(|line| line.contains("ready")), "{level}: {lines:?}");
    }
}

/// The service calls of the README and of docs/node.md, as a shell would read them: name and request.
fn pasted_calls() -> Vec<(String, String)> {
    let read = |name: &str| {
        std::fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let documents = read("README.md") + &read("docs/node.md");
    let calls = documents.split("\nros2 service call ").skip(1);
    let read = |call: &str| {
        let (names, rest) = call.split_once('"').unwrap();
        let (request, _) = rest.split_once('"').unwrap();
        (names.split_whitespace().next().unwrap().to_owned(), request.to_owned())
    };
    calls.map(read).collect()
}

#[test]
fn the_service_calls_of_the_documents_are_answered() {
    let domain_id = own_domain();
    let node = start(domain_id, &["-p", "max_state_age:=0.0"]);
    let model =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_hands_mixed.urdf"));
    let model = parse_urdf(&model.unwrap(), "hands", &LoadOptions::default()).unwrap().model;
    let (peer, name) = (peer(domain_id), model.variable_names().to_vec());
    let joints =
        peer.advertise("joint_states", "sensor_msgs/msg/JointState", Qos::reliable(10)).unwrap();
    let state = JointState { position: vec![0.0; name.len()], name, ..JointState::default() };
    let heard = Instant::now();
    while joints.subscribers() == 0 {
        assert!(heard.elapsed() < PATIENCE, "the node does not listen");
        std::thread::sleep(Duration::from_millis(10));
    }
    joints.publish(&cdr::encode(&state)).unwrap();
    let calls = pasted_calls();
    assert!(calls.len() >= 4, "{calls:?}");
    for (service, request) in calls {
        let asked = Instant::now();
        loop {
            let answer = Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
                .args(["call", &service, &request])
                .env("ROS_DOMAIN_ID", domain_id.to_string())
                .env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&answer.stdout).into_owned();
            let error = String::from_utf8_lossy(&answer.stderr);
            // The joint states may be on their way.
            let early = said.contains("no joint state") && asked.elapsed() < PATIENCE;
            if !early {
                assert_eq!(answer.status.code(), Some(0), "{service} {request}\n{said}{error}");
                break;
            }
        }
    }
    end(node, "INT");
}
