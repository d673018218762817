//! A bus within the process, for tests of what is built on a transport: no network, no discovery that takes time.
//!
//! It keeps the promises of DDS that a node can see: only endpoints of one type and compatible quality of service meet,
//! latched samples reach late subscribers, and a full queue drops its oldest sample.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use super::names::{NameKind, NodeNames, split_type};
use super::ros_args::RosArgs;
use super::{Client, Durability, OnMessage, OnRequest, Publisher, Qos, Reliability, Reply};
use super::{Transport, TransportError, lock};
use crate::interfaces::rcl_interfaces::msg::ParameterValue;

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
    writers: Vec<Writer>,
    readers: Vec<Reader>,
    servers: Vec<Server>,
}

/// Which topic or service, of which type: only equals meet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Address {
    name: String,
    type_name: String,
}

struct Writer {
    node: u64,
    address: Address,
    qos: Qos,
    /// The last samples, kept for late subscribers.
    history: Arc<Mutex<VecDeque<Vec<u8>>>>,
}

struct Reader {
    node: u64,
    address: Address,
    qos: Qos,
    queue: Arc<Queue<Vec<u8>>>,
}

struct Server {
    node: u64,
    address: Address,
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
        let names = arguments.names(node)?;
        let overrides = arguments.parameters(&names);
        let mut endpoints = lock(&self.0.endpoints);
        endpoints.next_node += 1;
        let node = endpoints.next_node;
        drop(endpoints);
        Ok(MemoryTransport { bus: self.clone(), names, overrides, node, threads: Mutex::default() })
    }
}

/// One node on a [`MemoryBus`].
pub struct MemoryTransport {
    bus: MemoryBus,
    names: NodeNames,
    overrides: BTreeMap<String, ParameterValue>,
    node: u64,
    /// One per subscription and service; none once shut down.
    threads: Mutex<HashMap<ThreadId, JoinHandle<()>>>,
}

impl MemoryTransport {
    fn address(
        &self,
        kind: NameKind,
        name: &str,
        type_name: &str,
    ) -> Result<Address, TransportError> {
        split_type(kind, type_name)?;
        Ok(Address { name: self.names.resolve(kind, name)?, type_name: type_name.to_owned() })
    }

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
        let thread =
            std::thread::Builder::new().spawn(run).map_err(|error| TransportError::Middleware {
                what: "start a thread".to_owned(),
                reason: error.to_string(),
            })?;
        lock(&self.threads).insert(thread.thread().id(), thread);
        Ok(())
    }
}

impl Transport for MemoryTransport {
    fn node_name(&self) -> String {
        self.names.fully_qualified()
    }

    fn resolve(&self, name: &str) -> Result<String, TransportError> {
        self.names.resolve(NameKind::Topic, name)
    }

    fn parameter_overrides(&self) -> BTreeMap<String, ParameterValue> {
        self.overrides.clone()
    }

    fn advertise(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        let address = self.address(NameKind::Topic, topic, type_name)?;
        let history = Arc::default();
        let writer = Writer {
            node: self.node,
            address: address.clone(),
            qos,
            history: Arc::clone(&history),
        };
        lock(&self.bus.0.endpoints).writers.push(writer);
        Ok(Box::new(MemoryPublisher { bus: self.bus.clone(), address, qos, history }))
    }

    fn subscribe(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
        mut on_message: OnMessage,
    ) -> Result<(), TransportError> {
        let address = self.address(NameKind::Topic, topic, type_name)?;
        let queue = Arc::new(Queue::new(qos.depth.max(1)));
        let mut endpoints = lock(&self.bus.0.endpoints);
        if qos.durability == Durability::TransientLocal {
            for writer in endpoints.writers.iter().filter(|writer| writer.address == address) {
                if compatible(writer.qos, qos) {
                    lock(&writer.history).iter().for_each(|sample| queue.push(sample.clone()));
                }
            }
        }
        let reader = Reader { node: self.node, address, qos, queue: Arc::clone(&queue) };
        endpoints.readers.push(reader);
        drop(endpoints);
        self.spawn(queue, move |bytes| on_message(&bytes))
    }

    fn serve(
        &self,
        service: &str,
        type_name: &str,
        mut on_request: OnRequest,
    ) -> Result<(), TransportError> {
        let address = self.address(NameKind::Service, service, type_name)?;
        let queue = Arc::new(Queue::new(usize::MAX));
        let server = Server { node: self.node, address, queue: Arc::clone(&queue) };
        lock(&self.bus.0.endpoints).servers.push(server);
        self.bus.0.changed.notify_all();
        self.spawn(queue, move |(bytes, reply)| on_request(bytes, reply))
    }

    fn client(&self, service: &str, type_name: &str) -> Result<Box<dyn Client>, TransportError> {
        let address = self.address(NameKind::Service, service, type_name)?;
        Ok(Box::new(MemoryClient { bus: self.bus.clone(), address }))
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
    address: Address,
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
            let what = format!("publish on {}", self.address.name);
            let reason = "the node was shut down".to_owned();
            return Err(TransportError::Middleware { what, reason });
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
            |reader: &&Reader| reader.address == self.address && compatible(self.qos, reader.qos);
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
    address: Address,
}

impl Client for MemoryClient {
    fn wait_for_server(&self, at_most: Duration) -> bool {
        let missing = |endpoints: &mut Endpoints| {
            !endpoints.servers.iter().any(|s| s.address == self.address)
        };
        let endpoints = lock(&self.bus.0.endpoints);
        let waited = self.bus.0.changed.wait_timeout_while(endpoints, at_most, missing);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError> {
        let until = Instant::now() + at_most;
        let no_answer = || TransportError::NoAnswer {
            service: self.address.name.clone(),
            seconds: at_most.as_secs_f64(),
        };
        if !self.wait_for_server(at_most) {
            return Err(no_answer());
        }
        let (sender, receiver) = channel();
        for server in &lock(&self.bus.0.endpoints).servers {
            if server.address == self.address {
                server.queue.push((request.to_vec(), reply_to(&sender)));
            }
        }
        drop(sender);
        receiver
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .map_err(|_| no_answer())
    }
}

fn reply_to(sender: &Sender<Vec<u8>>) -> Reply {
    let sender = sender.clone();
    // Whoever asked may have stopped waiting.
    Reply::new(move |bytes| drop(sender.send(bytes)))
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
