//! `metadata.yaml` of a recording, as rosbag2 writes it (version 9), and the parts of it that reading needs (any version).

use super::BagError;
use super::recorded_topic::RecordedTopic;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// Version of the file format.
const VERSION: u32 = 9;
/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Deserialize)]
struct WholeRead {
    rosbag2_bagfile_information: InformationRead,
}

#[derive(Deserialize)]
struct InformationRead {
    #[serde(default)]
    relative_file_paths: Vec<String>,
}

/// The files of a recording in their order; `None` when there is no metadata, as after a recorder was killed.
pub(super) fn read_file_names(folder: &Path) -> Result<Option<Vec<String>>, String> {
    let path = folder.join("metadata.yaml");
    match std::fs::metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("metadata.yaml: {error}")),
        Ok(found) if found.len() > MAX_BYTES => {
            return Err(format!("metadata.yaml: larger than {MAX_BYTES} bytes"));
        }
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("metadata.yaml: {e}"))?;
    let whole: WholeRead =
        serde_yaml::from_str(&text).map_err(|e| format!("metadata.yaml: {e}"))?;
    Ok(Some(whole.rosbag2_bagfile_information.relative_file_paths))
}

#[derive(Serialize)]
struct Whole<'a> {
    rosbag2_bagfile_information: Information<'a>,
}

#[derive(Serialize)]
struct Information<'a> {
    version: u32,
    storage_identifier: &'a str,
    duration: Duration,
    starting_time: Start,
    message_count: u64,
    topics_with_message_count: Vec<TopicCount<'a>>,
    compression_format: &'a str,
    compression_mode: &'a str,
    relative_file_paths: [&'a str; 1],
    files: [File<'a>; 1],
    custom_data: Option<()>,
    ros_distro: &'a str,
}

#[derive(Serialize, Clone, Copy)]
struct Duration {
    nanoseconds: i64,
}

#[derive(Serialize, Clone, Copy)]
struct Start {
    nanoseconds_since_epoch: i64,
}

#[derive(Serialize)]
struct TopicCount<'a> {
    topic_metadata: TopicMetadata<'a>,
    message_count: u64,
}

#[derive(Serialize)]
struct TopicMetadata<'a> {
    name: &'a str,
    r#type: &'a str,
    serialization_format: &'a str,
    offered_qos_profiles: [QosProfile<'a>; 1],
    type_description_hash: &'a str,
}

#[derive(Serialize, Clone, Copy)]
struct Span {
    sec: u64,
    nsec: u64,
}

#[derive(Serialize)]
struct QosProfile<'a> {
    history: &'a str,
    depth: usize,
    reliability: &'a str,
    durability: &'a str,
    deadline: Span,
    lifespan: Span,
    liveliness: &'a str,
    liveliness_lease_duration: Span,
    avoid_ros_namespace_conventions: bool,
}

/// "No limit" of a time, as rmw writes it.
const INFINITE: Span = Span { sec: 9_223_372_036, nsec: 854_775_807 };

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    starting_time: Start,
    duration: Duration,
    message_count: u64,
}

/// Writes the file for a recording of one MCAP file.
pub(super) fn write(
    folder: &Path,
    file: &str,
    topics: &[(RecordedTopic, u64)],
    times: Option<[i64; 2]>,
) -> Result<(), BagError> {
    let message_count = topics.iter().map(|(_, count)| count).sum();
    // rosbag2 writes zeros for a recording without messages.
    let (first, nanoseconds) = match times {
        Some([first, last]) => (first, last - first),
        None => (0, 0),
    };
    let duration = Duration { nanoseconds };
    let starting_time = Start { nanoseconds_since_epoch: first };
    let information = Information {
        version: VERSION,
        storage_identifier: "mcap",
        duration,
        starting_time,
        message_count,
        topics_with_message_count: topics.iter().map(topic_count).collect(),
        compression_format: "",
        compression_mode: "",
        relative_file_paths: [file],
        files: [File { path: file, starting_time, duration, message_count }],
        custom_data: None,
        ros_distro: "jazzy",
    };
    let path = folder.join("metadata.yaml");
    let text = serde_yaml::to_string(&Whole { rosbag2_bagfile_information: information })
        .map_err(|e| BagError::file(&path, e))?;
    std::fs::write(&path, text).map_err(|e| BagError::file(path, e))
}

fn topic_count((topic, count): &(RecordedTopic, u64)) -> TopicCount<'_> {
    let topic_metadata = TopicMetadata {
        name: &topic.name,
        r#type: topic.definition.type_name,
        serialization_format: "cdr",
        offered_qos_profiles: [qos(topic)],
        type_description_hash: topic.definition.hash,
    };
    TopicCount { topic_metadata, message_count: *count }
}

fn qos(topic: &RecordedTopic) -> QosProfile<'static> {
    QosProfile {
        history: "keep_last",
        depth: if topic.latched { 1 } else { 10 },
        reliability: "reliable",
        durability: if topic.latched { "transient_local" } else { "volatile" },
        deadline: INFINITE,
        lifespan: INFINITE,
        liveliness: "automatic",
        liveliness_lease_duration: INFINITE,
        avoid_ros_namespace_conventions: false,
    }
}

/// The quality of service as the channel of an MCAP file has it: the same, as text.
pub(super) fn qos_text(topic: &RecordedTopic) -> String {
    serde_yaml::to_string(&[qos(topic)])
        .expect("a struct of numbers and texts can always be written")
}
