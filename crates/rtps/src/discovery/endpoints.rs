//! SEDP: what a participant says about a writer or reader.

use super::locator;
use crate::guid::{EntityId, Guid, VENDOR};
use crate::qos::{Durability, EndpointQos, History, LivelinessKind, Ownership, Qos, Reliability};
use crate::wire::{Cursor, Malformed, ParameterList, ParameterWriter, pid};
use std::net::SocketAddrV4;
use std::time::Duration;

/// Longest topic, type and partition names that are accepted, in bytes.
pub const LONGEST_NAME: usize = 1024;
/// Longest user data that is accepted, in bytes.
pub const LONGEST_USER_DATA: usize = 4096;
/// Most partitions and encodings that are accepted.
const LONGEST_LIST: usize = 64;
/// How long a writer of ours may block, which it never does; ROS announces the same.
const MAX_BLOCKING_TIME: Duration = Duration::from_millis(100);

/// An announcement of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointData {
    /// Who it is.
    pub guid: Guid,
    /// The topic.
    pub topic: String,
    /// The type.
    pub type_name: String,
    /// What it offers or requests.
    pub qos: EndpointQos,
    /// Where it takes samples; where its participant does if empty.
    pub addresses: Vec<SocketAddrV4>,
    /// What the application adds, such as `typehash=RIHS01_…;` in ROS 2.
    pub user_data: Vec<u8>,
}

impl EndpointData {
    /// The payload of an announcement of an endpoint of ours.
    pub fn to_payload(&self) -> Vec<u8> {
        let qos = &self.qos;
        let reliability = match qos.reliability {
            Reliability::BestEffort => 1_u32,
            Reliability::Reliable => 2,
        };
        let (kind, depth) = match qos.history {
            History::KeepLast(depth) => (0_u32, i32::try_from(depth.max(1)).unwrap_or(i32::MAX)),
            History::KeepAll => (1, -1),
        };
        let blocking = locator::duration_bytes(MAX_BLOCKING_TIME);
        let mut list = ParameterWriter::payload()
            .guid(pid::ENDPOINT_GUID, self.guid)
            .guid(pid::PARTICIPANT_GUID, Guid::new(self.guid.prefix, EntityId::PARTICIPANT))
            .guid(pid::KEY_HASH, self.guid)
            .string(pid::TOPIC_NAME, &self.topic)
            .string(pid::TYPE_NAME, &self.type_name)
            .add(pid::PROTOCOL_VERSION, &[2, 3])
            .add(pid::VENDOR_ID, &VENDOR)
            .add(pid::RELIABILITY, &[&reliability.to_le_bytes()[..], &blocking].concat())
            .u32(pid::DURABILITY, qos.durability as u32)
            .add(pid::HISTORY, &[kind.to_le_bytes(), depth.to_le_bytes()].concat());
        list = locator::write_all(list, pid::UNICAST_LOCATOR, &self.addresses);
        if !self.user_data.is_empty() {
            list = list.octets(pid::USER_DATA, &self.user_data);
        }
        list.finish()
    }

    /// Reads only whom an announcement is about.
    pub fn parse_guid(payload: &[u8]) -> Result<Guid, Malformed> {
        let guid = ParameterList::of_payload(payload)?.find(pid::ENDPOINT_GUID);
        guid.ok_or(Malformed("endpoint: no GUID"))?.guid()
    }

    /// Reads the payload of an announcement.
    pub fn parse(payload: &[u8]) -> Result<Self, Malformed> {
        let (list, guid) = (ParameterList::of_payload(payload)?, Self::parse_guid(payload)?);
        let mut data = Self {
            guid,
            topic: String::new(),
            type_name: String::new(),
            qos: default_qos(guid),
            addresses: Vec::new(),
            user_data: Vec::new(),
        };
        for (id, mut value) in list.iter() {
            match id {
                pid::TOPIC_NAME => data.topic = value.string(LONGEST_NAME)?,
                pid::TYPE_NAME => data.type_name = value.string(LONGEST_NAME)?,
                pid::USER_DATA => data.user_data = value.octets(LONGEST_USER_DATA)?,
                pid::UNICAST_LOCATOR if data.addresses.len() < locator::MOST_LOCATORS => {
                    data.addresses.extend(locator::read(&mut value)?);
                }
                _ => read_policy(&mut data.qos, id, &mut value)?,
            }
        }
        if data.topic.is_empty() || data.type_name.is_empty() {
            return Err(Malformed("endpoint: no topic or type"));
        }
        Ok(data)
    }
}

/// What holds where nothing is said: writers are reliable, readers best effort.
fn default_qos(guid: Guid) -> EndpointQos {
    let qos = if guid.entity.is_reader() { Qos::best_effort(1) } else { Qos::reliable(1) };
    qos.into()
}

