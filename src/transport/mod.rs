//! What the node needs from ROS 2, in bytes.
//!
//! Everything else of ROS is made of these by the node, the same way for every transport: parameter services and
//! `/parameter_events`, `/rosout`, `/clock`.
//!
//! Names are ROS names as the user writes them (`joint_states`, `~/markers`, `/diagnostics`): a transport expands and
//! remaps them. Types are written `package/msg/Type` and `package/srv/Type`. Bytes are CDR with the encapsulation header
//! (see [`cdr`](super::cdr)); a transport may append up to three zero bytes, which are ignored. Callbacks run on threads of
//! the transport, one at a time per endpoint, and must return at once: work goes to threads of the node.

pub mod embedded;
pub mod environment;
pub mod memory;
pub mod names;
mod parameter_file;
#[cfg(feature = "r2r")]
pub mod r2r;
pub mod ros_args;
#[cfg(any(feature = "r2r", test))]
mod worker;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::interfaces::rcl_interfaces::msg::ParameterValue;

/// Quality of service of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Qos {
    /// Whether lost samples are sent again.
    pub reliability: Reliability,
    /// Whether late subscribers get the last samples.
    pub durability: Durability,
    /// How many samples are kept.
    pub depth: usize,
}

/// Whether lost samples are sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reliability {
    /// They are not.
    BestEffort,
    /// They are.
    Reliable,
}

/// Whether late subscribers get the last samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// They do not.
    Volatile,
    /// They do: the topic is latched.
    TransientLocal,
}

impl Qos {
    /// Best effort, of which the last `depth` samples are kept.
    pub const fn best_effort(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::BestEffort, Durability::Volatile);
        Self { reliability, durability, depth }
    }

    /// Reliable, of which the last `depth` samples are kept.
    pub const fn reliable(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::Reliable, Durability::Volatile);
        Self { reliability, durability, depth }
    }

    /// Reliable, and late subscribers get the last `depth` samples.
    pub const fn latched(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::Reliable, Durability::TransientLocal);
        Self { reliability, durability, depth }
    }
}

/// Why a transport could not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A name ROS does not permit.
    #[error("`{name}` is no ROS name: {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The middleware refused.
    #[error("{what}: {reason}")]
    Middleware {
        /// What was tried.
        what: String,
        /// What it said.
        reason: String,
    },
    /// Nobody answered in time.
    #[error("no answer from service `{service}` within {seconds} s")]
    NoAnswer {
        /// The service.
        service: String,
        /// How long was waited.
        seconds: f64,
    },
}

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

/// Answers a request. Answering consumes it, so nobody is answered twice; dropping it leaves the client
/// without an answer.
pub struct Reply(Box<dyn FnOnce(Vec<u8>) + Send>);

impl Reply {
    /// A way back through this function.
    pub fn new(send: impl FnOnce(Vec<u8>) + Send + 'static) -> Self {
        Self(Box::new(send))
    }

    /// Answers.
    pub fn send(self, bytes: Vec<u8>) {
        (self.0)(bytes);
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reply")
    }
}

/// Asks one service. Calls from several threads do not disturb each other.
pub trait Client: Send + Sync {
    /// Waits until a server is matched in both directions; whether one was in time.
    fn wait_for_server(&self, at_most: Duration) -> bool;

    /// Asks, and waits for the answer.
    fn call(&self, request: &[u8], at_most: Duration) -> Result<Vec<u8>, TransportError>;
}

/// A ROS 2 node as the scene node sees it. Endpoints live as long as the transport.
pub trait Transport: Send + Sync {
    /// The fully qualified name of the node, such as `/left/scene_node`.
    fn node_name(&self) -> String;

    /// The name of a topic or service after expansion and remapping, such as `/left/scene_node/markers`.
    fn resolve(&self, name: &str) -> Result<String, TransportError>;

    /// Parameter values given at start, by the command line or a file.
    fn parameter_overrides(&self) -> BTreeMap<String, ParameterValue>;

    /// Advertises a topic.
    fn advertise(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
    ) -> Result<Box<dyn Publisher>, TransportError>;

    /// Subscribes to a topic.
    fn subscribe(
        &self,
        topic: &str,
        type_name: &str,
        qos: Qos,
        on_message: OnMessage,
    ) -> Result<(), TransportError>;

    /// Offers a service.
    fn serve(
        &self,
        service: &str,
        type_name: &str,
        on_request: OnRequest,
    ) -> Result<(), TransportError>;

    /// Makes a client of a service.
    fn client(&self, service: &str, type_name: &str) -> Result<Box<dyn Client>, TransportError>;

    /// Tells the middleware that the node goes away, and stops all callbacks.
    fn shutdown(&self);
}

/// Why a node did not come to ROS 2.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// An environment variable was refused.
    #[error(transparent)]
    Environment(#[from] environment::EnvironmentError),
    /// The transport could not be made.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

/// Makes a node called `node`, unless the arguments say otherwise, on the transport of this build: through rcl with the
/// feature `r2r`, on DDS without.
#[cfg(not(feature = "r2r"))]
pub fn connect(
    node: &str,
    arguments: &ros_args::RosArgs,
) -> Result<Arc<dyn Transport>, ConnectError> {
    let environment = environment::Environment::of_process()?;
    Ok(Arc::new(embedded::EmbeddedTransport::new(node, arguments, &environment)?))
}

/// Makes a node called `node`, unless the arguments say otherwise, on the transport of this build: through rcl with the
/// feature `r2r`, on DDS without.
#[cfg(feature = "r2r")]
pub fn connect(
    node: &str,
    arguments: &ros_args::RosArgs,
) -> Result<Arc<dyn Transport>, ConnectError> {
    Ok(Arc::new(r2r::R2rTransport::new(node, arguments)?))
}

/// The lock. What it guards is whole even after a panic: no callback runs under it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
