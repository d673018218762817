//! Work on a thread of its own, until it is cancelled or dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Instant;

use super::error::ViewError;

/// Work that is being done.
pub(super) struct Work<T> {
    /// What it is, for errors: "fit", "plan".
    what: &'static str,
    pub begin: Instant,
    cancel: Arc<AtomicBool>,
    outcome: Receiver<Result<T, ViewError>>,
}

impl<T: Send + 'static> Work<T> {
    /// Starts it. It looks at its flag now and then, and ends when that is set.
    pub fn start(
        what: &'static str,
        run: impl FnOnce(&AtomicBool) -> Result<T, ViewError> + Send + 'static,
    ) -> Result<Self, ViewError> {
        let cancel = Arc::new(AtomicBool::new(false));
        let (sender, outcome) = channel();
        let flag = Arc::clone(&cancel);
        let run = move || {
            if sender.send(run(&flag)).is_err() {
                tracing::debug!("the view ended before the {what}");
            }
        };
        let thread = std::thread::Builder::new().name(format!("view {what}"));
        thread.spawn(run).map_err(ViewError::Thread)?;
        Ok(Self { what, begin: Instant::now(), cancel, outcome })
    }

    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// What came of it; none while it is going on.
    pub fn outcome(&self) -> Option<Result<T, ViewError>> {
        match self.outcome.try_recv() {
            Err(TryRecvError::Empty) => None,
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Disconnected) => Some(Err(ViewError::Panicked(self.what))),
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// How far fitting or planning has come.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WorkState {
    Running,
    Done,
    Failed,
    Cancelled,
}
