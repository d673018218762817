//! `fit_cloud`.

use smooth_scene::fit::cloud::SceneOptions;
use smooth_scene::geometry::{Shape, tessellate};
use smooth_scene::interfaces::geometry_msgs::msg::{Point, Pose};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::sensor_msgs::msg::{PointCloud2, PointField};
use smooth_scene::interfaces::srv::{
    ApplySceneRequest, FitCloudRequest, FitCloudResponse, GetSceneRequest,
};
use smooth_scene::math::{Pose as CorePose, Vec3};
use smooth_scene::node::services::{ApplyScene, FitCloud, GetScene};
use smooth_scene::robot::forward_kinematics;

use super::bench::{Bench, arm, joint_state, open_arm};

/// A cloud as depth cameras send it: x, y, z and a colour, single precision.
pub fn message(frame: &str, points: &[Vec3]) -> PointCloud2 {
    let field = |(k, name): (usize, &str)| PointField {
        name: name.into(),
        offset: 4 * k as u32,
        datatype: PointField::FLOAT32,
        count: 1,
    };
    let mut cloud = PointCloud2 {
        height: 1,
        width: points.len() as u32,
        fields: ["x", "y", "z", "rgb"].into_iter().enumerate().map(field).collect(),
        point_step: 16,
        row_step: 16 * points.len() as u32,
        ..PointCloud2::default()
    };
    cloud.header.frame_id = frame.into();
    for point in points {
        point.iter().for_each(|x| cloud.data.extend((*x as f32).to_le_bytes()));
        cloud.data.extend([1, 2, 3, 0]);
    }
    cloud
}

fn surface_points(pose: &CorePose, shape: &Shape) -> Vec<Vec3> {
    let vertices = tessellate(shape, 5e-3 * 0.05).vertices;
    vertices.iter().map(|v| pose.rotation * v + pose.translation.vector).collect()
}

pub fn ball(x: f64, y: f64, z: f64) -> Vec<Vec3> {
    surface_points(&CorePose::translation(x, y, z), &Shape::sphere(0.05).unwrap())
}

/// A table at z = 0.5 in front of the arm, and a ball above it.
fn table_and_ball() -> Vec<Vec3> {
    let place = |k: i32| Vec3::new(1.0 + 0.015 * f64::from(k % 50), 0.015 * f64::from(k / 50), 0.5);
    (0..2000).map(place).chain(ball(1.3, 0.3, 0.6)).collect()
}

fn ask(bench: &mut Bench, action: u8, cloud: PointCloud2) -> FitCloudResponse {
    bench.ask(&FitCloud, FitCloudRequest { cloud, action, ..FitCloudRequest::default() })
}

fn ids(response: &FitCloudResponse) -> Vec<&str> {
    response.objects.iter().map(|found| found.object.id.as_str()).collect()
}

fn world(bench: &Bench) -> Vec<String> {
    let mut names: Vec<String> =
        bench.scene().world().iter().map(|(_, object)| object.name().into()).collect();
    names.sort();
    names
}

fn distance(pose: &Pose, expected: Vec3) -> f64 {
    let Point { x, y, z } = pose.position;
    (Vec3::new(x, y, z) - expected).norm()
}

#[test]
fn a_table_and_a_ball_are_returned_and_nothing_changes() {
    let mut bench = Bench::arm();
    let before = bench.scene();
    let mut points = table_and_ball();
    points.push(Vec3::new(f64::NAN, 0.0, 0.0));
    let response = ask(&mut bench, FitCloudRequest::RETURN, message("", &points));
    assert_eq!((response.status, response.message.as_str()), (FitCloudResponse::OK, ""));
    assert_eq!(ids(&response), ["cloud/table", "cloud/object_0"]);
    let [table, ball] = &response.objects[..] else { panic!("{response:?}") };
    assert_eq!((table.points, table.object.surfaces[0].kind), (2000, Surface::CONVEX_MESH));
    assert_eq!(ball.object.header.frame_id, "base");
    assert_eq!(ball.object.surfaces[0].kind, Surface::SPHERE);
    assert!((ball.object.surfaces[0].dimensions[0] - 0.05).abs() < 1e-5, "{ball:?}");
    assert!(distance(&ball.object.pose, Vec3::new(1.3, 0.3, 0.6)) < 1e-5, "{ball:?}");
    assert!(ball.explained > 0.99 && ball.mean_distance < 1e-5 && ball.reason.is_empty());
    assert_eq!((response.not_finite, response.of_robot, response.scattered), (1, 0, 0));
    assert_eq!(bench.scene(), before);
}

#[test]
fn a_cancelled_fit_is_refused_and_nothing_changes() {
    let mut bench = Bench::arm();
    let before = bench.scene();
    bench.fitting.close("the node is shutting down");
    let response = ask(&mut bench, FitCloudRequest::ADD, message("", &table_and_ball()));
    assert_eq!(response.status, FitCloudResponse::NOT_COMPUTED);
    assert_eq!(response.message, "cancelled: the node is shutting down");
    assert_eq!(bench.scene(), before);
}

