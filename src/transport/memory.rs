//! A bus within the process, for tests of what is built on a transport: no network, no discovery that takes time.
//!
//! It keeps the promises of DDS that a node can see: only endpoints of one type and compatible quality of service meet,
//! latched samples reach late subscribers, and a full queue drops its oldest sample.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use super::endpoints::{
    Client, NodeIdentity, OnMessage, OnRequest, Publisher, Reply, RequestId, Transport,
};
use super::error::TransportError;
use super::locking::lock;
use super::names::{Address, InterfaceType};
use super::qos::{Durability, Qos, Reliability};
use super::ros_args::RosArgs;

/// What nodes on one bus share. Clones are the same bus.
#[derive(Clone, Default)]
pub struct MemoryBus(Arc<Shared>);

#[derive(Default)]
struct Shared {
    endpoints: Mutex<Endpoints>,
    /// A server was added.
    changed: Condvar,
}

#[derive(Default)]
struct Endpoints {
    next_node: u64,
    next_client: u64,
    writers: Vec<Writer>,
    readers: Vec<Reader>,
    servers: Vec<Server>,
}

/// Which topic or service, of which type: only equals meet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    name: String,
    interface: InterfaceType,
}

impl From<Address> for Place {
    fn from(Address { name, interface, .. }: Address) -> Self {
        Self { name, interface }
    }
}

struct Writer {
    node: u64,
    place: Place,
    qos: Qos,
    /// The last samples, kept for late subscribers.
    history: Arc<Mutex<VecDeque<Vec<u8>>>>,
}

struct Reader {
    node: u64,
    place: Place,
    qos: Qos,
    queue: Arc<Queue<Vec<u8>>>,
}

struct Server {
    node: u64,
    place: Place,
    queue: Arc<Queue<(Vec<u8>, Reply)>>,
}

impl MemoryBus {
    /// An empty bus.
    pub fn new() -> Self {
        Self::default()
    }

    /// A node on this bus, called `node` unless the arguments say otherwise.
    pub fn transport(
        &self,
        node: &str,
        arguments: &RosArgs,
    ) -> Result<MemoryTransport, TransportError> {
        let identity = NodeIdentity::new(node, arguments)?;
        let mut endpoints = lock(&self.0.endpoints);
        endpoints.next_node += 1;
        let node = endpoints.next_node;
        drop(endpoints);
        Ok(MemoryTransport { bus: self.clone(), identity, node, threads: Mutex::default() })
    }
}

/// One node on a [`MemoryBus`].
pub struct MemoryTransport {
    bus: MemoryBus,
    identity: NodeIdentity,
    node: u64,
    /// One per subscription and service; none once shut down.
    threads: Mutex<HashMap<ThreadId, JoinHandle<()>>>,
}

impl MemoryTransport {
    /// Calls `take` with every item of the queue, until the queue is closed.
    fn spawn<T: Send + 'static>(
        &self,
        queue: Arc<Queue<T>>,
        mut take: impl FnMut(T) + Send + 'static,
    ) -> Result<(), TransportError> {
        let run = move || {
            while let Some(item) = queue.pop() {
                take(item);
            }
        };
        let thread = std::thread::Builder::new().spawn(run);
        let thread = thread.map_err(|e| TransportError::middleware("start a thread", e))?;
        lock(&self.threads).insert(thread.thread().id(), thread);
        Ok(())
    }
}

impl Transport for MemoryTransport {
    fn identity(&self) -> &NodeIdentity {
        &self.identity
    }

    fn open_publisher(
        &self,
        address: Address,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        let place = Place::from(address);
        let history = Arc::default();
        let writer =
            Writer { node: self.node, place: place.clone(), qos, history: Arc::clone(&history) };
        lock(&self.bus.0.endpoints).writers.push(writer);
        Ok(Box::new(MemoryPublisher { bus: self.bus.clone(), place, qos, history }))
    }

    fn open_subscription(
        &self,
        address: Address,
        qos: Qos,
        mut on_message: OnMessage,
    ) -> Result<(), TransportError> {
        let place = Place::from(address);
        let queue = Arc::new(Queue::new(qos.depth.max(1)));
        let mut endpoints = lock(&self.bus.0.endpoints);
        if qos.durability == Durability::TransientLocal {
            for writer in endpoints.writers.iter().filter(|writer| writer.place == place) {
                if compatible(writer.qos, qos) {
                    lock(&writer.history).iter().for_each(|sample| queue.push(sample.clone()));
                }
            }
        }
        let reader = Reader { node: self.node, place, qos, queue: Arc::clone(&queue) };
        endpoints.readers.push(reader);
        drop(endpoints);
        self.spawn(queue, move |bytes| on_message(&bytes))
    }

    fn open_service(
        &self,
        address: Address,
        mut on_request: OnRequest,
    ) -> Result<(), TransportError> {
        let queue = Arc::new(Queue::new(usize::MAX));
        let place = Place::from(address);
        let server = Server { node: self.node, place, queue: Arc::clone(&queue) };
        lock(&self.bus.0.endpoints).servers.push(server);
        self.bus.0.changed.notify_all();
        self.spawn(queue, move |(bytes, reply)| on_request(bytes, reply))
    }

    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError> {
        let mut endpoints = lock(&self.bus.0.endpoints);
        endpoints.next_client += 1;
        let mut id = [0; 16];
        id[..8].copy_from_slice(&self.node.to_be_bytes());
        id[8..].copy_from_slice(&endpoints.next_client.to_be_bytes());
        drop(endpoints);
        let (bus, place) = (self.bus.clone(), address.into());
        Ok(Box::new(MemoryClient { bus, place, id, asked: AtomicI64::new(0) }))
    }

