//! The planning scene: edits, questions against brute force, motions against dense sampling.
//!
//! The feature `external-tests` adds the comparisons that need what `tests/robots/install.sh` installs.

mod batch;
#[cfg(feature = "external-tests")]
mod coal;
mod continuous_and_discrete;
mod edits;
mod limits;
mod motion;
mod motion_kinds;
mod points;
mod queries;
mod same_bits;
mod sampling;
mod srdf_files;
mod two_hand_grasp;
mod world_file;
