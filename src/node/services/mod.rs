//! The table of services, and one file per service: request in, response out.
//!
//! What is offered, what `smooth_scene call` knows, and the table in `docs/node.md` follow from the table here.

mod planning;
mod pose_trajectory;
mod question;
mod validity;

use super::service::{Effort, Endpoint, Service};

/// Is shown every service by [`for_each_service`].
pub trait ServiceVisitor {
    /// Why the visit ends early.
    type Error;

    /// Takes one service and how it is offered.
    fn visit<S: Service>(
        &mut self,
        endpoint: &'static Endpoint,
        service: S,
    ) -> Result<(), Self::Error>;
}

macro_rules! services {
    ($($name:literal, $file:ident :: $service:ident, $effort:ident, $help:literal;)*) => {
        $(mod $file;
        pub use $file::$service;)*

        /// Shows every service to a visitor, in the order of the table.
        pub fn for_each_service<V: ServiceVisitor>(visitor: &mut V) -> Result<(), V::Error> {
            $(
                let endpoint = const { &Endpoint { name: $name, effort: Effort::$effort, help: $help } };
                visitor.visit(endpoint, $service)?;
            )*
            Ok(())
        }
    };
}

services! {
    "~/get_distance", get_distance::GetDistance, Short, "nearest pairs with bounds, witnesses, normals and gradients";
    "~/query_points", query_points::QueryPoints, Long, "points against the scene: distances, sides, normals";
    "~/grasp_quality", grasp_quality::GraspQuality, Long, "how well a hand holds an object: force closure, ε, weakest direction, gradients";
    "~/check_states", check_states::CheckStates, Long, "many states in one call, contacts per state";
    "~/check_motion", check_motion::CheckMotion, Long, "a trajectory, continuously: first contact and closest approach";
    "~/apply_scene", apply_scene::ApplyScene, Short, "changes of the scene: all of them or none";
    "~/get_scene", get_scene::GetScene, Short, "world and attached objects with typed surfaces";
    "~/plan_motion", plan_motion::PlanMotion, Long, "a path proven free, with times, or why there is none";
    "~/cancel_plans", cancel_plans::CancelPlans, Short, "ends all planning that is under way";
    "~/fit_cloud", fit_cloud::FitCloud, Long, "a point cloud into smooth objects: returned, added, or replacing a set";
    "~/simulate", simulate::Simulate, Long, "the scene in motion under gravity: start, play, pause, step, reset, push";
    "check_state_validity", check_state_validity::CheckStateValidity, Short, "one state, as MoveIt asks";
    "check_multi_state_validity", check_multi_state_validity::CheckMultiStateValidity, Long, "several states, as MoveIt asks";
    "apply_planning_scene", apply_planning_scene::ApplyPlanningScene, Short, "a full scene or a diff, as MoveIt sends it";
    "get_planning_scene", get_planning_scene::GetPlanningScene, Short, "the scene, as MoveIt asks for it";
    "plan_kinematic_path", plan_kinematic_path::PlanKinematicPath, Long, "a path proven free, as MoveIt asks for it";
}
