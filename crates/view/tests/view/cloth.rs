//! The cloth over the wire, without a browser.

use std::error::Error;
use std::sync::Arc;

use serde_json::{Value, json};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_robot::{LoadOptions, parse_urdf};
use smooth_scene_scene::{PlanningScene, SceneObject, SceneStore, WorldChange};
use smooth_scene_test_support::viewer::Viewer;
use smooth_scene_view::{ViewHost, ViewOptions, ViewServer};

/// An empty robot and a ball of 0.3 m on a floor.
fn serve_ball(editing: bool) -> (Arc<SceneStore>, ViewServer) {
    let urdf = r#"<robot name="none"><link name="base"/></robot>"#;
    let robot = parse_urdf(urdf, "none", &LoadOptions::default()).unwrap();
    let mut scene = PlanningScene::new(Arc::new(robot.model), None).unwrap();
    let shapes = [
        ("ball", Pose::translation(0.0, 0.0, 0.3), Shape::sphere(0.3).unwrap()),
        ("floor", Pose::identity(), Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap()),
    ];
    for (name, pose, shape) in shapes {
        scene.apply(WorldChange::Add(SceneObject::simple(name, pose, shape).unwrap())).unwrap();
    }
    let store = Arc::new(SceneStore::default());
    store.replace_robot(scene);
    let options = ViewOptions { editing, ..ViewOptions::default() };
    let view = ViewServer::start(ViewHost::new(Arc::clone(&store)), options).unwrap();
    (store, view)
}

fn cloth(act: Value) -> String {
    json!({"do": "cloth", "act": act}).to_string()
}

fn places(message: &Value) -> Vec<Vec3> {
    let unit = message["unit"].as_f64().unwrap();
    let all = message["places"].as_array().unwrap();
    let numbers: Vec<f64> = all.iter().map(|x| unit * x.as_f64().unwrap()).collect();
    numbers.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

#[test]
fn a_cloth_falls_over_the_scene_is_held_and_taken_away() {
    let (store, view) = serve_ball(true);
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("scene", |_| true);
    viewer.send(&cloth(json!({"what": "drop", "vertices": 9})));
    viewer.send(&cloth(json!({"what": "hold", "row": 0, "column": 0, "at": [-0.3, -0.3, 0.7]})));
    let message = viewer.wait_for("cloth", |message| message["time"].as_f64() > Some(1.5));
    assert_eq!((&message["state"], &message["rows"]), (&"playing".into(), &9.into()));
    assert_eq!((&message["bodies"], &message["pins"]), (&2.into(), &json!([[0, 0]])));
    let all = places(&message);
    assert_eq!(all.len(), 81);
    assert!((all[0] - Vec3::new(-0.3, -0.3, 0.7)).norm() < 1e-3, "{}", all[0]);
    let ball = Shape::sphere(0.3).unwrap();
    for point in &all {
        let value = ball.inside_outside(&(point - Vec3::new(0.0, 0.0, 0.3)));
        assert!(value > 0.0 && point.z > 0.0, "{point} {value}");
    }
    assert!(all.iter().any(|point| point.z < 0.3), "its corners hang down");

    viewer.send(&cloth(json!({"what": "release", "row": 0, "column": 0})));
    viewer.wait_for("cloth", |message| message["pins"] == json!([]));
    viewer.send(&cloth(json!({"what": "pause"})));
    viewer.wait_for("cloth", |message| message["state"] == "paused");
    // The ball goes, and the cloth falls to the floor.
    let remove = WorldChange::Remove { name: "ball".to_owned() };
    store.change(|scene| scene.apply(remove).map_err(Box::<dyn Error>::from)).unwrap();
    viewer.send(&cloth(json!({"what": "play"})));
    let lies =
        |message: &Value| message["bodies"] == 1 && places(message).iter().all(|p| p.z < 0.3);
    viewer.wait_for("cloth", lies);
    viewer.send(&cloth(json!({"what": "remove"})));
    viewer.wait_for("cloth", |message| message["state"] == "none");
}

#[test]
fn a_terrain_is_one_edit_and_is_covered() {
    let (store, view) = serve_ball(true);
    let mut viewer = Viewer::connect(view.address());
    viewer.send(&cloth(json!({"what": "terrain"})));
    let scene = viewer.wait_for("scene", |scene| scene["undo"] == 1);
    assert_eq!(scene["objects"].as_array().unwrap().len(), 82);
    viewer.send(&cloth(json!({"what": "drop", "vertices": 21})));
    let message = viewer.wait_for("cloth", |message| message["time"].as_f64() > Some(0.5));
    assert_eq!(message["bodies"], 82);
    viewer.send(r#"{"do":"undo"}"#);
    viewer.wait_for("scene", |scene| scene["undo"] == 0);
    assert_eq!(store.snapshot().unwrap().scene.world().len(), 2);
}

#[test]
fn what_makes_no_cloth_is_refused() {
    let (_store, view) = serve_ball(false);
    let mut viewer = Viewer::connect(view.address());
    let terrain = cloth(json!({"what": "terrain"}));
    assert_eq!(viewer.refusal_of(&terrain), "editing is switched off");
    let drop = cloth(json!({"what": "drop", "vertices": 1}));
    assert_eq!(viewer.refusal_of(&drop), "vertices along a side is 1, must be 2 to 100");
    assert!(viewer.refusal_of(&cloth(json!({"what": "fly"}))).contains("fly"));
    // What only the cloth's own thread can judge comes with the next message about the cloth.
    viewer.send(&cloth(json!({"what": "play"})));
    let message = viewer.wait_for("cloth", |message| !message["reason"].is_null());
    assert!(message["reason"].as_str().unwrap().contains("there is none"), "{message}");
    viewer.send(&cloth(json!({"what": "drop", "vertices": 4})));
    viewer.wait_for("cloth", |message| message["state"] == "playing");
    viewer.send(&cloth(json!({"what": "release", "row": 4, "column": 0})));
    let message = viewer.wait_for("cloth", |message| !message["reason"].is_null());
    assert_eq!(message["reason"], "cloth: there is no vertex [4, 0] in 4 rows and 4 columns");
}
