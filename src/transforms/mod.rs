//! Frames of `/tf` and `/tf_static`: what was published, kept for a while, and the transform between any two frames at a
//! time.
//!
//! - [`TransformBuffer`] is the pure part.
//! - [`Transforms`] is one that threads share, and that says when something new arrived.

mod buffer;
mod error;
mod history;

pub use buffer::{TransformBuffer, Validity, When};
pub use error::{TransformError, TransformProblem};

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::bell::Bell;

/// A buffer that threads share.
#[derive(Debug, Default)]
pub struct Transforms {
    buffer: Mutex<TransformBuffer>,
    generation: AtomicU64,
    /// Rings when transforms were added.
    pub(crate) updated: Bell,
}

impl Transforms {
    /// The buffer, locked: held for one look-up or one message.
    pub fn buffer(&self) -> MutexGuard<'_, TransformBuffer> {
        // Every change of it is complete before the next can panic.
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that transforms were added: questions that could not be answered before are asked again.
    pub fn announce(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.updated.ring();
    }

    /// A number that is another one after transforms were added.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests;
