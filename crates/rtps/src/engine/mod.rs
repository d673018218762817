//! The protocol without sockets, threads or clock.
//!
//! An [`Engine`] is a participant: it takes datagrams and the time, and says in an [`Outbox`] what to send. Whole domains
//! can be simulated with it.

mod announce;
mod matching;
mod moving;
mod outbox;
mod receive;

pub use outbox::{Departure, Event, Outbox};

use crate::budget::Budget;
use crate::discovery::{EndpointData, ParticipantData, goodbye_qos};
use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::history::{Change, ChangeKind, Recipient};
use crate::limits::Limits;
use crate::network::{Interface, Network};
use crate::qos::{History, Qos};
pub use crate::queue::SampleQueue;
use crate::reader::WriterProxy;
use crate::sample::SampleIdentity;
use crate::sequence_set::SequenceNumber;
use crate::wire::{ParameterWriter, pid};
use crate::writer::{WriteError, Writer};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How long others count us as alive without a sign of life.
const LEASE: Duration = Duration::from_secs(20);
/// What a lease may be exceeded by: announcements are late on a busy machine, and a cable that is pulled for as long as the
/// usual lease of ten seconds shall cost nothing.
const LEASE_MARGIN: Duration = Duration::from_secs(5);
/// A pause between ticks that means that this process was stopped, not that all others are gone.
const STOPPED: Duration = Duration::from_secs(2);

/// Who a participant is and where it can be reached.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Its identity.
    pub prefix: GuidPrefix,
    /// Its name, for people.
    pub name: String,
    /// What the application adds to announcements.
    pub user_data: Vec<u8>,
    /// Port for discovery.
    pub metatraffic_port: u16,
    /// Port for samples.
    pub user_port: u16,
    /// The group that announcements are sent to.
    pub group: SocketAddrV4,
}

/// A writer or reader to be created.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The topic.
    pub topic: String,
    /// The type.
    pub type_name: String,
    /// What is offered or requested.
    pub qos: Qos,
    /// What the application adds to the announcement.
    pub user_data: Vec<u8>,
}

/// How a sample is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The sample it is related to.
    pub related: Option<SampleIdentity>,
    /// For whom it is.
    pub recipient: Recipient,
}

#[derive(Debug)]
struct LocalWriter {
    data: EndpointData,
    writer: Writer,
    /// The number of its announcement.
    announced: SequenceNumber,
}

#[derive(Debug)]
struct LocalReader {
    data: EndpointData,
    queue: Arc<SampleQueue>,
    /// Matched writers, and where they are.
    writers: BTreeMap<Guid, (WriterProxy, SocketAddrV4)>,
    /// The number of its announcement.
    announced: SequenceNumber,
}

/// Another participant.
#[derive(Debug)]
struct Remote {
    data: ParticipantData,
    /// Where its announcement came from.
    source: Ipv4Addr,
    metatraffic: SocketAddrV4,
    last_seen: Instant,
    lease: Duration,
    /// Whether it has acknowledged something, so that it is where it says.
    has_answered: bool,
    budget: Budget,
    publications: WriterProxy,
    subscriptions: WriterProxy,
    endpoints: BTreeMap<EntityId, EndpointData>,
}

/// A participant without sockets, threads or clock.
#[derive(Debug)]
pub struct Engine {
    identity: Identity,
    network: Network,
    limits: Limits,
    remotes: BTreeMap<GuidPrefix, Remote>,
    writers: BTreeMap<EntityId, LocalWriter>,
    readers: BTreeMap<EntityId, LocalReader>,
    publications: Writer,
    subscriptions: Writer,
    next_entity: u32,
    announcer: announce::Announcer,
    last_tick: Instant,
    /// Where others know us: the addresses of now, and those that are gone and were not replaced.
    known_at: Vec<Interface>,
    /// After a change of address.
    silent_until: Option<Instant>,
}

