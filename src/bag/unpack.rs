//! zstd, of whole files and of single messages.

use super::{Message, Recording};
use std::io::Read;

/// First bytes of a zstd frame. CDR begins with a zero, MCAP with 0x89 and SQLite with `S`: there is no confusion.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Most bytes a file or a message may unpack to: a small file can claim to be any size.
pub(super) const MOST_BYTES: u64 = 4 << 30;

pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// What is in a zstd frame as far as it can be read, and what stopped it.
pub(super) fn unpack(packed: &[u8]) -> (Vec<u8>, Option<String>) {
    let mut bytes = Vec::new();
    let decoder = match zstd::stream::read::Decoder::new(packed) {
        Ok(decoder) => decoder,
        Err(error) => return (bytes, Some(error.to_string())),
    };
    match decoder.take(MOST_BYTES + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MOST_BYTES => {
            bytes.clear();
            (bytes, Some(format!("unpacks to more than {MOST_BYTES} bytes")))
        }
        Ok(_) => (bytes, None),
        Err(error) => (bytes, Some(error.to_string())),
    }
}

/// Adds a message, unpacked if it is packed; one that cannot be unpacked is a problem of the recording.
pub(super) fn add(recording: &mut Recording, topic: usize, time: i64, mut bytes: Vec<u8>) {
    if is_packed(&bytes) {
        let (whole, problem) = unpack(&bytes);
        if let Some(problem) = problem {
            let name = recording.topics.get(topic).map_or("", |topic| topic.name.as_str());
            let line = format!("{name}: a message at {time} ns cannot be unpacked: {problem}");
            recording.problems.push(line);
            return;
        }
        bytes = whole;
    }
    recording.messages.push(Message { topic, time, bytes });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_was_cut_gives_its_beginning_and_says_so() {
        let text: Vec<u8> =
            (0..400_000u32).flat_map(|k| k.wrapping_mul(2654435761).to_le_bytes()).collect();
        let packed = zstd::encode_all(&text[..], 1).unwrap();
        assert!(is_packed(&packed));
        assert_eq!(unpack(&packed), (text.clone(), None));
        let (part, problem) = unpack(&packed[..packed.len() / 2]);
        assert!(problem.is_some());
        assert!(!part.is_empty() && text.starts_with(&part));
    }

    #[test]
    fn what_is_no_frame_is_a_problem_and_no_panic() {
        assert!(unpack(b"\x28\xb5\x2f\xfdnonsense").1.is_some());
    }
}
