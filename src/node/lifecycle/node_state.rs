//! The state that the node is in.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::machine::State;
use crate::convert::Refusal;

/// The state of the node. A node that is not managed is active from the beginning.
#[derive(Debug)]
pub(in crate::node) struct Lifecycle {
    state: Mutex<State>,
}

impl Lifecycle {
    /// A node that somebody manages.
    pub fn managed() -> Self {
        Self { state: Mutex::new(State::Unconfigured) }
    }

    /// A node that nobody manages.
    pub fn unmanaged() -> Self {
        Self { state: Mutex::new(State::Active) }
    }

    /// The state now.
    pub fn state(&self) -> State {
        *self.lock()
    }

    /// Whether questions are answered and the scene is published.
    pub fn is_active(&self) -> bool {
        self.state() == State::Active
    }

    /// Refuses a question unless the node is active.
    pub fn check_active(&self) -> Result<(), Refusal> {
        match self.state() {
            State::Active => Ok(()),
            state => Err(Refusal::inactive(state.label())),
        }
    }

    /// Refuses a change of the scene by a message unless the node is configured.
    pub fn check_configured(&self) -> Result<(), Refusal> {
        match self.state() {
            State::Active | State::Inactive => Ok(()),
            state => Err(Refusal::inactive(state.label())),
        }
    }

    /// The state, held while a transition is carried out.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
