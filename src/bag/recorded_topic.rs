//! A topic that is recorded.

use super::{BagError, Definition, definition};

/// A topic that is recorded.
#[derive(Debug, Clone)]
pub struct RecordedTopic {
    /// Its full name, such as `/joint_states`.
    pub name: String,
    /// Its type with its definition.
    pub definition: &'static Definition,
    /// Whether late subscribers get the last message.
    pub latched: bool,
}

impl RecordedTopic {
    /// A topic of a known type, such as `sensor_msgs/msg/JointState`.
    pub fn new(name: &str, type_name: &str, latched: bool) -> Result<Self, BagError> {
        let unknown = || BagError::UnknownType { type_name: type_name.into() };
        let definition = definition(type_name).ok_or_else(unknown)?;
        Ok(Self { name: name.into(), definition, latched })
    }
}
