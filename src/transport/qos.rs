//! Quality of service of a topic.

/// Quality of service of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Qos {
    /// Whether lost samples are sent again.
    pub reliability: Reliability,
    /// Whether late subscribers get the last samples.
    pub durability: Durability,
    /// How many samples are kept.
    pub depth: usize,
}

/// Whether lost samples are sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reliability {
    /// They are not.
    BestEffort,
    /// They are.
    Reliable,
}

/// Whether late subscribers get the last samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// They do not.
    Volatile,
    /// They do: the topic is latched.
    TransientLocal,
}

impl Qos {
    /// Best effort, of which the last `depth` samples are kept.
    pub const fn best_effort(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::BestEffort, Durability::Volatile);
        Self { reliability, durability, depth }
    }

    /// Reliable, of which the last `depth` samples are kept.
    pub const fn reliable(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::Reliable, Durability::Volatile);
        Self { reliability, durability, depth }
    }

    /// Reliable, and late subscribers get the last `depth` samples.
    pub const fn latched(depth: usize) -> Self {
        let (reliability, durability) = (Reliability::Reliable, Durability::TransientLocal);
        Self { reliability, durability, depth }
    }
}
