//! `plan_motion`, `cancel_plans` and MoveIt's `plan_kinematic_path`: every path is checked by the library again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use smooth_scene::geometry::Shape;
use smooth_scene::interfaces::geometry_msgs::msg::{Pose, Vector3};
use smooth_scene::interfaces::moveit_msgs::msg::{
    Constraints, JointConstraint, MotionPlanRequest, MotionPlanResponse, MoveItErrorCodes as Code,
    OrientationConstraint, PositionConstraint, VisibilityConstraint,
};
use smooth_scene::interfaces::moveit_msgs::srv::GetMotionPlanRequest;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::{
    CancelPlansRequest, CancelPlansResponse, PlanMotionRequest, PlanMotionResponse as Answer,
};
use smooth_scene::interfaces::trajectory_msgs::msg::JointTrajectory;
use smooth_scene::math::Pose as CorePose;
use smooth_scene::node::services::{CancelPlans, PlanKinematicPath, PlanMotion};
use smooth_scene::robot::forward_kinematics;
use smooth_scene::scene::{
    CheckRequest, MotionRequest, PlanningScene, SceneChange, SceneObject, Workspace, WorldChange,
};

use super::bench::{Bench, arm, cart, joint_state, open_arm, thick_arm};

fn add(scene: &mut PlanningScene, name: &str, at: [f64; 3], half: [f64; 3]) {
    let pose = CorePose::translation(at[0], at[1], at[2]);
    let object = SceneObject::simple(name, pose, Shape::cuboid(half).unwrap()).unwrap();
    scene.apply(SceneChange::World(WorldChange::Add(object))).unwrap();
}

fn bench_of(scene: PlanningScene) -> Bench {
    let bench = Bench::with(scene);
    bench.joints.update(&open_arm(), bench.now).unwrap();
    bench
}

/// The arm below a box that it cannot sweep past stretched out.
fn below_a_box() -> Bench {
    let mut scene = arm();
    add(&mut scene, "box", [0.0, 0.0, 0.75], [0.05; 3]);
    bench_of(scene)
}

/// The arm before a wall that it cannot pass at all.
fn before_a_wall() -> Bench {
    let mut scene = arm();
    add(&mut scene, "wall", [0.0, 0.0, 0.9], [0.01, 0.5, 0.6]);
    bench_of(scene)
}

fn asked(start: [f64; 2], goal: [f64; 2]) -> PlanMotionRequest {
    let state =
        |[shoulder, elbow]: [f64; 2]| joint_state(&[("shoulder", shoulder), ("elbow", elbow)]);
    PlanMotionRequest {
        group: "arm".into(),
        start: state(start),
        goal: state(goal),
        seed: 3,
        ..PlanMotionRequest::default()
    }
}

const LEFT: [f64; 2] = [-0.6, 0.2];
const RIGHT: [f64; 2] = [0.6, -0.2];

fn seconds(point: &smooth_scene::interfaces::trajectory_msgs::msg::JointTrajectoryPoint) -> f64 {
    f64::from(point.time_from_start.sec) + 1e-9 * f64::from(point.time_from_start.nanosec)
}

