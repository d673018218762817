//! A robot that was drawn in the page and saved: its files describe the robot of a node.

use super::rig::{Rig, joint_state, quoted};
use smooth_scene::interfaces::moveit_msgs::srv::{
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::srv::GetDistanceResponse;
use smooth_scene_test_support::viewer::{Viewer, get, serve_nothing};
use std::collections::BTreeSet;

/// URDF and SRDF of a humanoid as the page saves them, and the names of the bones that have surfaces.
fn saved_humanoid() -> (String, String, BTreeSet<String>) {
    let (_store, view) = serve_nothing();
    let mut viewer = Viewer::connect(view.address());
    let preset = r#"{"of":"preset","name":"humanoid","at":null}"#;
    viewer.send(&format!(r#"{{"do":"sketch","ask":"edit","edit":{preset}}}"#));
    let sketch = viewer.wait_for("sketch", |sketch| sketch["undo"] == 1);
    let bones = sketch["bones"].as_array().unwrap().iter();
    let fleshed = bones.filter(|bone| !bone["surfaces"].as_array().unwrap().is_empty());
    let names = fleshed.map(|bone| bone["name"].as_str().unwrap().to_owned()).collect();
    let host = format!("Host: {}\r\n", view.address());
    let file = |path: &str| {
        let answer = get(view.address(), path, &host);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    (file("/sketch.urdf"), file("/sketch.srdf"), names)
}

#[test]
fn a_saved_sketch_is_a_robot_that_answers() {
    let (urdf, srdf, fleshed) = saved_humanoid();
    assert_eq!(fleshed.len(), 16);
    let rig = Rig::bare(&[
        &format!("robot_description:={}", quoted(&urdf)),
        &format!("robot_description_semantic:={}", quoted(&srdf)),
    ]);
    let snapshot = rig.node.store().snapshot().expect("there is a robot");
    let names: Vec<&str> =
        snapshot.scene.model().variable_names().iter().map(String::as_str).collect();
    let rest = vec![0.0; names.len()];

    // Every link with a surface is compared with another one.
    let found = rig.distance_at(&names, &rest);
    assert_eq!(found.status, GetDistanceResponse::OK, "{}", found.message);
    let pairs = found.proximities.iter();
    let asked: BTreeSet<String> =
        pairs.flat_map(|pair| [pair.body_a.clone(), pair.body_b.clone()]).collect();
    assert_eq!(asked, fleshed);
    assert!(found.proximities.iter().all(|pair| pair.lower > 0.0), "it is free as it is drawn");

    let validity = |positions: &[f64]| -> GetStateValidityResponse {
        let mut request = GetStateValidityRequest::default();
        request.robot_state.joint_state = joint_state(&names, positions);
        rig.call("/check_state_validity", "moveit_msgs/srv/GetStateValidity", &request)
    };
    let answer = validity(&rest);
    assert!(answer.valid && answer.contacts.is_empty());
}
