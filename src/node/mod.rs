//! The scene node: messages in, answers out, on any [`Transport`](super::transport::Transport).
//!
//! - [`SceneNode`] starts and ends it all.
//! - [`SceneStore`](crate::scene::SceneStore) keeps the scene; questions are answered on snapshots of it, changes make the
//!   next one.
//! - [`JointMonitor`] keeps what is known of the current state.
//! - [`Service`] is one kind of question; each has a file of its own in [`services`]; [`topics`] are what MoveIt sends unasked.
//! - [`parameters`] are declared in one table.

mod cancellation;
mod changes;
mod clock;
mod constraints;
mod core;
mod counters;
mod descriptions;
mod diagnostics;
mod joint_monitor;
pub mod lifecycle;
mod listening;
mod log;
mod monitor;
pub mod parameters;
mod parked;
mod pool;
mod publishing;
mod scene_node;
mod scene_publisher;
mod second_model;
mod service;
mod service_events;
pub mod services;
mod serving;
mod simulating;
mod simulator;
mod threads;
pub mod topics;
mod transform_listener;
mod view;
mod visibility;

pub use cancellation::{Cancellation, Work};
pub use clock::Clock;
pub use joint_monitor::JointMonitor;
pub use log::Rosout;
pub use scene_node::{SceneNode, StartError};
pub use second_model::SecondModel;
pub use service::{Availability, Context, Effort, Endpoint, Request, Response, Service};
pub use simulator::Simulator;
