//! Plans over the wire, without a browser: an arm in the plane and a post in its way.

use std::sync::Arc;

use serde_json::{Value, json};
use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Shape, Sphere};
use smooth_scene_robot::{LoadOptions, interpolate, parse_urdf};
use smooth_scene_scene::{
    CheckRequest, PlanningScene, SceneObject, SceneStore, Workspace, WorldChange,
};
use smooth_scene_test_support::viewer::Viewer;
use smooth_scene_view::{ViewHost, ViewOptions, ViewServer};

/// Three bars of 0.4 m that turn about z, one after the other.
fn arm_urdf() -> String {
    let mut urdf = String::from(r#"<robot name="arm"><link name="base"/>"#);
    for (k, parent) in ["base", "bar0", "bar1"].iter().enumerate() {
        let x = if k == 0 { 0.0 } else { 0.4 };
        urdf += &format!(
            r#"<link name="bar{k}"><collision><origin xyz="0.2 0 0" rpy="0 1.5707963267948966 0"/>
            <geometry><cylinder radius="0.03" length="0.34"/></geometry></collision></link>
            <joint name="turn{k}" type="revolute"><parent link="{parent}"/><child link="bar{k}"/><origin xyz="{x} 0 0"/>
            <axis xyz="0 0 1"/><limit lower="-2.9" upper="2.9" effort="1" velocity="1"/></joint>"#
        );
    }
    urdf + "</robot>"
}

pub(crate) const START: [f64; 3] = [0.9, 0.0, 0.0];
pub(crate) const GOAL: [f64; 3] = [-0.9, 0.0, 0.0];

fn ball(name: &str, at: [f64; 3]) -> SceneObject {
    let shape = Shape::Sphere(Sphere::new(0.15).unwrap());
    SceneObject::simple(name, Pose::translation(at[0], at[1], at[2]), shape).unwrap()
}

/// The arm behind a view, at rest, with a post where the stretched arm would pass.
pub(crate) fn serve_arm() -> (Arc<SceneStore>, ViewServer) {
    let robot = parse_urdf(&arm_urdf(), "arm", &LoadOptions::default()).unwrap();
    let mut scene = PlanningScene::new(Arc::new(robot.model), None).unwrap();
    scene.apply(WorldChange::Add(ball("post", [0.8, 0.0, 0.0]))).unwrap();
    let store = Arc::new(SceneStore::default());
    store.replace_robot(scene);
    let host = ViewHost::new(Arc::clone(&store));
    let view = ViewServer::start(host, ViewOptions::default()).unwrap();
    (store, view)
}

fn end_of_plan(viewer: &mut Viewer) -> Value {
    viewer.wait_for("plan", |plan| plan["state"] != "running")
}

fn plan(from: &[f64], to: &[f64]) -> String {
    json!({"do": "plan", "from": from, "to": to}).to_string()
}

fn positions(frame: &Value) -> Vec<f64> {
    frame["positions"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn a_plan_is_played_and_every_state_of_it_is_free() {
    let (store, view) = serve_arm();
    let mut viewer = Viewer::connect(view.address());
    let scene = viewer.wait_for("scene", |_| true);
    assert_eq!((&scene["movement"], &scene["has_plan"]), (&Value::Null, &false.into()));
    viewer.send(&plan(&START, &GOAL));
    let end = end_of_plan(&mut viewer);
    assert_eq!((&end["state"], &end["reason"]), (&"done".into(), &Value::Null), "{end}");
    assert_eq!(end["link"], "bar2", "the last one, since none was named");
    let (edges, report) = (end["edges"].as_array().unwrap(), &end["report"]);
    assert!(!edges.is_empty() && edges.len() as u64 <= end["edge_count"].as_u64().unwrap());
    assert!(report["clearance"].as_f64().unwrap() > 0.0, "{report}");
    assert!(report["nearest"].as_array().unwrap().contains(&"post".into()), "{report}");
    assert!(report["waypoints"].as_u64().unwrap() > 2, "the straight way is blocked: {report}");

    // What is played leads from the start to the goal, and touches nothing.
    let duration = report["duration"].as_f64().unwrap();
    // The scene may have been sent before the end of the plan; who comes now gets the latest of both.
    let mut viewer = Viewer::connect(view.address());
    let scene = viewer.wait_for("scene", |scene| scene["has_plan"] == true);
    assert_eq!(scene["movement"], json!([0.0, duration]));
    viewer.wait_for("curve", |curve| curve["times"].as_array().is_some_and(|all| all.len() > 100));
    let snapshot = store.snapshot().unwrap();
    let mut workspace = Workspace::cold();
    let mut last: Option<Vec<f64>> = None;
    for k in 0..=40 {
        let time = duration * f64::from(k) / 40.0;
        viewer.send(&json!({"do": "seek", "time": time}).to_string());
        let frame = viewer.wait_for("frame", |frame| frame["time"] == time);
        assert_eq!((&frame["in_collision"], &frame["source"]), (&false.into(), &"movement".into()));
        let now = positions(&frame);
        if let Some(last) = &last {
            for share in [0.25, 0.5, 0.75] {
                let between = interpolate(snapshot.scene.model(), last, &now, share).unwrap();
                let request = CheckRequest::default();
                let hit = snapshot.scene.any_collision(&between, &request, &mut workspace).unwrap();
                assert_eq!(hit, None, "{between:?}");
            }
        }
        let expected = [(0, START), (40, GOAL)].into_iter().find(|(step, _)| *step == k);
        if let Some((_, state)) = expected {
            assert_eq!(now, state);
        }
        last = Some(now);
    }

    // Without it everything is as it was.
    viewer.send(r#"{"do":"remove_plan"}"#);
    viewer.wait_for("scene", |scene| scene["has_plan"] == false && scene["movement"].is_null());
    assert_eq!(viewer.refusal_of(r#"{"do":"remove_plan"}"#), "there is nothing to remove");
}

#[test]
fn what_cannot_be_planned_says_why() {
    let (_store, view) = serve_arm();
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("scene", |_| true);
    let mut reason = |request: String| {
        viewer.send(&request);
        let end = end_of_plan(&mut viewer);
        assert_eq!(end["state"], "failed", "{request}: {end}");
        end["reason"].as_str().unwrap().to_owned()
    };
    let blocked = reason(plan(&START, &[0.0; 3]));
    assert!(blocked.contains("goal") && blocked.contains("post"), "{blocked}");
    let limits = reason(plan(&[3.0, 0.0, 0.0], &GOAL));
    assert!(limits.contains("turn0") && limits.contains('3'), "{limits}");
    let group = r#"{"do":"plan","from":[0.9,0,0],"to":[-0.9,0,0],"group":"tail"}"#;
    assert!(reason(group.into()).contains("tail"));

    for (request, word) in [
        (plan(&[0.0], &GOAL), "1"),
        (r#"{"do":"plan","from":[0.9,0,0],"to":[-0.9,0,0],"link":"tail"}"#.into(), "tail"),
        (r#"{"do":"plan","from":[0.9,0,0]}"#.into(), "to"),
        (r#"{"do":"cancel_plan"}"#.into(), "nothing to cancel"),
        (r#"{"do":"set_state","positions":[0.0]}"#.into(), "1"),
    ] {
        let said = viewer.refusal_of(&request);
        assert!(said.contains(word), "{request}: {said}");
    }
}

/// Between two balls the first bar cannot turn away, so nothing leads there; the search ends when it is told to.
#[test]
fn a_search_without_end_is_watched_and_cancelled() {
    let (store, view) = serve_arm();
    let enclose = |scene: &mut PlanningScene| {
        for (name, y) in [("left", 0.2), ("right", -0.2)] {
            scene.apply(WorldChange::Add(ball(name, [0.4, y, 0.0]))).unwrap();
        }
        scene.apply(WorldChange::Remove { name: "post".into() }).unwrap();
        Ok::<_, smooth_scene_scene::NoRobot>(())
    };
    store.change(enclose).unwrap();
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("scene", |_| true);
    viewer.send(&plan(&[2.0, 0.0, 0.0], &[0.0; 3]));
    let growing =
        viewer.wait_for("plan", |plan| plan["edges"].as_array().is_some_and(|e| !e.is_empty()));
    assert_eq!(growing["state"], "running");
    assert_eq!(viewer.refusal_of(&plan(&START, &GOAL)), "a plan is running already");
    viewer.send(r#"{"do":"cancel_plan"}"#);
    assert_eq!(end_of_plan(&mut viewer)["state"], "cancelled");
}

#[test]
fn a_link_is_dragged_as_far_as_the_arm_reaches() {
    let (_store, view) = serve_arm();
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("scene", |_| true);
    viewer.send(&json!({"do": "set_state", "positions": [0.5, 0.5, 0.5]}).to_string());
    let frame = viewer.wait_for("frame", |frame| positions(frame) == [0.5; 3]);
    // A pose that the arm has in another state, from its own kinematics: straight on by hand.
    let at = |angles: [f64; 3]| {
        let sums = [angles[0], angles[0] + angles[1]];
        let turn: f64 = angles.iter().sum();
        let place = [0, 1].map(|axis| {
            sums.iter().map(|a| 0.4 * if axis == 0 { a.cos() } else { a.sin() }).sum::<f64>()
        });
        let pose = json!({"xyz": [place[0], place[1], 0.0], "quat": [0.0, 0.0, (turn / 2.0).sin(), (turn / 2.0).cos()]});
        json!({"do": "reach", "link": "bar2", "pose": pose}).to_string()
    };
    assert_eq!(frame["source"], "manual");
    viewer.send(&at([0.8, 0.3, 0.4]));
    let near = |wanted: [f64; 3]| {
        move |frame: &Value| positions(frame).iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    viewer.wait_for("frame", near([0.8, 0.3, 0.4]));
    let unknown = viewer
        .refusal_of(r#"{"do":"reach","link":"tail","pose":{"xyz":[0,0,0],"quat":[0,0,0,1]}}"#);
    assert!(unknown.contains("tail"), "{unknown}");
    let bad = viewer
        .refusal_of(r#"{"do":"reach","link":"bar2","pose":{"xyz":[0,0,0],"quat":[0,0,0,0]}}"#);
    assert!(bad.contains("quaternion"), "{bad}");
}
