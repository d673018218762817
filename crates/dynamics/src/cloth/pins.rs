//! Vertices that are held.

use smooth_scene_geometry::math::Vec3;
use std::collections::BTreeMap;

/// Held vertices and where they are held, world frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Pins {
    targets: BTreeMap<usize, Vec3>,
}

impl Pins {
    pub fn hold(&mut self, vertex: usize, target: Vec3) {
        self.targets.insert(vertex, target);
    }

    pub fn release(&mut self, vertex: usize) -> bool {
        self.targets.remove(&vertex).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, &Vec3)> {
        self.targets.iter().map(|(vertex, target)| (*vertex, target))
    }
}