#[test]
fn found_objects_can_be_given_back_to_the_scene() {
    let mut bench = Bench::arm();
    let response = ask(&mut bench, FitCloudRequest::RETURN, message("", &table_and_ball()));
    let change = |object: SceneObject| SceneChange {
        operation: SceneChange::ADD,
        object,
        ..SceneChange::default()
    };
    let changes = response.objects.iter().map(|found| change(found.object.clone())).collect();
    assert_eq!(bench.ask(&ApplyScene, ApplySceneRequest { changes }).status, 1);
    let mut other = Bench::arm();
    let added = ask(&mut other, FitCloudRequest::ADD, message("", &table_and_ball()));
    assert_eq!(added.objects, response.objects);
    let [given, found] = [&mut bench, &mut other].map(|bench| {
        let mut objects = bench.ask(&GetScene, GetSceneRequest::default()).objects;
        for surface in objects.iter_mut().flat_map(|object| &mut object.surfaces) {
            // A mesh keeps its vertices in no order that means anything.
            surface.vertices.sort_by(|a, b| [a.x, a.y, a.z].partial_cmp(&[b.x, b.y, b.z]).unwrap());
        }
        objects
    });
    assert_eq!(given, found);
}

#[test]
fn sets_are_added_to_and_replaced() {
    let mut bench = Bench::arm();
    let fit = |bench: &mut Bench, action: u8, set: &str, points: Vec<Vec3>| {
        let (cloud, set, table_share) = (message("", &points), set.into(), 2.0);
        let request =
            FitCloudRequest { cloud, action, set, table_share, ..FitCloudRequest::default() };
        let revision = bench.store.snapshot().unwrap().revision;
        let response = bench.ask(&FitCloud, request);
        assert_eq!(response.status, FitCloudResponse::OK, "{}", response.message);
        assert_eq!(response.revision, revision + 1);
        assert_eq!(response.revision, bench.store.snapshot().unwrap().revision);
    };
    fit(
        &mut bench,
        FitCloudRequest::ADD,
        "left",
        [ball(1.0, 0.0, 0.0), ball(2.0, 0.0, 0.0)].concat(),
    );
    fit(&mut bench, FitCloudRequest::ADD, "left", ball(3.0, 0.0, 0.0));
    fit(&mut bench, FitCloudRequest::ADD, "left2", ball(1.0, 1.0, 0.0));
    assert_eq!(
        world(&bench),
        ["left/object_0", "left/object_1", "left/object_2", "left2/object_0"]
    );
    // What the robot has taken in its hand keeps its name.
    let taken =
        SceneObject { id: "left/object_0".into(), link: "hand".into(), ..SceneObject::default() };
    let attach =
        SceneChange { operation: SceneChange::ATTACH, object: taken, ..SceneChange::default() };
    assert_eq!(bench.ask(&ApplyScene, ApplySceneRequest { changes: vec![attach] }).status, 1);
    fit(&mut bench, FitCloudRequest::REPLACE, "left", ball(4.0, 0.0, 0.0));
    assert_eq!(world(&bench), ["left/object_1", "left2/object_0"]);
    let object = bench.scene().world().by_name("left/object_1").unwrap().clone();
    assert!((object.pose().translation.vector - Vec3::new(4.0, 0.0, 0.0)).norm() < 1e-5);
}

#[test]
fn a_cloud_in_the_frame_of_a_link_comes_out_in_that_of_the_root() {
    let mut bench = Bench::arm();
    let scene = arm();
    let state = joint_state(&[("shoulder", -0.4), ("elbow", 0.9), ("grip", 0.02)]);
    let positions = bench.joints.positions(scene.model(), &state, bench.now, i64::MAX).unwrap();
    let poses = forward_kinematics(scene.model(), &positions).unwrap();
    let hand = poses[scene.model().link_id("hand").unwrap()];
    let request = FitCloudRequest {
        cloud: message("hand", &ball(0.0, 0.2, 0.7)),
        action: FitCloudRequest::RETURN,
        joint_state: state,
        ..FitCloudRequest::default()
    };
    let response = bench.ask(&FitCloud, request);
    let expected = hand * nalgebra::Point3::new(0.0, 0.2, 0.7);
    assert_eq!(response.objects.len(), 1, "{response:?}");
    assert!(distance(&response.objects[0].object.pose, expected.coords) < 1e-5, "{response:?}");
}

