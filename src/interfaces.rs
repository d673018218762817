//! The messages and services on the wire.
//!
//! The build script makes them of interface definitions: ours from `msg/` and `srv/`, standard ones from
//! `src/interfaces/standard.txt`. What the fields of our messages mean is said in the interface files.

// The generated code is uniform rather than short.
#![allow(clippy::derivable_impls, clippy::unnecessary_cast)]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cdr::{Decode, Encode};

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

/// A service type.
pub trait ServiceType: 'static {
    /// What is asked.
    type Request: Message;
    /// What is answered.
    type Response: Message;
    /// Its name, such as `smooth_scene/srv/GetDistance`.
    const TYPE_NAME: &'static str;
}

/// A message type as others are told about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Its name, such as `sensor_msgs/msg/JointState`.
    pub type_name: &'static str,
    /// Its constants and fields and those of all types in it, as recordings carry them.
    pub text: &'static str,
    /// The hash of its description, by which ROS 2 tells versions apart: `RIHS01_…`.
    pub hash: &'static str,
}

/// Is shown every message type by [`for_each_message`].
pub trait MessageVisitor {
    /// Takes one type.
    fn visit<M: Message>(&mut self);
}

/// The definition of a message type by its name, if it is on our wire.
pub fn definition(type_name: &str) -> Option<&'static Definition> {
    struct Find<'a>(&'a str, Option<&'static Definition>);
    impl MessageVisitor for Find<'_> {
        fn visit<M: Message>(&mut self) {
            if M::TYPE_NAME == self.0 {
                self.1 = Some(&M::DEFINITION);
            }
        }
    }
    let mut find = Find(type_name, None);
    for_each_message(&mut find);
    find.1
}

pub use self::smooth_scene::{msg, srv};

include!(concat!(env!("OUT_DIR"), "/interfaces.rs"));
