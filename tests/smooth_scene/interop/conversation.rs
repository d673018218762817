//! Every service, topic and parameter, with both peers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use smooth_scene::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use smooth_scene::interfaces::geometry_msgs::msg::{Pose, Quaternion};
use smooth_scene::interfaces::moveit_msgs::msg as moveit;
use smooth_scene::interfaces::moveit_msgs::srv::{
    ApplyPlanningSceneRequest, ApplyPlanningSceneResponse, GetMultiStateValidityRequest,
    GetMultiStateValidityResponse, GetPlanningSceneRequest, GetPlanningSceneResponse,
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::msg::{ProximityArray, SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::rcl_interfaces::msg::{Log, Parameter, ParameterValue};
use smooth_scene::interfaces::rcl_interfaces::srv::*;
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::*;
use smooth_scene::interfaces::trajectory_msgs::msg::{JointTrajectory, JointTrajectoryPoint};
use smooth_scene::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use smooth_scene::interfaces::{moveit_msgs, std_msgs};

use super::grasp::Grasp;
use super::node::{Node, file};
use super::peer::{PATIENCE, Peer, VENDORS, Vendor};
use smooth_scene_test_support::dds_domain::own_domain;

fn text(path: &str) -> std_msgs::msg::String {
    std_msgs::msg::String { data: std::fs::read_to_string(file(path)).unwrap() }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    let mut pose =
        Pose { orientation: Quaternion { w: 1.0, ..Quaternion::default() }, ..Pose::default() };
    (pose.position.x, pose.position.y, pose.position.z) = (x, y, z);
    pose
}

#[test]
fn all_ask_for_distances_and_get_the_answers_of_the_library() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        for state in (0..grasp.states.len()).step_by(20) {
            let answer = peer.call(client, &grasp.question(state));
            assert_eq!(grasp.fault(state, &answer), None, "{vendor:?}");
        }
        let unknown = GetDistanceRequest { bodies_a: vec!["Ärmel".into()], ..grasp.question(0) };
        let refused: GetDistanceResponse = peer.call(client, &unknown);
        assert_eq!(refused.status, GetDistanceResponse::REFUSED);
        assert!(refused.message.contains("Ärmel"), "{}", refused.message);
    }
}

#[test]
fn all_check_states_and_motions() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    let [first, last] = [&grasp.states[0], grasp.states.last().unwrap()];
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let states = CheckStatesRequest {
            joint_names: first.name.clone(),
            positions: [first, last].iter().flat_map(|state| state.position.clone()).collect(),
            max_contacts: 3,
            ..CheckStatesRequest::default()
        };
        let answer: CheckStatesResponse =
            peer.ask("/scene_node/check_states", "smooth_scene/srv/CheckStates", &states);
        assert_eq!(answer.status, CheckStatesResponse::OK, "{vendor:?}: {}", answer.message);
        assert_eq!(answer.states.len(), 2);
        // The grasp ends with the fingers in each other.
        assert_eq!(answer.states[1], CheckStatesResponse::COLLISION);
        let of_last = answer.contact_states.iter().filter(|&&state| state == 1).count();
        assert_eq!(of_last, 3);

        let points = [first, last].map(|state| JointTrajectoryPoint {
            positions: state.position.clone(),
            ..JointTrajectoryPoint::default()
        });
        let trajectory = JointTrajectory {
            joint_names: first.name.clone(),
            points: points.to_vec(),
            ..JointTrajectory::default()
        };
        let motion = CheckMotionRequest { trajectory, ..CheckMotionRequest::default() };
        let answer: CheckMotionResponse =
            peer.ask("/scene_node/check_motion", "smooth_scene/srv/CheckMotion", &motion);
        assert_eq!(answer.status, CheckMotionResponse::OK, "{vendor:?}: {}", answer.message);
        assert_eq!(answer.result, CheckMotionResponse::COLLISION);
        assert!(answer.free_until <= answer.first_contact && answer.first_contact <= 1.0);
    }
}

