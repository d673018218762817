//! The node as a managed node, if the parameter `lifecycle` says so: it starts unconfigured, and answers and publishes only
//! while it is active.
//!
//! | state | questions | changes of the scene | publishes |
//! |---|---|---|---|
//! | unconfigured, finalized | refused | refused | diagnostics, log, parameter events |
//! | inactive | refused | on topics, so that it is ready | the same |
//! | active | answered | on topics and by services | everything |
//!
//! Parameters, robot descriptions, joint states and frames are taken in every state: latched messages come once.

mod machine;
mod node_state;
mod services;

pub use machine::{Outcome, State, Transition};
pub(super) use node_state::Lifecycle;
pub(super) use services::{LifecycleHooks, LifecycleServer, for_each_lifecycle_service};
