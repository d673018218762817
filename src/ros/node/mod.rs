//! The scene node: messages in, answers out, on any [`Transport`](super::transport::Transport).
//!
//! - [`SceneNode`] starts and ends it all.
//! - [`SceneStore`](crate::scene::SceneStore) keeps the scene; questions are answered on snapshots of it, changes make the
//!   next one.
//! - [`JointMonitor`] keeps what is known of the current state.
//! - [`Service`] is one kind of question; each has a file of its own in [`services`].
//! - [`parameters`] are declared in one table.

mod bell;
mod clock;
mod core;
mod counters;
mod descriptions;
mod diagnostics;
mod joint_monitor;
mod limits;
mod log;
pub mod parameters;
mod pool;
mod refusal;
mod scene_node;
mod service;
pub mod services;
mod serving;
mod threads;

pub use clock::Clock;
pub use joint_monitor::JointMonitor;
pub use limits::Limits;
pub use log::Rosout;
pub use refusal::{Refusal, Status};
pub use scene_node::{SceneNode, StartError};
pub use service::{Context, Effort, Service};
