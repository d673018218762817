//! Recordings of rosbag2: folders and single files, MCAP and SQLite3.
//!
//! Recorders are killed, disks fill up, files are copied by halves. So reading never gives up on a recording for a part
//! of it: what can be read is returned, and [`Recording::problems`] says what was not.

mod joint_states;
mod mcap_file;
mod metadata;
mod read;
mod sqlite_file;
mod unpack;
mod write;

pub use crate::interfaces::{Definition, definition};
pub use joint_states::{RecordedStates, is_joint_states, is_text, text};
pub use read::read;
pub use write::{BagWriter, RecordedTopic};

use std::path::PathBuf;

/// Why a recording cannot be read at all, or not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BagError {
    /// A file or folder that cannot be opened or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A folder without any file of a recording.
    #[error("{}: no recording: neither a metadata.yaml nor an .mcap or .db3 file", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A message of a type whose definition is not known here.
    #[error("no definition of `{type_name}` to record it with")]
    UnknownType {
        /// The type.
        type_name: String,
    },
    /// A message for a topic that was not announced.
    #[error("topic {number} is not one of the {count} that are recorded")]
    UnknownTopic {
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

impl BagError {
    fn file(path: impl Into<PathBuf>, reason: impl ToString) -> Self {
        Self::File { path: path.into(), reason: reason.to_string() }
    }
}

/// A topic as the recording names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Topic {
    /// Its name, such as `/joint_states`.
    pub name: String,
    /// Its type, such as `sensor_msgs/msg/JointState`.
    pub type_name: String,
}

/// A recorded message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Number of its topic in [`Recording::topics`].
    pub topic: usize,
    /// When it was recorded, ns since the epoch.
    pub time: i64,
    /// CDR with its header.
    pub bytes: Vec<u8>,
}

/// What was read of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// Every topic that was seen, wanted or not.
    pub topics: Vec<Topic>,
    /// Messages of the wanted topics, by time; at the same time in the order of the files.
    pub messages: Vec<Message>,
    /// What could not be read, and why: one line each.
    pub problems: Vec<String>,
}

impl Recording {
    /// The number of a topic, which is added if it is new.
    fn topic(&mut self, name: &str, type_name: &str) -> usize {
        let known = self.topics.iter().position(|t| t.name == name && t.type_name == type_name);
        known.unwrap_or_else(|| {
            self.topics.push(Topic { name: name.into(), type_name: type_name.into() });
            self.topics.len() - 1
        })
    }
}
