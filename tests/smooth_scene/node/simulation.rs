//! A simulation of the node: what it moves, what it publishes, and how it ends.

use super::lifecycle::change;
use super::rig::{Rig, TWO_BALLS, quoted, receive, until};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{
    ApplySceneRequest, ApplySceneResponse, SimulateRequest, SimulateResponse,
};
use smooth_scene::transport::Qos;

const GRAVITY: f64 = 9.80665;

fn ball(operation: u8, x: f64, z: f64) -> SceneChange {
    let mut object = SceneObject { id: "ball".into(), ..SceneObject::default() };
    (object.pose.position.x, object.pose.position.z) = (x, z);
    object.pose.orientation.w = 1.0;
    object.surfaces =
        vec![Surface { kind: Surface::SPHERE, dimensions: vec![0.1], ..Surface::default() }];
    SceneChange { operation, object, ..SceneChange::default() }
}

fn apply(rig: &Rig, change: SceneChange) {
    let request = ApplySceneRequest { changes: vec![change] };
    let answer: ApplySceneResponse =
        rig.call("/scene_node/apply_scene", "smooth_scene/srv/ApplyScene", &request);
    assert_eq!(answer.status, ApplySceneResponse::OK, "{}", answer.message);
}

/// Two balls on rails, and one that may fall beside them.
fn with_ball(parameters: &[&str]) -> Rig {
    let rig = Rig::with_balls(parameters);
    apply(&rig, ball(SceneChange::ADD, 5.0, 10.0));
    rig
}

fn ask(rig: &Rig, request: &SimulateRequest) -> SimulateResponse {
    rig.call("/scene_node/simulate", "smooth_scene/srv/Simulate", request)
}

fn tell(rig: &Rig, command: u8) -> SimulateResponse {
    ask(rig, &SimulateRequest { command, ..SimulateRequest::default() })
}

fn start() -> SimulateRequest {
    SimulateRequest { command: SimulateRequest::START, rate: 0.0, ..SimulateRequest::default() }
}

fn step(seconds: f64) -> SimulateRequest {
    SimulateRequest { command: SimulateRequest::STEP, seconds, ..SimulateRequest::default() }
}

fn ball_at(rig: &Rig) -> [f64; 3] {
    let snapshot = rig.node.store().snapshot().unwrap();
    snapshot.scene.world().by_name("ball").unwrap().pose().translation.vector.into()
}

