//! The scene node: messages in, answers out, on any [`Transport`](super::transport::Transport).
//!
//! - [`SceneStore`](crate::scene::SceneStore) keeps the scene; questions are answered on snapshots of it, changes make the
//!   next one.
//! - [`JointMonitor`] keeps what is known of the current state.
//! - [`Service`] is one kind of question; each has a file of its own in [`services`].

mod constraints;
mod joint_monitor;
mod limits;
mod refusal;
mod service;
pub mod services;
pub mod topics;

pub use joint_monitor::JointMonitor;
pub use limits::Limits;
pub use refusal::{Refusal, Status};
pub use service::{Context, Effort, Service};
