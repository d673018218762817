//! A line on the terminal while a run goes on.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Width of the bar in characters.
const BAR: usize = 30;
/// Least time between two pictures of a bar that moves fast.
const SEEN: Duration = Duration::from_millis(50);

/// Shows how many steps of a run are done, if anybody is there to see it.
#[derive(Debug)]
pub(crate) struct Progress {
    total: usize,
    done: usize,
    /// When it was drawn last.
    drawn: Option<Instant>,
}

impl Progress {
    pub fn new(total: usize) -> Self {
        Self { total: total.max(1), done: 0, drawn: None }
    }

    /// Begins the next step.
    pub fn step(&mut self, words: &str) {
        self.draw(self.done, words);
        self.done += 1;
    }

    /// Says how many steps are done, of a run whose steps come fast: it is drawn as often as can be seen. What goes on
    /// beyond the total begins again.
    pub fn show(&mut self, done: usize, words: &str) {
        if self.drawn.is_none_or(|last| last.elapsed() >= SEEN) {
            self.draw(done % self.total, words);
        }
    }

    fn draw(&mut self, done: usize, words: &str) {
        if std::io::stderr().is_terminal() {
            // Nobody is harmed by a bar that does not show.
            let mut terminal = std::io::stderr().lock();
            let _ = write!(terminal, "\r\x1b[K{}", line(done, self.total, words));
            let _ = terminal.flush();
            self.drawn = Some(Instant::now());
        }
    }
}

fn line(done: usize, total: usize, words: &str) -> String {
    let full = (BAR * done / total.max(1)).min(BAR);
    format!("[{}{}] {done}/{total} {words}", "█".repeat(full), "·".repeat(BAR - full))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_full_as_the_run_is_done() {
        assert!(line(0, 4, "x").starts_with(&format!("[{}]", "·".repeat(BAR))));
        assert!(line(4, 4, "x").starts_with(&format!("[{}]", "█".repeat(BAR))));
        assert!(line(9, 4, "x").contains("9/4 x"), "more steps than expected do no harm");
    }
}
