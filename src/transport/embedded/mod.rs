//! ROS 2 without a ROS installation: DDS in Rust, spoken the way ROS 2 speaks it.
//!
//! What is special about ROS on DDS is in small pieces here: names and types ([`wire`]), which node an endpoint belongs
//! to ([`discovery_info`]), who is matched with whom ([`graph`]), services for every middleware at once ([`server`],
//! [`replies`], [`client`]), and writers that do not run full ([`writer`]).

mod client;
mod discovery_info;
mod graph;
mod replies;
mod server;
mod wire;
mod writer;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use futures_util::Stream;

use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};
use rustdds::{
    DomainParticipant, DomainParticipantBuilder, GUID, Topic, TopicDescription, TopicKind,
    WriteOptionsBuilder,
};

use super::environment::{DiscoveryRange, Environment};
use super::names::{NameKind, NodeNames};
use super::ros_args::RosArgs;
use super::worker::Workers;
use super::{
    Client, OnMessage, OnRequest, Publisher, Qos, Reliability, Transport, TransportError, lock,
};
use crate::interfaces::rcl_interfaces::msg::ParameterValue;
use client::{Asking, EmbeddedClient};
use discovery_info::DiscoveryInfo;
use graph::{Graph, Matches};
use server::Server;
use wire::{Payload, Unchanged};
use writer::BoundedWriter;

/// Quality of service of requests and replies, as in ROS but deeper: a client may ask much at once.
const SERVICE_QOS: Qos = Qos::reliable(256);
/// How long a shutdown gives the last samples to arrive.
const TIME_TO_DELIVER: Duration = Duration::from_millis(100);

/// A node on DDS.
pub struct EmbeddedTransport {
    names: NodeNames,
    overrides: BTreeMap<String, ParameterValue>,
    environment: Environment,
    workers: Workers,
    /// None once the node is gone.
    parts: Mutex<Option<Parts>>,
}

/// What a node has of the middleware.
struct Parts {
    participant: DomainParticipant,
    publisher: rustdds::Publisher,
    subscriber: rustdds::Subscriber,
    graph: Arc<Graph>,
    info: Arc<DiscoveryInfo>,
    publishers: Vec<Weak<Mutex<Option<BoundedWriter>>>>,
    servers: Vec<Arc<Server>>,
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
        let mut builder = DomainParticipantBuilder::new(environment.domain_id);
        if environment.range == DiscoveryRange::Localhost {
            builder = builder.with_only_networks([Ipv4Addr::LOCALHOST]);
        }
        let participant = builder.build().map_err(middleware("join the domain"))?;
        let workers = Workers::default();
        let graph = Graph::follow(&participant, &workers).map_err(middleware("start a thread"))?;
        let any = wire::writer_qos(SERVICE_QOS);
        let publisher = participant.create_publisher(&any).map_err(middleware("publish"))?;
        let subscriber = participant.create_subscriber(&any).map_err(middleware("subscribe"))?;
        let identifier_length = if environment.long_identifiers { 24 } else { 16 };
        let info = DiscoveryInfo::announce(&participant, &publisher, &names, identifier_length)?;
        let parts = Parts {
            participant,
            publisher,
            subscriber,
            graph,
            info: Arc::new(info),
            publishers: Vec::new(),
            servers: Vec::new(),
            clients: Vec::new(),
        };
        let (environment, parts) = (environment.clone(), Mutex::new(Some(parts)));
        Ok(Self { names, overrides, environment, workers, parts })
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

    fn spawn(
        &self,
        name: &str,
        step: impl FnMut(&Waker) -> Option<Instant> + Send + 'static,
    ) -> Result<Waker, TransportError> {
        self.workers.spawn(name, step).map_err(middleware("start a thread"))
    }
}

impl Parts {
    fn topic(&self, name: String, type_name: String, qos: Qos) -> Result<Topic, TransportError> {
        let qos = wire::reader_qos(qos);
        self.participant
            .create_topic(name, type_name, &qos, TopicKind::NoKey)
            .map_err(middleware("create a topic"))
    }

    fn writer(&self, topic: Topic, qos: Qos) -> Result<BoundedWriter, TransportError> {
        let (graph, info) = (Arc::clone(&self.graph), Arc::clone(&self.info));
        BoundedWriter::new(self.publisher.clone(), topic, qos, graph, info)
    }

    fn reader(
        &self,
        topic: &Topic,
        qos: Qos,
    ) -> Result<(SimpleDataReader<Payload, Unchanged>, GUID), TransportError> {
        let qos = Some(wire::reader_qos(qos));
        let created = self.subscriber.create_simple_datareader_no_key(topic, qos);
        let reader = created.map_err(middleware("create a reader"))?;
        let guid = reader.guid();
        self.graph.declare(guid, topic.get_type().name().to_owned());
        self.info.add_reader(guid);
        Ok((reader, guid))
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
            let topic = parts.topic(wire::topic(&name), type_name, qos)?;
            let writer = Arc::new(Mutex::new(Some(parts.writer(topic, qos)?)));
            parts.publishers.retain(|publisher| publisher.strong_count() > 0);
            parts.publishers.push(Arc::downgrade(&writer));
            let graph = Arc::clone(&parts.graph);
            Ok(Box::new(EmbeddedPublisher { name, writer, graph }) as Box<dyn Publisher>)
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
        let (reader, graph) = self.with_parts("subscribe", |parts| {
            let topic = parts.topic(wire::topic(&name), type_name.clone(), qos)?;
            Ok((parts.reader(&topic, qos)?.0, Arc::clone(&parts.graph)))
        })?;
        self.spawn(&name, move |waker| {
            let mut take = |sample: &DeserializedCacheChange<Payload>| {
                let other =
                    |matches: &Matches| matches.is_other_type(sample.writer_guid, &type_name);
                if !graph.look(other) {
                    on_message(&sample.sample.to_message(0));
                }
            };
            take_messages(&reader, qos, &mut take, waker);
            None
        })?;
        Ok(())
    }

