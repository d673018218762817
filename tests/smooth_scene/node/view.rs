//! The browser view of the node: whom it serves, what it shows, and where its edits arrive.

use super::rig::{Rig, receive};
use smooth_scene::interfaces::srv::GetDistanceResponse;
use smooth_scene::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use smooth_scene::transport::Qos;
use smooth_scene_test_support::viewer::{Viewer, get};
use std::net::SocketAddr;
use std::sync::mpsc::Receiver;

const SERVED: [&str; 3] = ["view.enabled:=true", "view.port:=0", "max_state_age:=0.0"];

fn with_view(more: &[&str]) -> (Rig, SocketAddr) {
    let rig = Rig::with_balls(&[&SERVED, more].concat());
    let url = rig.node.view_url().expect("the view is on");
    let address = url.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
    (rig, address)
}

fn edit(edit: &str) -> String {
    format!(r#"{{"do":"edit","edit":{edit}}}"#)
}

#[test]
fn it_is_off_unless_switched_on_and_then_on_loopback() {
    assert_eq!(Rig::bare(&[]).node.view_url(), None);
    let (rig, address) = with_view(&[]);
    assert!(address.ip().is_loopback());
    let host = format!("Host: {address}\r\n");
    let page = get(address, "/", &host);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    assert!(get(address, "/robot.urdf", &host).contains("two_balls"));
    rig.node.shutdown();
    rig.until("it ends with the node", || std::net::TcpStream::connect(address).is_err());
}

#[test]
fn it_shows_the_robot_where_its_joints_are() {
    let (rig, address) = with_view(&[]);
    let mut viewer = Viewer::connect(address);
    let picture = viewer.wait_for("scene", |_| true);
    assert_eq!((&picture["robot"], &picture["can_follow"]), (&"two_balls".into(), &true.into()));
    let links = picture["links"].as_array().unwrap();
    let surfaces = |name: &str| {
        let link = links.iter().find(|link| link["name"] == name).unwrap();
        link["surfaces"].as_array().unwrap().len()
    };
    assert_eq!(["base", "left", "right"].map(surfaces), [0, 1, 1]);
    rig.publish_joints(&["left_x"], &[0.9]);
    let frame = viewer.wait_for("frame", |frame| frame["in_collision"] == true);
    assert_eq!((&frame["source"], &frame["positions"][0]), (&"live".into(), &0.9.into()));
    // A viewer that tries a joint does not move the robot.
    viewer.send(r#"{"do":"set_joint","name":"left_x","value":0.5}"#);
    viewer.wait_for("frame", |frame| frame["positions"][0] == 0.5);
    assert!((rig.distance().proximities[0].distance + 0.1).abs() < 1e-9);
    viewer.send(r#"{"do":"follow"}"#);
    viewer.wait_for("frame", |frame| frame["positions"][0] == 0.9);
}

#[test]
fn it_serves_the_visual_bodies_of_the_present_robot() {
    let (_rig, address) = with_view(&[]);
    let host = format!("Host: {address}\r\n");
    let none = get(address, "/visuals.json", &host);
    assert!(none.starts_with("HTTP/1.1 409") && none.contains("no link has a <visual>"), "{none}");

    let body = "<visual><origin xyz=\"0 0 1\"/><geometry><box size=\"1 2 3\"/></geometry></visual>";
    let urdf = format!("<robot name=\"seen\"><link name=\"only\">{body}</link></robot>");
    let parameter = format!("robot_description:='{urdf}'");
    let rig = Rig::start(&[&SERVED[..], &[parameter.as_str()]].concat()).unwrap();
    let url = rig.node.view_url().expect("the view is on");
    let address: SocketAddr =
        url.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
    let host = format!("Host: {address}\r\n");
    let list = get(address, "/visuals.json", &host);
    let list = list.split_once("\r\n\r\n").unwrap().1;
    let list: serde_json::Value = serde_json::from_str(list).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list[0]["pose"]["xyz"], serde_json::json!([0.0, 0.0, 1.0]));
    assert!(get(address, "/visuals/0", &host).starts_with("HTTP/1.1 200"));
}

#[test]
fn a_port_or_an_address_that_cannot_be_had_ends_the_start_with_the_reason() {
    let (_rig, address) = with_view(&[]);
    let port = format!("view.port:={}", address.port());
    let cases: [(&[&str], [String; 2]); 4] = [
        (&[&port], [format!("cannot listen on {address}"), "in use".into()]),
        (&["view.address:=nowhere"], ["`view.address` is `nowhere`".into(), "127.0.0.1".into()]),
        // Of no network here.
        (&["view.address:=192.0.2.1"], ["cannot listen on 192.0.2.1".into(), "assign".into()]),
        (&["view.port:=70000"], ["view.port".into(), "65535".into()]),
    ];
    for (parameters, expected) in cases {
        let refused = Rig::start(&[&["view.enabled:=true"], parameters].concat());
        let reason = refused.err().expect("refused").to_string();
        assert!(expected.iter().all(|part| reason.contains(part)), "{parameters:?}: {reason}");
    }
}

#[test]
fn editing_can_be_switched_off() {
    let (rig, address) = with_view(&["view.editing:=false"]);
    let mut viewer = Viewer::connect(address);
    assert_eq!(viewer.wait_for("scene", |_| true)["editing"], false);
    let revision = rig.node.store().snapshot().unwrap().revision;
    let remove = edit(r#"{"of":"remove_surface","link":"left","index":0}"#);
    assert_eq!(viewer.refusal_of(&remove), "editing is switched off");
    assert_eq!(rig.node.store().snapshot().unwrap().revision, revision);
}

/// How far the triangles of a surface reach from its own origin, m; none for other markers.
fn reach(array: &MarkerArray, frame: &str) -> Option<f64> {
    let is_it =
        |m: &&Marker| m.ns == "surfaces" && m.action == Marker::ADD && m.header.frame_id == frame;
    let marker = array.markers.iter().find(is_it)?;
    let far = |most: f64, p: &_| {
        let smooth_scene::interfaces::geometry_msgs::msg::Point { x, y, z } = p;
        most.max((x * x + y * y + z * z).sqrt())
    };
    Some(marker.points.iter().fold(0.0, far))
}

fn receive_reach(markers: &Receiver<MarkerArray>, frame: &str, expected: f64) {
    let fits = |found: f64| (found - expected).abs() < 1e-6;
    receive(markers, "the surface", |array| reach(array, frame).is_some_and(fits));
}

fn receive_deletion(markers: &Receiver<MarkerArray>) {
    let deleted = |m: &Marker| m.ns == "surfaces" && m.action == Marker::DELETE;
    receive(markers, "a deletion", |array| array.markers.iter().any(deleted));
}

/// What is edited in the page is what services answer about and what RViz is told to draw, also after undo.
#[test]
fn edits_arrive_at_services_and_markers() {
    let (rig, address) = with_view(&["publish_rate:=100.0"]);
    let (topic, type_name) = ("/scene_node/markers", "visualization_msgs/msg/MarkerArray");
    let markers = rig.listen::<MarkerArray>(topic, type_name, Qos::latched(64));
    receive_reach(&markers, "left", 0.1);
    let mut viewer = Viewer::connect(address);
    let robot = rig.node.store().snapshot().unwrap().robot;
    let distance = || {
        let answer = rig.distance();
        assert_eq!(answer.status, GetDistanceResponse::OK);
        answer.proximities[0].distance
    };
    let until_distance = |expected: f64| {
        rig.until(&format!("it is {expected} m"), || (distance() - expected).abs() < 1e-9);
    };
    until_distance(0.8);

    let ball = r#"{"type":"sphere","radius":0.3}"#;
    viewer.send(&edit(&format!(
        r#"{{"of":"surface_shape","link":"left","index":0,"shape":{ball}}}"#
    )));
    until_distance(0.6);
    receive_reach(&markers, "left", 0.3);
    assert_eq!(rig.node.store().snapshot().unwrap().robot, robot, "it is the same robot");
    viewer.send(r#"{"do":"undo"}"#);
    until_distance(0.8);
    receive_reach(&markers, "left", 0.1);

    // Moved on its link: the same triangles, elsewhere.
    let pose = r#"{"xyz":[0.2,0,0],"quat":[0,0,0,1]}"#;
    viewer
        .send(&edit(&format!(r#"{{"of":"surface_pose","link":"left","index":0,"pose":{pose}}}"#)));
    until_distance(0.6);
    let moved = |m: &Marker| m.ns == "surfaces" && (m.pose.position.x - 0.2).abs() < 1e-9;
    receive(&markers, "the moved surface", |array| array.markers.iter().any(moved));

    // A second surface on the link, and its end.
    let small = r#"{"type":"sphere","radius":0.02}"#;
    let further = r#"{"xyz":[0.5,0,0],"quat":[0,0,0,1]}"#;
    viewer.send(&edit(&format!(
        r#"{{"of":"add_surface","link":"left","pose":{further},"shape":{small}}}"#
    )));
    until_distance(0.38);
    receive_reach(&markers, "left", 0.02);
    viewer.send(&edit(r#"{"of":"remove_surface","link":"left","index":1}"#));
    until_distance(0.6);
    receive_deletion(&markers);

    // An object of the world.
    viewer.send(&edit(&format!(
        r#"{{"of":"add_object","name":"stone","pose":{further},"shape":{small}}}"#
    )));
    until_distance(0.18);
    receive_reach(&markers, "base", 0.02);
    viewer.send(&edit(r#"{"of":"remove_object","name":"stone"}"#));
    until_distance(0.6);
    receive_deletion(&markers);
}
