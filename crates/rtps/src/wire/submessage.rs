//! Reads datagrams: the RTPS header and the submessages behind it.

use super::cursor::{Cursor, Endianness, Malformed};
use super::parameters::ParameterList;
use crate::guid::{EntityId, GuidPrefix};
use crate::sequence_set::{SequenceNumber, SequenceSet};

/// Identifiers of submessages.
pub(super) mod kind {
    pub const PAD: u8 = 0x01;
    pub const ACKNACK: u8 = 0x06;
    pub const HEARTBEAT: u8 = 0x07;
    pub const GAP: u8 = 0x08;
    pub const INFO_TIMESTAMP: u8 = 0x09;
    pub const INFO_SOURCE: u8 = 0x0c;
    pub const INFO_DESTINATION: u8 = 0x0e;
    pub const NACK_FRAG: u8 = 0x12;
    pub const HEARTBEAT_FRAG: u8 = 0x13;
    pub const DATA: u8 = 0x15;
    pub const DATA_FRAG: u8 = 0x16;
}

/// Flags beyond the byte order.
pub(super) mod flag {
    /// Of DATA and DATA_FRAG: inline QoS is present.
    pub const INLINE_QOS: u8 = 0x02;
    /// Of DATA: the payload is a sample.
    pub const DATA: u8 = 0x04;
    /// Of DATA: the payload is a key. DATA_FRAG has `FRAGMENTED_KEY` instead.
    pub const KEY: u8 = 0x08;
    /// Of DATA_FRAG: the payload is a key.
    pub const FRAGMENTED_KEY: u8 = 0x04;
    /// Of HEARTBEAT and ACKNACK: no answer is needed.
    pub const FINAL: u8 = 0x02;
}

/// Who sent a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The participant.
    pub prefix: GuidPrefix,
}

/// What a DATA submessage carries behind its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SerializedPayload<'a> {
    /// Nothing.
    Absent,
    /// A sample.
    Data(&'a [u8]),
    /// The key of a sample that is disposed of.
    Key(&'a [u8]),
}

/// A sample.
#[derive(Debug, Clone, Copy)]
pub struct Data<'a> {
    /// For this reader, or for all.
    pub reader: EntityId,
    /// The sender.
    pub writer: EntityId,
    /// Its number, from 1.
    pub number: SequenceNumber,
    /// Parameters that travel with the sample.
    pub inline_qos: Option<ParameterList<'a>>,
    /// Its bytes.
    pub payload: SerializedPayload<'a>,
}

/// Consecutive fragments of a sample.
#[derive(Debug, Clone, Copy)]
pub struct DataFrag<'a> {
    /// For this reader, or for all.
    pub reader: EntityId,
    /// The sender.
    pub writer: EntityId,
    /// The sample's number, from 1.
    pub number: SequenceNumber,
    /// The first fragment, from 1.
    pub first: u32,
    /// How many fragments.
    pub count: u16,
    /// Bytes per fragment.
    pub fragment_size: u16,
    /// Bytes of the whole sample.
    pub sample_size: u32,
    /// Parameters that travel with the sample.
    pub inline_qos: Option<ParameterList<'a>>,
    /// The fragments' bytes.
    pub payload: &'a [u8],
}

/// What a writer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heartbeat {
    /// For this reader, or for all.
    pub reader: EntityId,
    /// The sender.
    pub writer: EntityId,
    /// First number that is still available.
    pub first: SequenceNumber,
    /// Last number; `first - 1` when there is none.
    pub last: SequenceNumber,
    /// Whether no answer is needed.
    pub is_final: bool,
}

/// What a reader has, and what it misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AckNack {
    /// The sender.
    pub reader: EntityId,
    /// For this writer.
    pub writer: EntityId,
    /// Everything before the base was received; members are missing.
    pub missing: SequenceSet,
    /// Whether no answer is needed.
    pub is_final: bool,
}

