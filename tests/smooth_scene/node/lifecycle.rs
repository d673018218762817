//! The node as a managed node: what it answers in which state, and what it tells about its transitions.

use super::rig::{PATIENCE, Rig, TWO_BALLS, quoted, receive, until};
use smooth_scene::cdr;
use smooth_scene::interfaces::diagnostic_msgs::msg::DiagnosticArray;
use smooth_scene::interfaces::lifecycle_msgs::msg::{State, Transition, TransitionEvent};
use smooth_scene::interfaces::lifecycle_msgs::srv;
use smooth_scene::interfaces::moveit_msgs::msg::CollisionObject;
use smooth_scene::interfaces::moveit_msgs::srv::{
    GetStateValidityRequest, GetStateValidityResponse,
};
use smooth_scene::interfaces::msg::ProximityArray;
use smooth_scene::interfaces::rcl_interfaces::srv::{
    ListParametersRequest, ListParametersResponse,
};
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::shape_msgs::msg::SolidPrimitive;
use smooth_scene::interfaces::srv::{GetDistanceResponse, PlanMotionRequest, PlanMotionResponse};
use smooth_scene::transport::{Qos, Transport};

fn managed() -> Rig {
    let description = format!("robot_description:={}", quoted(TWO_BALLS));
    Rig::bare(&[&description, "lifecycle:=true", "max_state_age:=0.0", "publish_rate:=200.0"])
}

pub fn change(rig: &Rig, label: &str) -> bool {
    let transition = Transition { id: 0, label: label.into() };
    let request = srv::ChangeStateRequest { transition };
    let answer: srv::ChangeStateResponse =
        rig.call("/scene_node/change_state", "lifecycle_msgs/srv/ChangeState", &request);
    answer.success
}

fn state(rig: &Rig) -> State {
    let request = srv::GetStateRequest::default();
    let answer: srv::GetStateResponse =
        rig.call("/scene_node/get_state", "lifecycle_msgs/srv/GetState", &request);
    answer.current_state
}

fn transitions(rig: &Rig, service: &str) -> Vec<(String, String)> {
    let (name, type_name) =
        (format!("/scene_node/{service}"), "lifecycle_msgs/srv/GetAvailableTransitions");
    let request = srv::GetAvailableTransitionsRequest::default();
    let answer: srv::GetAvailableTransitionsResponse = rig.call(&name, type_name, &request);
    let named = answer.available_transitions.into_iter();
    named.map(|one| (one.transition.label, one.goal_state.label)).collect()
}

fn validity(rig: &Rig) -> GetStateValidityResponse {
    let request = GetStateValidityRequest::default();
    rig.call("/check_state_validity", "moveit_msgs/srv/GetStateValidity", &request)
}

#[test]
fn questions_are_answered_only_while_the_node_is_active() {
    let rig = managed();
    let refused = |rig: &Rig, word: &str| {
        let answer = rig.distance();
        assert_eq!(answer.status, GetDistanceResponse::INACTIVE);
        assert_eq!(
            answer.message,
            format!("the node is {word}, must be active: see ros2 lifecycle set")
        );
        assert!(answer.proximities.is_empty());
        assert!(!validity(rig).valid, "never free");
    };
    assert_eq!((state(&rig).id, state(&rig).label.as_str()), (1, "unconfigured"));
    refused(&rig, "unconfigured");
    assert!(!change(&rig, "activate"), "it is not configured yet");
    assert!(change(&rig, "configure"));
    // What is known before it is active is there at once.
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    refused(&rig, "inactive");
    assert!(change(&rig, "activate"));
    until("the joints have arrived", || rig.distance().status == GetDistanceResponse::OK);
    assert!(validity(&rig).valid);
    assert!(change(&rig, "deactivate"));
    refused(&rig, "inactive");
    assert!(change(&rig, "shutdown"));
    refused(&rig, "finalized");
    for label in ["configure", "activate", "shutdown", "fly"] {
        assert!(!change(&rig, label), "{label}");
    }
    // Parameters can be read and set in every state.
    let request = ListParametersRequest::default();
    let list: ListParametersResponse =
        rig.call("/scene_node/list_parameters", "rcl_interfaces/srv/ListParameters", &request);
    assert!(list.result.names.contains(&"lifecycle".to_string()));
}

