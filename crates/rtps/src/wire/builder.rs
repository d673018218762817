//! Writes datagrams, little endian.

use super::submessage::{Heartbeat, flag, kind};
use crate::guid::{EntityId, GuidPrefix, VENDOR};
use crate::sequence_set::{SequenceNumber, SequenceSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// The version that is spoken.
pub(crate) const PROTOCOL_VERSION: [u8; 2] = [2, 3];
/// Length of the header of DATA from its length field to the inline QoS.
const DATA_HEADER: u16 = 16;
/// The same of DATA_FRAG.
const DATA_FRAG_HEADER: u16 = 28;

/// A fragment of a payload.
#[derive(Debug, Clone, Copy)]
pub struct Fragment<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Bytes per fragment.
    pub size: u16,
    /// The whole payload.
    pub payload: &'a [u8],
}

impl<'a> Fragment<'a> {
    fn bytes(&self) -> &'a [u8] {
        let start = (self.number as usize - 1) * usize::from(self.size);
        &self.payload[start..self.payload.len().min(start + usize::from(self.size))]
    }
}

/// A datagram that is being written.
#[derive(Debug)]
pub struct DatagramBuilder(Vec<u8>);

impl DatagramBuilder {
    /// Starts with the header.
    pub fn new(from: GuidPrefix) -> Self {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend_from_slice(b"RTPS");
        bytes.extend_from_slice(&PROTOCOL_VERSION);
        bytes.extend_from_slice(&VENDOR);
        bytes.extend_from_slice(&from.0);
        Self(bytes)
    }

