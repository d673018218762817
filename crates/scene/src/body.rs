//! What can touch: links, attached objects, objects of the world. And sets of them.

use std::collections::BTreeSet;

use super::error::SceneError;
use super::planning_scene::PlanningScene;
use super::world::ObjectId;
use smooth_scene_robot::LinkId;

/// A body of one snapshot of a scene. The order is that of results: links, then attached objects, then the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyId {
    /// A link.
    Link(LinkId),
    /// An attached object, by its place among the attached objects of this snapshot in order of name.
    Attached(u32),
    /// An object of the world.
    Object(ObjectId),
}

/// Some bodies of one snapshot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodySet {
    bodies: BTreeSet<BodyId>,
}

impl BodySet {
    /// These bodies.
    pub fn of(bodies: impl IntoIterator<Item = BodyId>) -> Self {
        Self { bodies: bodies.into_iter().collect() }
    }

    /// Whether the body is one of them.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bodies.contains(&body)
    }

    /// The bodies in order.
    pub fn iter(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().copied()
    }
}

/// Between which bodies a question is asked: one of A and one of B. `None` stands for all bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Between {
    /// One side.
    pub a: Option<BodySet>,
    /// The other side.
    pub b: Option<BodySet>,
}

impl Between {
    /// Whether the question is about this pair.
    pub fn includes(&self, one: BodyId, other: BodyId) -> bool {
        let within = |set: &Option<BodySet>, body| set.as_ref().is_none_or(|s| s.contains(body));
        (within(&self.a, one) && within(&self.b, other))
            || (within(&self.a, other) && within(&self.b, one))
    }
}

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
        Ok(Some(BodySet { bodies }))
    }
}
