//! The threads of the node besides those that answer requests.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Threads that end on request.
pub(super) struct Threads {
    /// Each thread holds a copy: when all are gone, so are the threads.
    alive: Mutex<Option<Sender<()>>>,
    ended: Mutex<Receiver<()>>,
}

impl Threads {
    pub fn new() -> Self {
        let (alive, ended) = channel();
        Self { alive: Mutex::new(Some(alive)), ended: Mutex::new(ended) }
    }

    /// Starts a thread that takes one turn after the other, until one says that it was the last. A turn that panics is
    /// logged, and the next one begins.
    pub fn start(
        &self,
        name: &'static str,
        mut turn: impl FnMut() -> Turn + Send + 'static,
    ) -> io::Result<()> {
        let alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner).clone();
        std::thread::Builder::new().name(name.into()).spawn(move || {
            loop {
                match catch_unwind(AssertUnwindSafe(&mut turn)) {
                    Ok(Turn::Again) => {}
                    Ok(Turn::Last) => break,
                    Err(panic) => {
                        tracing::error!("thread {name} failed: {}", panic_text(&*panic));
                        // A turn that fails every time must not flood the log.
                        std::thread::sleep(Duration::from_millis(100));
                    }
                }
            }
            drop(alive);
        })?;
        Ok(())
    }

    /// Waits until all threads have ended; whether they did in time.
    pub fn wait(&self, at_most: Duration) -> bool {
        *self.alive.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.recv_timeout(at_most) == Err(RecvTimeoutError::Disconnected)
    }
}

/// Whether a thread continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Again,
    Last,
}

/// The message of a panic.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}
