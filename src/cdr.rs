//! Messages to bytes and back: CDR, little endian on the way out, either way in.
//!
//! Bytes start with the four-byte encapsulation header of DDS (`00 01 00 00`), as in a bag. They come from anyone: a
//! message that is cut short, or claims more elements than it has bytes, is an error.

use byteorder::{BigEndian, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Encapsulation header of little-endian CDR.
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Bytes that are not the message they should be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("not a {type_name} in CDR: {reason}")]
pub struct DecodeError {
    /// The message that was expected.
    pub type_name: &'static str,
    /// What is wrong.
    pub reason: String,
}

/// The message as bytes, header first.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    // Writing to memory fails only for types CDR has no form for, of which there are none on this wire.
    if let Ok(body) = cdr_encoding::to_vec::<T, LittleEndian>(message) {
        bytes.extend_from_slice(&body);
    }
    bytes
}

/// The message in these bytes, header first.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let type_name = short_name::<T>();
    let error = |reason: String| DecodeError { type_name, reason };
    let Some((header, body)) = bytes.split_at_checked(HEADER.len()) else {
        return Err(error(format!("{} bytes are too few", bytes.len())));
    };
    let decoded = match header {
        [0, 1, _, _] => cdr_encoding::from_bytes::<T, LittleEndian>(body),
        [0, 0, _, _] => cdr_encoding::from_bytes::<T, BigEndian>(body),
        _ => {
            return Err(error(format!(
                "representation {:02x}{:02x} is not plain CDR",
                header[0], header[1]
            )));
        }
    };
    decoded.map(|(message, _)| message).map_err(|e| error(e.to_string()))
}

fn short_name<T>() -> &'static str {
    let full = std::any::type_name::<T>();
    full.rsplit("::").next().unwrap_or(full)
}
