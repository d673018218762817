//! Why a request was not answered. A request that cannot be answered never looks like "free".

use crate::scene::{NoRobot, SceneError};

/// The first field of every response of ours. The numbers are those of the interface files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// No answer.
    NotComputed = 0,
    /// The answer is complete.
    Ok = 1,
    /// The request makes no sense.
    Refused = 2,
    /// No robot description yet.
    NoRobot = 3,
    /// Joints are missing or stale.
    NoState = 4,
    /// Too many requests are waiting.
    Overloaded = 5,
    /// A frame of the request is not known, or not at its time.
    NoTransform = 6,
    /// The node is managed, and not active.
    Inactive = 7,
}

/// Why a request was not answered, in a number and in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of reason.
    pub status: Status,
    /// The reason: which field, which value, what would be right.
    pub message: String,
}

impl Refusal {
    /// The refusal in a response with this status and message; none if the status is OK.
    pub fn of_response(status: u8, message: &str) -> Option<Self> {
        let status = match status {
            1 => return None,
            2 => Status::Refused,
            3 => Status::NoRobot,
            4 => Status::NoState,
            5 => Status::Overloaded,
            6 => Status::NoTransform,
            7 => Status::Inactive,
            // Zero, and whatever a later version may add: no answer.
            _ => Status::NotComputed,
        };
        Some(Self { status, message: message.into() })
    }

    /// The request makes no sense.
    pub fn bad_request(reason: impl std::fmt::Display) -> Self {
        Self { status: Status::Refused, message: reason.to_string() }
    }

    /// The same refusal, with the place it is about in front.
    pub fn within(self, place: impl std::fmt::Display) -> Self {
        Self { message: format!("{place}: {}", self.message), ..self }
    }

    /// The current state is not known.
    pub fn no_state(reason: impl std::fmt::Display) -> Self {
        Self { status: Status::NoState, message: reason.to_string() }
    }

    /// A frame of the request is not known, or not at its time.
    pub fn no_transform(reason: impl std::fmt::Display) -> Self {
        Self { status: Status::NoTransform, message: reason.to_string() }
    }

    /// The node is managed, and not active.
    pub fn inactive(state: &str) -> Self {
        let message = format!("the node is {state}, must be active: see ros2 lifecycle set");
        Self { status: Status::Inactive, message }
    }

    /// Too many requests are waiting.
    pub fn overloaded(waiting: usize) -> Self {
        let message = format!("{waiting} requests are waiting already; ask again");
        Self { status: Status::Overloaded, message }
    }

    /// The node goes away.
    pub fn shutting_down() -> Self {
        Self { status: Status::NotComputed, message: "the node is shutting down".into() }
    }

    /// The node failed to answer a request it should have answered.
    pub fn failed(reason: impl std::fmt::Display) -> Self {
        Self { status: Status::NotComputed, message: reason.to_string() }
    }
}

impl From<NoRobot> for Refusal {
    fn from(none: NoRobot) -> Self {
        Self { status: Status::NoRobot, message: none.to_string() }
    }
}

impl From<SceneError> for Refusal {
    fn from(error: SceneError) -> Self {
        Self::bad_request(error)
    }
}