    fn shutdown(&self) {
        let mut endpoints = lock(&self.bus.0.endpoints);
        endpoints.writers.retain(|writer| writer.node != self.node);
        for reader in endpoints.readers.extract_if(.., |reader| reader.node == self.node) {
            reader.queue.close();
        }
        for server in endpoints.servers.extract_if(.., |server| server.node == self.node) {
            server.queue.close();
        }
        drop(endpoints);
        let mut threads = std::mem::take(&mut *lock(&self.threads));
        // A callback may be the one that shuts down: it cannot wait for itself.
        threads.remove(&std::thread::current().id());
        for thread in threads.into_values() {
            if thread.join().is_err() {
                tracing::error!("a callback panicked, and its endpoint was dead since");
            }
        }
    }
}

impl Drop for MemoryTransport {
    fn drop(&mut self) {
        self.shutdown();
    }
}

struct MemoryPublisher {
    bus: MemoryBus,
    place: Place,
    qos: Qos,
    history: Arc<Mutex<VecDeque<Vec<u8>>>>,
}

impl Drop for MemoryPublisher {
    fn drop(&mut self) {
        let mut endpoints = lock(&self.bus.0.endpoints);
        endpoints.writers.retain(|writer| !Arc::ptr_eq(&writer.history, &self.history));
    }
}

impl Publisher for MemoryPublisher {
    fn publish(&self, bytes: &[u8]) -> Result<(), TransportError> {
        let endpoints = lock(&self.bus.0.endpoints);
        if !self.is_alive(&endpoints) {
            return Err(TransportError::shut_down(&format!("publish on {}", self.place.name)));
        }
        if self.qos.durability == Durability::TransientLocal {
            let mut history = lock(&self.history);
            history.push_back(bytes.to_vec());
            while history.len() > self.qos.depth.max(1) {
                history.pop_front();
            }
        }
        self.matched(&endpoints).for_each(|reader| reader.queue.push(bytes.to_vec()));
        Ok(())
    }

    fn subscribers(&self) -> usize {
        let endpoints = lock(&self.bus.0.endpoints);
        if self.is_alive(&endpoints) { self.matched(&endpoints).count() } else { 0 }
    }
}

impl MemoryPublisher {
    fn is_alive(&self, endpoints: &Endpoints) -> bool {
        endpoints.writers.iter().any(|writer| Arc::ptr_eq(&writer.history, &self.history))
    }

    fn matched<'a>(&'a self, endpoints: &'a Endpoints) -> impl Iterator<Item = &'a Reader> {
        let fits =
            |reader: &&Reader| reader.place == self.place && compatible(self.qos, reader.qos);
        endpoints.readers.iter().filter(fits)
    }
}

/// Whether what is offered is at least what is asked for.
fn compatible(offered: Qos, requested: Qos) -> bool {
    (offered.reliability == Reliability::Reliable
        || requested.reliability == Reliability::BestEffort)
        && (offered.durability == Durability::TransientLocal
            || requested.durability == Durability::Volatile)
}

struct MemoryClient {
    bus: MemoryBus,
    place: Place,
    id: [u8; 16],
    /// How many requests were sent.
    asked: AtomicI64,
}

impl Client for MemoryClient {
    fn wait_for_server(&self, at_most: Duration) -> bool {
        let missing =
            |endpoints: &mut Endpoints| !endpoints.servers.iter().any(|s| s.place == self.place);
        let endpoints = lock(&self.bus.0.endpoints);
        let waited = self.bus.0.changed.wait_timeout_while(endpoints, at_most, missing);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError> {
        let until = Instant::now() + at_most;
        let no_answer = || TransportError::NoAnswer {
            service: self.place.name.clone(),
            seconds: at_most.as_secs_f64(),
        };
        if !self.wait_for_server(at_most) {
            return Err(no_answer());
        }
        let (sender, receiver) = channel();
        let sequence = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let request_id = RequestId { client: self.id, sequence };
        for server in &lock(&self.bus.0.endpoints).servers {
            if server.place == self.place {
                server.queue.push((request.to_vec(), reply_to(request_id, &sender)));
            }
        }
        drop(sender);
        receiver
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .map_err(|_| no_answer())
    }
}

fn reply_to(request: RequestId, sender: &Sender<Vec<u8>>) -> Reply {
    let sender = sender.clone();
    // Whoever asked may have stopped waiting.
    Reply::new(Some(request), move |bytes| drop(sender.send(bytes)))
}

/// Items for a thread; the oldest are dropped when there are too many.
struct Queue<T> {
    items: Mutex<Option<VecDeque<T>>>,
    more: Condvar,
    depth: usize,
}

impl<T> Queue<T> {
    fn new(depth: usize) -> Self {
        Self { items: Mutex::new(Some(VecDeque::new())), more: Condvar::new(), depth }
    }

    fn push(&self, item: T) {
        if let Some(items) = lock(&self.items).as_mut() {
            if items.len() >= self.depth {
                items.pop_front();
            }
            items.push_back(item);
            self.more.notify_one();
        }
    }

    /// The next item, or none once the queue is closed.
    fn pop(&self) -> Option<T> {
        let mut items = lock(&self.items);
        loop {
            match items.as_mut()?.pop_front() {
                Some(item) => return Some(item),
                None => items = self.more.wait(items).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn close(&self) {
        *lock(&self.items) = None;
        self.more.notify_all();
    }
}
