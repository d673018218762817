//! Robot descriptions by topic: at any time, in any order, good and bad.

use super::rig::{Rig, TWO_BALLS, balls_of, receive};
use smooth_scene::geometry::{Shape, Sphere};
use smooth_scene::interfaces::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus};
use smooth_scene::interfaces::srv::GetDistanceResponse as Response;
use smooth_scene::math::Pose;
use smooth_scene::scene::{
    MatrixChange, NoRobot, RobotChange, SceneChange, SceneObject, WorldChange,
};
use smooth_scene::transport::Qos;
use std::sync::atomic::{AtomicBool, Ordering};

const FREE_PAIR: &str = r#"<robot name="two_balls">
  <group name="both"><link name="left"/><link name="right"/></group>
  <disable_collisions link1="left" link2="right" reason="User"/></robot>"#;

fn ball(name: &str, x: f64) -> SceneObject {
    let shape = Shape::Sphere(Sphere::new(0.1).unwrap());
    SceneObject::simple(name, Pose::translation(x, 0.0, 0.0), shape).unwrap()
}

fn apply(rig: &Rig, change: impl Into<SceneChange>) {
    let change = |scene: &mut smooth_scene::scene::PlanningScene| {
        scene.apply(change).expect("the change fits");
        Ok::<_, NoRobot>(())
    };
    rig.node.store().change(change).unwrap();
}

#[test]
fn a_latched_description_is_found_whenever_the_node_starts() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let _held = rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.distance().status == Response::OK);
    let _held = rig.publish_text("robot_description_semantic", FREE_PAIR);
    rig.until("the pair may touch", || rig.distance().proximities.is_empty());
}

#[test]
fn the_srdf_may_come_first() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    let _srdf = rig.publish_text("robot_description_semantic", FREE_PAIR);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let _urdf = rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.distance().status == Response::OK);
    let scene = &rig.node.store().snapshot().unwrap().scene;
    // Both texts were there before the robot was read, or the second reading follows at once.
    rig.until("the pair may touch", || rig.distance().proximities.is_empty());
    assert!(scene.model().link_id("left").is_some());
}

#[test]
fn a_sidecar_gives_a_link_other_surfaces() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let _sidecar = rig.publish_text(
        "robot_description_scs",
        "left:\n  - {type: ellipsoid, radii: [0.3, 0.1, 0.1]}\n",
    );
    let _urdf = rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.distance().status == Response::OK);
    rig.until("the sidecar is used", || {
        (rig.distance().proximities[0].distance - 0.6).abs() < 1e-9
    });
}

#[test]
fn a_parameter_comes_before_the_topic() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let _held = rig.publish_text("robot_description", &balls_of(0.2));
    let _srdf = rig.publish_text("robot_description_semantic", FREE_PAIR);
    rig.until("the SRDF is read", || rig.distance().proximities.is_empty());
    let snapshot = rig.node.store().snapshot().unwrap();
    let link = snapshot.scene.model().link_id("left").unwrap();
    let shape = &snapshot.scene.model().link(link).collisions[0].shape;
    assert_eq!(shape, &Shape::Sphere(Sphere::new(0.1).unwrap()));
}

#[test]
fn a_bad_description_is_refused_with_the_reason_and_the_old_one_stays() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    let diagnostics = rig.listen::<DiagnosticArray>(
        "/diagnostics",
        "diagnostic_msgs/msg/DiagnosticArray",
        Qos::reliable(10),
    );
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let _bad = rig.publish_text("robot_description", "<robot name='broken'>");
    rig.until("the reason is said", || {
        let answer = rig.distance();
        answer.status == Response::NO_ROBOT && answer.message.contains("robot_description:1:")
    });
    let _good = rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.distance().status == Response::OK);
    let _bad = rig.publish_text("robot_description", "<robot name='broken'>");
    let report = receive(&diagnostics, "the refusal in the diagnostics", |report| {
        report.status.iter().any(|part| part.message.contains("the old one stays"))
    });
    let robot = report.status.iter().find(|part| part.name == "scene_node: robot").unwrap();
    assert_eq!(robot.level, DiagnosticStatus::WARN);
    assert!(
        robot.values.iter().any(
            |v| v.key == "last refused description" && v.value.contains("robot_description:1:")
        )
    );
    assert!((rig.distance().proximities[0].distance - 0.8).abs() < 1e-9);
}

