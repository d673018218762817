//! ROS 2 without a ROS installation: DDS spoken the way ROS 2 speaks it.
//!
//! DDS itself is `smooth_scene_rtps`. What is special about ROS on DDS is in small pieces here: names and types
//! ([`wire`]), which node an endpoint belongs to ([`discovery_info`]), and services for every middleware at once
//! ([`server`], [`client`]).

mod client;
mod discovery_info;
mod server;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use smooth_scene_rtps::{
    Config, DataReader, DataWriter, Endpoint, Event, Participant, Range, Sample, WriteError,
    WriteOptions,
};

use super::endpoints::{Client, NodeIdentity, OnMessage, OnRequest, Publisher, Transport};
use super::environment::{DiscoveryRange, Environment};
use super::error::TransportError;
use super::locking::lock;
use super::names::Address;
use super::qos::Qos;
use super::ros_args::RosArgs;
use client::{Asking, EmbeddedClient};
use discovery_info::DiscoveryInfo;
use server::Server;
use wire::Received;

/// Quality of service of requests and replies, as in ROS but deeper: a client may ask much at once. It is the guarantee
/// for peers that are silent; to peers that acknowledge, nothing is dropped.
const SERVICE_QOS: Qos = Qos::reliable(256);

/// A node on DDS.
pub struct EmbeddedTransport {
    identity: NodeIdentity,
    environment: Environment,
    is_stopped: Arc<AtomicBool>,
    /// None once the node is gone.
    parts: Mutex<Option<Parts>>,
}

/// What a node has of the middleware.
struct Parts {
    participant: Arc<Participant>,
    info: Arc<DiscoveryInfo>,
    readers: Vec<Arc<DataReader>>,
    threads: Vec<JoinHandle<()>>,
    clients: Vec<Arc<Asking>>,
}

impl EmbeddedTransport {
    /// A node called `node` unless the arguments say otherwise.
    pub fn new(
        node: &str,
        arguments: &RosArgs,
        environment: &Environment,
    ) -> Result<Self, TransportError> {
        let identity = NodeIdentity::new(node, arguments)?;
        let names = identity.names();
        for note in &environment.ignored {
            tracing::warn!("{note}");
        }
        let config = Config {
            domain_id: environment.domain_id,
            range: match environment.range {
                DiscoveryRange::Localhost => Range::Loopback,
                DiscoveryRange::Subnet => Range::Subnet,
            },
            peers: environment.static_peers.clone(),
            name: names.fully_qualified().chars().take(60).collect(),
            // As every ROS 2 participant says it.
            user_data: b"enclave=/;".to_vec(),
            listener: Some(Arc::new(log_event)),
            ..Config::default()
        };
        let participant = Participant::join(config)
            .map_err(|error| TransportError::middleware("join the domain", error))?;
        let identifier_length = if environment.long_identifiers { 24 } else { 16 };
        let info = DiscoveryInfo::announce(&participant, names, identifier_length)?;
        let parts = Parts {
            participant: Arc::new(participant),
            info: Arc::new(info),
            readers: Vec::new(),
            threads: Vec::new(),
            clients: Vec::new(),
        };
        let (environment, parts) = (environment.clone(), Mutex::new(Some(parts)));
        Ok(Self { identity, environment, is_stopped: Arc::default(), parts })
    }

    /// Does something with the middleware, while there is one.
    fn with_parts<T>(
        &self,
        what: &str,
        act: impl FnOnce(&mut Parts) -> Result<T, TransportError>,
    ) -> Result<T, TransportError> {
        match lock(&self.parts).as_mut() {
            Some(parts) => act(parts),
            None => Err(TransportError::shut_down(what)),
        }
    }

    /// Calls `take` with every sample of a reader, on a thread of its own, until the node is gone.
    fn spawn(
        &self,
        parts: &mut Parts,
        name: &str,
        reader: Arc<DataReader>,
        mut take: impl FnMut(Sample) + Send + 'static,
    ) -> Result<(), TransportError> {
        // Names of threads are short on Linux; the end of a topic's name says most.
        let tail = name.char_indices().rev().nth(14).map_or(name, |(start, _)| &name[start..]);
        let (is_stopped, own) = (Arc::clone(&self.is_stopped), Arc::clone(&reader));
        let run = move || {
            while let Some(sample) = own.take() {
                if is_stopped.load(Ordering::Acquire) {
                    return;
                }
                take(sample);
            }
        };
        let thread = std::thread::Builder::new().name(tail.to_owned()).spawn(run);
        parts.threads.push(thread.map_err(|e| TransportError::middleware("start a thread", e))?);
        parts.readers.push(reader);
        Ok(())
    }
}

impl Parts {
    fn writer(&self, endpoint: &Endpoint) -> Result<DataWriter, TransportError> {
        let created = self.participant.create_writer(endpoint);
        let writer = created.map_err(|e| TransportError::middleware("create a writer", e))?;
        self.info.add_writer(writer.guid());
        Ok(writer)
    }

    fn reader(&self, endpoint: &Endpoint) -> Result<Arc<DataReader>, TransportError> {
        let created = self.participant.create_reader(endpoint);
        let reader = created.map_err(|e| TransportError::middleware("create a reader", e))?;
        self.info.add_reader(reader.guid());
        Ok(Arc::new(reader))
    }
}

