//! Requests in frames that the scene does not know: looked up in `/tf` and `/tf_static`, waited for, and refused with the
//! reason.

use super::rig::{Rig, joint_state, receive, until};
use smooth_scene::cdr;
use smooth_scene::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::interfaces::geometry_msgs::msg::{Quaternion, TransformStamped};
use smooth_scene::interfaces::moveit_msgs::msg::{
    CollisionObject, Constraints, OrientationConstraint, PlanningSceneWorld,
};
use smooth_scene::interfaces::moveit_msgs::srv::{
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::{ApplySceneEvent, ApplySceneRequest, ApplySceneResponse};
use smooth_scene::interfaces::std_msgs::msg::Header;
use smooth_scene::interfaces::tf2_msgs::msg::TFMessage;
use smooth_scene::transport::{Publisher, Qos};
use std::time::{Duration, Instant};

const TF: &str = "tf2_msgs/msg/TFMessage";

fn header(frame: &str, stamp: f64) -> Header {
    let nanoseconds = (stamp * 1e9).round() as i64;
    let (sec, nanosec) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let stamp = Time { sec: sec as i32, nanosec: nanosec as u32 };
    Header { stamp, frame_id: frame.into() }
}

/// `child` is this far along y in `parent`.
fn along_y(parent: &str, child: &str, stamp: f64, y: f64) -> TransformStamped {
    let mut message = TransformStamped {
        header: header(parent, stamp),
        child_frame_id: child.into(),
        ..TransformStamped::default()
    };
    message.transform.translation.y = y;
    message.transform.rotation = Quaternion { w: 1.0, ..Quaternion::default() };
    message
}

fn publish(publisher: &dyn Publisher, transforms: Vec<TransformStamped>) {
    publisher.publish(&cdr::encode(&TFMessage { transforms })).unwrap();
}

fn ball(id: &str, header: Header) -> SceneObject {
    let surface = Surface { kind: Surface::SPHERE, dimensions: vec![0.01], ..Surface::default() };
    SceneObject { id: id.into(), header, surfaces: vec![surface], ..SceneObject::default() }
}

fn add(rig: &Rig, id: &str, header: Header) -> ApplySceneResponse {
    let change =
        SceneChange { operation: SceneChange::ADD, object: ball(id, header), ..Default::default() };
    let request = ApplySceneRequest { changes: vec![change] };
    rig.call("/scene_node/apply_scene", "smooth_scene/srv/ApplyScene", &request)
}

/// Where the object is in the root.
fn place(rig: &Rig, id: &str) -> [f64; 3] {
    let snapshot = rig.node.store().snapshot().unwrap();
    let at = snapshot.scene.world().by_name(id).expect("it is there").pose().translation.vector;
    [at.x, at.y, at.z]
}

#[test]
fn objects_are_placed_in_frames_of_tf() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let moving = rig.publisher("/tf", TF, Qos::reliable(100));
    let fixed = rig.publisher("/tf_static", TF, Qos::latched(100));
    // `map` is above the root, `camera` below a link, and `map` moves.
    publish(&*fixed, vec![along_y("left", "camera", 0.0, 0.5)]);
    for (stamp, y) in [(100.0, 1.0), (102.0, 3.0)] {
        publish(&*moving, vec![along_y("map", "base", stamp, y)]);
    }
    let answer = add(&rig, "latest", header("map", 0.0));
    assert_eq!((answer.status, answer.message.as_str()), (ApplySceneResponse::OK, ""));
    assert_eq!(place(&rig, "latest"), [0.0, -3.0, 0.0]);
    assert_eq!(add(&rig, "then", header("/map", 100.5)).status, ApplySceneResponse::OK);
    assert_eq!(place(&rig, "then"), [0.0, -1.5, 0.0]);
    // What hangs on a link is where the link is in the current state.
    rig.publish_joints(&["left_x"], &[0.25]);
    until("the ball moved", || rig.distance().proximities[0].distance < 0.56);
    assert_eq!(add(&rig, "seen", header("camera", 0.0)).status, ApplySceneResponse::OK);
    assert_eq!(place(&rig, "seen"), [0.25, 0.5, 0.0]);
}

