//! Why a request is refused before it is sent.

use serde::de;
use std::fmt;

/// What is wrong, and where.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(pub String);

impl Refusal {
    pub fn new(path: &str, reason: impl fmt::Display) -> Self {
        Self(format!("{path}: {reason}"))
    }
}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}