#[test]
fn all_change_the_scene_and_see_what_the_others_changed() {
    let node = Node::hands();
    let mut peers = VENDORS.map(|vendor| Peer::start(vendor, node.domain));
    for (turn, id) in ["Kugel", "Würfel", "Stab"].into_iter().enumerate() {
        let surface = Surface {
            kind: Surface::SPHERE,
            dimensions: vec![0.05],
            exponent_xy: 1.0,
            exponent_z: 1.0,
            ..Surface::default()
        };
        let object = SceneObject {
            id: id.into(),
            pose: at(3.0, turn as f64, 0.0),
            surfaces: vec![surface],
            ..SceneObject::default()
        };
        let change = SceneChange { operation: SceneChange::ADD, object, ..SceneChange::default() };
        let request = ApplySceneRequest { changes: vec![change] };
        let applied: ApplySceneResponse =
            peers[turn].ask("/scene_node/apply_scene", "smooth_scene/srv/ApplyScene", &request);
        assert_eq!(applied.status, ApplySceneResponse::OK, "{}", applied.message);
        let seen: GetSceneResponse = peers[(turn + 1) % VENDORS.len()].ask(
            "/scene_node/get_scene",
            "smooth_scene/srv/GetScene",
            &GetSceneRequest::default(),
        );
        assert_eq!(seen.revision, applied.revision);
        assert!(seen.objects.iter().any(|object| object.id == id), "{:?}", seen.objects);
    }
}

#[test]
fn all_use_it_as_they_use_moveit() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let id = format!("box of {vendor:?}");
        let mut state = moveit::RobotState { is_diff: true, ..moveit::RobotState::default() };
        state.joint_state = grasp.states[0].clone();
        let validity = GetStateValidityRequest { robot_state: state.clone(), ..Default::default() };
        let check = peer.client("/check_state_validity", "moveit_msgs/srv/GetStateValidity");
        let before: GetStateValidityResponse = peer.call(check, &validity);
        assert!(before.valid, "{vendor:?}: {:?}", before.contacts);

        let palm = at(-0.19992, -0.06003, 0.09991);
        let solid = SolidPrimitive {
            type_: SolidPrimitive::BOX,
            dimensions: vec![0.05, 0.05, 0.05],
            ..SolidPrimitive::default()
        };
        let object = moveit::CollisionObject {
            id: id.clone(),
            pose: palm,
            primitives: vec![solid],
            primitive_poses: vec![at(0.0, 0.0, 0.0)],
            ..moveit::CollisionObject::default()
        };
        let mut scene = moveit::PlanningScene { is_diff: true, ..moveit::PlanningScene::default() };
        scene.robot_state.is_diff = true;
        scene.world.collision_objects = vec![object];
        let apply = peer.client("/apply_planning_scene", "moveit_msgs/srv/ApplyPlanningScene");
        let request = ApplyPlanningSceneRequest { scene: scene.clone() };
        let applied: ApplyPlanningSceneResponse = peer.call(apply, &request);
        assert!(applied.success, "{vendor:?}");
        let after: GetStateValidityResponse = peer.call(check, &validity);
        assert!(!after.valid, "a box in the left palm is no contact");
        let named = |contact: &moveit::ContactInformation| {
            contact.contact_body_1 == id || contact.contact_body_2 == id
        };
        assert!(after.contacts.iter().any(named), "{:?}", after.contacts);

        let many = GetMultiStateValidityRequest {
            robot_state: state,
            joint_states: vec![grasp.states[0].clone(), grasp.states[1].clone()],
            ..GetMultiStateValidityRequest::default()
        };
        let answer: GetMultiStateValidityResponse =
            peer.ask("/check_multi_state_validity", "moveit_msgs/srv/GetMultiStateValidity", &many);
        assert!(!answer.valid);

        let components = moveit_msgs::msg::PlanningSceneComponents { components: 1023 };
        let got: GetPlanningSceneResponse = peer.ask(
            "/get_planning_scene",
            "moveit_msgs/srv/GetPlanningScene",
            &GetPlanningSceneRequest { components },
        );
        assert!(got.scene.world.collision_objects.iter().any(|object| object.id == id));
        scene.world.collision_objects[0].operation = moveit::CollisionObject::REMOVE;
        let removed: ApplyPlanningSceneResponse =
            peer.call(apply, &ApplyPlanningSceneRequest { scene });
        assert!(removed.success);
    }
}