/// A trajectory of the arm is free when its points are connected by straight lines, times increase, and limits are kept.
fn check_trajectory(scene: &PlanningScene, found: &JointTrajectory, acceleration: f64) {
    assert_eq!(found.joint_names, ["shoulder", "elbow"]);
    let whole = |point: &[f64]| vec![point[0], point[1], 0.03];
    let states: Vec<Vec<f64>> = found.points.iter().map(|point| whole(&point.positions)).collect();
    let motion = scene.check_motion(&states, &MotionRequest::default()).unwrap();
    assert_eq!(motion.first_contact, None);
    let mut ws = Workspace::cold();
    for ends in states.windows(2) {
        for step in 0..=50 {
            let share = f64::from(step) / 50.0;
            let mix: Vec<f64> =
                ends[0].iter().zip(&ends[1]).map(|(a, b)| a + share * (b - a)).collect();
            assert!(!scene.in_collision(&mix, &CheckRequest::default(), &mut ws).unwrap());
        }
    }
    for pair in found.points.windows(2) {
        let time = seconds(&pair[1]) - seconds(&pair[0]);
        assert!(time > 0.0, "times increase");
        for joint in 0..2 {
            let [before, after] = [0, 1].map(|k| pair[k].velocities[joint]);
            let way = pair[1].positions[joint] - pair[0].positions[joint];
            // On straight pieces velocity changes at a constant rate: the mean of both ends is that of the piece. On curves a
            // bounded acceleration leaves it within a quarter of what it may add. Times are whole nanoseconds.
            let off = (way - 0.5 * (before + after) * time).abs();
            let is_curve = pair.iter().all(|p| p.velocities.iter().any(|v| *v != 0.0));
            let most = if is_curve { 0.25 * acceleration * time * time } else { 0.0 };
            assert!(off < 1e-8 + most, "{pair:?}");
            assert!(
                (after - before).abs() <= acceleration * time * (1.0 + 1e-6) + 1e-8,
                "{pair:?}"
            );
        }
        // The velocity limit of the shoulder is 1, the elbow has none.
        assert!(pair[1].velocities[0].abs() <= 1.0 + 1e-9);
    }
}

/// The elbow has no limits: its angle is summed up along the path, so as not to wrap, and each sum may round.
fn assert_ends_at(found: &JointTrajectory, [shoulder, elbow]: [f64; 2]) {
    let end = &found.points[found.points.len() - 1].positions;
    assert_eq!(end[0], shoulder);
    assert!((end[1] - elbow).abs() <= f64::EPSILON * found.points.len() as f64, "{end:?}");
}

#[test]
fn a_path_is_proven_and_a_trajectory_along_it_keeps_the_limits() {
    let mut bench = below_a_box();
    let scene = bench.scene();
    let found = bench.ask(&PlanMotion, asked(LEFT, RIGHT));
    assert_eq!((found.status, found.result), (Answer::OK, Answer::PROVEN), "{}", found.message);
    check_trajectory(&scene, &found.trajectory, 1.0);
    let points = &found.trajectory.points;
    assert_eq!((points[0].positions.as_slice(), seconds(&points[0])), (&LEFT[..], 0.0));
    assert_ends_at(&found.trajectory, RIGHT);
    // The straight way is blocked.
    assert!(found.waypoints.len() > 2, "{:?}", found.waypoints);
    assert_eq!(found.waypoints.last(), Some(&(points.len() as u32 - 1)));
    let rests = |found: &Answer| {
        let at_rest = |place: &&u32| {
            let point = &found.trajectory.points[**place as usize];
            point.velocities == [0.0, 0.0]
        };
        found.waypoints.iter().filter(at_rest).count()
    };
    assert!(rests(&found) < found.waypoints.len(), "some corner is passed without a stop");
    // The same path with a stop at every waypoint takes longer.
    let stopping = bench.ask(&PlanMotion, PlanMotionRequest { blend: -1.0, ..asked(LEFT, RIGHT) });
    check_trajectory(&scene, &stopping.trajectory, 1.0);
    assert_eq!(rests(&stopping), stopping.waypoints.len());
    assert_eq!(stopping.waypoints.len(), found.waypoints.len());
    let duration = |found: &Answer| seconds(found.trajectory.points.last().unwrap());
    assert!(duration(&found) < duration(&stopping));
    let pieces = found.waypoints.len() - 1;
    assert_eq!((found.clearances.len(), found.nearest.len()), (pieces, 2 * pieces));
    assert!(found.clearances.iter().all(|&clearance| clearance >= 1e-4), "{:?}", found.clearances);
    assert!(found.nearest.iter().all(|name| scene.body(name).is_some()), "{:?}", found.nearest);
    assert!(found.states > 0 && found.proofs >= pieces as u64);
    assert_eq!(found, bench.ask(&PlanMotion, asked(LEFT, RIGHT)), "the same seed, the same path");
    // Slower on request, and no faster than the share.
    let slow = PlanMotionRequest {
        max_velocity_scaling: 0.25,
        max_acceleration: 0.5,
        ..asked(LEFT, RIGHT)
    };
    let slow = bench.ask(&PlanMotion, slow);
    check_trajectory(&scene, &slow.trajectory, 0.5);
    let top = slow.trajectory.points.iter().map(|p| p.velocities[0].abs()).fold(0.0, f64::max);
    assert!(top <= 0.25 + 1e-9, "{top}");
}

