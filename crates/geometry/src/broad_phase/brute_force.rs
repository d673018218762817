//! All pairs: the reference that tests compare with.

use super::{BroadPhase, BroadPhaseError, Limit, check_box, check_id};
use crate::Aabb;
use std::collections::BTreeMap;

/// Looks at every box in every search. For tests, and for a handful of objects.
#[derive(Debug, Clone, Default)]
pub struct BruteForce {
    boxes: BTreeMap<u32, Aabb>,
}

impl BroadPhase for BruteForce {
    fn insert(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        check_id(id)?;
        check_box(id, aabb)?;
        if self.boxes.contains_key(&id) {
            return Err(BroadPhaseError::DuplicateId { id });
        }
        self.boxes.insert(id, *aabb);
        Ok(())
    }

    fn update(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        let stored = self.boxes.get_mut(&id).ok_or(BroadPhaseError::UnknownId { id })?;
        check_box(id, aabb)?;
        *stored = *aabb;
        Ok(())
    }

    fn remove(&mut self, id: u32) -> Result<Aabb, BroadPhaseError> {
        self.boxes.remove(&id).ok_or(BroadPhaseError::UnknownId { id })
    }

    fn get(&self, id: u32) -> Option<&Aabb> {
        self.boxes.get(&id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn for_each_near(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let mut limit = Limit::new(max_distance);
        for (&id, other) in &self.boxes {
            let distance = aabb.distance(other);
            if distance <= limit.distance {
                limit.shrink(visit(id, distance));
            }
        }
    }

    fn for_each_nearest(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let mut found: Vec<(f64, u32)> =
            self.boxes.iter().map(|(&id, other)| (aabb.distance(other), id)).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut limit = Limit::new(max_distance);
        for (distance, id) in found {
            if distance <= limit.distance {
                limit.shrink(visit(id, distance));
            }
        }
    }

    fn for_each_pair(&self, max_distance: f64, mut visit: impl FnMut(u32, u32, f64) -> f64) {
        let mut limit = Limit::new(max_distance);
        for (&a, box_a) in &self.boxes {
            for (&b, box_b) in self.boxes.range(a + 1..) {
                let distance = box_a.distance(box_b);
                if distance <= limit.distance {
                    limit.shrink(visit(a, b, distance));
                }
            }
        }
    }

    fn for_each_pair_with(
        &self,
        other: &Self,
        max_distance: f64,
        mut visit: impl FnMut(u32, u32, f64) -> f64,
    ) {
        let mut limit = Limit::new(max_distance);
        for (&a, box_a) in &self.boxes {
            for (&b, box_b) in &other.boxes {
                let distance = box_a.distance(box_b);
                if distance <= limit.distance {
                    limit.shrink(visit(a, b, distance));
                }
            }
        }
    }
}
