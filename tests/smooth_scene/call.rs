//! `smooth_scene call` against a service on DDS: the binary is run and its output read.

use smooth_scene::cdr;
use smooth_scene::interfaces::moveit_msgs::srv::{
    ApplyPlanningSceneRequest, ApplyPlanningSceneResponse,
};
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::transport::Transport;
use smooth_scene::transport::embedded::EmbeddedTransport;
use smooth_scene::transport::environment::{DiscoveryRange, Environment};
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene_test_support::dds_domain::own_domain;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

/// A node that answers with what it was asked, in a domain of its own.
fn node() -> (u16, EmbeddedTransport) {
    let domain_id = own_domain();
    let range = DiscoveryRange::Localhost;
    let environment = Environment { domain_id, range, ..Environment::default() };
    let words = ["--ros-args", "-r", "__ns:=/left"].map(str::to_owned);
    let (arguments, _) = RosArgs::take_from(words).unwrap();
    let node = EmbeddedTransport::new("scene_node", &arguments, &environment).unwrap();
    let answer = |request: GetDistanceRequest| GetDistanceResponse {
        status: if request.max_results > 0 { 1 } else { 2 },
        message: format!("{} within {}", request.max_results, request.max_distance),
        joint_names: request.bodies_a,
        ..GetDistanceResponse::default()
    };
    let serve = move |bytes: Vec<u8>, reply: smooth_scene::transport::Reply| {
        reply.send(cdr::encode(&answer(cdr::decode(&bytes).unwrap())));
    };
    node.serve("~/get_distance", "smooth_scene/srv/GetDistance", Box::new(serve)).unwrap();
    let apply = |bytes: Vec<u8>, reply: smooth_scene::transport::Reply| {
        let request: ApplyPlanningSceneRequest = cdr::decode(&bytes).unwrap();
        reply.send(cdr::encode(&ApplyPlanningSceneResponse { success: request.scene.is_diff }));
    };
    node.serve("apply_planning_scene", "moveit_msgs/srv/ApplyPlanningScene", Box::new(apply))
        .unwrap();
    (domain_id, node)
}

fn command(domain: u16, arguments: &[&str], rmw: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smooth_scene"));
    command
        .arg("call")
        .args(arguments)
        .args(["--ros-args", "-r", "__ns:=/left"])
        .env("ROS_DOMAIN_ID", domain.to_string())
        .env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        .env("RMW_IMPLEMENTATION", rmw);
    command
}

fn call(domain: u16, arguments: &[&str], rmw: &str) -> Output {
    command(domain, arguments, rmw).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn services_are_called_and_answers_printed() {
    let (domain, _node) = node();
    for rmw in ["rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"] {
        let request = "{max_distance: 0.5, max_results: 3, bodies_a: [hand, 'box']}";
        let answered = call(domain, &["get_distance", request], rmw);
        assert_eq!(answered.status.code(), Some(0), "{}", text(&answered.stderr));
        let yaml: serde_yaml::Value = serde_yaml::from_str(text(&answered.stdout)).unwrap();
        assert_eq!(yaml["message"], "3 within 0.5");
        assert_eq!(yaml["joint_names"][1], "box");

        let refused = call(domain, &["/left/scene_node/get_distance", "{}", "--json"], rmw);
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
        let json: serde_json::Value = serde_json::from_str(text(&refused.stdout)).unwrap();
        assert_eq!(json["status"], "REFUSED");

        let applied = call(domain, &["apply_planning_scene", "scene: {is_diff: true}"], rmw);
        assert_eq!(applied.status.code(), Some(0), "{}", text(&applied.stderr));
        let not = call(domain, &["apply_planning_scene", "{}"], rmw);
        assert_eq!(not.status.code(), Some(1), "{}", text(&not.stderr));
    }
}

#[test]
fn missing_servers_are_told_and_services_listed() {
    // Mistakes in the command line are in `cli/bad_input.rs`.
    let domain = own_domain();
    let output = call(domain, &["get_scene", "{}", "--timeout", "0.3"], "");
    assert_eq!(output.status.code(), Some(2));
    let nobody = "nobody offers the service `scene_node/get_scene`";
    assert!(text(&output.stderr).contains(nobody), "{}", text(&output.stderr));
    let output = call(domain, &["get_scene", "{}"], "rmw_zenoh_cpp");
    assert!(text(&output.stderr).contains("RMW_IMPLEMENTATION=rmw_zenoh_cpp"));
    let list = call(domain, &["--list"], "");
    assert_eq!(list.status.code(), Some(0));
    assert!(text(&list.stdout).contains("scene_node/check_motion"));
}

/// Many requests on standard input: one answer a line, written before the next line is read; a bad line does not end it.
#[test]
fn a_session_answers_line_by_line() {
    let (domain, _node) = node();
    let mut child = command(domain, &["get_distance"], "rmw_fastrtps_cpp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |line: &str| -> serde_json::Value {
        writeln!(stdin, "{line}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    for results in 1..4 {
        let answer = ask(&format!("\n  {{max_results: {results}}}"));
        assert_eq!(answer["status"], "OK");
        assert_eq!(answer["message"], format!("{results} within 0"));
    }
    let json = ask(r#"{"max_results": 7, "bodies_a": ["hand"]}"#);
    assert_eq!(json["joint_names"][0], "hand");
    let bad = ask("{max_result: 1}");
    let error = bad["error"].as_str().unwrap();
    assert!(error.starts_with("request: no field `max_result`; there are joint_state,"), "{error}");
    assert!(ask("{max_results: [")["error"].is_string());
    assert_eq!(ask("{}")["status"], "REFUSED");
    assert_eq!(ask("{max_results: 1}")["status"], "OK");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A session in which every line was answered ends with 0; one that finds no server says so.
#[test]
fn the_exit_code_of_a_session_says_whether_all_was_done() {
    let (domain, _node) = node();
    let run = |service: &str| {
        let mut child = command(domain, &[service, "--timeout", "5"], "rmw_fastrtps_cpp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"{max_results: 1}\n{max_results: 2}\n").unwrap();
        child.wait_with_output().unwrap()
    };
    let output = run("get_distance");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let nobody = run("/nowhere/get_distance");
    assert_eq!(nobody.status.code(), Some(2));
    assert!(text(&nobody.stderr).contains("nobody offers"), "{}", text(&nobody.stderr));
}
