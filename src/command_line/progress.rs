//! A line on the terminal for runs that take long enough to wonder.

use std::fmt::Display;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two reports.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reports how much of a file or of a number of samples is done, at most once a second, if anybody is there to read it.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Bytes or samples there are, `None` when nothing is to be reported.
    total: Option<u64>,
    last: Instant,
    shown: bool,
}

impl Progress {
    /// For `total` bytes or samples; `None` for a stream whose end is not known.
    pub fn new(total: Option<u64>) -> Self {
        let total = total.filter(|&total| total > 0 && std::io::stderr().is_terminal());
        Self { total, last: Instant::now(), shown: false }
    }

    /// To be called often: how much is done, and in words.
    pub fn update(&mut self, done: u64, words: impl Display) {
        let Some(total) = self.total else { return };
        if self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let percent = 100.0 * done as f64 / total as f64;
        eprint!("\r{percent:5.1} %  {words}");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprintln!();
        }
    }
}
