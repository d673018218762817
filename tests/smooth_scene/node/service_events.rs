//! Service introspection: events about requests and responses.

use super::rig::{Rig, receive};
use smooth_scene::interfaces::Message;
use smooth_scene::interfaces::service_msgs::msg::ServiceEventInfo;
use smooth_scene::interfaces::srv::GetDistanceEvent;
use smooth_scene::transport::{Qos, Transport};
use std::sync::mpsc::Receiver;

/// The next request. The last call of the set-up may tell of its response after it was answered.
fn next_request(events: &Receiver<GetDistanceEvent>) -> GetDistanceEvent {
    receive(events, "the request", |event| {
        event.info.event_type == ServiceEventInfo::REQUEST_RECEIVED
    })
}

fn events(rig: &Rig) -> Receiver<GetDistanceEvent> {
    let topic = "/scene_node/get_distance/_service_event";
    rig.listen(topic, "smooth_scene/srv/GetDistance_Event", Qos::reliable(10))
}

#[test]
fn contents_tell_what_was_asked_and_answered() {
    let rig = Rig::with_balls(&["service_introspection:=contents", "max_state_age:=0.0"]);
    let events = events(&rig);
    let answer = rig.distance();
    let asked = next_request(&events);
    assert_eq!((asked.request.len(), asked.response.len()), (1, 0));
    assert_eq!(asked.request[0].max_distance, f64::INFINITY);
    let told = receive(&events, "the response to the same request of the same client", |event| {
        event.info.event_type == ServiceEventInfo::RESPONSE_SENT
            && event.info.client_gid == asked.info.client_gid
            && event.info.sequence_number == asked.info.sequence_number
    });
    assert_eq!((told.request.len(), told.response), (0, vec![answer]));
    assert!(asked.info.sequence_number > 0 && asked.info.stamp.sec > 0);
}

#[test]
fn metadata_leave_the_contents_out_and_disabled_is_silent() {
    let rig = Rig::with_balls(&["service_introspection:=metadata", "max_state_age:=0.0"]);
    let events_of_rig = events(&rig);
    rig.distance();
    let asked = next_request(&events_of_rig);
    assert!(asked.request.is_empty() && asked.response.is_empty());
    // A response that refuses is a response.
    let before = rig.distance_at(&["no_such_joint"], &[0.0]);
    assert_eq!(before.status, 2);
    for _ in 0..2 {
        receive(&events_of_rig, "a response", |event| {
            event.info.event_type == ServiceEventInfo::RESPONSE_SENT
        });
    }

    let silent = Rig::with_balls(&["max_state_age:=0.0"]);
    let none = events(&silent);
    silent.distance();
    assert!(none.try_recv().is_err());
    assert!(Rig::start(&["service_introspection:=everything"]).is_err());
    assert!(silent.peer.resolve("/x/_service_event").is_ok());
}

/// The hash that rosidl 4.6 of ROS 2 Jazzy gives the event of a standard service: from
/// share/lifecycle_msgs/srv/GetState.json of an installation.
#[test]
fn events_have_the_type_hash_of_rosidl() {
    let definition = smooth_scene::interfaces::lifecycle_msgs::srv::GetStateEvent::DEFINITION;
    assert_eq!(definition.type_name, "lifecycle_msgs/srv/GetState_Event");
    assert_eq!(
        definition.hash,
        "RIHS01_4ac077d336db33726a95700398b95c34f326ecd27162b3f85cd7f85b4a55a75a"
    );
}
