//! zstd and LZ4 of whole files, chunks and single messages, in pure Rust.
//!
//! Recordings are often cut. Both decoders therefore return what they decoded together with the error that stopped them.

use std::io::Read;

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// First bytes of a zstd frame. CDR begins with a zero, MCAP with 0x89 and SQLite with `S`: there is no confusion.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Maximum decompressed size of a file or a message, in bytes: a small file can claim any size.
pub(super) const MAX_BYTES: u64 = 4 << 30;

/// An empty last block of a zstd frame, with room for a checksum. Closes a frame that was cut.
const ZSTD_END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Decoded data, and what stopped the decoder before the end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Decompressed {
    pub(super) bytes: Vec<u8>,
    pub(super) problem: Option<String>,
}

pub(super) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD_MAGIC)
}

/// Decodes all zstd frames of the input.
pub(super) fn zstd(mut packed: &[u8]) -> Decompressed {
    let mut bytes = Vec::new();
    while !packed.is_empty() {
        if let Err(problem) = zstd_frame(&mut packed, &mut bytes) {
            return Decompressed { bytes, problem: Some(problem) };
        }
        if bytes.len() as u64 > MAX_BYTES {
            let problem = Some(format!("decompresses to more than {MAX_BYTES} bytes"));
            return Decompressed { bytes: Vec::new(), problem };
        }
    }
    Decompressed { bytes, problem: None }
}

/// Decodes one frame and advances `packed` past it. On error the blocks before the damaged one were appended.
fn zstd_frame(packed: &mut &[u8], bytes: &mut Vec<u8>) -> Result<(), String> {
    let frame = *packed;
    let start = bytes.len();
    let mut decoder = FrameDecoder::new();
    if let Err(error) = decoder.init(&mut *packed) {
        return skip_frame(&error, packed);
    }
    while !decoder.is_finished() {
        let decoded = decoder.decode_blocks(&mut *packed, BlockDecodingStrategy::UptoBlocks(1));
        if let Err(error) = decoded {
            bytes.truncate(start);
            append_first_blocks(frame, decoder.blocks_decoded(), bytes)?;
            return Err(error.to_string());
        }
        decoder.collect_to_writer(&mut *bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MAX_BYTES {
            // The caller reports it.
            return Ok(());
        }
    }
    match decoder.get_checksum_from_data() {
        Some(expected) if decoder.get_calculated_checksum() != Some(expected) => {
            Err("the zstd checksum does not match".into())
        }
        Some(_) | None => Ok(()),
    }
}

/// Skips a frame without data; any other error is returned as text.
fn skip_frame(error: &FrameDecoderError, packed: &mut &[u8]) -> Result<(), String> {
    use ruzstd::decoding::errors::FrameDecoderError::ReadFrameHeaderError as Header;
    if let Header(ReadFrameHeaderError::SkipFrame { length, .. }) = error {
        *packed = packed.get(*length as usize..).ok_or("a skippable zstd frame was cut")?;
        return Ok(());
    }
    Err(error.to_string())
}

/// Appends the first blocks of a frame. The decoder keeps its window back until the frame ends, so the frame is ended
/// after them.
fn append_first_blocks(mut frame: &[u8], blocks: usize, bytes: &mut Vec<u8>) -> Result<(), String> {
    let mut decoder = FrameDecoder::new();
    decoder.init(&mut frame).map_err(|e| e.to_string())?;
    for _ in 0..blocks {
        let one = BlockDecodingStrategy::UptoBlocks(1);
        decoder.decode_blocks(&mut frame, one).map_err(|e| e.to_string())?;
    }
    let end = BlockDecodingStrategy::All;
    decoder.decode_blocks(&ZSTD_END[..], end).map_err(|e| e.to_string())?;
    decoder.collect_to_writer(bytes).map_err(|e| e.to_string())?;
    Ok(())
}

/// Decodes the LZ4 frames of a chunk of this decompressed size.
pub(super) fn lz4(packed: &[u8], size: u64) -> Decompressed {
    let mut bytes = Vec::new();
    let mut decoder = lz4_flex::frame::FrameDecoder::new(packed).take(size.min(MAX_BYTES));
    let problem = decoder.read_to_end(&mut bytes).err().map(|error| error.to_string());
    Decompressed { bytes, problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn noise(count: u32) -> Vec<u8> {
        (0..count).flat_map(|k| k.wrapping_mul(2654435761).to_le_bytes()).collect()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    #[test]
    fn a_cut_zstd_frame_gives_its_beginning_and_the_problem() {
        let text = noise(400_000);
        let packed = packed(&text);
        assert!(is_zstd(&packed));
        assert_eq!(zstd(&packed), Decompressed { bytes: text.clone(), problem: None });
        let part = zstd(&packed[..packed.len() / 2]);
        assert!(part.problem.is_some());
        // All whole blocks (128 KiB at most) of the half that is there.
        assert!(part.bytes.len() > text.len() / 2 - (1 << 18), "{}", part.bytes.len());
        assert!(text.starts_with(&part.bytes));
    }

    #[test]
    fn several_zstd_frames_are_one_text_and_skippable_frames_are_skipped() {
        let (first, second) = (noise(100), noise(7000));
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
        let all = [packed(&first), skippable.to_vec(), packed(&second)].concat();
        let expected = [first, second].concat();
        assert_eq!(zstd(&all), Decompressed { bytes: expected, problem: None });
    }

    #[test]
    fn a_wrong_zstd_checksum_is_a_problem() {
        let text = noise(1000);
        let mut packed = packed(&text);
        let last = packed.len() - 1;
        packed[last] ^= 1;
        assert!(zstd(&packed).problem.is_some_and(|problem| problem.contains("checksum")));
    }

    #[test]
    fn input_that_is_no_frame_is_a_problem_and_no_panic() {
        assert!(zstd(b"\x28\xb5\x2f\xfdnonsense").problem.is_some());
        assert!(lz4(b"\x04\x22\x4d\x18nonsense", 100).problem.is_some());
    }

    #[test]
    fn a_cut_lz4_frame_gives_its_beginning() {
        use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};
        use std::io::Write;
        let text = noise(200_000);
        let blocks = FrameInfo::new().block_size(BlockSize::Max64KB);
        let mut encoder = FrameEncoder::with_frame_info(blocks, Vec::new());
        encoder.write_all(&text).unwrap();
        let packed = encoder.finish().unwrap();
        let size = text.len() as u64;
        assert_eq!(lz4(&packed, size), Decompressed { bytes: text.clone(), problem: None });
        let part = lz4(&packed[..packed.len() / 2], size);
        assert!(!part.bytes.is_empty() && part.bytes.len() < text.len());
        assert!(text.starts_with(&part.bytes));
    }
}
