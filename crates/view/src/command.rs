//! The commands of a viewer.

use serde::{Deserialize, Serialize};

use super::error::ViewError;
use super::game::GameCommand;
use super::json::json;
use super::sketch::SketchCommand;
use super::wire::{PoseData, ShapeInput};
use smooth_scene_robot::GeometrySource;

/// One message of a viewer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    /// Plays the movement from its current time.
    Play {},
    /// Pauses the movement.
    Pause {},
    /// Goes to a time of the movement, in s, and pauses.
    Seek { time: f64 },
    /// Playback speed; 1 is real time.
    Speed { factor: f64 },
    /// Follows the live robot.
    Follow {},
    /// Sets one joint variable, within its limits.
    SetJoint { name: String, value: f64 },
    /// Lists pairs between these bodies in the viewer's own table: links, objects or groups; empty for all.
    Between { a: Vec<String>, b: Vec<String> },
    /// Distance below which a pair is close, m.
    CloseDistance { distance: f64 },
    /// Changes the scene.
    Edit {
        #[serde(default)]
        gesture: Option<u32>,
        edit: Edit,
    },
    /// Puts the objects of a world file in place of those of the scene. Comes as a file, not as a message.
    #[serde(skip)]
    LoadWorld { text: String },
    /// Fits surfaces to the meshes of a link or of all links, which replace their collision shapes.
    Fit(FitRequest),
    /// Ends the fit that is running.
    CancelFit {},
    /// Moves the robot to these positions.
    SetState { positions: Vec<f64> },
    /// Moves the robot so that a link is as near to this pose as it gets; of a group only if one is named.
    Reach { link: String, pose: PoseData, group: Option<String> },
    /// Plans a motion, and plays it.
    Plan(PlanRequest),
    /// Ends the plan that is running.
    CancelPlan {},
    /// Goes back from a plan to the movement there was before, if any.
    RemovePlan {},
    /// Simulates the scene.
    Simulate(SimulateRequest),
    /// Does something with the cloth.
    Cloth { act: ClothCommand },
    /// Draws a robot.
    Sketch(SketchCommand),
    /// Plays the game.
    Game(GameCommand),
    /// Undoes the last edit.
    Undo {},
    /// Redoes the last undone edit.
    Redo {},
}

/// What to fit.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FitRequest {
    /// The link; none for the whole robot.
    pub link: Option<String>,
    #[serde(default)]
    pub from: FitSource,
    /// Most surfaces of all links together.
    pub surfaces: Option<usize>,
    /// Mean outward distance that is good enough for a link, m.
    pub tolerance: Option<f64>,
}

/// What to plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanRequest {
    /// The joints that may move; none for all.
    pub group: Option<String>,
    /// Positions of the whole robot.
    pub from: Vec<f64>,
    pub to: Vec<f64>,
    /// The link whose way is shown; none for the one that is furthest from the root.
    pub link: Option<String>,
    /// Start of the random sequence.
    pub seed: Option<u64>,
}

/// What a viewer wants of the simulation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub(super) enum SimulateRequest {
    /// Begins from what is shown, paused, in place of the simulation there may be.
    Start {
        /// Springs that hold the robot, Hz; none: it falls.
        hold: Option<f64>,
        /// Objects that stand still.
        #[serde(default)]
        fixed: Vec<String>,
        /// Young's modulus, Pa.
        young: f64,
        friction: f64,
        restitution: f64,
        /// Semi-implicit steps of this length, s; none: steps of bounded error.
        step: Option<f64>,
    },
    Play {},
    Pause {},
    Step {
        seconds: f64,
    },
    Reset {},
    /// Simulated seconds per second.
    Rate {
        factor: f64,
    },
    /// A force (N, world frame) at a point in the frame of the body.
    Push {
        body: String,
        point: [f64; 3],
        force: [f64; 3],
        seconds: f64,
    },
    /// Ends it; everything stays where it is.
    End {},
}

/// What a viewer does with the cloth.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClothCommand {
    /// A new one above the scene, which begins to fall.
    Drop { vertices: usize },
    /// Lets it move.
    Play {},
    /// Stops it.
    Pause {},
    /// Takes it away.
    Remove {},
    /// Holds a vertex at a point of the world.
    Hold { row: usize, column: usize, at: [f64; 3] },
    /// Lets a vertex go.
    Release { row: usize, column: usize },
    /// A floor and 81 superellipsoids in place of the objects of the scene.
    Terrain {},
}

/// Which meshes of a link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FitSource {
    #[default]
    Collision,
    Visual,
}

impl From<FitSource> for GeometrySource {
    fn from(source: FitSource) -> Self {
        match source {
            FitSource::Collision => GeometrySource::Collision,
            FitSource::Visual => GeometrySource::Visual,
        }
    }
}

/// A change of the scene. Surfaces are identified by their link and index.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Edit {
    /// Changes the shape of a surface.
    SurfaceShape { link: String, index: usize, shape: ShapeInput },
    /// Changes the pose of a surface in its link.
    SurfacePose { link: String, index: usize, pose: PoseData },
    /// Replaces a surface by one of this kind that encloses it.
    EncloseSurface { link: String, index: usize, kind: String },
    /// Adds a surface to a link.
    AddSurface { link: String, pose: PoseData, shape: ShapeInput },
    /// Removes a surface.
    RemoveSurface { link: String, index: usize },
    /// Adds an object to the world.
    AddObject { name: String, pose: PoseData, shape: ShapeInput },
    /// Changes the pose of an object: in the world, or in the link that carries it.
    ObjectPose { name: String, pose: PoseData },
    /// Replaces all shapes of an object by one.
    ObjectShape { name: String, shape: ShapeInput },
    /// Replaces all shapes of an object by one of this kind that encloses them.
    EncloseObject { name: String, kind: String },
    /// Removes an object from the world or from the robot.
    RemoveObject { name: String },
    /// Attaches a world object to a link, in its current pose.
    AttachObject { name: String, link: String },
    /// Detaches an object, in its current pose.
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
