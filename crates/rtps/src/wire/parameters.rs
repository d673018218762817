//! Parameter lists: what discovery announces, and the inline QoS of samples.

use super::cursor::{Cursor, Endianness, Malformed};
use crate::guid::Guid;
use crate::sequence_set::SequenceNumber;

/// Identifiers of parameters.
pub mod pid {
    #![allow(missing_docs, reason = "the names are those of the specification")]
    pub const PAD: u16 = 0x0000;
    pub const SENTINEL: u16 = 0x0001;
    pub const PARTICIPANT_LEASE_DURATION: u16 = 0x0002;
    pub const TOPIC_NAME: u16 = 0x0005;
    pub const TYPE_NAME: u16 = 0x0007;
    pub const PROTOCOL_VERSION: u16 = 0x0015;
    pub const VENDOR_ID: u16 = 0x0016;
    pub const RELIABILITY: u16 = 0x001a;
    pub const LIVELINESS: u16 = 0x001b;
    pub const DURABILITY: u16 = 0x001d;
    pub const OWNERSHIP: u16 = 0x001f;
    pub const DEADLINE: u16 = 0x0023;
    pub const PARTITION: u16 = 0x0029;
    pub const USER_DATA: u16 = 0x002c;
    pub const UNICAST_LOCATOR: u16 = 0x002f;
    pub const DEFAULT_UNICAST_LOCATOR: u16 = 0x0031;
    pub const METATRAFFIC_UNICAST_LOCATOR: u16 = 0x0032;
    pub const METATRAFFIC_MULTICAST_LOCATOR: u16 = 0x0033;
    pub const HISTORY: u16 = 0x0040;
    pub const PARTICIPANT_GUID: u16 = 0x0050;
    pub const BUILTIN_ENDPOINT_SET: u16 = 0x0058;
    pub const ENDPOINT_GUID: u16 = 0x005a;
    pub const ENTITY_NAME: u16 = 0x0062;
    pub const KEY_HASH: u16 = 0x0070;
    pub const STATUS_INFO: u16 = 0x0071;
    pub const DATA_REPRESENTATION: u16 = 0x0073;
    pub const RELATED_SAMPLE_IDENTITY: u16 = 0x0083;
    /// The same, as Fast DDS called it before the specification did.
    pub const CUSTOM_RELATED_SAMPLE_IDENTITY: u16 = 0x800f;
}

/// Most parameters of a list that are looked at.
const MOST_PARAMETERS: usize = 256;

/// A parameter list that was found whole: every length fits and a sentinel ends it.
#[derive(Debug, Clone, Copy)]
pub struct ParameterList<'a> {
    bytes: &'a [u8],
    endianness: Endianness,
}

impl<'a> ParameterList<'a> {
    /// Takes a list off the front of a cursor.
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self, Malformed> {
        let start = cursor.rest();
        for _ in 0..MOST_PARAMETERS {
            let (id, length) = (cursor.u16()?, usize::from(cursor.u16()?));
            if id == pid::SENTINEL {
                let bytes = &start[..start.len() - cursor.rest().len()];
                return Ok(Self { bytes, endianness: cursor.endianness() });
            }
            cursor.bytes(length)?;
        }
        Err(Malformed("parameter list: too many"))
    }

    /// Of a serialized payload with its encapsulation header, as discovery sends it.
    pub fn of_payload(payload: &'a [u8]) -> Result<Self, Malformed> {
        let (header, body) = payload.split_first_chunk::<4>().ok_or(Malformed("payload"))?;
        // PL_CDR_BE is 2, PL_CDR_LE is 3.
        let endianness = match header {
            [0, 2, ..] => Endianness::Big,
            [0, 3, ..] => Endianness::Little,
            _ => return Err(Malformed("payload: not a parameter list")),
        };
        Self::read(&mut Cursor::new(body, endianness))
    }

