//! What goes wrong does not spread: bytes that are no request, requests that are too large or too many, handlers that
//! panic or take long, peers that vanish.

use super::rig::{PATIENCE, Rig, joint_state, until};
use smooth_scene::cdr;
use smooth_scene::convert::Refusal;
use smooth_scene::interfaces::Message;
use smooth_scene::interfaces::msg::ProximityArray;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::node::{Context, Effort, Endpoint, Service};
use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Qos, Transport};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The random numbers of Steele, Lea and Flood (2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, fewer_than: usize) -> Vec<u8> {
        (0..self.below(fewer_than)).map(|_| self.next() as u8).collect()
    }
}

/// Random bytes a service has to take.
const STRINGS: usize = 10_000;

/// Sends random bytes, and mutations of a good request; every answer is a response, and says that the request was refused
/// unless the bytes happened to be one. `refused` is true for a response that says so.
fn bombard<Q: Message, A: Message>(
    rig: &Rig,
    service: &str,
    type_name: &str,
    good: &Q,
    refused: impl Fn(&A) -> bool,
) {
    let client = rig.peer.client(service, type_name).unwrap();
    assert!(client.wait_for_server(PATIENCE), "no server of {service}");
    let mut random = SplitMix(service.len() as u64);
    let good = cdr::encode(good);
    for round in 0..STRINGS {
        let mut bytes = match round % 4 {
            0 => random.bytes(64),
            1 => [vec![0, 1, 0, 0], random.bytes(400)].concat(),
            2 => good[..random.below(good.len())].to_vec(),
            _ => good.clone(),
        };
        if round % 4 == 3 {
            for _ in 0..=random.below(5) {
                let place = random.below(bytes.len());
                bytes[place] = random.next() as u8;
            }
        }
        let answer =
            client.call(&bytes, PATIENCE).unwrap_or_else(|e| panic!("{service}, {bytes:?}: {e}"));
        let answer =
            cdr::decode::<A>(&answer).unwrap_or_else(|e| panic!("{service}, {bytes:?}: {e}"));
        if cdr::decode::<Q>(&bytes).is_err() {
            assert!(refused(&answer), "{service}: {bytes:?}");
        }
    }
}

#[test]
fn random_bytes_are_refused_by_every_service_and_do_no_harm() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    let before = rig.distance();
    let good = GetDistanceRequest {
        joint_state: joint_state(&["left_x", "right_x"], &[0.1, 0.2]),
        bodies_a: vec!["left".into()],
        max_distance: 1.0,
        ..GetDistanceRequest::default()
    };
    let says_so = |answer: &GetDistanceResponse| {
        answer.status == GetDistanceResponse::REFUSED && answer.message.contains("CDR")
    };
    bombard(&rig, "/scene_node/get_distance", "smooth_scene/srv/GetDistance", &good, says_so);
    services::bombard_ours(&rig);
    services::bombard_moveit(&rig);
    services::bombard_parameters(&rig);
    let after = rig.distance();
    assert_eq!(after.status, GetDistanceResponse::OK);
    assert_eq!(after.proximities[0].distance, before.proximities[0].distance);
}

mod services {
    use super::*;
    use smooth_scene::interfaces::moveit_msgs::{self, srv as moveit};
    use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
    use smooth_scene::interfaces::rcl_interfaces::msg::{Parameter, ParameterValue};
    use smooth_scene::interfaces::rcl_interfaces::srv;
    use smooth_scene::interfaces::{srv as ours, trajectory_msgs};

