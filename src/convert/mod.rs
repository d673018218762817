//! Messages to core types and back. Input is checked and refused with the field, the value and the range; output cannot
//! fail.

pub mod change;
pub mod frames;
pub mod joints;
mod limits;
pub mod moveit;
pub mod object;
pub mod point_cloud;
pub mod pose;
pub mod proximity;
mod refusal;
pub mod surface;

pub use limits::Limits;
pub use refusal::{Refusal, Status};

use crate::interfaces::std_msgs::msg::Header;

/// A header without time.
pub fn header(frame: &str) -> Header {
    Header { frame_id: frame.to_string(), ..Header::default() }
}
