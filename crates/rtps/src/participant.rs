//! A participant: sockets and threads around an engine.

use crate::config::{Config, Listener};
use crate::discovery::{LONGEST_NAME, LONGEST_USER_DATA};
use crate::engine::{Endpoint, Engine, Event, Identity, Outbox, SampleQueue, WriteOptions};
use crate::guid::{Guid, GuidPrefix, VENDOR};
use crate::interfaces;
use crate::network::Network;
use crate::sample::Sample;
use crate::sequence_set::SequenceNumber;
use crate::sockets::{self, Ports, Receiver, Sender};
use crate::writer::WriteError;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the engine is told the time.
const TICK: Duration = Duration::from_millis(20);
/// How often the interfaces of the machine are looked at.
const INTERFACE_PERIOD: Duration = Duration::from_secs(2);
/// Pieces of large samples go slowly enough for the buffers of those who receive them: so much at a time to each.
const PUMP_BYTES: usize = 120_000;
const PUMP_PAUSE: Duration = Duration::from_micros(150);
/// How long the thread that sends pieces sleeps when nobody wakes it.
const PUMP_REST: Duration = Duration::from_secs(1);
/// How long leaving waits for the last samples to be acknowledged.
const TIME_TO_DELIVER: Duration = Duration::from_millis(100);
/// Participants of a machine that announcements without multicast reach.
const PEER_PARTICIPANTS: u16 = 32;

/// Why a participant could not join.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// A domain without ports.
    #[error("domain {0} does not exist: the largest is 232")]
    Domain(u16),
    /// A name or user data that no announcement can carry.
    #[error("the {what} has {bytes} bytes: the limit is {limit}")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// Its length.
        bytes: usize,
        /// The longest.
        limit: usize,
    },
    /// Too many participants on this machine.
    #[error("all ports of domain {0} are taken on this machine")]
    Ports(u16),
    /// The system refused a socket or a thread.
    #[error("no sockets for domain {domain_id}: {source}")]
    System {
        /// The domain.
        domain_id: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// The participant has left.
    #[error("the participant has left the domain")]
    Left,
}

/// A participant of a domain. Dropping it leaves the domain.
#[derive(Debug)]
pub struct Participant {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    engine: Mutex<Engine>,
    sender: Sender,
    ports: Ports,
    peers: Vec<Ipv4Addr>,
    listener: Option<Listener>,
    is_stopped: AtomicBool,
    /// Wakes the thread that sends pieces of large samples. Belongs to the engine's lock.
    jobs: Condvar,
    /// How many events there have been.
    events: Mutex<u64>,
    happened: Condvar,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Participant").field("ports", &self.ports).finish_non_exhaustive()
    }
}

/// The lock. What it guards is whole even after a panic of another thread: the engine finishes each step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_length(what: &'static str, bytes: usize, limit: usize) -> Result<(), JoinError> {
    if bytes <= limit { Ok(()) } else { Err(JoinError::TooLong { what, bytes, limit }) }
}

impl Participant {
    /// Joins a domain.
    pub fn join(config: Config) -> Result<Self, JoinError> {
        let domain_id = config.domain_id;
        if domain_id > Ports::LARGEST_DOMAIN {
            return Err(JoinError::Domain(domain_id));
        }
        check_length("name", config.name.len(), 255)?;
        check_length("user data", config.user_data.len(), LONGEST_USER_DATA)?;
        let system = |source| JoinError::System { domain_id, source };
        let ports = Ports::new(domain_id);
        let opened = sockets::open(ports, config.range).map_err(system)?;
        let (number, sender, receivers) = opened.ok_or(JoinError::Ports(domain_id))?;
        let (metatraffic_port, user_port) =
            ports.of_participant(number).expect("its sockets were opened");
        let (found, listing) = match interfaces::list() {
            Ok(found) => (found, None),
            Err(error) => (vec![interfaces::loopback()], Some(not_listed(&error))),
        };
        let network = Network::new(config.range, found);
        sender.follow(&network);
        let identity = Identity {
            prefix: random_prefix(number),
            name: config.name,
            user_data: config.user_data,
            metatraffic_port,
            user_port,
            group: ports.group(),
        };
        let shared = Arc::new(Shared {
            engine: Mutex::new(Engine::new(identity, network, config.limits, Instant::now())),
            sender,
            ports,
            peers: config.peers,
            listener: config.listener,
            is_stopped: AtomicBool::new(false),
            jobs: Condvar::new(),
            events: Mutex::new(0),
            happened: Condvar::new(),
        });
        let participant = Self { shared, threads: Mutex::default() };
        participant.shared.report(listing.as_slice());
        participant.start(receivers).map_err(system)?;
        Ok(participant)
    }

