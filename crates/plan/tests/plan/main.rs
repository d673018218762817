//! Planning in scenes of our own making: paths, proofs, refusals.

mod blends;
mod certificates;
mod clearance;
mod constraints;
mod floating;
mod levels;
mod many_questions;
mod paths;
mod poses;
mod refusals;
mod scenes;
mod trajectories;
