//! Bodies by name, and names of bodies.

use std::collections::BTreeSet;

use crate::body::{BodyId, BodySet};
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;

impl PlanningScene {
    /// The name of a body.
    ///
    /// # Panics
    ///
    /// If the body is not of this snapshot.
    pub fn body_name(&self, body: BodyId) -> &str {
        match body {
            BodyId::Link(link) => &self.model().link(link).name,
            BodyId::Attached(place) => self.attached_at(place).object.name(),
            BodyId::Object(id) => self.object_at(id).name(),
        }
    }

    /// The body of this name: a link, an attached object or an object of the world.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        if let Some(link) = self.model().link_id(name) {
            return Some(BodyId::Link(link));
        }
        if let Some(place) = self.attached().position(|a| a.object.name() == name) {
            return Some(BodyId::Attached(place as u32));
        }
        self.world().find(name).map(BodyId::Object)
    }

    /// The bodies of these names, groups standing for their links and what is attached to them. No names stand for all
    /// bodies: `None`.
    pub fn body_set(&self, names: &[impl AsRef<str>]) -> Result<Option<BodySet>, SceneError> {
        if names.is_empty() {
            return Ok(None);
        }
        let mut bodies = BTreeSet::new();
        for name in names {
            let name = name.as_ref();
            if let Some(body) = self.body(name) {
                bodies.insert(body);
            } else if let Some(group) = self.semantics().group(name) {
                bodies.extend(group.links.iter().map(|&link| BodyId::Link(link)));
                let attached = (0u32..).zip(self.attached());
                let on_group = attached.filter(|(_, a)| group.links.contains(&a.link));
                bodies.extend(on_group.map(|(place, _)| BodyId::Attached(place)));
            } else {
                let kind = "link, object or group";
                return Err(SceneError::UnknownName { kind, name: name.into() });
            }
        }
        Ok(Some(BodySet::of(bodies)))
    }
}
