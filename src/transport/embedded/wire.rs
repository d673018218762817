//! What ROS names and messages look like in DDS.

use super::super::names::{NameKind, split_type};
use super::super::{self as transport, Qos, TransportError};
use smooth_scene_rtps as rtps;

/// Length of the encapsulation header in front of every message.
pub(super) const HEADER: usize = 4;

/// A topic's name in DDS.
pub(super) fn topic(name: &str) -> String {
    format!("rt{name}")
}

/// The name in DDS of the topic that carries a service's requests.
pub(super) fn request_topic(service: &str) -> String {
    format!("rq{service}Request")
}

/// The name in DDS of the topic that carries a service's replies.
pub(super) fn reply_topic(service: &str) -> String {
    format!("rr{service}Reply")
}

/// A message's type as DDS has it.
pub(super) fn message_type(type_name: &str) -> Result<String, TransportError> {
    let (package, name) = split_type(NameKind::Topic, type_name)?;
    Ok(format!("{package}::msg::dds_::{name}_"))
}

/// The types of a service's requests and replies as DDS has them.
pub(super) fn service_types(type_name: &str) -> Result<(String, String), TransportError> {
    let (package, name) = split_type(NameKind::Service, type_name)?;
    let whole = |part: &str| format!("{package}::srv::dds_::{name}_{part}_");
    Ok((whole("Request"), whole("Response")))
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
    use super::*;

    #[test]
    fn names_are_those_of_ros_in_dds() {
        assert_eq!(topic("/joint_states"), "rt/joint_states");
        assert_eq!(request_topic("/a/b"), "rq/a/bRequest");
        assert_eq!(reply_topic("/a/b"), "rr/a/bReply");
        assert_eq!(message_type("std_msgs/msg/String").unwrap(), "std_msgs::msg::dds_::String_");
        let (request, reply) = service_types("smooth_scene/srv/GetScene").unwrap();
        assert_eq!(request, "smooth_scene::srv::dds_::GetScene_Request_");
        assert_eq!(reply, "smooth_scene::srv::dds_::GetScene_Response_");
        for bad in ["", "String", "a/b/c", "/msg/X", "a/msg/", "a/msg/b/c", "a/srv/B"] {
            assert!(message_type(bad).is_err(), "{bad}");
        }
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
