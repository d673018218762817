//! What the node needs from ROS 2, in bytes.
//!
//! Everything else of ROS is made of these by the node, the same way for every transport: parameter services and
//! `/parameter_events`, `/rosout`, `/clock`.
//!
//! Names are ROS names as the user writes them (`joint_states`, `~/markers`, `/diagnostics`): a transport expands and
//! remaps them. Types are written `package/msg/Type` and `package/srv/Type`. Bytes are CDR with the encapsulation header
//! (see [`cdr`](super::cdr)); a transport may append up to three zero bytes, which are ignored. Callbacks run on threads of
//! the transport, one at a time per endpoint, and must return at once: work goes to threads of the node.

mod connect;
pub mod embedded;
mod endpoints;
pub mod environment;
mod error;
mod locking;
pub mod memory;
pub mod names;
mod parameter_file;
mod qos;
#[cfg(feature = "r2r")]
pub mod r2r;
pub mod ros_args;
mod type_descriptions;

pub use connect::{ConnectError, connect};
pub use endpoints::{
    Client, NodeIdentity, OnMessage, OnRequest, Publisher, Reply, RequestId, Transport,
};
pub use error::TransportError;
pub use qos::{Durability, Qos, Reliability};