#[test]
fn a_refusal_names_both_frames_and_why() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "tf.timeout:=0.0"]);
    let moving = rig.publisher("/tf", TF, Qos::reliable(100));
    for stamp in [100.0, 102.0] {
        publish(&*moving, vec![along_y("map", "base", stamp, 1.0)]);
    }
    publish(&*moving, vec![along_y("room", "lamp", 100.0, 1.0)]);
    until("transforms have arrived", || {
        add(&rig, "lamp", header("lamp", 0.0)).message.contains("not connected")
    });
    for (frame, stamp, reason) in [
        ("cup", 0.0, "no transform from `cup` to `base`: frame `cup` is unknown"),
        (
            "lamp",
            0.0,
            "from `lamp` to `base`: they are not connected: one is below `map`, the other below `room`",
        ),
        ("map", 99.0, "from `map` to `base`: time 99.000000000 is too old"),
        ("map", 102.5, "from `map` to `base`: time 102.500000000 is too far in the future"),
    ] {
        let answer = add(&rig, "never", header(frame, stamp));
        assert_eq!(answer.status, ApplySceneResponse::NO_TRANSFORM, "{}", answer.message);
        assert!(answer.message.contains(reason), "{}", answer.message);
        assert!(answer.message.starts_with("changes[0]: "), "{}", answer.message);
    }
    // A rotation of zeros is nothing that anybody meant.
    let mut zero = along_y("base", "zero", 103.0, 0.0);
    zero.transform.rotation = Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 0.0 };
    publish(&*moving, vec![zero, along_y("base", "good", 103.0, 0.0)]);
    until("the good one is taken", || add(&rig, "good", header("good", 0.0)).status == 1);
    assert_eq!(add(&rig, "zero", header("zero", 0.0)).status, ApplySceneResponse::NO_TRANSFORM);
}

#[test]
fn a_request_waits_for_its_transform_and_nobody_else_waits_for_it() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "tf.timeout:=10.0", "worker_threads:=2"]);
    let moving = rig.publisher("/tf", TF, Qos::reliable(100));
    std::thread::scope(|scope| {
        // More of them than there are threads that answer.
        let names = ["a", "b", "c", "d", "e"];
        let waiting = names.map(|id| {
            let rig = &rig;
            scope.spawn(move || add(rig, id, header("map", 100.0)))
        });
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(rig.distance().status, 1, "others are answered meanwhile");
        assert!(waiting.iter().all(|one| !one.is_finished()));
        publish(&*moving, vec![along_y("map", "base", 99.0, 1.0)]);
        std::thread::sleep(Duration::from_millis(50));
        assert!(waiting.iter().all(|one| !one.is_finished()), "that was not the time");
        publish(&*moving, vec![along_y("map", "base", 101.0, 3.0)]);
        for one in waiting {
            let answer = one.join().unwrap();
            assert_eq!((answer.status, answer.message.as_str()), (1, ""));
        }
    });
    assert_eq!(place(&rig, "c"), [0.0, -2.0, 0.0]);
}

#[test]
fn waiting_ends_with_the_time_out() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "tf.timeout:=0.2"]);
    let start = Instant::now();
    assert_eq!(add(&rig, "never", header("map", 0.0)).status, ApplySceneResponse::NO_TRANSFORM);
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
}

#[test]
fn requests_that_wait_are_refused_at_the_end() {
    let rig = Rig::with_balls(&[
        "max_state_age:=0.0",
        "tf.timeout:=10.0",
        "service_introspection:=metadata",
    ]);
    let events = rig.listen::<ApplySceneEvent>(
        "/scene_node/apply_scene/_service_event",
        "smooth_scene/srv/ApplyScene_Event",
        Qos::reliable(10),
    );
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| add(&rig, "never", header("map", 0.0)));
        receive(&events, "the request has arrived", |_| true);
        rig.node.shutdown();
        assert!(waiting.join().unwrap().message.contains("shutting down"));
    });
}

#[test]
fn world_is_the_root_unless_somebody_publishes_it() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "tf.timeout:=0.0"]);
    assert_eq!(add(&rig, "before", header("world", 0.0)).status, ApplySceneResponse::OK);
    assert_eq!(place(&rig, "before"), [0.0; 3]);
    let fixed = rig.publisher("/tf_static", TF, Qos::latched(100));
    publish(&*fixed, vec![along_y("world", "base", 0.0, 2.0)]);
    let mut count = 0;
    until("the transform has arrived", || {
        count += 1;
        let id = format!("after_{count}");
        assert_eq!(add(&rig, &id, header("world", 0.0)).status, ApplySceneResponse::OK);
        place(&rig, &id) == [0.0, -2.0, 0.0]
    });
}

