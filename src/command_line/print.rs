//! Printing to a reader that may stop early.

use std::io::{self, ErrorKind, Write};

/// Prints to standard output. A reader that stops early (`… | head`) is not an error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}
