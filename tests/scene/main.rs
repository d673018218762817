//! The planning scene: edits, questions against brute force, motions against dense sampling.

#[path = "../support/hands.rs"]
mod hands;

mod edits;
mod motion;
mod motion_kinds;
mod queries;
mod sampling;
mod srdf_files;
