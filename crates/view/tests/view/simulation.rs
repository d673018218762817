//! Simulations over the wire, without a browser: a ball above a floor beside a pendulum.

use std::sync::Arc;

use serde_json::{Value, json};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{HalfSpace, Shape, Sphere};
use smooth_scene_robot::{LoadOptions, parse_urdf};
use smooth_scene_scene::{PlanningScene, SceneObject, SceneStore, WorldChange};
use smooth_scene_test_support::viewer::Viewer;
use smooth_scene_view::{ViewHost, ViewOptions, ViewServer};

const PENDULUM: &str = r#"<robot name="pendulum"><link name="base"/>
  <link name="bob"><collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.06"/></geometry></collision></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint></robot>"#;

/// The scene behind a view; its ball is 0.1 m wide and hangs half a metre high.
pub(crate) fn serve_pendulum(described: bool, editing: bool) -> (Arc<SceneStore>, ViewServer) {
    let robot = Arc::new(parse_urdf(PENDULUM, "pendulum", &LoadOptions::default()).unwrap());
    let mut scene = PlanningScene::new(Arc::new(robot.model.clone()), None).unwrap();
    let ball: Shape = Sphere::new(0.1).unwrap().into();
    let floor: Shape = HalfSpace::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    for (name, at, shape) in [("ball", [0.4, 0.0, 0.5], ball), ("floor", [0.0; 3], floor)] {
        let object = SceneObject::simple(name, Pose::translation(at[0], at[1], at[2]), shape);
        scene.apply(WorldChange::Add(object.unwrap())).unwrap();
    }
    let store = Arc::new(SceneStore::default());
    store.replace_robot(scene);
    let mut host = ViewHost::new(Arc::clone(&store));
    if described {
        host.described = Some(Arc::new(move || Some(Arc::clone(&robot))));
    }
    let options = ViewOptions { editing, ..ViewOptions::default() };
    let view = ViewServer::start(host, options).unwrap();
    (store, view)
}

fn simulate(act: &str, rest: &Value) -> String {
    let mut command = json!({"do": "simulate", "act": act});
    let fields = rest.as_object().unwrap().clone();
    command.as_object_mut().unwrap().extend(fields);
    command.to_string()
}

fn start() -> String {
    let numbers = json!({"hold": null, "young": 1e6, "friction": 0.5, "restitution": 0.5});
    simulate("start", &numbers)
}

fn number(message: &Value, name: &str) -> f64 {
    message[name].as_f64().unwrap()
}

fn ball_at(store: &SceneStore) -> Vec3 {
    let snapshot = store.snapshot().unwrap();
    snapshot.scene.world().by_name("ball").unwrap().pose().translation.vector
}

#[test]
fn a_ball_falls_is_pushed_and_is_put_back() {
    let (store, view) = serve_pendulum(true, true);
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("frame", |_| true);
    viewer.send(&start());
    viewer.send(&simulate(
        "push",
        &json!({"body": "ball", "point": [0, 0, 0], "force": [4, 0, 0], "seconds": 0.1}),
    ));
    viewer.send(&simulate(
        "push",
        &json!({"body": "bob", "point": [0, 0, -0.3], "force": [9, 0, 0], "seconds": 0.1}),
    ));
    viewer.send(&simulate("step", &json!({"seconds": 0.1})));
    let at = viewer.wait_for("simulation", |m| m["state"] == "paused" && m["time"] == 0.1);
    assert!(number(&at, "steps") > 0.0 && at["energies"][0].as_f64().unwrap() > 0.0, "{at}");
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let moved = ball_at(&store);
    assert!((moved.z - (0.5 - 0.5 * 9.80665 * 0.01)).abs() < 1e-7, "{moved}");
    let expected = 0.5 * 4.0 / mass * 0.01;
    assert!(((moved.x - 0.4) / expected - 1.0).abs() < 0.02, "{moved} {expected}");
    // The pushed pendulum is shown where it swings to: about +y, what hangs below goes to −x.
    let frame = viewer.wait_for("frame", |frame| frame["positions"][0].as_f64() != Some(0.0));
    assert!(frame["positions"][0].as_f64().unwrap() < -0.01, "{frame}");
    viewer.send(&simulate("reset", &json!({})));
    viewer.wait_for("simulation", |m| m["time"] == 0.0);
    assert_eq!(ball_at(&store), Vec3::new(0.4, 0.0, 0.5));
    viewer.send(&simulate("play", &json!({})));
    viewer.wait_for("simulation", |m| m["state"] == "playing" && number(m, "time") > 0.02);
    viewer.send(&simulate("end", &json!({})));
    viewer.wait_for("simulation", |m| m["state"] == "none");
}

#[test]
fn what_is_not_simulated_says_why() {
    let (store, view) = serve_pendulum(true, true);
    let mut viewer = Viewer::connect(view.address());
    let none = viewer.refusal_of(&simulate("play", &json!({})));
    assert_eq!(none, "there is nothing to simulate");
    let soft = json!({"hold": null, "young": -1, "friction": 0.5, "restitution": 0.5});
    let reason = viewer.refusal_of(&simulate("start", &soft));
    assert_eq!(reason, "material: young is -1, must be positive and finite");
    viewer.send(&start());
    viewer.wait_for("simulation", |m| m["state"] == "paused");
    let push = |body: &str, seconds: f64| {
        let push =
            json!({"body": body, "point": [0, 0, 0], "force": [4, 0, 0], "seconds": seconds});
        simulate("push", &push)
    };
    assert_eq!(
        viewer.refusal_of(&push("floor", 1.0)),
        "`floor` is no link and no object that moves"
    );
    assert_eq!(viewer.refusal_of(&push("ball", 0.0)), "seconds is 0, must be in [0.000001, 60]");
    assert_eq!(
        viewer.refusal_of(&simulate("rate", &json!({"factor": 99}))),
        "rate is 99, must be in [0.01, 10]"
    );
    // An object that is taken away.
    store
        .change(|scene| {
            scene.apply(WorldChange::Remove { name: "ball".into() }).unwrap();
            Ok::<_, smooth_scene_scene::NoRobot>(())
        })
        .unwrap();
    viewer.send(&simulate("step", &json!({"seconds": 0.1})));
    let failed = viewer.wait_for("simulation", |m| m["state"] == "failed");
    assert!(failed["reason"].as_str().unwrap().contains("`ball`"), "{failed}");

    let (_store, view) = serve_pendulum(false, true);
    let mut viewer = Viewer::connect(view.address());
    let reason = viewer.refusal_of(&start());
    assert_eq!(reason, "the robot's URDF is not known, and so are its masses");
    let (_store, view) = serve_pendulum(true, false);
    let mut viewer = Viewer::connect(view.address());
    assert_eq!(viewer.refusal_of(&start()), "editing is switched off");
}
