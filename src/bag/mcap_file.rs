//! Messages of an MCAP file. Chunks may be compressed with zstd or LZ4.
//!
//! The records are walked here, on the bytes of the whole file, and parsed by the crate `mcap`: its own readers refuse a
//! file that was cut, and decompress with C libraries.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcap::read::parse_record;
use mcap::records::{Channel, ChunkHeader, Record, op};

use super::decompress::{self, Decompressed};
use super::{Recording, Topic};

pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// Bytes before the body of a record: its kind and its length.
const RECORD_HEADER: usize = 9;

/// Adds the messages of the wanted topics. An error is what ended the reading, after everything before it was added.
pub(super) fn add_messages(
    bytes: &[u8],
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    let mut reader = Reader { types: HashMap::new(), channels: HashMap::new(), wanted, recording };
    let body = bytes.strip_prefix(MAGIC).ok_or("it does not begin as an MCAP file")?;
    let body = body.strip_suffix(MAGIC).unwrap_or(body);
    // Lengths in damaged files can make the parser and the decoders panic. What was added before stays whole.
    let read = catch_unwind(AssertUnwindSafe(|| reader.add_records(body)));
    read.unwrap_or_else(|_| Err("lengths in it contradict each other".into()))?;
    if bytes.ends_with(MAGIC) {
        return Ok(());
    }
    Err("it has no end: it was cut, or never closed".into())
}

struct Reader<'a> {
    /// Type names by schema.
    types: HashMap<u16, String>,
    channels: HashMap<u16, Channel>,
    wanted: &'a dyn Fn(&Topic) -> bool,
    recording: &'a mut Recording,
}

impl Reader<'_> {
    /// Walks the records of a file or of a decompressed chunk.
    fn add_records(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        while let Some((header, rest)) = bytes.split_first_chunk::<RECORD_HEADER>() {
            let [opcode, length @ ..] = *header;
            let length = usize::try_from(u64::from_le_bytes(length))
                .map_err(|_| "a record is longer than memory")?;
            let Some((body, rest)) = rest.split_at_checked(length) else {
                return self.add_cut_record(opcode, rest);
            };
            self.add_record(opcode, body)?;
            bytes = rest;
        }
        if bytes.is_empty() { Ok(()) } else { Err("it ends in the middle of a record".into()) }
    }

    /// The last record of a file that was cut: of a chunk, the beginning can be read.
    fn add_cut_record(&mut self, opcode: u8, body: &[u8]) -> Result<(), String> {
        if opcode == op::CHUNK {
            let (header, data) = chunk_parts(body)?;
            self.add_chunk(&header, data)?;
        }
        Err("it ends in the middle of a record".into())
    }

    fn add_record(&mut self, opcode: u8, body: &[u8]) -> Result<(), String> {
        // Only these are needed, and others must not stop the reading.
        if !matches!(opcode, op::SCHEMA | op::CHANNEL | op::MESSAGE | op::CHUNK) {
            return Ok(());
        }
        match parse_record(opcode, body).map_err(|e| e.to_string())? {
            Record::Schema { header, .. } => {
                self.types.insert(header.id, header.name);
            }
            Record::Channel(channel) => {
                // A channel without messages is a topic of the recording, too.
                let type_name = type_name(&self.types, &channel)?;
                self.recording.topic(&channel.topic, type_name);
                self.channels.insert(channel.id, channel);
            }
            Record::Message { header, data } => {
                self.add_message(header.channel_id, header.log_time, data.into_owned())?;
            }
            Record::Chunk { header, data } => self.add_chunk(&header, &data)?,
            other => unreachable!("only four kinds of records are parsed, not {other:?}"),
        }
        Ok(())
    }

    /// Adds the records of a chunk as far as they can be decompressed.
    fn add_chunk(&mut self, header: &ChunkHeader, data: &[u8]) -> Result<(), String> {
        let size = header.uncompressed_size;
        let Decompressed { bytes, problem } = match header.compression.as_str() {
            "" => {
                self.add_records(data)?;
                return check_crc(header, data);
            }
            "zstd" => decompress::zstd(data),
            "lz4" => decompress::lz4(data, size),
            other => return Err(format!("a chunk is compressed with `{other}`, which is unknown")),
        };
        let added = self.add_records(&bytes);
        if let Some(problem) = problem {
            return Err(format!("a chunk cannot be decompressed: {problem}"));
        }
        if bytes.len() as u64 != size {
            return Err(format!("a chunk has {} bytes of {size}", bytes.len()));
        }
        added?;
        check_crc(header, &bytes)
    }

    fn add_message(&mut self, id: u16, time: u64, bytes: Vec<u8>) -> Result<(), String> {
        let undeclared = || format!("a message of channel {id}, which is not declared");
        let channel = self.channels.get(&id).ok_or_else(undeclared)?;
        let type_name = type_name(&self.types, channel)?;
        let topic = self.recording.topic(&channel.topic, type_name);
        if (self.wanted)(&self.recording.topics[topic]) {
            check_encoding(channel)?;
            let time = i64::try_from(time).map_err(|_| format!("{time} ns is no time"))?;
            self.recording.add_message(topic, time, bytes);
        }
        Ok(())
    }
}