    pub fn bombard_ours(rig: &Rig) {
        let good = ours::CheckStatesRequest {
            joint_names: vec!["left_x".into(), "right_x".into()],
            positions: vec![0.0, 0.1, 0.2, 0.3],
            max_contacts: 3,
            ..Default::default()
        };
        let refused = |a: &ours::CheckStatesResponse| a.status == 2 && a.states.is_empty();
        bombard(rig, "/scene_node/check_states", "smooth_scene/srv/CheckStates", &good, refused);
        let point = |x: f64| trajectory_msgs::msg::JointTrajectoryPoint {
            positions: vec![x, 0.0],
            ..Default::default()
        };
        let good = ours::CheckMotionRequest {
            trajectory: trajectory_msgs::msg::JointTrajectory {
                joint_names: vec!["left_x".into(), "right_x".into()],
                points: vec![point(0.0), point(0.1)],
                ..Default::default()
            },
            closest_approach: true,
            ..Default::default()
        };
        let refused = |a: &ours::CheckMotionResponse| a.status == 2 && a.result == 0;
        bombard(rig, "/scene_node/check_motion", "smooth_scene/srv/CheckMotion", &good, refused);
        // Takes nothing away from the robot.
        let object = SceneObject {
            id: "box".into(),
            surfaces: vec![Surface::default()],
            ..Default::default()
        };
        let change = SceneChange { operation: SceneChange::ADD, object, ..Default::default() };
        let good = ours::ApplySceneRequest { changes: vec![change] };
        let refused = |a: &ours::ApplySceneResponse| a.status == 2 && !a.message.is_empty();
        bombard(rig, "/scene_node/apply_scene", "smooth_scene/srv/ApplyScene", &good, refused);
        let good = ours::GetSceneRequest { ids: vec!["box".into()], matrix: true, sizes: true };
        let refused = |a: &ours::GetSceneResponse| a.status == 2 && a.robot.is_empty();
        bombard(rig, "/scene_node/get_scene", "smooth_scene/srv/GetScene", &good, refused);
        // No cloud has so many points.
        let good = ours::FitCloudRequest {
            action: ours::FitCloudRequest::REPLACE,
            min_points: u32::MAX,
            kinds: vec!["sphere".into()],
            ..Default::default()
        };
        let refused = |a: &ours::FitCloudResponse| a.status == 2 && a.objects.is_empty();
        bombard(rig, "/scene_node/fit_cloud", "smooth_scene/srv/FitCloud", &good, refused);
    }

    pub fn bombard_moveit(rig: &Rig) {
        let state = moveit_msgs::msg::RobotState {
            joint_state: joint_state(&["left_x", "right_x"], &[0.0, 0.1]),
            ..Default::default()
        };
        let good =
            moveit::GetStateValidityRequest { robot_state: state.clone(), ..Default::default() };
        let refused = |a: &moveit::GetStateValidityResponse| !a.valid;
        bombard(rig, "/check_state_validity", "moveit_msgs/srv/GetStateValidity", &good, refused);
        let good = moveit::GetMultiStateValidityRequest {
            robot_state: state,
            joint_states: vec![joint_state(&["left_x"], &[0.2])],
            ..Default::default()
        };
        let refused = |a: &moveit::GetMultiStateValidityResponse| !a.valid;
        let (name, type_name) =
            ("/check_multi_state_validity", "moveit_msgs/srv/GetMultiStateValidity");
        bombard(rig, name, type_name, &good, refused);
        let good = moveit::ApplyPlanningSceneRequest::default();
        let refused = |a: &moveit::ApplyPlanningSceneResponse| !a.success;
        bombard(rig, "/apply_planning_scene", "moveit_msgs/srv/ApplyPlanningScene", &good, refused);
        let good = moveit::GetPlanningSceneRequest::default();
        let refused = |a: &moveit::GetPlanningSceneResponse| a.scene.robot_model_name.is_empty();
        bombard(rig, "/get_planning_scene", "moveit_msgs/srv/GetPlanningScene", &good, refused);
    }

    pub fn bombard_parameters(rig: &Rig) {
        let names = vec!["publish_rate".to_string()];
        let value = ParameterValue { type_: 3, double_value: 10.0, ..Default::default() };
        let parameters = vec![Parameter { name: "publish_rate".into(), value }];
        let own = |name: &str| (format!("/scene_node/{name}"), name.to_string());
        let camel = |name: &str| -> String {
            let words = name.split('_').map(|w| w[..1].to_uppercase() + &w[1..]);
            format!("rcl_interfaces/srv/{}", words.collect::<String>())
        };
        let (path, name) = own("get_parameters");
        let good = srv::GetParametersRequest { names: names.clone() };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::GetParametersResponse| {
            a.values.is_empty()
        });
        let (path, name) = own("get_parameter_types");
        let good = srv::GetParameterTypesRequest { names: names.clone() };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::GetParameterTypesResponse| {
            a.types.is_empty()
        });
        let (path, name) = own("describe_parameters");
        let good = srv::DescribeParametersRequest { names: names.clone() };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::DescribeParametersResponse| {
            a.descriptors.is_empty()
        });
        let (path, name) = own("list_parameters");
        let good = srv::ListParametersRequest { prefixes: names, depth: 1 };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::ListParametersResponse| {
            a.result.names.is_empty()
        });
        let (path, name) = own("set_parameters");
        let good = srv::SetParametersRequest { parameters: parameters.clone() };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::SetParametersResponse| {
            !a.results[0].successful
        });
        let (path, name) = own("set_parameters_atomically");
        let good = srv::SetParametersAtomicallyRequest { parameters };
        bombard(rig, &path, &camel(&name), &good, |a: &srv::SetParametersAtomicallyResponse| {
            !a.result.successful
        });
    }
}

