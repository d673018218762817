//! The sending half of a topic: keeps samples until they are acknowledged and sends again what is missing.
//!
//! A pure state machine: it takes what readers say and the time, and appends datagrams to a list.

use crate::guid::{Guid, GuidPrefix};
use crate::history::{Change, ChangeKind, Recipient, WriterHistory};
use crate::limits::Limits;
use crate::network::LARGEST_FRAGMENT;
use crate::qos::{Durability, History, Qos, Reliability};
use crate::reader_proxy::{FIRST_PAUSE, ReaderProxy, Route};
use crate::sequence_set::{SequenceNumber, SequenceSet};
use crate::wire::{DatagramBuilder, Fragment, Heartbeat};
use std::collections::BTreeMap;
use std::net::SocketAddrV4;
use std::time::Instant;

/// What goes to another machine at a time is this part of what goes to one on this machine.
const NETWORK_SHARE: usize = 4;

/// Datagrams to be sent, in order.
pub(crate) type Datagrams = Vec<(SocketAddrV4, Vec<u8>)>;

/// Why a sample was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A keep-all writer has too much that was not acknowledged.
    #[error("the history is full: readers have not acknowledged {bytes} bytes")]
    Full {
        /// How much is held.
        bytes: usize,
    },
    /// A sample that no reader would accept.
    #[error("a sample of {bytes} bytes is too large: the limit is {limit}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The largest.
        limit: usize,
    },
    /// The participant has left or the writer was removed.
    #[error("the writer is closed")]
    Closed,
}

/// A writer and its matched readers.
#[derive(Debug)]
pub(crate) struct Writer {
    guid: Guid,
    qos: Qos,
    limits: Limits,
    history: WriterHistory,
    next: SequenceNumber,
    readers: BTreeMap<Guid, ReaderProxy>,
}

impl Writer {
    pub(crate) fn new(guid: Guid, qos: Qos, limits: &Limits) -> Self {
        let (history, readers) = (WriterHistory::default(), BTreeMap::new());
        Self { guid, qos, limits: limits.clone(), history, next: 1, readers }
    }

