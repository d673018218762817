//! Messages to bytes and back: CDR (version 1 of XCDR), little endian when written, either byte order when read.
//!
//! Bytes start with the four-byte encapsulation header of DDS (`00 01 00 00`), as in a bag. Numbers are aligned to their
//! size, counted from the end of the header. Bytes may come from anyone: a message that is cut short, claims more elements
//! than it has bytes, or goes on after its end is an error, and memory is taken only for bytes that are there.

/// Encapsulation header of little-endian CDR.
const HEADER: [u8; 4] = [0, 1, 0, 0];
/// Transports fill messages up to a multiple of four bytes.
const MAX_PADDING: usize = 3;

/// Bytes that are not the message they should be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("not a {type_name} in CDR: {reason}")]
pub struct DecodeError {
    /// The message that was expected.
    pub type_name: &'static str,
    /// What is wrong.
    pub reason: Fault,
}

/// What is wrong with bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The header is incomplete.
    #[error("{0} bytes are too few")]
    NoHeader(usize),
    /// The header names another encoding.
    #[error("representation {0:02x}{1:02x} is not plain CDR")]
    Representation(u8, u8),
    /// The bytes end within a value.
    #[error("{needed} bytes are needed at byte {at}, {left} are left")]
    CutShort {
        /// Bytes of the value, or at least those of a list.
        needed: usize,
        /// Place of the value, after the header.
        at: usize,
        /// Bytes from there to the end.
        left: usize,
    },
    /// A truth value that is neither 0 nor 1.
    #[error("{0} is no truth value")]
    Bool(u8),
    /// A text that is not UTF-8, or does not end with a zero byte.
    #[error("text at byte {0} is not UTF-8 with a zero byte at its end")]
    Text(usize),
    /// Bytes after the message, more than a transport adds.
    #[error("{0} bytes follow the message")]
    Surplus(usize),
}

/// A value that can be written.
pub trait Encode {
    /// Appends the value.
    fn write(&self, writer: &mut Writer);

    /// Appends the elements of a list.
    fn write_all(values: &[Self], writer: &mut Writer)
    where
        Self: Sized,
    {
        values.iter().for_each(|value| value.write(writer));
    }
}

/// A value that can be read.
pub trait Decode: Sized {
    /// A value takes at least this many bytes, without alignment.
    const MIN_BYTES: usize;

    /// Takes a value.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault>;

    /// Takes the elements of a list. There are at least `count * MIN_BYTES` bytes.
    fn read_all(count: usize, reader: &mut Reader<'_>) -> Result<Vec<Self>, Fault> {
        (0..count).map(|_| Self::read(reader)).collect()
    }
}

/// A type that errors call by its name.
pub trait TypeName {
    /// Such as `sensor_msgs/msg/JointState`.
    const NAME: &'static str;
}

/// The message as bytes, header first.
pub fn encode<T: Encode>(message: &T) -> Vec<u8> {
    let mut writer = Writer(HEADER.to_vec());
    message.write(&mut writer);
    writer.0
}

/// The message in these bytes, header first.
pub fn decode<M: Decode + TypeName>(bytes: &[u8]) -> Result<M, DecodeError> {
    decode_body(bytes).map_err(|reason| DecodeError { type_name: M::NAME, reason })
}

fn decode_body<T: Decode>(bytes: &[u8]) -> Result<T, Fault> {
    let (header, body) =
        bytes.split_at_checked(HEADER.len()).ok_or(Fault::NoHeader(bytes.len()))?;
    let order = match header {
        [0, 1, _, _] => ByteOrder::Little,
        [0, 0, _, _] => ByteOrder::Big,
        _ => return Err(Fault::Representation(header[0], header[1])),
    };
    let mut reader = Reader { body, at: 0, order };
    let message = T::read(&mut reader)?;
    match body.len() - reader.at {
        0..=MAX_PADDING => Ok(message),
        surplus => Err(Fault::Surplus(surplus)),
    }
}

/// Bytes that a message is appended to.
#[derive(Debug)]
pub struct Writer(Vec<u8>);

impl Writer {
    fn align(&mut self, size: usize) {
        let end = HEADER.len() + (self.0.len() - HEADER.len()).next_multiple_of(size);
        self.0.resize(end, 0);
    }

