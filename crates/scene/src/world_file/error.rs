//! What can be wrong with a world file.

use smooth_scene_robot::values::Refusal;

use crate::SceneError;

/// Why a world file was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldFileError {
    /// The file is unreadable or does not fit its format.
    #[error("{file}: {refusal}")]
    Refused {
        /// The file.
        file: String,
        /// The field, and what is wrong with it.
        refusal: Refusal,
    },
    /// An object does not fit the scene.
    #[error("{file}: object `{name}`: {source}")]
    Object {
        /// The file.
        file: String,
        /// The object.
        name: String,
        /// Why.
        source: Box<SceneError>,
    },
    /// The objects do not fit the scene together.
    #[error("{file}: {source}")]
    Scene {
        /// The file.
        file: String,
        /// Why.
        source: Box<SceneError>,
    },
    /// A shape that no field describes.
    #[error("object `{name}` cannot be written: {reason} has no name in files")]
    Unwritable {
        /// The object.
        name: String,
        /// What it is.
        reason: &'static str,
    },
}
