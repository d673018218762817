//! ROS 2 without a ROS installation: DDS spoken the way ROS 2 speaks it.
//!
//! DDS itself is `smooth_scene_rtps`. What is special about ROS on DDS is in small pieces here: names and types
//! ([`wire`]), which node an endpoint belongs to ([`discovery_info`]), and services for every middleware at once
//! ([`server`], [`client`]).

mod client;
mod discovery_info;
mod server;
mod wire;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use smooth_scene_rtps::{
    Config, DataReader, DataWriter, Endpoint, Event, Participant, Range, Sample, WriteError,
    WriteOptions,
};

use super::environment::{DiscoveryRange, Environment};
use super::names::{NameKind, NodeNames};
use super::ros_args::RosArgs;
use super::{Client, OnMessage, OnRequest, Publisher, Qos, Transport, TransportError, lock};
use crate::interfaces::rcl_interfaces::msg::ParameterValue;
use client::{Asking, EmbeddedClient};
use discovery_info::DiscoveryInfo;
use server::Server;
use wire::Received;

/// Quality of service of requests and replies, as in ROS but deeper: a client may ask much at once.
const SERVICE_QOS: Qos = Qos::reliable(256);

/// A node on DDS.
pub struct EmbeddedTransport {
    names: NodeNames,
    overrides: BTreeMap<String, ParameterValue>,
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
        let names = arguments.names(node)?;
        let overrides = arguments.parameters(&names);
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
        let participant = Participant::join(config).map_err(middleware("join the domain"))?;
        let identifier_length = if environment.long_identifiers { 24 } else { 16 };
        let info = DiscoveryInfo::announce(&participant, &names, identifier_length)?;
        let parts = Parts {
            participant: Arc::new(participant),
            info: Arc::new(info),
            readers: Vec::new(),
            threads: Vec::new(),
            clients: Vec::new(),
        };
        let (environment, parts) = (environment.clone(), Mutex::new(Some(parts)));
        Ok(Self { names, overrides, environment, is_stopped: Arc::default(), parts })
    }

    /// Does something with the middleware, while there is one.
    fn with_parts<T>(
        &self,
        what: &str,
        act: impl FnOnce(&mut Parts) -> Result<T, TransportError>,
    ) -> Result<T, TransportError> {
        match lock(&self.parts).as_mut() {
            Some(parts) => act(parts),
            None => Err(gone(what)),
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
        parts.threads.push(thread.map_err(middleware("start a thread"))?);
        parts.readers.push(reader);
        Ok(())
    }
}

impl Parts {
    fn writer(
        &self,
        topic: String,
        type_name: String,
        qos: Qos,
    ) -> Result<DataWriter, TransportError> {
        let endpoint = Endpoint { topic, type_name, qos: wire::qos(qos), user_data: Vec::new() };
        let created = self.participant.create_writer(&endpoint);
        let writer = created.map_err(middleware("create a writer"))?;
        self.info.add_writer(writer.guid());
        Ok(writer)
    }

    fn reader(
        &self,
        topic: String,
        type_name: String,
        qos: Qos,
    ) -> Result<Arc<DataReader>, TransportError> {
        let endpoint = Endpoint { topic, type_name, qos: wire::qos(qos), user_data: Vec::new() };
        let created = self.participant.create_reader(&endpoint);
        let reader = created.map_err(middleware("create a reader"))?;
        self.info.add_reader(reader.guid());
        Ok(Arc::new(reader))
    }
}

impl Transport for EmbeddedTransport {
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
        let name = self.names.resolve(NameKind::Topic, topic)?;
        let type_name = wire::message_type(type_name)?;
        self.with_parts("advertise", |parts| {
            let writer = parts.writer(wire::topic(&name), type_name, qos)?;
            let info = Arc::clone(&parts.info);
            Ok(Box::new(EmbeddedPublisher { name, writer, info }) as Box<dyn Publisher>)
        })
    }

    fn subscribe(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
        mut on_message: OnMessage,
    ) -> Result<(), TransportError> {
        let name = self.names.resolve(NameKind::Topic, topic)?;
        let type_name = wire::message_type(type_name)?;
        self.with_parts("subscribe", |parts| {
            let reader = parts.reader(wire::topic(&name), type_name, qos)?;
            self.spawn(parts, &name, reader, move |sample| {
                if let Some(received) = Received::new(sample.payload) {
                    on_message(&received.into_message());
                }
            })
        })
    }

    fn serve(
        &self,
        service: &str,
        type_name: &str,
        mut on_request: OnRequest,
    ) -> Result<(), TransportError> {
        let name = self.names.resolve(NameKind::Service, service)?;
        let (request_type, reply_type) = wire::service_types(type_name)?;
        self.with_parts("serve", |parts| {
            // Replies first: whoever finds the service can then be answered.
            let replies =
                Arc::new(parts.writer(wire::reply_topic(&name), reply_type, SERVICE_QOS)?);
            let requests = parts.reader(wire::request_topic(&name), request_type, SERVICE_QOS)?;
            let server = Server { requests: Arc::clone(&requests), replies };
            self.spawn(parts, &name, requests, move |sample| server.take(sample, &mut on_request))
        })
    }

    fn client(&self, service: &str, type_name: &str) -> Result<Box<dyn Client>, TransportError> {
        let name = self.names.resolve(NameKind::Service, service)?;
        let (request_type, reply_type) = wire::service_types(type_name)?;
        self.with_parts("make a client", |parts| {
            // Replies first: whoever gets a request can then answer it.
            let replies = parts.reader(wire::reply_topic(&name), reply_type, SERVICE_QOS)?;
            let requests = parts.writer(wire::request_topic(&name), request_type, SERVICE_QOS)?;
            let asking = Arc::new(Asking {
                service: name.clone(),
                mapping: self.environment.mapping,
                participant: Arc::clone(&parts.participant),
                requests,
                replies: Arc::clone(&replies),
                state: Mutex::default(),
            });
            parts.clients.push(Arc::clone(&asking));
            let taking = Arc::clone(&asking);
            self.spawn(parts, &name, replies, move |sample| taking.take(sample))?;
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
            Err(WriteError::Closed) => Err(gone(&what())),
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

fn gone(what: &str) -> TransportError {
    let reason = "the node was shut down".to_owned();
    TransportError::Middleware { what: what.to_owned(), reason }
}

/// Turns an error of the middleware into ours.
fn middleware<E: Display>(what: &str) -> impl FnOnce(E) -> TransportError {
    let what = what.to_owned();
    move |error| TransportError::Middleware { what, reason: error.to_string() }
}
