//! All that a viewer may ask for.

use serde::{Deserialize, Serialize};

use super::error::ViewError;
use super::wire::{PoseData, ShapeInput};

/// One message of a viewer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    /// Plays the movement on from where it is.
    Play {},
    /// Stops it there.
    Pause {},
    /// Goes to a moment of the movement and stays there, s.
    Seek { time: f64 },
    /// Plays faster or slower than it is; 1 is as it is.
    Speed { factor: f64 },
    /// Shows where the robot is, as it moves by itself.
    Follow {},
    /// Puts one joint, or one variable of a joint with several, somewhere within its limits.
    SetJoint { name: String, value: f64 },
    /// Looks for pairs between these bodies: links, objects or groups; empty for all.
    Between { a: Vec<String>, b: Vec<String> },
    /// What counts as close, m.
    CloseDistance { distance: f64 },
    /// Changes the scene.
    Edit {
        #[serde(default)]
        gesture: Option<u32>,
        edit: Edit,
    },
    /// Takes the last edit back.
    Undo {},
    /// Does it again.
    Redo {},
}

/// A change of the scene. Surfaces are named by their link and their place on it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Edit {
    /// Another shape for a surface.
    SurfaceShape { link: String, index: usize, shape: ShapeInput },
    /// Another place for a surface, in its link.
    SurfacePose { link: String, index: usize, pose: PoseData },
    /// One more surface on a link.
    AddSurface { link: String, pose: PoseData, shape: ShapeInput },
    /// One surface less.
    RemoveSurface { link: String, index: usize },
    /// One more object in the world.
    AddObject { name: String, pose: PoseData, shape: ShapeInput },
    /// Another place for an object of the world.
    ObjectPose { name: String, pose: PoseData },
    /// Another shape for an object of the world; it then has that shape alone.
    ObjectShape { name: String, shape: ShapeInput },
    /// Takes an object out of the scene, from the world or from the robot.
    RemoveObject { name: String },
    /// Fixes an object of the world to a link, where it is now.
    AttachObject { name: String, link: String },
    /// Leaves an attached object in the world, where it is now.
    DetachObject { name: String },
}

impl Command {
    /// Reads a message.
    pub fn parse(text: &str) -> Result<Self, ViewError> {
        serde_json::from_str(text).map_err(|error| ViewError::BadMessage(error.to_string()))
    }
}

/// The answer to a command that was not carried out.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "refused")]
pub(super) struct Refused {
    pub reason: String,
}

impl Refused {
    /// The answer as text.
    pub fn text(error: &ViewError) -> String {
        json(&Refused { reason: error.to_string() })
    }
}

/// A message as text. Our own structs have no maps with other keys than text and no numbers that JSON lacks, or those
/// become `null`: writing them does not fail.
pub(super) fn json(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default()
}
