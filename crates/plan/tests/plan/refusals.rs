//! Questions without an answer, and the reasons given.

use crate::scenes::{add_box, plane_arm, robot, seven_joints, shelf};
use smooth_scene_plan::{PlanError, PlanOptions, plan, with_margin};
use smooth_scene_scene::PlanningScene;

fn reason(
    scene: &PlanningScene,
    group: Option<&str>,
    from: &[f64],
    to: &[f64],
    options: &PlanOptions,
) -> (String, bool) {
    let error = plan(scene, group, from, to, options, &|| false).unwrap_err();
    (error.to_string(), error.is_bad_input())
}

#[test]
fn limits_are_named_with_joint_value_and_range() {
    let scene = plane_arm(2, "revolute");
    let options = PlanOptions::default();
    let (text, bad) = reason(&scene, None, &[0.0, 0.0], &[0.0, 2.95], &options);
    assert_eq!(text, "goal: joint `joint1` is at 2.95, outside [-2.9, 2.9]");
    assert!(bad);
    // The joint that is set keeps its limits, the one that follows it does not.
    let hand = seven_joints();
    let mut to = [0.0; 8];
    to[7] = 0.031;
    let (text, _) = reason(&hand, Some("hand"), &[0.0; 8], &to, &options);
    assert_eq!(text, "goal: joint `slide_left` is at 0.031, outside [0, 0.03]");
}

#[test]
fn contacts_at_the_ends_are_named() {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "post", [0.45, 0.0, 0.0], [0.1, 0.1, 0.1]);
    let options = PlanOptions::default();
    let (text, bad) = reason(&scene, None, &[0.0, 0.0], &[1.0, 0.0], &options);
    assert_eq!(text, "start: `link1` and `post` are in contact or closer than the margin");
    assert!(!bad);
    let (text, _) = reason(&scene, None, &[1.0, 0.0], &[0.0, 0.0], &options);
    assert!(text.starts_with("goal: `link1` and `post`"), "{text}");
    // The robot with itself, in a world that swallows it, and within a margin.
    let arm = plane_arm(3, "revolute");
    let (text, _) = reason(&arm, None, &[0.0; 3], &[0.0, 2.8, 2.8], &options);
    assert!(text.starts_with("goal: `link0` and `link2`"), "{text}");
    let mut swallowed = plane_arm(2, "revolute");
    add_box(&mut swallowed, "everything", [0.0; 3], [9.0; 3]);
    let (text, _) = reason(&swallowed, None, &[0.0; 2], &[1.0, 0.0], &options);
    assert!(text.starts_with("start: `link0` and `everything`"), "{text}");
    let mut near = plane_arm(1, "revolute");
    add_box(&mut near, "near", [0.35, 0.0, 0.0], [0.1, 0.1, 0.1]);
    assert!(plan(&near, None, &[0.0], &[1.0], &options, &|| false).is_ok());
    let grown = with_margin(&near, 0.03).unwrap();
    let (text, _) = reason(&grown, None, &[0.0], &[1.0], &options);
    assert!(text.starts_with("start: `link0` and `near`"), "{text}");
}

#[test]
fn bad_questions_are_refused_with_the_reason() {
    let scene = shelf();
    let (from, options) = (vec![0.0; 8], PlanOptions::default());
    let (text, bad) = reason(&scene, Some("leg"), &from, &from, &options);
    assert_eq!((text.as_str(), bad), ("there is no group `leg`, the SRDF has: arm, hand", true));
    let (text, bad) = reason(&scene, Some("arm"), &from, &from[..5], &options);
    assert_eq!((text.as_str(), bad), ("5 positions given, must be 8", true));
    let mut other = from.clone();
    other[7] = 0.02;
    let (text, bad) = reason(&scene, Some("arm"), &from, &other, &options);
    assert!(text.contains("`slide_left` is 0 at the start and 0.02 at the goal"), "{text}");
    assert!(bad);
    for (options, expected) in [
        (
            PlanOptions { max_states: 0, ..options.clone() },
            "budget of states is 0, must be at least 1",
        ),
        (PlanOptions { step: 0.0, ..options.clone() }, "step is 0, must be above 0 and finite"),
        (
            PlanOptions { range: f64::NAN, ..options.clone() },
            "range is NaN, must be above 0 and finite",
        ),
        (PlanOptions { range: 4.0, ..options.clone() }, "range is 4, must be at most 3"),
    ] {
        assert_eq!(reason(&scene, None, &from, &from, &options), (expected.to_owned(), true));
    }
    assert!(matches!(with_margin(&scene, -0.1), Err(PlanError::BadOption { .. })));
    let nan = [f64::NAN; 8];
    assert!(reason(&scene, None, &nan, &from, &options).0.contains("must be finite"));
}

#[test]
fn robots_that_cannot_be_planned_for_say_why() {
    let floating = r#"<robot name="f"><link name="a"/><link name="b"/>
        <joint name="free" type="floating"><parent link="a"/><child link="b"/></joint></robot>"#;
    let scene = robot(floating, None);
    let state = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let options = PlanOptions::default();
    // A floating joint is moved as part of a group only.
    let (text, _) = reason(&scene, None, &state, &state, &options);
    assert_eq!(text, "the robot has no joint that can be moved");
}

#[test]
fn no_connection_says_what_was_tried() {
    let mut scene = plane_arm(2, "revolute");
    // A ring of posts: the second link cannot leave.
    add_box(&mut scene, "left", [0.45, 0.12, 0.0], [0.3, 0.04, 0.2]);
    add_box(&mut scene, "right", [0.45, -0.12, 0.0], [0.3, 0.04, 0.2]);
    let options = PlanOptions { max_states: 30_000, ..PlanOptions::default() };
    let error = plan(&scene, None, &[0.0, 0.0], &[1.6, 0.0], &options, &|| false).unwrap_err();
    let PlanError::NoConnection { states, .. } = error else { panic!("{error}") };
    assert!((29_000..=30_008).contains(&states), "{states}");
    assert!(!error.is_bad_input());
}
