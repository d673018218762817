//! Points against scenes, by closed forms and by a slow search that shares no code.

use std::sync::Arc;

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{HalfSpace, Shape, Sphere};
use smooth_scene_query::QueryOptions;
use smooth_scene_robot::{LoadOptions, forward_kinematics, parse_urdf};
use smooth_scene_scene::{
    BodyId, LinkSize, PlanningScene, PointQuery, RobotChange, SceneObject, WorldChange,
};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::slow_search::slow_signed_distance;

/// A ball of 0.1 m on a rail along x, and a box beside it.
fn ball_and_box() -> PlanningScene {
    let urdf = r#"<robot name="r"><link name="base"/>
      <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
      <joint name="x" type="prismatic"><parent link="base"/><child link="ball"/><axis xyz="1 0 0"/>
        <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"#;
    let model = parse_urdf(urdf, "r", &LoadOptions::default()).unwrap().model;
    let mut scene = PlanningScene::new(Arc::new(model), None).unwrap();
    let shape = Shape::cuboid([0.1, 0.2, 0.3]).unwrap();
    let object = SceneObject::simple("box", Pose::translation(0.0, 1.0, 0.0), shape).unwrap();
    scene.apply(WorldChange::Add(object)).unwrap();
    scene
}

#[test]
fn closed_forms_of_a_ball_a_box_and_a_floor() {
    let mut scene = ball_and_box();
    let floor = Shape::HalfSpace(HalfSpace::new([0.0, 0.0, 1.0], -2.0).unwrap());
    let floor = SceneObject::simple("floor", Pose::identity(), floor).unwrap();
    scene.apply(WorldChange::Add(floor)).unwrap();
    let query = PointQuery::new(&scene, &[0.5], None, &QueryOptions::certified()).unwrap();
    for (point, body, distance, normal) in [
        ([0.9, 0.0, 0.0], "ball", 0.3, Vec3::x()),
        ([0.5, 0.0, 0.06], "ball", -0.04, Vec3::z()),
        ([0.0, 1.45, 0.1], "box", 0.25, Vec3::y()),
        ([0.07, 1.0, 0.0], "box", -0.03, Vec3::x()),
        ([0.1 + 0.3, 1.2 + 0.4, 0.0], "box", 0.5, Vec3::new(0.6, 0.8, 0.0)),
        ([7.0, -5.0, -1.9], "floor", 0.1, Vec3::z()),
        ([0.0, 0.0, -2.5], "floor", -0.5, Vec3::z()),
    ] {
        let found = query.nearest(&Vec3::from(point), f64::INFINITY).unwrap();
        assert_eq!(scene.body_name(found.body), body, "{point:?}");
        let answer = found.projection;
        assert!((answer.distance - distance).abs() < 1e-9, "{point:?}: {answer:?}");
        assert!(answer.lower <= distance + 1e-12 && distance - 1e-12 <= answer.upper, "{answer:?}");
        assert!((answer.normal_w - normal).norm() < 1e-6, "{point:?}: {answer:?}");
        let linked = Vec3::from(point) - answer.normal_w * answer.distance - answer.projection_w;
        assert!(linked.norm() < 1e-6, "{point:?}: {answer:?}");
        assert_eq!(query.nearest(&Vec3::from(point), distance.abs() + 0.01), Some(found));
        let near = query.nearest(&Vec3::from(point), 0.0);
        assert_eq!(near.is_some(), distance < 0.0, "only what is inside is within 0 m");
    }
}

#[test]
fn only_the_bodies_asked_for_and_scales_but_no_paddings() {
    let mut scene = ball_and_box();
    let size = LinkSize { scale: 2.0, padding: 0.05, self_padding: 0.05 };
    scene.apply(RobotChange::SetLinkSize { link: "ball".into(), size }).unwrap();
    let all = PointQuery::new(&scene, &[0.0], None, &QueryOptions::default()).unwrap();
    let point = Vec3::new(0.0, 0.7, 0.0);
    let nearest = all.nearest(&point, f64::INFINITY).unwrap();
    assert_eq!(scene.body_name(nearest.body), "box");
    let ball = scene.body_set(&["ball"]).unwrap();
    let one = PointQuery::new(&scene, &[0.0], ball.as_ref(), &QueryOptions::default()).unwrap();
    let found = one.nearest(&point, f64::INFINITY).unwrap();
    assert!(matches!(found.body, BodyId::Link(_)));
    assert!((found.projection.distance - 0.5).abs() < 1e-12, "{found:?}");
    assert!(PointQuery::new(&scene, &[], None, &QueryOptions::default()).is_err());
    let nothing = scene.body_set(&["base"]).unwrap();
    let none = PointQuery::new(&scene, &[0.0], nothing.as_ref(), &QueryOptions::default()).unwrap();
    assert_eq!(none.nearest(&point, f64::INFINITY), None, "the base has no surface");
}

#[test]
fn the_nearest_of_all_surfaces_of_two_hands() {
    let scene = hands::scene(0.16);
    let seed = seed(11);
    let mut rng = Rng::new(seed);
    let radius = 1e-6;
    let marker = Shape::Sphere(Sphere::new(radius).unwrap());
    for positions in hands::random_states(scene.model(), 1, seed) {
        let query = PointQuery::new(&scene, &positions, None, &QueryOptions::default()).unwrap();
        let poses = forward_kinematics(scene.model(), &positions).unwrap();
        let surfaces: Vec<(Pose, Shape)> = scene
            .model()
            .link_ids()
            .flat_map(|id| {
                let link = scene.model().link(id);
                link.collisions.iter().map(move |c| (id, c))
            })
            .map(|(id, c)| (poses[id] * c.pose_in_link, c.shape.clone()))
            .collect();
        let points: Vec<Vec3> = (0..6)
            .map(|k| {
                let (pose, _) = &surfaces[(7 * k + 3) % surfaces.len()];
                pose.translation.vector + rng.direction() * rng.uniform(0.0, 0.06)
            })
            .collect();
        let found = query.nearest_to_each(&points, f64::INFINITY);
        for (point, found) in points.iter().zip(found) {
            let found = found.expect("the hands have surfaces").projection;
            let at = Pose::from(*point);
            let slow = surfaces
                .iter()
                .map(|(pose, shape)| slow_signed_distance(shape, pose, &marker, &at).value + radius)
                .fold(f64::INFINITY, f64::min);
            let label = format!("seed {seed}: {point:?}: {found:?}, {slow}");
            // The slow search is never above the truth; inside, it may have missed the nearest way out.
            assert!(found.distance >= slow - 1e-6 && found.upper >= slow - 1e-12, "{label}");
            if slow > 0.0 {
                assert!((found.distance - slow).abs() < 1e-6, "{label}");
            }
        }
    }
}
