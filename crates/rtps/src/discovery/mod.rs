//! What participants tell each other about themselves (SPDP) and about their endpoints (SEDP).

mod endpoints;
mod locator;
mod participant;

pub use endpoints::{EndpointData, LONGEST_NAME, LONGEST_USER_DATA};
pub use participant::ParticipantData;

use crate::guid::Guid;
use crate::wire::{ParameterList, ParameterWriter, pid};

/// Inline QoS that says that an endpoint or participant is gone: disposed of and unregistered.
pub(crate) fn goodbye_qos(guid: Guid) -> Vec<u8> {
    ParameterWriter::default()
        .guid(pid::KEY_HASH, guid)
        .add(pid::STATUS_INFO, &[0, 0, 0, GONE])
        .finish()
}

/// Disposed of (1) and unregistered (2).
const GONE: u8 = 3;

/// Whether inline QoS says that what it describes is gone.
pub(crate) fn is_goodbye(inline_qos: Option<ParameterList<'_>>) -> bool {
    let status = inline_qos.and_then(|list| list.find(pid::STATUS_INFO));
    status
        .and_then(|mut value| value.array().ok())
        .is_some_and(|[.., last]: [u8; 4]| last & GONE != 0)
}

/// Whom inline QoS is about.
pub(crate) fn key_hash(inline_qos: Option<ParameterList<'_>>) -> Option<Guid> {
    inline_qos?.find(pid::KEY_HASH)?.guid().ok()
}
