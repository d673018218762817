//! LZF, the compression of PCD files (M. Lehmann, liblzf).
//!
//! The stream is a series of runs. A control byte c below 32 is followed by c + 1 literal bytes. Otherwise c and the bytes
//! after it are a copy from what was written before: of length (c >> 5) + 2, or if c >> 5 is 7 of 9 plus the next byte; from
//! 1 + ((c & 31) << 8) + (the last byte) bytes back.

/// Decompresses to exactly `length` bytes, which the caller has checked to be a reasonable number.
pub(super) fn decompress(bytes: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(length);
    let mut rest = bytes.iter().copied();
    let damaged = |out: &[u8], what: &str| {
        Err(format!("compressed data: {what} after {} of {length} bytes", out.len()))
    };
    while let Some(control) = rest.next() {
        if control < 32 {
            let run = usize::from(control) + 1;
            if rest.len() < run {
                return damaged(&out, "ends");
            }
            out.extend(rest.by_ref().take(run));
        } else {
            let mut run = usize::from(control >> 5) + 2;
            if run == 9 {
                let Some(more) = rest.next() else { return damaged(&out, "ends") };
                run += usize::from(more);
            }
            let Some(low) = rest.next() else { return damaged(&out, "ends") };
            let back = 1 + (usize::from(control & 31) << 8) + usize::from(low);
            if back > out.len() {
                return damaged(&out, "refers to before its beginning");
            }
            // Source and target may overlap: byte by byte.
            for _ in 0..run {
                out.push(out[out.len() - back]);
            }
        }
        if out.len() > length {
            return damaged(&out[..length], "goes on");
        }
    }
    match out.len() == length {
        true => Ok(out),
        false => damaged(&out, "ends"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_overlapping_copies_are_undone() {
        // "abc", then 5 bytes from 3 back, then 9 + 1 bytes from 1 back.
        let bytes = [2, b'a', b'b', b'c', 3 << 5, 2, 7 << 5, 1, 0];
        assert_eq!(decompress(&bytes, 18).unwrap(), b"abcabcabbbbbbbbbbb");
    }

    #[test]
    fn damage_is_refused() {
        let error = |bytes: &[u8], length| decompress(bytes, length).unwrap_err();
        assert!(error(&[2, 1], 3).contains("ends after 0 of 3"));
        assert!(error(&[0, 1, 1 << 5], 9).contains("ends after 1 of 9"));
        assert!(error(&[0, 1, 1 << 5, 1], 4).contains("before its beginning"));
        assert!(error(&[0, 1, 1 << 5, 0], 3).contains("goes on"));
        assert!(error(&[0, 1], 2).contains("ends after 1 of 2"));
    }
}
