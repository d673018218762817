//! Threads that sleep until something happens: one per endpoint, so that a slow callback holds up nobody else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};
use std::thread::{JoinHandle, Thread};
use std::time::Instant;

use super::lock;

/// The threads of a transport.
#[derive(Default)]
pub(super) struct Workers {
    stopping: Arc<AtomicBool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Workers {
    /// Starts a thread that calls `step` whenever the waker it is given was woken, and at the time it last returned.
    /// Returns the waker.
    pub(super) fn spawn(
        &self,
        name: &str,
        mut step: impl FnMut(&Waker) -> Option<Instant> + Send + 'static,
    ) -> Result<Waker, std::io::Error> {
        let stopping = Arc::clone(&self.stopping);
        // Names of threads are short on Linux; the end of a topic's name says most.
        let tail = name.char_indices().rev().nth(14).map_or(name, |(start, _)| &name[start..]);
        let thread = std::thread::Builder::new().name(tail.to_owned()).spawn(move || {
            let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
            while !stopping.load(Ordering::Acquire) {
                match step(&waker) {
                    None => std::thread::park(),
                    Some(until) => {
                        std::thread::park_timeout(until.saturating_duration_since(Instant::now()));
                    }
                }
            }
        })?;
        let waker = Waker::from(Arc::new(Unpark(thread.thread().clone())));
        lock(&self.threads).push(thread);
        Ok(waker)
    }

    /// Stops all of them and waits until they have stopped.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in &threads {
            thread.thread().unpark();
        }
        for thread in threads {
            // A callback may be the one that stops them: it cannot wait for itself.
            if thread.thread().id() != std::thread::current().id() {
                // It fails when a callback panicked, which has been printed already.
                let _ = thread.join();
            }
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
