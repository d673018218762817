//! Paths that are found.

use crate::scenes::{
    add_box, for_each_state, free_state, is_densely_free, plane_arm, robot, seven_joints, shelf,
};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_plan::{PlanError, PlanOptions, plan, verify, with_margin};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{NearestRequest, RobotChange, SceneChange, SceneObject, Workspace};
use smooth_scene_test_support::random::seed;
use std::cell::Cell;

fn never() -> bool {
    false
}

#[test]
fn paths_around_a_shelf_are_proven_and_densely_free() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(11));
    let mut corners = 0;
    for number in 0..12 {
        let (from, to) = (free_state(&scene, &mut sampler), free_state(&scene, &mut sampler));
        let options = PlanOptions { seed: number, ..PlanOptions::default() };
        let found = plan(&scene, Some("arm"), &from, &to, &options, &never).unwrap();
        assert_eq!((found.waypoints.first(), found.waypoints.last()), (Some(&from), Some(&to)));
        let clearance = verify(&scene, &found.waypoints, &found.certificate).unwrap();
        assert!(clearance > 0.0 && clearance == found.certificate.clearance());
        assert!(is_densely_free(&scene, &found.waypoints, 0.002), "problem {number}");
        corners += found.waypoints.len() - 2;
        let again = plan(&scene, Some("arm"), &from, &to, &options, &never).unwrap();
        assert_eq!(found, again, "the same seed gives the same path");
    }
    assert!(corners > 0, "not every problem is solved by a straight line");
}

#[test]
fn the_shortest_way_is_found_where_nothing_is_in_the_way() {
    let scene = seven_joints();
    let from = vec![0.3, 0.2, 0.0, 0.4, 0.0, 0.3, 0.0, 0.01];
    let mut to = from.clone();
    (to[0], to[1]) = (1.5, -0.2);
    let found = plan(&scene, Some("arm"), &from, &to, &PlanOptions::default(), &never).unwrap();
    assert_eq!(found.waypoints, [from, to]);
    assert!((found.length - 1.2f64.hypot(0.4)).abs() < 1e-15);
}

#[test]
fn a_group_moves_nothing_else_and_mimic_joints_follow() {
    let mut scene = seven_joints();
    add_box(&mut scene, "beside", [0.0, 0.08, 1.36], [0.2, 0.02, 0.2]);
    let from = vec![0.0; 8];
    let mut to = from.clone();
    to[7] = 0.03;
    let found = plan(&scene, Some("hand"), &from, &to, &PlanOptions::default(), &never).unwrap();
    verify(&scene, &found.waypoints, &found.certificate).unwrap();
    assert!(found.waypoints.iter().all(|state| state[..7] == from[..7]));
    // Ten millimetres on either side: too narrow for the open hand.
    for (name, y) in [("near_left", 0.05), ("near_right", -0.05)] {
        let mut narrow = seven_joints();
        add_box(&mut narrow, name, [0.0, y, 1.36], [0.2, 0.02, 0.2]);
        let refused = plan(&narrow, Some("hand"), &from, &to, &PlanOptions::default(), &never);
        assert!(matches!(refused, Err(PlanError::InCollision { .. })), "{refused:?}");
    }
}

#[test]
fn continuous_joints_go_through_half_a_turn() {
    let mut scene = plane_arm(2, "continuous");
    // In the way of the longer way round.
    add_box(&mut scene, "wall", [0.4, 0.0, 0.0], [0.1, 0.1, 0.1]);
    let found =
        plan(&scene, None, &[2.9, 0.0], &[-2.9, 0.0], &PlanOptions::default(), &never).unwrap();
    let turned: f64 = found.waypoints.windows(2).map(|ends| (ends[1][0] - ends[0][0]).abs()).sum();
    assert!((turned - (std::f64::consts::TAU - 5.8)).abs() < 1e-12, "{turned}");
    let end = found.waypoints.last().unwrap()[0];
    assert!((end - (std::f64::consts::TAU - 2.9)).abs() < 1e-12, "{end}");
    // With the short way blocked it goes the long way round, and the angle never jumps.
    let mut scene = plane_arm(2, "continuous");
    add_box(&mut scene, "wall", [-0.4, 0.0, 0.0], [0.1, 0.05, 0.1]);
    let found =
        plan(&scene, None, &[2.5, 0.0], &[-2.5, 0.0], &PlanOptions::default(), &never).unwrap();
    verify(&scene, &found.waypoints, &found.certificate).unwrap();
    assert!(is_densely_free(&scene, &found.waypoints, 0.002));
    for ends in found.waypoints.windows(2) {
        assert!((ends[1][0] - ends[0][0]).abs() <= 3.0, "{:?}", found.waypoints);
    }
}