/// Numbers that the reader will not get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// For this reader, or for all.
    pub reader: EntityId,
    /// The sender.
    pub writer: EntityId,
    /// All from here to before the base of the list.
    pub start: SequenceNumber,
    /// And these.
    pub list: SequenceSet,
}

/// Fragments that a reader misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NackFrag {
    /// The sender.
    pub reader: EntityId,
    /// For this writer.
    pub writer: EntityId,
    /// The sample.
    pub number: SequenceNumber,
    /// The fragments, from 1.
    pub missing: SequenceSet,
}

/// What a writer has of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeartbeatFrag {
    /// For this reader, or for all.
    pub reader: EntityId,
    /// The sender.
    pub writer: EntityId,
    /// The sample.
    pub number: SequenceNumber,
    /// Last fragment that is available.
    pub last: u32,
}

/// One submessage.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the variants are documented at their types")]
pub enum Submessage<'a> {
    /// The following submessages are for this participant; zeros mean all.
    InfoDestination(GuidPrefix),
    /// The following submessages come from this participant.
    InfoSource(GuidPrefix),
    Data(Data<'a>),
    DataFrag(DataFrag<'a>),
    Heartbeat(Heartbeat),
    AckNack(AckNack),
    Gap(Gap),
    NackFrag(NackFrag),
    HeartbeatFrag(HeartbeatFrag),
    /// One that is not needed, with its identifier.
    Other(u8),
}

/// The submessages of a datagram. The first malformed one ends it.
#[derive(Debug, Clone)]
pub struct Submessages<'a> {
    rest: &'a [u8],
}

/// Reads the header of a datagram.
pub fn parse(datagram: &[u8]) -> Result<(Header, Submessages<'_>), Malformed> {
    let mut cursor = Cursor::new(datagram, Endianness::Big);
    if cursor.array()? != *b"RTPS" {
        return Err(Malformed("header: not RTPS"));
    }
    let [major, _minor, _, _] = cursor.array()?;
    if major != 2 {
        return Err(Malformed("header: protocol version"));
    }
    let prefix = cursor.prefix()?;
    Ok((Header { prefix }, Submessages { rest: cursor.rest() }))
}

impl<'a> Iterator for Submessages<'a> {
    type Item = Result<Submessage<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let result = self.read();
        if result.is_err() {
            self.rest = &[];
        }
        Some(result)
    }
}

impl<'a> Submessages<'a> {
    fn read(&mut self) -> Result<Submessage<'a>, Malformed> {
        let ([id, flags, low, high], body) =
            self.rest.split_first_chunk().ok_or(Malformed("submessage header"))?;
        let endianness = Endianness::from_flag(*flags);
        let length = Cursor::new(&[*low, *high], endianness).u16()?;
        // A length of zero means "to the end", except where an empty body is meaningful.
        let to_end = length == 0 && !matches!(*id, kind::PAD | kind::INFO_TIMESTAMP);
        let length = if to_end { body.len() } else { usize::from(length) };
        let (body, rest) = body.split_at_checked(length).ok_or(Malformed("submessage length"))?;
        self.rest = rest;
        submessage(*id, *flags, Cursor::new(body, endianness))
    }
}

