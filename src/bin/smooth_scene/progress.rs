//! A line on the terminal for runs that take long enough to wonder.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two reports.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reports how much of a file is done, at most once a second, if anybody is there to read it.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Bytes of the file, `None` when nothing is to be reported.
    total: Option<u64>,
    last: Instant,
    shown: bool,
}

impl Progress {
    /// For an input of `total` bytes; `None` for a stream whose end is not known.
    pub fn new(total: Option<u64>) -> Self {
        let total = total.filter(|&bytes| bytes > 0 && std::io::stderr().is_terminal());
        Self { total, last: Instant::now(), shown: false }
    }

    /// To be called often.
    pub fn update(&mut self, bytes_read: u64, lines: u64) {
        let Some(total) = self.total else { return };
        if self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let percent = 100.0 * bytes_read as f64 / total as f64;
        eprint!("\r{percent:5.1} %  {lines} lines");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprintln!();
        }
    }
}
