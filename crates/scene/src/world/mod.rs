//! The named objects around the robot.
//!
//! Laid out for a hundred thousand of them and for many snapshots: objects, names and boxes are kept in structures that
//! copies of the world share, so that a copy costs microseconds and a change copies what it touches.

mod box_index;
mod name_index;
mod object_blocks;

use crate::error::SceneError;
use crate::object::{SceneObject, check_pose};
use box_index::BoxIndex;
use name_index::NameIndex;
use object_blocks::ObjectBlocks;
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::math::Pose;

/// An object of one world by its slot. A slot is used again after its object was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// The number of the slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The objects of the world. A change is made or refused as a whole.
#[derive(Debug, Clone, Default)]
pub struct World {
    objects: ObjectBlocks,
    names: NameIndex,
    boxes: BoxIndex,
    /// Slots whose object was removed, the last one last.
    free: Vec<u32>,
}

/// Why a slot that was found by name has an object.
const OCCUPIED: &str = "a slot that a name leads to has an object";

impl World {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object of this name.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        self.names.find(name, &self.objects).map(ObjectId)
    }

    /// One object.
    pub fn get(&self, id: ObjectId) -> Option<&SceneObject> {
        self.objects.get(id.0)
    }

    /// The object of this name.
    pub fn by_name(&self, name: &str) -> Option<&SceneObject> {
        self.find(name).and_then(|id| self.get(id))
    }

    /// All objects by slot.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &SceneObject)> {
        self.objects.iter().map(|(slot, object)| (ObjectId(slot), object))
    }

    /// Memory of objects, names and boxes in bytes, without shapes that are shared (meshes, compounds).
    pub fn memory_bytes(&self) -> usize {
        let names: usize = self.iter().map(|(_, object)| object.name().len()).sum();
        let free = self.free.capacity() * size_of::<u32>();
        let indices = self.names.memory_bytes() + self.boxes.memory_bytes();
        self.objects.memory_bytes() + names + indices + free
    }

    /// The box of an object of this world.
    pub(crate) fn aabb(&self, id: ObjectId) -> &Aabb {
        self.boxes.get(id.0).expect("every object of a world has a box in it")
    }

    /// Visits `(object, distance)` of every object whose box is within `max_distance` of `aabb`. The visitor returns the
    /// limit from then on, as for [`BroadPhase::for_each_near`].
    ///
    /// [`BroadPhase::for_each_near`]: smooth_scene_geometry::broad_phase::BroadPhase::for_each_near
    pub(crate) fn for_each_near(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(ObjectId, f64) -> f64,
    ) {
        self.boxes
            .for_each_near(aabb, max_distance, |slot, distance| visit(ObjectId(slot), distance));
    }

    pub(crate) fn add(&mut self, object: SceneObject) -> Result<ObjectId, SceneError> {
        if self.find(object.name()).is_some() {
            let name = object.name().into();
            return Err(SceneError::NameTaken { name, by: "an object of the world" });
        }
        let slot = self.free.last().copied().unwrap_or(self.objects.len() as u32);
        self.boxes.insert(slot, &object.aabb())?;
        self.names.insert(object.name(), slot);
        match self.free.pop() {
            Some(slot) => *self.objects.get_mut(slot) = Some(object),
            None => self.objects.push(object),
        }
        Ok(ObjectId(slot))
    }

    pub(crate) fn remove(&mut self, name: &str) -> Result<SceneObject, SceneError> {
        let slot = self.slot(name)?;
        self.boxes.remove(slot)?;
        self.names.remove(name, slot);
        self.free.push(slot);
        Ok(self.objects.get_mut(slot).take().expect(OCCUPIED))
    }

    /// Moves an object and returns where it was.
    pub(crate) fn set_pose(&mut self, name: &str, pose: Pose) -> Result<Pose, SceneError> {
        check_pose("pose", name, &pose)?;
        let slot = self.slot(name)?;
        let moved = self.objects.get(slot).expect(OCCUPIED).with_pose(pose)?;
        self.boxes.update(slot, &moved.aabb())?;
        let before = self.objects.get_mut(slot).replace(moved).expect(OCCUPIED);
        Ok(*before.pose())
    }

    /// Puts an object in the place of the one of the same name, and returns that one.
    pub(crate) fn replace(&mut self, object: SceneObject) -> Result<SceneObject, SceneError> {
        let slot = self.slot(object.name())?;
        self.boxes.update(slot, &object.aabb())?;
        Ok(self.objects.get_mut(slot).replace(object).expect(OCCUPIED))
    }

    fn slot(&self, name: &str) -> Result<u32, SceneError> {
        let unknown = || SceneError::UnknownObject { name: name.into() };
        self.names.find(name, &self.objects).ok_or_else(unknown)
    }
}

/// The same objects under the same names, whatever their slots.
impl PartialEq for World {
    fn eq(&self, other: &World) -> bool {
        self.len() == other.len()
            && self.iter().all(|(_, object)| other.by_name(object.name()) == Some(object))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smooth_scene_geometry::Shape;

    #[test]
    fn a_simple_object_takes_less_than_400_bytes() {
        let mut world = World::default();
        let shape = Shape::superovoid([0.1, 0.2, 0.3], 0.5, 0.7, [0.1, 0.1]).unwrap();
        let count = 100_000;
        for k in 0..count {
            let pose = Pose::translation((k % 317) as f64, (k / 317) as f64, 0.0);
            let object = SceneObject::simple(&format!("object_{k}"), pose, shape.clone()).unwrap();
            world.add(object).unwrap();
        }
        let each = world.memory_bytes() as f64 / count as f64;
        assert!(each < 400.0, "{each}");
        // Blocks are shared with a copy until one of the two changes.
        let copy = world.clone();
        world.set_pose("object_500", Pose::identity()).unwrap();
        let pairs = world.objects.blocks().zip(copy.objects.blocks());
        assert_eq!(pairs.filter(|(a, b)| !Arc::ptr_eq(a, b)).count(), 1);
    }
}
