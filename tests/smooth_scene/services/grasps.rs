//! `grasp_quality` against the library: the right hand of the iCub around an egg.

use std::sync::Arc;

use smooth_scene::dynamics::{GraspDetail, GraspPose, GraspQuestion, JudgedGrasp, judge_grasps};
use smooth_scene::interfaces::geometry_msgs::msg::Pose;
use smooth_scene::interfaces::srv::{GraspQualityRequest, GraspQualityResponse};
use smooth_scene::math::Vec3;
use smooth_scene::node::services::GraspQuality;
use smooth_scene::robot::forward_kinematics;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::scene::{PlanningScene, WorldFile};
use smooth_scene_test_support::{movement, repository_file};

use super::bench::{Bench, SECOND, joint_state};

/// The hands with the egg where the best grasp holds it; the open hand and that grasp.
fn egg() -> (PlanningScene, Vec<Vec<f64>>) {
    let model = movement::bundled("icub_hands_mixed.urdf");
    let srdf = Srdf::load(repository_file("urdf/icub_hands.srdf")).unwrap();
    let (semantics, _) = srdf.resolve(&model).unwrap();
    let mut scene = PlanningScene::new(Arc::clone(&model), Some(semantics)).unwrap();
    WorldFile::load(repository_file("examples/files/egg.yaml"))
        .unwrap()
        .add_to(&mut scene)
        .unwrap();
    let text = std::fs::read_to_string(repository_file("examples/files/egg_grasps.csv")).unwrap();
    let state = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
    let states = text.lines().skip(1).map(state).collect();
    (scene, states)
}

/// The hand holds the egg.
fn bench() -> Bench {
    let (scene, states) = egg();
    let names = scene.model().variable_names().to_vec();
    let joints: Vec<(&str, f64)> =
        names.iter().map(String::as_str).zip(states[1].iter().copied()).collect();
    let bench = Bench::with(scene);
    bench.joints.update(&joint_state(&joints), bench.now).unwrap();
    bench
}

fn request() -> GraspQualityRequest {
    GraspQualityRequest {
        hand: vec!["r_hand".into()],
        object: "egg".into(),
        margin: 1e-3,
        friction: 0.5,
        edges: 6,
        ..GraspQualityRequest::default()
    }
}

