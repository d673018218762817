//! Who asked, and in which message? The only place that names a topic, a message or a quality of service.
//!
//! - [`interfaces`]: the messages and services on the wire as plain structs; [`cdr`] turns them into bytes and back.
//! - [`convert`]: messages to core types and back.
//! - `bag`: recordings of rosbag2, read and written (feature `bags`).
//! - [`transport`]: what the node needs from ROS 2, in bytes. The node does not know which transport runs it.
//! - [`markers`]: what RViz and Foxglove show.
//! - [`node`]: the scene node itself.

#[cfg(feature = "bags")]
pub mod bag;
mod bell;
pub mod cdr;
pub mod convert;
pub mod interfaces;
pub mod markers;
pub mod node;
pub mod transport;
