//! SPDP: what a participant says about itself.

use super::locator;
use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::wire::{Malformed, ParameterList, ParameterWriter, pid};
use std::net::SocketAddrV4;
use std::time::Duration;

/// The lease when none is announced, as the specification has it.
const DEFAULT_LEASE: Duration = Duration::from_secs(100);
/// Participants, publications and subscriptions: a writer and a reader each.
const BUILTIN_ENDPOINTS: u32 = 0x3f;

/// An announcement of a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParticipantData {
    /// Who it is.
    pub prefix: GuidPrefix,
    /// Whose program it is; zeros if it does not say.
    pub vendor: [u8; 2],
    /// Where it takes discovery.
    pub metatraffic: Vec<SocketAddrV4>,
    /// The group where it takes announcements of participants.
    pub metatraffic_multicast: Vec<SocketAddrV4>,
    /// Where it takes samples, unless an endpoint says otherwise.
    pub user_traffic: Vec<SocketAddrV4>,
    /// How long it counts as alive without a sign of life.
    pub lease: Duration,
    /// Its name, for people.
    pub name: String,
    /// What the application adds.
    pub user_data: Vec<u8>,
}

impl ParticipantData {
    /// The payload of an announcement.
    pub fn to_payload(&self) -> Vec<u8> {
        let mut list = ParameterWriter::payload()
            .add(pid::PROTOCOL_VERSION, &[2, 3])
            .add(pid::VENDOR_ID, &self.vendor)
            .guid(pid::PARTICIPANT_GUID, Guid::new(self.prefix, EntityId::PARTICIPANT))
            .add(pid::PARTICIPANT_LEASE_DURATION, &locator::duration_bytes(self.lease))
            .u32(pid::BUILTIN_ENDPOINT_SET, BUILTIN_ENDPOINTS);
        for (id, addresses) in [
            (pid::METATRAFFIC_UNICAST_LOCATOR, &self.metatraffic),
            (pid::METATRAFFIC_MULTICAST_LOCATOR, &self.metatraffic_multicast),
            (pid::DEFAULT_UNICAST_LOCATOR, &self.user_traffic),
        ] {
            list = locator::write_all(list, id, addresses);
        }
        if !self.name.is_empty() {
            list = list.string(pid::ENTITY_NAME, &self.name);
        }
        if !self.user_data.is_empty() {
            list = list.octets(pid::USER_DATA, &self.user_data);
        }
        list.finish()
    }

    /// Reads the payload of an announcement.
    pub fn parse(payload: &[u8]) -> Result<Self, Malformed> {
        let mut data = Self {
            prefix: GuidPrefix::default(),
            vendor: [0; 2],
            metatraffic: Vec::new(),
            metatraffic_multicast: Vec::new(),
            user_traffic: Vec::new(),
            lease: DEFAULT_LEASE,
            name: String::new(),
            user_data: Vec::new(),
        };
        let mut guid = None;
        for (id, mut value) in ParameterList::of_payload(payload)?.iter() {
            let addresses = match id {
                pid::METATRAFFIC_UNICAST_LOCATOR => &mut data.metatraffic,
                pid::METATRAFFIC_MULTICAST_LOCATOR => &mut data.metatraffic_multicast,
                pid::DEFAULT_UNICAST_LOCATOR => &mut data.user_traffic,
                pid::PARTICIPANT_GUID => {
                    guid = Some(value.guid()?);
                    continue;
                }
                pid::VENDOR_ID => {
                    data.vendor = value.array()?;
                    continue;
                }
                pid::PARTICIPANT_LEASE_DURATION => {
                    data.lease = locator::read_duration(&mut value)?.unwrap_or(Duration::MAX);
                    continue;
                }
                pid::ENTITY_NAME => {
                    data.name = value.string(super::LONGEST_NAME)?;
                    continue;
                }
                pid::USER_DATA => {
                    data.user_data = value.octets(super::LONGEST_USER_DATA)?;
                    continue;
                }
                _ => continue,
            };
            if let Some(address) = locator::read(&mut value)?
                && addresses.len() < locator::MOST_LOCATORS
            {
                addresses.push(address);
            }
        }
        data.prefix = guid.ok_or(Malformed("participant: no GUID"))?.prefix;
        Ok(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> ParticipantData {
        ParticipantData {
            prefix: GuidPrefix([3; 12]),
            vendor: [1, 0x0f],
            metatraffic: vec!["127.0.0.1:7410".parse().unwrap(), "10.0.0.7:7410".parse().unwrap()],
            metatraffic_multicast: vec!["239.255.0.1:7400".parse().unwrap()],
            user_traffic: vec!["10.0.0.7:7411".parse().unwrap()],
            lease: Duration::from_millis(20_500),
            name: "scene".to_owned(),
            user_data: b"enclave=/;".to_vec(),
        }
    }

    #[test]
    fn what_is_announced_is_read() {
        assert_eq!(ParticipantData::parse(&example().to_payload()).unwrap(), example());
    }

    #[test]
    fn truncated_announcements_are_refused() {
        let payload = example().to_payload();
        for length in 0..payload.len() {
            assert!(ParticipantData::parse(&payload[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn more_addresses_than_permitted_are_dropped() {
        let address: SocketAddrV4 = "10.0.0.7:7410".parse().unwrap();
        let many = ParticipantData { metatraffic: vec![address; 100], ..example() };
        let read = ParticipantData::parse(&many.to_payload()).unwrap();
        assert_eq!(read.metatraffic.len(), locator::MOST_LOCATORS);
    }

    #[test]
    fn the_lease_may_be_infinite_or_missing() {
        let payload = |lease: &[u8]| {
            let guid = Guid::new(GuidPrefix([3; 12]), EntityId::PARTICIPANT);
            let list = ParameterWriter::payload().guid(pid::PARTICIPANT_GUID, guid);
            let id = if lease.is_empty() { pid::PAD } else { pid::PARTICIPANT_LEASE_DURATION };
            list.add(id, lease).finish()
        };
        let lease = |bytes: &[u8]| ParticipantData::parse(&payload(bytes)).unwrap().lease;
        assert_eq!(lease(&[0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff]), Duration::MAX);
        assert_eq!(lease(&[]), DEFAULT_LEASE);
    }
}
