//! The messages and services on the wire.
//!
//! Ours mirror the files in `msg/` and `srv/` field by field; what the fields mean is said there. Standard messages come
//! from `ros2-interfaces-jazzy-serde`.

pub use ros2_interfaces_jazzy_serde::{
    builtin_interfaces, diagnostic_msgs, geometry_msgs, moveit_msgs, object_recognition_msgs,
    octomap_msgs, rcl_interfaces, rosgraph_msgs, sensor_msgs, shape_msgs, std_msgs, tf2_msgs,
    trajectory_msgs, visualization_msgs,
};

pub mod msg;
pub mod srv;