fn submessage(id: u8, flags: u8, mut cursor: Cursor<'_>) -> Result<Submessage<'_>, Malformed> {
    let c = &mut cursor;
    Ok(match id {
        kind::DATA => Submessage::Data(data(flags, c)?),
        kind::DATA_FRAG => Submessage::DataFrag(data_frag(flags, c)?),
        kind::HEARTBEAT => Submessage::Heartbeat(heartbeat(flags, c)?),
        kind::ACKNACK => {
            let (reader, writer, base) = (c.entity()?, c.entity()?, c.sequence_number()?);
            let (missing, is_final) = (c.set(base)?, flags & flag::FINAL != 0);
            Submessage::AckNack(AckNack { reader, writer, missing, is_final })
        }
        kind::GAP => {
            let (reader, writer) = (c.entity()?, c.entity()?);
            let (start, base) = (positive(c)?, positive(c)?);
            Submessage::Gap(Gap { reader, writer, start, list: c.set(base)? })
        }
        kind::NACK_FRAG => {
            let (reader, writer, number) = (c.entity()?, c.entity()?, positive(c)?);
            let base = i64::from(c.u32()?);
            Submessage::NackFrag(NackFrag { reader, writer, number, missing: c.set(base)? })
        }
        kind::HEARTBEAT_FRAG => {
            let (reader, writer, number) = (c.entity()?, c.entity()?, positive(c)?);
            Submessage::HeartbeatFrag(HeartbeatFrag { reader, writer, number, last: c.u32()? })
        }
        kind::INFO_DESTINATION => Submessage::InfoDestination(c.prefix()?),
        kind::INFO_SOURCE => {
            c.bytes(8)?;
            Submessage::InfoSource(c.prefix()?)
        }
        other => Submessage::Other(other),
    })
}

fn positive(cursor: &mut Cursor<'_>) -> Result<SequenceNumber, Malformed> {
    let number = cursor.sequence_number()?;
    if number >= 1 { Ok(number) } else { Err(Malformed("sequence number")) }
}

/// Skips to the end of the fixed header, whose length is announced, and reads inline QoS.
fn inline_qos<'a>(
    cursor: &mut Cursor<'a>,
    flags: u8,
    skip: usize,
) -> Result<Option<ParameterList<'a>>, Malformed> {
    cursor.bytes(skip)?;
    (flags & flag::INLINE_QOS != 0).then(|| ParameterList::read(cursor)).transpose()
}

fn data<'a>(flags: u8, c: &mut Cursor<'a>) -> Result<Data<'a>, Malformed> {
    c.bytes(2)?;
    let skip = usize::from(c.u16()?).checked_sub(16).ok_or(Malformed("DATA"))?;
    let (reader, writer, number) = (c.entity()?, c.entity()?, positive(c)?);
    let inline_qos = inline_qos(c, flags, skip)?;
    let payload = match (flags & flag::DATA != 0, flags & flag::KEY != 0) {
        (true, true) => return Err(Malformed("DATA: sample and key")),
        (true, false) => SerializedPayload::Data(c.rest()),
        (false, true) => SerializedPayload::Key(c.rest()),
        (false, false) => SerializedPayload::Absent,
    };
    Ok(Data { reader, writer, number, inline_qos, payload })
}

fn data_frag<'a>(flags: u8, c: &mut Cursor<'a>) -> Result<DataFrag<'a>, Malformed> {
    c.bytes(2)?;
    let skip = usize::from(c.u16()?).checked_sub(28).ok_or(Malformed("DATA_FRAG"))?;
    let (reader, writer, number) = (c.entity()?, c.entity()?, positive(c)?);
    let (first, count, fragment_size, sample_size) = (c.u32()?, c.u16()?, c.u16()?, c.u32()?);
    let inline_qos = inline_qos(c, flags, skip)?;
    let is_key = flags & flag::FRAGMENTED_KEY != 0;
    if is_key || first == 0 || count == 0 || fragment_size == 0 || sample_size == 0 {
        return Err(Malformed("DATA_FRAG"));
    }
    let payload = c.rest();
    Ok(DataFrag {
        reader,
        writer,
        number,
        first,
        count,
        fragment_size,
        sample_size,
        inline_qos,
        payload,
    })
}

fn heartbeat(flags: u8, c: &mut Cursor<'_>) -> Result<Heartbeat, Malformed> {
    let (reader, writer) = (c.entity()?, c.entity()?);
    let (first, last) = (positive(c)?, c.sequence_number()?);
    if last < first - 1 {
        return Err(Malformed("HEARTBEAT"));
    }
    Ok(Heartbeat { reader, writer, first, last, is_final: flags & flag::FINAL != 0 })
}
