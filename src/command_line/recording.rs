//! What recordings of movements and of simulations have in common: their clock, and the transforms of a robot.

use super::joint_state::stamp;
use crate::convert::pose::transform_message;
use crate::interfaces::geometry_msgs::msg::TransformStamped;
use crate::interfaces::tf2_msgs::msg::TFMessage;
use crate::robot::{RobotState, StateError};

/// Time of the first message, ns since the epoch: the start of 2026. Not the clock, so that the same run gives the same
/// recording.
pub(crate) const START: i64 = 1_767_225_600_000_000_000;

/// The time of a message so many seconds after the first.
pub(crate) fn time_after(seconds: f64) -> i64 {
    START + (seconds * 1e9).round() as i64
}

/// Every link of a state in the frame of its parent.
pub(crate) fn link_transforms(state: &RobotState) -> Result<Vec<TransformStamped>, StateError> {
    let model = state.model();
    let poses = state.link_poses()?;
    let transform = |id| {
        let parent = model.parent_link(id)?;
        let pose = poses[parent].inv_mul(&poses[id]);
        Some(transform_message(&model.link(parent).name, &model.link(id).name, &pose))
    };
    Ok(model.link_ids().filter_map(transform).collect())
}

/// A message of transforms at one time.
pub(crate) fn transforms_at(mut transforms: Vec<TransformStamped>, time: i64) -> TFMessage {
    transforms.iter_mut().for_each(|transform| transform.header.stamp = stamp(time));
    TFMessage { transforms }
}
