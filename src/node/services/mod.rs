//! One file per service: request in, response out.

mod apply_planning_scene;
mod apply_scene;
mod check_motion;
mod check_multi_state_validity;
mod check_state_validity;
mod check_states;
mod get_distance;
mod get_planning_scene;
mod get_scene;
mod question;
mod validity;

pub use apply_planning_scene::ApplyPlanningScene;
pub use apply_scene::ApplyScene;
pub use check_motion::CheckMotion;
pub use check_multi_state_validity::CheckMultiStateValidity;
pub use check_state_validity::CheckStateValidity;
pub use check_states::CheckStates;
pub use get_distance::GetDistance;
pub use get_planning_scene::GetPlanningScene;
pub use get_scene::GetScene;
pub(super) use question::current_poses;
