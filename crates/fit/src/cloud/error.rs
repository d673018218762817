//! Clouds that cannot be used.

use std::path::PathBuf;

/// A cloud that cannot be read or fitted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CloudError {
    /// The file could not be read, or is not what its name says.
    #[error("{}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The line or field, the value, and what is wrong with it.
        reason: String,
    },
    /// A number outside its range.
    #[error("{field} is {value}, must be {range}")]
    BadOption {
        /// The option.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range, in words.
        range: &'static str,
    },
    /// The caller ended it.
    #[error("cancelled")]
    Cancelled,
}