    /// The datagram.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    fn submessage(mut self, id: u8, flags: u8, write: impl FnOnce(&mut Self)) -> Self {
        self.0.extend_from_slice(&[id, flags | 1, 0, 0]);
        let start = self.0.len();
        write(&mut self);
        self.0.resize(start + (self.0.len() - start).next_multiple_of(4), 0);
        let length =
            u16::try_from(self.0.len() - start).expect("fragments are at most 60 000 bytes");
        self.0[start - 2..start].copy_from_slice(&length.to_le_bytes());
        self
    }

    fn u16(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn number(&mut self, value: SequenceNumber) {
        self.u32((value >> 32) as u32);
        self.u32(value as u32);
    }

    fn endpoints(&mut self, reader: EntityId, writer: EntityId) {
        self.0.extend_from_slice(&reader.0);
        self.0.extend_from_slice(&writer.0);
    }

    fn set(&mut self, set: &SequenceSet) {
        self.u32(set.length());
        set.words().iter().for_each(|word| self.u32(*word));
    }

    /// The following is for this participant.
    pub fn info_destination(self, to: GuidPrefix) -> Self {
        self.submessage(kind::INFO_DESTINATION, 0, |d| d.0.extend_from_slice(&to.0))
    }

    /// The following was written at this time.
    pub fn info_timestamp(self, time: SystemTime) -> Self {
        // A clock before 1970 counts as 1970: the time only informs.
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.submessage(kind::INFO_TIMESTAMP, 0, |d| {
            d.u32(since.as_secs() as u32);
            d.u32(((u64::from(since.subsec_nanos()) << 32) / 1_000_000_000) as u32);
        })
    }

    /// A sample, or the key of one that is disposed of. `inline_qos` is empty or a whole parameter list.
    pub fn data(
        self,
        (reader, writer): (EntityId, EntityId),
        number: SequenceNumber,
        inline_qos: &[u8],
        payload: super::SerializedPayload<'_>,
    ) -> Self {
        let (kind_flag, bytes) = match payload {
            super::SerializedPayload::Absent => (0, &[][..]),
            super::SerializedPayload::Data(bytes) => (flag::DATA, bytes),
            super::SerializedPayload::Key(bytes) => (flag::KEY, bytes),
        };
        let qos_flag = if inline_qos.is_empty() { 0 } else { flag::INLINE_QOS };
        self.submessage(kind::DATA, qos_flag | kind_flag, |d| {
            d.u16(0);
            d.u16(DATA_HEADER);
            d.endpoints(reader, writer);
            d.number(number);
            d.0.extend_from_slice(inline_qos);
            d.0.extend_from_slice(bytes);
        })
    }

    /// A fragment of a sample. `inline_qos` is empty or a whole parameter list.
    pub fn data_frag(
        self,
        (reader, writer): (EntityId, EntityId),
        number: SequenceNumber,
        inline_qos: &[u8],
        fragment: Fragment<'_>,
    ) -> Self {
        let qos_flag = if inline_qos.is_empty() { 0 } else { flag::INLINE_QOS };
        self.submessage(kind::DATA_FRAG, qos_flag, |d| {
            d.u16(0);
            d.u16(DATA_FRAG_HEADER);
            d.endpoints(reader, writer);
            d.number(number);
            d.u32(fragment.number);
            d.u16(1);
            d.u16(fragment.size);
            d.u32(fragment.payload.len() as u32);
            d.0.extend_from_slice(inline_qos);
            d.0.extend_from_slice(fragment.bytes());
        })
    }

    /// What the writer has. Each heartbeat to a reader has a higher `count`.
    pub fn heartbeat(self, heartbeat: Heartbeat, count: u32) -> Self {
        let flags = if heartbeat.is_final { flag::FINAL } else { 0 };
        self.submessage(kind::HEARTBEAT, flags, |d| {
            d.endpoints(heartbeat.reader, heartbeat.writer);
            d.number(heartbeat.first);
            d.number(heartbeat.last);
            d.u32(count);
        })
    }

    /// What the reader has. Each one to a writer has a higher `count`.
    pub fn acknack(self, acknack: super::AckNack, count: u32) -> Self {
        let flags = if acknack.is_final { flag::FINAL } else { 0 };
        self.submessage(kind::ACKNACK, flags, |d| {
            d.endpoints(acknack.reader, acknack.writer);
            d.number(acknack.missing.base());
            d.set(&acknack.missing);
            d.u32(count);
        })
    }

    /// Fragments that the reader misses.
    pub fn nack_frag(self, nack: super::NackFrag, count: u32) -> Self {
        self.submessage(kind::NACK_FRAG, 0, |d| {
            d.endpoints(nack.reader, nack.writer);
            d.number(nack.number);
            d.u32(nack.missing.base() as u32);
            d.set(&nack.missing);
            d.u32(count);
        })
    }

    /// The reader will not get the numbers from `start` to before `end`.
    pub fn gap(
        self,
        (reader, writer): (EntityId, EntityId),
        start: SequenceNumber,
        end: SequenceNumber,
    ) -> Self {
        self.submessage(kind::GAP, 0, |d| {
            d.endpoints(reader, writer);
            d.number(start);
            d.number(end);
            d.set(&SequenceSet::empty(end));
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SerializedPayload, Submessage, parse};
    use super::*;
    use crate::wire::{AckNack, NackFrag, ParameterWriter, pid};

    const FROM: GuidPrefix = GuidPrefix([7; 12]);
    const READER: EntityId = EntityId([0, 0, 1, 4]);
    const WRITER: EntityId = EntityId([0, 0, 2, 3]);

    fn read(datagram: &[u8]) -> Vec<Submessage<'_>> {
        let (header, submessages) = parse(datagram).unwrap();
        assert_eq!(header.prefix, FROM);
        submessages.map(Result::unwrap).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let missing = SequenceSet::from_numbers(3, [4, 9]);
        let acknack = AckNack { reader: READER, writer: WRITER, missing, is_final: true };
        let beat = Heartbeat { reader: READER, writer: WRITER, first: 2, last: 8, is_final: false };
        let nack = NackFrag { reader: READER, writer: WRITER, number: 5, missing };
        let datagram = DatagramBuilder::new(FROM)
            .info_destination(GuidPrefix([9; 12]))
            .info_timestamp(SystemTime::now())
            .heartbeat(beat, 1)
            .acknack(acknack, 2)
            .nack_frag(nack, 3)
            .gap((READER, WRITER), 5, 1 << 40)
            .finish();
        let all = read(&datagram);
        assert_eq!(all.len(), 6);
        assert!(matches!(all[0], Submessage::InfoDestination(GuidPrefix([9, ..]))));
        assert!(matches!(all[2], Submessage::Heartbeat(read) if read == beat));
        assert!(matches!(all[3], Submessage::AckNack(read) if read == acknack));
        assert!(matches!(all[4], Submessage::NackFrag(read) if read == nack));
        let Submessage::Gap(gap) = all[5] else { panic!("{:?}", all[5]) };
        assert_eq!((gap.start, gap.list), (5, SequenceSet::empty(1 << 40)));
    }

    #[test]
    fn samples_keep_their_bytes_and_are_padded() {
        let inline = ParameterWriter::default().u32(pid::STATUS_INFO, 3).finish();
        let payload = [0, 1, 0, 0, 5];
        let datagram = DatagramBuilder::new(FROM)
            .data((READER, WRITER), 9, &inline, SerializedPayload::Data(&payload))
            .data((READER, WRITER), 10, &[], SerializedPayload::Absent)
            .finish();
        let all = read(&datagram);
        let Submessage::Data(data) = all[0] else { panic!("{:?}", all[0]) };
        assert_eq!(data.number, 9);
        assert_eq!(data.payload, SerializedPayload::Data(&[0, 1, 0, 0, 5, 0, 0, 0]));
        assert!(data.inline_qos.unwrap().find(pid::STATUS_INFO).is_some());
        let Submessage::Data(data) = all[1] else { panic!("{:?}", all[1]) };
        assert_eq!(data.payload, SerializedPayload::Absent);
    }

    #[test]
    fn the_last_fragment_is_shorter() {
        let payload: Vec<u8> = (0..10).collect();
        for (number, bytes) in [(1, &[0, 1, 2, 3][..]), (3, &[8, 9, 0, 0])] {
            let fragment = Fragment { number, size: 4, payload: &payload };
            let datagram =
                DatagramBuilder::new(FROM).data_frag((READER, WRITER), 1, &[], fragment).finish();
            let all = read(&datagram);
            let Submessage::DataFrag(frag) = all[0] else { panic!("{:?}", all[0]) };
            assert_eq!((frag.first, frag.count, frag.sample_size), (number, 1, 10));
            assert_eq!(frag.payload, bytes);
        }
    }

    #[test]
    fn truncated_datagrams_are_refused_or_end_early() {
        let payload = SerializedPayload::Data(&[0, 1, 0, 0, 1, 2, 3, 4]);
        let whole = DatagramBuilder::new(FROM).data((READER, WRITER), 1, &[], payload).finish();
        for length in 0..whole.len() {
            let results = parse(&whole[..length]).map(|(_, all)| all.collect::<Vec<_>>());
            let is_bad =
                results.is_err() || results.is_ok_and(|all| all.iter().all(Result::is_err));
            assert!(is_bad, "{length}");
        }
    }
}