    fn start(&self, receivers: sockets::Receivers) -> std::io::Result<()> {
        let sockets::Receivers { multicast, metatraffic, user } = receivers;
        for (name, receiver) in
            [("rtps-multicast", multicast), ("rtps-discovery", metatraffic), ("rtps-data", user)]
        {
            self.spawn(name, move |shared| shared.receive(&receiver))?;
        }
        self.spawn("rtps-timer", |shared| shared.tick())?;
        self.spawn("rtps-pump", |shared| shared.pump())
    }

    fn spawn(&self, name: &str, run: impl FnOnce(&Shared) + Send + 'static) -> std::io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let thread =
            std::thread::Builder::new().name(name.to_owned()).spawn(move || run(&shared))?;
        lock(&self.threads).push(thread);
        Ok(())
    }

    /// Who this is.
    pub fn guid(&self) -> Guid {
        lock(&self.shared.engine).guid()
    }

    /// Creates a writer and announces it.
    pub fn create_writer(&self, endpoint: &Endpoint) -> Result<DataWriter, JoinError> {
        let guid =
            self.create(endpoint, |engine, now, out| engine.create_writer(endpoint, now, out))?;
        Ok(DataWriter { guid, shared: Arc::clone(&self.shared) })
    }

    /// Creates a reader and announces it.
    pub fn create_reader(&self, endpoint: &Endpoint) -> Result<DataReader, JoinError> {
        let (guid, queue) =
            self.create(endpoint, |engine, now, out| engine.create_reader(endpoint, now, out))?;
        Ok(DataReader { guid, queue, shared: Arc::clone(&self.shared) })
    }

    fn create<T>(
        &self,
        endpoint: &Endpoint,
        make: impl FnOnce(&mut Engine, Instant, &mut Outbox) -> T,
    ) -> Result<T, JoinError> {
        check_length("topic", endpoint.topic.len(), LONGEST_NAME)?;
        check_length("type", endpoint.type_name.len(), LONGEST_NAME)?;
        check_length("user data", endpoint.user_data.len(), LONGEST_USER_DATA)?;
        if self.shared.is_stopped() {
            return Err(JoinError::Left);
        }
        Ok(self.shared.with_engine(make))
    }

    /// Waits until `condition` holds, which is asked whenever something happened in the domain. Whether it does.
    pub fn wait_until(&self, at_most: Duration, condition: impl FnMut() -> bool) -> bool {
        self.shared.wait_until(at_most, condition)
    }

