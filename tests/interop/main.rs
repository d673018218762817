//! The executable `scene_node` with real peers: Cyclone DDS in C and in Python, and Fast DDS, each in its own process, on
//! the loopback interface. What crosses the wire is what ROS 2 nodes on these would send. Behind the feature `external-tests`; needs
//! what `tests/robots/install.sh` installs.
#![cfg(feature = "external-tests")]

mod conversation;
mod faults;
mod grasp;
#[path = "../support/hex.rs"]
mod hex;
mod load;
mod load_files;
#[path = "../support/movement.rs"]
mod movement;
mod node;
mod peer;
mod restarts;
#[path = "../support/robots_venv.rs"]
mod robots_venv;
