//! The current state.

use smooth_scene::convert::{Refusal, Status};
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::node::JointMonitor;

use super::bench::{SECOND, arm, cart, joint_state};

fn no_state(reason: &str) -> Refusal {
    Refusal { status: Status::NoState, message: reason.into() }
}

fn bad(reason: &str) -> Refusal {
    Refusal { status: Status::Refused, message: reason.into() }
}

#[test]
fn partial_states_merge_and_missing_joints_are_named() {
    let (scene, monitor, none) = (arm(), JointMonitor::default(), JointState::default());
    let at = |given: &JointState, now| monitor.positions(scene.model(), given, now, SECOND);
    let missing = "no joint state has been received for `shoulder`, `elbow`, `grip`";
    assert_eq!(at(&none, 0), Err(no_state(missing)));
    monitor.update(&joint_state(&[("elbow", 0.5), ("shoulder", 0.1)]), 0).unwrap();
    assert_eq!(at(&none, 0), Err(no_state("no joint state has been received for `grip`")));
    // A joint of the request need not have been heard.
    assert_eq!(at(&joint_state(&[("grip", 0.02)]), 0), Ok(vec![0.1, 0.5, 0.02]));
    monitor.update(&joint_state(&[("grip", 0.03)]), SECOND / 2).unwrap();
    assert_eq!(at(&none, SECOND), Ok(vec![0.1, 0.5, 0.03]));
    let stale = "`shoulder`, `elbow` not received for up to 1.250 s, at most 1.000 s";
    assert_eq!(at(&none, 5 * SECOND / 4), Err(no_state(stale)));
    assert_eq!(
        at(&joint_state(&[("elbow", 1.0), ("shoulder", 0.0)]), 5 * SECOND / 4).unwrap()[2],
        0.03
    );
    let both = "no joint state has been received for `shoulder`; `elbow` not received for up to 9.000 s, at most 1.000 s";
    let other = JointMonitor::default();
    other.update(&joint_state(&[("elbow", 0.5)]), SECOND).unwrap();
    let given = joint_state(&[("grip", 0.02)]);
    assert_eq!(other.positions(scene.model(), &given, 10 * SECOND, SECOND), Err(no_state(both)));
}

#[test]
fn what_is_no_state_is_refused_and_changes_nothing() {
    let (scene, monitor) = (arm(), JointMonitor::default());
    monitor.update(&super::bench::open_arm(), 0).unwrap();
    let before = monitor.known(scene.model(), 0, SECOND);
    let mut short = joint_state(&[("elbow", 1.0), ("shoulder", 1.0)]);
    short.position.pop();
    for (message, reason) in [
        (short.clone(), "joint_state has 2 names and 1 positions"),
        (
            joint_state(&[("grip", 1.0), ("elbow", f64::NAN)]),
            "position of joint `elbow` is NaN, must be finite",
        ),
        (
            joint_state(&[("grip", f64::INFINITY)]),
            "position of joint `grip` is inf, must be finite",
        ),
        (joint_state(&[("grip", 1.0), ("grip", 2.0)]), "joint `grip` is named twice"),
    ] {
        assert_eq!(monitor.update(&message, 0), Err(bad(reason)));
        assert_eq!(monitor.known(scene.model(), 0, SECOND), before);
        assert_eq!(monitor.positions(scene.model(), &message, 0, SECOND), Err(bad(reason)));
    }
    // Velocities only: nothing is said about positions on the topic, and a request would mean nothing.
    let velocities =
        JointState { name: vec!["elbow".into()], velocity: vec![1.0], ..JointState::default() };
    assert_eq!(monitor.update(&velocities, 0), Ok(()));
    assert_eq!(monitor.known(scene.model(), 0, SECOND), before);
    let refused = monitor.positions(scene.model(), &velocities, 0, SECOND);
    assert_eq!(refused, Err(bad("joint_state has 1 names and 0 positions")));
}

#[test]
fn unknown_joints_are_ignored_on_the_topic_reported_once_and_refused_in_requests() {
    let (scene, monitor) = (arm(), JointMonitor::default());
    let state = joint_state(&[("z_wheel", 1.0), ("elbow", 0.0), ("a_wheel", 2.0), ("wrist", 0.0)]);
    monitor.update(&state, 0).unwrap();
    assert_eq!(monitor.take_unknown(scene.model()), ["a_wheel", "z_wheel"]);
    assert!(monitor.take_unknown(scene.model()).is_empty());
    monitor.update(&joint_state(&[("another", 1.0)]), 0).unwrap();
    assert_eq!(monitor.take_unknown(scene.model()), ["another"]);
    assert_eq!(monitor.unknown_count(scene.model()), 3);
    for (name, reason) in [
        ("a_wheel", "`a_wheel`: no such joint or variable"),
        ("wrist", "`wrist`: a fixed joint has no position"),
    ] {
        let refused = monitor.positions(scene.model(), &joint_state(&[(name, 1.0)]), 0, SECOND);
        assert_eq!(refused, Err(bad(reason)));
    }
}

