//! Threads that sleep until they are woken: one per endpoint, so that a slow callback delays no other endpoint.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::locking::lock;
use crate::bell::{Bell, Woken};

/// How long a thread without a deadline waits at most before it checks again.
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
        // Thread names are short on Linux; the end of a topic's name is the most useful part.
        let tail = name.char_indices().rev().nth(14).map_or(name, |(start, _)| &name[start..]);
        let bell = Arc::new(Bell::default());
        let (stopping, own) = (Arc::clone(&self.stopping), Arc::clone(&bell));
        let thread = std::thread::Builder::new().name(tail.to_owned()).spawn(move || {
            let waker = Waker::from(Arc::clone(&own));
            let mut seen = 0;
            while !stopping.load(Ordering::Acquire) {
                let until = step(&waker);
                let left = until.map(|until| until.saturating_duration_since(Instant::now()));
                match own.wait(seen, left.unwrap_or(LONG)) {
                    Woken::Rung(rings) => seen = rings,
                    Woken::TimedOut => {}
                    Woken::Closed => unreachable!("nobody closes the bell of a worker"),
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
            if thread.thread().id() != std::thread::current().id() && thread.join().is_err() {
                tracing::error!("a callback panicked, and its endpoint was dead since");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// How long a stop may take on a busy machine. Without a wake-up it would take an hour.
    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn a_stop_during_a_callback_that_waits_for_a_channel_ends_the_thread() {
        for round in 0..200 {
            let workers = Workers::default();
            let ((release, held), (entered, inside)) = (channel::<()>(), channel());
            let step = move |_: &Waker| {
                entered.send(()).expect("the test waits for it");
                held.recv().expect_err("nothing is sent, the channel is dropped");
                None
            };
            workers.spawn("waits", step).unwrap();
            inside.recv_timeout(PATIENCE).expect("the first step starts at once");
            let (stopped, stop) = channel();
            // It is told to stop while it waits in the callback, and released a little later.
            std::thread::spawn(move || {
                workers.stop();
                stopped.send(()).expect("the test waits for it");
            });
            std::thread::sleep(Duration::from_micros(200));
            drop(release);
            stop.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("round {round}: not stopped"));
            // The thread is gone, and with it its end of the channel: no second step was made.
            inside.recv_timeout(PATIENCE).expect_err("a step after the stop");
        }
    }

    #[test]
    fn a_waker_and_a_deadline_each_bring_another_step() {
        let workers = Workers::default();
        let (steps, counted) = channel();
        let mut count = 0;
        let waker = workers.spawn("steps", move |_: &Waker| {
            count += 1;
            steps.send(count).expect("the test waits for it");
            // The second step wants a third one soon.
            (count == 2).then(|| Instant::now() + Duration::from_millis(5))
        });
        let waker = waker.unwrap();
        assert_eq!(counted.recv_timeout(PATIENCE), Ok(1));
        waker.wake_by_ref();
        assert_eq!(counted.recv_timeout(PATIENCE), Ok(2));
        assert_eq!(counted.recv_timeout(PATIENCE), Ok(3));
        workers.stop();
        counted.try_recv().expect_err("nothing asked for a fourth step");
    }
}
