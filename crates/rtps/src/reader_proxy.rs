//! A matched reader as a writer sees it.

use crate::guid::Guid;
use crate::history::{Change, Recipient};
use crate::qos::Reliability;
use crate::sequence_set::SequenceNumber;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddrV4;
use std::time::{Duration, Instant};

/// Pause until a heartbeat is repeated; doubled each time.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// Longest pause between heartbeats to a reader that owes an acknowledgement.
const LONGEST_PAUSE: Duration = Duration::from_millis(400);
/// A reader that has sent no acknowledgement for this long gets no more than the guaranteed history.
const ACTIVE: Duration = Duration::from_secs(2);
/// Pause until the same sample is sent again to a reader that does not get further; doubled each time.
const RESEND_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_RESEND_PAUSE: Duration = Duration::from_millis(200);

/// Where a reader is and how it wants its samples.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) address: SocketAddrV4,
    /// Payload bytes per datagram.
    pub(crate) fragment_size: u16,
}

/// Pieces of a sample that have to be sent: datagrams, from 1.
#[derive(Debug)]
pub(crate) struct Job {
    fresh: std::ops::Range<u32>,
    again: BTreeSet<u32>,
}

impl Job {
    /// All pieces.
    fn all(pieces: u32) -> Self {
        Self { fresh: 1..pieces + 1, again: BTreeSet::new() }
    }

    /// No pieces yet.
    fn none() -> Self {
        Self { fresh: 1..1, again: BTreeSet::new() }
    }

    /// The next piece.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.again.pop_first().or_else(|| self.fresh.next())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.again.is_empty() && self.fresh.is_empty()
    }
}

/// A matched reader.
#[derive(Debug)]
pub(crate) struct ReaderProxy {
    pub(crate) guid: Guid,
    pub(crate) route: Route,
    pub(crate) reliability: Reliability,
    /// What was before does not concern it.
    pub(crate) start: SequenceNumber,
    /// Samples for everybody concern it from here on; those for it alone from `start`.
    pub(crate) live_from: SequenceNumber,
    /// Whether it has acknowledged something, so that it knows us.
    pub(crate) is_ready: bool,
    /// All before this are acknowledged.
    pub(crate) acked_below: SequenceNumber,
    /// All before this were sent or do not concern it.
    pub(crate) sent_below: SequenceNumber,
    pub(crate) count: u32,
    pub(crate) last_heard: Instant,
    pub(crate) last_beat: Instant,
    pub(crate) pause: Duration,
    pub(crate) jobs: BTreeMap<SequenceNumber, Job>,
    resend: Resend,
}

/// Keeps a reader that takes nothing from being sent the same again and again.
#[derive(Debug)]
struct Resend {
    at: SequenceNumber,
    after: Instant,
    pause: Duration,
}

impl ReaderProxy {
    pub(crate) fn new(
        guid: Guid,
        route: Route,
        reliability: Reliability,
        (start, live_from): (SequenceNumber, SequenceNumber),
        now: Instant,
    ) -> Self {
        Self {
            guid,
            route,
            reliability,
            start,
            live_from,
            is_ready: reliability == Reliability::BestEffort,
            acked_below: start,
            sent_below: start,
            count: 0,
            last_heard: now,
            last_beat: now,
            pause: FIRST_PAUSE,
            jobs: BTreeMap::new(),
            resend: Resend { at: 0, after: now, pause: RESEND_PAUSE },
        }
    }

    /// Whether it acknowledges what it gets.
    pub(crate) fn is_reliable(&self) -> bool {
        self.reliability == Reliability::Reliable
    }

    /// Whether a sample concerns it.
    pub(crate) fn wants(&self, number: SequenceNumber, change: &Change) -> bool {
        match change.recipient {
            Recipient::All => number >= self.live_from,
            directed => number >= self.start && directed.includes(self.guid),
        }
    }

    /// Whether a sample has to be kept for it.
    pub(crate) fn needs(&self, number: SequenceNumber, change: &Change) -> bool {
        let is_open = match self.reliability {
            Reliability::Reliable => number >= self.acked_below,
            Reliability::BestEffort => number >= self.sent_below || self.jobs.contains_key(&number),
        };
        is_open && self.wants(number, change)
    }

    /// Whether it has shown signs of life.
    pub(crate) fn is_active(&self, now: Instant) -> bool {
        !self.is_reliable() || now.duration_since(self.last_heard) < ACTIVE
    }

    /// How many datagrams a payload takes.
    pub(crate) fn pieces(&self, payload: usize) -> u32 {
        payload.div_ceil(usize::from(self.route.fragment_size)).max(1) as u32
    }

    /// Has a whole sample sent.
    pub(crate) fn queue(&mut self, number: SequenceNumber, payload: usize) {
        let pieces = self.pieces(payload);
        self.jobs.entry(number).or_insert_with(|| Job::all(pieces));
    }

    /// Has fragments of a sample sent again.
    pub(crate) fn queue_fragments(
        &mut self,
        number: SequenceNumber,
        payload: usize,
        fragments: impl Iterator<Item = i64>,
    ) {
        let pieces = self.pieces(payload);
        let mut fragments = fragments
            .filter_map(|n| u32::try_from(n).ok())
            .filter(|n| (1..=pieces).contains(n))
            .peekable();
        if fragments.peek().is_some() {
            let job = self.jobs.entry(number).or_insert_with(Job::none);
            let fresh = job.fresh.clone();
            job.again.extend(fragments.filter(|n| !fresh.contains(n)));
        }
    }

    /// Whether what it misses may be sent again now. A reader that does not get further is sent it less and less often.
    pub(crate) fn permits_resend(&mut self, now: Instant) -> bool {
        let resend = &mut self.resend;
        if resend.at != self.acked_below {
            *resend = Resend { at: self.acked_below, after: now, pause: RESEND_PAUSE };
        }
        if now < resend.after {
            return false;
        }
        resend.after = now + resend.pause;
        resend.pause = (resend.pause * 2).min(LONGEST_RESEND_PAUSE);
        true
    }

    /// Whether a heartbeat is due.
    pub(crate) fn is_beat_due(&mut self, now: Instant) -> bool {
        let owes = !self.is_ready || (self.acked_below < self.sent_below && self.jobs.is_empty());
        let is_due = self.is_reliable() && owes && now.duration_since(self.last_beat) >= self.pause;
        if is_due {
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
        is_due
    }

    /// Takes over another route. Fragments that were to be sent are sent anew in their new size.
    pub(crate) fn reroute(&mut self, route: Route, payload: impl Fn(SequenceNumber) -> usize) {
        if self.route.fragment_size != route.fragment_size {
            let numbers: Vec<_> = std::mem::take(&mut self.jobs).into_keys().collect();
            self.route = route;
            numbers.into_iter().for_each(|number| self.queue(number, payload(number)));
        }
        self.route = route;
    }
}
