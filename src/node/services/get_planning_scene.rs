//! What the scene consists of, in the messages of MoveIt. A scene that cannot be described, because there is no robot,
//! has no robot's name.

use crate::convert::moveit::scene::scene_message;
use crate::interfaces::moveit_msgs::srv::{self, GetPlanningSceneRequest, GetPlanningSceneResponse};
use crate::convert::Refusal;
use crate::node::{Context, Service};

/// `get_planning_scene`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GetPlanningScene;

impl Service for GetPlanningScene {
    type Type = srv::GetPlanningScene;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetPlanningSceneRequest,
    ) -> Result<GetPlanningSceneResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let (scene, components) = (&snapshot.scene, request.components.components);
        let known = context.joints.known(scene.model(), context.now, context.max_state_age);
        let scene = scene_message(scene, &known, components, context.limits.message_bytes)?;
        Ok(GetPlanningSceneResponse { scene })
    }

    fn refuse(&self, _: Refusal) -> GetPlanningSceneResponse {
        GetPlanningSceneResponse::default()
    }

    fn refusal(_: &GetPlanningSceneResponse) -> Option<Refusal> {
        None
    }
}
