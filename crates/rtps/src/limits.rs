//! How much memory others can make us take.

use std::time::Duration;

/// Limits of a participant. The defaults suit robots with maps and point clouds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest sample that is received, in bytes.
    pub sample_bytes: usize,
    /// Incomplete and out-of-order samples that are held for one peer, in bytes.
    pub bytes_per_peer: usize,
    /// Out-of-order samples that are held for one writer.
    pub samples_per_writer: usize,
    /// Samples that a reliable reader holds for the application. Further ones are left to the writer.
    pub queued_samples: usize,
    /// The same in bytes.
    pub queued_bytes: usize,
    /// Samples that a volatile writer holds for readers that have not acknowledged them, in bytes.
    pub written_bytes: usize,
    /// Peers that are known at once.
    pub peers: usize,
    /// Endpoints that are known of one peer.
    pub endpoints_per_peer: usize,
    /// Endpoints that are known in all.
    pub endpoints: usize,
    /// How long a sample waits for a recipient that is not known yet.
    pub recipient_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1 << 20;
        Self {
            sample_bytes: 64 * MIB,
            bytes_per_peer: 128 * MIB,
            samples_per_writer: 4096,
            queued_samples: 4096,
            queued_bytes: 128 * MIB,
            written_bytes: 256 * MIB,
            peers: 512,
            endpoints_per_peer: 2048,
            endpoints: 16_384,
            recipient_wait: Duration::from_secs(5),
        }
    }
}
