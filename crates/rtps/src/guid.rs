//! Identities of participants and endpoints.

use std::fmt;

/// Our vendor identifier. The OMG has not assigned it to anybody.
pub const VENDOR: [u8; 2] = [0x01, 0x7f];
/// The vendor identifier of eProsima Fast DDS.
pub const VENDOR_FAST_DDS: [u8; 2] = [0x01, 0x0f];
/// The vendor identifier of Eclipse Cyclone DDS.
pub const VENDOR_CYCLONE: [u8; 2] = [0x01, 0x10];

/// Identity of a participant. The first two bytes are the vendor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct GuidPrefix(pub [u8; 12]);

impl GuidPrefix {
    /// The implementation that made it.
    pub fn vendor(&self) -> [u8; 2] {
        [self.0[0], self.0[1]]
    }
}

/// Identity of an endpoint within its participant. The last byte is its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EntityId(pub [u8; 4]);

impl EntityId {
    /// "Whoever is matched".
    pub const UNKNOWN: Self = Self([0; 4]);
    /// The participant itself.
    pub const PARTICIPANT: Self = Self([0, 0, 1, 0xc1]);
    /// Announces the participant.
    pub const SPDP_WRITER: Self = Self([0, 1, 0, 0xc2]);
    /// Receives announcements of participants.
    pub const SPDP_READER: Self = Self([0, 1, 0, 0xc7]);
    /// Announces writers.
    pub const PUBLICATIONS_WRITER: Self = Self([0, 0, 3, 0xc2]);
    /// Receives announcements of writers.
    pub const PUBLICATIONS_READER: Self = Self([0, 0, 3, 0xc7]);
    /// Announces readers.
    pub const SUBSCRIPTIONS_WRITER: Self = Self([0, 0, 4, 0xc2]);
    /// Receives announcements of readers.
    pub const SUBSCRIPTIONS_READER: Self = Self([0, 0, 4, 0xc7]);

    /// The `number`th writer of a topic without a key.
    pub(crate) fn user_writer(number: u32) -> Self {
        let [_, a, b, c] = number.to_be_bytes();
        Self([a, b, c, 0x03])
    }

    /// The `number`th reader of a topic without a key.
    pub(crate) fn user_reader(number: u32) -> Self {
        let [_, a, b, c] = number.to_be_bytes();
        Self([a, b, c, 0x04])
    }

    /// Whether it is a reader, of the application or built in.
    pub fn is_reader(&self) -> bool {
        matches!(self.0[3] & 0x3f, 0x04 | 0x07)
    }

    /// Whether it is a writer, of the application or built in.
    pub fn is_writer(&self) -> bool {
        matches!(self.0[3] & 0x3f, 0x02 | 0x03)
    }
}

/// Identity of an endpoint or participant in the domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Guid {
    /// The participant.
    pub prefix: GuidPrefix,
    /// The endpoint.
    pub entity: EntityId,
}

impl Guid {
    /// Joins the two halves.
    pub const fn new(prefix: GuidPrefix, entity: EntityId) -> Self {
        Self { prefix, entity }
    }

    /// As on the wire.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..12].copy_from_slice(&self.prefix.0);
        bytes[12..].copy_from_slice(&self.entity.0);
        bytes
    }

    /// From the wire.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        let (mut prefix, mut entity) = ([0; 12], [0; 4]);
        prefix.copy_from_slice(&bytes[..12]);
        entity.copy_from_slice(&bytes[12..]);
        Self { prefix: GuidPrefix(prefix), entity: EntityId(entity) }
    }
}

fn hexadecimal(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Debug for GuidPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Debug for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{:?}", self.prefix, self.entity)
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let bytes: [u8; 16] = std::array::from_fn(|i| i as u8);
        assert_eq!(Guid::from_bytes(bytes).to_bytes(), bytes);
        assert_eq!(Guid::from_bytes(bytes).to_string(), "000102030405060708090a0b.0c0d0e0f");
    }

    #[test]
    fn kinds_tell_readers_from_writers() {
        for reader in [EntityId::user_reader(7), EntityId::SPDP_READER] {
            assert!(reader.is_reader() && !reader.is_writer());
        }
        for writer in [EntityId::user_writer(7), EntityId::PUBLICATIONS_WRITER] {
            assert!(writer.is_writer() && !writer.is_reader());
        }
        assert!(!EntityId::PARTICIPANT.is_reader() && !EntityId::PARTICIPANT.is_writer());
    }
}
