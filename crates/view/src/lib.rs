//! See the scene in a browser, move the robot, and correct its surfaces while watching the contacts.
//!
//! A [`ViewServer`] serves a page that is built into the binary, and speaks JSON over a WebSocket with it. It reads a
//! [`SceneStore`](smooth_scene_scene::SceneStore) through snapshots, on threads of its own: queries of others never wait
//! for it.
//!
//! - `stage` is the thread that computes what is shown: `playback` (which state), `frame` (what is near in it), `curve`
//!   (the least distance over a whole movement), `history` (edits, undo and redo).
//! - `command` lists the commands of viewers, `picture` what the scene looks like, `wire` shapes and poses as JSON.
//! - `server`, `viewer` and `guard` are the network: routes, one connection, and who may connect.
//!
//! Everything sent is the latest state of something, so there are no queues: a slow viewer skips frames, and one that
//! accepts no data is disconnected.

mod command;
mod curve;
mod error;
mod export;
mod frame;
mod guard;
mod history;
mod host;
mod page;
mod picture;
mod playback;
mod server;
mod stage;
mod viewer;
mod wire;

pub use error::ViewError;
pub use host::{Described, LivePositions, OnPositions, ViewHost, ViewOptions};
pub use server::ViewServer;
