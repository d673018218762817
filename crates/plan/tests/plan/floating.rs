//! Joints that move freely in space: shifts and rotations.

use crate::scenes::{add_box, for_each_state, is_densely_free, robot};
use nalgebra::UnitQuaternion;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_plan::{
    JointSpace, MotionLimits, PathConstraint, PlanError, PlanOptions, PoseGoal, SceneChecker,
    TimedPath, blend_corners, constraints_hold, plan, state_for_pose, verify, verify_blended,
};
use smooth_scene_robot::forward_kinematics;
use smooth_scene_scene::PlanningScene;

/// A board of 0.6 m by 0.3 m by 0.04 m that flies, with a lever that turns on it.
fn board() -> PlanningScene {
    let urdf = r#"<robot name="board"><link name="world"/>
      <link name="board"><collision><geometry><box size="0.6 0.3 0.04"/></geometry></collision></link>
      <link name="lever"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.16 0.02 0.02"/></geometry></collision></link>
      <joint name="flight" type="floating"><parent link="world"/><child link="board"/><origin xyz="0 0 0.1"/></joint>
      <joint name="hinge" type="revolute"><parent link="board"/><child link="lever"/><origin xyz="0 0 0.05"/>
        <axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint></robot>"#;
    let srdf = r#"<robot name="board"><group name="all"><joint name="flight"/><joint name="hinge"/></group>
      <disable_collisions link1="board" link2="lever" reason="Adjacent"/></robot>"#;
    robot(urdf, Some(srdf))
}

/// A wall at x = 0 with a slot that is upright: 0.2 m wide and 0.9 m high.
fn before_a_slot() -> PlanningScene {
    let mut scene = board();
    add_box(&mut scene, "left", [0.0, 1.1, 0.0], [0.05, 2.0, 4.0]);
    add_box(&mut scene, "right", [0.0, -1.1, 0.0], [0.05, 2.0, 4.0]);
    add_box(&mut scene, "below", [0.0, 0.0, -1.45], [0.05, 0.2, 2.0]);
    add_box(&mut scene, "above", [0.0, 0.0, 1.45], [0.05, 0.2, 2.0]);
    scene
}

fn state(at: [f64; 3], turn: Vec3, hinge: f64) -> Vec<f64> {
    let q = UnitQuaternion::from_scaled_axis(turn);
    vec![at[0], at[1], at[2], q.i, q.j, q.k, q.w, hinge]
}

/// The board lies flat and has to stand on its edge to pass.
#[test]
fn a_board_turns_to_pass_a_slot() {
    let scene = before_a_slot();
    let (start, goal) = (
        state([-0.7, 0.1, 0.0], Vec3::zeros(), 0.0),
        state([0.7, -0.1, 0.0], Vec3::z() * 0.4, 0.5),
    );
    let options = PlanOptions {
        workspace: [[-1.0, 1.0], [-0.4, 0.4], [-0.4, 0.4]],
        ..PlanOptions::default()
    };
    let found = plan(&scene, Some("all"), &start, &goal, &options, &|| false).unwrap();
    assert!(verify(&scene, &found.waypoints, &found.certificate).unwrap() >= 1e-4);
    assert!(is_densely_free(&scene, &found.waypoints, 0.01));
    assert_eq!((&found.waypoints[0], found.waypoints.last().unwrap()), (&start, &goal));
    // It really turned: in the slot its long side or its normal is not where it was.
    let mut turned = false;
    for_each_state(&scene, &found.waypoints, 0.01, |positions| {
        let norm: f64 = positions[3..7].iter().map(|x| x * x).sum();
        assert!((norm - 1.0).abs() < 1e-9);
        if positions[0].abs() < 0.02 {
            let pose = forward_kinematics(scene.model(), positions).unwrap()
                [scene.model().link_id("board").unwrap()];
            turned |= (pose.rotation * Vec3::y()).y.abs() < 0.75;
        }
    });
    assert!(turned);
    // The trajectory stops at corners, keeps its limits, and is the path.
    let space = JointSpace::new(&scene, Some("all"), &start).unwrap();
    assert_eq!((space.dimension(), space.freedoms()), (8, 7));
    let mut checker = SceneChecker::new(&scene).unwrap();
    let path = blend_corners(&space, &found, &[], 0.1, &mut checker, &|| false).unwrap();
    verify_blended(&[&scene], &path, &found.certificate).unwrap();
    let (velocities, accelerations) = (vec![0.5; 7], vec![2.0; 7]);
    let limits = MotionLimits::new(velocities, accelerations).unwrap();
    let timed = TimedPath::blended(&space, &path, &limits).unwrap();
    check_limits(&space, &timed, 0.5, 2.0);
    let count = 500;
    let mut states = Vec::new();
    for k in 0..=count {
        let point = timed.at(timed.duration() * f64::from(k) / f64::from(count)).positions;
        states.push(space.positions(&point));
    }
    assert!(is_densely_free(&scene, &states, 0.01));
}

