//! The parameter services behave as those of rclcpp and rclpy.

use super::rig::{Rig, balls_of, receive};
use smooth_scene::interfaces::rcl_interfaces::msg::{
    Parameter, ParameterEvent, ParameterType, ParameterValue,
};
use smooth_scene::interfaces::rcl_interfaces::srv;
use smooth_scene::interfaces::srv::GetDistanceResponse;
use smooth_scene::transport::Qos;

fn number(value: f64) -> ParameterValue {
    ParameterValue {
        type_: ParameterType::PARAMETER_DOUBLE,
        double_value: value,
        ..Default::default()
    }
}

fn integer(value: i64) -> ParameterValue {
    ParameterValue {
        type_: ParameterType::PARAMETER_INTEGER,
        integer_value: value,
        ..Default::default()
    }
}

fn switch(value: bool) -> ParameterValue {
    ParameterValue { type_: ParameterType::PARAMETER_BOOL, bool_value: value, ..Default::default() }
}

fn text(value: &str) -> ParameterValue {
    ParameterValue {
        type_: ParameterType::PARAMETER_STRING,
        string_value: value.into(),
        ..Default::default()
    }
}

fn parameters(changes: &[(&str, ParameterValue)]) -> Vec<Parameter> {
    changes
        .iter()
        .map(|(name, value)| Parameter { name: name.to_string(), value: value.clone() })
        .collect()
}

/// Sets each on its own; what was said about each.
fn set(rig: &Rig, changes: &[(&str, ParameterValue)]) -> Vec<Result<(), String>> {
    let request = srv::SetParametersRequest { parameters: parameters(changes) };
    let answer: srv::SetParametersResponse =
        rig.call("/scene_node/set_parameters", "rcl_interfaces/srv/SetParameters", &request);
    answer.results.into_iter().map(|r| if r.successful { Ok(()) } else { Err(r.reason) }).collect()
}

/// Sets all or none.
fn set_atomically(rig: &Rig, changes: &[(&str, ParameterValue)]) -> Result<(), String> {
    let request = srv::SetParametersAtomicallyRequest { parameters: parameters(changes) };
    let answer: srv::SetParametersAtomicallyResponse = rig.call(
        "/scene_node/set_parameters_atomically",
        "rcl_interfaces/srv/SetParametersAtomically",
        &request,
    );
    if answer.result.successful { Ok(()) } else { Err(answer.result.reason) }
}

fn get(rig: &Rig, names: &[&str]) -> Vec<ParameterValue> {
    let request =
        srv::GetParametersRequest { names: names.iter().map(|n| n.to_string()).collect() };
    let answer: srv::GetParametersResponse =
        rig.call("/scene_node/get_parameters", "rcl_interfaces/srv/GetParameters", &request);
    answer.values
}

#[test]
fn values_given_at_start_are_there_and_others_have_their_defaults() {
    let rig = Rig::bare(&["max_state_age:=2.5", "markers.labels:=true", "someone_elses:=7"]);
    let values = get(&rig, &["max_state_age", "markers.labels", "limits.states", "someone_elses"]);
    assert_eq!(values, [number(2.5), switch(true), integer(100_000), ParameterValue::default()]);
}

#[test]
fn a_bad_value_at_start_ends_the_node_with_name_value_and_range() {
    for (given, said) in [
        ("max_state_age:=-1.0", ["max_state_age", "-1", "[0.0, 1000000.0]"]),
        ("worker_threads:=0", ["worker_threads", "0", "[2, 256]"]),
        ("max_state_age:=3", ["max_state_age", "double", "decimal point"]),
        ("use_sim_time:=maybe", ["use_sim_time", "boolean", "string"]),
        ("mesh_policy:=sometimes", ["mesh_policy", "sometimes", "require, leave_out, skip"]),
        ("robot_description:='<robot'", ["robot description", "robot_description", "1:"]),
    ] {
        let error = Rig::start(&[given]).err().unwrap_or_else(|| panic!("{given} is accepted"));
        for part in said {
            assert!(error.to_string().contains(part), "{given}: {error}");
        }
    }
}

#[test]
fn each_value_is_set_or_refused_on_its_own() {
    let rig = Rig::bare(&[]);
    let answers = set(
        &rig,
        &[
            ("proximity_distance", number(0.2)),
            ("proximity_distance", number(-0.2)),
            ("proximity_distance", integer(1)),
            ("proximity_distance", number(f64::NAN)),
            ("proximity_distanse", number(0.1)),
            ("worker_threads", integer(4)),
            ("use_sim_time", ParameterValue::default()),
            ("limits.states", integer(5)),
        ],
    );
    let reasons: Vec<&str> =
        answers.iter().map(|a| a.as_ref().err().map_or("", String::as_str)).collect();
    assert_eq!(
        reasons,
        [
            "",
            "parameter `proximity_distance` is -0.2, must be in [0.0, 1000.0]",
            "parameter `proximity_distance` is of type double, not integer; write a decimal point, as in 1.0",
            "parameter `proximity_distance` is NaN, must be in [0.0, 1000.0]",
            "parameter `proximity_distanse` was not declared; did you mean `proximity_distance`?",
            "parameter `worker_threads` is read-only: it can be set at start only",
            "parameter `use_sim_time` is of type boolean, not not set",
            "",
        ]
    );
    assert_eq!(get(&rig, &["proximity_distance", "limits.states"]), [number(0.2), integer(5)]);
    assert_eq!(rig.node.settings().limits.states, 5);
}

