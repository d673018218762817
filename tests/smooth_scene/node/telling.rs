//! What the node tells without being asked: near pairs, diagnostics, its log.

use super::rig::{Rig, TWO_BALLS, joint_state, receive};
use smooth_scene::cdr;
use smooth_scene::geometry::{Shape, Sphere};
use smooth_scene::interfaces::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus};
use smooth_scene::interfaces::moveit_msgs::msg::PlanningScene;
use smooth_scene::interfaces::moveit_msgs::srv::{
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::msg::ProximityArray;
use smooth_scene::interfaces::rcl_interfaces::msg::Log;
use smooth_scene::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use smooth_scene::math::Pose;
use smooth_scene::node::Rosout;
use smooth_scene::scene::{NoRobot, SceneObject, WorldChange};
use smooth_scene::transport::Qos;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

const PROXIMITIES: (&str, &str) = ("/scene_node/proximities", "smooth_scene/msg/ProximityArray");

#[test]
fn near_pairs_are_published_as_the_robot_moves() {
    let rig = Rig::with_balls(&["publish_rate:=200.0", "proximity_distance:=0.5"]);
    let messages = rig.listen::<ProximityArray>(PROXIMITIES.0, PROXIMITIES.1, Qos::best_effort(10));
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let far = receive(&messages, "a message", |_| true);
    assert_eq!((far.status, far.proximities.len()), (ProximityArray::FREE, 0));
    rig.publish_joints(&["left_x", "right_x"], &[0.6, 0.0]);
    let near = receive(&messages, "a near pair", |m| !m.proximities.is_empty());
    assert_eq!((near.status, near.header.frame_id.as_str()), (ProximityArray::FREE, "base"));
    assert!((near.proximities[0].distance - 0.2).abs() < 1e-9 && near.header.stamp.sec > 0);
    rig.publish_joints(&["left_x", "right_x"], &[0.9, 0.0]);
    let touching = receive(&messages, "a contact", |m| m.status == ProximityArray::COLLISION);
    assert!((touching.proximities[0].distance + 0.1).abs() < 1e-9);
}

#[test]
fn near_pairs_and_markers_have_the_time_of_the_joint_state() {
    let rig = Rig::with_balls(&["publish_rate:=200.0", "proximity_distance:=0.5"]);
    let messages = rig.listen::<ProximityArray>(PROXIMITIES.0, PROXIMITIES.1, Qos::best_effort(10));
    let markers = rig.listen::<MarkerArray>(
        "/scene_node/markers",
        "visualization_msgs/msg/MarkerArray",
        Qos::latched(64),
    );
    let joints = rig.publisher("joint_states", "sensor_msgs/msg/JointState", Qos::reliable(10));
    let mut state = joint_state(&["left_x", "right_x"], &[0.6, 0.0]);
    (state.header.stamp.sec, state.header.stamp.nanosec) = (1234, 567_000_000);
    joints.publish(&cdr::encode(&state)).unwrap();
    let near = receive(&messages, "a near pair", |m| !m.proximities.is_empty());
    assert_eq!(near.header.stamp, state.header.stamp);
    let is_line = |marker: &&Marker| marker.ns == "distances" && marker.action == 0;
    let lines = receive(&markers, "a line", |m| m.markers.iter().any(|m| is_line(&m)));
    assert_eq!(lines.markers.iter().find(is_line).unwrap().header.stamp, state.header.stamp);
}

#[test]
fn a_state_that_is_not_known_is_not_called_free() {
    let rig = Rig::with_balls(&["max_state_age:=0.2"]);
    let messages = rig.listen::<ProximityArray>(PROXIMITIES.0, PROXIMITIES.1, Qos::best_effort(10));
    let none = receive(&messages, "the reason", |m| m.status == ProximityArray::NOT_COMPUTED);
    assert!(none.message.contains("left_x") && none.proximities.is_empty(), "{}", none.message);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    receive(&messages, "an answer again", |m| m.status == ProximityArray::FREE);
}

#[test]
fn diagnostics_tell_about_robot_state_scene_requests_and_messages() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    let reports = rig.listen::<DiagnosticArray>(
        "/diagnostics",
        "diagnostic_msgs/msg/DiagnosticArray",
        Qos::reliable(10),
    );
    let part = |report: &DiagnosticArray, name: &str| -> Option<DiagnosticStatus> {
        report.status.iter().find(|part| part.name == format!("scene_node: {name}")).cloned()
    };
    let none = receive(&reports, "a report", |_| true);
    let robot = part(&none, "robot").unwrap();
    assert_eq!(
        (robot.level, robot.message.as_str()),
        (DiagnosticStatus::WARN, "no description yet")
    );

    let _held = rig.publish_text("robot_description", super::rig::TWO_BALLS);
    rig.publish_joints(&["left_x"], &[0.0]);
    let report = receive(&reports, "half of the state", |report| {
        part(report, "joint states").is_some_and(|p| !p.message.contains("left_x"))
    });
    let joints = part(&report, "joint states").unwrap();
    assert_eq!(joints.level, DiagnosticStatus::WARN);
    assert!(joints.message.contains("right_x"), "{}", joints.message);

    rig.publish_joints(&["right_x"], &[0.0]);
    let report = receive(&reports, "the whole state", |report| {
        part(report, "joint states").is_some_and(|p| p.level == DiagnosticStatus::OK)
    });
    assert_eq!(part(&report, "robot").unwrap().message, "two_balls");
    let value = |report: &DiagnosticArray, name: &str, key: &str| {
        let values = part(report, name)?.values;
        values.into_iter().find(|v| v.key == key).map(|v| v.value)
    };
    let age = value(&report, "joint states", "age of the oldest joint [s]").expect("an age");
    assert!(age.parse::<f64>().unwrap() >= 0.0);

    rig.publish_joints(&["right_x"], &[f64::NAN]);
    rig.distance();
    let _ = rig.call_bytes("/scene_node/get_distance", "smooth_scene/srv/GetDistance", &[1, 2]);
    // Answers are counted after they were sent, so that a report may come in between.
    receive(&reports, "one answered, one malformed", |report| {
        value(report, "requests", "~/get_distance")
            .is_some_and(|counts| counts.contains("1 answered") && counts.contains("1 malformed"))
    });
    receive(&reports, "three states, one refused", |report| {
        value(report, "messages", "joint_states")
            .is_some_and(|counts| counts.contains("3 received, 1 refused"))
    });
}

