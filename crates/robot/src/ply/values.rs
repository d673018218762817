//! The values after the header, one after the other.

use super::header::{Format, Header, ScalarType};

/// Reads values as `f64`, which holds every scalar of the format exactly.
pub(super) struct Values<'a> {
    format: Format,
    rest: &'a [u8],
    /// Number of the line at the start of `rest`.
    line: usize,
}

impl<'a> Values<'a> {
    pub fn new(header: &Header, body: &'a [u8]) -> Self {
        Self { format: header.format, rest: body, line: header.lines + 1 }
    }

    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The next value. `place` names it in a refusal.
    pub fn scalar(&mut self, kind: ScalarType, place: &dyn Fn() -> String) -> Result<f64, String> {
        let ends = || format!("{}: the file ends", place());
        if self.is_text() {
            let word = self.word().ok_or_else(ends)?;
            let text = String::from_utf8_lossy(word);
            return text.parse().map_err(|_| {
                format!("line {}: {} is `{text}`, must be a number", self.line, place())
            });
        }
        let size = kind.bytes();
        if self.rest.len() < size {
            return Err(ends());
        }
        let (bytes, rest) = self.rest.split_at(size);
        self.rest = rest;
        // Least significant byte first.
        let mut ordered = [0u8; 8];
        ordered[..size].copy_from_slice(bytes);
        if self.format == Format::BigEndian {
            ordered[..size].reverse();
        }
        let [a, b, c, d, ..] = ordered;
        Ok(match kind {
            ScalarType::I8 => f64::from(i8::from_le_bytes([a])),
            ScalarType::U8 => f64::from(a),
            ScalarType::I16 => f64::from(i16::from_le_bytes([a, b])),
            ScalarType::U16 => f64::from(u16::from_le_bytes([a, b])),
            ScalarType::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            ScalarType::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            ScalarType::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            ScalarType::F64 => f64::from_le_bytes(ordered),
        })
    }

    /// The next word of a text.
    fn word(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.line += self.rest[..start].iter().filter(|byte| **byte == b'\n').count();
        let rest = &self.rest[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        Some(word)
    }
}
