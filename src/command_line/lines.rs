//! Lines of a stream, in constant memory.

use std::io::{self, BufRead};

/// Longest line that is read, in bytes: a convex mesh of some hundred thousand vertices.
pub(crate) const MAX_LINE_BYTES: usize = 16 << 20;

/// What the stream holds next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextLine {
    /// A line, now in the buffer without its line feed.
    Complete,
    /// A line longer than [`MAX_LINE_BYTES`]; it was skipped.
    TooLong,
    /// Nothing more.
    End,
}

/// A reader that counts lines and bytes.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    bytes_read: u64,
    line_number: u64,
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input, bytes_read: 0, line_number: 0, longest: MAX_LINE_BYTES }
    }

    /// Bytes consumed so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Number of the line read last, from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number
    }

    /// Reads the next line into `line`, replacing what it held.
    pub fn read(&mut self, line: &mut Vec<u8>) -> io::Result<NextLine> {
        line.clear();
        let (mut any, mut too_long) = (false, false);
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() && !any {
                return Ok(NextLine::End);
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            too_long |= line.len() + part.len() > self.longest;
            if !too_long {
                line.extend_from_slice(part);
            }
            let consumed = part.len() + usize::from(end.is_some());
            let finished = end.is_some() || available.is_empty();
            self.input.consume(consumed);
            self.bytes_read += consumed as u64;
            any = true;
            if finished {
                self.line_number += 1;
                return Ok(if too_long { NextLine::TooLong } else { NextLine::Complete });
            }
        }
    }
}

impl<R: io::Read> Lines<io::BufReader<R>> {
    /// Whether a whole line is already in memory, so that reading it cannot block.
    pub fn has_buffered_line(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// A tiny buffer, so that lines straddle it.
    fn lines(text: &'static str) -> Lines<BufReader<&'static [u8]>> {
        let mut lines = Lines::new(BufReader::with_capacity(3, text.as_bytes()));
        lines.longest = 8;
        lines
    }

    #[test]
    fn lines_are_split_and_numbered_with_or_without_a_last_line_feed() {
        let mut lines = lines("one\n\nthree\nfour");
        let mut line = Vec::new();
        for (number, expected) in [(1, "one"), (2, ""), (3, "three"), (4, "four")] {
            assert_eq!(lines.read(&mut line).unwrap(), NextLine::Complete);
            assert_eq!((lines.line_number(), line.as_slice()), (number, expected.as_bytes()));
        }
        assert_eq!(lines.read(&mut line).unwrap(), NextLine::End);
        assert_eq!(lines.bytes_read(), 15);
    }

    #[test]
    fn a_line_over_the_limit_is_skipped_without_being_kept() {
        let mut lines = lines("123456789\n12345678\n");
        let mut line = Vec::new();
        assert_eq!(lines.read(&mut line).unwrap(), NextLine::TooLong);
        assert!(line.capacity() <= 16);
        assert_eq!(lines.read(&mut line).unwrap(), NextLine::Complete);
        assert_eq!(line, b"12345678");
    }
}
