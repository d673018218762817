//! `get_distance` against the library.

use smooth_scene::convert::Status;
use smooth_scene::interfaces::msg::Proximity;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::node::services::GetDistance;
use smooth_scene::query::QueryOptions;
use smooth_scene::scene::{Between, CheckRequest, NearestRequest, Workspace};

use super::bench::{Bench, arm, joint_state, open_arm};
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

fn request(max_distance: f64) -> GetDistanceRequest {
    GetDistanceRequest { max_distance, ..GetDistanceRequest::default() }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let scene = hands::scene(0.16);
    let names = scene.model().variable_names().to_vec();
    let mut bench = Bench::with(scene.clone());
    let mut ws = Workspace::cold();
    for (k, positions) in hands::random_states(scene.model(), 40, seed(7)).into_iter().enumerate() {
        let certify = k % 3 == 0;
        let mut asked = request([0.0, 0.02, f64::INFINITY][k % 3]);
        asked.joint_state.name.clone_from(&names);
        asked.joint_state.position.clone_from(&positions);
        (asked.max_results, asked.gradient, asked.certify) = ((k % 4) as u32 * 3, true, certify);
        let query = if certify { QueryOptions::certified() } else { QueryOptions::default() };
        let mut wanted = NearestRequest {
            check: CheckRequest { query, ..CheckRequest::default() },
            max_distance: asked.max_distance,
            max_results: if k % 4 == 0 { usize::MAX } else { (k % 4) * 3 },
            ..NearestRequest::default()
        };
        if k % 2 == 0 {
            (asked.bodies_a, asked.bodies_b) =
                (strings(&["r_palm"]), strings(&["l_palm", "r_index_3"]));
            let set = |names: &[String]| scene.body_set(names).unwrap();
            wanted.check.between = Between { a: set(&asked.bodies_a), b: set(&asked.bodies_b) };
        }
        let mut expected = Vec::new();
        scene.nearest(&positions, &wanted, &mut ws, &mut expected).unwrap();
        let answer = bench.ask(&GetDistance, asked);
        assert_eq!((answer.status, answer.message.as_str()), (GetDistanceResponse::OK, ""));
        assert_eq!((answer.revision, &answer.joint_names), (1, &names));
        assert_eq!(answer.proximities.len(), expected.len());
        for (found, expected) in answer.proximities.iter().zip(&expected) {
            let mut gradient = Vec::new();
            scene.gradient(&ws, expected, &mut gradient);
            let d = &expected.distance;
            assert_eq!([found.distance, found.lower, found.upper], [d.distance, d.lower, d.upper]);
            assert_eq!(
                [found.point_a.x, found.point_b.y, found.normal.z],
                [d.witness_a_w.x, d.witness_b_w.y, d.normal_ab_w.z]
            );
            assert_eq!(found.body_a, scene.body_name(expected.body_a));
            assert_eq!(found.body_b, scene.body_name(expected.body_b));
            assert_eq!((&found.gradient, found.of_hull), (&gradient, d.of_hull));
            assert_ne!(found.status, Proximity::NOT_COMPUTED);
        }
    }
}

