//! Why there is no path.

use std::fmt;

use smooth_scene_scene::SceneError;

/// The start or the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// The start.
    Start,
    /// The goal.
    Goal,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Endpoint::Start => "start",
            Endpoint::Goal => "goal",
        })
    }
}

/// Why there is no path. Nothing unproven is ever returned in its place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The SRDF has no such group.
    #[error("there is no group `{name}`{}", listed(known))]
    UnknownGroup {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// No joint of the group can be set.
    #[error("{} has no joint that can be moved", group.as_ref().map_or("the robot".into(), |name| format!("group `{name}`")))]
    NothingMoves {
        /// The group; the whole robot without one.
        group: Option<String>,
    },
    /// Start and goal differ in a number that the planner may not change.
    #[error(
        "`{name}` is {start} at the start and {goal} at the goal, but it is not in the group that is planned for"
    )]
    FixedNumberDiffers {
        /// Name of the number.
        name: String,
        /// At the start.
        start: f64,
        /// At the goal.
        goal: f64,
    },
    /// A joint of the start or the goal is outside its limits.
    #[error("{which}: joint `{joint}` is at {value}, outside [{lower}, {upper}]")]
    OutOfLimits {
        /// Which of the two.
        which: Endpoint,
        /// The joint.
        joint: String,
        /// Its position.
        value: f64,
        /// Its lower limit.
        lower: f64,
        /// Its upper limit.
        upper: f64,
    },
    /// The robot touches something at the start or the goal.
    #[error("{which}: `{body_a}` and `{body_b}` are in contact or closer than the margin")]
    InCollision {
        /// Which of the two.
        which: Endpoint,
        /// One body.
        body_a: String,
        /// The other.
        body_b: String,
    },
    /// The start or the goal does not satisfy a constraint on the path.
    #[error("{which}: does not satisfy constraint {constraint} on the path")]
    ConstraintViolated {
        /// Which of the two.
        which: Endpoint,
        /// Its place among [`PlanOptions::constraints`](crate::PlanOptions::constraints).
        constraint: usize,
    },
    /// No state was found in which the link has the pose.
    #[error(
        "link `{link}` does not reach the pose: from {starts} random starts the nearest is {distance} m and {angle} rad away"
    )]
    PoseOutOfReach {
        /// The link.
        link: String,
        /// How many starts were tried beside the present state.
        starts: u32,
        /// What was left of the translation, m.
        distance: f64,
        /// What was left of the rotation, rad.
        angle: f64,
    },
    /// The link reaches the pose, but in no state that was found is the robot free.
    #[error(
        "link `{link}` reaches the pose only with `{body_a}` and `{body_b}` in contact or closer than the margin"
    )]
    PoseInCollision {
        /// The link.
        link: String,
        /// One body, of the first state found.
        body_a: String,
        /// The other.
        body_b: String,
    },
    /// A constraint on a number that does not change evenly.
    #[error("joint constraint on `{name}`: a number of a quaternion has no range of its own")]
    QuaternionRange {
        /// Name of the number.
        name: String,
    },
    /// A setting out of its range.
    #[error("{field} is {value}, must be {range}")]
    BadOption {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The budget was spent before start and goal were connected. There may be a path all the same.
    #[error(
        "no connection of start and goal within {states} checked states ({proofs} edges were sent to be proven, {refuted} of them refuted)"
    )]
    NoConnection {
        /// States checked.
        states: u64,
        /// Proofs tried.
        proofs: u64,
        /// Proofs that failed.
        refuted: u64,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The scene refused a question.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

fn listed(known: &[String]) -> String {
    if known.is_empty() {
        ", the SRDF has none".into()
    } else {
        format!(", the SRDF has: {}", known.join(", "))
    }
}

impl PlanError {
    /// Whether the question itself was refused: names, limits, settings. Otherwise it was understood, and no path
    /// was found.
    pub fn is_bad_input(&self) -> bool {
        match self {
            PlanError::InCollision { .. }
            | PlanError::ConstraintViolated { .. }
            | PlanError::PoseInCollision { .. }
            | PlanError::NoConnection { .. }
            | PlanError::Cancelled => false,
            PlanError::UnknownGroup { .. }
            | PlanError::NothingMoves { .. }
            | PlanError::FixedNumberDiffers { .. }
            | PlanError::OutOfLimits { .. }
            | PlanError::PoseOutOfReach { .. }
            | PlanError::QuaternionRange { .. }
            | PlanError::BadOption { .. }
            | PlanError::Scene(_) => true,
        }
    }
}
