//! Messages of an MCAP file. Chunks may be packed with zstd or LZ4, which the crate `mcap` undoes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Recording, Topic, unpack};
use mcap::MessageStream;
use mcap::read::Options;

pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

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
    bytes: &[u8],
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    // A file that was cut has no end; without this the reader would refuse all of it.
    let stream = MessageStream::new_with_options(bytes, Options::IgnoreEndMagic.into())
        .map_err(|e| e.to_string())?;
    for message in stream {
        let message = message.map_err(|e| e.to_string())?;
        let schema = message.channel.schema.as_ref();
        let type_name = schema.map_or("", |schema| schema.name.as_str());
        let topic = recording.topic(&message.channel.topic, type_name);
        if !wanted(&recording.topics[topic]) {
            continue;
        }
        if message.channel.message_encoding != "cdr" {
            let encoding = &message.channel.message_encoding;
            return Err(format!("{}: encoding `{encoding}`, not cdr", message.channel.topic));
        }
        let time = i64::try_from(message.log_time).unwrap_or(i64::MAX);
        unpack::add(recording, topic, time, message.data.into_owned());
    }
    Ok(())
}