/// Angular velocities from rotations of two moments, and shifts, against the limits and what the trajectory says.
fn check_limits(space: &JointSpace, timed: &TimedPath, velocity: f64, acceleration: f64) {
    let count = 3000;
    let h = timed.duration() / f64::from(count);
    let rotation = |point: &[f64]| {
        UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
            point[6], point[3], point[4], point[5],
        ))
    };
    let mut last: Option<Vec<f64>> = None;
    for k in 0..count {
        let [a, b, middle] = [0.0, 1.0, 0.5].map(|part| timed.at(h * (f64::from(k) + part)));
        let turn = (rotation(&b.positions) * rotation(&a.positions).inverse()).scaled_axis() / h;
        let mut rates: Vec<f64> = (0..3).map(|j| (b.positions[j] - a.positions[j]) / h).collect();
        rates.extend(turn.iter());
        rates.push((b.positions[7] - a.positions[7]) / h);
        for (found, told) in rates.iter().zip(&middle.velocities) {
            assert!(found.abs() <= velocity * (1.0 + 1e-9), "{found}");
            assert!((found - told).abs() < acceleration * h, "{found} {told}");
        }
        if let Some(last) = &last {
            let pushes = rates.iter().zip(last).map(|(now, before)| (now - before) / h);
            assert!(pushes.map(f64::abs).fold(0.0, f64::max) <= acceleration * (1.0 + 1e-4));
        }
        let numbers = space.number_rates(&middle.positions, &middle.velocities);
        for (j, told) in numbers.iter().enumerate().take(8) {
            let found = (b.positions[j] - a.positions[j]) / h;
            assert!((found - told).abs() < acceleration * h + h, "{j}: {found} {told}");
        }
        last = Some(rates);
    }
}

#[test]
fn a_pose_of_a_link_on_a_board_that_flies_is_reached() {
    let scene = before_a_slot();
    let base = state([-0.7, 0.1, 0.0], Vec3::zeros(), 0.0);
    let pose = Pose::new(Vec3::new(-0.8, 0.3, 0.2), Vec3::new(0.3, -0.5, 1.0));
    let goal = PoseGoal { link: "lever".into(), pose, starts: 20, seed: 1 };
    let mut checker = SceneChecker::new(&scene).unwrap();
    let found = state_for_pose(&scene, Some("all"), &base, &goal, &mut checker, &|| false).unwrap();
    let lever = scene.model().link_id("lever").unwrap();
    let reached = forward_kinematics(scene.model(), &found).unwrap()[lever];
    assert!((reached.translation.vector - pose.translation.vector).norm() < 1e-7);
    assert!(reached.rotation.angle_to(&pose.rotation) < 1e-7);
}

#[test]
fn what_a_floating_joint_cannot_do_is_refused() {
    let scene = before_a_slot();
    let start = state([-0.7, 0.1, 0.0], Vec3::zeros(), 0.0);
    for (workspace, value) in [
        ([[1.0, -1.0], [0.0, 1.0], [0.0, 1.0]], -1.0),
        ([[0.0, 1.0], [0.0, f64::INFINITY], [0.0, 1.0]], f64::INFINITY),
    ] {
        let options = PlanOptions { workspace, ..PlanOptions::default() };
        let refused = plan(&scene, Some("all"), &start, &start, &options, &|| false).unwrap_err();
        let PlanError::BadOption { field, value: found, .. } = refused else { panic!("{refused}") };
        assert_eq!((field, found), ("workspace", value));
    }
    let range = |name: &str| PathConstraint::Joint {
        name: name.into(),
        position: 0.0,
        above: 0.5,
        below: 0.5,
    };
    let of_quaternion =
        constraints_hold(scene.model(), &[range("flight/rot_x")], &[start.clone(), start.clone()]);
    assert!(matches!(of_quaternion, Err(PlanError::QuaternionRange { .. })), "{of_quaternion:?}");
    assert!(
        constraints_hold(
            scene.model(),
            &[range("flight/trans_y")],
            &[start.clone(), start.clone()]
        )
        .unwrap()
    );
    // Without a group it stays where it is.
    let mut goal = start.clone();
    goal[0] = -0.6;
    let refused =
        plan(&scene, None, &start, &goal, &PlanOptions::default(), &|| false).unwrap_err();
    assert!(matches!(refused, PlanError::FixedNumberDiffers { .. }), "{refused}");
}