#[test]
fn a_request_that_is_too_large_is_refused_with_its_size() {
    let rig = Rig::with_balls(&["limits.message_bytes:=2000", "max_state_age:=0.0"]);
    let request =
        GetDistanceRequest { bodies_a: vec!["x".repeat(3000)], ..GetDistanceRequest::default() };
    let answer: GetDistanceResponse =
        rig.call("/scene_node/get_distance", "smooth_scene/srv/GetDistance", &request);
    assert_eq!(answer.status, GetDistanceResponse::REFUSED);
    assert!(answer.message.contains("must have at most 2000"), "{}", answer.message);
    assert_eq!(rig.distance().status, GetDistanceResponse::OK);
}

/// A service that does as the test says.
struct Test {
    act: Box<dyn Fn(&mut Context<'_>) + Send + Sync>,
}

impl Service for Test {
    type Type = smooth_scene::interfaces::srv::GetDistance;

    fn handle(
        &self,
        context: &mut Context<'_>,
        _: GetDistanceRequest,
    ) -> Result<GetDistanceResponse, Refusal> {
        (self.act)(context);
        Ok(GetDistanceResponse { status: GetDistanceResponse::OK, ..Default::default() })
    }

    fn refuse(&self, refusal: Refusal) -> GetDistanceResponse {
        let (status, message) = (refusal.status as u8, refusal.message);
        GetDistanceResponse { status, message, ..Default::default() }
    }

    fn refusal(response: &GetDistanceResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

static SHORT: Endpoint = Endpoint { name: "~/short", effort: Effort::Short, help: "a test" };
static LONG: Endpoint = Endpoint { name: "~/long", effort: Effort::Long, help: "a test" };

/// Asks a test service.
fn ask(peer: &dyn Transport, path: &str) -> GetDistanceResponse {
    let client = peer.client(path, "smooth_scene/srv/GetDistance").unwrap();
    assert!(client.wait_for_server(PATIENCE));
    let answer = client.call(&cdr::encode(&GetDistanceRequest::default()), PATIENCE).unwrap();
    cdr::decode(&answer).unwrap()
}

#[test]
fn a_handler_that_panics_is_a_refusal_and_the_node_goes_on() {
    let rig = Rig::with_balls(&["max_state_age:=0.0"]);
    rig.node.offer(&SHORT, Test { act: Box::new(|_| panic!("an arm fell off")) }).unwrap();
    for _ in 0..20 {
        let answer = ask(&rig.peer, "/scene_node/short");
        assert_eq!(answer.status, GetDistanceResponse::NOT_COMPUTED);
        assert!(answer.message.contains("an arm fell off"), "{}", answer.message);
    }
    assert_eq!(rig.distance().status, GetDistanceResponse::OK);
}

/// A gate that handlers wait at until the test opens it.
fn gate() -> (SyncSender<()>, Arc<Mutex<Receiver<()>>>, Arc<AtomicUsize>) {
    let (open, wait) = sync_channel(1000);
    (open, Arc::new(Mutex::new(wait)), Arc::default())
}

fn waiting_at(wait: Arc<Mutex<Receiver<()>>>, inside: Arc<AtomicUsize>) -> Test {
    let act = move |_: &mut Context<'_>| {
        inside.fetch_add(1, Ordering::SeqCst);
        // One at a time waits in the channel, the others at the lock.
        let _ = wait.lock().unwrap().recv();
    };
    Test { act: Box::new(act) }
}

#[test]
fn beyond_the_queue_requests_are_refused_at_once_and_those_inside_are_answered() {
    let rig = Rig::with_balls(&["worker_threads:=2", "queue_length:=5", "max_state_age:=0.0"]);
    let (open, wait, inside) = gate();
    rig.node.offer(&SHORT, waiting_at(wait, Arc::clone(&inside))).unwrap();
    std::thread::scope(|scope| {
        let ask = || ask(&rig.peer, "/scene_node/short");
        let busy: Vec<_> = (0..2).map(|_| scope.spawn(ask)).collect();
        until("both threads are busy", || inside.load(Ordering::SeqCst) == 2);
        let asked: Vec<_> = (0..20).map(|_| scope.spawn(ask)).collect();
        // Fifteen come back although nobody is free.
        until("the rest are refused", || asked.iter().filter(|a| a.is_finished()).count() == 15);
        (0..7).for_each(|_| open.send(()).unwrap());
        let answers: Vec<_> = asked.into_iter().chain(busy).map(|a| a.join().unwrap()).collect();
        let refused: Vec<_> =
            answers.iter().filter(|a| a.status == GetDistanceResponse::OVERLOADED).collect();
        assert_eq!(refused.len(), 15);
        assert!(refused[0].message.contains("5 requests are waiting"), "{}", refused[0].message);
        assert_eq!(answers.iter().filter(|a| a.status == GetDistanceResponse::OK).count(), 7);
    });
    assert_eq!(rig.distance().status, GetDistanceResponse::OK);
}

#[test]
fn long_questions_never_keep_short_ones_waiting() {
    let rig = Rig::with_balls(&["worker_threads:=3", "max_state_age:=0.0"]);
    let (open, wait, inside) = gate();
    rig.node.offer(&LONG, waiting_at(wait, Arc::clone(&inside))).unwrap();
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            (0..10).map(|_| scope.spawn(|| ask(&rig.peer, "/scene_node/long"))).collect();
        until("the long ones have their threads", || inside.load(Ordering::SeqCst) == 2);
        // Ten long ones are there, none can end, and the short ones go through.
        for _ in 0..100 {
            assert_eq!(rig.distance().status, GetDistanceResponse::OK);
        }
        assert_eq!(inside.load(Ordering::SeqCst), 2);
        (0..10).for_each(|_| open.send(()).unwrap());
        for answer in asked {
            assert_eq!(answer.join().unwrap().status, GetDistanceResponse::OK);
        }
    });
}

