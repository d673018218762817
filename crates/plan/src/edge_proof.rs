//! The answer about an edge, and how to stop looking for it.

use crate::certificate::SegmentCertificate;

/// Whether the caller wants an answer no more. Asked often, so it has to be quick.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// The answer about an edge.
#[derive(Debug, Clone, PartialEq)]
pub enum EdgeProof {
    /// Free in continuous time.
    Proven(SegmentCertificate),
    /// Not free, or it could not be decided: the edge may not be used.
    Refuted,
    /// The caller asked to stop.
    Cancelled,
}
