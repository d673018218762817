//! Samples that wait for the application.

use crate::limits::Limits;
use crate::qos::{Qos, Reliability};
use crate::sample::Sample;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Takes samples on the thread that received them.
pub(crate) type Handler = Box<dyn FnMut(Sample) + Send>;

/// A queue between the receiving threads and the application.
///
/// Of a best-effort reader it keeps the last samples. A reliable reader loses nothing: while its queue is full, samples
/// are not accepted, and the writer keeps them.
pub struct SampleQueue {
    state: Mutex<State>,
    changed: Condvar,
    handler: Mutex<Option<Handler>>,
    reliability: Reliability,
    most_samples: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct State {
    samples: VecDeque<Sample>,
    bytes: usize,
    is_closed: bool,
    /// Whether a handler takes the samples.
    is_handled: bool,
}

impl std::fmt::Debug for SampleQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SampleQueue").field("state", &self.state).finish_non_exhaustive()
    }
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
            handler: Mutex::new(None),
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

    /// Lets a handler take the samples from now on, one at a time.
    pub(crate) fn set_handler(&self, handler: Handler) {
        *self.handler.lock().unwrap_or_else(PoisonError::into_inner) = Some(handler);
        self.lock().is_handled = true;
        self.handle();
    }

    /// Whether samples wait for a handler.
    pub(crate) fn has_handler(&self) -> bool {
        self.lock().is_handled
    }

    /// Lets the handler take what is there. Not with a lock that the handler may need. When another thread is at it, that one
    /// takes the samples.
    pub(crate) fn handle(&self) {
        let is_waiting = || {
            let state = self.lock();
            state.is_handled && !state.samples.is_empty()
        };
        while is_waiting() {
            let Ok(mut handler) = self.handler.try_lock() else { return };
            while let Some(handle) = handler.as_mut()
                && let Some(sample) = self.try_pop()
            {
                if catch_unwind(AssertUnwindSafe(|| handle(sample))).is_err() {
                    // The panic has been printed. What it left behind takes no more samples.
                    self.lock().is_handled = false;
                }
                if !self.has_handler() {
                    *handler = None;
                }
            }
        }
    }

    /// Drops the handler. If it is running, it is dropped when it returns.
    pub(crate) fn remove_handler(&self) {
        self.lock().is_handled = false;
        let removed = self.handler.try_lock().ok().and_then(|mut handler| handler.take());
        drop(removed);
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
    fn a_handler_takes_each_sample_once_and_in_order_whoever_brings_it() {
        let queue = SampleQueue::new(Qos::reliable(1), &Limits::default());
        let taken = std::sync::Arc::new(Mutex::new(Vec::new()));
        queue.push(sample(0));
        let seen = std::sync::Arc::clone(&taken);
        queue.set_handler(Box::new(move |sample| seen.lock().unwrap().push(sample.number)));
        std::thread::scope(|scope| {
            for start in [1, 1001] {
                let queue = &queue;
                scope.spawn(move || {
                    for number in start..start + 1000 {
                        queue.push(sample(number));
                        queue.handle();
                    }
                });
            }
        });
        let taken = std::mem::take(&mut *taken.lock().unwrap());
        for part in [1..1001, 1001..2001] {
            let of_part = taken.iter().copied().filter(|number| part.contains(number));
            assert!(of_part.eq(part.clone()));
        }
        assert_eq!((taken[0], taken.len()), (0, 2001));
        assert_eq!(queue.try_pop(), None);
    }

    #[test]
    fn a_handler_that_panics_or_removes_itself_takes_nothing_more() {
        let queue = std::sync::Arc::new(SampleQueue::new(Qos::reliable(1), &Limits::default()));
        queue.set_handler(Box::new(|sample| assert!(sample.number < 2, "on purpose")));
        (1..=3).for_each(|number| queue.push(sample(number)));
        queue.handle();
        assert_eq!(queue.try_pop().unwrap().number, 3);
        let own = std::sync::Arc::clone(&queue);
        queue.set_handler(Box::new(move |_| own.remove_handler()));
        (4..=5).for_each(|number| queue.push(sample(number)));
        queue.handle();
        assert_eq!(queue.try_pop().unwrap().number, 5);
        assert_eq!(std::sync::Arc::strong_count(&queue), 1, "the handler is dropped");
    }

    #[test]
    fn waiting_ends_in_time() {
        let queue = SampleQueue::new(Qos::reliable(1), &Limits::default());
        assert_eq!(queue.pop_until(Some(Instant::now() + Duration::from_millis(5))), None);
    }
}