#[test]
fn a_margin_and_a_clearance_are_kept() {
    let mut bench = below_a_box();
    let wide = PlanMotionRequest { margin: 0.02, clearance: 0.01, ..asked(LEFT, RIGHT) };
    let found = bench.ask(&PlanMotion, wide);
    assert_eq!(found.result, Answer::PROVEN, "{}", found.message);
    assert!(found.clearances.iter().all(|&clearance| clearance > 0.01), "{:?}", found.clearances);
    // The fingers are 50 mm apart.
    let wider = PlanMotionRequest { margin: 0.06, ..asked(LEFT, RIGHT) };
    let found = bench.ask(&PlanMotion, wider);
    assert_eq!((found.status, found.result), (Answer::OK, Answer::IN_COLLISION));
    assert!(found.message.starts_with("start: `"), "{}", found.message);
    assert!(found.trajectory.points.is_empty());
}

/// A box 2 cm from the fore arm at the goal, which the thicker arm touches there.
#[test]
fn a_second_model_may_prove_what_the_first_does_not() {
    let near_the_goal = |mut scene: PlanningScene| {
        add(&mut scene, "box", [0.391, 0.0, 0.523], [0.05; 3]);
        scene
    };
    let described = thick_arm();
    let mut bench = bench_of(near_the_goal(described.clone()));
    let alone = bench.ask(&PlanMotion, asked(LEFT, RIGHT));
    assert_eq!((alone.status, alone.result), (Answer::OK, Answer::IN_COLLISION));
    assert!(alone.message.starts_with("goal: `fore` and `box`"), "{}", alone.message);
    bench.second_model.set(described, arm());
    let both = bench.ask(&PlanMotion, asked(LEFT, RIGHT));
    assert_eq!((both.status, both.result), (Answer::OK, Answer::PROVEN), "{}", both.message);
    check_trajectory(&near_the_goal(arm()), &both.trajectory, 1.0);
    let found = moveit(&mut bench, planned(LEFT, joint_goal(RIGHT)));
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    // A second model of another robot than the present one is not used.
    bench.store.replace_robot(near_the_goal(thick_arm()));
    let other = bench.ask(&PlanMotion, asked(LEFT, RIGHT));
    assert_eq!(other.result, Answer::IN_COLLISION);
}

