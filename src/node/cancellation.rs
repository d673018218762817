//! Ending long work early.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The work that is under way, and the reason why it is to end.
#[derive(Debug, Default)]
pub struct Cancellation {
    shared: Mutex<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// How often everything was cancelled.
    round: u64,
    reason: String,
    under_way: u32,
    /// What begins now ends at once.
    is_closed: bool,
}

/// Work that can be cancelled, from its begin until it is dropped.
#[derive(Debug)]
pub struct Work<'a> {
    owner: &'a Cancellation,
    round: u64,
}

impl Cancellation {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Work begins.
    pub fn begin(&self) -> Work<'_> {
        let mut shared = self.lock();
        shared.under_way += 1;
        Work { owner: self, round: shared.round }
    }

    /// Ends what is under way; returns how much that was.
    pub fn cancel(&self, reason: &str) -> u32 {
        let mut shared = self.lock();
        shared.round += 1;
        shared.reason = reason.into();
        shared.under_way
    }

    /// Ends what is under way, and whatever begins before it is opened again.
    pub fn close(&self, reason: &str) {
        self.cancel(reason);
        self.lock().is_closed = true;
    }

    /// Lets work begin again after [`close`](Self::close).
    pub fn open(&self) {
        self.lock().is_closed = false;
    }
}

impl Work<'_> {
    /// Whether it is to end, and why.
    pub fn cancelled(&self) -> Option<String> {
        let shared = self.owner.lock();
        (shared.is_closed || shared.round != self.round).then(|| shared.reason.clone())
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.owner.lock().under_way -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_ends_and_what_begins_later_does_not() {
        let all = Cancellation::default();
        let (one, other) = (all.begin(), all.begin());
        drop(other);
        assert_eq!(one.cancelled(), None);
        assert_eq!(all.cancel("enough"), 1);
        let later = all.begin();
        assert_eq!((one.cancelled(), later.cancelled()), (Some("enough".into()), None));
    }

    #[test]
    fn what_begins_while_closed_is_cancelled() {
        let all = Cancellation::default();
        let one = all.begin();
        all.close("over");
        assert_eq!(all.begin().cancelled(), Some("over".into()));
        all.open();
        assert_eq!((one.cancelled(), all.begin().cancelled()), (Some("over".into()), None));
    }
}
