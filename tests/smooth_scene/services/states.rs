//! `check_states` against the library.

use smooth_scene::interfaces::srv::{CheckStatesRequest, CheckStatesResponse};
use smooth_scene::node::services::CheckStates;
use smooth_scene::scene::{CheckRequest, PairLevel};

use super::bench::{Bench, arm};
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

fn request(joints: &[&str], positions: &[f64]) -> CheckStatesRequest {
    CheckStatesRequest {
        joint_names: joints.iter().map(ToString::to_string).collect(),
        positions: positions.to_vec(),
        ..CheckStatesRequest::default()
    }
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let scene = hands::scene(0.1);
    let states = hands::random_states(scene.model(), 300, seed(3));
    let mut bench = Bench::with(scene.clone());
    let mut asked = CheckStatesRequest {
        joint_names: scene.model().variable_names().to_vec(),
        positions: states.concat(),
        ..CheckStatesRequest::default()
    };
    let check = CheckRequest::default();
    let touching = scene.states_in_collision(&states, &check).unwrap();
    assert!(touching.contains(&true) && touching.contains(&false));
    let verdicts: Vec<u8> = touching.iter().map(|&t| if t { 2 } else { 1 }).collect();
    let quick = bench.ask(&CheckStates, asked.clone());
    assert_eq!((quick.status, &quick.states), (CheckStatesResponse::OK, &verdicts));
    assert!(quick.contacts.is_empty() && quick.contact_states.is_empty());

    asked.max_contacts = 3;
    let answer = bench.ask(&CheckStates, asked);
    assert_eq!((answer.status, &answer.states), (CheckStatesResponse::OK, &verdicts));
    assert_eq!(answer.contacts.len(), answer.contact_states.len());
    let expected = scene.states_contacts(&states, &check, PairLevel::Bodies).unwrap();
    for (state, mut contacts) in expected.into_iter().enumerate() {
        contacts.sort_by(|x, y| x.distance.distance.total_cmp(&y.distance.distance));
        contacts.truncate(3);
        let found = answer.contacts.iter().zip(&answer.contact_states);
        let found: Vec<_> = found.filter(|(_, of)| **of == state as u32).collect();
        assert_eq!(found.len(), contacts.len());
        for ((found, _), expected) in found.iter().zip(&contacts) {
            let d = &expected.distance;
            assert_eq!([found.distance, found.lower, found.upper], [d.distance, d.lower, d.upper]);
            assert_eq!(found.body_a, scene.body_name(expected.body_a));
            assert_eq!(found.body_b, scene.body_name(expected.body_b));
        }
    }
}

#[test]
fn joints_that_are_not_named_keep_their_current_value_in_every_state() {
    let mut bench = Bench::arm();
    let answer = bench.ask(&CheckStates, request(&["grip"], &[0.03, 0.004, 0.006]));
    assert_eq!(answer.states, [1, 2, 1]);
    let mut between = request(&["grip"], &[0.004]);
    between.bodies_a = vec!["arm".into()];
    assert_eq!(bench.ask(&CheckStates, between).states, [1]);
}

#[test]
fn what_cannot_be_answered_says_why_and_calls_nothing_free() {
    let mut bench = Bench::arm();
    bench.limits.states = 3;
    bench.limits.results = 1;
    let mut many = request(&["grip"], &[0.004, 0.004]);
    many.max_contacts = 1;
    let mut nobody = request(&["grip"], &[0.004]);
    nobody.bodies_b = vec!["nose".into()];
    let multiple = |numbers, joints| {
        format!(
            "positions has {numbers} numbers for {joints} joint_names, must be a multiple, not zero"
        )
    };
    for (asked, reason) in [
        (request(&[], &[]), multiple(0, 0)),
        (request(&["grip"], &[]), multiple(0, 1)),
        (request(&[], &[1.0]), multiple(1, 0)),
        (request(&["grip", "elbow"], &[1.0, 2.0, 3.0]), multiple(3, 2)),
        (request(&["grip"], &[0.0; 4]), "4 states, must be at most 3".into()),
        (
            request(&["grip"], &[0.0, f64::NAN]),
            "state 1: position of joint `grip` is NaN, must be finite".into(),
        ),
        (request(&["grip", "grip"], &[0.0, 0.0]), "joint `grip` is named twice".into()),
        (request(&["knee"], &[0.0]), "`knee`: no such joint or variable".into()),
        (
            request(&["grip", "grip_right"], &[0.01, 0.01, 0.01, 0.02]),
            "state 1: joint `grip_right` follows `grip` and would be at 0.01, not at 0.02".into(),
        ),
        (many, "2 contacts, must be at most 1: ask for fewer".into()),
        (nobody, "bodies_b: there is no link, object or group `nose`".into()),
    ] {
        let refused = CheckStatesResponse {
            status: CheckStatesResponse::REFUSED,
            message: reason,
            ..CheckStatesResponse::default()
        };
        assert_eq!(bench.ask(&CheckStates, asked), refused);
    }
    let unknown = Bench::with(arm()).ask(&CheckStates, request(&["grip"], &[0.03]));
    assert_eq!(unknown.status, CheckStatesResponse::NO_STATE);
    assert_eq!(unknown.message, "no joint state has been received for `shoulder`, `elbow`");
    let none = Bench::empty().ask(&CheckStates, request(&["grip"], &[0.03]));
    assert_eq!(none.status, CheckStatesResponse::NO_ROBOT);
    assert!(unknown.states.is_empty() && none.states.is_empty());
}
