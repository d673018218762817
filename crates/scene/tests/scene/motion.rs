//! Continuous checks against exact times and dense sampling.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};
use smooth_scene_robot::{forward_kinematics, interpolate};
use smooth_scene_scene::{
    CheckRequest, MotionRequest, NearestRequest, PlanningScene, SceneObject, Workspace, WorldChange,
};

use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

const POST: [f64; 3] = [0.004, 0.01, 0.03];

fn with_obstacles(apart: f64) -> PlanningScene {
    let mut scene = hands::scene(apart);
    for k in 0..6 {
        let pose = Pose::translation(0.16, 0.06 * k as f64 - 0.1, 0.05);
        let shape = Shape::cuboid(POST).unwrap();
        let object = SceneObject::simple(&format!("post_{k}"), pose, shape).unwrap();
        scene.apply(WorldChange::Add(object)).unwrap();
    }
    scene
}

/// The largest bounding radius of the robot's surfaces and of a post. Tolerances are multiples of it.
fn largest_radius(scene: &PlanningScene) -> f64 {
    let links = scene.model().link_ids().flat_map(|id| &scene.model().link(id).collisions);
    let radii = links.map(|collision| collision.shape.bounding_sphere().radius);
    radii.fold(Vec3::from(POST).norm(), f64::max)
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
    let options = MotionOptions::default();
    let touching = options.contact_tolerance * largest_radius(&scene);
    // What the distance at one moment may be off by.
    let gap = options.query.gap_tolerance * largest_radius(&scene);
    let (mut contacts, mut free) = (0, 0);
    for way in states.chunks(3) {
        let way: Vec<Vec<f64>> = way.to_vec();
        let answer = scene.check_motion(&way, &MotionRequest::default()).unwrap();
        assert_eq!(answer.status, MotionStatus::Converged);
        for k in 0..if answer.free_until > 0.0 { 400 } else { 0 } {
            let time = answer.free_until * k as f64 / 400.0;
            assert!(distance_at(&scene, &way, time) > -gap, "{time} of {answer:?}");
        }
        match answer.first_contact {
            Some(time) => {
                contacts += 1;
                let closest = answer.closest.unwrap();
                if time > 0.0 {
                    assert!(closest.distance.distance.abs() <= touching + gap, "{answer:?}");
                    // What is not proven free is so near that it counts as touching.
                    assert!(answer.free_until <= time, "{answer:?}");
                    let last = distance_at(&scene, &way, answer.free_until);
                    assert!(last <= touching + gap, "{last:e} {answer:?}");
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

/// What `sampled_minimum` may overlook: a dip between samples 2h = 1e-4 apart is at most a·h²/2 deep, where a, the
/// acceleration of the distance, is below 8 m per unit of time squared: two hands of 0.2 m whose joints turn by less
/// than one radian in a unit of time, in chains of up to eight.
const OVERLOOKED: f64 = 8.0 * 0.5e-4 * 0.5e-4 / 2.0;

/// The least distance on the way, from 200 samples of each segment and 100 more around each that is a local minimum.
fn sampled_minimum(scene: &PlanningScene, way: &[Vec<f64>]) -> f64 {
    let segments = (way.len() - 1) as f64;
    let step = 1.0 / 200.0;
    let count = (segments / step).round() as usize;
    let distance = |time: f64| distance_at(scene, way, time.clamp(0.0, segments));
    let coarse: Vec<f64> = (0..=count).map(|k| distance(step * k as f64)).collect();
    let is_minimum = |&k: &usize| {
        (k == 0 || coarse[k] <= coarse[k - 1]) && (k == count || coarse[k] <= coarse[k + 1])
    };
    let around = |k: usize| (0..=100).map(move |i| step * (k as f64 + f64::from(i - 50) / 50.0));
    (0..=count).filter(is_minimum).flat_map(around).map(distance).fold(f64::INFINITY, f64::min)
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
        if answer.first_contact.is_some() {
            continue;
        }
        free += 1;
        let sampled = sampled_minimum(&scene, &way);
        let closest = answer.closest.unwrap().distance.distance;
        let size = largest_radius(&scene).max(closest);
        let gap = options.query.gap_tolerance * size;
        let proven = options.closest_tolerance * size + gap;
        assert!(answer.lower <= closest && closest - answer.lower <= proven, "{answer:?}");
        assert!(answer.lower <= sampled + gap, "{answer:?} {sampled}");
        assert!((closest - sampled).abs() <= proven + OVERLOOKED, "{closest} {sampled}");
        let again = distance_at(&scene, &way, answer.closest_time);
        assert!((again - closest).abs() <= 2.0 * gap, "{again} {closest}");
    }
    assert!(free > 0);
}

#[test]
fn thin_obstacles_are_not_jumped_over() {
    const HALF_EXTENTS: [f64; 3] = [0.2, 1e-5, 0.2];
    let mut scene = hands::scene(0.4);
    let wall = Shape::cuboid(HALF_EXTENTS).unwrap();
    let object = SceneObject::simple("foil", Pose::translation(0.0, -0.06, 0.0), wall).unwrap();
    scene.apply(WorldChange::Add(object)).unwrap();
    let mut from = vec![0.0; scene.model().position_count()];
    let mut to = from.clone();
    let place = scene.model().variable_names().iter().position(|n| n == "r_b1").unwrap();
    (from[place], to[place]) = (0.0, -0.4);
    let free = |q: &Vec<f64>| {
        !scene.in_collision(q, &CheckRequest::default(), &mut Workspace::cold()).unwrap()
    };
    assert!(free(&from) && free(&to));
    // The hand moves along −y at 0.4 m per unit of time: its lowest point meets the upper face of the foil.
    let poses = forward_kinematics(scene.model(), &from).unwrap();
    let lowest = |id| {
        let surfaces = scene.model().link(id).collisions.iter();
        let low = surfaces.map(|surface| {
            let pose = poses[id] * surface.pose_in_link;
            let down = pose.rotation.inverse_transform_vector(&-Vec3::y());
            pose.translation.y - surface.shape.support(&down).value
        });
        low.fold(f64::INFINITY, f64::min)
    };
    let hand = scene.model().link_ids().filter(|id| scene.model().link(*id).name.starts_with("r_"));
    let height = hand.map(lowest).fold(f64::INFINITY, f64::min) - (-0.06 + HALF_EXTENTS[1]);
    let contact = height / 0.4;
    let answer = scene.check_motion(&[from, to], &MotionRequest::default()).unwrap();
    let time = answer.first_contact.expect("the foil is met");
    // Bodies count as touching a little before they do; distances are off by a tenth of that.
    let early = MotionOptions::default().contact_tolerance * Vec3::from(HALF_EXTENTS).norm() / 0.4;
    for (name, time) in [("first contact", time), ("free until", answer.free_until)] {
        assert!(time <= contact + 0.1 * early, "{name}: {time} {contact}");
        assert!(time >= contact - 1.1 * early, "{name}: {time} {contact} {early:e}");
    }
    assert!(answer.free_until <= time);
    assert!(scene.check_motion(&[vec![0.0; 3]], &MotionRequest::default()).is_err());
}
