//! A line on the terminal while a run goes on.

use std::io::{IsTerminal, Write};

/// Width of the bar in characters.
const BAR: usize = 30;

/// Shows how many steps of a run are done, if anybody is there to see it.
#[derive(Debug)]
pub(crate) struct Progress {
    total: usize,
    done: usize,
    shown: bool,
}

impl Progress {
    pub fn new(total: usize) -> Self {
        Self { total: total.max(1), done: 0, shown: false }
    }

    /// Begins the next step.
    pub fn step(&mut self, words: &str) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K{}", line(self.done, self.total, words));
            // Nobody is harmed by a bar that does not show.
            let _ = std::io::stderr().flush();
            self.shown = true;
        }
        self.done += 1;
    }
}

fn line(done: usize, total: usize, words: &str) -> String {
    let full = (BAR * done / total.max(1)).min(BAR);
    format!("[{}{}] {done}/{total} {words}", "█".repeat(full), "·".repeat(BAR - full))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
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
