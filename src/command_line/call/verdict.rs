//! Whether a service did what was asked.

/// Whether the node did what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    Refused,
}