#[test]
fn all_or_none_are_set_atomically() {
    let rig = Rig::bare(&[]);
    let before = get(&rig, &["publish_rate", "close_distance"]);
    let refused =
        set_atomically(&rig, &[("publish_rate", number(5.0)), ("close_distance", number(-1.0))]);
    assert_eq!(refused, Err("parameter `close_distance` is -1, must be in [0.0, 1000.0]".into()));
    assert_eq!(get(&rig, &["publish_rate", "close_distance"]), before);
    assert_eq!(
        set_atomically(&rig, &[("publish_rate", number(5.0)), ("close_distance", number(0.5))]),
        Ok(())
    );
    assert_eq!(get(&rig, &["publish_rate", "close_distance"]), [number(5.0), number(0.5)]);
}

#[test]
fn parameters_are_listed_described_and_typed() {
    let rig = Rig::bare(&[]);
    let list = |prefixes: &[&str], depth| -> srv::ListParametersResponse {
        let prefixes = prefixes.iter().map(|p| p.to_string()).collect();
        let request = srv::ListParametersRequest { prefixes, depth };
        rig.call("/scene_node/list_parameters", "rcl_interfaces/srv/ListParameters", &request)
    };
    let all = list(&[], 0).result;
    assert!(
        all.names.contains(&"use_sim_time".into()) && all.names.contains(&"limits.states".into())
    );
    assert_eq!(all.prefixes, ["limits", "markers", "planning", "query", "tf", "view"]);
    assert!(list(&[], 1).result.names.iter().all(|name| !name.contains('.')));
    let markers = list(&["markers"], 1).result;
    assert_eq!((markers.names.len(), markers.prefixes), (5, vec!["markers".to_string()]));

    let request = srv::DescribeParametersRequest { names: all.names.clone() };
    let described: srv::DescribeParametersResponse = rig.call(
        "/scene_node/describe_parameters",
        "rcl_interfaces/srv/DescribeParameters",
        &request,
    );
    let request = srv::GetParameterTypesRequest { names: all.names.clone() };
    let types: srv::GetParameterTypesResponse = rig.call(
        "/scene_node/get_parameter_types",
        "rcl_interfaces/srv/GetParameterTypes",
        &request,
    );
    let names: Vec<&str> = all.names.iter().map(String::as_str).collect();
    for (place, value) in get(&rig, &names).iter().enumerate() {
        let descriptor = &described.descriptors[place];
        assert_eq!(descriptor.name, names[place]);
        assert!(!descriptor.description.is_empty() && !descriptor.dynamic_typing);
        assert_eq!((descriptor.type_, types.types[place]), (value.type_, value.type_));
        let is_number = value.type_ == ParameterType::PARAMETER_DOUBLE;
        assert_eq!(
            descriptor.floating_point_range.len(),
            usize::from(is_number),
            "{}",
            names[place]
        );
        let is_integer = value.type_ == ParameterType::PARAMETER_INTEGER;
        assert_eq!(descriptor.integer_range.len(), usize::from(is_integer), "{}", names[place]);
    }
    let threads =
        &described.descriptors[names.iter().position(|n| *n == "worker_threads").unwrap()];
    assert!(threads.read_only);
}

#[test]
fn changes_are_told_to_everybody() {
    let rig = Rig::bare(&[]);
    let events = rig.listen::<ParameterEvent>(
        "/parameter_events",
        "rcl_interfaces/msg/ParameterEvent",
        Qos::reliable(10),
    );
    set(&rig, &[("publish_rate", number(-1.0)), ("publish_rate", number(7.0))]);
    let event = receive(&events, "a changed parameter", |_| true);
    assert_eq!(event.node, "/scene_node");
    assert_eq!(event.changed_parameters, parameters(&[("publish_rate", number(7.0))]));
    assert!(
        event.new_parameters.is_empty()
            && event.deleted_parameters.is_empty()
            && event.stamp.sec > 0
    );
}

#[test]
fn padding_is_added_to_links_that_have_no_padding_of_their_own() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "default_self_padding:=0.05"]);
    let gap = || rig.distance().proximities[0].distance;
    assert!((gap() - 0.7).abs() < 1e-9, "{}", gap());
    assert_eq!(set(&rig, &[("default_self_padding", number(0.1))]), [Ok(())]);
    assert!((gap() - 0.6).abs() < 1e-9, "{}", gap());
    // A link whose padding was chosen keeps it.
    let chosen = smooth_scene::scene::LinkSize { self_padding: 0.2, ..Default::default() };
    let change =
        smooth_scene::scene::RobotChange::SetLinkSize { link: "left".into(), size: chosen };
    rig.node
        .store()
        .change(|scene| {
            scene
                .apply(change)
                .map_err(|e| panic!("{e}"))
                .map_err(|e: smooth_scene::scene::NoRobot| e)
        })
        .unwrap();
    assert_eq!(set(&rig, &[("default_self_padding", number(0.0))]), [Ok(())]);
    assert!((gap() - 0.6).abs() < 1e-9, "{}", gap());
}

#[test]
fn a_description_is_a_parameter_that_is_refused_with_the_reason_and_the_old_one_stays() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let refused = set(&rig, &[("robot_description", text("<robot name='x'><link/></robot>"))]);
    let reason = refused[0].clone().unwrap_err();
    assert!(reason.contains("robot_description:1:"), "{reason}");
    assert!((rig.distance().proximities[0].distance - 0.8).abs() < 1e-9);
    assert_eq!(set(&rig, &[("robot_description", text(&balls_of(0.2)))]), [Ok(())]);
    let answer = rig.distance();
    assert_eq!(answer.status, GetDistanceResponse::OK);
    assert!((answer.proximities[0].distance - 0.6).abs() < 1e-9);
}