impl Engine {
    /// A participant that knows itself, so that its own readers get what its own writers write.
    pub fn new(identity: Identity, network: Network, limits: Limits, now: Instant) -> Self {
        let keep_all = Qos { history: History::KeepAll, ..Qos::transient_local(1) };
        let builtin = |entity| Writer::new(Guid::new(identity.prefix, entity), keep_all, &limits);
        let publications = builtin(EntityId::PUBLICATIONS_WRITER);
        let subscriptions = builtin(EntityId::SUBSCRIPTIONS_WRITER);
        let known_at = network.interfaces().to_vec();
        let mut engine = Self {
            identity,
            network,
            limits,
            remotes: BTreeMap::new(),
            writers: BTreeMap::new(),
            readers: BTreeMap::new(),
            publications,
            subscriptions,
            next_entity: 0,
            announcer: announce::Announcer::default(),
            last_tick: now,
            known_at,
            silent_until: None,
        };
        let own = ParticipantData { lease: Duration::MAX, ..engine.own_data() };
        let source = own.metatraffic.first().map_or(Ipv4Addr::LOCALHOST, |address| *address.ip());
        engine.add_remote(own, source, now, &mut Outbox::default());
        engine
    }

    /// Who this is.
    pub fn guid(&self) -> Guid {
        Guid::new(self.identity.prefix, EntityId::PARTICIPANT)
    }

    /// The addresses of this machine.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Creates a writer and announces it.
    pub fn create_writer(&mut self, endpoint: &Endpoint, now: Instant, out: &mut Outbox) -> Guid {
        self.next_entity += 1;
        let guid = Guid::new(self.identity.prefix, EntityId::user_writer(self.next_entity));
        let data = endpoint_data(guid, endpoint);
        let announced = announce(&mut self.publications, &data, now, out);
        let writer = Writer::new(guid, endpoint.qos, &self.limits);
        self.writers.insert(guid.entity, LocalWriter { data, writer, announced });
        self.match_local_writer(guid.entity, now, out);
        guid
    }

    /// Creates a reader and announces it. Its samples go to the queue.
    pub fn create_reader(
        &mut self,
        endpoint: &Endpoint,
        now: Instant,
        out: &mut Outbox,
    ) -> (Guid, Arc<SampleQueue>) {
        self.next_entity += 1;
        let guid = Guid::new(self.identity.prefix, EntityId::user_reader(self.next_entity));
        let data = endpoint_data(guid, endpoint);
        let announced = announce(&mut self.subscriptions, &data, now, out);
        let queue = Arc::new(SampleQueue::new(endpoint.qos, &self.limits));
        let local = Arc::clone(&queue);
        let reader = LocalReader { data, queue: local, writers: BTreeMap::new(), announced };
        self.readers.insert(guid.entity, reader);
        self.match_local_reader(guid.entity, out);
        (guid, queue)
    }

    /// Removes a writer or reader of ours and says so.
    pub fn remove(&mut self, guid: Guid, now: Instant, out: &mut Outbox) {
        let (builtin, announced) = if let Some(local) = self.writers.remove(&guid.entity) {
            (&mut self.publications, local.announced)
        } else if let Some(local) = self.readers.remove(&guid.entity) {
            local.queue.close();
            (&mut self.subscriptions, local.announced)
        } else {
            return;
        };
        builtin.retract(announced);
        let payload = ParameterWriter::payload().guid(pid::ENDPOINT_GUID, guid).finish();
        let change = change(ChangeKind::Goodbye, payload.into(), goodbye_qos(guid), now);
        builtin.write(change, now, &mut out.datagrams).expect("announcements are small");
    }

    /// Writes a sample.
    pub fn write(
        &mut self,
        writer: Guid,
        payload: Arc<[u8]>,
        options: WriteOptions,
        now: Instant,
        out: &mut Outbox,
    ) -> Result<SequenceNumber, WriteError> {
        let local = self.writers.get_mut(&writer.entity).ok_or(WriteError::Closed)?;
        let inline_qos = options.related.map_or_else(Vec::new, |related| {
            ParameterWriter::default()
                .sample_identity(pid::RELATED_SAMPLE_IDENTITY, related.writer, related.number)
                .sample_identity(
                    pid::CUSTOM_RELATED_SAMPLE_IDENTITY,
                    related.writer,
                    related.number,
                )
                .finish()
        });
        let mut change = change(ChangeKind::Sample, payload, inline_qos, now);
        change.recipient = options.recipient;
        local.writer.write(change, now, &mut out.datagrams)
    }

    /// Readers that get what this writer writes.
    pub fn matched_readers(&self, writer: Guid) -> Vec<Guid> {
        self.writers.get(&writer.entity).map_or_else(Vec::new, |w| w.writer.readers().collect())
    }

