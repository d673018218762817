//! Why a box or an id was refused.

use super::MAX_ID;

/// What a broad phase refuses; nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BroadPhaseError {
    /// A box with a NaN, with its ends swapped, or wholly at infinity.
    #[error(
        "box of object {id}: {axis} from {min} to {max}, must be min ≤ max, with min < ∞ and max > −∞"
    )]
    BadBox {
        /// The object.
        id: u32,
        /// "x", "y" or "z".
        axis: &'static str,
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// An id that would need huge arrays.
    #[error("object id {id} is too large, must be at most {MAX_ID}")]
    IdTooLarge {
        /// The id.
        id: u32,
    },
    /// An object of this id exists already.
    #[error("object id {id} is taken")]
    DuplicateId {
        /// The id.
        id: u32,
    },
    /// No object has this id.
    #[error("no object has id {id}")]
    UnknownId {
        /// The id.
        id: u32,
    },
    /// A pair of a box with itself, or with a box that does not exist.
    #[error("pair ({a}, {b}) is no pair of two of {count} boxes")]
    BadPair {
        /// First index.
        a: usize,
        /// Second index.
        b: usize,
        /// How many boxes there are.
        count: usize,
    },
    /// More boxes than a pair filter takes.
    #[error("{count} boxes are too many for a pair filter, must be at most {max}")]
    TooManyBoxes {
        /// How many boxes were asked for.
        count: usize,
        /// How many are permitted.
        max: usize,
    },
}