impl Transport for EmbeddedTransport {
    fn identity(&self) -> &NodeIdentity {
        &self.identity
    }

    fn open_publisher(
        &self,
        address: Address,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        self.with_parts("advertise", |parts| {
            let writer = parts.writer(&wire::topic(&address, qos))?;
            let (name, info) = (address.name, Arc::clone(&parts.info));
            Ok(Box::new(EmbeddedPublisher { name, writer, info }) as Box<dyn Publisher>)
        })
    }

    fn open_subscription(
        &self,
        address: Address,
        qos: Qos,
        mut on_message: OnMessage,
    ) -> Result<(), TransportError> {
        self.with_parts("subscribe", |parts| {
            let reader = parts.reader(&wire::topic(&address, qos))?;
            self.spawn(parts, &address.name, reader, move |sample| {
                if let Some(received) = Received::new(sample.payload) {
                    on_message(&received.into_message());
                }
            })
        })
    }

    fn open_service(
        &self,
        address: Address,
        mut on_request: OnRequest,
    ) -> Result<(), TransportError> {
        self.with_parts("serve", |parts| {
            // Replies first: whoever finds the service can then be answered.
            let replies = Arc::new(parts.writer(&wire::replies(&address, SERVICE_QOS))?);
            let requests = parts.reader(&wire::requests(&address, SERVICE_QOS))?;
            let server = Server { requests: Arc::downgrade(&requests), replies };
            // Without a thread in between: a request is only handed to those who answer it.
            requests.set_handler(move |sample| server.take(sample, &mut on_request));
            parts.readers.push(requests);
            Ok(())
        })
    }

    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError> {
        self.with_parts("make a client", |parts| {
            // Replies first: whoever gets a request can then answer it.
            let replies = parts.reader(&wire::replies(&address, SERVICE_QOS))?;
            let requests = parts.writer(&wire::requests(&address, SERVICE_QOS))?;
            let asking = Arc::new(Asking {
                service: address.name.clone(),
                mapping: self.environment.mapping,
                participant: Arc::clone(&parts.participant),
                requests,
                replies: Arc::clone(&replies),
                state: Mutex::default(),
            });
            parts.clients.push(Arc::clone(&asking));
            let taking = Arc::clone(&asking);
            self.spawn(parts, &address.name, replies, move |sample| taking.take(sample))?;
            Ok(Box::new(EmbeddedClient(asking)) as Box<dyn Client>)
        })
    }

    fn shutdown(&self) {
        let Some(parts) = lock(&self.parts).take() else { return };
        self.is_stopped.store(true, Ordering::Release);
        parts.readers.iter().for_each(|reader| reader.close());
        for thread in parts.threads {
            // A callback may be the one that shuts down: it cannot wait for itself.
            if thread.thread().id() != std::thread::current().id() {
                // It fails when a callback panicked, which has been printed already.
                let _ = thread.join();
            }
        }
        parts.clients.iter().for_each(|client| client.close());
        parts.info.withdraw();
        parts.participant.leave();
        parts.info.close();
    }
}

impl Drop for EmbeddedTransport {
    fn drop(&mut self) {
        self.shutdown();
    }
}

struct EmbeddedPublisher {
    name: String,
    writer: DataWriter,
    info: Arc<DiscoveryInfo>,
}

impl Publisher for EmbeddedPublisher {
    fn publish(&self, bytes: &[u8]) -> Result<(), TransportError> {
        let what = || format!("publish on {}", self.name);
        let refuse = |reason| TransportError::Middleware { what: what(), reason };
        let message = wire::message(&[wire::body(bytes).map_err(refuse)?]);
        match self.writer.write(message, WriteOptions::default()) {
            Ok(_) => Ok(()),
            Err(WriteError::Closed) => Err(TransportError::shut_down(&what())),
            Err(error) => Err(refuse(error.to_string())),
        }
    }

    fn subscribers(&self) -> usize {
        self.writer.readers().len()
    }
}

impl Drop for EmbeddedPublisher {
    fn drop(&mut self) {
        self.info.remove_writer(self.writer.guid());
    }
}

/// Says in the log why endpoints of a topic do not find each other.
fn log_event(event: &Event) {
    match event {
        Event::IncompatibleQos { topic, remote, policy, .. } => {
            let topic = ros_name(topic);
            tracing::warn!(
                "{topic}: no messages to or from {remote}: incompatible QoS, policy {policy}"
            );
        }
        Event::IncompatibleType { topic, remote, type_name, .. } => {
            let topic = ros_name(topic);
            tracing::warn!("{topic}: no messages to or from {remote}: it has the type {type_name}");
        }
        Event::InterfacesNotListed { reason } => {
            tracing::warn!("the system does not list its network interfaces: {reason}");
        }
        Event::ParticipantFound { prefix, name } => tracing::debug!("found {prefix:?} {name}"),
        Event::ParticipantLost { prefix, departure } => {
            tracing::debug!("lost {prefix:?}: {departure:?}");
        }
        _ => {}
    }
}

/// A topic's name without the prefix that says what it is in DDS.
fn ros_name(topic: &str) -> &str {
    topic.find('/').map_or(topic, |start| &topic[start..])
}
