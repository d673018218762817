//! Paths that satisfy constraints from beginning to end.

use crate::scenes::{add_box, for_each_state, is_densely_free, seven_joints};
use nalgebra::{Point3, UnitQuaternion};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_vector};
use smooth_scene_plan::{
    OrientationAngles, PathConstraint, Plan, PlanError, PlanOptions, PoseGoal, SceneChecker, Sight,
    constraints_hold, plan, state_for_pose, verify,
};
use smooth_scene_robot::forward_kinematics;
use smooth_scene_scene::PlanningScene;

/// A state in which the last link points down, so that its z axis is opposite to that of the root.
fn pointing_down(scene: &PlanningScene, at: [f64; 3], seed: u64) -> Vec<f64> {
    let down = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI);
    let pose = Pose::from_parts(Vec3::from(at).into(), down);
    let goal = PoseGoal { link: "link6".into(), pose, starts: 200, seed };
    let mut checker = SceneChecker::new(scene).unwrap();
    state_for_pose(scene, Some("arm"), &[0.0; 8], &goal, &mut checker, &|| false).unwrap()
}

fn solve(
    scene: &PlanningScene,
    ends: [&[f64]; 2],
    constraints: &[PathConstraint],
) -> Result<Plan, PlanError> {
    let options = PlanOptions { constraints: constraints.to_vec(), ..PlanOptions::default() };
    let found = plan(scene, Some("arm"), ends[0], ends[1], &options, &|| false)?;
    verify(scene, &found.waypoints, &found.certificate).unwrap();
    assert!(is_densely_free(scene, &found.waypoints, 0.02));
    assert!(constraints_hold(scene.model(), constraints, &found.waypoints).unwrap());
    Ok(found)
}

/// A wall between the two ends, so that the straight way is blocked.
fn with_wall() -> PlanningScene {
    let mut scene = seven_joints();
    add_box(&mut scene, "wall", [0.5, 0.0, 0.15], [0.4, 0.03, 0.5]);
    scene
}

#[test]
fn a_glass_stays_upright_on_the_way_over_a_wall() {
    let scene = with_wall();
    let start = pointing_down(&scene, [0.5, -0.3, 0.4], 1);
    let goal = pointing_down(&scene, [0.5, 0.3, 0.4], 1);
    let link = scene.model().link_id("link6").unwrap();
    let wanted = forward_kinematics(scene.model(), &start).unwrap()[link].rotation;
    for (angles, tolerance) in
        [(OrientationAngles::Xyz, [0.25, 0.25, 4.0]), (OrientationAngles::RotationVector, [0.4; 3])]
    {
        let upright =
            PathConstraint::Orientation { link: "link6".into(), wanted, tolerance, angles };
        let found = solve(&scene, [&start, &goal], &[upright]).unwrap();
        for_each_state(&scene, &found.waypoints, 0.02, |state| {
            let at = forward_kinematics(scene.model(), state).unwrap()[link].rotation;
            let off = wanted.inverse() * at;
            match angles {
                // How far the z axis leans is at most the sum of the turns about x and y.
                OrientationAngles::Xyz => {
                    let lean = (off * Vec3::z()).z.acos();
                    assert!(lean <= 0.5, "{lean}");
                }
                OrientationAngles::RotationVector => {
                    assert!(rotation_vector(&off).amax() <= 0.4);
                }
            }
        });
    }
}

#[test]
fn a_point_stays_in_its_region_and_a_joint_in_its_range() {
    let scene = with_wall();
    let start = pointing_down(&scene, [0.5, -0.3, 0.4], 1);
    let goal = pointing_down(&scene, [0.5, 0.3, 0.4], 1);
    let link = scene.model().link_id("link6").unwrap();
    let region = (Pose::translation(0.5, 0.0, 0.5), Shape::cuboid([0.2, 0.5, 0.25]).unwrap());
    let offset = Vec3::new(0.0, 0.0, 0.02);
    let middle = 0.5 * (start[2] + goal[2]);
    let range = 0.5 * (start[2] - goal[2]).abs() + 0.4;
    let constraints = [
        PathConstraint::Position { link: "link6".into(), offset, regions: vec![region] },
        PathConstraint::Joint {
            name: "joint2".into(),
            position: middle,
            above: range,
            below: range,
        },
    ];
    let found = solve(&scene, [&start, &goal], &constraints).unwrap();
    for_each_state(&scene, &found.waypoints, 0.02, |state| {
        let pose = forward_kinematics(scene.model(), state).unwrap()[link];
        let point = pose * Point3::from(offset) - Point3::new(0.5, 0.0, 0.5);
        assert!(point.x.abs() <= 0.2 && point.y.abs() <= 0.5 && point.z.abs() <= 0.25, "{point}");
        assert!((state[2] - middle).abs() <= range + 1e-9);
    });
}

