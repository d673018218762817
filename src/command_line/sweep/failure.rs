//! Why a run ended.

use crate::command_line::program::{INTERRUPTED, USAGE_OR_FILE_ERROR};
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Failure {
    #[error("{0}: {1}")]
    Robot(String, String),
    #[error("{0}")]
    State(String),
    #[error("{}: {reason}", file.display())]
    File { file: PathBuf, reason: String },
    /// Interrupted before there was a result.
    #[error("stopped {0}")]
    Stopped(String),
    /// Two runs whose times say nothing about each other.
    #[error("the runs do not compare: {0}")]
    Incomparable(String),
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// The exit code of a run that ended so.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Stopped(_) => INTERRUPTED,
            Failure::Robot(..)
            | Failure::State(_)
            | Failure::File { .. }
            | Failure::Incomparable(_)
            | Failure::Other(_) => USAGE_OR_FILE_ERROR,
        }
    }

    pub fn file(file: impl Into<PathBuf>, reason: impl ToString) -> Self {
        Self::File { file: file.into(), reason: reason.to_string() }
    }
}
