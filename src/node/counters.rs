//! Counts of requests and messages, for the diagnostics.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::convert::{Refusal, Status};

/// Counts of every service and topic, and the last things that were refused.
#[derive(Debug, Default)]
pub struct Counters {
    services: Mutex<BTreeMap<&'static str, Arc<ServiceCount>>>,
    topics: Mutex<BTreeMap<&'static str, Arc<TopicCount>>>,
    refused_change: Mutex<Option<String>>,
}

/// What happened to the requests of one service.
#[derive(Debug, Default)]
pub struct ServiceCount {
    answered: AtomicU64,
    refused: AtomicU64,
    malformed: AtomicU64,
    overloaded: AtomicU64,
    failed: AtomicU64,
    busy_ns: AtomicU64,
    /// Longest time since the last report.
    longest_ns: AtomicU64,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered.
    Answered,
    /// It was refused.
    Refused(Status),
    /// Its bytes were no such request, or too many.
    Malformed,
}

/// The numbers of one service at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServiceReport {
    /// Requests that were answered.
    pub answered: u64,
    /// Requests that were refused with a reason, those below not counted.
    pub refused: u64,
    /// Requests whose bytes were no such request, or too many.
    pub malformed: u64,
    /// Requests that were refused because too many waited.
    pub overloaded: u64,
    /// Requests that failed by a fault of the node.
    pub failed: u64,
    /// Mean time of an answer, without waiting.
    pub mean: Duration,
    /// Longest time of an answer since the last report, without waiting.
    pub longest: Duration,
}

/// What happened to the messages of one topic.
#[derive(Debug, Default)]
pub struct TopicCount {
    received: AtomicU64,
    refused: AtomicU64,
}

impl TopicCount {
    /// Counts a message.
    pub fn receive(&self) {
        self.received.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a message as refused.
    pub fn refuse(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// How many messages were received, and how many of them were refused.
    pub fn report(&self) -> (u64, u64) {
        (self.received.load(Ordering::Relaxed), self.refused.load(Ordering::Relaxed))
    }
}

impl ServiceCount {
    /// Counts a request that took this long.
    pub fn count(&self, outcome: Outcome, took: Duration) {
        let counter = match outcome {
            Outcome::Answered => &self.answered,
            Outcome::Malformed => &self.malformed,
            Outcome::Refused(Status::Overloaded) => &self.overloaded,
            Outcome::Refused(Status::NotComputed) => &self.failed,
            Outcome::Refused(_) => &self.refused,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        let took = u64::try_from(took.as_nanos()).expect("less than 500 years");
        self.busy_ns.fetch_add(took, Ordering::Relaxed);
        self.longest_ns.fetch_max(took, Ordering::Relaxed);
    }

    fn report(&self) -> ServiceReport {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (answered, refused) = (load(&self.answered), load(&self.refused));
        let mean = load(&self.busy_ns) / (answered + refused).max(1);
        ServiceReport {
            answered,
            refused,
            malformed: load(&self.malformed),
            overloaded: load(&self.overloaded),
            failed: load(&self.failed),
            mean: Duration::from_nanos(mean),
            longest: Duration::from_nanos(self.longest_ns.swap(0, Ordering::Relaxed)),
        }
    }
}

impl Counters {
    /// The counters of a service.
    pub fn service(&self, name: &'static str) -> Arc<ServiceCount> {
        Arc::clone(lock(&self.services).entry(name).or_default())
    }

    /// The counters of a topic.
    pub fn topic(&self, name: &'static str) -> Arc<TopicCount> {
        Arc::clone(lock(&self.topics).entry(name).or_default())
    }

    /// Keeps the reason of a refused change of the scene.
    pub fn keep_refused_change(&self, origin: &str, refusal: &Refusal) {
        *lock(&self.refused_change) = Some(format!("{origin}: {}", refusal.message));
    }

    /// The last change of the scene that was refused, and why.
    pub fn refused_change(&self) -> Option<String> {
        lock(&self.refused_change).clone()
    }

    /// The numbers of all services, by name. The longest times start again.
    pub fn service_reports(&self) -> Vec<(&'static str, ServiceReport)> {
        lock(&self.services).iter().map(|(name, count)| (*name, count.report())).collect()
    }

    /// Messages received and refused of all topics, by name.
    pub fn topic_reports(&self) -> Vec<(&'static str, (u64, u64))> {
        lock(&self.topics).iter().map(|(name, count)| (*name, count.report())).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
