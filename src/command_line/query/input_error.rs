//! Why a line cannot be answered.

use crate::robot::values::Refusal;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InputError(pub String);

impl From<Refusal> for InputError {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.to_string())
    }
}
