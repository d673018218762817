//! Why the scene refused a change or a question.

use smooth_scene_geometry::ShapeError;
use smooth_scene_geometry::broad_phase::BroadPhaseError;
use smooth_scene_robot::StateError;

/// A change or a question that makes no sense for this scene. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// No object of the world has this name.
    #[error("the world has no object `{name}`")]
    UnknownObject {
        /// The name.
        name: String,
    },
    /// No attached object has this name.
    #[error("no object `{name}` is attached to the robot")]
    NotAttached {
        /// The name.
        name: String,
    },
    /// The robot has no such link.
    #[error("the robot has no link `{name}`")]
    UnknownLink {
        /// The name.
        name: String,
    },
    /// Another robot has no place for an object that is attached.
    #[error("object `{object}` is attached to link `{link}`, which the new robot does not have")]
    CarrierGone {
        /// The object.
        object: String,
        /// The link.
        link: String,
    },
    /// Neither link, nor object, nor group, nor frame.
    #[error("there is no {kind} `{name}`")]
    UnknownName {
        /// What was looked for.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The name is taken.
    #[error("the name `{name}` is taken by {by}")]
    NameTaken {
        /// The name.
        name: String,
        /// What has it.
        by: &'static str,
    },
    /// A name that cannot be one.
    #[error("an object may not be named \"{name}\": {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// An object without shapes, or with too many.
    #[error("object `{name}` has {count} shapes, must have 1 to {max}")]
    ShapeCount {
        /// The object.
        name: String,
        /// How many it has.
        count: usize,
        /// How many it may have.
        max: usize,
    },
    /// A pose that is none.
    #[error("{what} of `{name}` is {value}, must be {range}")]
    BadPose {
        /// Which pose.
        what: &'static str,
        /// The object.
        name: String,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// A number out of its range.
    #[error("{field} of `{name}` is {value}, must be {range}")]
    BadValue {
        /// Which number.
        field: &'static str,
        /// The link or pair it belongs to.
        name: String,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A padding or margin that a shape cannot be grown by.
    #[error("`{name}` cannot be padded by {padding} m: {source}")]
    BadPadding {
        /// The link or object.
        name: String,
        /// Padding and margins of the pair with the most of them, m.
        padding: f64,
        /// Why, with the permitted range.
        source: ShapeError,
    },
    /// A shape that cannot be scaled as asked.
    #[error("`{name}`: {source}")]
    Shape {
        /// The link or object.
        name: String,
        /// What is wrong.
        source: ShapeError,
    },
    /// A joint position that is none, or the wrong number of them.
    #[error(transparent)]
    State(#[from] StateError),
    /// More objects or boxes than the broad phase takes.
    #[error(transparent)]
    BroadPhase(#[from] BroadPhaseError),
    /// One change of several was refused, and with it all of them.
    #[error("change {place} of {count}: {source}")]
    InSeveral {
        /// Which of them, from 1.
        place: usize,
        /// How many there are.
        count: usize,
        /// Why.
        source: Box<SceneError>,
    },
    /// A motion without a beginning and an end.
    #[error("a motion needs at least two waypoints, {count} given")]
    TooFewWaypoints {
        /// How many were given.
        count: usize,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}