fn read_policy(qos: &mut EndpointQos, id: u16, value: &mut Cursor<'_>) -> Result<(), Malformed> {
    match id {
        pid::RELIABILITY => {
            qos.reliability = match value.u32()? {
                1 => Reliability::BestEffort,
                2 => Reliability::Reliable,
                _ => return Err(Malformed("RELIABILITY")),
            };
        }
        pid::DURABILITY => {
            qos.durability = match value.u32()? {
                0 => Durability::Volatile,
                1 => Durability::TransientLocal,
                2 => Durability::Transient,
                3 => Durability::Persistent,
                _ => return Err(Malformed("DURABILITY")),
            };
        }
        pid::HISTORY => {
            qos.history = match (value.u32()?, value.u32()?) {
                (0, depth) => History::KeepLast(depth as usize),
                (1, _) => History::KeepAll,
                _ => return Err(Malformed("HISTORY")),
            };
        }
        pid::DEADLINE => qos.deadline = locator::read_duration(value)?,
        pid::LIVELINESS => {
            qos.liveliness = match value.u32()? {
                0 => LivelinessKind::Automatic,
                1 => LivelinessKind::ManualByParticipant,
                2 => LivelinessKind::ManualByTopic,
                _ => return Err(Malformed("LIVELINESS")),
            };
            qos.liveliness_lease = locator::read_duration(value)?;
        }
        pid::OWNERSHIP => {
            qos.ownership = match value.u32()? {
                0 => Ownership::Shared,
                1 => Ownership::Exclusive,
                _ => return Err(Malformed("OWNERSHIP")),
            };
        }
        pid::PARTITION => qos.partitions = names(value)?,
        pid::DATA_REPRESENTATION => {
            let count = length(value)?;
            qos.representations =
                (0..count).map(|_| value.u16().map(u16::cast_signed)).collect::<Result<_, _>>()?;
        }
        _ => {}
    }
    Ok(())
}

fn length(value: &mut Cursor<'_>) -> Result<usize, Malformed> {
    let count = value.u32()? as usize;
    if count <= LONGEST_LIST { Ok(count) } else { Err(Malformed("list: too long")) }
}

fn names(value: &mut Cursor<'_>) -> Result<Vec<String>, Malformed> {
    let (whole, count) = (value.rest().len(), length(value)?);
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(value.string(LONGEST_NAME)?);
        // Each string starts at a multiple of four bytes.
        let read = whole - value.rest().len();
        value.bytes((read.next_multiple_of(4) - read).min(value.rest().len()))?;
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::GuidPrefix;

    fn example() -> EndpointData {
        EndpointData {
            guid: Guid::new(GuidPrefix([5; 12]), EntityId::user_writer(3)),
            topic: "rt/chatter".to_owned(),
            type_name: "std_msgs::msg::dds_::String_".to_owned(),
            qos: Qos::transient_local(7).into(),
            addresses: vec!["10.0.0.7:7411".parse().unwrap()],
            user_data: b"typehash=RIHS01_00;".to_vec(),
        }
    }

    #[test]
    fn what_is_announced_is_read() {
        assert_eq!(EndpointData::parse(&example().to_payload()).unwrap(), example());
        let all = EndpointQos { history: History::KeepAll, ..Qos::best_effort(1).into() };
        let keep_all = EndpointData { qos: all, ..example() };
        assert_eq!(EndpointData::parse(&keep_all.to_payload()).unwrap(), keep_all);
    }

    #[test]
    fn policies_of_others_are_read() {
        let second = [1, 0, 0, 0, 0, 0, 0, 0];
        let payload = ParameterWriter::payload()
            .guid(pid::ENDPOINT_GUID, example().guid)
            .string(pid::TOPIC_NAME, "a")
            .string(pid::TYPE_NAME, "b")
            .add(pid::DEADLINE, &second)
            .add(pid::LIVELINESS, &[&[2, 0, 0, 0][..], &second].concat())
            .u32(pid::OWNERSHIP, 1)
            .add(pid::PARTITION, b"\x02\0\0\0\x02\0\0\0a\0\0\0\x04\0\0\0bcd\0")
            .add(pid::DATA_REPRESENTATION, &[2, 0, 0, 0, 2, 0, 0, 0])
            .finish();
        let qos = EndpointData::parse(&payload).unwrap().qos;
        assert_eq!(qos.deadline, Some(Duration::from_secs(1)));
        assert_eq!(qos.liveliness, LivelinessKind::ManualByTopic);
        assert_eq!(qos.liveliness_lease, Some(Duration::from_secs(1)));
        assert_eq!(qos.ownership, Ownership::Exclusive);
        assert_eq!(qos.partitions, ["a", "bcd"]);
        assert_eq!(qos.representations, [2, 0]);
    }

    #[test]
    fn readers_are_best_effort_unless_they_say_otherwise() {
        let reliability = |entity| {
            let guid = Guid::new(GuidPrefix([5; 12]), entity);
            let list = ParameterWriter::payload().guid(pid::ENDPOINT_GUID, guid);
            let list = list.string(pid::TOPIC_NAME, "a").string(pid::TYPE_NAME, "b");
            EndpointData::parse(&list.finish()).unwrap().qos.reliability
        };
        assert_eq!(reliability(EntityId::user_reader(1)), Reliability::BestEffort);
        assert_eq!(reliability(EntityId::user_writer(1)), Reliability::Reliable);
    }

    #[test]
    fn truncated_and_nameless_announcements_are_refused() {
        let payload = example().to_payload();
        for length in 0..payload.len() {
            assert!(EndpointData::parse(&payload[..length]).is_err(), "{length}");
        }
        let nameless = EndpointData { topic: String::new(), ..example() };
        assert!(EndpointData::parse(&nameless.to_payload()).is_err());
    }
}
