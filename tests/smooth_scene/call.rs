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
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The domain of these tests.
fn domain() -> u16 {
    static DOMAIN: LazyLock<u16> = LazyLock::new(own_domain);
    *DOMAIN
}

/// A node that answers with what it was asked.
fn node() -> EmbeddedTransport {
    let environment = Environment {
        domain_id: domain(),
        range: DiscoveryRange::Localhost,
        ..Environment::default()
    };
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
    node
}

fn call(arguments: &[&str], rmw: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smooth_scene"))
        .arg("call")
        .args(arguments)
        .args(["--ros-args", "-r", "__ns:=/left"])
        .env("ROS_DOMAIN_ID", domain().to_string())
        .env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        .env("RMW_IMPLEMENTATION", rmw)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn services_are_called_and_answers_printed() {
    let _node = node();
    for rmw in ["rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"] {
        let request = "{max_distance: 0.5, max_results: 3, bodies_a: [hand, 'box']}";
        let answered = call(&["get_distance", request], rmw);
        assert_eq!(answered.status.code(), Some(0), "{}", text(&answered.stderr));
        let yaml: serde_yaml::Value = serde_yaml::from_str(text(&answered.stdout)).unwrap();
        assert_eq!(yaml["message"], "3 within 0.5");
        assert_eq!(yaml["joint_names"][1], "box");

        let refused = call(&["/left/scene_node/get_distance", "--json"], rmw);
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
        let json: serde_json::Value = serde_json::from_str(text(&refused.stdout)).unwrap();
        assert_eq!(json["status"], 2);

        let applied = call(&["apply_planning_scene", "scene: {is_diff: true}"], rmw);
        assert_eq!(applied.status.code(), Some(0), "{}", text(&applied.stderr));
        let not = call(&["apply_planning_scene"], rmw);
        assert_eq!(not.status.code(), Some(1), "{}", text(&not.stderr));
    }
}

#[test]
fn bad_input_and_missing_servers_are_told() {
    for (arguments, part) in [
        (&["get_distances"][..], "unknown service `get_distances`; there are get_distance,"),
        (&[], "which service?"),
        (&["get_scene", "{idz: [a]}"], "request: no field `idz`; there are ids, matrix, sizes"),
        (&["get_scene", "--timeout", "0.3"], "nobody offers the service `scene_node/get_scene`"),
        (&["get_scene", "--timeout", "-1"], "must be a number"),
        (&["/a b/get_scene"], "is no ROS name"),
    ] {
        let output = call(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
    let output = call(&["get_scene"], "rmw_zenoh_cpp");
    assert!(text(&output.stderr).contains("RMW_IMPLEMENTATION=rmw_zenoh_cpp"));
    let list = call(&["--list"], "");
    assert_eq!(list.status.code(), Some(0));
    assert!(text(&list.stdout).contains("scene_node/check_motion"));
}
