//! What can touch: links, attached objects, objects of the world. And sets of them.

use std::collections::BTreeSet;

use crate::world::ObjectId;
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
