//! `check_motion` against the library.

use smooth_scene::interfaces::builtin_interfaces::msg::Duration;
use smooth_scene::interfaces::msg::Proximity;
use smooth_scene::interfaces::srv::{CheckMotionRequest, CheckMotionResponse};
use smooth_scene::interfaces::trajectory_msgs::msg::{JointTrajectory, JointTrajectoryPoint};
use smooth_scene::node::services::CheckMotion;
use smooth_scene::query::{MotionGoal, MotionOptions};
use smooth_scene::scene::{MotionRequest, PlanningScene};

use super::bench::{Bench, arm};
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

fn trajectory(joints: &[&str], points: &[&[f64]], seconds: &[f64]) -> JointTrajectory {
    let point = |(k, positions): (usize, &&[f64])| {
        let time = seconds.get(k).copied().unwrap_or(0.0);
        JointTrajectoryPoint {
            positions: positions.to_vec(),
            time_from_start: Duration { sec: time as i32, nanosec: (time.fract() * 1e9) as u32 },
            ..JointTrajectoryPoint::default()
        }
    };
    JointTrajectory {
        joint_names: joints.iter().map(ToString::to_string).collect(),
        points: points.iter().enumerate().map(point).collect(),
        ..JointTrajectory::default()
    }
}

fn request(joints: &[&str], points: &[&[f64]], seconds: &[f64]) -> CheckMotionRequest {
    CheckMotionRequest {
        trajectory: trajectory(joints, points, seconds),
        ..CheckMotionRequest::default()
    }
}

fn same_as_library(scene: &PlanningScene, waypoints: &[Vec<f64>], closest: bool) -> u8 {
    let mut bench = Bench::with(scene.clone());
    let names: Vec<&str> = scene.model().variable_names().iter().map(String::as_str).collect();
    let points: Vec<&[f64]> = waypoints.iter().map(Vec::as_slice).collect();
    let mut asked = request(&names, &points, &[]);
    asked.closest_approach = closest;
    let goal = if closest { MotionGoal::ClosestApproach } else { MotionGoal::FirstContact };
    let options = MotionOptions { goal, ..MotionOptions::default() };
    let wanted = MotionRequest { options, ..MotionRequest::default() };
    let expected = scene.check_motion(waypoints, &wanted).unwrap();
    let found = bench.ask(&CheckMotion, asked);
    assert_eq!((found.status, found.message.as_str()), (CheckMotionResponse::OK, ""));
    assert_eq!(found.first_contact, expected.first_contact.unwrap_or(-1.0));
    assert_eq!(
        [found.free_until, found.closest_time, found.lower],
        [expected.free_until, expected.closest_time, expected.lower]
    );
    let nearest = expected.closest.unwrap();
    assert_eq!(found.closest.distance, nearest.distance.distance);
    assert_eq!(found.closest.body_a, scene.body_name(nearest.body_a));
    found.result
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let mut results = Vec::new();
    for apart in [0.12, 0.5] {
        let scene = hands::scene(apart);
        let states = hands::random_states(scene.model(), 40, seed(11));
        for pair in states.chunks_exact(2).take(6) {
            results.push(same_as_library(&scene, pair, false));
            results.push(same_as_library(&scene, pair, true));
        }
    }
    assert!(results.contains(&CheckMotionResponse::COLLISION));
    // The fingers of one random hand may touch each other; the arm opens its gripper freely.
    let open = [vec![0.3, 0.7, 0.03], vec![0.2, 0.8, 0.02]];
    assert_eq!(same_as_library(&arm(), &open, true), CheckMotionResponse::FREE);
}

