//! A progress bar on the terminal, for runs that take more than a moment.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Width of the bar in characters.
const BAR: u64 = 30;
/// Least time between two updates of the bar.
const PERIOD: Duration = Duration::from_millis(100);

/// Shows how much of a run is done. Nothing is shown when standard error is not a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    /// `None` when nothing is to be shown.
    total: Option<u64>,
    /// Steps that were begun with [`step`](Self::step).
    begun: u64,
    last_drawn: Option<Instant>,
}

impl Progress {
    /// For so many bytes, samples or steps; `None` for a stream whose length is not known.
    pub fn new(total: Option<u64>) -> Self {
        let total = total.filter(|&total| total > 0 && io::stderr().is_terminal());
        Self { total, begun: 0, last_drawn: None }
    }

    /// Begins the next step.
    pub fn step(&mut self, text: impl Display) {
        self.draw(self.begun, text);
        self.begun += 1;
    }

    /// Says how much is done. May be called often; the bar is drawn a few times a second. A run that goes on beyond the
    /// total begins again.
    pub fn update(&mut self, done: u64, text: impl Display) {
        let Some(total) = self.total else { return };
        if self.last_drawn.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.draw(if done > total { done % total } else { done }, text);
        }
    }

    fn draw(&mut self, done: u64, text: impl Display) {
        let Some(total) = self.total else { return };
        show(&format!("\r\x1b[K{}", bar(done, total, text)));
        self.last_drawn = Some(Instant::now());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last_drawn.is_some() {
            show("\r\x1b[K");
        }
    }
}

/// Takes a bar off the terminal, when the run ends without dropping it.
pub(crate) fn clear() {
    if io::stderr().is_terminal() {
        show("\r\x1b[K");
    }
}

/// Writes to the terminal. A terminal that was closed is no reason to end a run.
fn show(text: &str) {
    let mut terminal = io::stderr().lock();
    if let Err(error) = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush()) {
        tracing::debug!("the progress bar cannot be shown: {error}");
    }
}

fn bar(done: u64, total: u64, text: impl Display) -> String {
    let full = (BAR * done / total).min(BAR) as usize;
    let percent = 100.0 * done as f64 / total as f64;
    let (full, rest) = ("█".repeat(full), "·".repeat(BAR as usize - full));
    format!("[{full}{rest}] {percent:3.0} %  {text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_full_as_the_run_is_done() {
        let dots = |count: usize| "·".repeat(count);
        assert_eq!(bar(0, 4, "x"), format!("[{}]   0 %  x", dots(30)));
        assert_eq!(bar(2, 4, "x"), format!("[{}{}]  50 %  x", "█".repeat(15), dots(15)));
        assert_eq!(bar(4, 4, "x"), format!("[{}] 100 %  x", "█".repeat(30)));
    }

    #[test]
    fn a_bar_takes_more_steps_than_expected() {
        assert!(bar(9, 4, "x").starts_with(&format!("[{}]", "█".repeat(30))));
    }
}
