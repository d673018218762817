//! Why there is no transform between two frames.

use std::fmt;

/// Which transform was asked for, and why there is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no transform from `{source_frame}` to `{target_frame}`: {problem}")]
pub struct TransformError {
    /// The frame in which the pose was wanted.
    pub target_frame: String,
    /// The frame whose pose was wanted.
    pub source_frame: String,
    /// Why there is none.
    pub problem: TransformProblem,
}

impl TransformError {
    pub(super) fn new(target: &str, source: &str, problem: TransformProblem) -> Self {
        Self { target_frame: target.into(), source_frame: source.into(), problem }
    }
}

/// Why there is no transform. Times are nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransformProblem {
    /// Nothing was published about a frame.
    Unknown {
        /// The frame.
        frame: String,
    },
    /// The frames belong to different trees.
    NotConnected {
        /// The root of the tree of the target.
        target_root: String,
        /// The root of the tree of the source.
        source_root: String,
    },
    /// What was published makes a frame its own ancestor.
    Loop {
        /// A frame on the way.
        frame: String,
    },
    /// The time is before the oldest transform that is kept.
    TooOld {
        /// The parent of the frame.
        parent: String,
        /// The frame whose transforms are too new.
        child: String,
        /// The time that was asked for.
        wanted: i64,
        /// The time of the oldest transform.
        oldest: i64,
    },
    /// The time is after the newest transform that was received.
    TooNew {
        /// The parent of the frame.
        parent: String,
        /// The frame whose transforms are too old.
        child: String,
        /// The time that was asked for.
        wanted: i64,
        /// The time of the newest transform.
        newest: i64,
    },
}

impl fmt::Display for TransformProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { frame } => {
                write!(f, "frame `{frame}` is unknown")
            }
            Self::NotConnected { target_root, source_root } => {
                write!(
                    f,
                    "they are not connected: one is below `{target_root}`, the other below "
                )?;
                write!(f, "`{source_root}`")
            }
            Self::Loop { frame } => write!(f, "frame `{frame}` is its own ancestor"),
            Self::TooOld { parent, child, wanted, oldest } => {
                write!(f, "time {} is too old: ", Seconds(*wanted))?;
                write!(f, "the transform from `{child}` to `{parent}` is kept from time ")?;
                write!(f, "{} on, {} later", Seconds(*oldest), Length(*oldest, *wanted))
            }
            Self::TooNew { parent, child, wanted, newest } => {
                write!(f, "time {} is too far in the future: ", Seconds(*wanted))?;
                write!(f, "the last transform from `{child}` to `{parent}` is of time ")?;
                write!(f, "{}, {} earlier", Seconds(*newest), Length(*wanted, *newest))
            }
        }
    }
}

/// A time in seconds with all its digits.
struct Seconds(i64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, rest) = (self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000));
        write!(f, "{seconds}.{rest:09}")
    }
}

/// The seconds from the second time to the first.
struct Length(i64, i64);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.0.abs_diff(self.1) as f64 * 1e-9)
    }
}
