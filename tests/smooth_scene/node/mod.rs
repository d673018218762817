//! The scene node on a bus within the process: every behaviour that does not need a network.

mod answers;
mod descriptions;
mod faults;
mod load;
mod parameters;
mod rig;
mod scene;
mod telling;
mod time;
mod view;
