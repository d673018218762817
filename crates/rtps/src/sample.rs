//! A sample on its way to the application.

use crate::guid::Guid;
use crate::sequence_set::SequenceNumber;
use crate::wire::{ParameterList, SerializedPayload, pid};

/// Which sample of which writer. In ROS 2 it ties a reply to its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleIdentity {
    /// The writer. Fast DDS puts the reader that waits for the reply here.
    pub writer: Guid,
    /// The number; negative for "unknown".
    pub number: SequenceNumber,
}

impl SampleIdentity {
    /// The number that stands for "unknown".
    pub const UNKNOWN_NUMBER: SequenceNumber = -(1 << 32);
}

/// What a sample says about what it describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It exists.
    Alive,
    /// It is gone.
    Gone(Option<Guid>),
}

/// A sample that was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Who wrote it.
    pub writer: Guid,
    /// Its number.
    pub number: SequenceNumber,
    /// Its bytes with the encapsulation header. Up to three zeros may have been added at the end.
    pub payload: Vec<u8>,
    /// The sample it is related to, such as the request of a reply.
    pub related: Option<SampleIdentity>,
    pub(crate) status: Status,
}

impl Sample {
    /// A sample as a reader hands it out, for tests of what is done with it.
    pub fn received(
        writer: Guid,
        number: SequenceNumber,
        payload: Vec<u8>,
        related: Option<SampleIdentity>,
    ) -> Self {
        Self { writer, number, payload, related, status: Status::Alive }
    }

    pub(crate) fn new(
        writer: Guid,
        number: SequenceNumber,
        inline_qos: Option<ParameterList<'_>>,
        payload: SerializedPayload<'_>,
    ) -> Self {
        let is_gone = crate::discovery::is_goodbye(inline_qos);
        let (status, bytes) = match payload {
            SerializedPayload::Data(bytes) if !is_gone => (Status::Alive, bytes),
            SerializedPayload::Data(bytes) | SerializedPayload::Key(bytes) => {
                (Status::Gone(crate::discovery::key_hash(inline_qos)), bytes)
            }
            SerializedPayload::Absent => {
                (Status::Gone(crate::discovery::key_hash(inline_qos)), &[][..])
            }
        };
        let related = inline_qos.and_then(related_identity);
        Self { writer, number, payload: bytes.to_vec(), related, status }
    }
}

/// The related sample identity of inline QoS, under its standard or its older name.
fn related_identity(list: ParameterList<'_>) -> Option<SampleIdentity> {
    let standard = list.find(pid::RELATED_SAMPLE_IDENTITY);
    let mut value = standard.or_else(|| list.find(pid::CUSTOM_RELATED_SAMPLE_IDENTITY))?;
    let (writer, number) = (value.guid().ok()?, value.raw_sequence_number().ok()?);
    Some(SampleIdentity { writer, number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Cursor, Endianness, ParameterWriter};

    #[test]
    fn both_names_of_the_related_identity_are_read() {
        let identity = SampleIdentity { writer: Guid::from_bytes([4; 16]), number: 1 << 33 };
        for id in [pid::RELATED_SAMPLE_IDENTITY, pid::CUSTOM_RELATED_SAMPLE_IDENTITY] {
            let list = ParameterWriter::default();
            let bytes = list.sample_identity(id, identity.writer, identity.number).finish();
            let list = ParameterList::read(&mut Cursor::new(&bytes, Endianness::Little)).unwrap();
            let payload = SerializedPayload::Data(&[0, 1, 0, 0]);
            let sample = Sample::new(Guid::default(), 1, Some(list), payload);
            assert_eq!(sample.related, Some(identity));
            assert_eq!(sample.status, Status::Alive);
        }
    }
}
