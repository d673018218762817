//! The planning scene: edits, questions against brute force, motions against dense sampling.

#[path = "../support/hands.rs"]
mod hands;
#[cfg(feature = "external-tests")]
#[path = "../support/robots_venv.rs"]
mod robots_venv;

mod edits;
mod motion;
mod motion_kinds;
mod queries;
mod sampling;
mod srdf_files;
