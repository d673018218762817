//! A small DDS layer: RTPS 2.3 as ROS 2 needs it.
//!
//! It knows bytes, topic and type names, quality of service and user data; what they mean is up to the application.
//! `docs/rtps.md` of the repository says what is spoken and what is not.
//!
//! ```no_run
//! use smooth_scene_rtps::{Config, Endpoint, Participant, Qos, WriteOptions};
//!
//! let participant = Participant::join(Config::default())?;
//! let topic = Endpoint {
//!     topic: "rt/chatter".into(),
//!     type_name: "std_msgs::msg::dds_::String_".into(),
//!     qos: Qos::reliable(10),
//!     user_data: vec![],
//! };
//! let writer = participant.create_writer(&topic)?;
//! // CDR: the encapsulation header, the length of the string, the string.
//! writer.write(*b"\x00\x01\x00\x00\x03\x00\x00\x00hi\x00", WriteOptions::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layout
//!
//! - [`wire`]: bytes: header, submessages, parameter lists
//! - [`discovery`]: what participants say about themselves and their endpoints
//! - `writer`, `reader_proxy`, `history`: the sending state machine
//! - `reader`, `fragments`: the receiving state machine
//! - [`qos`]: offers, requests, and why they do not fit
//! - [`network`]: which addresses are reachable, and how large packets may be
//! - [`engine`]: all of it together, without sockets, threads or clock
//! - [`Participant`]: sockets and threads around an engine

mod budget;
mod config;
pub mod discovery;
pub mod engine;
mod fragments;
mod guid;
mod history;
mod interfaces;
mod limits;
pub mod network;
mod participant;
pub mod qos;
mod queue;
mod reader;
mod reader_proxy;
mod sample;
mod sequence_set;
#[cfg(test)]
mod simulation;
mod sockets;
pub mod wire;
mod writer;

pub use config::Config;
pub use engine::{Departure, Endpoint, Event, WriteOptions};
pub use guid::{EntityId, Guid, GuidPrefix, VENDOR, VENDOR_CYCLONE, VENDOR_FAST_DDS};
pub use history::Recipient;
pub use limits::Limits;
pub use network::Range;
pub use participant::{DataReader, DataWriter, JoinError, Participant};
pub use qos::{Durability, History, Qos, QosPolicy, Reliability};
pub use sample::{Sample, SampleIdentity};
pub use sequence_set::{SequenceNumber, SequenceSet};
pub use writer::WriteError;
