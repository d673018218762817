//! See the scene in a browser, move the robot, and correct its surfaces while watching the contacts.
//!
//! A [`ViewServer`] serves a page that is built into the binary, and exchanges JSON with it over a WebSocket. It reads a
//! [`SceneStore`](smooth_scene_scene::SceneStore) through snapshots, on threads of its own: queries of others never wait
//! for it.
//!
//! - `stage` is the thread that computes what is shown: `playback` (which state), `frame` (what is near in it), `curve`
//!   (the least distance over a whole movement), `history` (edits, undo and redo), `filters` (whose table lists what).
//! - `command` lists the commands of viewers, `picture` what the scene looks like, `wire` shapes and poses as JSON.
//! - `server`, `viewer` and `guard` are the network: routes, one connection, and who may connect; `channels` is what they
//!   exchange with the stage.
//! - `meshes` reads the meshes of links, `fitting` fits surfaces to them, `fit_report` says how well, `cover` and `cover_answer`
//!   how much of a mesh the surfaces contain. `enclosing` finds one surface around a shape, `visuals` has the robot's visual meshes.
//! - `planning` plans a proven motion to a state and plays it; `plan_job` is what runs on its thread, and `work` one thread that
//!   fits or plans and can be cancelled.
//! - `simulating` plays a simulation of the scene that viewers push.
//! - `cloth` moves a cloth over the scene, on a thread of its own.
//! - `sketch` is a robot that is drawn: strokes become bones, joints and surfaces, and are written as URDF and SRDF.
//! - `game` is a game to play with shapes: catch marked falling bodies with a hand of the robot.
//! - `page` lists the files of `web/`: plain ES modules that draw with WebGL 2, served as they are.
//!
//! Everything sent is the latest state of something, so there are no queues: a slow viewer skips frames, and one that
//! accepts no data is disconnected.

mod channels;
mod cloth;
mod command;
mod cover;
mod cover_answer;
mod curve;
mod enclosing;
mod error;
mod export;
mod filters;
mod fit_report;
mod fitting;
mod frame;
mod game;
mod guard;
mod history;
mod host;
mod json;
mod meshes;
mod page;
mod picture;
mod plan_job;
mod planning;
mod playback;
mod server;
mod simulating;
mod sketch;
mod stage;
mod viewer;
mod visuals;
mod wire;
mod work;

pub use error::ViewError;
pub use fit_report::FitRow;
pub use host::{Describe, Described, Geometry, LivePositions, OnPositions, ViewHost, ViewOptions};
pub use server::ViewServer;
