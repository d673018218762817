//! A state of the robot as a message.

use crate::interfaces::builtin_interfaces::msg::Time;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::std_msgs::msg::Header;
use crate::robot::RobotState;
use std::time::SystemTime;

/// A moment in nanoseconds since the epoch, as a stamp.
pub(crate) fn stamp(time: i64) -> Time {
    Time { sec: (time / 1_000_000_000) as i32, nanosec: (time % 1_000_000_000) as u32 }
}

/// The positions of all joints that have one, as a message.
pub(crate) fn joint_state(state: &RobotState, time: Time) -> JointState {
    let header = Header { stamp: time, ..Header::default() };
    let name = state.model().variable_names().to_vec();
    JointState { header, name, position: state.positions().to_vec(), ..JointState::default() }
}

/// The time of the system as a stamp.
pub(crate) fn system_stamp() -> Time {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    stamp(now.expect("the clock is not set to before 1970").as_nanos() as i64)
}
