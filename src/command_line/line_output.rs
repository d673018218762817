//! Output of whole lines: nobody ever reads half of one, also when Ctrl-C ends the run.

use super::interrupt;
use super::program::INTERRUPTED;
use super::progress;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes kept before they are written.
const WRITE_BYTES: usize = 1 << 16;

/// Lines on their way to standard output, or to any other writer.
pub(crate) struct LineOutput<W> {
    shared: Arc<Mutex<Pending<W>>>,
}

struct Pending<W> {
    writer: W,
    /// Whole lines that were not written yet.
    lines: Vec<u8>,
}

impl<W: Write + Send + 'static> LineOutput<W> {
    pub fn new(writer: W) -> Self {
        Self { shared: Arc::new(Mutex::new(Pending { writer, lines: Vec::new() })) }
    }

    /// From now on Ctrl-C or SIGTERM writes the lines that are ready and ends the program; a second one ends it at once.
    pub fn end_on_interrupt(&self) -> io::Result<()> {
        let shared = self.shared.clone();
        interrupt::when_interrupted(move || {
            // The lock is never released: no line begins after this.
            let mut pending = lock(&shared);
            let written = pending.write();
            progress::clear();
            if let Err(error) = written
                && error.kind() != io::ErrorKind::BrokenPipe
            {
                eprintln!("cannot write the last lines: {error}");
            }
            std::process::exit(INTERRUPTED.into());
        })
    }

    /// Adds whole lines, each with its line feed. They are written when there are enough of them, or by
    /// [`flush`](Self::flush).
    pub fn push(&self, lines: &[u8]) -> io::Result<()> {
        let mut pending = lock(&self.shared);
        pending.lines.extend_from_slice(lines);
        if pending.lines.len() >= WRITE_BYTES { pending.write() } else { Ok(()) }
    }

    /// Writes what was added.
    pub fn flush(&self) -> io::Result<()> {
        lock(&self.shared).write()
    }
}

/// The pending lines. A panic of another thread leaves them whole: they are appended in one step.
fn lock<W>(shared: &Mutex<Pending<W>>) -> MutexGuard<'_, Pending<W>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Pending<W> {
    fn write(&mut self) -> io::Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        self.writer.write_all(&self.lines)?;
        self.lines.clear();
        self.writer.flush()
    }
}