#[test]
fn all_bring_the_description_and_the_joint_states() {
    for vendor in VENDORS {
        let grasp = Grasp::load();
        let node = Node::start(own_domain(), &["--ros-args", "-p", "max_state_age:=0.0"]);
        let mut peer = Peer::start(vendor, node.domain);
        let client = peer.client("/scene_node/get_scene", "smooth_scene/srv/GetScene");
        let question = GetSceneRequest::default();
        let scene: GetSceneResponse = peer.call(client, &question);
        assert_eq!(scene.status, GetSceneResponse::NO_ROBOT);
        for (topic, path) in [
            ("/robot_description_semantic", "urdf/icub_hands.srdf"),
            ("/robot_description", "urdf/icub_hands_mixed.urdf"),
        ] {
            let publisher = peer.advertise(topic, "std_msgs/msg/String", "latched");
            peer.publish(publisher, &text(path));
        }
        let joints = peer.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
        // No joint is given in the question: the published ones count.
        let distances = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
        let mut request = grasp.question(7);
        request.joint_state = Default::default();
        // The three topics are found in any order: until the last is, adjacent links count or joints are missing.
        let begin = Instant::now();
        loop {
            peer.publish(joints, &grasp.states[7]);
            let scene: GetSceneResponse = peer.call(client, &question);
            let answer: GetDistanceResponse = peer.call(distances, &request);
            let fault = grasp.fault(7, &answer);
            let is_known = scene.robot == "icub_hands" && scene.joint_state.name.len() == 44;
            if is_known && fault.is_none() {
                break;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{vendor:?}: {fault:?} {scene:?}");
        }
    }
}

/// What a viewer shows after these messages.
fn shown(arrays: &[MarkerArray]) -> BTreeSet<(String, i32)> {
    let mut shown = BTreeSet::new();
    for marker in arrays.iter().flat_map(|array| &array.markers) {
        let key = (marker.ns.clone(), marker.id);
        match marker.action {
            Marker::DELETE => drop(shown.remove(&key)),
            Marker::DELETEALL => shown.clear(),
            _ => drop(shown.insert(key)),
        }
    }
    shown
}

#[test]
fn late_viewers_get_every_surface() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    let mut robot = Peer::start(Vendor::FastDds, node.domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    for _ in 0..20 {
        robot.publish(joints, &grasp.states[300]);
        std::thread::sleep(Duration::from_millis(20));
    }
    for vendor in VENDORS {
        let mut viewer = Peer::start(vendor, node.domain);
        let topic = "/scene_node/markers";
        let markers = viewer.subscribe(topic, "visualization_msgs/msg/MarkerArray", "latched");
        let begin = Instant::now();
        let mut arrays: Vec<MarkerArray> = Vec::new();
        let surfaces = loop {
            robot.publish(joints, &grasp.states[300]);
            arrays.extend(viewer.take::<MarkerArray>(markers, 1, 100));
            let all = shown(&arrays);
            let surfaces = all.iter().filter(|(namespace, _)| namespace == "surfaces").count();
            if surfaces >= 44 || begin.elapsed() > Duration::from_secs(20) {
                break surfaces;
            }
        };
        assert_eq!(surfaces, 44, "{vendor:?}");
        let finite = |marker: &Marker| {
            marker.points.iter().all(|p| p.x.is_finite() && p.y.is_finite() && p.z.is_finite())
        };
        assert!(arrays.iter().flat_map(|array| &array.markers).all(finite));
    }
}

#[test]
fn all_hear_what_is_near_what_is_said_and_how_it_goes() {
    let (node, grasp) = (Node::hands(), Grasp::load());
    let mut robot = Peer::start(Vendor::Cyclone, node.domain);
    let joints = robot.advertise("/joint_states", "sensor_msgs/msg/JointState", "best_effort");
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let near = peer.subscribe(
            "/scene_node/proximities",
            "smooth_scene/msg/ProximityArray",
            "best_effort",
        );
        let state = "diagnostic_msgs/msg/DiagnosticArray";
        let diagnostics = peer.subscribe("/diagnostics", state, "reliable");
        let log = peer.subscribe("/rosout", "rcl_interfaces/msg/Log", "latched");
        let begin = Instant::now();
        let mut heard: Vec<ProximityArray> = Vec::new();
        // Before that it may hear that the last joint states are too old, if the peer took long to start.
        let computed = |array: &ProximityArray| array.status != ProximityArray::NOT_COMPUTED;
        while !heard.last().is_some_and(computed) && begin.elapsed() < Duration::from_secs(20) {
            robot.publish(joints, &grasp.states[400]);
            heard = peer.take(near, 1, 50);
        }
        let last = heard.last().unwrap_or_else(|| panic!("{vendor:?} heard no proximities"));
        assert_eq!(last.status, ProximityArray::COLLISION);
        assert!(last.proximities[0].distance < 0.0);
        let said: Vec<Log> = peer.take(log, 1, PATIENCE);
        assert_eq!(said[0].name, "scene_node", "{vendor:?}");
        let arrays: Vec<DiagnosticArray> = peer.take(diagnostics, 1, PATIENCE);
        assert!(arrays[0].status[0].name.contains("scene_node"), "{:?}", arrays[0]);
    }
}

