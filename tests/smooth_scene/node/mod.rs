//! The scene node on a bus within the process: every behaviour that does not need a network.

mod answers;
mod clouds;
mod descriptions;
mod faults;
mod lifecycle;
mod load;
mod missing_interfaces;
mod parameters;
mod rig;
mod scene;
mod service_events;
mod simulation;
mod sketch;
mod telling;
mod time;
mod transforms;
mod view;
