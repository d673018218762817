//! The messages and services on the wire.
//!
//! The build script makes them of interface definitions: ours from `msg/` and `srv/`, standard ones from
//! `src/interfaces/standard.txt`. What the fields of our messages mean is said in the interface files.

// The generated code is uniform rather than short.
#![allow(clippy::derivable_impls, clippy::unnecessary_cast)]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cdr::{Decode, Encode, TypeName};

/// A message type: a struct whose fields are those of its definition.
pub trait Message:
    Encode
    + Decode
    + Default
    + Clone
    + PartialEq
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
    /// Its name, definition and hash.
    const DEFINITION: Definition;
    /// Its name, such as `sensor_msgs/msg/JointState` or `smooth_scene/srv/GetDistance_Request`.
    const TYPE_NAME: &'static str = Self::DEFINITION.type_name;
}

impl<M: Message> TypeName for M {
    const NAME: &'static str = M::TYPE_NAME;
}

/// A service type.
pub trait ServiceType: 'static {
    /// What is asked.
    type Request: Message;
    /// What is answered.
    type Response: Message;
    /// What observers of calls receive.
    type Event: Message;
    /// Its name, definition and hash: ROS 2 describes a service as a message of request, response and event.
    const DEFINITION: Definition;
    /// Its name, such as `smooth_scene/srv/GetDistance`.
    const TYPE_NAME: &'static str = Self::DEFINITION.type_name;

    /// The event about a request or a response.
    fn event(
        info: service_msgs::msg::ServiceEventInfo,
        request: Option<Self::Request>,
        response: Option<Self::Response>,
    ) -> Self::Event;
}

/// A type as others are told about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Its name, such as `sensor_msgs/msg/JointState`.
    pub type_name: &'static str,
    /// Its constants and fields and those of all types in it, as recordings carry them.
    pub text: &'static str,
    /// The hash of its description, by which ROS 2 tells versions apart: `RIHS01_…`.
    pub hash: &'static str,
    /// Its fields.
    pub fields: &'static [FieldDescription],
    /// The names of all types in it, sorted.
    pub referenced: &'static [&'static str],
    /// The format of the file it is written in: `msg`, `srv`, or `implicit` for what follows from a service.
    pub encoding: &'static str,
    /// The text of that file. Of standard types only what is used here.
    pub source: &'static str,
}

/// A field, in the terms of `type_description_interfaces/msg/Field`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are those of the message")]
pub struct FieldDescription {
    pub name: &'static str,
    pub type_id: u8,
    pub capacity: u64,
    pub string_capacity: u64,
    pub nested_type_name: &'static str,
    pub default_value: &'static str,
}

/// Is shown every message type by [`for_each_message`].
pub trait MessageVisitor {
    /// Takes one type.
    fn visit<M: Message>(&mut self);
}

/// The definitions of all types: messages, services and their events.
pub fn definitions() -> &'static [&'static Definition] {
    DEFINITIONS
}

/// The definition of a message, service or event type by its name, if it is on our wire.
pub fn definition(type_name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().copied().find(|definition| definition.type_name == type_name)
}

/// The definition of the type with this hash, if it is on our wire.
pub fn definition_by_hash(hash: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().copied().find(|definition| definition.hash == hash)
}

pub use self::smooth_scene::{msg, srv};

include!(concat!(env!("OUT_DIR"), "/interfaces.rs"));
