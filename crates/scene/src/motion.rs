//! Is a motion free? A path of waypoints, straight in joint space between them, checked continuously.

use super::check::CheckRequest;
use super::error::SceneError;
use super::motion_search::Search;
use super::nearest::Proximity;
use super::planning_scene::PlanningScene;
use super::workspace::Workspace;
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
    pub closest: Option<Proximity>,
    /// No moment before `free_until` has a smaller signed distance. Tight when the closest approach was asked for;
    /// otherwise a by-product, and zero at most times when there are objects in the world.
    pub lower: f64,
    /// Whether everything asked for is proven.
    pub status: MotionStatus,
    /// Continuous queries made on pairs.
    pub pair_queries: u32,
}

impl PlanningScene {
    /// Checks a path of waypoints, self and world, continuously.
    pub fn check_motion(
        &self,
        waypoints: &[impl AsRef<[f64]>],
        request: &MotionRequest,
    ) -> Result<MotionAnswer, SceneError> {
        if waypoints.len() < 2 {
            return Err(SceneError::TooFewWaypoints { count: waypoints.len() });
        }
        let mut ws = Workspace::cold();
        for waypoint in waypoints {
            ws.poses.update(self.model(), waypoint.as_ref())?;
        }
        let end = (waypoints.len() - 1) as f64;
        let mut search = Search::new(self, request, end);
        search.start(waypoints[0].as_ref(), &mut ws)?;
        for (index, pair) in waypoints.windows(2).enumerate() {
            if search.cut <= index as f64 {
                break;
            }
            search.segment(index as f64, pair[0].as_ref(), pair[1].as_ref(), &mut ws)?;
        }
        search.answer(waypoints, &mut ws)
    }
}
