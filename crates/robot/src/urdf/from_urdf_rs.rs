//! Robots that a program holds as `urdf_rs::Robot`, as the crates around `k` and OpenRR do.

use super::{LoadOptions, LoadedRobot, UrdfError, parse_urdf};

/// Loads a robot that `urdf-rs` has read or that a program has built with its types. `label` stands for the file in
/// messages.
///
/// `urdf-rs` keeps no elements that it does not know, so smooth surfaces come from [`LoadOptions::sidecar`]. Lines in
/// messages are those of the text that `urdf-rs` writes; it is [`LoadedRobot::document`].
pub fn from_urdf_rs(
    robot: &urdf_rs::Robot,
    label: &str,
    options: &LoadOptions,
) -> Result<LoadedRobot, UrdfError> {
    let text = urdf_rs::write_to_string(robot).map_err(|error| UrdfError::Unreadable {
        file: label.into(),
        reason: format!("urdf-rs cannot write it: {error}"),
    })?;
    parse_urdf(&text, label, options)
}