#[test]
fn moments_are_given_in_seconds_when_the_trajectory_has_times() {
    let mut bench = Bench::arm();
    // The fingers are 10 mm wide and stand at ±grip: they touch at 5 mm, after 2.5 of 4 waypoints.
    let points: [&[f64]; 4] = [&[0.03], &[0.02], &[0.01], &[0.0]];
    let asked = request(&["grip"], &points, &[1.0, 2.0, 4.0, 8.0]);
    let found = bench.ask(&CheckMotion, asked.clone());
    assert_eq!(found.result, CheckMotionResponse::COLLISION);
    // They count as touching when nearer than this multiple of their bounding radius, within a tenth for the distance
    // itself; they close at 0.02 m a waypoint.
    let radius = f64::hypot(f64::hypot(0.01, 0.005), 0.03);
    let early = 1.1 * MotionOptions::default().contact_tolerance * radius / 0.02;
    assert!((found.first_contact - 2.5).abs() <= early, "{found:?}");
    // The last waypoint takes 4 s; times are whole nanoseconds.
    let is_at_six = |time: &Duration| {
        let seconds = f64::from(time.sec) + 1e-9 * f64::from(time.nanosec);
        (seconds - 6.0).abs() <= 4.0 * early + 1e-9
    };
    assert!(is_at_six(&found.first_contact_time), "{found:?}");
    assert!(is_at_six(&found.free_until_time), "{found:?}");
    assert_eq!(found.closest_time_from_start, found.first_contact_time);
    // From the current state, which is waypoint 0 at time 0: 0.03, and the first point is the same.
    let current =
        bench.ask(&CheckMotion, CheckMotionRequest { start_at_current_state: true, ..asked });
    assert!((current.first_contact - 3.5).abs() <= early, "{current:?}");
    assert!(is_at_six(&current.first_contact_time), "{current:?}");
    // Without times.
    let free = bench.ask(&CheckMotion, request(&["grip"], &points[..2], &[]));
    assert_eq!((free.result, free.first_contact), (CheckMotionResponse::FREE, -1.0));
    assert_eq!((free.free_until, free.free_until_time), (1.0, Duration::default()));
}

#[test]
fn what_cannot_be_answered_says_why_and_is_not_free() {
    let mut bench = Bench::arm();
    bench.limits.waypoints = 3;
    let mut nobody = request(&["grip"], &[&[0.02], &[0.03]], &[]);
    nobody.bodies_a = vec!["nose".into()];
    for (asked, reason) in [
        (request(&["grip"], &[], &[]), "a motion needs at least two waypoints, 0 given"),
        (request(&["grip"], &[&[0.03]], &[]), "a motion needs at least two waypoints, 1 given"),
        (request(&["grip"], &[&[0.0][..]; 4], &[]), "trajectory has 4 points, must have at most 3"),
        (
            request(&["grip"], &[&[0.0], &[]], &[]),
            "trajectory.points[1] has 0 positions, must have 1",
        ),
        (
            request(&["grip"], &[&[0.0], &[f64::NAN]], &[]),
            "trajectory.points[1]: position of joint `grip` is NaN, must be finite",
        ),
        (request(&["knee"], &[&[0.0], &[0.0]], &[]), "`knee`: no such joint or variable"),
        (
            request(&["grip"], &[&[0.02], &[0.03]], &[2.0, 1.0]),
            "trajectory.points[1].time_from_start is before the one before",
        ),
        (nobody, "bodies_a: there is no link, object or group `nose`"),
    ] {
        let refused = CheckMotionResponse {
            status: CheckMotionResponse::REFUSED,
            message: reason.into(),
            first_contact: -1.0,
            ..CheckMotionResponse::default()
        };
        assert_eq!(bench.ask(&CheckMotion, asked), refused);
    }
    let two: [&[f64]; 2] = [&[0.02], &[0.03]];
    let unknown = Bench::with(arm()).ask(&CheckMotion, request(&["grip"], &two, &[]));
    let none = Bench::empty().ask(&CheckMotion, request(&["grip"], &two, &[]));
    assert_eq!(
        (unknown.status, none.status),
        (CheckMotionResponse::NO_STATE, CheckMotionResponse::NO_ROBOT)
    );
    for response in [unknown, none] {
        assert_eq!((response.result, response.closest.status), (0, Proximity::NOT_COMPUTED));
    }
}
