//! What ROS names and messages look like in DDS.

use super::super::names::{Address, InterfaceType};
use super::super::qos::{self as transport, Qos};
use crate::interfaces::definition;
use smooth_scene_rtps as rtps;

/// Length of the encapsulation header in front of every message.
pub(super) const HEADER: usize = 4;

/// A topic as DDS has it.
pub(super) fn topic(address: &Address, qos: Qos) -> rtps::Endpoint {
    endpoint(format!("rt{}", address.name), &address.interface, "", qos)
}

/// The topic that carries a service's requests, as DDS has it.
pub(super) fn requests(address: &Address, qos: Qos) -> rtps::Endpoint {
    endpoint(format!("rq{}Request", address.name), &address.interface, "_Request", qos)
}

/// The topic that carries a service's replies, as DDS has it.
pub(super) fn replies(address: &Address, qos: Qos) -> rtps::Endpoint {
    endpoint(format!("rr{}Reply", address.name), &address.interface, "_Response", qos)
}

/// An endpoint of a topic whose type is this one, or the part of it that `suffix` names.
pub(super) fn endpoint(
    topic: String,
    InterfaceType { package, folder, name }: &InterfaceType,
    suffix: &str,
    qos: Qos,
) -> rtps::Endpoint {
    // Types that are not on our wire have no hash here; ROS 2 takes that for a type without one.
    let known = definition(&format!("{package}/{folder}/{name}{suffix}"));
    let user_data = known.map_or_else(Vec::new, |known| type_hash(known.hash));
    let type_name = format!("{package}::{folder}::dds_::{name}{suffix}_");
    rtps::Endpoint { topic, type_name, qos: self::qos(qos), user_data }
}

/// How ROS 2 announces the hash of an endpoint's type since Iron.
pub(super) fn type_hash(hash: &str) -> Vec<u8> {
    format!("typehash={hash};").into_bytes()
}

/// Quality of service as DDS has it.
pub(super) fn qos(qos: Qos) -> rtps::Qos {
    rtps::Qos {
        reliability: match qos.reliability {
            transport::Reliability::BestEffort => rtps::Reliability::BestEffort,
            transport::Reliability::Reliable => rtps::Reliability::Reliable,
        },
        durability: match qos.durability {
            transport::Durability::Volatile => rtps::Durability::Volatile,
            transport::Durability::TransientLocal => rtps::Durability::TransientLocal,
        },
        history: rtps::History::KeepLast(qos.depth.max(1)),
    }
}

/// The body of a message that is to be sent: what follows its header. Only little-endian CDR is sent.
pub(super) fn body(message: &[u8]) -> Result<&[u8], String> {
    match message.split_at_checked(HEADER) {
        Some(([0, 1, ..], body)) => Ok(body),
        Some((header, _)) => {
            Err(format!("the header {header:02x?} is not that of little-endian CDR"))
        }
        None => Err(format!("{} bytes have no header", message.len())),
    }
}

/// A message of little-endian CDR with these parts as its body.
pub(super) fn message(parts: &[&[u8]]) -> Vec<u8> {
    let length = parts.iter().map(|part| part.len()).sum::<usize>();
    let mut message = Vec::with_capacity(HEADER + length);
    message.extend_from_slice(&[0, 1, 0, 0]);
    parts.iter().for_each(|part| message.extend_from_slice(part));
    message
}

/// A message that was received: its encoding and its body. Options of the header, such as the length of the padding, are
/// left out. Nothing if there is no header.
pub(super) struct Received {
    bytes: Vec<u8>,
}

impl Received {
    pub(super) fn new(mut payload: Vec<u8>) -> Option<Self> {
        payload.get_mut(2..HEADER)?.fill(0);
        Some(Self { bytes: payload })
    }

    /// Whether numbers start with their lowest byte. In the representations of DDS the last bit says so.
    pub(super) fn is_little_endian(&self) -> bool {
        self.bytes[1] & 1 == 1
    }

    /// What follows the header.
    pub(super) fn body(&self) -> &[u8] {
        &self.bytes[HEADER..]
    }

    /// The message with its header.
    pub(super) fn into_message(self) -> Vec<u8> {
        self.bytes
    }

    /// The message with its header, without the first `skip` bytes of the body.
    pub(super) fn into_message_without(mut self, skip: usize) -> Vec<u8> {
        let end = self.bytes.len().min(HEADER + skip);
        self.bytes.drain(HEADER..end);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::names::{NameKind, NodeNames};
    use super::*;

    const SERVICE: Qos = Qos::reliable(10);

    fn address(kind: NameKind, name: &str, type_name: &str) -> Address {
        NodeNames::new("node", "/", Vec::new()).unwrap().address(kind, name, type_name).unwrap()
    }

    #[test]
    fn names_are_those_of_ros_in_dds() {
        let qos = Qos::reliable(1);
        let topic = topic(&address(NameKind::Topic, "joint_states", "std_msgs/msg/String"), qos);
        assert_eq!(topic.topic, "rt/joint_states");
        assert_eq!(topic.type_name, "std_msgs::msg::dds_::String_");
        let service = address(NameKind::Service, "/a/b", "smooth_scene/srv/GetScene");
        let (requests, replies) = (requests(&service, qos), replies(&service, qos));
        assert_eq!((&*requests.topic, &*replies.topic), ("rq/a/bRequest", "rr/a/bReply"));
        assert_eq!(requests.type_name, "smooth_scene::srv::dds_::GetScene_Request_");
        assert_eq!(replies.type_name, "smooth_scene::srv::dds_::GetScene_Response_");
        for bad in ["", "String", "a/b/c", "/msg/X", "a/msg/", "a/msg/b/c", "a/srv/B"] {
            assert!(InterfaceType::parse(NameKind::Topic, bad).is_err(), "{bad}");
        }
    }

    /// The first is the hash of `std_msgs/msg/String` in the design document of rmw_zenoh.
    #[test]
    fn endpoints_announce_the_hash_of_their_type() {
        let user_data = |endpoint: rtps::Endpoint| String::from_utf8(endpoint.user_data).unwrap();
        let text = address(NameKind::Topic, "chatter", "std_msgs/msg/String");
        assert_eq!(
            user_data(topic(&text, Qos::reliable(1))),
            "typehash=RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18;"
        );
        let service = address(NameKind::Service, "/a", "smooth_scene/srv/GetScene");
        let part = |name: &str| format!("typehash={};", definition(name).unwrap().hash);
        let (requests, replies) = (requests(&service, SERVICE), replies(&service, SERVICE));
        assert_eq!(user_data(requests), part("smooth_scene/srv/GetScene_Request"));
        assert_eq!(user_data(replies), part("smooth_scene/srv/GetScene_Response"));
        let unknown = address(NameKind::Topic, "chatter", "no_msgs/msg/Such");
        assert_eq!(user_data(topic(&unknown, Qos::reliable(1))), "");
    }

    #[test]
    fn messages_keep_their_bytes() {
        let bytes = [0, 1, 0, 0, 7, 8, 9];
        assert_eq!(message(&[body(&bytes).unwrap()]), bytes);
        assert!(body(&[0, 1]).is_err());
        assert!(body(&[0, 0, 0, 0, 1]).is_err());
        let received = || Received::new(vec![0, 1, 0, 3, 7, 8, 9]).unwrap();
        assert_eq!(received().into_message(), bytes);
        assert_eq!(received().into_message_without(2), [0, 1, 0, 0, 9]);
        assert_eq!(received().into_message_without(20), [0, 1, 0, 0]);
        assert!(received().is_little_endian());
        assert!(Received::new(vec![0, 1, 0]).is_none());
    }
}
