//! Samples that wait for the application.

use crate::limits::Limits;
use crate::qos::{Qos, Reliability};
use crate::sample::Sample;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A queue between the receiving threads and the application.
///
/// Of a best-effort reader it keeps the last samples. A reliable reader loses nothing: while its queue is full, samples
/// are not accepted, and the writer keeps them.
#[derive(Debug)]
pub struct SampleQueue {
    state: Mutex<State>,
    changed: Condvar,
    reliability: Reliability,
    most_samples: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct State {
    samples: VecDeque<Sample>,
    bytes: usize,
    is_closed: bool,
}

impl SampleQueue {
    pub(crate) fn new(qos: Qos, limits: &Limits) -> Self {
        let most_samples = match qos.reliability {
            Reliability::BestEffort => qos.history.depth().min(limits.queued_samples),
            Reliability::Reliable => limits.queued_samples,
        };
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            reliability: qos.reliability,
            most_samples,
            most_bytes: limits.queued_bytes,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether samples should be left to the writer.
    pub(crate) fn is_full(&self) -> bool {
        let state = self.lock();
        let is_over = state.samples.len() >= self.most_samples || state.bytes >= self.most_bytes;
        self.reliability == Reliability::Reliable && is_over
    }

    pub(crate) fn push(&self, sample: Sample) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        state.bytes += sample.payload.len();
        state.samples.push_back(sample);
        if self.reliability == Reliability::BestEffort {
            while state.samples.len() > self.most_samples {
                state.pop();
            }
        }
        drop(state);
        self.changed.notify_one();
    }

    /// The next sample, waiting for it; nothing at `until`, or once the queue is closed and empty.
    pub(crate) fn pop_until(&self, until: Option<Instant>) -> Option<Sample> {
        let mut state = self.lock();
        loop {
            if let Some(sample) = state.pop() {
                return Some(sample);
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if state.is_closed || left == Some(Duration::ZERO) {
                return None;
            }
            state = match left {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// The next sample, if there is one.
    pub fn try_pop(&self) -> Option<Sample> {
        self.lock().pop()
    }

    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }
}

impl State {
    fn pop(&mut self) -> Option<Sample> {
        let sample = self.samples.pop_front()?;
        self.bytes -= sample.payload.len();
        Some(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::wire::SerializedPayload;

    fn sample(number: i64) -> Sample {
        Sample::new(Guid::default(), number, None, SerializedPayload::Data(&[1; 10]))
    }

    #[test]
    fn best_effort_keeps_the_last_samples() {
        let queue = SampleQueue::new(Qos::best_effort(2), &Limits::default());
        (1..=5).for_each(|number| queue.push(sample(number)));
        assert!(!queue.is_full());
        assert_eq!([queue.try_pop(), queue.try_pop()].map(|s| s.unwrap().number), [4, 5]);
    }

    #[test]
    fn a_full_reliable_queue_says_so() {
        let limits = Limits { queued_samples: 100, queued_bytes: 20, ..Limits::default() };
        let queue = SampleQueue::new(Qos::reliable(1), &limits);
        queue.push(sample(1));
        assert!(!queue.is_full());
        queue.push(sample(2));
        assert!(queue.is_full());
        queue.try_pop().unwrap();
        assert!(!queue.is_full());
    }

    #[test]
    fn a_closed_queue_hands_out_the_rest_and_ends() {
        let queue = SampleQueue::new(Qos::reliable(1), &Limits::default());
        queue.push(sample(1));
        queue.close();
        queue.push(sample(2));
        assert_eq!(queue.pop_until(None).unwrap().number, 1);
        assert_eq!(queue.pop_until(None), None);
    }

    #[test]
    fn waiting_ends_in_time() {
        let queue = SampleQueue::new(Qos::reliable(1), &Limits::default());
        assert_eq!(queue.pop_until(Some(Instant::now() + Duration::from_millis(5))), None);
    }
}
