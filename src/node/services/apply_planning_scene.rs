//! A whole scene, or what is different, in the messages of MoveIt: all of it, or nothing. The response has no room for
//! the reason, which goes to the log.

use crate::interfaces::moveit_msgs::srv::{self, ApplyPlanningSceneRequest, ApplyPlanningSceneResponse};
use crate::node::topics::on_planning_scene;
use crate::convert::Refusal;
use crate::node::{Context, Service};

/// `apply_planning_scene`.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApplyPlanningScene;

impl Service for ApplyPlanningScene {
    type Type = srv::ApplyPlanningScene;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: ApplyPlanningSceneRequest,
    ) -> Result<ApplyPlanningSceneResponse, Refusal> {
        on_planning_scene(context, &request.scene)?;
        Ok(ApplyPlanningSceneResponse { success: true })
    }

    fn refuse(&self, _: Refusal) -> ApplyPlanningSceneResponse {
        ApplyPlanningSceneResponse { success: false }
    }

    fn refusal(response: &ApplyPlanningSceneResponse) -> Option<Refusal> {
        let reason = "the scene was not applied: see the log of the node";
        (!response.success).then(|| Refusal::bad_request(reason))
    }
}
