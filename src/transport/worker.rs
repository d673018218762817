//! Threads that sleep until something happens: one per endpoint, so that a slow callback holds up nobody else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::lock;
use crate::bell::{Bell, Woken};

/// How long a thread with nothing to come back for waits at most before it looks round.
const LONG: Duration = Duration::from_secs(3600);

/// The threads of a transport.
#[derive(Default)]
pub(super) struct Workers {
    stopping: Arc<AtomicBool>,
    threads: Mutex<Vec<(JoinHandle<()>, Arc<Bell>)>>,
}

impl Workers {
    /// Starts a thread that calls `step` whenever the waker it is given was woken, and at the time it last returned.
    /// Returns the waker.
    pub(super) fn spawn(
        &self,
        name: &str,
        mut step: impl FnMut(&Waker) -> Option<Instant> + Send + 'static,
    ) -> Result<Waker, std::io::Error> {
        // Names of threads are short on Linux; the end of a topic's name says most.
        let tail = name.char_indices().rev().nth(14).map_or(name, |(start, _)| &name[start..]);
        let bell = Arc::new(Bell::default());
        let (stopping, own) = (Arc::clone(&self.stopping), Arc::clone(&bell));
        let thread = std::thread::Builder::new().name(tail.to_owned()).spawn(move || {
            let waker = Waker::from(Arc::clone(&own));
            let mut seen = 0;
            while !stopping.load(Ordering::Acquire) {
                let until = step(&waker);
                let left = until.map(|until| until.saturating_duration_since(Instant::now()));
                if let Woken::Rung(rings) = own.wait(seen, left.unwrap_or(LONG)) {
                    seen = rings;
                }
            }
        })?;
        let waker = Waker::from(Arc::clone(&bell));
        lock(&self.threads).push((thread, bell));
        Ok(waker)
    }

    /// Stops all of them and waits until they have stopped.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        let threads = std::mem::take(&mut *lock(&self.threads));
        for (_, bell) in &threads {
            bell.ring();
        }
        for (thread, _) in threads {
            // A callback may be the one that stops them: it cannot wait for itself.
            if thread.thread().id() != std::thread::current().id() {
                // It fails when a callback panicked, which has been printed already.
                let _ = thread.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_callback_that_waits_for_a_channel_keeps_no_wake_up_for_itself() {
        for _ in 0..200 {
            let workers = Workers::default();
            let ((release, held), (entered, inside)) = (channel::<()>(), channel());
            let step = move |_: &Waker| {
                entered.send(()).unwrap();
                let _ = held.recv();
                None
            };
            workers.spawn("waits", step).unwrap();
            inside.recv().unwrap();
            // It is told to stop while it waits in the callback, and let go a little later.
            std::thread::scope(|scope| {
                scope.spawn(|| workers.stop());
                std::thread::sleep(Duration::from_micros(200));
                drop(release);
            });
        }
    }
}
