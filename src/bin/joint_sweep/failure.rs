//! Why a run ended.

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
    /// By Ctrl-C, before there was anything to tell.
    #[error("stopped {0}")]
    Stopped(String),
    #[error("{0}")]
    Other(String),
}

impl Failure {
    pub fn file(file: impl Into<PathBuf>, reason: impl ToString) -> Self {
        Self::File { file: file.into(), reason: reason.to_string() }
    }
}
