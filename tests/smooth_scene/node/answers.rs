//! Questions about the current state and given ones: answered, or refused with the reason; never "free" by mistake.

use super::rig::{Rig, joint_state};
use smooth_scene::cdr;
use smooth_scene::interfaces::srv::GetDistanceResponse as Response;

#[test]
fn the_distance_of_two_balls_follows_the_joint_states() {
    let rig = Rig::with_balls(&[]);
    let answer = rig.distance();
    assert_eq!(answer.status, Response::OK, "{}", answer.message);
    let nearest = &answer.proximities[0];
    assert!((nearest.distance - 0.8).abs() < 1e-9, "{nearest:?}");
    assert_eq!((nearest.body_a.as_str(), nearest.body_b.as_str()), ("left", "right"));
    rig.publish_joints(&["right_x"], &[-0.5]);
    rig.until("the state moved", || (rig.distance().proximities[0].distance - 0.3).abs() < 1e-9);
}

#[test]
fn a_node_without_a_robot_says_so() {
    let answer = Rig::bare(&[]).distance();
    assert_eq!(answer.status, Response::NO_ROBOT);
    assert!(answer.message.contains("no robot description"), "{}", answer.message);
    assert!(answer.proximities.is_empty());
}

#[test]
fn missing_joints_are_named() {
    let rig =
        Rig::bare(&[&format!("robot_description:={}", super::rig::quoted(super::rig::TWO_BALLS))]);
    let answer = rig.distance();
    assert_eq!(answer.status, Response::NO_STATE);
    assert!(
        answer.message.contains("left_x") && answer.message.contains("right_x"),
        "{}",
        answer.message
    );
    // Half of the state, given or heard, is not enough; the request itself may fill the gap.
    let answer = rig.distance_at(&["left_x"], &[0.0]);
    assert_eq!(answer.status, Response::NO_STATE);
    assert!(
        answer.message.contains("right_x") && !answer.message.contains("left_x"),
        "{}",
        answer.message
    );
    let answer = rig.distance_at(&["left_x", "right_x"], &[0.0, 0.0]);
    assert_eq!(answer.status, Response::OK, "{}", answer.message);
}

#[test]
fn stale_joints_are_named() {
    let rig = Rig::with_balls(&["max_state_age:=0.3"]);
    rig.until("the state is stale", || {
        rig.publish_joints(&["left_x"], &[0.0]);
        rig.distance().status == Response::NO_STATE
    });
    let answer = rig.distance();
    assert!(
        answer.message.contains("right_x") && !answer.message.contains("left_x"),
        "{}",
        answer.message
    );
    rig.publish_joints(&["right_x"], &[0.0]);
    rig.publish_joints(&["left_x"], &[0.0]);
    rig.until("the state is known", || rig.distance().status == Response::OK);
}

#[test]
fn a_request_that_makes_no_sense_is_refused_with_the_reason() {
    let rig = Rig::with_balls(&[]);
    for (names, positions, reason) in [
        (vec!["elbow"], vec![0.0], "elbow"),
        (vec!["left_x"], vec![f64::NAN], "left_x"),
        (vec!["left_x"], vec![], "1 names and 0 positions"),
        (vec!["left_x", "left_x"], vec![0.0, 0.0], "left_x"),
    ] {
        let answer = rig.distance_at(&names, &positions);
        assert_eq!(answer.status, Response::REFUSED, "{names:?}");
        assert!(answer.message.contains(reason), "{}", answer.message);
    }
}

#[test]
fn bad_joint_state_messages_change_nothing() {
    let rig = Rig::with_balls(&[]);
    let before = rig.distance();
    let raw = rig.publisher(
        "joint_states",
        "sensor_msgs/msg/JointState",
        smooth_scene::transport::Qos::reliable(10),
    );
    for bytes in [
        vec![],
        vec![1, 2, 3],
        cdr::encode(&joint_state(&["left_x"], &[f64::INFINITY]))[..20].to_vec(),
    ] {
        raw.publish(&bytes).unwrap();
    }
    rig.publish_joints(&["left_x", "right_x"], &[0.3, f64::NAN]);
    rig.publish_joints(&["left_x"], &[0.3, 0.4]);
    for _ in 0..20 {
        assert_eq!(rig.distance(), before);
    }
}