#[test]
fn a_link_reaches_its_pose() {
    let mut bench = below_a_box();
    let scene = bench.scene();
    let hand = scene.model().link_id("hand").unwrap();
    let wanted = forward_kinematics(scene.model(), &[RIGHT[0], RIGHT[1], 0.03]).unwrap()[hand];
    let mut request = asked(LEFT, RIGHT);
    request.goal = JointState::default();
    request.goal_link = "hand".into();
    let at = &wanted.translation.vector;
    let position =
        smooth_scene::interfaces::geometry_msgs::msg::Point { x: at.x, y: at.y, z: at.z };
    let turn = &wanted.rotation;
    let orientation = smooth_scene::interfaces::geometry_msgs::msg::Quaternion {
        x: turn.i,
        y: turn.j,
        z: turn.k,
        w: turn.w,
    };
    request.goal_pose.pose = Pose { position, orientation };
    request.goal_pose.header.frame_id = "base".into();
    let found = bench.ask(&PlanMotion, request.clone());
    assert_eq!(found.result, Answer::PROVEN, "{}", found.message);
    check_trajectory(&scene, &found.trajectory, 1.0);
    let end = &found.trajectory.points.last().unwrap().positions;
    let reached = forward_kinematics(scene.model(), &[end[0], end[1], 0.03]).unwrap()[hand];
    assert!((reached.translation.vector - at).norm() < 1e-7);
    assert!(reached.rotation.angle_to(turn) < 1e-7);
    // MoveIt's words for the same.
    let region = PositionConstraint {
        link_name: "hand".into(),
        constraint_region: smooth_scene::interfaces::moveit_msgs::msg::BoundingVolume {
            primitives: vec![SolidPrimitive {
                type_: SolidPrimitive::SPHERE,
                dimensions: vec![0.001],
                ..SolidPrimitive::default()
            }],
            primitive_poses: vec![request.goal_pose.pose.clone()],
            ..Default::default()
        },
        target_point_offset: Vector3::default(),
        ..PositionConstraint::default()
    };
    let turned = OrientationConstraint {
        link_name: "hand".into(),
        orientation: request.goal_pose.pose.orientation.clone(),
        ..OrientationConstraint::default()
    };
    let goal = Constraints {
        position_constraints: vec![region],
        orientation_constraints: vec![turned],
        ..Constraints::default()
    };
    let found = moveit(&mut bench, planned(LEFT, goal));
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    check_trajectory(&scene, &found.trajectory.joint_trajectory, 1.0);
    request.goal_pose.pose.position.z = 5.0;
    let refusal = bench.refusal(&PlanMotion, request);
    assert!(refusal.message.starts_with("link `hand` does not reach the pose"), "{refusal}");
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let mut bench = below_a_box();
    let good = || asked(LEFT, RIGHT);
    let with = |change: &dyn Fn(&mut PlanMotionRequest)| {
        let mut request = good();
        change(&mut request);
        request
    };
    for (request, reason) in [
        (with(&|r| r.group = "leg".into()), "there is no group `leg`, the SRDF has: arm, gripper"),
        (with(&|r| r.goal = JointState::default()), "neither goal nor goal_link is given"),
        (with(&|r| r.goal_link = "hand".into()), "both goal and goal_link are given"),
        (with(&|r| r.goal.name[0] = "knee".into()), "goal: `knee`: no such joint or variable"),
        (
            with(&|r| r.goal.position[0] = f64::NAN),
            "goal: position of joint `shoulder` is NaN, must be finite",
        ),
        (with(&|r| r.goal.position[0] = 2.5), "goal: joint `shoulder` is at 2.5, outside [-2, 2]"),
        (
            with(&|r| {
                r.goal.name.push("grip".into());
                r.goal.position.push(0.02);
            }),
            "`grip` is 0.03 at the start and 0.02 at the goal, but it is not in the group that is planned for",
        ),
        (with(&|r| r.margin = -1.0), "margin is -1, must be 0 or more metres"),
        (with(&|r| r.clearance = f64::INFINITY), "clearance is inf, must be 0 or more metres"),
        (with(&|r| r.allowed_time = -1.0), "allowed_time is -1, must be 0 to 3600 s"),
        (with(&|r| r.max_velocity_scaling = 1.5), "max_velocity_scaling is 1.5, must be 0 to 1"),
        (
            with(&|r| r.max_acceleration = -1.0),
            "acceleration limit is -1, must be above 0 and finite",
        ),
        (with(&|r| r.blend = f64::INFINITY), "blend is inf, must be 0 or more and finite"),
    ] {
        let found = bench.ask(&PlanMotion, request);
        assert_eq!((found.status, found.message.as_str()), (Answer::REFUSED, reason));
        assert_eq!((found.result, found.trajectory.points.len()), (0, 0));
    }
    let found = Bench::empty().ask(&PlanMotion, good());
    assert_eq!(found.status, Answer::NO_ROBOT);
    let found = Bench::with(arm()).ask(&PlanMotion, good());
    assert_eq!(found.status, Answer::NO_STATE, "{}", found.message);
}

