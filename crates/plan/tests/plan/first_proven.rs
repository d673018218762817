//! One question on several threads.

use crate::scenes::{add_box, plane_arm, shelf};
use smooth_scene_plan::{PlanError, PlanOptions, first_proven, plan, plan_on_threads, verify};
use smooth_scene_robot::StateSampler;
use smooth_scene_test_support::random::seed;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

const FOUR: NonZeroU32 = NonZeroU32::new(4).unwrap();

#[test]
fn the_first_path_is_proven_and_that_of_its_seed() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(31));
    for _ in 0..3 {
        let [from, to] = [0, 1].map(|_| crate::scenes::free_state(&scene, &mut sampler));
        let options = PlanOptions { seed: 40, ..PlanOptions::default() };
        let (seed, found) =
            plan_on_threads(&scene, Some("arm"), &from, &to, &options, FOUR, &|| false).unwrap();
        assert!((40..44).contains(&seed), "{seed}");
        verify(&scene, &found.waypoints, &found.certificate).unwrap();
        let options = PlanOptions { seed, ..options };
        let alone = plan(&scene, Some("arm"), &from, &to, &options, &|| false).unwrap();
        assert_eq!(found, alone);
    }
}

#[test]
fn the_first_answer_ends_the_others() {
    // Only the third seed ever answers: the others wait until they are told to stop.
    let answer = |seed: u64, stop: smooth_scene_plan::Stop| {
        if seed == 7 {
            return Ok("found");
        }
        while !stop() {
            std::thread::yield_now();
        }
        Err(PlanError::Cancelled)
    };
    assert_eq!(first_proven(5, FOUR, &|| false, &answer), Ok((7, "found")));
}

#[test]
fn whoever_stops_it_is_told_so_whatever_the_first_seed_says() {
    let stopped = AtomicBool::new(false);
    let answer = |seed: u64, stop: smooth_scene_plan::Stop| -> Result<(), PlanError> {
        if seed == 5 {
            stopped.store(true, Ordering::Relaxed);
            return Err(PlanError::NoConnection { states: 1, proofs: 0, refuted: 0 });
        }
        while !stop() {
            std::thread::yield_now();
        }
        Err(PlanError::Cancelled)
    };
    let stop = || stopped.load(Ordering::Relaxed);
    assert_eq!(first_proven(5, FOUR, &stop, &answer), Err(PlanError::Cancelled));
}

#[test]
#[should_panic(expected = "a mistake")]
fn a_panic_ends_the_other_threads() {
    let answer = |seed: u64, stop: smooth_scene_plan::Stop| -> Result<(), PlanError> {
        assert!(seed != 7, "a mistake");
        while !stop() {
            std::thread::yield_now();
        }
        Err(PlanError::Cancelled)
    };
    drop(first_proven(5, FOUR, &|| false, &answer));
}

#[test]
fn without_a_path_the_reason_is_that_of_the_first_seed() {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "post", [0.45, 0.0, 0.0], [0.1, 0.1, 0.1]);
    let options = PlanOptions::default();
    let ask =
        |from: &[f64], to: &[f64], options: &PlanOptions, stop: &(dyn Fn() -> bool + Sync)| {
            plan_on_threads(&scene, None, from, to, options, FOUR, stop).unwrap_err()
        };
    let refused = ask(&[0.0, 0.0], &[1.0, 0.0], &options, &|| false);
    assert!(matches!(refused, PlanError::InCollision { .. }), "{refused}");
    let refused = ask(&[1.0, 0.0], &[0.5, 9.0], &options, &|| false);
    assert!(matches!(refused, PlanError::OutOfLimits { .. }), "{refused}");
    let few = PlanOptions { max_states: 30, ..options.clone() };
    let refused = ask(&[1.0, 0.0], &[-1.0, 0.0], &few, &|| false);
    assert!(matches!(refused, PlanError::NoConnection { .. }), "{refused}");
    // Whoever asked may stop all of them.
    let stopped = AtomicBool::new(true);
    let refused = ask(&[1.0, 0.0], &[-1.0, 0.0], &options, &|| stopped.load(Ordering::Relaxed));
    assert_eq!(refused, PlanError::Cancelled);
}
