//! What the services of the scene node answer: against the library itself, and every refusal in its exact words.

mod bench;
pub mod clouds;
mod distances;
mod garbage;
mod grasps;
mod joints;
mod markers;
mod motions;
mod moveit;
mod plans;
mod points;
mod scenes;
mod states;
