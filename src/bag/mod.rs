//! Recordings of rosbag2: folders and single files, MCAP and, with the feature `sqlite`, SQLite3.
//!
//! Recorders are killed, disks fill up, copies are incomplete. Reading therefore returns everything that can be read, and
//! [`Recording::problems`] lists what could not.

mod decompress;
mod joint_states;
mod mcap_file;
mod metadata;
mod read;
mod recorded_topic;
mod sqlite_file;
mod write;

pub use crate::interfaces::{Definition, definition};
pub use joint_states::{RecordedStates, is_joint_states, is_text, text};
pub use read::read;
pub use recorded_topic::RecordedTopic;
pub use write::BagWriter;

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
    /// An SQLite3 file in a build that cannot read it.
    #[error(
        "{}: SQLite3 recordings need the feature `sqlite`, which this build was made without \
         (`cargo build --features sqlite`, or convert it to MCAP with `ros2 bag convert`)",
        path.display()
    )]
    SqliteNotBuilt {
        /// The file.
        path: PathBuf,
    },
    /// A message that cannot be decoded.
    #[error("{topic}: {reason}")]
    Message {
        /// Its topic.
        topic: String,
        /// What is wrong.
        reason: String,
    },
    /// A message from before 1970, which the file format cannot express.
    #[error("{time} ns is before the epoch")]
    TimeBeforeEpoch {
        /// Time of the message, ns since the epoch.
        time: i64,
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
    /// Index of its topic in [`Recording::topics`].
    pub topic: usize,
    /// When it was recorded, ns since the epoch.
    pub time: i64,
    /// CDR with its header.
    pub bytes: Vec<u8>,
}

/// The readable part of a recording.
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
    /// Adds a message, decompressed if necessary. One that cannot be decompressed is a problem of the recording.
    fn add_message(&mut self, topic: usize, time: i64, mut bytes: Vec<u8>) {
        if decompress::is_zstd(&bytes) {
            let whole = decompress::zstd(&bytes);
            if let Some(problem) = whole.problem {
                let name = &self.topics[topic].name;
                self.problems.push(format!(
                    "{name}: a message at {time} ns cannot be decompressed: {problem}"
                ));
                return;
            }
            bytes = whole.bytes;
        }
        self.messages.push(Message { topic, time, bytes });
    }

    /// Number of a topic, which is added if it is new.
    fn topic(&mut self, name: &str, type_name: &str) -> usize {
        let known = self.topics.iter().position(|t| t.name == name && t.type_name == type_name);
        known.unwrap_or_else(|| {
            self.topics.push(Topic { name: name.into(), type_name: type_name.into() });
            self.topics.len() - 1
        })
    }
}
