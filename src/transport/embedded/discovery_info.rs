//! Which node the endpoints of this process belong to: what `ros2 node list` and `ros2 node info` show.
//!
//! DDS knows participants and endpoints but no nodes; every ROS 2 process publishes the connection, latched, on
//! `ros_discovery_info`.

use std::collections::BTreeSet;
use std::sync::Mutex;

use rustdds::{DomainParticipant, GUID, Publisher, RTPSEntity, TopicKind, no_key};

use super::super::names::NodeNames;
use super::super::{Qos, TransportError};
use super::wire::{self, Payload, Unchanged};
use super::{lock, middleware};
use crate::cdr::{self, Encode, Writer};

const TOPIC: &str = "ros_discovery_info";
const TYPE: &str = "rmw_dds_common/msg/ParticipantEntitiesInfo";

/// The endpoints of the node, and the topic they are announced on.
pub(super) struct DiscoveryInfo(Mutex<State>);

struct State {
    /// None once the node is gone.
    writer: Option<no_key::DataWriter<Payload, Unchanged>>,
    participant: GUID,
    names: NodeNames,
    identifier_length: usize,
    readers: BTreeSet<GUID>,
    writers: BTreeSet<GUID>,
}

impl DiscoveryInfo {
    /// Announces a node that has no endpoints yet.
    pub(super) fn announce(
        participant: &DomainParticipant,
        publisher: &Publisher,
        names: &NodeNames,
        identifier_length: usize,
    ) -> Result<Self, TransportError> {
        let qos = wire::writer_qos(Qos::latched(1));
        let type_name = wire::message_type(TYPE)?;
        let topic = participant
            .create_topic(TOPIC.to_owned(), type_name, &qos, TopicKind::NoKey)
            .map_err(middleware("announce the node"))?;
        let writer = publisher
            .create_datawriter_no_key(&topic, Some(qos))
            .map_err(middleware("announce the node"))?;
        let state = State {
            writer: Some(writer),
            participant: participant.guid(),
            names: names.clone(),
            identifier_length,
            readers: BTreeSet::new(),
            writers: BTreeSet::new(),
        };
        state.publish();
        Ok(Self(Mutex::new(state)))
    }

    pub(super) fn add_reader(&self, guid: GUID) {
        let mut state = lock(&self.0);
        state.readers.insert(guid);
        state.publish();
    }

    pub(super) fn add_writer(&self, guid: GUID) {
        let mut state = lock(&self.0);
        state.writers.insert(guid);
        state.publish();
    }

    pub(super) fn replace_writer(&self, old: GUID, new: GUID) {
        let mut state = lock(&self.0);
        state.writers.remove(&old);
        state.writers.insert(new);
        state.publish();
    }

    /// Announces that the node is gone.
    pub(super) fn withdraw(&self) {
        let mut state = lock(&self.0);
        state.send(&[]);
        state.writer = None;
    }
}

impl State {
    fn publish(&self) {
        let identifiers = |guids: &BTreeSet<GUID>| {
            guids.iter().map(|guid| self.identifier(*guid)).collect::<Vec<_>>()
        };
        self.send(&[Node {
            namespace: self.names.namespace().to_owned(),
            name: self.names.node().to_owned(),
            readers: identifiers(&self.readers),
            writers: identifiers(&self.writers),
        }]);
    }

    fn send(&self, nodes: &[Node]) {
        let message =
            cdr::encode(&Participant { identifier: self.identifier(self.participant), nodes });
        if let (Some(writer), Ok(payload)) = (&self.writer, Payload::of_message(&message))
            && writer.write(payload, Some(rustdds::Timestamp::now())).is_err()
        {
            tracing::warn!("the node's endpoints could not be announced");
        }
    }

    fn identifier(&self, guid: GUID) -> Identifier {
        let mut bytes = guid.to_bytes().to_vec();
        bytes.resize(self.identifier_length, 0);
        Identifier(bytes)
    }
}

/// `rmw_dds_common/msg/ParticipantEntitiesInfo`.
struct Participant<'a> {
    identifier: Identifier,
    nodes: &'a [Node],
}

/// `rmw_dds_common/msg/NodeEntitiesInfo`.
struct Node {
    namespace: String,
    name: String,
    readers: Vec<Identifier>,
    writers: Vec<Identifier>,
}

/// `rmw_dds_common/msg/Gid`: an array whose length depends on the distribution.
struct Identifier(Vec<u8>);

impl Encode for Participant<'_> {
    fn write(&self, writer: &mut Writer) {
        self.identifier.write(writer);
        self.nodes.write(writer);
    }
}

impl Encode for Node {
    fn write(&self, writer: &mut Writer) {
        self.namespace.write(writer);
        self.name.write(writer);
        self.readers.write(writer);
        self.writers.write(writer);
    }
}

impl Encode for Identifier {
    fn write(&self, writer: &mut Writer) {
        self.0.iter().for_each(|byte| byte.write(writer));
    }
}
