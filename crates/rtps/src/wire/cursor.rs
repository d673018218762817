//! Reads numbers of either byte order from a slice.

use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::sequence_set::{SequenceNumber, SequenceSet};

/// What could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed {0}")]
pub struct Malformed(pub &'static str);

/// Byte order of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endianness {
    /// Highest byte first.
    Big,
    /// Lowest byte first.
    Little,
}

impl Endianness {
    /// The lowest bit of submessage flags and of encapsulation identifiers says it.
    pub fn from_flag(flags: u8) -> Self {
        if flags & 1 == 1 { Self::Little } else { Self::Big }
    }
}

/// Largest sequence number that is accepted, so that sums cannot overflow.
const LARGEST_NUMBER: SequenceNumber = 1 << 62;

/// A slice that is read from its front.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    endianness: Endianness,
}

impl<'a> Cursor<'a> {
    /// Starts at the front of `bytes`.
    pub fn new(bytes: &'a [u8], endianness: Endianness) -> Self {
        Self { rest: bytes, endianness }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The byte order.
    pub fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// The next `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let (head, rest) = self.rest.split_at_checked(n).ok_or(Malformed("length"))?;
        self.rest = rest;
        Ok(head)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(Malformed("length"))?;
        self.rest = rest;
        Ok(*head)
    }

    /// An unsigned 16-bit number.
    pub fn u16(&mut self) -> Result<u16, Malformed> {
        let bytes = self.array()?;
        Ok(match self.endianness {
            Endianness::Big => u16::from_be_bytes(bytes),
            Endianness::Little => u16::from_le_bytes(bytes),
        })
    }

    /// An unsigned 32-bit number.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.array()?;
        Ok(match self.endianness {
            Endianness::Big => u32::from_be_bytes(bytes),
            Endianness::Little => u32::from_le_bytes(bytes),
        })
    }

    /// An entity.
    pub fn entity(&mut self) -> Result<EntityId, Malformed> {
        self.array().map(EntityId)
    }

    /// A participant.
    pub fn prefix(&mut self) -> Result<GuidPrefix, Malformed> {
        self.array().map(GuidPrefix)
    }

    /// An endpoint.
    pub fn guid(&mut self) -> Result<Guid, Malformed> {
        self.array().map(Guid::from_bytes)
    }

    /// A sequence number as it is, also a negative one.
    pub fn raw_sequence_number(&mut self) -> Result<SequenceNumber, Malformed> {
        let high = self.u32()?.cast_signed();
        Ok((i64::from(high) << 32) | i64::from(self.u32()?))
    }

    /// A sequence number from 0 to 2^62.
    pub fn sequence_number(&mut self) -> Result<SequenceNumber, Malformed> {
        let number = self.raw_sequence_number()?;
        (0..=LARGEST_NUMBER).contains(&number).then_some(number).ok_or(Malformed("sequence number"))
    }

    /// The length and bitmap of a set.
    pub fn set(&mut self, base: SequenceNumber) -> Result<SequenceSet, Malformed> {
        let length = self.u32()?;
        let mut words = [0; 8];
        let used = words.get_mut(..length.div_ceil(32) as usize).ok_or(Malformed("set"))?;
        for word in used {
            *word = self.u32()?;
        }
        SequenceSet::from_words(base, length, words).ok_or(Malformed("set"))
    }

    /// A string: its length with the final zero, its bytes, the zero. At most `longest` bytes.
    pub fn string(&mut self, longest: usize) -> Result<String, Malformed> {
        let length = self.u32()? as usize;
        if length > longest + 1 {
            return Err(Malformed("string: too long"));
        }
        let bytes = self.bytes(length)?;
        let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        String::from_utf8(text.to_vec()).map_err(|_| Malformed("string: not UTF-8"))
    }

    /// A sequence of bytes, at most `longest`.
    pub fn octets(&mut self, longest: usize) -> Result<Vec<u8>, Malformed> {
        let length = self.u32()? as usize;
        if length > longest {
            return Err(Malformed("octets: too long"));
        }
        self.bytes(length).map(<[u8]>::to_vec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_are_read() {
        let bytes = [1, 2, 3, 4];
        assert_eq!(Cursor::new(&bytes, Endianness::Big).u32(), Ok(0x0102_0304));
        assert_eq!(Cursor::new(&bytes, Endianness::Little).u16(), Ok(0x0201));
    }

    #[test]
    fn lengths_beyond_the_end_are_refused() {
        let bytes = [255, 0, 0, 0, b'a', 0];
        assert!(Cursor::new(&bytes, Endianness::Little).string(1000).is_err());
        assert!(Cursor::new(&bytes, Endianness::Little).octets(1000).is_err());
        assert!(Cursor::new(&bytes, Endianness::Little).bytes(7).is_err());
    }

    #[test]
    fn strings_longer_than_permitted_are_refused() {
        let bytes = [4, 0, 0, 0, b'a', b'b', b'c', 0];
        let read = |longest| Cursor::new(&bytes, Endianness::Little).string(longest);
        assert_eq!(read(3).unwrap(), "abc");
        assert!(read(2).is_err());
    }

    #[test]
    fn negative_and_huge_sequence_numbers_are_refused() {
        let read = |high: i32| {
            let bytes = [high.to_le_bytes(), [0; 4]].concat();
            Cursor::new(&bytes, Endianness::Little).sequence_number()
        };
        assert!(read(-1).is_err() && read(i32::MAX).is_err());
        assert_eq!(read(1), Ok(1 << 32));
    }

    #[test]
    fn sets_longer_than_256_are_refused() {
        let bytes = [257_u32.to_le_bytes().to_vec(), vec![0; 64]].concat();
        assert!(Cursor::new(&bytes, Endianness::Little).set(1).is_err());
        let largest = [u32::MAX.to_le_bytes().to_vec(), vec![0; 64]].concat();
        assert!(Cursor::new(&largest, Endianness::Little).set(1).is_err());
    }
}
