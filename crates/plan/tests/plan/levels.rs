//! Two models of one robot: what either calls free is free.

use crate::scenes::{add_box, is_densely_free, plane_arm_of};
use smooth_scene_plan::{
    CertificateError, LevelsChecker, MotionChecker, PlanError, PlanOptions, plan, plan_with,
    verify, verify_levels,
};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{CheckRequest, PlanningScene, Workspace};
use smooth_scene_test_support::random::seed;

/// An arm of three links before a gap in a wall: once with links wide enough to touch its sides, once with thin ones that are
/// longer, so that neither contains the other.
fn levels() -> [PlanningScene; 2] {
    ["0.13 0.05 0.03", "0.17 0.02 0.03"].map(|radii| {
        let mut scene = plane_arm_of(3, "revolute", radii);
        add_box(&mut scene, "left", [0.6, 0.12, 0.0], [0.1, 0.16, 0.2]);
        add_box(&mut scene, "right", [0.6, -0.12, 0.0], [0.1, 0.16, 0.2]);
        scene
    })
}

#[test]
fn a_state_is_in_collision_if_it_is_for_every_level() {
    let [wide, thin] = levels();
    let home = vec![1.2, 0.0, 0.0];
    let mut checker = LevelsChecker::keeping(&[&wide, &thin], 0.0, &home, &home).unwrap();
    let mut sampler = StateSampler::new(wide.model(), seed(4));
    let mut ws = [Workspace::cold(), Workspace::cold()];
    let mut counts = [0; 4];
    let mut states = Vec::new();
    for _ in 0..6000 {
        let state = sampler.draw();
        let mut ask = |scene: &PlanningScene, k: usize| {
            scene.in_collision(&state, &CheckRequest::default(), &mut ws[k]).unwrap()
        };
        let answers = [ask(&wide, 0), ask(&thin, 1)];
        let all = answers[0] && answers[1];
        assert_eq!(checker.collision(&state).unwrap().is_some(), all);
        assert_eq!(checker.any_collision(&state, 3).unwrap(), all);
        counts[usize::from(answers[0]) * 2 + usize::from(answers[1])] += 1;
        if !all {
            states.extend(state);
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
    assert!(!checker.any_collision(&states, 3).unwrap(), "all of these were free");
}

#[test]
fn a_goal_that_the_wide_links_do_not_reach_is_planned_for_with_the_thin_ones() {
    let [wide, thin] = levels();
    let (start, goal) = (vec![1.2, 0.0, 0.0], vec![0.0, 0.0, 0.0]);
    let options = PlanOptions::default();
    let refused = plan(&wide, None, &start, &goal, &options, &|| false).unwrap_err();
    assert!(matches!(refused, PlanError::InCollision { .. }), "{refused}");
    let scenes = [&wide, &thin];
    let mut checker = LevelsChecker::keeping(&scenes, options.clearance, &start, &goal).unwrap();
    let found = plan_with(&wide, None, &start, &goal, &options, &mut checker, &|| false).unwrap();
    assert!(verify_levels(&scenes, &found.waypoints, &found.certificate).unwrap() > 0.0);
    assert!(is_densely_free(&thin, &found.waypoints[found.waypoints.len() - 2..], 0.01));
    // One level alone is not what the certificate is about, and levels in another order are others.
    let alone = verify(&thin, &found.waypoints, &found.certificate).unwrap_err();
    assert!(matches!(alone, CertificateError::OtherPairs), "{alone}");
    assert!(verify_levels(&[&thin, &wide], &found.waypoints, &found.certificate).is_err());
    let mut forged = found.certificate.clone();
    forged.segments.last_mut().unwrap().pairs[0].clearance += 0.5;
    let error = verify_levels(&scenes, &found.waypoints, &forged).unwrap_err();
    let last = found.waypoints.len() - 2;
    assert!(matches!(error, CertificateError::Gap { segment, .. } if segment == last), "{error}");
}

#[test]
fn other_robots_and_worlds_are_no_levels() {
    let [wide, mut thin] = levels();
    let home = vec![1.2, 0.0, 0.0];
    let refused = |scenes: &[&PlanningScene]| {
        LevelsChecker::keeping(scenes, 0.0, &home, &home).err().unwrap().to_string()
    };
    assert_eq!(refused(&[]), "number of levels is 0, must be at least 1");
    add_box(&mut thin, "more", [3.0, 0.0, 0.0], [0.1; 3]);
    assert_eq!(
        refused(&[&wide, &thin]),
        "level is 1, must be the same robot in the same world, but for the surfaces of its links"
    );
}
