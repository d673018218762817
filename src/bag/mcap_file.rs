//! Messages of an MCAP file. Chunks may be packed with zstd or LZ4, which the crate `mcap` undoes.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcap::read::parse_record;
use mcap::records::{Channel, Record};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};

use super::{Recording, Topic, unpack};

pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// Largest record, in bytes, packed or not: a damaged length must not take all memory.
const MAX_RECORD: usize = 1 << 28;

/// Adds the messages of the wanted topics; an error is what ended the reading, after everything before it was added.
pub(super) fn add_messages(
    bytes: &[u8],
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    // Lengths in damaged files can make `mcap` 0.26 subtract below zero, which panics in builds that check for it. What
    // was added before stays whole.
    let read = AssertUnwindSafe(|| add_until_error(bytes, wanted, recording));
    catch_unwind(read).unwrap_or_else(|_| Err("lengths in it contradict each other".into()))?;
    if bytes.ends_with(MAGIC) {
        return Ok(());
    }
    Err("it has no end: it was cut, or never closed".into())
}

fn add_until_error(
    mut bytes: &[u8],
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    // A file that was cut has no end; without this the reader would refuse all of it.
    let options = LinearReaderOptions::default()
        .with_skip_end_magic(true)
        .with_record_length_limit(MAX_RECORD);
    let mut reader = LinearReader::new_with_options(options);
    let mut types: HashMap<u16, String> = HashMap::new();
    let mut channels: HashMap<u16, Channel> = HashMap::new();
    while let Some(event) = reader.next_event() {
        match event.map_err(|e| e.to_string())? {
            LinearReadEvent::ReadRequest(need) => {
                let (now, later) = bytes.split_at(need.min(bytes.len()));
                reader.insert(now.len()).copy_from_slice(now);
                reader.notify_read(now.len());
                bytes = later;
            }
            LinearReadEvent::Record { data, opcode } => {
                match parse_record(opcode, data).map_err(|e| e.to_string())? {
                    Record::Schema { header, .. } => {
                        types.insert(header.id, header.name);
                    }
                    Record::Channel(channel) => {
                        // Also one without messages is a topic of the recording.
                        let type_name = types.get(&channel.schema_id).map_or("", String::as_str);
                        recording.topic(&channel.topic, type_name);
                        channels.insert(channel.id, channel);
                    }
                    Record::Message { header, data } => {
                        let id = header.channel_id;
                        let unknown =
                            || format!("a message of channel {id}, which is not declared");
                        let channel = channels.get(&id).ok_or_else(unknown)?;
                        let time = i64::try_from(header.log_time).unwrap_or(i64::MAX);
                        let type_name = types.get(&channel.schema_id).map_or("", String::as_str);
                        let topic = recording.topic(&channel.topic, type_name);
                        if wanted(&recording.topics[topic]) {
                            check_encoding(channel)?;
                            unpack::add(recording, topic, time, data.into_owned());
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn check_encoding(channel: &Channel) -> Result<(), String> {
    let (topic, encoding) = (&channel.topic, &channel.message_encoding);
    if encoding == "cdr" {
        return Ok(());
    }
    Err(format!("{topic}: encoding `{encoding}`, not cdr"))
}