#[test]
fn objects_stay_when_the_robot_changes_and_a_robot_without_the_carrier_is_refused() {
    let rig = Rig::bare(&["max_state_age:=0.0"]);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let urdf = rig.publish_text("robot_description", TWO_BALLS);
    rig.until("there is a robot", || rig.distance().status == Response::OK);
    apply(&rig, WorldChange::Add(ball("lamp", 5.0)));
    let (link, touch_links) = ("left".to_string(), vec!["right".to_string()]);
    apply(&rig, RobotChange::Attach { object: ball("cup", -0.3), link, touch_links });
    let allowed = Some(smooth_scene::scene::Allowance::allow(smooth_scene::scene::Reason::User));
    apply(
        &rig,
        MatrixChange::SetEntry { a: "lamp".into(), b: "left".into(), entry: allowed.clone() },
    );

    let text = |text: &str| smooth_scene::interfaces::std_msgs::msg::String { data: text.into() };
    let publish =
        |description: &str| urdf.publish(&smooth_scene::cdr::encode(&text(description))).unwrap();
    publish(&balls_of(0.2));
    rig.until("the robot is another", || rig.node.store().snapshot().unwrap().robot == 2);
    let snapshot = rig.node.store().snapshot().unwrap();
    assert!(snapshot.scene.world().by_name("lamp").is_some());
    let cup = snapshot.scene.attached_object("cup").expect("the cup is still attached");
    assert_eq!(cup.touch_links.len(), 2);
    assert_eq!(snapshot.scene.acm().entry("lamp", "left"), allowed.as_ref());

    // Without its link the cup would vanish.
    publish(&balls_of(0.2).replace("\"left\"", "\"port\""));
    let refused = || rig.node.refused_description();
    rig.until("the description is refused", || refused().is_some());
    let reason = refused().unwrap();
    assert!(reason.contains("`cup` is attached to link `left`"), "{reason}");
    assert_eq!(rig.node.store().snapshot().unwrap().robot, 2);

    // Nor may a link take the name of an object.
    publish(&balls_of(0.2).replace("\"base\"", "\"lamp\""));
    rig.until("the description is refused", || {
        refused().is_some_and(|r| r.contains("`lamp` is taken"))
    });
}

#[test]
fn descriptions_change_under_load_and_every_answer_fits_one_of_them() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = [0u32; 2];
                    let mut revision = 0;
                    while !done.load(Ordering::Relaxed) {
                        let answer = rig.distance();
                        assert_eq!(answer.status, Response::OK, "{}", answer.message);
                        assert!(answer.revision >= revision, "a scene came back");
                        revision = answer.revision;
                        let distance = answer.proximities[0].distance;
                        let large = (distance - 0.6).abs() < 1e-9;
                        assert!(large || (distance - 0.8).abs() < 1e-9, "{distance}");
                        seen[usize::from(large)] += 1;
                    }
                    seen
                })
            })
            .collect();
        for round in 0..30 {
            let text = if round % 2 == 0 { balls_of(0.2) } else { TWO_BALLS.to_string() };
            let value = smooth_scene::interfaces::rcl_interfaces::msg::ParameterValue {
                type_: 4,
                string_value: text,
                ..Default::default()
            };
            let name = "robot_description".to_string();
            let change = smooth_scene::interfaces::rcl_interfaces::msg::Parameter { name, value };
            rig.node.set_parameters(&[change]).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        done.store(true, Ordering::Relaxed);
        let seen: Vec<[u32; 2]> = askers.into_iter().map(|asker| asker.join().unwrap()).collect();
        assert!(seen.iter().all(|counts| counts.iter().all(|&count| count > 0)), "{seen:?}");
    });
    assert_eq!(rig.node.store().snapshot().unwrap().robot, 31);
}