/// What holds at both ends and not in between is not called holding.
#[test]
fn a_violation_between_two_good_ends_is_found() {
    let scene = seven_joints();
    let model = scene.model();
    let (mut from, mut to) = (vec![0.0; 8], vec![0.0; 8]);
    (from[1], to[1]) = (0.9, -0.9);
    let link = model.link_id("link6").unwrap();
    let at = |state: &[f64]| forward_kinematics(model, state).unwrap()[link];
    // The tip swings over the top: at both ends it is below the middle of its way.
    let height = at(&from).translation.z;
    let below = |z: f64| PathConstraint::Position {
        link: "link6".into(),
        offset: Vec3::zeros(),
        regions: vec![(
            Pose::translation(0.0, 0.0, z - 2.0),
            Shape::cuboid([3.0, 3.0, 2.0]).unwrap(),
        )],
    };
    let path = [from.clone(), to.clone()];
    assert!(!constraints_hold(model, &[below(height + 0.01)], &path).unwrap());
    let top = at(&[0.0; 8]).translation.z;
    assert!(constraints_hold(model, &[below(top + 0.01)], &path).unwrap());
    // The same for an orientation: upright in the middle only.
    let lean = |tolerance: f64| PathConstraint::Orientation {
        link: "link6".into(),
        wanted: at(&from).rotation,
        tolerance: [4.0, tolerance, 4.0],
        angles: OrientationAngles::Xyz,
    };
    let back = [from.clone(), vec![0.0; 8], from.clone()];
    assert!(!constraints_hold(model, &[lean(0.5)], &back).unwrap());
    assert!(constraints_hold(model, &[lean(0.95)], &back).unwrap());
    let error = plan(
        &scene,
        Some("arm"),
        &from,
        &[0.0; 8],
        &PlanOptions { constraints: vec![lean(0.5)], ..PlanOptions::default() },
        &|| false,
    );
    assert_eq!(error.unwrap_err().to_string(), "goal: does not satisfy constraint 0 on the path");
}

/// A camera before the robot sees the last link on its way over the wall, and the link turns its face to it.
#[test]
fn a_camera_keeps_seeing_its_target() {
    let scene = with_wall();
    let start = pointing_down(&scene, [0.5, -0.3, 0.4], 1);
    let goal = pointing_down(&scene, [0.5, 0.3, 0.4], 1);
    let (eye, view, range) = (Vec3::new(1.5, 0.0, 0.4), 0.6, 0.45);
    let sight = Sight {
        sensor_link: "base".into(),
        eye,
        axis: -Vec3::x(),
        target_link: "link6".into(),
        target: Vec3::new(0.0, 0.0, 0.02),
        normal: Vec3::x(),
        view: Some(view),
        range: Some(range),
    };
    let found = solve(&scene, [&start, &goal], &[PathConstraint::Sight(sight.clone())]).unwrap();
    let link = scene.model().link_id("link6").unwrap();
    for_each_state(&scene, &found.waypoints, 0.02, |state| {
        let pose = forward_kinematics(scene.model(), state).unwrap()[link];
        let way = (pose * Point3::new(0.0, 0.0, 0.02)).coords - eye;
        assert!((-way.x / way.norm()).acos() <= range, "{way}");
        assert!((pose.rotation * Vec3::x()).x.acos() <= view);
    });
    // The same without the constraint need not hold, and a narrower one is refused at the start.
    let narrow = Sight { range: Some(0.1), ..sight.clone() };
    let refused = solve(&scene, [&start, &goal], &[PathConstraint::Sight(narrow)]).unwrap_err();
    assert_eq!(refused.to_string(), "start: does not satisfy constraint 0 on the path");
    // Both ends are seen, the middle is not: the link turns away and comes back the same way.
    let mut away = start.clone();
    away[6] += 1.5;
    let back = [start.clone(), away, start.clone()];
    let constraints = [PathConstraint::Sight(sight.clone())];
    assert!(!constraints_hold(scene.model(), &constraints, &back).unwrap());
    let wrong = PathConstraint::Sight(Sight { view: Some(0.0), ..sight });
    let refused = constraints_hold(scene.model(), &[wrong], &back);
    assert!(matches!(refused, Err(PlanError::BadOption { .. })), "{refused:?}");
}
