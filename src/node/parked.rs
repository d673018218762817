//! Requests that wait for a transform, without a thread each: they are tried again whenever transforms arrive, and for the
//! last time when their time is over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::pool::{Job, Pool};
use super::threads::Turn;
use crate::bell::Woken;
use crate::convert::Refusal;
use crate::transforms::Transforms;

/// How long the thread waits at most before it checks again.
const LONG: Duration = Duration::from_secs(3600);

/// The requests that wait.
#[derive(Default)]
pub(super) struct Parked {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    requests: Vec<Request>,
    closed: bool,
}

struct Request {
    /// When it is tried for the last time.
    deadline: Instant,
    /// What was known when it was tried.
    generation: u64,
    job: Box<dyn Job>,
}

impl Parked {
    /// Keeps a request that was tried with these transforms, until there are others or its time is over. Gives it back when
    /// too many wait already.
    pub fn park(
        &self,
        transforms: &Transforms,
        generation: u64,
        deadline: Instant,
        most: usize,
        job: Box<dyn Job>,
    ) -> Result<(), Box<dyn Job>> {
        let mut waiting = self.lock();
        if waiting.closed || waiting.requests.len() >= most {
            return Err(job);
        }
        waiting.requests.push(Request { deadline, generation, job });
        drop(waiting);
        // The thread has to know of the deadline, and transforms may have arrived in the meantime.
        transforms.updated.ring();
        Ok(())
    }

    /// One turn of the thread that gives requests back to the pool.
    pub fn turn(&self, seen: &mut u64, transforms: &Transforms, pool: &Arc<Pool>) -> Turn {
        let next = self.lock().requests.iter().map(|request| request.deadline).min();
        let wait = next.map_or(LONG, |at| at.saturating_duration_since(Instant::now()));
        match transforms.updated.wait(*seen, wait) {
            Woken::Rung(rings) => *seen = rings,
            Woken::TimedOut => {}
            Woken::Closed => return Turn::Last,
        }
        let (now, generation) = (Instant::now(), transforms.generation());
        let due =
            |request: &mut Request| request.deadline <= now || request.generation != generation;
        let ready: Vec<Request> = self.lock().requests.extract_if(.., due).collect();
        ready.into_iter().for_each(|request| pool.submit(request.job));
        Turn::Again
    }

    /// Refuses everything that waits, and everything that comes.
    pub fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        let requests = std::mem::take(&mut waiting.requests);
        drop(waiting);
        requests.into_iter().for_each(|request| request.job.refuse(Refusal::shutting_down()));
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