    /// The number of elements of a list or of bytes of a text.
    fn length(&mut self, length: usize) {
        let length = u32::try_from(length).expect(
            "no list of a message has 2^32 elements: limits and file sizes keep them far below",
        );
        length.write(self);
    }
}

#[derive(Debug, Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

/// Bytes that a message is taken from.
#[derive(Debug)]
pub struct Reader<'a> {
    /// Without the header.
    body: &'a [u8],
    at: usize,
    order: ByteOrder,
}

impl<'a> Reader<'a> {
    fn align(&mut self, size: usize) {
        self.at = self.at.next_multiple_of(size);
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        self.require(count)?;
        let taken = &self.body[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        Ok(self.take(N)?.try_into().expect("N bytes were taken"))
    }

    fn require(&self, needed: usize) -> Result<(), Fault> {
        let left = self.body.len().saturating_sub(self.at);
        if needed <= left { Ok(()) } else { Err(Fault::CutShort { needed, at: self.at, left }) }
    }

    /// The length of a list whose elements can be there.
    fn length(&mut self, min_bytes: usize) -> Result<usize, Fault> {
        let length = u32::read(self)? as usize;
        self.require(length.saturating_mul(min_bytes))?;
        Ok(length)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Encode for $number {
            fn write(&self, writer: &mut Writer) {
                writer.align(size_of::<Self>());
                writer.0.extend_from_slice(&self.to_le_bytes());
            }

            fn write_all(values: &[Self], writer: &mut Writer) {
                if !values.is_empty() {
                    writer.align(size_of::<Self>());
                    writer.0.reserve(size_of_val(values));
                    values.iter().for_each(|value| writer.0.extend_from_slice(&value.to_le_bytes()));
                }
            }
        }

        impl Decode for $number {
            const MIN_BYTES: usize = size_of::<Self>();

            fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
                reader.align(Self::MIN_BYTES);
                let bytes = reader.take_array()?;
                Ok(match reader.order {
                    ByteOrder::Little => Self::from_le_bytes(bytes),
                    ByteOrder::Big => Self::from_be_bytes(bytes),
                })
            }

            fn read_all(count: usize, reader: &mut Reader<'_>) -> Result<Vec<Self>, Fault> {
                if count == 0 {
                    return Ok(Vec::new());
                }
                reader.align(Self::MIN_BYTES);
                let (numbers, _) = reader.take(count * Self::MIN_BYTES)?.as_chunks();
                Ok(match reader.order {
                    ByteOrder::Little => numbers.iter().map(|n| Self::from_le_bytes(*n)).collect(),
                    ByteOrder::Big => numbers.iter().map(|n| Self::from_be_bytes(*n)).collect(),
                })
            }
        })*
    };
}

numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

impl Encode for bool {
    fn write(&self, writer: &mut Writer) {
        writer.0.push(u8::from(*self));
    }
}

impl Decode for bool {
    const MIN_BYTES: usize = 1;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        match u8::read(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Fault::Bool(other)),
        }
    }
}

/// The length counts a zero byte at the end.
impl Encode for String {
    fn write(&self, writer: &mut Writer) {
        writer.length(self.len() + 1);
        writer.0.extend_from_slice(self.as_bytes());
        writer.0.push(0);
    }
}

/// Some writers send an empty text as length 0.
impl Decode for String {
    const MIN_BYTES: usize = 4;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let length = reader.length(1)?;
        let at = reader.at;
        match reader.take(length)? {
            [] => Ok(Self::new()),
            [text @ .., 0] => Ok(str::from_utf8(text).map_err(|_| Fault::Text(at))?.to_owned()),
            _ => Err(Fault::Text(at)),
        }
    }
}

impl<T: Encode> Encode for [T] {
    fn write(&self, writer: &mut Writer) {
        writer.length(self.len());
        T::write_all(self, writer);
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        self.as_slice().write(writer);
    }
}

impl<T: Decode> Decode for Vec<T> {
    const MIN_BYTES: usize = 4;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let count = reader.length(T::MIN_BYTES)?;
        T::read_all(count, reader)
    }
}

