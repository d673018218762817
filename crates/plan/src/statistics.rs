//! What planning took.

/// What planning took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanStatistics {
    /// Random points drawn.
    pub iterations: u64,
    /// States checked.
    pub states: u64,
    /// Edges sent to be proven.
    pub proofs: u64,
    /// Of these, refuted.
    pub refuted: u64,
}
