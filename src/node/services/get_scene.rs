//! What the scene consists of.

use crate::convert::object::{attached_message, object_message};
use crate::interfaces::msg::{AllowedPair, LinkSize, PairMargin};
use crate::interfaces::srv::{self, GetSceneRequest, GetSceneResponse};
use crate::convert::{Refusal, Status};
use crate::node::{Context, Service};
use crate::scene::{Allowance, LinkSize as CoreSize, PlanningScene, SceneError};

/// `~/get_scene`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GetScene;

impl Service for GetScene {
    type Type = srv::GetScene;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: GetSceneRequest,
    ) -> Result<GetSceneResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        let model = scene.model();
        for id in &request.ids {
            if scene.world().find(id).is_none() && scene.attached_object(id).is_none() {
                let (kind, name) = ("object", id.clone());
                return Err(SceneError::UnknownName { kind, name }.into());
            }
        }
        let wanted = |id: &str| request.ids.is_empty() || request.ids.iter().any(|name| name == id);
        let mut objects: Vec<_> = scene.world().iter().map(|(_, object)| object).collect();
        objects.retain(|object| wanted(object.name()));
        objects.sort_unstable_by_key(|object| object.name());
        let attached = scene.attached().filter(|attached| wanted(attached.object.name()));
        let world = objects.into_iter().map(|object| object_message(scene, object));
        let objects = world.chain(attached.map(|object| attached_message(scene, object))).collect();
        Ok(GetSceneResponse {
            message: String::new(),
            revision: snapshot.revision,
            robot: model.name().to_string(),
            frame: model.link(model.root()).name.clone(),
            joint_state: context.joints.known(model, context.now, context.max_state_age),
            objects,
            allowed_pairs: if request.matrix { allowed_pairs(scene) } else { Vec::new() },
            link_sizes: if request.sizes { link_sizes(scene) } else { Vec::new() },
            margins: if request.sizes { margins(scene) } else { Vec::new() },
            status: Status::Ok as u8,
        })
    }

    fn refuse(&self, refusal: Refusal) -> GetSceneResponse {
        GetSceneResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..GetSceneResponse::default()
        }
    }

    fn refusal(response: &GetSceneResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

/// Entries by names, then defaults.
fn allowed_pairs(scene: &PlanningScene) -> Vec<AllowedPair> {
    let pair = |a: &str, b: &str, entry: &Allowance| AllowedPair {
        name_a: a.to_string(),
        name_b: b.to_string(),
        allowed: entry.allowed,
        reason: entry.reason.name().to_string(),
    };
    let entries = scene.acm().entries().map(|(a, b, entry)| pair(a, b, entry));
    entries.chain(scene.acm().defaults().map(|(name, entry)| pair(name, "", entry))).collect()
}

fn link_sizes(scene: &PlanningScene) -> Vec<LinkSize> {
    let sizes = scene.model().links().iter().map(|link| (link, scene.sizes().link(&link.name)));
    let changed = sizes.filter(|(_, size)| *size != CoreSize::default());
    let message = |(link, size): (&crate::robot::Link, CoreSize)| LinkSize {
        link: link.name.clone(),
        padding: size.padding,
        self_padding: size.self_padding,
        scale: size.scale,
    };
    changed.map(message).collect()
}

fn margins(scene: &PlanningScene) -> Vec<PairMargin> {
    let message = |(a, b, margin): (&str, &str, f64)| PairMargin {
        name_a: a.to_string(),
        name_b: b.to_string(),
        margin,
    };
    scene.sizes().margins().map(message).collect()
}
