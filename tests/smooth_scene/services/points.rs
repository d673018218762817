//! `query_points` against the library.

use smooth_scene::interfaces::geometry_msgs::msg::Point;
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::srv::{ApplySceneRequest, QueryPointsRequest, QueryPointsResponse};
use smooth_scene::math::Vec3;
use smooth_scene::node::services::{ApplyScene, QueryPoints};
use smooth_scene::query::QueryOptions;
use smooth_scene::robot::forward_kinematics;
use smooth_scene::scene::PointQuery;

use super::bench::{Bench, arm, joint_state};

fn point(x: f64, y: f64, z: f64) -> Point {
    Point { x, y, z }
}

fn request(points: &[Point]) -> QueryPointsRequest {
    let max_distance = f64::INFINITY;
    QueryPointsRequest { points: points.to_vec(), max_distance, ..Default::default() }
}

/// A ball of 0.1 m at (2, 0, 0).
fn add_ball(bench: &mut Bench) {
    let mut object = SceneObject { id: "ball".into(), ..SceneObject::default() };
    object.pose.position.x = 2.0;
    object.pose.orientation.w = 1.0;
    object.surfaces =
        vec![Surface { kind: Surface::SPHERE, dimensions: vec![0.1], ..Surface::default() }];
    let change = SceneChange { operation: SceneChange::ADD, object, ..SceneChange::default() };
    let answer = bench.ask(&ApplyScene, ApplySceneRequest { changes: vec![change] });
    assert_eq!((answer.status, answer.message.as_str()), (1, ""));
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let mut bench = Bench::arm();
    add_ball(&mut bench);
    let asked = [point(1.5, 0.0, 0.0), point(0.0, 0.0, 0.03), point(0.3, 0.2, 0.5)];
    let answer = bench.ask(&QueryPoints, QueryPointsRequest { certify: true, ..request(&asked) });
    assert_eq!((answer.status, answer.message.as_str()), (QueryPointsResponse::OK, ""));
    let scene = bench.scene();
    let query =
        PointQuery::new(&scene, &[0.3, 0.7, 0.03], None, &QueryOptions::certified()).unwrap();
    for (k, place) in asked.iter().enumerate() {
        let found = query.nearest(&Vec3::new(place.x, place.y, place.z), f64::INFINITY).unwrap();
        let expected = found.projection;
        let name = &answer.names[answer.body[k] as usize];
        assert_eq!((name.as_str(), answer.part[k]), (scene.body_name(found.body), found.part));
        assert_eq!(
            [answer.distance[k], answer.lower[k], answer.upper[k], answer.normal[k].x],
            [expected.distance, expected.lower, expected.upper, expected.normal_w.x]
        );
        assert_eq!(answer.nearest[k].z, expected.projection_w.z);
    }
    // By hand: half a metre before the ball, and 3 cm above the bottom of the base.
    assert!((answer.distance[0] - 0.4).abs() < 1e-12 && answer.names[0] == "ball");
    assert!((answer.distance[1] + 0.03).abs() < 1e-9 && answer.names[1] == "base");
}

#[test]
fn points_and_answers_are_in_the_frame_of_the_request() {
    let mut bench = Bench::arm();
    let state = joint_state(&[("shoulder", 0.4), ("elbow", -0.2), ("grip", 0.03)]);
    let mut asked = request(&[point(0.0, 0.0, 0.4)]);
    (asked.joint_state, asked.header.frame_id) = (state, "hand".into());
    asked.bodies = vec!["hand".into()];
    let answer = bench.ask(&QueryPoints, asked.clone());
    // The hand is a box of 3 cm height around its origin.
    assert!((answer.distance[0] - 0.385).abs() < 1e-9, "{answer:?}");
    assert!((answer.nearest[0].z - 0.015).abs() < 1e-9 && answer.normal[0].z > 1.0 - 1e-9);
    // The same point, by its place in the root.
    let scene = arm();
    let poses = forward_kinematics(scene.model(), &[0.4, -0.2, 0.03]).unwrap();
    let hand = poses[scene.model().link_id("hand").unwrap()];
    let place = hand * nalgebra::Point3::new(0.0, 0.0, 0.4);
    (asked.points[0], asked.header.frame_id) = (point(place.x, place.y, place.z), String::new());
    let again = bench.ask(&QueryPoints, asked);
    assert!((again.distance[0] - answer.distance[0]).abs() < 1e-9);
}

#[test]
fn far_points_have_no_body_and_no_points_have_an_empty_answer() {
    let mut bench = Bench::arm();
    add_ball(&mut bench);
    let near = QueryPointsRequest {
        max_distance: 0.5,
        ..request(&[point(9.0, 0.0, 0.0), point(2.0, 0.0, 0.3)])
    };
    let answer = bench.ask(&QueryPoints, near);
    assert_eq!((answer.body, answer.names), (vec![-1, 0], vec!["ball".to_owned()]));
    assert!(answer.distance[0].is_nan() && answer.nearest[0].x.is_nan());
    assert!((answer.distance[1] - 0.2).abs() < 1e-12);
    let nothing = bench.ask(&QueryPoints, request(&[]));
    assert_eq!((nothing.status, nothing.distance), (QueryPointsResponse::OK, vec![]));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let origin = [point(0.0, 0.0, 0.0)];
    let cases = [
        (request(&[origin[0].clone(), point(0.0, f64::NAN, 0.0)]), "points[1]"),
        (
            request(&[point(1e308, 0.0, 0.0)]),
            "points[0] is at [1e308, 0e0, 0e0] in the frame of the root, must be within 1e6 m of it",
        ),
        (
            QueryPointsRequest { max_distance: -1.0, ..request(&origin) },
            "max_distance is -1, must be 0 or more",
        ),
        (QueryPointsRequest { max_distance: f64::NAN, ..request(&origin) }, "max_distance is NaN"),
        (
            QueryPointsRequest { bodies: vec!["nose".into()], ..request(&origin) },
            "bodies: there is no link, object or group `nose`",
        ),
        (
            QueryPointsRequest { joint_state: joint_state(&[("knee", 0.0)]), ..request(&origin) },
            "`knee`",
        ),
    ];
    let mut bench = Bench::arm();
    for (asked, reason) in cases {
        let answer = bench.ask(&QueryPoints, asked);
        assert_eq!(answer.status, QueryPointsResponse::REFUSED, "{reason}");
        assert!(
            answer.message.contains(reason) && answer.distance.is_empty(),
            "{}",
            answer.message
        );
    }
    let mut elsewhere = request(&origin);
    elsewhere.header.frame_id = "map".into();
    assert_eq!(bench.ask(&QueryPoints, elsewhere).status, QueryPointsResponse::NO_TRANSFORM);
    bench.limits.cloud_points = 1;
    let many = bench.ask(&QueryPoints, request(&[origin[0].clone(), origin[0].clone()]));
    assert_eq!(many.message, "points has 2 points, must be at most 1");
    assert_eq!(
        Bench::empty().ask(&QueryPoints, request(&origin)).status,
        QueryPointsResponse::NO_ROBOT
    );
    let unknown = Bench::with(arm()).ask(&QueryPoints, request(&origin));
    assert_eq!(unknown.status, QueryPointsResponse::NO_STATE);
}
