//! Roadmaps that are kept, and paths that get shorter.

use crate::scenes::{add_box, free_state, is_densely_free, plane_arm, shelf};
use smooth_scene_plan::{PlanError, PlanOptions, Roadmap, plan_anytime, verify};
use smooth_scene_robot::StateSampler;
use smooth_scene_test_support::random::seed;
use std::cell::Cell;

#[test]
fn a_roadmap_answers_many_questions_and_proves_each() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(21));
    let states: Vec<Vec<f64>> = (0..5).map(|_| free_state(&scene, &mut sampler)).collect();
    let answers = || {
        let options = PlanOptions::default();
        let mut roadmap = Roadmap::new(&scene, Some("arm"), &states[0], &options).unwrap();
        assert!(roadmap.is_empty());
        let ask = |ends: &[Vec<f64>]| roadmap.plan(&ends[0], &ends[1], &|| false).unwrap();
        let answers: Vec<_> = states.windows(2).map(ask).collect();
        assert!(roadmap.len() >= states.len());
        answers
    };
    let found = answers();
    for (answer, ends) in found.iter().zip(states.windows(2)) {
        assert_eq!(
            (answer.waypoints.first(), answer.waypoints.last()),
            (Some(&ends[0]), Some(&ends[1]))
        );
        verify(&scene, &answer.waypoints, &answer.certificate).unwrap();
        assert!(is_densely_free(&scene, &answer.waypoints, 0.005));
    }
    assert_eq!(found, answers(), "the same questions in the same order");
}

#[test]
fn what_was_proven_is_not_proven_again() {
    let mut scene = plane_arm(3, "revolute");
    add_box(&mut scene, "post", [0.6, 0.3, 0.0], [0.05, 0.05, 0.3]);
    let options = PlanOptions { shortcuts: 0, ..PlanOptions::default() };
    let mut roadmap = Roadmap::new(&scene, None, &[0.0; 3], &options).unwrap();
    let (from, to) = ([0.0; 3], [1.2, 0.0, 0.0]);
    let first = roadmap.plan(&from, &to, &|| false).unwrap();
    let points = roadmap.len();
    let second = roadmap.plan(&from, &to, &|| false).unwrap();
    assert_eq!(roadmap.len(), points, "the same roadmap answers");
    assert!(second.statistics.proofs < first.statistics.proofs);
    verify(&scene, &second.waypoints, &second.certificate).unwrap();
    let refused = roadmap.plan(&from[..2], &to, &|| false).unwrap_err();
    assert_eq!(refused.to_string(), "2 positions given, must be 3");
    assert_eq!(roadmap.plan(&[0.3, 0.1, 0.0], &to, &|| true), Err(PlanError::Cancelled));
}

#[test]
fn a_roadmap_is_for_one_place_of_the_other_joints() {
    let scene = shelf();
    let base = [0.0; 8];
    let mut roadmap = Roadmap::new(&scene, Some("arm"), &base, &PlanOptions::default()).unwrap();
    let mut other = base;
    other[7] = 0.02;
    let refused = roadmap.plan(&other, &other, &|| false).unwrap_err();
    assert!(matches!(refused, PlanError::FixedNumberDiffers { .. }), "{refused}");
}

#[test]
fn paths_get_shorter_and_the_best_one_is_returned() {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "post", [0.5, 0.3, 0.0], [0.05, 0.05, 0.3]);
    let (from, to) = ([0.0; 2], [1.3, 0.0]);
    let options = PlanOptions { max_states: 20_000, shortcuts: 0, ..PlanOptions::default() };
    let mut lengths = Vec::new();
    let best =
        plan_anytime(&scene, None, &from, &to, &options, &mut |p| lengths.push(p.length), &|| {
            false
        });
    let best = best.unwrap();
    verify(&scene, &best.waypoints, &best.certificate).unwrap();
    assert!(is_densely_free(&scene, &best.waypoints, 0.002));
    assert!(lengths.len() > 1, "{lengths:?}");
    assert!(lengths.windows(2).all(|pair| pair[1] < pair[0]), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&best.length));
    // Stopped after the first path, that is the answer; stopped before, there is none.
    let found = Cell::new(false);
    let early =
        plan_anytime(&scene, None, &from, &to, &options, &mut |_| found.set(true), &|| found.get());
    assert_eq!(early.unwrap().length, lengths[0]);
    let none = plan_anytime(&scene, None, &from, &to, &options, &mut |_| (), &|| true);
    assert_eq!(none, Err(PlanError::Cancelled));
}
