//! Wakes a thread when there is something to do.
//!
//! Threads are not parked for this: callbacks park, too, and a channel they wait on would consume the wake-up.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Wake;
use std::time::{Duration, Instant};

/// Rings are counted, so that none is missed by a thread that is busy, and many of them wake it once.
#[derive(Debug, Default)]
pub(super) struct Bell {
    state: Mutex<State>,
    rung: Condvar,
    /// Wakes sleepers that ignore rings.
    closed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    rings: u64,
    closed: bool,
}

/// Why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Woken {
    /// It was rung; the total number of rings.
    Rung(u64),
    /// The time is over.
    TimedOut,
    /// There is nothing more to wait for.
    Closed,
}

impl Bell {
    /// Wakes the waiting thread, or the next one that waits.
    pub fn ring(&self) {
        self.lock().rings += 1;
        self.rung.notify_all();
    }

    /// Ends all waiting, for good.
    pub fn close(&self) {
        self.lock().closed = true;
        self.rung.notify_all();
        self.closed.notify_all();
    }

    /// Waits for a ring after the first `seen`.
    pub fn wait(&self, seen: u64, at_most: Duration) -> Woken {
        let deadline = Instant::now() + at_most;
        let mut state = self.lock();
        loop {
            if state.closed {
                return Woken::Closed;
            }
            if state.rings != seen {
                return Woken::Rung(state.rings);
            }
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                return Woken::TimedOut;
            };
            let woken = self.rung.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sleeps, whatever rings; false when the bell was closed.
    pub fn sleep(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut state = self.lock();
        while !state.closed {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return true };
            let woken = self.closed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.ring();
    }
}
