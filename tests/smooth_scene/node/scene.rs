//! Changes of the scene: what was acknowledged is there, in every answer that comes after.

use super::rig::{Rig, receive};
use smooth_scene::cdr;
use smooth_scene::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use smooth_scene::interfaces::geometry_msgs::msg::{Point, Pose, Quaternion};
use smooth_scene::interfaces::moveit_msgs::msg::{
    AttachedCollisionObject, CollisionObject, PlanningScene,
};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::rcl_interfaces::msg::{Parameter, ParameterValue};
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::{
    ApplySceneRequest, ApplySceneResponse, GetSceneRequest, GetSceneResponse,
};
use smooth_scene::interfaces::std_msgs::msg::Header;
use smooth_scene::transport::Qos;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

fn pose(x: f64) -> Pose {
    Pose {
        position: Point { x, y: 5.0, z: 0.0 },
        orientation: Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
    }
}

fn add(id: &str, x: f64) -> SceneChange {
    let surface = Surface {
        kind: Surface::SPHERE,
        dimensions: vec![0.1],
        pose: Pose { position: Point::default(), ..pose(0.0) },
        ..Surface::default()
    };
    let object = SceneObject {
        id: id.into(),
        pose: pose(x),
        surfaces: vec![surface],
        ..SceneObject::default()
    };
    SceneChange { operation: SceneChange::ADD, object, ..SceneChange::default() }
}

fn apply(rig: &Rig, changes: Vec<SceneChange>) -> ApplySceneResponse {
    let request = ApplySceneRequest { changes };
    rig.call("/scene_node/apply_scene", "smooth_scene/srv/ApplyScene", &request)
}

fn ids(rig: &Rig) -> (u64, HashSet<String>) {
    let request = GetSceneRequest::default();
    let answer: GetSceneResponse =
        rig.call("/scene_node/get_scene", "smooth_scene/srv/GetScene", &request);
    assert_eq!(answer.status, GetSceneResponse::OK, "{}", answer.message);
    (answer.revision, answer.objects.into_iter().map(|object| object.id).collect())
}

#[test]
fn nothing_that_was_acknowledged_is_lost_while_others_change_the_scene_and_the_robot() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let rig = &rig;
                scope.spawn(move || {
                    let mut mine = Vec::new();
                    for k in 0..50 {
                        let id = format!("ball_{writer}_{k}");
                        let answer = apply(rig, vec![add(&id, f64::from(k))]);
                        assert_eq!(answer.status, ApplySceneResponse::OK, "{}", answer.message);
                        mine.push(id);
                        let (revision, there) = ids(rig);
                        assert!(revision >= answer.revision);
                        assert!(mine.iter().all(|id| there.contains(id)), "lost after {k}");
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let string_value = super::rig::balls_of(0.1 + 0.01 * f64::from(round % 2));
                let value = ParameterValue { type_: 4, string_value, ..Default::default() };
                rig.node
                    .set_parameters(&[Parameter { name: "robot_description".into(), value }])
                    .unwrap();
            }
        });
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(ids(&rig).1.len(), 150);
    assert!(rig.node.store().snapshot().unwrap().robot > 1);
}

#[test]
fn a_change_that_is_refused_changes_nothing() {
    let rig = Rig::with_balls(&["max_state_age:=0.0", "limits.objects:=3"]);
    assert_eq!(apply(&rig, vec![add("one", 0.0)]).status, ApplySceneResponse::OK);
    let answer = apply(&rig, vec![add("two", 0.0), add("left", 1.0)]);
    assert_eq!(answer.status, ApplySceneResponse::REFUSED);
    assert!(answer.message.contains("left"), "{}", answer.message);
    assert_eq!(ids(&rig).1, HashSet::from(["one".to_string()]));
    let answer = apply(&rig, vec![add("two", 0.0), add("three", 1.0), add("four", 2.0)]);
    assert_eq!(answer.status, ApplySceneResponse::REFUSED);
    assert!(answer.message.contains("3 objects"), "{}", answer.message);
}

fn collision_object(id: &str, x: f64) -> CollisionObject {
    let sphere = SolidPrimitive {
        type_: SolidPrimitive::SPHERE,
        dimensions: vec![0.1],
        ..Default::default()
    };
    CollisionObject {
        header: Header { frame_id: "base".into(), ..Header::default() },
        id: id.into(),
        pose: pose(x),
        primitives: vec![sphere],
        primitive_poses: vec![Pose { position: Point::default(), ..pose(0.0) }],
        operation: CollisionObject::ADD,
        ..CollisionObject::default()
    }
}

#[test]
fn objects_come_by_topic_in_order_and_bad_ones_are_counted() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let reports = rig.listen::<DiagnosticArray>(
        "/diagnostics",
        "diagnostic_msgs/msg/DiagnosticArray",
        Qos::reliable(10),
    );
    let type_name = "moveit_msgs/msg/CollisionObject";
    let objects = rig.publisher("collision_object", type_name, Qos::reliable(10));
    let publish = |object: &CollisionObject| objects.publish(&cdr::encode(object)).unwrap();
    for k in 0..5 {
        publish(&collision_object(&format!("ball_{k}"), f64::from(k)));
    }
    // The last word counts.
    publish(&CollisionObject {
        operation: CollisionObject::REMOVE,
        ..collision_object("ball_4", 0.0)
    });
    publish(&collision_object("bad", f64::NAN));
    objects.publish(&[7, 7, 7]).unwrap();
    publish(&collision_object("last", 9.0));
    rig.until("the last one is there", || ids(&rig).1.contains("last"));
    let expected = ["ball_0", "ball_1", "ball_2", "ball_3", "last"].map(String::from);
    assert_eq!(ids(&rig).1, HashSet::from(expected));

    let report = receive(&reports, "the refused change", |report| {
        report.status.iter().any(|part| part.values.iter().any(|v| v.key == "last refused change"))
    });
    let messages = report.status.iter().find(|p| p.name == "scene_node: messages").unwrap();
    let count = messages.values.iter().find(|v| v.key == "collision_object").unwrap();
    assert_eq!(count.value, "9 received, 2 refused");

    let type_name = "moveit_msgs/msg/AttachedCollisionObject";
    let attached = rig.publisher("attached_collision_object", type_name, Qos::reliable(10));
    let message = AttachedCollisionObject {
        link_name: "left".into(),
        object: CollisionObject { id: "last".into(), ..CollisionObject::default() },
        ..AttachedCollisionObject::default()
    };
    attached.publish(&cdr::encode(&message)).unwrap();
    let is_attached =
        || rig.node.store().snapshot().unwrap().scene.attached_object("last").is_some();
    rig.until("it is attached", is_attached);

    let type_name = "moveit_msgs/msg/PlanningScene";
    let scenes = rig.publisher("planning_scene", type_name, Qos::reliable(10));
    let mut message = PlanningScene { is_diff: true, ..PlanningScene::default() };
    message.robot_state.is_diff = true;
    message.world.collision_objects = vec![collision_object("by_scene", 3.0)];
    scenes.publish(&cdr::encode(&message)).unwrap();
    rig.until("the difference is applied", || ids(&rig).1.contains("by_scene"));
}