#[test]
fn a_margin_is_kept_along_the_whole_path() {
    let mut scene = plane_arm(3, "revolute");
    add_box(&mut scene, "post", [0.6, 0.3, 0.0], [0.05, 0.05, 0.3]);
    let margin = 0.04;
    let grown = with_margin(&scene, margin).unwrap();
    let (from, to) = ([0.0, 0.0, 0.0], [1.2, 0.0, 0.0]);
    let found = plan(&grown, None, &from, &to, &PlanOptions::default(), &never).unwrap();
    verify(&grown, &found.waypoints, &found.certificate).unwrap();
    let mut ws = Workspace::cold();
    let (mut pairs, mut nearest) = (Vec::new(), f64::INFINITY);
    for_each_state(&scene, &found.waypoints, 0.005, |state| {
        scene.nearest(state, &NearestRequest::default(), &mut ws, &mut pairs).unwrap();
        nearest = nearest.min(pairs[0].distance.lower);
    });
    assert!(nearest >= margin - 1e-9, "{nearest}");
}

#[test]
fn a_plate_between_two_sampled_states_is_not_passed() {
    let mut scene = plane_arm(1, "revolute");
    // 0.2 mm thick, and the arm is 4 cm wide: states half a radian apart do not see it.
    add_box(&mut scene, "plate", [0.2, 0.0, 0.0], [0.2, 0.0002, 0.2]);
    let options = PlanOptions { step: 2.9, max_states: 20_000, ..PlanOptions::default() };
    let refused = plan(&scene, None, &[-0.9], &[0.9], &options, &never);
    let Err(PlanError::NoConnection { proofs, refuted, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(proofs > 0 && refuted > 0);
}

#[test]
fn what_the_robot_carries_has_to_pass_too() {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "above", [0.75, 0.3, 0.0], [0.1, 0.1, 0.1]);
    let (from, to) = ([-0.6, 0.0], [0.9, 0.0]);
    let free = plan(&scene, None, &from, &to, &PlanOptions::default(), &never).unwrap();
    assert_eq!(free.waypoints.len(), 2);
    let bar = SceneObject::simple(
        "bar",
        Pose::translation(0.45, 0.0, 0.0),
        Shape::cuboid([0.14, 0.01, 0.01]).unwrap(),
    );
    let (link, touch_links) = ("link1".into(), vec![]);
    let attach = RobotChange::Attach { object: bar.unwrap(), link, touch_links };
    scene.apply(SceneChange::Robot(attach)).unwrap();
    let found = plan(&scene, None, &from, &to, &PlanOptions::default(), &never).unwrap();
    assert!(found.waypoints.len() > 2, "the bar does not fit on the straight way");
    verify(&scene, &found.waypoints, &found.certificate).unwrap();
    assert!(is_densely_free(&scene, &found.waypoints, 0.002));
}

#[test]
fn a_planar_base_drives_around_a_wall() {
    let urdf = r#"<robot name="base"><link name="world"/>
        <link name="cart"><collision><geometry><box size="0.4 0.2 0.2"/></geometry></collision></link>
        <joint name="drive" type="planar"><parent link="world"/><child link="cart"/><axis xyz="0 0 1"/></joint></robot>"#;
    let mut scene = robot(urdf, None);
    add_box(&mut scene, "wall", [0.0, -0.25, 0.0], [0.1, 1.1, 0.4]);
    let (from, to) = ([-0.6, -0.3, 0.0], [0.6, -0.3, 0.0]);
    let found = plan(&scene, None, &from, &to, &PlanOptions::default(), &never).unwrap();
    verify(&scene, &found.waypoints, &found.certificate).unwrap();
    assert!(is_densely_free(&scene, &found.waypoints, 0.002));
    assert!(found.waypoints.len() > 2);
}

#[test]
fn planning_stops_when_asked() {
    let mut scene = plane_arm(3, "revolute");
    // A cage around the tip: there is no way out.
    add_box(&mut scene, "left", [0.75, 0.1, 0.0], [0.5, 0.05, 0.2]);
    add_box(&mut scene, "right", [0.75, -0.1, 0.0], [0.5, 0.05, 0.2]);
    let (from, to) = ([0.0, 0.0, 0.0], [1.5, 0.0, 0.0]);
    let asked = Cell::new(0u32);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 500
    };
    let refused = plan(&scene, None, &from, &to, &PlanOptions::default(), &stop);
    assert_eq!(refused, Err(PlanError::Cancelled));
    assert_eq!(asked.get(), 501, "nothing is asked after it");
}