/// All points of the robot and of what it carries are its own, wherever it is.
#[test]
fn the_robot_is_not_an_object() {
    let mut bench = Bench::arm();
    let mut tool = SceneObject {
        id: "tool".into(),
        link: "hand".into(),
        surfaces: vec![Surface {
            kind: Surface::SPHERE,
            dimensions: vec![0.03],
            ..Surface::default()
        }],
        ..SceneObject::default()
    };
    tool.header.frame_id = "hand".into();
    tool.pose.position.z = 0.15;
    let attach =
        SceneChange { operation: SceneChange::ATTACH, object: tool, ..SceneChange::default() };
    assert_eq!(bench.ask(&ApplyScene, ApplySceneRequest { changes: vec![attach] }).status, 1);
    let scene = bench.scene();
    let positions =
        bench.joints.positions(scene.model(), &open_arm(), bench.now, i64::MAX).unwrap();
    let poses = forward_kinematics(scene.model(), &positions).unwrap();
    let mut robot = Vec::new();
    for id in scene.model().link_ids() {
        for surface in &scene.model().link(id).collisions {
            robot.extend(surface_points(&(poses[id] * surface.pose_in_link), &surface.shape));
        }
    }
    let hand = poses[scene.model().link_id("hand").unwrap()];
    let tool = hand * CorePose::translation(0.0, 0.0, 0.15);
    robot.extend(surface_points(&tool, &Shape::sphere(0.03).unwrap()));
    let points = [robot.clone(), ball(1.5, 0.0, 0.5)].concat();
    let response = ask(&mut bench, FitCloudRequest::RETURN, message("", &points));
    assert_eq!(response.of_robot as usize, robot.len());
    assert_eq!(ids(&response), ["cloud/object_0"]);
    let request = FitCloudRequest {
        cloud: message("", &points),
        action: FitCloudRequest::RETURN,
        keep_robot: true,
        ..FitCloudRequest::default()
    };
    let response = bench.ask(&FitCloud, request);
    assert_eq!(response.of_robot, 0);
    assert!(response.objects.len() > 1);
}

#[test]
fn what_cannot_be_fitted_is_refused_or_gets_its_hull_with_a_reason() {
    let mut bench = Bench::arm();
    let three = [Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.1, 0.0, 0.0), Vec3::new(2.0, 0.1, 0.0)];
    let response = ask(&mut bench, FitCloudRequest::ADD, message("", &three));
    assert_eq!(response.status, FitCloudResponse::OK);
    let least = SceneOptions::default().min_points;
    assert_eq!(response.objects[0].reason, format!("no {least} points are near each other"));
    assert_eq!(response.objects[0].object.surfaces[0].vertices.len(), 3);
    assert_eq!(world(&bench), ["cloud/object_0"]);
    let good = || FitCloudRequest {
        cloud: message("", &three),
        action: FitCloudRequest::REPLACE,
        ..FitCloudRequest::default()
    };
    let cases: [(FitCloudRequest, &str); 9] = [
        (FitCloudRequest { action: 0, ..good() }, "action is 0, must be 1 to 3"),
        (FitCloudRequest { set: "a/b".into(), ..good() }, "set is `a/b`, must not contain a slash"),
        (FitCloudRequest { gap: -1.0, ..good() }, "gap is -1, must be in [1e-5, 1000] m"),
        (
            FitCloudRequest { robot_margin: f64::NAN, ..good() },
            "robot_padding is NaN, must be in [0, 10] m",
        ),
        (FitCloudRequest { kinds: vec!["cube".into()], ..good() }, "kinds[0]: no kind `cube`"),
        (
            FitCloudRequest { kinds: vec!["hull".into()], ..good() },
            "kind `hull` is not fitted to points, must be sphere, ellipsoid, superellipsoid or superovoid",
        ),
        (
            FitCloudRequest { cloud: message("", &[Vec3::repeat(f64::NAN)]), ..good() },
            "cloud has no point with finite coordinates (1 without)",
        ),
        (
            FitCloudRequest { cloud: message("", &[Vec3::repeat(3e5)]), ..good() },
            "point 0 is [300000.0, 300000.0, 300000.0], must be within 1e5 m",
        ),
        (FitCloudRequest { cloud: PointCloud2::default(), ..good() }, "cloud.fields: no field `x`"),
    ];
    for (request, expected) in cases {
        let refusal = bench.refusal(&FitCloud, request);
        assert_eq!((refusal.status as u8, refusal.message.as_str()), (2, expected));
    }
    bench.limits.cloud_points = 2;
    assert_eq!(bench.refusal(&FitCloud, good()).message, "cloud has 3 points, must have at most 2");
    bench.limits.cloud_points = 3;
    let unknown = FitCloudRequest { cloud: message("camera", &three), ..good() };
    assert_eq!(bench.refusal(&FitCloud, unknown).status as u8, FitCloudResponse::NO_TRANSFORM);
    bench.now += 1 << 40;
    assert_eq!(bench.refusal(&FitCloud, good()).status as u8, FitCloudResponse::NO_STATE);
    let keep = FitCloudRequest { keep_robot: true, ..good() };
    assert_eq!(bench.ask(&FitCloud, keep).status, FitCloudResponse::OK);
    assert_eq!(bench.ask(&FitCloud, good()).objects, []);
    assert_eq!(world(&bench), ["cloud/object_0"]);
    let mut empty = Bench::empty();
    assert_eq!(empty.refusal(&FitCloud, good()).status as u8, FitCloudResponse::NO_ROBOT);
}
