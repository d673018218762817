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
    /// A kind that is not fitted to points.
    #[error(
        "kind `{kind}` is not fitted to points, must be sphere, ellipsoid, superellipsoid or superovoid"
    )]
    BadKind {
        /// Its name.
        kind: &'static str,
    },
    /// A surface of the robot that cannot be padded.
    #[error("robot: {reason}")]
    Robot {
        /// Its kind, the value, and the range.
        reason: String,
    },
    /// A point that is not finite, or too far away.
    #[error("point {index} is {point:?}, must be within 1e5 m")]
    BadPoint {
        /// Its place in the list, from 0.
        index: usize,
        /// Its coordinates, m.
        point: [f64; 3],
    },
    /// The caller ended it.
    #[error("cancelled")]
    Cancelled,
}
