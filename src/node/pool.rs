//! The threads that answer requests: a fixed number, and a bounded number of requests that wait for them.
//!
//! Long questions may occupy all threads but one, so that a short question never waits for a long one to end.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::service::Effort;
use crate::convert::Refusal;
use crate::scene::Workspace;

/// A request on its way to an answer. It is answered or refused, once.
pub(super) trait Job: Send {
    /// Answers, with the buffers of the thread. Must not panic.
    fn answer(self: Box<Self>, workspace: &mut Workspace);
    /// Says why there is no answer.
    fn refuse(self: Box<Self>, refusal: Refusal);
    /// How long the answer may take.
    fn effort(&self) -> Effort;
    /// How much memory it holds while it waits.
    fn bytes(&self) -> usize;
}

/// How many requests may wait, and for how many threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolSize {
    /// Threads, at least two.
    pub threads: usize,
    /// Requests that may wait.
    pub queue_length: usize,
    /// Bytes of them.
    pub queue_bytes: usize,
}

/// The threads and the requests that wait for them.
pub(super) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    size: PoolSize,
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    /// With their places in the order of arrival.
    short: VecDeque<(u64, Box<dyn Job>)>,
    long: VecDeque<(u64, Box<dyn Job>)>,
    arrived: u64,
    bytes: usize,
    /// Long questions that are being answered.
    long_running: usize,
    /// Threads that have not ended.
    alive: usize,
    stopped: bool,
}

impl Queue {
    fn waiting(&self) -> usize {
        self.short.len() + self.long.len()
    }

    fn push(&mut self, job: Box<dyn Job>) {
        self.arrived += 1;
        let kind = match job.effort() {
            Effort::Short => &mut self.short,
            Effort::Long => &mut self.long,
        };
        kind.push_back((self.arrived, job));
    }

    /// What to do next: in the order of arrival, but long questions only while a thread is left for short ones.
    fn next(&mut self, threads: usize) -> Option<Box<dyn Job>> {
        let long = self.long.front().filter(|_| self.long_running + 1 < threads);
        let long_is_next = match (self.short.front(), long) {
            (Some((short, _)), Some((long, _))) => long < short,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let (_, job) = if long_is_next {
            self.long_running += 1;
            self.long.pop_front()?
        } else {
            self.short.pop_front()?
        };
        self.bytes -= job.bytes();
        Some(job)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    /// Starts the threads.
    pub fn start(size: PoolSize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { size, queue: Mutex::default(), work: Condvar::new() });
        let pool = Self { shared, threads: Mutex::default() };
        for number in 0..size.threads.max(2) {
            let shared = Arc::clone(&pool.shared);
            shared.lock().alive += 1;
            let started = std::thread::Builder::new()
                .name(format!("answers-{number}"))
                .spawn(move || work(&shared));
            match started {
                Ok(thread) => pool.lock_threads().push(thread),
                Err(error) => {
                    pool.shared.lock().alive -= 1;
                    pool.stop();
                    return Err(error);
                }
            }
        }
        Ok(pool)
    }

    /// Takes a request in, or refuses it at once when too many wait.
    pub fn submit(&self, job: Box<dyn Job>) {
        let size = &self.shared.size;
        let mut queue = self.shared.lock();
        let waiting = queue.waiting();
        let bytes = queue.bytes.saturating_add(job.bytes());
        // A single request may be larger than the queue: it waits alone.
        let too_large = bytes > size.queue_bytes && waiting > 0;
        if queue.stopped || waiting >= size.queue_length || too_large {
            let stopped = queue.stopped;
            drop(queue);
            job.refuse(if stopped {
                Refusal::shutting_down()
            } else {
                Refusal::overloaded(waiting)
            });
            return;
        }
        queue.bytes = bytes;
        queue.push(job);
        drop(queue);
        self.shared.work.notify_one();
    }

    /// How many requests wait.
    pub fn waiting(&self) -> usize {
        self.shared.lock().waiting()
    }

    /// Refuses what waits, and lets the threads end with what they are doing.
    pub fn stop(&self) {
        let mut queue = self.shared.lock();
        queue.stopped = true;
        queue.bytes = 0;
        let waiting: Vec<_> = std::mem::take(&mut queue.short)
            .into_iter()
            .chain(std::mem::take(&mut queue.long))
            .collect();
        drop(queue);
        self.shared.work.notify_all();
        for (_, job) in waiting {
            job.refuse(Refusal::shutting_down());
        }
    }

    /// Waits until all threads have ended; whether they did in time. After [`stop`](Self::stop).
    pub fn wait(&self, at_most: Duration) -> bool {
        let deadline = Instant::now() + at_most;
        let mut queue = self.shared.lock();
        while queue.alive > 0 {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return false };
            let woken = self.shared.work.wait_timeout(queue, left);
            queue = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(queue);
        for thread in self.lock_threads().drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread that answers requests panicked");
            }
        }
        true
    }

    fn lock_threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn work(shared: &Shared) {
    // Cold: the same request gets the same bits, whatever was asked before.
    let mut workspace = Workspace::cold();
    let mut queue = shared.lock();
    loop {
        if queue.stopped {
            queue.alive -= 1;
            shared.work.notify_all();
            return;
        }
        let Some(job) = queue.next(shared.size.threads) else {
            queue = shared.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        let effort = job.effort();
        job.answer(&mut workspace);
        queue = shared.lock();
        if effort == Effort::Long {
            queue.long_running -= 1;
            // Another thread may wait for this place.
            shared.work.notify_one();
        }
    }
}