#[test]
fn transitions_are_listed_and_published() {
    let rig = managed();
    let (topic, type_name) = ("/scene_node/transition_event", "lifecycle_msgs/msg/TransitionEvent");
    let events = rig.listen::<TransitionEvent>(topic, type_name, Qos::reliable(10));
    let pairs = |list: Vec<(String, String)>| {
        list.into_iter()
            .map(|(label, goal)| format!("{label}>{goal}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        pairs(transitions(&rig, "get_available_transitions")),
        "configure>configuring shutdown>shuttingdown"
    );
    assert_eq!(transitions(&rig, "get_transition_graph").len(), 25);
    let states: srv::GetAvailableStatesResponse = rig.call(
        "/scene_node/get_available_states",
        "lifecycle_msgs/srv/GetAvailableStates",
        &srv::GetAvailableStatesRequest::default(),
    );
    assert_eq!(states.available_states.len(), 11);
    assert!(change(&rig, "configure"));
    for (start, goal) in [("unconfigured", "configuring"), ("configuring", "inactive")] {
        let event = receive(&events, "a transition", |_| true);
        assert_eq!(
            (event.start_state.label.as_str(), event.goal_state.label.as_str()),
            (start, goal)
        );
        assert!(event.timestamp > 0);
    }
}

#[test]
fn the_scene_is_published_only_while_the_node_is_active_and_cleanup_empties_it() {
    let rig = managed();
    let (topic, type_name) = ("/scene_node/proximities", "smooth_scene/msg/ProximityArray");
    let proximities = rig.listen::<ProximityArray>(topic, type_name, Qos::reliable(10));
    let objects =
        rig.publisher("collision_object", "moveit_msgs/msg/CollisionObject", Qos::reliable(10));
    let mut ball = CollisionObject { id: "early".into(), ..CollisionObject::default() };
    ball.primitives = vec![SolidPrimitive {
        type_: SolidPrimitive::SPHERE,
        dimensions: vec![0.1],
        ..SolidPrimitive::default()
    }];
    ball.primitive_poses = vec![Default::default()];
    ball.pose.position.y = 3.0;
    let known = |id: &str| rig.node.store().snapshot().unwrap().scene.world().find(id).is_some();

    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let reports = rig.listen::<DiagnosticArray>(
        "/diagnostics",
        "diagnostic_msgs/msg/DiagnosticArray",
        Qos::reliable(10),
    );
    objects.publish(&cdr::encode(&ball)).unwrap();
    receive(&reports, "an unconfigured node refuses objects", |report| {
        let values = report.status.iter().flat_map(|status| &status.values);
        values
            .into_iter()
            .any(|v| v.key == "last refused change" && v.value.contains("unconfigured"))
    });
    assert!(change(&rig, "configure"));
    ball.id = "ready".into();
    objects.publish(&cdr::encode(&ball)).unwrap();
    until("an inactive node takes objects", || known("ready"));
    assert!(!known("early"), "an unconfigured one does not");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(proximities.try_recv().is_err(), "nothing is published yet");
    assert!(change(&rig, "activate"));
    let first = proximities.recv_timeout(PATIENCE).expect("published when it becomes active");
    assert_eq!(first.status, ProximityArray::FREE);
    assert!(change(&rig, "deactivate") && change(&rig, "cleanup"));
    assert!(!known("ready"), "cleaned up");
    assert_eq!(state(&rig).label, "unconfigured");
}

#[test]
fn a_bad_description_keeps_the_node_unconfigured() {
    let rig = Rig::bare(&["lifecycle:=true"]);
    let _bad = rig.publish_text("robot_description", "<robot name='broken'>");
    until("it was read", || rig.node.refused_description().is_some());
    assert!(!change(&rig, "configure"));
    assert_eq!(state(&rig).label, "unconfigured");
    let _good = rig.publish_text("robot_description", TWO_BALLS);
    until("it was read", || rig.node.refused_description().is_none());
    assert!(change(&rig, "configure"));
}

#[test]
fn a_node_that_nobody_manages_has_no_such_services() {
    let rig = Rig::with_balls(&[]);
    let client = rig.peer.client("/scene_node/get_state", "lifecycle_msgs/srv/GetState").unwrap();
    assert!(!client.wait_for_server(std::time::Duration::from_millis(20)));
}

/// The right ball is in the way of the left one, for ever: only the end of the node's activity ends the search.
#[test]
fn a_plan_under_way_ends_when_the_node_is_deactivated() {
    let rig = managed();
    assert!(change(&rig, "configure"));
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
    let goal =
        JointState { name: vec!["left_x".into()], position: vec![3.0], ..JointState::default() };
    let request = PlanMotionRequest {
        goal,
        max_states: u64::MAX,
        allowed_time: 3600.0,
        ..Default::default()
    };
    let client = rig.peer.client("/scene_node/plan_motion", "smooth_scene/srv/PlanMotion").unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let planner = std::thread::spawn(move || {
        // Asked again until the search has begun before the node is deactivated.
        loop {
            let answer = client.call(&cdr::encode(&request), PATIENCE).expect("an answer");
            let answer: PlanMotionResponse = cdr::decode(&answer).expect("a response");
            if answer.result == PlanMotionResponse::CANCELLED {
                sender.send(answer.message).expect("the test waits");
                return;
            }
        }
    });
    let message = loop {
        assert!(change(&rig, "activate"));
        until("the joints have arrived", || rig.distance().status == GetDistanceResponse::OK);
        assert!(change(&rig, "deactivate"));
        if let Ok(message) = receiver.try_recv() {
            break message;
        }
    };
    planner.join().unwrap();
    assert_eq!(message, "cancelled: the node is no longer active");
}