#[test]
fn a_subscriber_that_vanishes_disturbs_nobody() {
    let rig = Rig::with_balls(&["publish_rate:=200.0", "proximity_distance:=10.0"]);
    let stays = rig.listen::<ProximityArray>(
        "/scene_node/proximities",
        "smooth_scene/msg/ProximityArray",
        Qos::best_effort(5),
    );
    for round in 0..10 {
        let visitor = rig.bus.transport("visitor", &RosArgs::default()).unwrap();
        visitor
            .subscribe(
                "/scene_node/proximities",
                "smooth_scene/msg/ProximityArray",
                Qos::best_effort(1),
                Box::new(|_| {}),
            )
            .unwrap();
        rig.publish_joints(&["left_x", "right_x"], &[0.01 * f64::from(round), 0.0]);
        visitor.shutdown();
        drop(visitor);
        let expected = 0.8 - 0.01 * f64::from(round);
        super::rig::receive(&stays, "the new distance", |m| {
            m.proximities.first().is_some_and(|p| (p.distance - expected).abs() < 1e-9)
        });
    }
}

#[test]
fn the_end_comes_soon_even_while_handlers_are_stuck() {
    let rig = Rig::with_balls(&["worker_threads:=2"]);
    let (open, wait, inside) = gate();
    rig.node.offer(&SHORT, waiting_at(wait, Arc::clone(&inside))).unwrap();
    std::thread::scope(|scope| {
        let stuck = scope.spawn(|| ask(&rig.peer, "/scene_node/short"));
        let other = scope.spawn(|| ask(&rig.peer, "/scene_node/short"));
        until("they are stuck", || inside.load(Ordering::SeqCst) == 2);
        let waiting = scope.spawn(|| ask(&rig.peer, "/scene_node/short"));
        // Whether the third waits in the queue or comes after the end: it is told, or nobody is there any more.
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        rig.node.shutdown();
        assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
        let answer = waiting.join().unwrap();
        assert_eq!(answer.status, GetDistanceResponse::NOT_COMPUTED);
        assert!(answer.message.contains("shutting down"), "{}", answer.message);
        open.send(()).unwrap();
        open.send(()).unwrap();
        let _ = (stuck.join(), other.join());
    });
    rig.node.shutdown();
}
