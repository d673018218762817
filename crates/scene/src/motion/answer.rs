//! What can be asked about a motion, and the answer.

use crate::check::CheckRequest;
use crate::pair_distance::PairDistance;
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};

/// What to find out about a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionRequest {
    /// Between whom.
    pub check: CheckRequest,
    /// Tolerances; the goal says whether the closest approach of a free motion is wanted.
    pub options: MotionOptions,
}

impl Default for MotionRequest {
    fn default() -> Self {
        let options = MotionOptions { goal: MotionGoal::FirstContact, ..MotionOptions::default() };
        Self { check: CheckRequest::default(), options }
    }
}

/// What was found out about a motion. Times count waypoints: 2.25 is a quarter of the way from the third waypoint to
/// the fourth.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionAnswer {
    /// The first contact, if there is one before `free_until` ends the proof.
    pub first_contact: Option<f64>,
    /// The motion is proven free on [0, `free_until`).
    pub free_until: f64,
    /// The moment `closest` describes: the first contact, or the nearest moment found.
    pub closest_time: f64,
    /// The pair at that moment; none when no pair is looked at. For a free motion it is the closest approach if that
    /// was asked for, otherwise the nearest pair at the start.
    pub closest: Option<PairDistance>,
    /// No moment before `free_until` has a smaller signed distance. Tight when the closest approach was asked for;
    /// otherwise a by-product, and zero at most times when there are objects in the world.
    pub lower: f64,
    /// Whether everything asked for is proven.
    pub status: MotionStatus,
    /// Continuous queries made on pairs.
    pub pair_queries: u32,
}
