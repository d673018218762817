//! States for the pose of a link.

use crate::scenes::{add_box, seven_joints, shelf};
use smooth_scene_geometry::math::{Pose, rotation_vector};
use smooth_scene_plan::{PlanError, PoseGoal, SceneChecker, state_for_pose};
use smooth_scene_robot::{RobotState, StateSampler, forward_kinematics};
use smooth_scene_scene::{CheckRequest, PlanningScene, Workspace};
use smooth_scene_test_support::random::seed;

fn solve(scene: &PlanningScene, pose: Pose) -> Result<Vec<f64>, PlanError> {
    let goal = PoseGoal { link: "link6".into(), pose, starts: 50, seed: 3 };
    let mut checker = SceneChecker::new(scene)?;
    state_for_pose(scene, Some("arm"), &[0.0; 8], &goal, &mut checker, &|| false)
}

#[test]
fn poses_that_are_reached_somewhere_are_found_free_and_within_limits() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(8));
    let mut ws = Workspace::cold();
    for _ in 0..25 {
        let state = crate::scenes::free_state(&scene, &mut sampler);
        let link = scene.model().link_id("link6").unwrap();
        let pose = forward_kinematics(scene.model(), &state).unwrap()[link];
        let found = solve(&scene, pose).unwrap();
        let reached = forward_kinematics(scene.model(), &found).unwrap()[link];
        assert!((reached.translation.vector - pose.translation.vector).norm() < 1e-7);
        assert!(rotation_vector(&(reached.rotation * pose.rotation.inverse())).norm() < 1e-7);
        assert!(!scene.in_collision(&found, &CheckRequest::default(), &mut ws).unwrap());
        let state = RobotState::at(scene.model().clone(), found.clone()).unwrap();
        assert!(state.limit_breaches().is_empty());
        assert_eq!(found[7], 0.0, "the hand is not in the group");
    }
}

#[test]
fn poses_out_of_reach_or_in_collision_say_so() {
    let mut scene = seven_joints();
    let far = solve(&scene, Pose::translation(3.0, 0.0, 0.5)).unwrap_err();
    let PlanError::PoseOutOfReach { distance, .. } = far else { panic!("{far}") };
    assert!(distance > 1.5, "{distance}");
    let pose = Pose::translation(0.5, 0.0, 0.6);
    solve(&scene, pose).unwrap();
    add_box(&mut scene, "block", [0.5, 0.0, 0.65], [0.1; 3]);
    let error = solve(&scene, pose).unwrap_err();
    assert!(
        matches!(&error, PlanError::PoseInCollision { body_b, .. } if body_b == "block"),
        "{error}"
    );
    let goal = PoseGoal { link: "tail".into(), pose, starts: 1, seed: 1 };
    let mut checker = SceneChecker::new(&scene).unwrap();
    let error =
        state_for_pose(&scene, None, &[0.0; 8], &goal, &mut checker, &|| false).unwrap_err();
    assert_eq!(error.to_string(), "the robot has no link `tail`");
}