fn judged(scene: &PlanningScene, states: &[Vec<f64>]) -> Vec<JudgedGrasp> {
    let question = GraspQuestion {
        hand: scene.body_set(&["r_hand"]).unwrap().unwrap(),
        object: scene.world().find("egg").unwrap(),
        margin: 1e-3,
        friction: 0.5,
        edges: 6,
        detail: GraspDetail::Gradient,
    };
    let poses: Vec<GraspPose<'_>> =
        states.iter().map(|positions| GraspPose { positions, object_w: None }).collect();
    judge_grasps(scene, &question, &poses).unwrap()
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let mut bench = bench();
    let (scene, states) = egg();
    let expected = judged(&scene, &states);
    let asked = GraspQualityRequest {
        joint_names: scene.model().variable_names().to_vec(),
        positions: states.concat(),
        contacts: true,
        gradient: true,
        ..request()
    };
    let answer = bench.ask(&GraspQuality, asked);
    assert_eq!((answer.status, answer.message.as_str()), (GraspQualityResponse::OK, ""));
    assert_eq!(answer.closed, [false, true]);
    assert_eq!(answer.contact_count, [0, 5]);
    let grasp = &expected[1];
    assert_eq!(answer.epsilon, [0.0, grasp.quality.epsilon]);
    assert_eq!(answer.epsilon_lower[1], grasp.quality.epsilon_lower);
    assert_eq!(answer.volume, [0.0, grasp.quality.volume]);
    let (force, torque) = (&answer.weakest[1].force, &answer.weakest[1].torque);
    let weakest = [force.x, force.y, force.z, torque.x, torque.y, torque.z];
    assert_eq!(weakest, grasp.quality.weakest.as_slice());
    // The gradient: one row, of the second grasp.
    let gradient = grasp.gradient.as_ref().unwrap();
    assert_eq!(answer.gradient_grasps, [1]);
    assert_eq!(answer.gradient_joints, scene.model().variable_names());
    assert_eq!(answer.epsilon_gradient, gradient.epsilon[0]);
    assert_eq!(answer.volume_gradient, gradient.volume);
    let (mut right, mut left) = (0f64, 0f64);
    for (name, slope) in answer.gradient_joints.iter().zip(&answer.epsilon_gradient) {
        let most = if name.starts_with("r_") { &mut right } else { &mut left };
        *most = most.max(slope.abs());
    }
    assert!(right > 0.1 && left == 0.0, "{right} {left}");
    // The contacts: normals into the egg, whose middle is the centre; positive curvatures.
    assert_eq!(answer.contacts.len(), 5);
    let center = Vec3::new(answer.center[1].x, answer.center[1].y, answer.center[1].z);
    for (contact, expected) in answer.contacts.iter().zip(&grasp.contacts.contacts) {
        assert!(contact.body.starts_with("r_"), "{}", contact.body);
        let point = Vec3::new(contact.point.x, contact.point.y, contact.point.z);
        let normal = Vec3::new(contact.normal.x, contact.normal.y, contact.normal.z);
        assert_eq!((point, normal), (expected.point_w, expected.normal_w));
        assert!(normal.dot(&(center - point)) > 0.0 && contact.distance.abs() <= 1e-3);
        // Of an ellipsoid of these radii between a/c² = 24 and c/a² = 62; tapered, its tips have c/(a (1 ∓ T))² = 43 and 97.
        let curvatures = contact.object_curvatures;
        assert!(curvatures.iter().all(|k| (15.0..100.0).contains(k)), "{curvatures:?}");
        assert!(contact.hand_curvatures[0] <= contact.hand_curvatures[1]);
    }
    assert!((0.03..0.04).contains(&answer.length), "{}", answer.length);
}

#[test]
fn poses_of_the_object_are_in_the_frame_of_the_request() {
    let mut bench = bench();
    let (scene, states) = egg();
    // Without names the state is the current one: the grasp.
    let now = bench.ask(&GraspQuality, request());
    assert_eq!((now.status, &now.closed), (GraspQualityResponse::OK, &vec![true]));
    assert!(now.contacts.is_empty() && now.gradient_joints.is_empty());
    // The same pose by its place in the palm, and one a metre away.
    let poses = forward_kinematics(scene.model(), &states[1]).unwrap();
    let palm = poses[scene.model().link_id("r_palm").unwrap()];
    let in_palm = palm.inverse() * scene.world().by_name("egg").unwrap().pose();
    let (at, turn) = (in_palm.translation.vector, in_palm.rotation);
    let mut near = Pose::default();
    (near.position.x, near.position.y, near.position.z) = (at.x, at.y, at.z);
    let q = &mut near.orientation;
    (q.x, q.y, q.z, q.w) = (turn.i, turn.j, turn.k, turn.w);
    let mut far = near.clone();
    far.position.x += 1.0;
    let mut asked = GraspQualityRequest { object_poses: vec![near, far], ..request() };
    asked.header.frame_id = "r_palm".into();
    let answer = bench.ask(&GraspQuality, asked);
    assert_eq!((answer.status, answer.message.as_str()), (GraspQualityResponse::OK, ""));
    assert_eq!((answer.closed, answer.contact_count), (vec![true, false], vec![5, 0]));
    assert!((answer.epsilon[0] - now.epsilon[0]).abs() < 1e-6);
    // The scene is as it was.
    assert_eq!(
        bench.scene().world().by_name("egg").unwrap().pose(),
        scene.world().by_name("egg").unwrap().pose()
    );
}

