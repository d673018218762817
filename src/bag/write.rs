//! Writes recordings that `ros2 bag` and other tools read: a folder with one uncompressed MCAP file and its metadata.

use super::recorded_topic::RecordedTopic;
use super::{BagError, Definition, metadata};
use mcap::records::MessageHeader;
use mcap::{WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Writes a recording; [`BagWriter::finish`] completes it.
pub struct BagWriter {
    folder: PathBuf,
    file: String,
    writer: Writer<BufWriter<File>>,
    /// Topics with their channels and how many messages they have.
    topics: Vec<(RecordedTopic, u64)>,
    channels: Vec<u16>,
    times: Option<[i64; 2]>,
}

impl BagWriter {
    /// Begins a recording in a new folder. An existing folder is refused, as by `ros2 bag record`.
    pub fn create(folder: &Path, topics: Vec<RecordedTopic>) -> Result<Self, BagError> {
        let nameless = || BagError::file(folder, "a recording needs a folder with a name");
        let stem = folder.file_name().ok_or_else(nameless)?.to_string_lossy();
        std::fs::create_dir(folder).map_err(|e| BagError::file(folder, e))?;
        let file = format!("{stem}_0.mcap");
        let path = folder.join(&file);
        let refused = |e: &dyn ToString| BagError::file(&path, e.to_string());
        let target = File::create(&path).map_err(|e| refused(&e))?;
        let options = WriteOptions::new()
            .profile("ros2")
            .library(concat!("smooth_scene ", env!("CARGO_PKG_VERSION")))
            // As rosbag2 does by default; compressing would need a C library.
            .compression(None);
        let mut writer = options.create(BufWriter::new(target)).map_err(|e| refused(&e))?;
        let mut channels = Vec::new();
        for topic in &topics {
            let Definition { type_name, text, hash, .. } = topic.definition;
            let schema = writer
                .add_schema(type_name, "ros2msg", text.as_bytes())
                .map_err(|e| refused(&e))?;
            let qos = metadata::qos_text(topic);
            let about = BTreeMap::from([
                ("offered_qos_profiles".to_string(), qos),
                ("topic_type_hash".to_string(), hash.to_string()),
            ]);
            let channel =
                writer.add_channel(schema, &topic.name, "cdr", &about).map_err(|e| refused(&e))?;
            channels.push(channel);
        }
        let topics = topics.into_iter().map(|topic| (topic, 0)).collect();
        let folder = folder.to_path_buf();
        Ok(Self { folder, file, writer, topics, channels, times: None })
    }

    /// Adds a message of a topic, by its index in the list, recorded at this time (ns since the epoch).
    pub fn write(&mut self, topic: usize, time: i64, bytes: &[u8]) -> Result<(), BagError> {
        let count = self.topics.len();
        let unknown = || BagError::UnknownTopic { number: topic, count };
        let (_, written) = self.topics.get_mut(topic).ok_or_else(unknown)?;
        let channel_id = *self.channels.get(topic).ok_or_else(unknown)?;
        let at = u64::try_from(time).map_err(|_| BagError::TimeBeforeEpoch { time })?;
        let path = self.folder.join(&self.file);
        let sequence = u32::try_from(*written)
            .map_err(|_| BagError::file(&path, "more than 2³² messages of one topic"))?;
        let header = MessageHeader { channel_id, sequence, log_time: at, publish_time: at };
        self.writer.write_to_known_channel(&header, bytes).map_err(|e| BagError::file(path, e))?;
        *written += 1;
        self.times = Some(match self.times {
            Some([first, last]) => [first.min(time), last.max(time)],
            None => [time, time],
        });
        Ok(())
    }

    /// Completes the file and writes the metadata.
    pub fn finish(mut self) -> Result<(), BagError> {
        let path = self.folder.join(&self.file);
        self.writer.finish().map_err(|e| BagError::file(path, e))?;
        metadata::write(&self.folder, &self.file, &self.topics, self.times)
    }
}
