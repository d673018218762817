//! The distance that paths keep, also where start or goal are closer.

use crate::scenes::{add_box, free_state, plane_arm, shelf};
use smooth_scene_plan::{Endpoint, PlanError, PlanOptions, Roadmap, plan, plan_anytime, verify};
use smooth_scene_robot::StateSampler;
use smooth_scene_test_support::random::seed;

fn never() -> bool {
    false
}

#[test]
fn paths_keep_the_clearance() {
    let scene = shelf();
    let mut sampler = StateSampler::new(scene.model(), seed(5));
    let mut far = 0;
    for clearance in [1e-4, 0.01] {
        for _ in 0..4 {
            let [from, to] = [0, 1].map(|_| free_state(&scene, &mut sampler));
            let options = PlanOptions { clearance, ..PlanOptions::default() };
            let found = plan(&scene, Some("arm"), &from, &to, &options, &never).unwrap();
            let proven = verify(&scene, &found.waypoints, &found.certificate).unwrap();
            // What the ends keep is named; everything else keeps the whole.
            let least = found.near_ends.iter().map(|near| near.kept).fold(clearance, f64::min);
            assert!(proven > least, "{proven} with {:?}", found.near_ends);
            far += usize::from(found.near_ends.is_empty());
        }
    }
    assert!(far > 0, "no problem had ends with room");
}

/// An arm whose start is 0.05 mm below a board, and the goal away from it.
fn below_a_board() -> (smooth_scene_scene::PlanningScene, [f64; 2], [f64; 2]) {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "board", [0.15, 0.02 + 5e-5 + 0.01, 0.0], [0.2, 0.02, 0.2]);
    (scene, [0.0, 0.0], [-0.8, 0.3])
}

#[test]
fn a_start_closer_than_the_clearance_keeps_half_of_its_distance_and_is_named() {
    let (scene, start, goal) = below_a_board();
    let options = PlanOptions::default();
    let mut road = Roadmap::new(&scene, None, &start, &options).unwrap();
    let found = [
        plan(&scene, None, &start, &goal, &options, &never).unwrap(),
        plan_anytime(&scene, None, &start, &goal, &options, &mut |_| {}, &never).unwrap(),
        road.plan(&start, &goal, &never).unwrap(),
    ];
    for found in found {
        let [near] = &found.near_ends[..] else { panic!("{:?}", found.near_ends) };
        let names = (near.which, near.body_a.as_str(), near.body_b.as_str());
        assert_eq!(names, (Endpoint::Start, "link0", "board"));
        assert!(
            (near.distance - 5e-5).abs() < 1e-9 && near.kept == 0.5 * near.distance,
            "{near:?}"
        );
        let proven = verify(&scene, &found.waypoints, &found.certificate).unwrap();
        assert!(proven > near.kept && proven < 5e-5, "{proven}");
    }
    // The other way round the goal is the close one.
    let back = plan(&scene, None, &goal, &start, &options, &never).unwrap();
    assert_eq!(back.near_ends[0].which, Endpoint::Goal);
}

#[test]
fn without_a_clearance_nothing_is_kept_and_a_bad_one_is_refused() {
    let (scene, start, goal) = below_a_board();
    let with = |clearance| {
        let options = PlanOptions { clearance, ..PlanOptions::default() };
        plan(&scene, None, &start, &goal, &options, &never)
    };
    assert!(with(0.0).unwrap().near_ends.is_empty());
    for clearance in [-1e-4, f64::NAN, f64::INFINITY] {
        let refused = with(clearance);
        let named = matches!(&refused, Err(PlanError::BadOption { field: "clearance", .. }));
        assert!(named, "{refused:?}");
    }
}