/// Refuses a chunk that was damaged; 0 stands for no checksum.
fn check_crc(header: &ChunkHeader, bytes: &[u8]) -> Result<(), String> {
    match header.uncompressed_crc {
        0 => Ok(()),
        expected if crc32fast::hash(bytes) == expected => Ok(()),
        _ => Err("a chunk is damaged: its checksum differs".into()),
    }
}

/// The header of a chunk that was cut, and the data that is there.
fn chunk_parts(body: &[u8]) -> Result<(ChunkHeader, &[u8]), String> {
    // Fixed part: two times, the size and the CRC of the decompressed data, the length of the name.
    const COMPRESSION_AT: usize = 32;
    const CUT: &str = "it ends in the header of a chunk";
    let u32_at = |at: usize| {
        let bytes = body.get(at..at + 4).and_then(|bytes| bytes.first_chunk()).ok_or(CUT)?;
        Ok::<_, &str>(u32::from_le_bytes(*bytes))
    };
    let u64_at = |at: usize| {
        let bytes = body.get(at..at + 8).and_then(|bytes| bytes.first_chunk()).ok_or(CUT)?;
        Ok::<_, &str>(u64::from_le_bytes(*bytes))
    };
    let size_at = COMPRESSION_AT + u32_at(COMPRESSION_AT - 4)? as usize;
    let compression = body.get(COMPRESSION_AT..size_at).ok_or(CUT)?;
    let header = ChunkHeader {
        message_start_time: u64_at(0)?,
        message_end_time: u64_at(8)?,
        uncompressed_size: u64_at(16)?,
        uncompressed_crc: u32_at(24)?,
        compression: String::from_utf8(compression.to_vec()).map_err(|e| e.to_string())?,
        compressed_size: u64_at(size_at)?,
    };
    Ok((header, &body[size_at + 8..]))
}

/// The type of a channel; empty for one without a schema, which MCAP numbers 0.
fn type_name<'a>(types: &'a HashMap<u16, String>, channel: &Channel) -> Result<&'a str, String> {
    match channel.schema_id {
        0 => Ok(""),
        id => types
            .get(&id)
            .map(String::as_str)
            .ok_or_else(|| format!("{}: schema {id} is not declared", channel.topic)),
    }
}

fn check_encoding(channel: &Channel) -> Result<(), String> {
    let (topic, encoding) = (&channel.topic, &channel.message_encoding);
    if encoding == "cdr" {
        return Ok(());
    }
    Err(format!("{topic}: encoding `{encoding}`, not cdr"))
}