#[test]
fn no_path_is_no_path_whatever_ended_the_search() {
    let mut bench = before_a_wall();
    let far = || asked([-0.8, 0.0], [0.8, 0.0]);
    let few = bench.ask(&PlanMotion, PlanMotionRequest { max_states: 2000, ..far() });
    assert_eq!((few.status, few.result), (Answer::OK, Answer::NO_CONNECTION));
    assert!(few.message.starts_with("no connection of start and goal within"), "{}", few.message);
    let short = bench.ask(&PlanMotion, PlanMotionRequest { allowed_time: 0.05, ..far() });
    assert_eq!((short.status, short.result), (Answer::OK, Answer::TIMED_OUT));
    let inside = bench.ask(&PlanMotion, asked([-0.8, 0.0], [0.0, 0.0]));
    assert_eq!((inside.status, inside.result), (Answer::OK, Answer::IN_COLLISION));
    assert!(inside.message.starts_with("goal: `"), "{}", inside.message);
    for found in [few, short, inside] {
        assert!(found.trajectory.points.is_empty() && found.clearances.is_empty());
    }
}

#[test]
fn planning_ends_soon_after_it_is_cancelled() {
    let mut bench = before_a_wall();
    let planning = Arc::clone(&bench.planning);
    let request = PlanMotionRequest {
        max_states: u64::MAX,
        allowed_time: 600.0,
        ..asked([-0.8, 0.0], [0.8, 0.0])
    };
    let planner = std::thread::spawn(move || {
        let answer = bench.ask(&PlanMotion, request);
        (answer, Instant::now())
    });
    let mut other = before_a_wall();
    other.planning = planning;
    let cancelled_at = loop {
        let begin = Instant::now();
        let found = other.ask(&CancelPlans, CancelPlansRequest { reason: "enough".into() });
        assert_eq!(found.status, CancelPlansResponse::OK);
        if found.cancelled == 1 {
            break begin;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let (answer, ended_at) = planner.join().unwrap();
    assert_eq!((answer.status, answer.result), (Answer::OK, Answer::CANCELLED));
    assert_eq!(answer.message, "cancelled: enough");
    println!("ended {:?} after it was cancelled", ended_at - cancelled_at);
    let none = other.ask(&CancelPlans, CancelPlansRequest::default());
    assert_eq!(none.cancelled, 0);
}

fn joint_goal(goal: [f64; 2]) -> Constraints {
    let joints = ["shoulder", "elbow"].into_iter().zip(goal);
    let joint_constraints = joints
        .map(|(name, position)| JointConstraint {
            joint_name: name.into(),
            position,
            tolerance_above: 1e-4,
            tolerance_below: 1e-4,
            weight: 1.0,
        })
        .collect();
    Constraints { joint_constraints, ..Constraints::default() }
}

/// A request as `MoveGroupInterface` fills it.
fn planned(start: [f64; 2], goal: Constraints) -> MotionPlanRequest {
    let mut request = MotionPlanRequest {
        group_name: "arm".into(),
        goal_constraints: vec![goal],
        num_planning_attempts: 1,
        allowed_planning_time: 5.0,
        max_velocity_scaling_factor: 0.1,
        max_acceleration_scaling_factor: 0.1,
        ..MotionPlanRequest::default()
    };
    request.start_state.joint_state = joint_state(&[("shoulder", start[0]), ("elbow", start[1])]);
    request.start_state.is_diff = true;
    request
}

fn moveit(bench: &mut Bench, request: MotionPlanRequest) -> MotionPlanResponse {
    let request = GetMotionPlanRequest { motion_plan_request: request };
    bench.ask(&PlanKinematicPath, request).motion_plan_response
}

#[test]
fn moveit_clients_get_a_proven_path() {
    let mut bench = below_a_box();
    let scene = bench.scene();
    let found = moveit(&mut bench, planned(LEFT, joint_goal(RIGHT)));
    assert_eq!((found.error_code.val, found.group_name.as_str()), (Code::SUCCESS, "arm"));
    let path = &found.trajectory.joint_trajectory;
    check_trajectory(&scene, path, 0.1);
    assert_eq!(path.points[0].positions, LEFT);
    assert_ends_at(path, RIGHT);
    let start = &found.trajectory_start.joint_state;
    assert_eq!(start.name, ["shoulder", "elbow", "grip"]);
    assert_eq!(start.position, [LEFT[0], LEFT[1], 0.03]);
    assert!(found.planning_time > 0.0);
}

#[test]
fn moveit_clients_are_told_why_there_is_no_path() {
    let mut bench = below_a_box();
    let good = || planned(LEFT, joint_goal(RIGHT));
    let with = |change: &dyn Fn(&mut MotionPlanRequest)| {
        let mut request = good();
        change(&mut request);
        request
    };
    let stretched = |r: &mut MotionPlanRequest| r.goal_constraints = vec![joint_goal([0.0, 0.0])];
    for (request, code, reason) in [
        (
            with(&|r| r.group_name = "leg".into()),
            Code::INVALID_GROUP_NAME,
            "there is no group `leg`",
        ),
        (with(&stretched), Code::GOAL_IN_COLLISION, "goal: `"),
        (
            with(&|r| r.start_state.joint_state.position = vec![0.0, 0.0]),
            Code::START_STATE_IN_COLLISION,
            "start: `",
        ),
        (
            with(&|r| r.goal_constraints = vec![joint_goal([3.0, 0.0])]),
            Code::GOAL_STATE_INVALID,
            "goal: joint `shoulder` is at 3, outside [-2, 2]",
        ),
        (
            with(&|r| r.goal_constraints.clear()),
            Code::FAILURE,
            "goal_constraints has 0 entries, must have 1",
        ),
        (
            with(&|r| r.goal_constraints = vec![Constraints::default()]),
            Code::FAILURE,
            "goal_constraints[0]: must be joint constraints, or one position and one orientation constraint",
        ),
        (
            with(&|r| r.path_constraints = joint_goal([0.0, 0.0])),
            Code::START_STATE_VIOLATES_PATH_CONSTRAINTS,
            "start: does not satisfy constraint 0 on the path",
        ),
        (
            with(&|r| r.path_constraints = joint_goal(LEFT)),
            Code::GOAL_VIOLATES_PATH_CONSTRAINTS,
            "goal: does not satisfy constraint 0 on the path",
        ),
        (
            with(&|r| {
                let mut turn = OrientationConstraint {
                    link_name: "hand".into(),
                    absolute_x_axis_tolerance: 1.0,
                    absolute_y_axis_tolerance: 1.0,
                    absolute_z_axis_tolerance: 1.0,
                    ..OrientationConstraint::default()
                };
                turn.header.frame_id = "fore".into();
                turn.orientation.w = 1.0;
                r.path_constraints.orientation_constraints.push(turn);
            }),
            Code::FAILURE,
            "path_constraints: header.frame_id `fore` moves with the group that is planned for",
        ),
        (
            with(&|r| r.max_cartesian_speed = f64::NAN),
            Code::FAILURE,
            "max_cartesian_speed: not supported, leave it out",
        ),
        (
            with(&|r| r.max_cartesian_speed = 0.1),
            Code::FAILURE,
            "max_cartesian_speed: not supported, leave it out",
        ),
    ] {
        let found = moveit(&mut bench, request);
        let (val, message) = (found.error_code.val, &found.error_code.message);
        assert_eq!(val, code, "{message}");
        assert!(message.starts_with(reason), "{message}");
        assert!(found.trajectory.joint_trajectory.points.is_empty());
    }
    let late = MotionPlanRequest {
        allowed_planning_time: 0.05,
        ..planned([-0.8, 0.0], joint_goal([0.8, 0.0]))
    };
    assert_eq!(moveit(&mut before_a_wall(), late).error_code.val, Code::TIMED_OUT);
    let stale = moveit(&mut Bench::with(arm()), good());
    assert_eq!(stale.error_code.val, Code::ROBOT_STATE_STALE, "{}", stale.error_code.message);
    let nobody = moveit(&mut Bench::empty(), good());
    assert_eq!(nobody.error_code.val, Code::FAILURE);
}

#[test]
fn a_planar_joint_gets_a_trajectory_of_poses() {
    let mut driven = Bench::with(cart());
    let places =
        ["drive/x", "drive/y", "drive/theta", "flight/trans_x", "flight/trans_y", "flight/trans_z"];
    let mut now = joint_state(&places.map(|name| (name, 0.0)));
    for (name, value) in [("rot_x", 0.0), ("rot_y", 0.0), ("rot_z", 0.0), ("rot_w", 1.0)] {
        now.name.push(format!("flight/{name}"));
        now.position.push(value);
    }
    driven.joints.update(&now, driven.now).unwrap();
    let mut drive = MotionPlanRequest::default();
    let goal =
        JointConstraint { joint_name: "drive/x".into(), position: 1.0, ..Default::default() };
    drive.goal_constraints =
        vec![Constraints { joint_constraints: vec![goal], ..Constraints::default() }];
    let found = moveit(&mut driven, drive);
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    let path = &found.trajectory.multi_dof_joint_trajectory;
    assert_eq!(path.joint_names, ["drive"]);
    let ends = [&path.points[0], path.points.last().unwrap()];
    let [start, end] = ends.map(|point| &point.transforms[0].translation);
    let moved = [end.x - start.x, end.y - start.y, end.z - start.z];
    let length = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((length - 1.0).abs() < 1e-12, "{moved:?}");
    assert_eq!(end.z, 0.0, "the plane of the joint is horizontal");
    let is_planar = |name: &String| name.starts_with("drive");
    assert!(!found.trajectory.joint_trajectory.joint_names.iter().any(is_planar));
}

/// The ball of the cart flies and turns by a quarter about z.
#[test]
fn a_floating_joint_gets_a_trajectory_of_poses() {
    let mut bench = Bench::with(cart());
    let numbers = ["trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w"];
    let mut now = joint_state(&["drive/x", "drive/y", "drive/theta"].map(|name| (name, 0.0)));
    for (name, value) in numbers.into_iter().zip([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) {
        now.name.push(format!("flight/{name}"));
        now.position.push(value);
    }
    bench.joints.update(&now, bench.now).unwrap();
    let half = 0.5f64.sqrt();
    let wanted = [0.5, 0.0, 0.25, 0.0, 0.0, half, half];
    let joint = |(name, position): (&str, f64)| JointConstraint {
        joint_name: format!("flight/{name}"),
        position,
        ..JointConstraint::default()
    };
    let joint_constraints = numbers.into_iter().zip(wanted).map(joint).collect();
    let mut fly = MotionPlanRequest { group_name: "ball".into(), ..MotionPlanRequest::default() };
    fly.goal_constraints = vec![Constraints { joint_constraints, ..Constraints::default() }];
    let found = moveit(&mut bench, fly.clone());
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    assert!(found.trajectory.joint_trajectory.joint_names.is_empty());
    let path = &found.trajectory.multi_dof_joint_trajectory;
    assert_eq!(path.joint_names, ["flight"]);
    let end = &path.points.last().unwrap().transforms[0];
    assert!((end.translation.x - 0.5).abs() < 1e-12 && (end.translation.z - 0.25).abs() < 1e-12);
    assert!((end.rotation.z - half).abs() < 1e-12 && (end.rotation.w - half).abs() < 1e-12);
    let seconds = |k: usize| {
        let time = &path.points[k].time_from_start;
        f64::from(time.sec) + 1e-9 * f64::from(time.nanosec)
    };
    for k in 1..path.points.len() {
        let [before, after] = [k - 1, k].map(|k| &path.points[k]);
        let angle = |point: &smooth_scene::interfaces::trajectory_msgs::msg::MultiDOFJointTrajectoryPoint| {
            let turn = &point.transforms[0].rotation;
            2.0 * turn.z.atan2(turn.w)
        };
        let [v, w] = [before, after].map(|point| point.velocities[0].angular.z);
        let turned = angle(after) - angle(before);
        assert!((turned - 0.5 * (v + w) * (seconds(k) - seconds(k - 1))).abs() < 1e-8);
        assert!(turned < 0.101, "quaternions are given often enough to be interpolated");
    }
    // `~/plan_motion` has a number for each name.
    let mut goal = JointState::default();
    for (name, value) in numbers.into_iter().zip(wanted) {
        goal.name.push(format!("flight/{name}"));
        goal.position.push(value);
    }
    let request = PlanMotionRequest { group: "ball".into(), goal, ..PlanMotionRequest::default() };
    let found = bench.ask(&PlanMotion, request);
    assert_eq!(found.result, Answer::PROVEN, "{}", found.message);
    assert!(
        found.trajectory.points.iter().all(|p| p.positions.len() == 7 && p.velocities.len() == 7)
    );
    fly.workspace_parameters.min_corner.y = 1.0;
    let refused = moveit(&mut bench, fly);
    assert_eq!(refused.error_code.val, Code::FAILURE);
    let reason = "workspace_parameters: y is 1 to 0, must be finite, the smaller one first";
    assert_eq!(refused.error_code.message, reason);
}

/// A camera below the base looks up; the hand has to stay within a radian of that direction.
#[test]
fn a_sensor_sees_its_target_on_the_whole_path() {
    let mut bench = below_a_box();
    let scene = bench.scene();
    let mut request = planned(LEFT, joint_goal(RIGHT));
    let mut seen = VisibilityConstraint { max_range_angle: 1.0, weight: 1.0, ..Default::default() };
    seen.sensor_pose.header.frame_id = "base".into();
    seen.sensor_pose.pose.position.z = -0.5;
    seen.target_pose.header.frame_id = "hand".into();
    request.path_constraints.visibility_constraints.push(seen);
    let found = moveit(&mut bench, request.clone());
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    let hand = scene.model().link_id("hand").unwrap();
    for point in &found.trajectory.joint_trajectory.points {
        let state = [point.positions[0], point.positions[1], 0.03];
        let at = forward_kinematics(scene.model(), &state).unwrap()[hand].translation.vector;
        assert!(at.x.hypot(at.y).atan2(at.z + 0.5) <= 1.0);
    }
    request.path_constraints.visibility_constraints[0].max_range_angle = 0.01;
    let refused = moveit(&mut bench, request.clone());
    assert_eq!(refused.error_code.val, Code::START_STATE_VIOLATES_PATH_CONSTRAINTS);
    request.path_constraints.visibility_constraints[0].target_radius = 0.1;
    let refused = moveit(&mut bench, request);
    assert_eq!(refused.error_code.val, Code::FAILURE);
    let reason = "path_constraints: visibility_constraints[0]: target_radius is 0.1, must be 0";
    assert!(refused.error_code.message.starts_with(reason), "{}", refused.error_code.message);
}

#[test]
fn path_constraints_hold_on_the_whole_path() {
    let mut bench = below_a_box();
    let scene = bench.scene();
    let mut request = planned(LEFT, joint_goal(RIGHT));
    let elbow = JointConstraint {
        joint_name: "elbow".into(),
        tolerance_above: 2.5,
        tolerance_below: 0.3,
        weight: 1.0,
        ..JointConstraint::default()
    };
    request.path_constraints.joint_constraints.push(elbow);
    let found = moveit(&mut bench, request);
    assert_eq!(found.error_code.val, Code::SUCCESS, "{}", found.error_code.message);
    let path = &found.trajectory.joint_trajectory;
    check_trajectory(&scene, path, 0.1);
    assert_ends_at(path, RIGHT);
    // Straight from point to point: the range holds in between when it holds at the points.
    let place = path.joint_names.iter().position(|name| name == "elbow").unwrap();
    for point in &path.points {
        assert!(point.positions[place] >= -0.3 - 1e-9, "{:?}", point.positions);
    }
}