#[test]
fn a_ball_falls_is_pushed_and_comes_back() {
    let rig = with_ball(&[]);
    let joints = rig.listen::<JointState>(
        "/scene_node/simulated_joint_states",
        "sensor_msgs/msg/JointState",
        Qos::reliable(1),
    );
    let none = tell(&rig, SimulateRequest::STATUS);
    assert_eq!((none.status, none.state), (SimulateResponse::OK, SimulateResponse::NONE));
    let begun = ask(&rig, &start());
    assert_eq!((begun.status, begun.message.as_str()), (SimulateResponse::OK, ""));
    assert_eq!((begun.state, begun.time), (SimulateResponse::PAUSED, 0.0));
    // A step: Galilei.
    let stepped = ask(&rig, &step(0.2));
    assert_eq!((stepped.state, stepped.time), (SimulateResponse::PAUSED, 0.2));
    let fallen = 0.5 * GRAVITY * 0.04;
    assert!((ball_at(&rig)[2] - (10.0 - fallen)).abs() < 1e-9, "{:?}", ball_at(&rig));
    assert!(stepped.kinetic > 0.0 && stepped.steps > 0);
    let message = receive(&joints, "joints", |message| !message.name.is_empty());
    assert_eq!(message.name, ["left_x", "right_x"]);
    // What others say of the joints does not count now.
    rig.publish_joints(&["left_x"], &[0.9]);
    // An impulse that stops the fall, and one on a link: balls of one size weigh the same.
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let mut push = SimulateRequest {
        command: SimulateRequest::PUSH,
        body: "ball".into(),
        ..SimulateRequest::default()
    };
    push.impulse.z = mass * GRAVITY * 0.2;
    assert_eq!(ask(&rig, &push).status, SimulateResponse::OK);
    assert!(tell(&rig, SimulateRequest::STATUS).kinetic < 1e-6);
    // And a force.
    (push.impulse.z, push.force.x, push.seconds) = (0.0, 10.0, 0.1);
    assert_eq!(ask(&rig, &push).status, SimulateResponse::OK);
    ask(&rig, &step(0.1));
    let pushed = ball_at(&rig)[0] - 5.0;
    assert!((pushed / (0.5 * 10.0 / mass * 0.01) - 1.0).abs() < 0.02, "{pushed}");
    // The rails hold the balls, with springs.
    assert!((rig.distance().proximities[0].distance - 0.8).abs() < 1e-6);
    let reset = tell(&rig, SimulateRequest::RESET);
    assert_eq!((reset.state, reset.time), (SimulateResponse::PAUSED, 0.0));
    assert_eq!(ball_at(&rig), [5.0, 0.0, 10.0]);
    // It plays by itself.
    let play = SimulateRequest { command: SimulateRequest::PLAY, ..SimulateRequest::default() };
    assert_eq!(ask(&rig, &play).state, SimulateResponse::PLAYING);
    until("it falls again", || ball_at(&rig)[2] < 9.99);
    assert_eq!(tell(&rig, SimulateRequest::PAUSE).state, SimulateResponse::PAUSED);
    assert_eq!(tell(&rig, SimulateRequest::STOP).state, SimulateResponse::NONE);
    // The joints are those of the robot again.
    rig.publish_joints(&["left_x", "right_x"], &[0.1, 0.0]);
    rig.until("they count", || (rig.distance().proximities[0].distance - 0.7).abs() < 1e-9);
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let rig = with_ball(&[]);
    let with = |change: &dyn Fn(&mut SimulateRequest)| {
        let mut request = start();
        change(&mut request);
        request
    };
    for (request, reason) in [
        (with(&|r| r.command = 9), "command is 9, must be 0 to 7"),
        (with(&|r| r.command = SimulateRequest::PLAY), "there is no simulation: START one"),
        (with(&|r| r.rate = f64::NAN), "rate is NaN, must be 0 or more"),
        (with(&|r| r.hold = -1.0), "hold is -1, must be 0 or more and finite"),
        (with(&|r| r.step = f64::INFINITY), "step is inf, must be 0 or more and finite"),
        (with(&|r| r.density = 0.0), "density is 0, must be positive and finite"),
        (with(&|r| r.young = -1.0), "material: young is -1, must be positive and finite"),
        (with(&|r| r.friction = f64::NAN), "material: friction is NaN"),
        (with(&|r| r.restitution = 2.0), "material: restitution is 2, must be 0 to 1"),
        (with(&|r| r.tolerance = 0.0), "tolerance is 0, must be positive and finite"),
        (with(&|r| r.fixed = vec!["wall".into()]), "the world has no object `wall`"),
    ] {
        let answer = ask(&rig, &request);
        assert_eq!(answer.status, SimulateResponse::REFUSED, "{reason}");
        assert!(answer.message.contains(reason), "{} instead of {reason}", answer.message);
    }
    ask(&rig, &start());
    let push = |change: &dyn Fn(&mut SimulateRequest)| {
        with(&|r| {
            (r.command, r.body, r.force.x) = (SimulateRequest::PUSH, "ball".into(), 1.0);
            change(r);
        })
    };
    for (request, reason) in [
        (step(0.0), "seconds is 0, must be above 0 and at most 3600"),
        (step(f64::NAN), "seconds is NaN"),
        (push(&|_| {}), "seconds is 0"),
        (push(&|r| r.force.x = 0.0), "force and impulse are zero, one must not be"),
        (push(&|r| r.force.y = f64::NAN), "force is [1, NaN, 0], must be finite"),
        (
            push(&|r| (r.body, r.seconds) = ("nose".into(), 1.0)),
            "body: `nose` is no link and no object that moves",
        ),
    ] {
        let answer = ask(&rig, &request);
        assert_eq!(answer.status, SimulateResponse::REFUSED, "{reason}");
        assert!(answer.message.contains(reason), "{} instead of {reason}", answer.message);
    }
    let bare = Rig::bare(&[]);
    assert_eq!(ask(&bare, &start()).status, SimulateResponse::NO_ROBOT);
    let unknown = Rig::bare(&[&format!("robot_description:={}", quoted(TWO_BALLS))]);
    assert_eq!(ask(&unknown, &start()).status, SimulateResponse::NO_STATE);
}

#[test]
fn an_object_that_is_taken_away_ends_it_with_the_reason() {
    let rig = with_ball(&[]);
    ask(&rig, &start());
    ask(&rig, &step(0.1));
    apply(&rig, ball(SceneChange::REMOVE, 0.0, 0.0));
    ask(&rig, &step(0.1));
    let failed = tell(&rig, SimulateRequest::STATUS);
    assert_eq!(failed.state, SimulateResponse::FAILED);
    assert!(
        failed.reason.starts_with("stopped at 0.") && failed.reason.contains("`ball`"),
        "{}",
        failed.reason
    );
    // The joints are the robot's again.
    rig.publish_joints(&["left_x", "right_x"], &[0.1, 0.0]);
    rig.until("they count", || (rig.distance().proximities[0].distance - 0.7).abs() < 1e-9);
}

#[test]
fn it_ends_when_the_node_is_deactivated_or_shut_down() {
    let description = format!("robot_description:={}", quoted(TWO_BALLS));
    let rig = Rig::bare(&[&description, "lifecycle:=true", "max_state_age:=0.0"]);
    assert_eq!(ask(&rig, &start()).status, SimulateResponse::INACTIVE);
    assert!(change(&rig, "configure") && change(&rig, "activate"));
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    until("the joints have arrived", || ask(&rig, &start()).status == SimulateResponse::OK);
    let play = SimulateRequest { command: SimulateRequest::PLAY, ..SimulateRequest::default() };
    assert_eq!(ask(&rig, &play).state, SimulateResponse::PLAYING);
    assert!(change(&rig, "deactivate"));
    assert!(change(&rig, "activate"));
    assert_eq!(tell(&rig, SimulateRequest::STATUS).state, SimulateResponse::NONE);
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    until("the joints are known", || ask(&rig, &start()).status == SimulateResponse::OK);
    assert_eq!(ask(&rig, &play).state, SimulateResponse::PLAYING);
    rig.node.shutdown();
}
