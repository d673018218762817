//! What is wrong, and with which part of a file.

use std::fmt;

/// What is wrong, and with which part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The place: `hand[0].radii[1]`.
    pub path: String,
    /// What is wrong there, with the value and what it may be.
    pub reason: String,
}

impl Refusal {
    /// A refusal of the value at a path.
    pub fn new(path: &str, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.reason),
            path => write!(f, "{path}: {}", self.reason),
        }
    }
}

impl std::error::Error for Refusal {}
