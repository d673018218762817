//! Planning in scenes of our own making: paths, proofs, refusals.
//!
//! The feature `external-tests` adds the comparison with Pinocchio, which needs what `tests/robots/install.sh` installs.

mod blends;
mod cancelling;
mod certificates;
mod clearance;
mod constraints;
mod first_proven;
mod floating;
mod levels;
mod many_questions;
mod paths;
#[cfg(feature = "external-tests")]
mod pinocchio;
mod poses;
mod refusals;
mod scenes;
mod trajectories;
