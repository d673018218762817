//! The executable `scene_node` with real peers: Cyclone DDS in C and in Python, and Fast DDS, each in its own process, on
//! the loopback interface. What crosses the wire is what ROS 2 nodes on these would send. Behind the feature `external-tests`; needs
//! what `tests/robots/install.sh` installs.

mod bursts;
mod clouds;
mod conversation;
mod faults;
mod grasp;
mod load;
mod load_files;
mod network;
mod node;
mod peer;
mod restarts;
mod robustness;
mod transforms;
mod two_machines;
mod type_hashes;