    /// Leaves the domain: gives the last samples a moment to arrive, says goodbye and stops all threads.
    pub fn leave(&self) {
        let until = Instant::now() + TIME_TO_DELIVER;
        while !lock(&self.shared.engine).is_acknowledged() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.shared.is_stopped.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.with_engine(|engine, _, out| engine.leave(out));
        self.shared.jobs.notify_all();
        // Under its lock, so that nobody misses it between looking and waiting.
        let events = lock(&self.shared.events);
        self.shared.happened.notify_all();
        drop(events);
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            // The listener may be the one that leaves: it cannot wait for itself.
            if thread.thread().id() != std::thread::current().id() {
                // It fails when the listener panicked, which has been printed already.
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Participant {
    fn drop(&mut self) {
        self.leave();
    }
}

fn not_listed(error: &std::io::Error) -> Event {
    Event::InterfacesNotListed { reason: error.to_string() }
}

/// The vendor, eight random bytes, and the number of the participant on this machine.
fn random_prefix(number: u16) -> GuidPrefix {
    let mut prefix = [0; 12];
    prefix[..2].copy_from_slice(&VENDOR);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    prefix[2..10].copy_from_slice(&hasher.finish().to_be_bytes());
    prefix[10..].copy_from_slice(&number.to_be_bytes());
    GuidPrefix(prefix)
}

impl Shared {
    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Does something with the engine and what it wants done.
    fn with_engine<T>(&self, act: impl FnOnce(&mut Engine, Instant, &mut Outbox) -> T) -> T {
        let mut out = Outbox::default();
        let mut engine = lock(&self.engine);
        let result = act(&mut engine, Instant::now(), &mut out);
        let has_jobs = engine.has_jobs();
        // Under the lock, so that what goes to one reader stays in order.
        for (to, datagram) in &out.datagrams {
            self.sender.send(datagram, *to);
        }
        drop(engine);
        if has_jobs {
            self.jobs.notify_one();
        }
        out.handled.iter().for_each(|queue| queue.handle());
        out.announcements.iter().for_each(|datagram| self.announce(datagram));
        self.report(&out.events);
        result
    }

    /// Sends a datagram to whoever may be there.
    fn announce(&self, datagram: &[u8]) {
        self.sender.send_to_group(datagram);
        for peer in self.peers.iter().chain([&Ipv4Addr::LOCALHOST]) {
            let ports =
                (0..PEER_PARTICIPANTS).map_while(|number| self.ports.of_participant(number));
            for (metatraffic, _) in ports {
                self.sender.send(datagram, SocketAddrV4::new(*peer, metatraffic));
            }
        }
    }

    fn report(&self, events: &[Event]) {
        if events.is_empty() {
            return;
        }
        *lock(&self.events) += events.len() as u64;
        self.happened.notify_all();
        if let Some(listener) = &self.listener {
            events.iter().for_each(|event| listener(event));
        }
    }

    fn wait_until(&self, at_most: Duration, mut condition: impl FnMut() -> bool) -> bool {
        let until = Instant::now() + at_most;
        loop {
            let seen = *lock(&self.events);
            if condition() {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.is_stopped() {
                return false;
            }
            let is_waiting = |events: &mut u64| *events == seen && !self.is_stopped();
            let waited = self.happened.wait_timeout_while(lock(&self.events), left, is_waiting);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn receive(&self, receiver: &Receiver) {
        let mut buffer = vec![0; 1 << 16];
        while !self.is_stopped() {
            if let Some((datagram, source)) = receiver.receive(&mut buffer) {
                self.with_engine(|engine, now, out| engine.receive(datagram, source, now, out));
            }
        }
    }

    /// Looks at the interfaces of the machine again. If the system does not list them, those that are known are kept.
    fn look_at_interfaces(&self, failure: &mut Option<Event>) {
        match interfaces::list() {
            Ok(found) => {
                *failure = None;
                let range = lock(&self.engine).network().range();
                let network = Network::new(range, found);
                self.sender.follow(&network);
                self.with_engine(|engine, _, out| engine.set_network(network, out));
            }
            Err(error) => {
                let event = not_listed(&error);
                // Said once, not every time.
                if failure.replace(event.clone()).as_ref() != Some(&event) {
                    self.report(&[event]);
                }
            }
        }
    }

    fn tick(&self) {
        let (mut looked, mut failure) = (Instant::now(), None);
        while !self.is_stopped() {
            if looked.elapsed() >= INTERFACE_PERIOD {
                looked = Instant::now();
                self.look_at_interfaces(&mut failure);
            }
            self.with_engine(|engine, now, out| engine.tick(now, out));
            std::thread::sleep(TICK);
        }
    }

    /// Sends pieces of large samples and repeated samples.
    fn pump(&self) {
        while !self.is_stopped() {
            let mut out = Outbox::default();
            let mut engine = lock(&self.engine);
            if self.is_stopped() {
                return;
            }
            let is_more = engine.pump(PUMP_BYTES, Instant::now(), &mut out);
            if out.datagrams.is_empty() && !is_more {
                let waited = self.jobs.wait_timeout(engine, PUMP_REST);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                continue;
            }
            drop(engine);
            for (to, datagram) in &out.datagrams {
                self.sender.send(datagram, *to);
            }
            if is_more {
                std::thread::sleep(PUMP_PAUSE);
            }
        }
    }
}

/// Writes samples of one topic. Dropping it removes the writer.
#[derive(Debug)]
pub struct DataWriter {
    guid: Guid,
    shared: Arc<Shared>,
}

impl DataWriter {
    /// Who this is.
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// Writes a sample: bytes with their encapsulation header. Returns its number.
    pub fn write(
        &self,
        payload: impl Into<Arc<[u8]>>,
        options: WriteOptions,
    ) -> Result<SequenceNumber, WriteError> {
        if self.shared.is_stopped() {
            return Err(WriteError::Closed);
        }
        let payload = payload.into();
        self.shared
            .with_engine(|engine, now, out| engine.write(self.guid, payload, options, now, out))
    }

    /// The readers that are matched.
    pub fn readers(&self) -> Vec<Guid> {
        if self.shared.is_stopped() {
            return Vec::new();
        }
        lock(&self.shared.engine).matched_readers(self.guid)
    }

    /// Waits until `condition` holds for the matched readers. Whether it does.
    pub fn wait_for_readers(
        &self,
        at_most: Duration,
        mut condition: impl FnMut(&[Guid]) -> bool,
    ) -> bool {
        self.shared.wait_until(at_most, || condition(&self.readers()))
    }
}

impl Drop for DataWriter {
    fn drop(&mut self) {
        if !self.shared.is_stopped() {
            self.shared.with_engine(|engine, now, out| engine.remove(self.guid, now, out));
        }
    }
}

/// Reads samples of one topic. Dropping it removes the reader.
#[derive(Debug)]
pub struct DataReader {
    guid: Guid,
    queue: Arc<SampleQueue>,
    shared: Arc<Shared>,
}

impl DataReader {
    /// Who this is.
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// The next sample, waiting for it. Nothing once the participant has left and all was taken.
    pub fn take(&self) -> Option<Sample> {
        self.queue.pop_until(None)
    }

    /// The next sample, waiting at most this long.
    pub fn take_timeout(&self, at_most: Duration) -> Option<Sample> {
        self.queue.pop_until(Some(Instant::now() + at_most))
    }

    /// The next sample, if there is one.
    pub fn try_take(&self) -> Option<Sample> {
        self.queue.try_pop()
    }

    /// Lets this function take all samples, on the threads that receive them: they wait for it, so it must return at once.
    /// It takes one at a time, and is dropped when the reader is closed or dropped.
    pub fn set_handler(&self, handler: impl FnMut(Sample) + Send + 'static) {
        self.queue.set_handler(Box::new(handler));
    }

    /// Ends [`take`](Self::take) in other threads once all was taken; nothing more arrives.
    pub fn close(&self) {
        self.queue.close();
        self.queue.remove_handler();
    }

    /// Whether it was closed, or the participant has left.
    pub fn is_closed(&self) -> bool {
        self.queue.is_closed()
    }

    /// The writers that are matched.
    pub fn writers(&self) -> Vec<Guid> {
        if self.shared.is_stopped() {
            return Vec::new();
        }
        lock(&self.shared.engine).matched_writers(self.guid)
    }
}

impl Drop for DataReader {
    fn drop(&mut self) {
        self.queue.remove_handler();
        if !self.shared.is_stopped() {
            self.shared.with_engine(|engine, now, out| engine.remove(self.guid, now, out));
        }
    }
}
