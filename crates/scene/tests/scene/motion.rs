//! Continuous checks against dense sampling.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};
use smooth_scene_robot::interpolate;
use smooth_scene_scene::{
    CheckRequest, MotionRequest, NearestRequest, PlanningScene, SceneChange, SceneObject, Workspace,
};

use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

fn with_obstacles(apart: f64) -> PlanningScene {
    let mut scene = hands::scene(apart);
    for k in 0..6 {
        let pose = Pose::translation(0.16, 0.06 * k as f64 - 0.1, 0.05);
        let shape = Shape::cuboid([0.004, 0.01, 0.03]).unwrap();
        let object = SceneObject::simple(&format!("post_{k}"), pose, shape).unwrap();
        scene.apply(SceneChange::Add(object)).unwrap();
    }
    scene
}

fn distance_at(scene: &PlanningScene, way: &[Vec<f64>], time: f64) -> f64 {
    let index = (time.floor() as usize).min(way.len() - 2);
    let q = interpolate(scene.model(), &way[index], &way[index + 1], time - index as f64).unwrap();
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut out = Vec::new();
    scene.nearest(&q, &request, &mut Workspace::cold(), &mut out).unwrap();
    out[0].distance.distance
}

#[test]
fn no_contact_is_passed_and_the_first_is_found() {
    let scene = with_obstacles(0.2);
    let states = hands::random_states(scene.model(), 60, seed(4));
    let (mut contacts, mut free) = (0, 0);
    for way in states.chunks(3) {
        let way: Vec<Vec<f64>> = way.to_vec();
        let answer = scene.check_motion(&way, &MotionRequest::default()).unwrap();
        assert_eq!(answer.status, MotionStatus::Converged);
        for k in 0..if answer.free_until > 0.0 { 400 } else { 0 } {
            let time = answer.free_until * k as f64 / 400.0;
            assert!(distance_at(&scene, &way, time) > -1e-9, "{time} of {answer:?}");
        }
        match answer.first_contact {
            Some(time) => {
                contacts += 1;
                let closest = answer.closest.unwrap();
                if time > 0.0 {
                    assert!(closest.distance.distance.abs() < 1e-6, "{answer:?}");
                    assert!((answer.free_until - time).abs() < 1e-6);
                }
            }
            None => {
                free += 1;
                assert_eq!(answer.free_until, 2.0);
            }
        }
    }
    assert!(contacts > 3, "{contacts} {free}");
}

#[test]
fn the_clearance_of_a_path_is_that_of_dense_sampling() {
    let scene = with_obstacles(0.34);
    let options = MotionOptions { goal: MotionGoal::ClosestApproach, ..MotionOptions::default() };
    let request = MotionRequest { options, ..MotionRequest::default() };
    let mut free = 0;
    for way in 0..6 {
        // Small moves about the open hand, free or not.
        let way: Vec<Vec<f64>> = hands::random_states(scene.model(), 4, seed(100 + way))
            .into_iter()
            .map(|q| q.iter().map(|x| 0.3 * x).collect())
            .collect();
        let answer = scene.check_motion(&way, &request).unwrap();
        let sampled = (0..=600)
            .map(|k| distance_at(&scene, &way, 3.0 * k as f64 / 600.0))
            .fold(f64::INFINITY, f64::min);
        if answer.first_contact.is_some() {
            continue;
        }
        free += 1;
        let closest = answer.closest.unwrap().distance.distance;
        assert!(answer.lower <= closest + 1e-12 && closest - answer.lower < 1e-5, "{answer:?}");
        // Sampling can only overlook: it is never nearer, and not much farther.
        assert!(closest <= sampled + 1e-9 && closest > sampled - 2e-4, "{closest} {sampled}");
        let again = distance_at(&scene, &way, answer.closest_time);
        assert!((again - closest).abs() < 1e-8);
    }
    assert!(free > 0);
}

#[test]
fn thin_obstacles_are_not_jumped_over() {
    let mut scene = hands::scene(0.4);
    let wall = Shape::cuboid([0.2, 1e-5, 0.2]).unwrap();
    let object = SceneObject::simple("foil", Pose::translation(0.0, -0.06, 0.0), wall).unwrap();
    scene.apply(SceneChange::Add(object)).unwrap();
    let mut from = vec![0.0; scene.model().position_count()];
    let mut to = from.clone();
    let place = scene.model().variable_names().iter().position(|n| n == "r_b1").unwrap();
    (from[place], to[place]) = (0.0, -0.4);
    let free = |q: &Vec<f64>| {
        !scene.in_collision(q, &CheckRequest::default(), &mut Workspace::cold()).unwrap()
    };
    assert!(free(&from) && free(&to));
    let answer = scene.check_motion(&[from, to], &MotionRequest::default()).unwrap();
    let time = answer.first_contact.expect("the foil is met");
    assert!(time > 0.0 && time < 0.5 && answer.free_until <= time);
    assert!(scene.check_motion(&[vec![0.0; 3]], &MotionRequest::default()).is_err());
}