    pub(crate) fn readers(&self) -> impl Iterator<Item = Guid> + '_ {
        self.readers.keys().copied()
    }

    pub(crate) fn has_reader(&self, reader: Guid) -> bool {
        self.readers.contains_key(&reader)
    }

    /// Matches a reader. It gets what is written from now on, and earlier samples if it asks for them.
    pub(crate) fn add_reader(
        &mut self,
        reader: Guid,
        route: Route,
        (reliability, durability): (Reliability, Durability),
        now: Instant,
        out: &mut Datagrams,
    ) {
        let keeps = self.qos.durability >= Durability::TransientLocal;
        let live_from = match keeps && durability >= Durability::TransientLocal {
            true => self.first(),
            false => self.next,
        };
        let is_waiting = |change: &Change| {
            change.recipient != Recipient::All && change.recipient.includes(reader)
        };
        let waiting = self.history.from(0).find(|(_, change)| is_waiting(change));
        let start = waiting.map_or(live_from, |(number, _)| number.min(live_from));
        let reliability = reliability.min(self.qos.reliability);
        let proxy = ReaderProxy::new(reader, route, reliability, (start, live_from), now);
        self.readers.insert(reader, proxy);
        match reliability {
            Reliability::Reliable => self.heartbeat(reader, now, out),
            Reliability::BestEffort => self.send_new(reader, now, out),
        }
    }

    pub(crate) fn remove_reader(&mut self, reader: Guid) {
        self.readers.remove(&reader);
    }

    pub(crate) fn remove_participant(&mut self, prefix: GuidPrefix) {
        self.readers.retain(|guid, _| guid.prefix != prefix);
    }

    /// Asks for the route to each reader again. Readers without one keep theirs.
    pub(crate) fn reroute(&mut self, route: impl Fn(Guid) -> Option<Route>) {
        let history = &self.history;
        for proxy in self.readers.values_mut() {
            if let Some(route) = route(proxy.guid) {
                let payload = |number| history.get(number).map_or(0, |c: &Change| c.payload.len());
                proxy.reroute(route, payload);
            }
        }
    }

    /// Writes a sample.
    pub(crate) fn write(
        &mut self,
        change: Change,
        now: Instant,
        out: &mut Datagrams,
    ) -> Result<SequenceNumber, WriteError> {
        let (bytes, limit) = (change.payload.len(), self.limits.written_bytes);
        if bytes > limit {
            return Err(WriteError::TooLarge { bytes, limit });
        }
        if self.history.bytes() + bytes > limit && self.qos.history == History::KeepAll {
            self.trim_all(now);
            if self.history.bytes() + bytes > limit {
                return Err(WriteError::Full { bytes: self.history.bytes() });
            }
        }
        let (number, recipient) = (self.next, change.recipient);
        self.next += 1;
        self.history.insert(number, change);
        let readers: Vec<_> = self.readers().filter(|reader| recipient.includes(*reader)).collect();
        readers.into_iter().for_each(|reader| self.send_new(reader, now, out));
        self.trim_front(now);
        Ok(number)
    }

    /// Takes back a sample: readers that have not got it will not.
    pub(crate) fn retract(&mut self, number: SequenceNumber) {
        self.history.remove(number);
    }

    /// Whether every matched reader has what is kept for it.
    pub(crate) fn is_acknowledged(&self) -> bool {
        let is_done = |proxy: &ReaderProxy| {
            let start = if proxy.is_reliable() { proxy.acked_below } else { 0 };
            self.history.from(start).all(|(number, change)| !proxy.needs(number, change))
        };
        self.readers.values().all(is_done)
    }

    pub(crate) fn held_samples(&self) -> usize {
        self.history.len()
    }

    pub(crate) fn has_jobs(&self) -> bool {
        self.readers.values().any(|proxy| !proxy.jobs.is_empty())
    }

    fn first(&self) -> SequenceNumber {
        self.history.first().map_or(self.next, |(number, _)| number)
    }

    /// What the reader may know of: only what was sent to it.
    fn next_heartbeat(
        first: SequenceNumber,
        proxy: &mut ReaderProxy,
        writer: Guid,
        now: Instant,
    ) -> Heartbeat {
        proxy.count = proxy.count.wrapping_add(1);
        proxy.last_beat = now;
        let last = proxy.sent_below - 1;
        Heartbeat {
            reader: proxy.guid.entity,
            writer: writer.entity,
            first: first.max(proxy.start).min(last + 1).max(1),
            last,
            is_final: false,
        }
    }

    fn heartbeat(&mut self, reader: Guid, now: Instant, out: &mut Datagrams) {
        let first = self.first();
        let Some(proxy) = self.readers.get_mut(&reader) else { return };
        if !proxy.is_reliable() {
            return;
        }
        let heartbeat = Self::next_heartbeat(first, proxy, self.guid, now);
        let datagram = DatagramBuilder::new(self.guid.prefix)
            .info_destination(reader.prefix)
            .heartbeat(heartbeat, proxy.count);
        out.push((proxy.route.address, datagram.finish()));
    }

    /// Sends what this reader has not been sent yet: small samples at once, large ones piece by piece later.
    fn send_new(&mut self, reader: Guid, now: Instant, out: &mut Datagrams) {
        let first = self.first();
        let Some(proxy) = self.readers.get_mut(&reader) else { return };
        if !proxy.is_ready {
            return;
        }
        let ids = (reader.entity, self.guid.entity);
        let mut pending: Option<DatagramBuilder> = None;
        for (number, change) in self.history.from(proxy.sent_below) {
            if !proxy.wants(number, change) {
                continue;
            }
            let start = std::mem::replace(&mut proxy.sent_below, number + 1);
            let is_gap = start < number && proxy.is_reliable();
            let is_large = proxy.pieces(change.payload.len()) > 1;
            if is_large {
                proxy.queue(number, change.payload.len());
            }
            if is_large && !is_gap {
                continue;
            }
            if let Some(datagram) = pending.take() {
                out.push((proxy.route.address, datagram.finish()));
            }
            let mut datagram = DatagramBuilder::new(self.guid.prefix)
                .info_destination(reader.prefix)
                .info_timestamp(change.timestamp);
            if is_gap {
                datagram = datagram.gap(ids, start, number);
            }
            if !is_large {
                datagram = datagram.data(ids, number, &change.inline_qos, change.serialized());
            }
            pending = Some(datagram);
        }
        let Some(mut datagram) = pending else { return };
        if proxy.is_reliable() && proxy.jobs.is_empty() {
            proxy.pause = FIRST_PAUSE;
            let heartbeat = Self::next_heartbeat(first, proxy, self.guid, now);
            datagram = datagram.heartbeat(heartbeat, proxy.count);
        }
        out.push((proxy.route.address, datagram.finish()));
    }

    /// Takes an acknowledgement: forgets what all have, sends again what is missing.
    pub(crate) fn on_acknack(
        &mut self,
        reader: Guid,
        missing: &SequenceSet,
        is_final: bool,
        now: Instant,
        out: &mut Datagrams,
    ) {
        let Some(proxy) = self.readers.get_mut(&reader).filter(|proxy| proxy.is_reliable()) else {
            return;
        };
        let was_ready = std::mem::replace(&mut proxy.is_ready, true);
        proxy.last_heard = now;
        let acked = missing.base().min(proxy.sent_below);
        proxy.acked_below = proxy.acked_below.max(acked);
        proxy.jobs = proxy.jobs.split_off(&acked);
        let may_resend = !missing.is_empty() && proxy.permits_resend(now);
        let mut gaps: Vec<(SequenceNumber, SequenceNumber)> = Vec::new();
        let sent_below = proxy.sent_below;
        for number in missing.iter().filter(|number| *number < sent_below) {
            match self.history.get(number).filter(|change| proxy.wants(number, change)) {
                Some(change) if may_resend => proxy.queue(number, change.payload.len()),
                Some(_) => {}
                None => match gaps.last_mut() {
                    Some((_, end)) if *end == number => *end = number + 1,
                    _ => gaps.push((number, number + 1)),
                },
            }
        }
        let (ids, has_jobs) = ((reader.entity, self.guid.entity), !proxy.jobs.is_empty());
        for (start, end) in &gaps {
            let datagram = DatagramBuilder::new(self.guid.prefix)
                .info_destination(reader.prefix)
                .gap(ids, (*start).max(1), *end);
            out.push((proxy.route.address, datagram.finish()));
        }
        if !was_ready {
            // First a heartbeat: Cyclone takes everything that its first heartbeat covers for older than itself.
            self.heartbeat(reader, now, out);
            self.send_new(reader, now, out);
        } else if !has_jobs && (!gaps.is_empty() || (!is_final && missing.is_empty())) {
            self.heartbeat(reader, now, out);
        }
        self.trim_front(now);
    }

    /// Takes a request for fragments.
    pub(crate) fn on_nack_frag(
        &mut self,
        reader: Guid,
        number: SequenceNumber,
        missing: &SequenceSet,
        now: Instant,
    ) {
        let Some(proxy) = self.readers.get_mut(&reader).filter(|proxy| proxy.is_reliable()) else {
            return;
        };
        proxy.last_heard = now;
        let change = self.history.get(number).filter(|change| proxy.wants(number, change));
        if let Some(change) = change
            && number < proxy.sent_below
        {
            proxy.queue_fragments(number, change.payload.len(), missing.iter());
        }
    }

    /// Sends pieces that wait, about this many bytes to each reader, to other machines a part of it. Whether more wait.
    pub(crate) fn pump(&mut self, bytes: usize, now: Instant, out: &mut Datagrams) -> bool {
        let mut finished = Vec::new();
        for proxy in self.readers.values_mut() {
            let (had_jobs, mut sent) = (!proxy.jobs.is_empty(), 0);
            let is_local = proxy.route.fragment_size == LARGEST_FRAGMENT;
            let bytes = if is_local { bytes } else { bytes / NETWORK_SHARE };
            while sent < bytes
                && let Some(mut job) = proxy.jobs.first_entry()
            {
                let number = *job.key();
                let piece = job.get_mut().pop();
                if job.get().is_empty() {
                    job.remove();
                }
                let (Some(piece), Some(change)) = (piece, self.history.get(number)) else {
                    continue;
                };
                let datagram = piece_datagram(self.guid, proxy, (number, change), piece);
                sent += datagram.len();
                out.push((proxy.route.address, datagram));
            }
            if had_jobs && proxy.jobs.is_empty() {
                proxy.pause = FIRST_PAUSE;
                finished.push(proxy.guid);
            }
        }
        finished.into_iter().for_each(|reader| self.heartbeat(reader, now, out));
        self.has_jobs()
    }

    /// Repeats heartbeats that were not answered, and forgets what nobody needs.
    pub(crate) fn tick(&mut self, now: Instant, out: &mut Datagrams) {
        let due: Vec<_> = self
            .readers
            .values_mut()
            .filter_map(|p| p.is_beat_due(now).then_some(p.guid))
            .collect();
        due.into_iter().for_each(|reader| self.heartbeat(reader, now, out));
        self.trim_all(now);
    }

    /// Whether a change with this many newer ones has to be kept.
    fn keeps(&self, number: SequenceNumber, change: &Change, newer: usize, now: Instant) -> bool {
        let is_guaranteed = newer < self.qos.history.depth();
        let mut readers = self.readers.values();
        if readers.any(|p| p.needs(number, change) && (is_guaranteed || p.is_active(now))) {
            return true;
        }
        match change.recipient {
            Recipient::All => {
                let is_durable = self.qos.durability >= Durability::TransientLocal;
                is_durable && is_guaranteed && change.kind == ChangeKind::Sample
            }
            directed => {
                let matched = self.readers().filter(|reader| directed.includes(*reader)).count();
                let expected = match directed {
                    Recipient::Participant { readers, .. } => readers,
                    Recipient::All | Recipient::Reader(_) => 1,
                };
                let age = now.duration_since(change.written);
                matched < expected && age < self.limits.recipient_wait
            }
        }
    }

    /// Forgets old changes up to the first that is needed, and more if they take too much memory.
    fn trim_front(&mut self, now: Instant) {
        let is_volatile = self.qos.durability == Durability::Volatile;
        while let Some((number, change)) = self.history.first() {
            let newer = self.history.len() - 1;
            let is_over = self.history.bytes() > self.limits.written_bytes && newer > 0;
            if self.keeps(number, change, newer, now) && !(is_over && is_volatile) {
                break;
            }
            self.history.remove(number);
        }
    }

    /// Forgets all changes that are not needed.
    fn trim_all(&mut self, now: Instant) {
        self.trim_front(now);
        let changes = self.history.from(0).rev().enumerate();
        let old: Vec<_> = changes
            .filter(|(newer, (number, change))| !self.keeps(*number, change, *newer, now))
            .map(|(_, (number, _))| number)
            .collect();
        old.into_iter().for_each(|number| self.history.remove(number));
    }
}

/// The datagram with one piece of a sample.
fn piece_datagram(
    writer: Guid,
    proxy: &ReaderProxy,
    (number, change): (SequenceNumber, &Change),
    piece: u32,
) -> Vec<u8> {
    let ids = (proxy.guid.entity, writer.entity);
    let datagram = DatagramBuilder::new(writer.prefix)
        .info_destination(proxy.guid.prefix)
        .info_timestamp(change.timestamp);
    let datagram = if proxy.pieces(change.payload.len()) == 1 {
        datagram.data(ids, number, &change.inline_qos, change.serialized())
    } else {
        let (size, payload) = (proxy.route.fragment_size, &change.payload);
        let fragment = Fragment { number: piece, size, payload };
        datagram.data_frag(ids, number, &change.inline_qos, fragment)
    };
    datagram.finish()
}

#[cfg(test)]
mod tests;
