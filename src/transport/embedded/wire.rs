//! What ROS names and messages look like in DDS.

use rustdds::bytes::Bytes;
use rustdds::no_key::{Decode, DefaultDecoder, DeserializerAdapter, SerializerAdapter};
use rustdds::policy::{Durability, History, Reliability, ResourceLimits};
use rustdds::{Duration, QosPolicies, QosPolicyBuilder, RepresentationIdentifier};

use super::super::names::{NameKind, split_type};
use super::super::{self as transport, Qos, TransportError};

/// Length of the encapsulation header in front of every message.
pub(super) const HEADER: usize = 4;
/// The only representation that is sent: little-endian CDR.
const LITTLE_ENDIAN: [u8; 2] = [0, 1];
/// Most samples a writer keeps for readers that have not yet confirmed them. Far above what is ever waited for (see
/// `writer.rs`), so that writing never blocks on a reader that is gone.
const WRITER_SAMPLES: i32 = 100_000;
/// Most samples a reader keeps. They are taken at once; what is kept longer is only kept in memory.
const READER_SAMPLES: i32 = 256;

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

/// Quality of service of a writer.
pub(super) fn writer_qos(qos: Qos) -> QosPolicies {
    policies(qos, WRITER_SAMPLES)
}

/// Quality of service of a reader.
pub(super) fn reader_qos(qos: Qos) -> QosPolicies {
    policies(qos, READER_SAMPLES)
}

fn policies(qos: Qos, max_samples: i32) -> QosPolicies {
    let depth = i32::try_from(qos.depth).unwrap_or(i32::MAX).clamp(1, max_samples);
    QosPolicyBuilder::new()
        .reliability(match qos.reliability {
            transport::Reliability::BestEffort => Reliability::BestEffort,
            transport::Reliability::Reliable => {
                Reliability::Reliable { max_blocking_time: Duration::from_millis(100) }
            }
        })
        .durability(match qos.durability {
            transport::Durability::Volatile => Durability::Volatile,
            transport::Durability::TransientLocal => Durability::TransientLocal,
        })
        .history(History::KeepLast { depth })
        .resource_limits(ResourceLimits {
            max_samples,
            max_instances: max_samples,
            max_samples_per_instance: max_samples,
        })
        .build()
}

/// A message on its way through DDS, which does not look inside.
pub(super) struct Payload {
    representation: [u8; 2],
    /// What follows the encapsulation header.
    pub(super) body: Bytes,
}

impl Payload {
    /// Of a message with its encapsulation header. DDS writes one representation per topic, so others are refused.
    pub(super) fn of_message(message: &[u8]) -> Result<Self, String> {
        match message.split_at_checked(HEADER) {
            Some(([0, 1, ..], body)) => Ok(Self::little_endian(Bytes::copy_from_slice(body))),
            Some((header, _)) => {
                Err(format!("the header {header:02x?} is not that of little-endian CDR"))
            }
            None => Err(format!("{} bytes have no header", message.len())),
        }
    }

    /// Of little-endian CDR without a header.
    pub(super) fn little_endian(body: Bytes) -> Self {
        Self { representation: LITTLE_ENDIAN, body }
    }

    /// Whether numbers start with their lowest byte. In the representations of DDS the last bit says so.
    pub(super) fn is_little_endian(&self) -> bool {
        self.representation[1] & 1 == 1
    }

    /// The message with its encapsulation header, without the first `skip` bytes of the body.
    pub(super) fn to_message(&self, skip: usize) -> Vec<u8> {
        let body = self.body.get(skip..).unwrap_or_default();
        let mut message = Vec::with_capacity(HEADER + body.len());
        message.extend_from_slice(&self.representation);
        message.extend_from_slice(&[0, 0]);
        message.extend_from_slice(body);
        message
    }
}

/// Lets payloads through as they are.
pub(super) struct Unchanged;

/// Never happens: there is nothing that could fail.
#[derive(Debug, thiserror::Error)]
#[error("no error")]
pub(super) struct Never;

impl SerializerAdapter<Payload> for Unchanged {
    type Error = Never;

    fn output_encoding() -> RepresentationIdentifier {
        RepresentationIdentifier::CDR_LE
    }

    /// Padded with zeros to a multiple of four bytes: submessages of RTPS have such lengths, and RustDDS does not see to
    /// it for the last fragment of a large message, which Cyclone DDS then refuses.
    fn to_bytes(value: &Payload) -> Result<Bytes, Never> {
        let missing = value.body.len().next_multiple_of(4) - value.body.len();
        if missing == 0 {
            return Ok(value.body.clone());
        }
        let mut padded = Vec::with_capacity(value.body.len() + missing);
        padded.extend_from_slice(&value.body);
        padded.resize(value.body.len() + missing, 0);
        Ok(padded.into())
    }
}

impl DeserializerAdapter<Payload> for Unchanged {
    type Error = Never;
    type Decoded = Payload;

    fn supported_encodings() -> &'static [RepresentationIdentifier] {
        // All of them: whoever decodes says which it knows.
        &[
            RepresentationIdentifier::CDR_LE,
            RepresentationIdentifier::CDR_BE,
            RepresentationIdentifier::PL_CDR_LE,
            RepresentationIdentifier::PL_CDR_BE,
            RepresentationIdentifier::CDR2_LE,
            RepresentationIdentifier::CDR2_BE,
            RepresentationIdentifier::PL_CDR2_LE,
            RepresentationIdentifier::PL_CDR2_BE,
            RepresentationIdentifier::D_CDR_LE,
            RepresentationIdentifier::D_CDR_BE,
            RepresentationIdentifier::XML,
            RepresentationIdentifier::XCDR2_LE,
            RepresentationIdentifier::XCDR2_BE,
        ]
    }

    fn transform_decoded(decoded: Payload) -> Payload {
        decoded
    }
}

impl DefaultDecoder<Payload> for Unchanged {
    type Decoder = Copying;
    const DECODER: Copying = Copying;
}

/// Copies the bytes out of the receive buffer.
#[derive(Clone)]
pub(super) struct Copying;

impl Decode<'_, Payload> for Copying {
    type Error = Never;

    fn decode_bytes(
        self,
        input: &[u8],
        encoding: RepresentationIdentifier,
    ) -> Result<Payload, Never> {
        Ok(Payload { representation: encoding.to_bytes(), body: Bytes::copy_from_slice(input) })
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
        let message = [0, 1, 0, 0, 7, 8, 9];
        let payload = Payload::of_message(&message).unwrap();
        assert_eq!(payload.to_message(0), message);
        assert_eq!(payload.to_message(2), [0, 1, 0, 0, 9]);
        assert_eq!(payload.to_message(20), [0, 1, 0, 0]);
        assert!(Payload::of_message(&[0, 1]).is_err());
        assert!(Payload::of_message(&[0, 0, 0, 0, 1]).is_err());
    }
}