#[test]
fn what_cannot_be_answered_says_why_and_has_no_pairs() {
    let cases: Vec<(GetDistanceRequest, &str)> = vec![
        (request(f64::NAN), "max_distance is NaN, must be 0 or more"),
        (request(-0.5), "max_distance is -0.5, must be 0 or more"),
        (
            GetDistanceRequest { max_results: 100_001, ..request(1.0) },
            "max_results is 100001, must be at most 100000",
        ),
        (
            GetDistanceRequest { bodies_a: strings(&["hand", "nose"]), ..request(1.0) },
            "bodies_a: there is no link, object or group `nose`",
        ),
        (
            GetDistanceRequest { bodies_b: strings(&[""]), ..request(1.0) },
            "bodies_b: there is no link, object or group ``",
        ),
        (
            GetDistanceRequest { joint_state: joint_state(&[("elbow", f64::NAN)]), ..request(1.0) },
            "position of joint `elbow` is NaN, must be finite",
        ),
        (
            GetDistanceRequest { joint_state: joint_state(&[("knee", 0.0)]), ..request(1.0) },
            "`knee`: no such joint or variable",
        ),
    ];
    let mut bench = Bench::arm();
    for (asked, reason) in cases {
        let refused = GetDistanceResponse {
            status: GetDistanceResponse::REFUSED,
            message: reason.into(),
            ..GetDistanceResponse::default()
        };
        assert_eq!(bench.ask(&GetDistance, asked), refused);
    }
    let nobody = Bench::empty().ask(&GetDistance, request(1.0));
    assert_eq!(
        (nobody.status, nobody.message.as_str()),
        (Status::NoRobot as u8, "no robot description has been received")
    );
    let unknown = Bench::with(arm()).ask(&GetDistance, request(1.0));
    assert_eq!(unknown.status, GetDistanceResponse::NO_STATE);
    assert_eq!(unknown.message, "no joint state has been received for `shoulder`, `elbow`, `grip`");
    let overloaded = smooth_scene::convert::Refusal::overloaded(7);
    let busy = smooth_scene::node::Service::refuse(&GetDistance, overloaded);
    assert_eq!(
        (busy.status, busy.message.as_str()),
        (GetDistanceResponse::OVERLOADED, "7 requests are waiting already; ask again")
    );
    for response in [nobody, unknown, busy] {
        assert!(response.proximities.is_empty() && response.status != GetDistanceResponse::OK);
    }
}

#[test]
fn joints_that_are_not_named_keep_their_current_value() {
    let mut bench = Bench::arm();
    let current = bench.ask(&GetDistance, request(f64::INFINITY));
    let mut named = request(f64::INFINITY);
    named.joint_state = open_arm();
    assert_eq!(bench.ask(&GetDistance, named), current);
    let mut closed = request(0.0);
    closed.joint_state = joint_state(&[("grip", 0.004)]);
    let touching = bench.ask(&GetDistance, closed);
    assert_eq!(touching.proximities.len(), 1);
    let pair = &touching.proximities[0];
    assert_eq!((pair.body_a.as_str(), pair.body_b.as_str()), ("left", "right"));
    assert!((pair.distance + 0.002).abs() < 1e-9);
    // Groups stand for their links.
    let mut groups = request(f64::INFINITY);
    (groups.bodies_a, groups.bodies_b) = (strings(&["gripper"]), strings(&["base"]));
    let found = bench.ask(&GetDistance, groups);
    let pairs: Vec<_> =
        found.proximities.iter().map(|p| (p.body_a.as_str(), p.body_b.as_str())).collect();
    assert_eq!(pairs.len(), 2);
    assert!(pairs.contains(&("base", "left")) && pairs.contains(&("base", "right")));
}

#[test]
fn gradients_have_a_column_for_every_velocity() {
    let mut bench = Bench::with(super::bench::cart());
    let mut asked = GetDistanceRequest { gradient: true, ..request(f64::INFINITY) };
    let names = [
        "drive/x",
        "drive/y",
        "drive/theta",
        "flight/trans_x",
        "flight/trans_y",
        "flight/trans_z",
        "flight/rot_x",
        "flight/rot_y",
        "flight/rot_z",
        "flight/rot_w",
    ];
    let values = [0.0, 0.0, 0.3, 0.2, 0.1, 0.4, 0.0, 0.0, 0.0, 1.0];
    asked.joint_state = joint_state(&names.into_iter().zip(values).collect::<Vec<_>>());
    let answer = bench.ask(&GetDistance, asked);
    assert_eq!(answer.joint_names, names[..9]);
    // The ball is above the chassis: flying up takes it away, driving does nothing.
    let gradient = &answer.proximities[0].gradient;
    assert_eq!(gradient.len(), 9);
    assert!((gradient[5] - 1.0).abs() < 1e-9 && gradient[0].abs() < 1e-12, "{gradient:?}");
}
