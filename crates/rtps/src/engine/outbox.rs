//! What the engine wants done: datagrams to send, and events for the application.

use crate::guid::{Guid, GuidPrefix};
use crate::qos::QosPolicy;
use crate::queue::SampleQueue;
use crate::writer::Datagrams;
use std::sync::Arc;

/// Why a participant is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// It said goodbye.
    Goodbye,
    /// It showed no sign of life for its lease.
    LeaseExpired,
    /// It had not answered yet, or had no endpoints, and made room for another.
    Evicted,
    /// Our address changed, and it has to find us anew.
    Moved,
}

/// Something that happened in the domain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A participant was found.
    ParticipantFound {
        /// Who.
        prefix: GuidPrefix,
        /// Its name, if it has one.
        name: String,
    },
    /// A participant is gone.
    ParticipantLost {
        /// Who.
        prefix: GuidPrefix,
        /// Why.
        departure: Departure,
    },
    /// An endpoint of ours and one elsewhere exchange samples from now on.
    Matched {
        /// The topic.
        topic: String,
        /// Ours.
        local: Guid,
        /// The other.
        remote: Guid,
    },
    /// They do not any more.
    Unmatched {
        /// The topic.
        topic: String,
        /// Ours.
        local: Guid,
        /// The other.
        remote: Guid,
    },
    /// Endpoints of the same topic and type do not exchange samples because of a policy.
    IncompatibleQos {
        /// The topic.
        topic: String,
        /// Ours.
        local: Guid,
        /// The other.
        remote: Guid,
        /// The first policy that does not fit.
        policy: QosPolicy,
    },
    /// Endpoints of the same topic do not exchange samples because their types have different names.
    IncompatibleType {
        /// The topic.
        topic: String,
        /// Ours.
        local: Guid,
        /// The other.
        remote: Guid,
        /// The type of the other.
        type_name: String,
    },
    /// The system does not list its network interfaces. Those that were known are used; at first, the loopback interface.
    InterfacesNotListed {
        /// What the system said.
        reason: String,
    },
}

/// What the engine wants done.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Datagrams to send, in order.
    pub datagrams: Datagrams,
    /// Datagrams for whoever may be there: to the multicast group and to the configured peers.
    pub announcements: Vec<Vec<u8>>,
    /// What happened.
    pub events: Vec<Event>,
    /// Queues whose handlers have something to do.
    pub(crate) handled: Vec<Arc<SampleQueue>>,
}
