//! The boxes of all objects, in a tree that copies of the world share.
//!
//! The tree of a large world takes megabytes: it must not be copied for every snapshot. So a shared tree stays as it is;
//! what changed since is kept in a small tree beside it, and searches look at both. When the small tree has grown to
//! [`MAX_RECENT`] entries it is merged into a copy of the large one. A tree that is not shared is changed in place.

use std::sync::Arc;

use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::broad_phase::{AabbTree, BroadPhase, BroadPhaseError, MAX_ID};

/// Changes beside a shared tree. Copying this many boxes for a snapshot costs about as much per change as merging them,
/// once in this many changes, into a copy of a tree of a hundred thousand.
const MAX_RECENT: usize = 512;

/// Boxes by slot.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxIndex {
    base: Arc<AabbTree>,
    recent: Recent,
}

/// What is different from the base.
#[derive(Debug, Clone, Default)]
struct Recent {
    /// Numbered as they came.
    tree: AabbTree,
    /// The slot of each number.
    slots: Vec<u32>,
    /// The number of each slot that is in `tree`, sorted by slot.
    numbers: Vec<(u32, u32)>,
    /// Slots whose box in the base does not count any more, sorted.
    hidden: Vec<u32>,
}

impl Recent {
    fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.hidden.is_empty()
    }

    fn place_of(&self, slot: u32) -> Result<usize, usize> {
        self.numbers.binary_search_by_key(&slot, |&(slot, _)| slot)
    }

    fn hides(&self, slot: u32) -> bool {
        self.hidden.binary_search(&slot).is_ok()
    }

    fn hide(&mut self, slot: u32) {
        if let Err(place) = self.hidden.binary_search(&slot) {
            self.hidden.insert(place, slot);
        }
    }

    fn insert(&mut self, slot: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        let number = self.slots.len() as u32;
        self.tree.insert(number, aabb)?;
        self.slots.push(slot);
        let place = self.place_of(slot).expect_err("the slot is new here");
        self.numbers.insert(place, (slot, number));
        Ok(())
    }
}

impl BoxIndex {
    /// The box of a slot.
    pub fn get(&self, slot: u32) -> Option<&Aabb> {
        match self.recent.place_of(slot) {
            Ok(place) => self.recent.tree.get(self.recent.numbers[place].1),
            Err(_) if self.recent.hides(slot) => None,
            Err(_) => self.base.get(slot),
        }
    }

    /// Adds the box of a new slot.
    pub fn insert(&mut self, slot: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        if slot > MAX_ID {
            return Err(BroadPhaseError::IdTooLarge { id: slot });
        }
        match self.own_base() {
            Some(base) => base.insert(slot, aabb),
            None => self.recent.insert(slot, aabb),
        }
    }

    /// Changes the box of a slot.
    pub fn update(&mut self, slot: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        if let Some(base) = self.own_base() {
            return base.update(slot, aabb);
        }
        match self.recent.place_of(slot) {
            Ok(place) => self.recent.tree.update(self.recent.numbers[place].1, aabb),
            Err(_) => {
                self.recent.insert(slot, aabb)?;
                self.recent.hide(slot);
                Ok(())
            }
        }
    }

    /// Removes the box of a slot.
    pub fn remove(&mut self, slot: u32) -> Result<(), BroadPhaseError> {
        if let Some(base) = self.own_base() {
            return base.remove(slot).map(drop);
        }
        if let Ok(place) = self.recent.place_of(slot) {
            let (_, number) = self.recent.numbers.remove(place);
            self.recent.tree.remove(number)?;
        }
        if self.base.get(slot).is_some() {
            self.recent.hide(slot);
        }
        Ok(())
    }

    /// Visits slots as [`BroadPhase::for_each_near`] does.
    pub fn for_each_near(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        if self.recent.is_empty() {
            return self.base.for_each_near(aabb, max_distance, visit);
        }
        let mut limit = max_distance;
        self.base.for_each_near(aabb, max_distance, |slot, distance| {
            if !self.recent.hides(slot) {
                limit = limit.min(visit(slot, distance));
            }
            limit
        });
        self.recent.tree.for_each_near(aabb, limit, |number, distance| {
            visit(self.recent.slots[number as usize], distance)
        });
    }

    /// Bytes of memory, the shared tree included.
    pub fn memory_bytes(&self) -> usize {
        let recent = &self.recent;
        let lists = recent.slots.capacity() + 2 * recent.numbers.capacity();
        let lists = (lists + recent.hidden.capacity()) * size_of::<u32>();
        self.base.memory_bytes() + recent.tree.memory_bytes() + lists
    }

    /// The tree, if it may be changed in place: nobody shares it, or so much has changed that a copy is due.
    fn own_base(&mut self) -> Option<&mut AabbTree> {
        let is_shared = Arc::get_mut(&mut self.base).is_none();
        let changes = self.recent.slots.len() + self.recent.hidden.len();
        if is_shared && changes < MAX_RECENT {
            return None;
        }
        let base = Arc::make_mut(&mut self.base);
        let recent = std::mem::take(&mut self.recent);
        for &slot in &recent.hidden {
            base.remove(slot).expect("only slots of the base are hidden");
        }
        for &(slot, number) in &recent.numbers {
            let aabb = recent.tree.get(number).expect("every number is in the small tree");
            base.insert(slot, aabb).expect("slot and box were checked, and the slot is free");
        }
        Some(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::broad_phase::BruteForce;
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::testing::uniform_numbers;

    fn near(visit: impl FnOnce(&mut dyn FnMut(u32, f64) -> f64)) -> Vec<(u32, f64)> {
        let mut found = Vec::new();
        visit(&mut |slot, distance| {
            found.push((slot, distance));
            2.0
        });
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        found
    }

    /// Random changes with random snapshots: the index finds what a loop over all boxes finds, and no snapshot changes.
    #[test]
    fn shared_and_changed_indices_find_what_a_loop_finds() {
        let mut uniform = uniform_numbers(7);
        let (mut index, mut all) = (BoxIndex::default(), BruteForce::default());
        let mut snapshots: Vec<(BoxIndex, BruteForce)> = Vec::new();
        for step in 0..6000 {
            let slot = (uniform() * 300.0) as u32;
            let corner = Vec3::new(uniform(), uniform(), uniform()) * 10.0;
            let aabb = Aabb { min: corner, max: corner + Vec3::repeat(uniform()) };
            let exists = all.get(slot).is_some();
            assert_eq!(index.get(slot), all.get(slot));
            if !exists {
                index.insert(slot, &aabb).unwrap();
                all.insert(slot, &aabb).unwrap();
            } else if uniform() < 0.3 {
                index.remove(slot).unwrap();
                all.remove(slot).unwrap();
            } else {
                index.update(slot, &aabb).unwrap();
                all.update(slot, &aabb).unwrap();
            }
            if step % 7 == 0 {
                snapshots.push((index.clone(), all.clone()));
            }
            if snapshots.len() > 5 {
                let place = (uniform() * 5.0) as usize;
                let (index, all) = snapshots.swap_remove(place);
                let found = near(|visit| index.for_each_near(&aabb, 2.0, visit));
                assert_eq!(found, near(|visit| all.for_each_near(&aabb, 2.0, visit)));
            }
            // At times nobody shares the tree, and it is changed in place.
            if step % 1500 == 0 {
                snapshots.clear();
            }
            let found = near(|visit| index.for_each_near(&aabb, 2.0, visit));
            assert_eq!(found, near(|visit| all.for_each_near(&aabb, 2.0, visit)));
        }
    }
}
