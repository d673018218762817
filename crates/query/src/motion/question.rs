//! What is asked about a motion, and the answer.

use crate::api::options::QueryOptions;
use crate::api::result::SignedDistance;

/// What to find out about a motion that stays free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionGoal {
    /// Only that it is free; the closest approach is the nearest of the moments visited.
    FirstContact,
    /// Also when and how close the bodies pass, over the whole motion, with a proven bound.
    ClosestApproach,
}

/// Tolerances and limits of a continuous query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionOptions {
    /// Options of the distance queries.
    pub query: QueryOptions,
    /// Distance, in multiples of the larger bounding radius, at which bodies count as touching. The proven free time
    /// ends before the contact by about this distance divided by the closing speed. 1e-9 leaves a factor ten to the
    /// default gap of the distance queries.
    pub contact_tolerance: f64,
    /// Width of the proven bound on the closest approach, in multiples of the larger of bounding radii and distance.
    pub closest_tolerance: f64,
    /// What to find out about a free motion.
    pub goal: MotionGoal,
    /// Distance queries before the answer is returned as far as it is proven. Ten are typical; a motion that grazes
    /// a body for long, or one without acceleration bounds, takes hundreds.
    pub max_queries: u32,
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self {
            query: QueryOptions::default(),
            contact_tolerance: 1e-9,
            closest_tolerance: 1e-6,
            goal: MotionGoal::ClosestApproach,
            max_queries: 2000,
        }
    }
}

/// How far the answer of a continuous query is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionStatus {
    /// The first contact was found, or the whole motion is proven free and what was asked about it is known.
    Converged,
    /// The work budget ran out, of this query or of a distance query it made. `free_until` and `lower` hold; beyond
    /// `free_until` nothing is proven, and a `time`, if there is one, is a contact that could not be ruled out.
    BudgetExhausted,
}

/// The answer of a continuous query over t ∈ [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeOfImpact {
    /// The first contact: the first time at which the distance is within the contact tolerance, then refined towards
    /// zero distance. `None` when there is none before `free_until`.
    pub time: Option<f64>,
    /// The bodies are proven not to touch on [0, `free_until`).
    pub free_until: f64,
    /// The moment `distance` describes: the contact, or the closest approach of a free motion.
    pub closest_time: f64,
    /// Distance, witnesses and normal at that moment, world frame.
    pub distance: SignedDistance,
    /// No moment of the motion up to the first contact has a smaller signed distance (of the whole motion, when free).
    pub lower: f64,
    /// How far the answer is proven.
    pub status: MotionStatus,
    /// Distance queries made.
    pub iterations: u32,
}
