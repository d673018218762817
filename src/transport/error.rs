//! Why a transport could not do what was asked.

use std::fmt::Display;

/// Why a transport could not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A name ROS does not permit.
    #[error("`{name}` is no ROS name: {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The middleware refused.
    #[error("{what}: {reason}")]
    Middleware {
        /// What was tried.
        what: String,
        /// What it said.
        reason: String,
    },
    /// The interface was not installed when this was built, so the middleware does not know it.
    #[error("`{type_name}` was not installed when this was built")]
    NotInstalled {
        /// The type.
        type_name: String,
    },
    /// Nobody answered in time.
    #[error("no answer from service `{service}` within {seconds} s")]
    NoAnswer {
        /// The service.
        service: String,
        /// How long was waited.
        seconds: f64,
    },
}

impl TransportError {
    /// The middleware refused, and said why.
    pub(super) fn middleware(what: &str, reason: impl Display) -> Self {
        Self::Middleware { what: what.to_owned(), reason: reason.to_string() }
    }

    /// Something was asked of a node that was shut down.
    pub(super) fn shut_down(what: &str) -> Self {
        Self::middleware(what, "the node was shut down")
    }
}
