//! Changes of the scene, applied in order: all of them, or none.

use crate::convert::change::apply;
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::srv::{self, ApplySceneRequest, ApplySceneResponse};
use crate::convert::{Refusal, Status};
use crate::node::{Context, Service};

/// `~/apply_scene`.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApplyScene;

/// Which change was refused, and why.
struct RefusedChange {
    place: u32,
    refusal: Refusal,
}

impl From<crate::scene::NoRobot> for RefusedChange {
    fn from(none: crate::scene::NoRobot) -> Self {
        Self { place: 0, refusal: none.into() }
    }
}

impl Service for ApplyScene {
    type Type = srv::ApplyScene;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: ApplySceneRequest,
    ) -> Result<ApplySceneResponse, Refusal> {
        let present = context.snapshot()?;
        if request.changes.is_empty() {
            return Ok(done(present.revision));
        }
        let changed = context.store.change(|scene| {
            let given = JointState::default();
            let poses = context.link_poses(scene, &given);
            for (place, change) in (0u32..).zip(&request.changes) {
                let refused = |refusal| RefusedChange { place, refusal };
                apply(scene, change, &context.frames(&poses), context.limits).map_err(refused)?;
            }
            Ok(())
        });
        Ok(match changed {
            Ok((_, snapshot)) => done(snapshot.revision),
            Err(RefusedChange { place, refusal }) => ApplySceneResponse {
                status: refusal.status as u8,
                message: refusal.within(format!("changes[{place}]")).message,
                refused_change: place,
                revision: present.revision,
            },
        })
    }

    fn refuse(&self, refusal: Refusal) -> ApplySceneResponse {
        ApplySceneResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..ApplySceneResponse::default()
        }
    }

    fn refusal(response: &ApplySceneResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn done(revision: u64) -> ApplySceneResponse {
    ApplySceneResponse { revision, status: Status::Ok as u8, ..ApplySceneResponse::default() }
}
