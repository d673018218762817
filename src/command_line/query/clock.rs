//! The time of an answer.

use clap::ValueEnum;
use std::hint::black_box;
use std::time::Instant;

/// Which time of several runs is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timing {
    /// The mean of all runs
    Mean,
    /// The fastest run, which a busy machine disturbs least; each run is timed by itself
    Least,
}

/// How often a question is answered, and which time is reported.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    pub repeat: u32,
    pub timing: Timing,
}

impl Clock {
    /// The answer of the last run and the time of one, in microseconds to the nanosecond.
    pub fn timed<T>(&self, mut solve: impl FnMut() -> T) -> (T, f64) {
        let (found, nanos) = match self.timing {
            Timing::Mean => {
                let started = Instant::now();
                for _ in 1..self.repeat {
                    black_box(solve());
                }
                let found = black_box(solve());
                (found, started.elapsed().as_nanos() as f64 / f64::from(self.repeat))
            }
            Timing::Least => {
                let mut once = || {
                    let started = Instant::now();
                    let found = black_box(solve());
                    (found, started.elapsed().as_nanos() as f64)
                };
                let (mut found, mut least) = once();
                for _ in 1..self.repeat {
                    let (again, nanos) = once();
                    (found, least) = (again, least.min(nanos));
                }
                (found, least)
            }
        };
        (found, nanos.round() / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn all_runs_are_made_and_the_least_is_no_longer_than_the_mean_allows() {
        for timing in [Timing::Mean, Timing::Least] {
            let mut runs = 0;
            let clock = Clock { repeat: 5, timing };
            let (found, micros) = clock.timed(|| {
                runs += 1;
                // The first run is slow, as on a cold cache.
                std::thread::sleep(Duration::from_millis(if runs == 1 { 200 } else { 1 }));
                runs
            });
            assert_eq!((found, runs), (5, 5));
            match timing {
                Timing::Mean => assert!(micros >= 40_000.0, "{micros}"),
                Timing::Least => assert!((1_000.0..200_000.0).contains(&micros), "{micros}"),
            }
        }
    }
}
