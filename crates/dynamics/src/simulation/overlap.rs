//! Bodies that overlap before anything has moved.

use crate::contact::find::distance_within;
use crate::error::DynamicsError;
use crate::simulation::state::SystemState;
use crate::simulation::system::System;
use smooth_scene_query::WarmStart;

/// Two bodies that overlap.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Their names.
    pub bodies: [String; 2],
    /// How deep, m.
    pub depth: f64,
    /// Bounding radius of the smaller of the two surfaces, m.
    pub size: f64,
}

impl Overlap {
    /// The depth in multiples of the size.
    pub fn share(&self) -> f64 {
        self.depth / self.size
    }
}

impl System {
    /// The pair that overlaps most in a state, measured by [`Overlap::share`]; `None` when nothing overlaps. Compliant contacts of
    /// bodies that begin deep in each other have forces that throw them apart.
    pub fn worst_overlap(&self, state: &SystemState) -> Result<Option<Overlap>, DynamicsError> {
        let placed = self.place(state)?;
        let mut worst: Option<Overlap> = None;
        for (pair, ends) in self.near(&placed, |_| 0.0) {
            let [a, b] = ends.map(|k| (&self.surfaces[k].shape, &placed.poses[k]));
            let mut warm = WarmStart::default();
            let Some(found) = distance_within(a, b, 0.0, &mut warm) else { continue };
            let size = ends.map(|k| self.surfaces[k].radius);
            let bodies = self.pair_names(pair).map(str::to_string);
            let depth = -found.distance;
            let overlap = Overlap { bodies, depth, size: size[0].min(size[1]) };
            let is_worse = worst.as_ref().is_none_or(|worst| overlap.share() > worst.share());
            if depth > 0.0 && is_worse {
                worst = Some(overlap);
            }
        }
        Ok(worst)
    }
}
