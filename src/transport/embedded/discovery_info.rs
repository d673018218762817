//! Which node the endpoints of this process belong to: what `ros2 node list` and `ros2 node info` show.
//!
//! DDS knows participants and endpoints but no nodes; every ROS 2 process publishes the connection, latched, on
//! `ros_discovery_info`.

use std::collections::BTreeSet;
use std::sync::Mutex;

use smooth_scene_rtps::{DataWriter, Guid, Participant, WriteOptions};

use super::super::error::TransportError;
use super::super::locking::lock;
use super::super::names::{InterfaceType, NameKind, NodeNames};
use super::super::qos::Qos;
use super::wire;
use crate::cdr::{self, Encode, Writer};

const TOPIC: &str = "ros_discovery_info";
const TYPE: &str = "rmw_dds_common/msg/ParticipantEntitiesInfo";
/// Length of identifiers since Iron. The hash of the type is that of this length; before, there were no hashes.
const SHORT_IDENTIFIER: usize = 16;

/// The endpoints of the node, and the topic they are announced on.
pub(super) struct DiscoveryInfo(Mutex<State>);

struct State {
    /// None once the node is gone.
    writer: Option<DataWriter>,
    participant: Guid,
    names: NodeNames,
    identifier_length: usize,
    readers: BTreeSet<Guid>,
    writers: BTreeSet<Guid>,
}

impl DiscoveryInfo {
    /// Announces a node that has no endpoints yet.
    pub(super) fn announce(
        participant: &Participant,
        names: &NodeNames,
        identifier_length: usize,
    ) -> Result<Self, TransportError> {
        let interface = InterfaceType::parse(NameKind::Topic, TYPE)?;
        let mut endpoint = wire::endpoint(TOPIC.to_owned(), &interface, "", Qos::latched(1));
        if identifier_length != SHORT_IDENTIFIER {
            endpoint.user_data.clear();
        }
        let created = participant.create_writer(&endpoint);
        let writer = created.map_err(|e| TransportError::middleware("announce the node", e))?;
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

    pub(super) fn add_reader(&self, guid: Guid) {
        let mut state = lock(&self.0);
        state.readers.insert(guid);
        state.publish();
    }

    pub(super) fn add_writer(&self, guid: Guid) {
        let mut state = lock(&self.0);
        state.writers.insert(guid);
        state.publish();
    }

    pub(super) fn remove_writer(&self, guid: Guid) {
        let mut state = lock(&self.0);
        state.writers.remove(&guid);
        state.publish();
    }

    /// Announces that the node is gone.
    pub(super) fn withdraw(&self) {
        let mut state = lock(&self.0);
        state.send(&[]);
        // Kept until the participant leaves, so that the announcement arrives.
        state.readers.clear();
        state.writers.clear();
    }

    /// Lets go of the middleware.
    pub(super) fn close(&self) {
        lock(&self.0).writer = None;
    }
}

impl State {
    fn publish(&self) {
        let identifiers = |guids: &BTreeSet<Guid>| {
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
        let Some(writer) = &self.writer else { return };
        let identifier = self.identifier(self.participant);
        let message = cdr::encode(&ParticipantEntities { identifier, nodes });
        if let Err(error) = writer.write(message, WriteOptions::default()) {
            tracing::warn!("the node's endpoints could not be announced: {error}");
        }
    }

    fn identifier(&self, guid: Guid) -> Identifier {
        let mut bytes = guid.to_bytes().to_vec();
        bytes.resize(self.identifier_length, 0);
        Identifier(bytes)
    }
}

/// `rmw_dds_common/msg/ParticipantEntitiesInfo`.
struct ParticipantEntities<'a> {
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

impl Encode for ParticipantEntities<'_> {
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