#[test]
fn a_joint_that_follows_is_computed_whatever_is_published_and_refused_when_a_request_contradicts() {
    let (scene, monitor) = (arm(), JointMonitor::default());
    monitor.update(&super::bench::open_arm(), 0).unwrap();
    monitor.update(&joint_state(&[("grip_right", 7.0)]), 0).unwrap();
    let at =
        |given: &[(&str, f64)]| monitor.positions(scene.model(), &joint_state(given), 0, SECOND);
    assert_eq!(at(&[]), Ok(vec![0.3, 0.7, 0.03]));
    assert_eq!(at(&[("grip_right", 0.0201), ("grip", 0.02)]), Ok(vec![0.3, 0.7, 0.02]));
    let reason = "joint `grip_right` follows `grip` and would be at 0.03, not at 0.02";
    assert_eq!(at(&[("grip_right", 0.02)]), Err(bad(reason)));
    let nan = "position of joint `grip_right` is NaN, must be finite";
    assert_eq!(at(&[("grip_right", f64::NAN)]), Err(bad(nan)));
}

#[test]
fn joints_of_several_numbers_are_known_by_the_names_of_their_numbers() {
    let (scene, monitor) = (cart(), JointMonitor::default());
    monitor
        .update(&joint_state(&[("drive/x", 1.0), ("drive/y", 2.0), ("drive/theta", 0.5)]), 0)
        .unwrap();
    let missing = "no joint state has been received for `flight/trans_x`, `flight/trans_y`, `flight/trans_z`, \
                   `flight/rot_x`, `flight/rot_y`, `flight/rot_z`, and 1 more";
    let none = JointState::default();
    assert_eq!(monitor.positions(scene.model(), &none, 0, SECOND), Err(no_state(missing)));
    let flight = ["trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w"];
    let names = flight.map(|suffix| format!("flight/{suffix}"));
    let values = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0];
    let state: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(values).collect();
    monitor.update(&joint_state(&state), 0).unwrap();
    let found = monitor
        .positions(scene.model(), &joint_state(&[("drive/theta", 0.25)]), 0, SECOND)
        .unwrap();
    assert_eq!(found, [1.0, 2.0, 0.25, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0]);
    let whole = monitor.positions(scene.model(), &joint_state(&[("drive", 0.0)]), 0, SECOND);
    assert_eq!(whole, Err(bad("`drive`: the joint has several numbers, name them one by one")));
}

#[test]
fn a_clock_that_jumps_back_makes_everything_unknown() {
    let (scene, monitor, none) = (arm(), JointMonitor::default(), JointState::default());
    monitor.update(&super::bench::open_arm(), 100 * SECOND).unwrap();
    let at = |now| monitor.positions(scene.model(), &none, now, SECOND);
    assert!(at(100 * SECOND).is_ok());
    // A thread that took the time a moment earlier.
    assert!(at(100 * SECOND - 1000).is_ok());
    // The clock went back and nothing was heard since.
    assert!(at(10 * SECOND).is_err());
    // After something was heard, what was heard before the jump is gone for good.
    monitor.update(&joint_state(&[("elbow", 0.0)]), 10 * SECOND).unwrap();
    let missing = no_state("no joint state has been received for `shoulder`, `grip`");
    let elbow = joint_state(&[("elbow", 0.0)]);
    assert_eq!(monitor.positions(scene.model(), &elbow, 100 * SECOND, SECOND), Err(missing));
    monitor.update(&super::bench::open_arm(), 11 * SECOND).unwrap();
    assert!(at(11 * SECOND).is_ok());
    monitor.forget();
    assert!(at(11 * SECOND).is_err());
}

#[test]
fn the_number_of_names_is_bounded() {
    let monitor = JointMonitor::default();
    let names: Vec<String> = (0..16_384).map(|k| format!("j{k}")).collect();
    let state =
        JointState { position: vec![0.0; names.len()], name: names, ..JointState::default() };
    assert_eq!(monitor.update(&state, 0), Ok(()));
    assert_eq!(monitor.update(&state, 1), Ok(()));
    let reason = "more than 16384 joint names were received, must be fewer";
    assert_eq!(monitor.update(&joint_state(&[("another", 0.0)]), 0), Err(bad(reason)));
}
