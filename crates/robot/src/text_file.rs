//! Text files of bounded size, and pieces of them in messages.

use std::io::Read;
use std::path::Path;

/// Longest piece of a file quoted in a message.
const QUOTE_LENGTH: usize = 80;

/// Reads a text file of at most so many bytes, or says what is wrong with it.
pub(super) fn read(path: &Path, max_bytes: u64) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, also when it has no length, like a pipe.
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("byte {valid} in line {line} is not UTF-8")
    })
}

/// What is wrong with a file of more than so many bytes.
pub(super) fn too_large(max_bytes: u64) -> String {
    format!("larger than {max_bytes} bytes")
}

/// At most [`QUOTE_LENGTH`] characters, without control characters, which would break the lines of a log.
pub(super) fn quote(text: &str) -> String {
    let mut short: String =
        text.chars().take(QUOTE_LENGTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(QUOTE_LENGTH).is_some() {
        short.push('…');
    }
    short
}
