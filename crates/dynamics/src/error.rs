//! Why forces or motions could not be computed.

use crate::mass::MassError;
use smooth_scene_robot::StateError;

/// What is wrong, with names and values.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// A link whose mass cannot be computed from its surfaces.
    #[error("link `{link}`: {source}")]
    LinkMass {
        /// The link.
        link: String,
        /// Why.
        source: MassError,
    },
    /// A body whose mass cannot be computed from its surfaces.
    #[error("object `{object}`: {source}")]
    ObjectMass {
        /// The object.
        object: String,
        /// Why.
        source: MassError,
    },
    /// Positions, velocities or poses that do not fit the robot.
    #[error(transparent)]
    State(#[from] StateError),
    /// A vector of the wrong length.
    #[error("{what}: {given} numbers given, {expected} expected")]
    Length {
        /// Which vector.
        what: &'static str,
        /// How many it has to have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// A number that is not finite.
    #[error("{what}[{index}] is {value}, must be finite")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// Where in it.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A joint that moves nothing that has mass: a force on it has no finite answer.
    #[error(
        "joint `{joint}`: what it moves has no inertia about or along its axis ({value:e}), so no acceleration can be computed"
    )]
    NoInertia {
        /// The joint.
        joint: String,
        /// The inertia that was found.
        value: f64,
    },
    /// A joint that cannot be driven, or not so.
    #[error("drive of joint `{joint}`: {reason}")]
    Drive {
        /// The joint.
        joint: String,
        /// Why.
        reason: &'static str,
    },
    /// The joints together have a mass matrix that is not positive definite.
    #[error("the mass matrix is not positive definite: some joints move nothing that has mass")]
    SingularMass,
}