#[test]
fn what_cannot_be_answered_says_why() {
    let mut bench = bench();
    bench.limits.states = 2;
    let pose = |x: f64| {
        let mut pose = Pose::default();
        pose.position.x = x;
        pose
    };
    let named = |names: &[&str], positions: &[f64]| GraspQualityRequest {
        joint_names: names.iter().map(ToString::to_string).collect(),
        positions: positions.to_vec(),
        ..request()
    };
    let cases = [
        (GraspQualityRequest { hand: vec![], ..request() }, "hand is empty"),
        (
            GraspQualityRequest { hand: vec!["paw".into()], ..request() },
            "hand: there is no link, object or group `paw`",
        ),
        (
            GraspQualityRequest { hand: vec!["egg".into()], ..request() },
            "hand: `egg` is an object of the world, must move with a link",
        ),
        (
            GraspQualityRequest { object: "eg".into(), ..request() },
            "object: the world has no object `eg`",
        ),
        (GraspQualityRequest { margin: -1.0, ..request() }, "margin is -1, must be 0 or more"),
        (GraspQualityRequest { margin: f64::NAN, ..request() }, "margin is NaN"),
        (GraspQualityRequest { friction: 0.0, ..request() }, "friction is 0, must be above 0"),
        (GraspQualityRequest { friction: -0.5, ..request() }, "friction is -0.5"),
        (GraspQualityRequest { friction: f64::NAN, ..request() }, "friction is NaN"),
        (GraspQualityRequest { friction: f64::INFINITY, ..request() }, "friction is inf"),
        (GraspQualityRequest { edges: 2, ..request() }, "edges is 2, must be 3 to 64"),
        (GraspQualityRequest { edges: 65, ..request() }, "edges is 65"),
        (named(&["r_thumb_flex_1"], &[]), "positions has 0 numbers for 1 joint_names"),
        (named(&[], &[0.1]), "positions has 1 numbers for 0 joint_names"),
        (named(&["r_thumb_flex_1"], &[0.0, f64::NAN]), "state 1: position of joint"),
        (named(&["knee"], &[0.0]), "`knee`"),
        (named(&["r_thumb_flex_1"], &[0.0; 3]), "3 states, must be at most 2"),
        (
            GraspQualityRequest { object_poses: vec![pose(0.0), pose(f64::NAN)], ..request() },
            "position of object_poses[1] is [NaN, 0, 0], must be finite",
        ),
        (
            GraspQualityRequest { object_poses: vec![pose(0.0); 3], ..request() },
            "3 grasps, must be at most 2",
        ),
        (
            GraspQualityRequest {
                object_poses: vec![pose(0.0); 3],
                ..named(&["r_thumb_flex_1"], &[0.0; 2])
            },
            "object_poses has 3 poses for 2 states, must be none, one or as many",
        ),
    ];
    for (asked, reason) in cases {
        let answer = bench.ask(&GraspQuality, asked);
        assert_eq!(answer.status, GraspQualityResponse::REFUSED, "{reason}");
        assert!(answer.message.contains(reason), "{} instead of {reason}", answer.message);
        assert!(answer.closed.is_empty() && answer.epsilon.is_empty());
    }
    let mut elsewhere = GraspQualityRequest { object_poses: vec![pose(0.0)], ..request() };
    elsewhere.header.frame_id = "map".into();
    assert_eq!(bench.ask(&GraspQuality, elsewhere).status, GraspQualityResponse::NO_TRANSFORM);
    bench.limits.results = 4;
    let many = bench.ask(&GraspQuality, GraspQualityRequest { contacts: true, ..request() });
    assert_eq!(many.message, "more than 4 contacts, which is the limit: ask for fewer grasps");
    bench.fitting.close("the node is shutting down");
    let ended = bench.ask(&GraspQuality, request());
    assert_eq!(ended.status, GraspQualityResponse::NOT_COMPUTED);
    assert_eq!(ended.message, "cancelled: the node is shutting down");
    assert_eq!(Bench::empty().ask(&GraspQuality, request()).status, GraspQualityResponse::NO_ROBOT);
    bench.fitting.open();
    bench.now += 10 * SECOND;
    assert_eq!(bench.ask(&GraspQuality, request()).status, GraspQualityResponse::NO_STATE);
    let unknown = Bench::with(egg().0).ask(&GraspQuality, request());
    assert_eq!(unknown.status, GraspQualityResponse::NO_STATE);
}