    /// Writers whose samples this reader gets.
    pub fn matched_writers(&self, reader: Guid) -> Vec<Guid> {
        self.readers
            .get(&reader.entity)
            .map_or_else(Vec::new, |r| r.writers.keys().copied().collect())
    }

    /// Endpoints elsewhere that are known, our own included.
    pub fn endpoints(&self) -> impl Iterator<Item = &EndpointData> {
        self.remotes.values().flat_map(|remote| remote.endpoints.values())
    }

    /// Bytes that are held for peers: incomplete samples and samples out of order.
    pub fn held_bytes(&self) -> usize {
        self.remotes.values().map(|remote| remote.budget.used()).sum()
    }

    /// Peers that are known, this participant among them.
    pub fn peers(&self) -> usize {
        self.remotes.len()
    }

    /// Samples that a writer holds.
    pub fn written_samples(&self, writer: Guid) -> usize {
        self.writers.get(&writer.entity).map_or(0, |local| local.writer.held_samples())
    }

    /// Whether everything that was written has been acknowledged by all matched readers.
    pub fn is_acknowledged(&self) -> bool {
        self.writers.values().all(|local| local.writer.is_acknowledged())
    }

    /// Whether samples wait to be sent by [`pump`](Self::pump).
    pub fn has_jobs(&self) -> bool {
        self.all_writers().any(Writer::has_jobs)
    }

    fn all_writers(&self) -> impl Iterator<Item = &Writer> {
        let users = self.writers.values().map(|local| &local.writer);
        users.chain([&self.publications, &self.subscriptions])
    }

    fn all_writers_mut(&mut self) -> impl Iterator<Item = &mut Writer> {
        let users = self.writers.values_mut().map(|local| &mut local.writer);
        users.chain([&mut self.publications, &mut self.subscriptions])
    }

    /// Sends pieces of large samples and repeated ones, about this many bytes to each reader. Whether more wait.
    pub fn pump(&mut self, bytes: usize, now: Instant, out: &mut Outbox) -> bool {
        let mut is_more = false;
        for writer in self.all_writers_mut() {
            is_more |= writer.pump(bytes, now, &mut out.datagrams);
        }
        is_more
    }

    /// Does what the time asks for. To be called every 20 ms or so.
    pub fn tick(&mut self, now: Instant, out: &mut Outbox) {
        let was_stopped = now.duration_since(self.last_tick) > STOPPED;
        self.last_tick = now;
        if was_stopped {
            // Announcements of the others may be waiting in the sockets.
            self.remotes.values_mut().for_each(|remote| remote.last_seen = now);
        }
        if !self.is_silent(now) && self.announcer.is_due(now) {
            let announcement = self.announcement(None);
            out.announcements.push(announcement);
        }
        self.expire(now, out);
        self.all_writers_mut().for_each(|writer| writer.tick(now, &mut out.datagrams));
        self.tick_readers(now, out);
    }

    /// Says goodbye to everybody.
    pub fn leave(&mut self, out: &mut Outbox) {
        let goodbye = self.goodbye();
        let others = self.remotes.iter().filter(|(prefix, _)| **prefix != self.identity.prefix);
        out.datagrams.extend(others.map(|(_, remote)| (remote.metatraffic, goodbye.clone())));
        out.announcements.push(goodbye);
        self.readers.values().for_each(|reader| reader.queue.close());
    }
}

fn endpoint_data(guid: Guid, endpoint: &Endpoint) -> EndpointData {
    EndpointData {
        guid,
        topic: endpoint.topic.clone(),
        type_name: endpoint.type_name.clone(),
        qos: endpoint.qos.into(),
        addresses: Vec::new(),
        user_data: endpoint.user_data.clone(),
    }
}

fn change(kind: ChangeKind, payload: Arc<[u8]>, inline_qos: Vec<u8>, now: Instant) -> Change {
    Change {
        kind,
        payload,
        inline_qos: inline_qos.into(),
        recipient: Recipient::All,
        written: now,
        timestamp: SystemTime::now(),
    }
}

/// Announces an endpoint and returns the number of the announcement.
fn announce(
    builtin: &mut Writer,
    data: &EndpointData,
    now: Instant,
    out: &mut Outbox,
) -> SequenceNumber {
    let change = change(ChangeKind::Sample, data.to_payload().into(), Vec::new(), now);
    builtin.write(change, now, &mut out.datagrams).expect("announcements are small")
}