/// An array has no length in front.
impl<T: Encode, const N: usize> Encode for [T; N] {
    fn write(&self, writer: &mut Writer) {
        T::write_all(self, writer);
    }
}

impl<T: Decode + std::fmt::Debug, const N: usize> Decode for [T; N] {
    const MIN_BYTES: usize = N * T::MIN_BYTES;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let values = T::read_all(N, reader)?;
        Ok(values.try_into().expect("N values were read"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interfaces::msg::Surface;
    use crate::interfaces::rcl_interfaces::msg::Parameter;
    use crate::interfaces::sensor_msgs::msg::JointState;
    use crate::interfaces::std_msgs::msg::String as Text;

    fn state() -> JointState {
        let mut state =
            JointState { name: vec!["a".into()], position: vec![1.5], ..JointState::default() };
        state.header.frame_id = "base".into();
        state
    }

    #[test]
    fn numbers_are_aligned_to_their_size_after_the_header() {
        let bytes = encode(&state());
        // Stamp, frame, names, the number of positions, and four bytes up to the next multiple of eight.
        let before = [
            &[0; 8][..],
            &[5, 0, 0, 0, b'b', b'a', b's', b'e', 0, 0, 0, 0],
            &[1, 0, 0, 0, 2, 0, 0, 0, b'a', 0, 0, 0],
            &[1, 0, 0, 0, 0, 0, 0, 0],
        ];
        let after = [&1.5f64.to_le_bytes()[..], &[0; 8]];
        assert_eq!(bytes, [&HEADER[..], &before.concat(), &after.concat()].concat());
    }

    #[test]
    fn every_prefix_of_a_message_is_refused() {
        let bytes = encode(&state());
        for end in 0..bytes.len() {
            decode::<JointState>(&bytes[..end]).unwrap_err();
        }
        assert_eq!(decode::<JointState>(&bytes).unwrap(), state());
    }

    #[test]
    fn three_bytes_of_padding_are_accepted_and_more_are_refused() {
        let mut bytes = encode(&Text { data: "x".into() });
        for _ in 0..MAX_PADDING {
            bytes.push(0);
            decode::<Text>(&bytes).unwrap();
        }
        bytes.push(0);
        assert_eq!(decode::<Text>(&bytes).unwrap_err().reason, Fault::Surplus(4));
    }

    #[test]
    fn a_length_that_cannot_be_there_is_refused_before_memory_is_taken() {
        let mut bytes = encode(&Surface::default());
        // The number of dimensions, after the kind.
        bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = decode::<Surface>(&bytes).unwrap_err();
        let needed = u32::MAX as usize * 8;
        assert!(
            matches!(error.reason, Fault::CutShort { needed: n, .. } if n == needed),
            "{error}"
        );
        assert!(error.to_string().starts_with("not a smooth_scene/msg/Surface in CDR: "));
    }

    #[test]
    fn bad_texts_truth_values_and_headers_are_refused() {
        let text = |bytes: &[u8]| decode::<Text>(bytes).map(|text| text.data);
        assert_eq!(text(&[0, 1, 0, 0, 0, 0, 0, 0]).unwrap(), "");
        let unterminated = [0, 1, 0, 0, 1, 0, 0, 0, b'x'];
        assert_eq!(text(&unterminated).unwrap_err().reason, Fault::Text(4));
        let not_utf8 = [0, 1, 0, 0, 2, 0, 0, 0, 0xff, 0];
        assert_eq!(text(&not_utf8).unwrap_err().reason, Fault::Text(4));
        assert_eq!(text(&[0, 1, 0]).unwrap_err().reason, Fault::NoHeader(3));
        let parameter_list = [0, 3, 0, 0, 1, 0, 0, 0, 0];
        assert_eq!(text(&parameter_list).unwrap_err().reason, Fault::Representation(0, 3));
        let mut parameter = encode(&Parameter::default());
        // Name, type, then the truth value.
        parameter[10] = 7;
        assert_eq!(decode::<Parameter>(&parameter).unwrap_err().reason, Fault::Bool(7));
    }

    #[test]
    fn big_endian_is_read() {
        let bytes = [0, 0, 0, 0, 0, 0, 0, 2, b'x', 0];
        assert_eq!(decode::<Text>(&bytes).unwrap(), Text { data: "x".into() });
    }
}
