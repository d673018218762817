//! What the node needs from a transport: publishers, subscriptions, services and clients.

use std::collections::BTreeMap;
use std::time::Duration;

use super::error::TransportError;
use super::names::{Address, NameKind, NodeNames};
use super::qos::Qos;
use super::ros_args::RosArgs;
use crate::interfaces::rcl_interfaces::msg::ParameterValue;

/// Takes messages of a topic.
pub type OnMessage = Box<dyn FnMut(&[u8]) + Send>;
/// Takes requests of a service; the answer may come later, from any thread.
pub type OnRequest = Box<dyn FnMut(Vec<u8>, Reply) + Send>;

/// Sends messages of one topic.
pub trait Publisher: Send + Sync {
    /// Hands a message to the middleware.
    fn publish(&self, bytes: &[u8]) -> Result<(), TransportError>;

    /// How many subscribers are known.
    fn subscribers(&self) -> usize;
}

/// Which request of which client: what the log and service events name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId {
    /// The identity of the client in the middleware; with DDS the GUID of the writer of its requests.
    pub client: [u8; 16],
    /// The number of the request among those of this client.
    pub sequence: i64,
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // As `ros2 topic info --verbose` writes the identity of an endpoint.
        let client = self.client.map(|byte| format!("{byte:02x}")).join(".");
        write!(f, "request {} of client {client}", self.sequence)
    }
}

/// Answers a request. Answering consumes it, so nobody is answered twice; dropping it leaves the client
/// without an answer.
pub struct Reply {
    request: Option<RequestId>,
    send: Box<dyn FnOnce(Vec<u8>) + Send>,
}

impl Reply {
    /// Answers through this function; `request` says whom, where the middleware tells.
    pub fn new(request: Option<RequestId>, send: impl FnOnce(Vec<u8>) + Send + 'static) -> Self {
        Self { request, send: Box::new(send) }
    }

    /// Which request is answered; none where the middleware does not tell.
    pub fn request(&self) -> Option<RequestId> {
        self.request
    }

    /// Answers.
    pub fn send(self, bytes: Vec<u8>) {
        (self.send)(bytes);
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reply").field(&self.request).finish()
    }
}

/// Asks one service. Calls from several threads do not disturb each other.
pub trait Client: Send + Sync {
    /// Waits until a server is matched in both directions; whether one was in time.
    fn wait_for_server(&self, at_most: Duration) -> bool;

    /// Asks, and waits for the answer.
    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError>;
}

/// What a node is called and what it was started with.
#[derive(Debug, Clone)]
pub struct NodeIdentity {
    names: NodeNames,
    overrides: BTreeMap<String, ParameterValue>,
}

impl NodeIdentity {
    /// A node called `node` unless the arguments say otherwise.
    pub fn new(node: &str, arguments: &RosArgs) -> Result<Self, TransportError> {
        let names = arguments.names(node)?;
        let overrides = arguments.parameters(&names);
        Ok(Self { names, overrides })
    }

    /// Its name, its namespace and its remapping rules.
    pub fn names(&self) -> &NodeNames {
        &self.names
    }
}

/// A ROS 2 node as the scene node sees it. Endpoints live as long as the transport.
///
/// The node calls the provided methods, which check and expand names; a transport implements the others.
pub trait Transport: Send + Sync {
    /// What the node is called and what it was started with.
    fn identity(&self) -> &NodeIdentity;

    /// Advertises the topic at this address.
    fn open_publisher(
        &self,
        address: Address,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError>;

    /// Subscribes to the topic at this address.
    fn open_subscription(
        &self,
        address: Address,
        qos: Qos,
        on_message: OnMessage,
    ) -> Result<(), TransportError>;

    /// Offers the service at this address.
    fn open_service(&self, address: Address, on_request: OnRequest) -> Result<(), TransportError>;

    /// Makes a client of the service at this address.
    fn open_client(&self, address: Address) -> Result<Box<dyn Client>, TransportError>;

    /// Tells the middleware that the node goes away, and stops all callbacks.
    fn shutdown(&self);

    /// The fully qualified name of the node, such as `/left/scene_node`.
    fn node_name(&self) -> String {
        self.identity().names.fully_qualified()
    }

    /// The name of a topic or service after expansion and remapping, such as `/left/scene_node/markers`.
    fn resolve(&self, name: &str) -> Result<String, TransportError> {
        self.identity().names.resolve(NameKind::Topic, name)
    }

    /// Parameter values given at start, by the command line or a file.
    fn parameter_overrides(&self) -> BTreeMap<String, ParameterValue> {
        self.identity().overrides.clone()
    }

    /// Advertises a topic.
    fn advertise(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError> {
        self.open_publisher(self.identity().names.address(NameKind::Topic, topic, type_name)?, qos)
    }

    /// Subscribes to a topic.
    fn subscribe(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
        on_message: OnMessage,
    ) -> Result<(), TransportError> {
        let address = self.identity().names.address(NameKind::Topic, topic, type_name)?;
        self.open_subscription(address, qos, on_message)
    }

    /// Offers a service.
    fn serve(
        &self,
        service: &str,
        type_name: &str,
        on_request: OnRequest,
    ) -> Result<(), TransportError> {
        let address = self.identity().names.address(NameKind::Service, service, type_name)?;
        self.open_service(address, on_request)
    }

    /// Makes a client of a service.
    fn client(&self, service: &str, type_name: &str) -> Result<Box<dyn Client>, TransportError> {
        self.open_client(self.identity().names.address(NameKind::Service, service, type_name)?)
    }
}