#[test]
fn all_read_and_set_parameters() {
    let node = Node::hands();
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let service = |name: &str, type_name: &str| {
            (format!("/scene_node/{name}"), format!("rcl_interfaces/srv/{type_name}"))
        };
        let (name, type_name) = service("list_parameters", "ListParameters");
        let listed: ListParametersResponse =
            peer.ask(&name, &type_name, &ListParametersRequest::default());
        assert!(listed.result.names.contains(&"limits.states".to_string()), "{vendor:?}");

        let set = |peer: &mut Peer, value: f64| -> SetParametersResponse {
            let value = ParameterValue { type_: 3, double_value: value, ..Default::default() };
            let parameter = Parameter { name: "proximity_distance".into(), value };
            let (name, type_name) = service("set_parameters", "SetParameters");
            peer.ask(&name, &type_name, &SetParametersRequest { parameters: vec![parameter] })
        };
        assert!(set(&mut peer, 0.125).results[0].successful, "{vendor:?}");
        let refused = &set(&mut peer, -1.0).results[0];
        assert!(!refused.successful);
        assert!(refused.reason.contains("proximity_distance"), "{}", refused.reason);

        let names = vec!["proximity_distance".to_string()];
        let (name, type_name) = service("get_parameters", "GetParameters");
        let got: GetParametersResponse =
            peer.ask(&name, &type_name, &GetParametersRequest { names: names.clone() });
        assert_eq!(got.values[0].double_value, 0.125, "{vendor:?}");
        let (name, type_name) = service("describe_parameters", "DescribeParameters");
        let described: DescribeParametersResponse =
            peer.ask(&name, &type_name, &DescribeParametersRequest { names: names.clone() });
        assert_eq!(described.descriptors[0].floating_point_range.len(), 1);
        let (name, type_name) = service("get_parameter_types", "GetParameterTypes");
        let types: GetParameterTypesResponse =
            peer.ask(&name, &type_name, &GetParameterTypesRequest { names });
        assert_eq!(types.types, [3]);
        let (name, type_name) = service("set_parameters_atomically", "SetParametersAtomically");
        let parameter = Parameter { name: "no_such".into(), value: ParameterValue::default() };
        let request = SetParametersAtomicallyRequest { parameters: vec![parameter] };
        let answer: SetParametersAtomicallyResponse = peer.ask(&name, &type_name, &request);
        assert!(!answer.result.successful);
    }
}
