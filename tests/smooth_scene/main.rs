//! The node and the programs: services, messages, transports, recordings, the command line.
//!
//! The feature `external-tests` adds the tests that need what `tests/robots/install.sh` installs.

#[cfg(all(feature = "external-tests", feature = "bags"))]
mod bags;
mod call;
mod cli;
mod cli_robot;
mod cloth;
mod demo_bag;
mod demo_robot;
mod documented_commands;
mod documents;
mod fit;
#[cfg(feature = "external-tests")]
mod fit_cloud;
mod fitted_robots;
mod icub_upper_body;
mod interface_files;
#[cfg(feature = "external-tests")]
mod interop;
mod joint_sweep;
mod joint_sweep_input;
#[cfg(feature = "external-tests")]
mod launch;
mod layouts;
mod node;
mod plan;
mod random_message;
#[cfg(feature = "external-tests")]
mod rosidl;
mod scene_node;
mod services;
mod simulate;
mod transport;
#[cfg(feature = "external-tests")]
mod wire;