#[test]
fn the_log_is_published() {
    // The subscriber is that of the process: other tests speak here too, with other words.
    let rosout = Rosout::default();
    tracing_subscriber::registry().with(rosout.clone()).init();
    let rig = Rig::start_with(&[], Some(rosout)).unwrap();
    let messages = rig.listen::<Log>("/rosout", "rcl_interfaces/msg/Log", Qos::latched(1000));
    let _bad = rig.publish_text("robot_description", "<robot name='never_heard_of'><oops></robot>");
    let message = receive(&messages, "the refusal", |m| m.msg.contains("description refused"));
    assert_eq!((message.level, message.name.as_str()), (Log::ERROR, "scene_node"));
    assert!(message.file.ends_with("descriptions.rs") && message.line > 0);
    assert!(message.stamp.sec > 0);

    // Responses of MoveIt have no room for a reason; and a client that repeats itself does not flood the log.
    rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.node.store().snapshot().is_ok());
    let request =
        GetStateValidityRequest { group_name: "never_heard_of".into(), ..Default::default() };
    let (name, type_name) = ("/check_state_validity", "moveit_msgs/srv/GetStateValidity");
    for _ in 0..5 {
        let answer: GetStateValidityResponse = rig.call(name, type_name, &request);
        assert!(!answer.valid);
    }
    let warning = receive(&messages, "the refusal", |m| m.msg.contains("never_heard_of`"));
    assert_eq!(warning.level, Log::WARN);
    let start = "check_state_validity: request 1 of client 00.00.00.00.00.00.00.02.00.";
    assert!(warning.msg.starts_with(start), "{}", warning.msg);
    let reason = "is refused: group_name: there is no group `never_heard_of`";
    assert!(warning.msg.ends_with(reason), "{}", warning.msg);
    let more = messages.try_iter().filter(|m| m.msg.contains("never_heard_of`")).count();
    assert!(more < 4, "{more} more lines within a second");
}

#[test]
fn the_scene_is_published_whole_when_it_changes_and_its_state_while_the_robot_moves() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "scene_publish_rate:=100.0"]);
    let (topic, type_name) = ("/monitored_planning_scene", "moveit_msgs/msg/PlanningScene");
    let first = rig.listen::<PlanningScene>(topic, type_name, Qos::latched(10));
    let whole = receive(&first, "the scene", |m| !m.is_diff);
    assert_eq!(
        (whole.robot_model_name.as_str(), whole.world.collision_objects.len()),
        ("two_balls", 0)
    );
    assert_eq!(whole.robot_state.joint_state.name, ["left_x", "right_x"]);

    rig.publish_joints(&["left_x"], &[0.25]);
    let moved =
        receive(&first, "the state", |m| m.robot_state.joint_state.position.contains(&0.25));
    assert!(moved.is_diff && moved.robot_state.is_diff);
    assert!(moved.allowed_collision_matrix.entry_names.is_empty());

    let shape = Shape::Sphere(Sphere::new(0.1).unwrap());
    let ball = SceneObject::simple("ball", Pose::translation(0.0, 3.0, 0.0), shape).unwrap();
    let change = |scene: &mut smooth_scene::scene::PlanningScene| {
        scene.apply(WorldChange::Add(ball.clone())).expect("the change fits");
        Ok::<_, NoRobot>(())
    };
    rig.node.store().change(change).unwrap();
    let changed = receive(&first, "the ball", |m| !m.world.collision_objects.is_empty());
    assert!(!changed.is_diff && changed.world.collision_objects[0].id == "ball");

    // Who comes late gets the whole.
    let second = rig.listen::<PlanningScene>(topic, type_name, Qos::latched(10));
    let whole = receive(&second, "the scene again", |m| !m.is_diff);
    assert_eq!(whole.world.collision_objects.len(), 1);
}

#[test]
fn markers_are_published_and_sent_again_to_who_comes_late() {
    let rig =
        Rig::with_balls(&["max_state_age:=0.0", "publish_rate:=200.0", "proximity_distance:=0.5"]);
    let (topic, type_name) = ("/scene_node/markers", "visualization_msgs/msg/MarkerArray");
    let surfaces = |array: &MarkerArray| array.markers.iter().any(|marker| marker.ns == "surfaces");
    let first = rig.listen::<MarkerArray>(topic, type_name, Qos::latched(64));
    receive(&first, "the surfaces", surfaces);
    rig.publish_joints(&["left_x"], &[0.9]);
    let contact = receive(&first, "a contact", |array| {
        array.markers.iter().any(|m| m.ns == "contacts" && m.action == Marker::ADD)
    });
    assert!(
        contact
            .markers
            .iter()
            .all(|m| m.action == Marker::DELETEALL || !m.header.frame_id.is_empty())
    );
    rig.publish_joints(&["left_x"], &[0.0]);
    receive(&first, "its end", |array| {
        array.markers.iter().any(|m| m.ns == "contacts" && m.action == Marker::DELETE)
    });
    let second = rig.listen::<MarkerArray>(topic, type_name, Qos::reliable(64));
    receive(&second, "the surfaces again", surfaces);
}