    /// The parameters in order.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Cursor<'a>)> + use<'a> {
        let (endianness, mut cursor) = (self.endianness, Cursor::new(self.bytes, self.endianness));
        std::iter::from_fn(move || {
            let (id, length) = (cursor.u16().ok()?, usize::from(cursor.u16().ok()?));
            let value = cursor.bytes(length).ok()?;
            (id != pid::SENTINEL).then_some((id, Cursor::new(value, endianness)))
        })
    }

    /// The first parameter with this identifier.
    pub fn find(&self, id: u16) -> Option<Cursor<'a>> {
        self.iter().find(|(found, _)| *found == id).map(|(_, value)| value)
    }
}

/// Writes a little-endian parameter list.
#[derive(Debug, Default)]
pub struct ParameterWriter(Vec<u8>);

impl ParameterWriter {
    /// A list for a serialized payload: the encapsulation header comes first.
    pub fn payload() -> Self {
        Self(vec![0, 3, 0, 0])
    }

    /// Adds a parameter, padded to four bytes.
    ///
    /// # Panics
    /// If the value is longer than a parameter can be; callers have limits far below.
    pub fn add(mut self, id: u16, value: &[u8]) -> Self {
        let padded = value.len().next_multiple_of(4);
        let length = u16::try_from(padded).expect("callers limit names and user data");
        self.0.extend_from_slice(&id.to_le_bytes());
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(value);
        self.0.resize(self.0.len() + padded - value.len(), 0);
        self
    }

    /// Adds an identity.
    pub fn guid(self, id: u16, guid: Guid) -> Self {
        self.add(id, &guid.to_bytes())
    }

    /// Adds a number.
    pub fn u32(self, id: u16, value: u32) -> Self {
        self.add(id, &value.to_le_bytes())
    }

    /// Adds a string.
    pub fn string(self, id: u16, text: &str) -> Self {
        let length = text.len() as u32 + 1;
        self.add(id, &[&length.to_le_bytes(), text.as_bytes(), &[0]].concat())
    }

    /// Adds a sequence of bytes.
    pub fn octets(self, id: u16, bytes: &[u8]) -> Self {
        self.add(id, &[&(bytes.len() as u32).to_le_bytes(), bytes].concat())
    }

    /// Adds the identity of a sample.
    pub fn sample_identity(self, id: u16, writer: Guid, number: SequenceNumber) -> Self {
        let mut value = [0; 24];
        value[..16].copy_from_slice(&writer.to_bytes());
        value[16..20].copy_from_slice(&((number >> 32) as u32).to_le_bytes());
        value[20..].copy_from_slice(&(number as u32).to_le_bytes());
        self.add(id, &value)
    }

    /// Ends the list.
    pub fn finish(mut self) -> Vec<u8> {
        self.0.extend_from_slice(&[1, 0, 0, 0]);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let bytes = ParameterWriter::payload()
            .string(pid::TOPIC_NAME, "rt/chatter")
            .octets(pid::USER_DATA, b"abcde")
            .u32(pid::DURABILITY, 1)
            .finish();
        assert_eq!(bytes.len() % 4, 0);
        let list = ParameterList::of_payload(&bytes).unwrap();
        assert_eq!(list.find(pid::TOPIC_NAME).unwrap().string(256).unwrap(), "rt/chatter");
        assert_eq!(list.find(pid::USER_DATA).unwrap().octets(256).unwrap(), b"abcde");
        assert_eq!(list.find(pid::DURABILITY).unwrap().u32(), Ok(1));
        assert!(list.find(pid::HISTORY).is_none());
    }

    #[test]
    fn a_list_without_a_sentinel_is_refused() {
        let bytes = ParameterWriter::payload().u32(pid::DURABILITY, 1).finish();
        for length in 0..bytes.len() {
            assert!(ParameterList::of_payload(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn other_encapsulations_are_refused() {
        assert!(ParameterList::of_payload(&[0, 1, 0, 0, 1, 0, 0, 0]).is_err());
    }

    #[test]
    fn endless_lists_are_refused() {
        let mut bytes = vec![0, 3, 0, 0];
        (0..1000).for_each(|_| bytes.extend_from_slice(&[5, 0, 0, 0]));
        bytes.extend_from_slice(&[1, 0, 0, 0]);
        assert!(ParameterList::of_payload(&bytes).is_err());
    }
}
