//! SPDP: says who we are, again and again.

use super::{Engine, LEASE};
use crate::discovery::{ParticipantData, goodbye_qos};
use crate::guid::{EntityId, Guid, GuidPrefix, VENDOR};
use crate::sequence_set::SequenceNumber;
use crate::wire::{DatagramBuilder, ParameterWriter, SerializedPayload, pid};
use std::net::SocketAddrV4;
use std::time::{Duration, Instant, SystemTime};

/// The first announcements follow each other quickly, in case some are lost.
const QUICK_ANNOUNCEMENTS: u32 = 5;
const QUICK_PERIOD: Duration = Duration::from_millis(100);
const PERIOD: Duration = Duration::from_secs(3);

/// When the next announcement is due.
#[derive(Debug, Default)]
pub(super) struct Announcer {
    last: Option<Instant>,
    count: u32,
    /// Number of the last announcement.
    number: SequenceNumber,
}

impl Announcer {
    /// Whether an announcement is due; if so, it is taken to be made.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        let period = if self.count < QUICK_ANNOUNCEMENTS { QUICK_PERIOD } else { PERIOD };
        let is_due = self.last.is_none_or(|last| now.duration_since(last) >= period);
        if is_due {
            (self.last, self.count) = (Some(now), self.count.saturating_add(1));
        }
        is_due
    }

    /// Starts over with quick announcements.
    pub(super) fn restart(&mut self) {
        self.count = 0;
    }
}

impl Engine {
    pub(super) fn own_data(&self) -> ParticipantData {
        let addresses = self.network.own_addresses();
        let at = |port| addresses.iter().map(|ip| SocketAddrV4::new(*ip, port)).collect();
        ParticipantData {
            prefix: self.identity.prefix,
            vendor: VENDOR,
            metatraffic: at(self.identity.metatraffic_port),
            metatraffic_multicast: vec![self.identity.group],
            user_traffic: at(self.identity.user_port),
            lease: LEASE,
            name: self.identity.name.clone(),
            user_data: self.identity.user_data.clone(),
        }
    }

    /// An announcement for one participant or for all.
    pub(super) fn announcement(&mut self, to: Option<GuidPrefix>) -> Vec<u8> {
        let payload = self.own_data().to_payload();
        self.announcer.number += 1;
        let mut datagram = DatagramBuilder::new(self.identity.prefix);
        if let Some(to) = to {
            datagram = datagram.info_destination(to);
        }
        let ids = (EntityId::SPDP_READER, EntityId::SPDP_WRITER);
        datagram
            .info_timestamp(SystemTime::now())
            .data(ids, self.announcer.number, &[], SerializedPayload::Data(&payload))
            .finish()
    }

    /// The announcement that we are gone.
    pub(super) fn goodbye(&mut self) -> Vec<u8> {
        let guid = Guid::new(self.identity.prefix, EntityId::PARTICIPANT);
        let payload = ParameterWriter::payload().guid(pid::PARTICIPANT_GUID, guid).finish();
        self.announcer.number += 1;
        let ids = (EntityId::SPDP_READER, EntityId::SPDP_WRITER);
        let (number, inline_qos) = (self.announcer.number, goodbye_qos(guid));
        DatagramBuilder::new(self.identity.prefix)
            .info_timestamp(SystemTime::now())
            .data(ids, number, &inline_qos, SerializedPayload::Key(&payload))
            .finish()
    }
}
