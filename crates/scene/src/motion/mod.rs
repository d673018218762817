//! Is a motion free? A path of waypoints, straight in joint space between them, checked continuously.

mod answer;
mod moving;
mod search;
mod segment;

pub use answer::{MotionAnswer, MotionRequest};

use crate::error::SceneError;
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;
use search::Search;

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