#[test]
fn a_clock_that_jumps_back_drops_moving_frames() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "tf.timeout:=0.0", "use_sim_time:=true"]);
    let moving = rig.publisher("/tf", TF, Qos::reliable(100));
    let clock = rig.publisher("/clock", "rosgraph_msgs/msg/Clock", Qos::best_effort(1));
    let tick = |seconds: f64| {
        let clock_message = smooth_scene::interfaces::rosgraph_msgs::msg::Clock {
            clock: header("", seconds).stamp,
        };
        clock.publish(&cdr::encode(&clock_message)).unwrap();
    };
    tick(100.0);
    publish(&*moving, vec![along_y("map", "base", 100.0, 1.0)]);
    let mut count = 0;
    let mut status = || {
        count += 1;
        add(&rig, &format!("object_{count}"), header("map", 0.0)).status
    };
    until("the transform has arrived", || status() == ApplySceneResponse::OK);
    tick(50.0);
    until("it is forgotten", || status() == ApplySceneResponse::NO_TRANSFORM);
}

#[test]
fn constraints_and_messages_of_moveit_may_be_in_frames_of_tf() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let fixed = rig.publisher("/tf_static", TF, Qos::latched(100));
    // A quarter of a turn about z.
    let mut turned = along_y("base", "table", 0.0, 4.0);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    turned.transform.rotation = Quaternion { z: half, w: half, ..Quaternion::default() };
    publish(&*fixed, vec![turned]);

    let constraint = |frame: &str| OrientationConstraint {
        header: header(frame, 0.0),
        orientation: Quaternion { z: -half, w: half, ..Quaternion::default() },
        link_name: "left".into(),
        absolute_x_axis_tolerance: 1e-6,
        absolute_y_axis_tolerance: 1e-6,
        absolute_z_axis_tolerance: 1e-6,
        weight: 1.0,
        ..OrientationConstraint::default()
    };
    let check = |frame: &str| -> GetStateValidityResponse {
        let mut request = GetStateValidityRequest {
            constraints: Constraints {
                orientation_constraints: vec![constraint(frame)],
                ..Constraints::default()
            },
            ..GetStateValidityRequest::default()
        };
        request.robot_state.joint_state = joint_state(&["left_x"], &[0.0]);
        rig.call("/check_state_validity", "moveit_msgs/srv/GetStateValidity", &request)
    };
    assert!(check("table").valid, "turned back by as much as the frame is turned");
    assert!(!check("base").valid);
    assert!(check("nowhere").constraint_result.is_empty(), "refused, not decided");

    let object = |id: &str, frame: &str| CollisionObject {
        id: id.into(),
        header: header(frame, 0.0),
        primitives: vec![SolidPrimitive {
            type_: SolidPrimitive::SPHERE,
            dimensions: vec![0.1],
            ..SolidPrimitive::default()
        }],
        primitive_poses: vec![Default::default()],
        ..CollisionObject::default()
    };
    let objects =
        rig.publisher("collision_object", "moveit_msgs/msg/CollisionObject", Qos::reliable(10));
    let known = |id: &str| {
        let snapshot = rig.node.store().snapshot().unwrap();
        snapshot.scene.world().find(id).is_some()
    };
    objects.publish(&cdr::encode(&object("old", "table"))).unwrap();
    until("the object is there", || known("old"));
    assert_eq!(place(&rig, "old"), [0.0, 4.0, 0.0]);

    // The whole world, which takes the place of what was there.
    let world = rig.publisher(
        "planning_scene_world",
        "moveit_msgs/msg/PlanningSceneWorld",
        Qos::reliable(10),
    );
    let message = PlanningSceneWorld {
        collision_objects: vec![object("new", "table"), object("other", "base")],
        ..PlanningSceneWorld::default()
    };
    world.publish(&cdr::encode(&message)).unwrap();
    until("the world is there", || known("new") && known("other"));
    assert!(!known("old"));
    // All of it or nothing.
    let half_good = PlanningSceneWorld {
        collision_objects: vec![object("good", "base"), object("bad", "nowhere")],
        ..PlanningSceneWorld::default()
    };
    world.publish(&cdr::encode(&half_good)).unwrap();
    objects.publish(&cdr::encode(&object("last", "base"))).unwrap();
    until("what comes after it is applied", || known("last"));
    assert!(known("new") && !known("good") && !known("bad"));
}