    fn serve(
        &self,
        service: &str,
        type_name: &str,
        mut on_request: OnRequest,
    ) -> Result<(), TransportError> {
        let name = self.names.resolve(NameKind::Service, service)?;
        let (request_type, reply_type) = wire::service_types(type_name)?;
        let (server, reader) = self.with_parts("serve", |parts| {
            // Replies first: whoever finds the service can then be answered.
            let replies = parts.topic(wire::reply_topic(&name), reply_type, SERVICE_QOS)?;
            let writer = parts.writer(replies, SERVICE_QOS)?;
            let requests = parts.topic(wire::request_topic(&name), request_type, SERVICE_QOS)?;
            let (reader, guid) = parts.reader(&requests, SERVICE_QOS)?;
            let server = Server::new(Arc::clone(&parts.graph), guid, writer);
            parts.servers.push(Arc::clone(&server));
            Ok((server, reader))
        })?;
        let stepping = Arc::clone(&server);
        let waker =
            self.spawn(&name, move |waker| stepping.step(&reader, &mut on_request, waker))?;
        server.set_waker(waker);
        Ok(())
    }

    fn client(&self, service: &str, type_name: &str) -> Result<Box<dyn Client>, TransportError> {
        let name = self.names.resolve(NameKind::Service, service)?;
        let (request_type, reply_type) = wire::service_types(type_name)?;
        let (asking, reader) = self.with_parts("make a client", |parts| {
            // Replies first: whoever gets a request can then answer it.
            let replies = parts.topic(wire::reply_topic(&name), reply_type, SERVICE_QOS)?;
            let (reader, guid) = parts.reader(&replies, SERVICE_QOS)?;
            let requests = parts.topic(wire::request_topic(&name), request_type, SERVICE_QOS)?;
            let writer = parts.writer(requests, SERVICE_QOS)?;
            let (mapping, graph) = (self.environment.mapping, Arc::clone(&parts.graph));
            let asking = Asking::new(name.clone(), mapping, graph, guid, writer);
            parts.clients.push(Arc::clone(&asking));
            Ok((asking, reader))
        })?;
        let stepping = Arc::clone(&asking);
        self.spawn(&name, move |waker| {
            stepping.step(&reader, waker);
            None
        })?;
        Ok(Box::new(EmbeddedClient(asking)))
    }

    fn shutdown(&self) {
        let Some(parts) = lock(&self.parts).take() else { return };
        // The threads own the readers: when they have stopped, the readers are gone.
        self.workers.stop();
        let until = Instant::now() + TIME_TO_DELIVER;
        for writer in parts.publishers.iter().filter_map(Weak::upgrade) {
            if let Some(writer) = lock(&writer).take() {
                writer.deliver(until);
            }
        }
        parts.servers.iter().for_each(|server| server.close(until));
        parts.clients.iter().for_each(|client| client.close());
        parts.info.withdraw();
    }
}

impl Drop for EmbeddedTransport {
    fn drop(&mut self) {
        self.shutdown();
    }
}

/// Hands over the messages that have come; of a best-effort topic only the last `depth` of them.
fn take_messages(
    reader: &SimpleDataReader<Payload, Unchanged>,
    qos: Qos,
    take: &mut impl FnMut(&DeserializedCacheChange<Payload>),
    waker: &Waker,
) {
    let mut stream = pin!(reader.as_async_stream());
    let mut context = Context::from_waker(waker);
    let mut taken = Vec::new();
    while let Poll::Ready(Some(sample)) = stream.as_mut().poll_next(&mut context) {
        // What cannot be read was not meant for us.
        let Ok(sample) = sample else { continue };
        match qos.reliability {
            Reliability::Reliable => take(&sample),
            Reliability::BestEffort => taken.push(sample),
        }
    }
    let old = taken.len().saturating_sub(qos.depth.max(1));
    taken[old..].iter().for_each(take);
}

struct EmbeddedPublisher {
    name: String,
    writer: Arc<Mutex<Option<BoundedWriter>>>,
    graph: Arc<Graph>,
}

impl Publisher for EmbeddedPublisher {
    fn publish(&self, bytes: &[u8]) -> Result<(), TransportError> {
        let what = || format!("publish on {}", self.name);
        let refuse = |reason| TransportError::Middleware { what: what(), reason };
        let payload = Payload::of_message(bytes).map_err(refuse)?;
        let mut writer = lock(&self.writer);
        let writer = writer.as_mut().ok_or_else(|| gone(&what()))?;
        writer.keep_bounded()?;
        writer.write(payload.body, WriteOptionsBuilder::new()).map(drop)
    }

    fn subscribers(&self) -> usize {
        let writer = lock(&self.writer).as_ref().map(BoundedWriter::guid);
        writer.map_or(0, |guid| self.graph.look(|matches| matches.of(guid).count()))
    }
}

fn gone(what: &str) -> TransportError {
    let reason = "the node was shut down".to_owned();
    TransportError::Middleware { what: what.to_owned(), reason }
}

/// Turns an error of the middleware into ours.
fn middleware<E: Debug>(what: &str) -> impl FnOnce(E) -> TransportError {
    let what = what.to_owned();
    move |error| TransportError::Middleware { what, reason: format!("{error:?}") }
}
