//! The scene node on a bus within the process: every behaviour that does not need a network.

mod answers;
mod descriptions;
mod parameters;
mod rig;
