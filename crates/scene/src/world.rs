//! The named objects around the robot.
//!
//! Laid out for a hundred thousand of them: objects stand in blocks that copies of the world share, names are found
//! through a table of slot numbers (the names themselves stand in the objects), and boxes in the tree of the broad
//! phase. A copy shares all blocks and copies table and tree; a change then copies the one block it touches.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use hashbrown::HashTable;

use super::error::SceneError;
use super::object::{SceneObject, check_pose};
use smooth_scene_geometry::broad_phase::{AabbTree, BroadPhase};
use smooth_scene_geometry::math::Pose;

/// Objects that are copied together when a shared world changes.
const BLOCK: usize = 32;

/// An object of one world by its slot. A slot is used again after its object was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(super) u32);

impl ObjectId {
    /// The number of the slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The objects of the world.
#[derive(Debug, Clone, Default)]
pub struct World {
    blocks: Vec<Arc<Vec<Option<SceneObject>>>>,
    /// Slots whose object was removed, the last one first.
    free: Vec<u32>,
    slots: HashTable<u32>,
    hasher: RandomState,
    tree: AabbTree,
}

impl World {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The object of this name.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        let same = |&slot: &u32| self.at(slot).is_some_and(|object| object.name() == name);
        self.slots.find(self.hasher.hash_one(name), same).map(|&slot| ObjectId(slot))
    }

    /// One object.
    pub fn get(&self, id: ObjectId) -> Option<&SceneObject> {
        self.at(id.0)
    }

    /// The object of this name.
    pub fn by_name(&self, name: &str) -> Option<&SceneObject> {
        self.find(name).and_then(|id| self.get(id))
    }

    /// All objects by slot.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &SceneObject)> {
        let all = self.blocks.iter().flat_map(|block| block.iter());
        (0u32..).zip(all).filter_map(|(slot, object)| Some((ObjectId(slot), object.as_ref()?)))
    }

    /// Memory of objects, names, table and tree in bytes, without shapes that are shared (meshes, compounds).
    pub fn memory_bytes(&self) -> usize {
        let slot = size_of::<Option<SceneObject>>();
        let blocks: usize = self.blocks.iter().map(|block| block.capacity() * slot).sum();
        let names: usize = self.iter().map(|(_, object)| object.name().len()).sum();
        let lists = self.blocks.capacity() * size_of::<usize>() + self.free.capacity() * 4;
        blocks + names + lists + self.slots.allocation_size() + self.tree.memory_bytes()
    }

    /// The boxes of all objects; ids are slots.
    pub(super) fn tree(&self) -> &AabbTree {
        &self.tree
    }

    fn at(&self, slot: u32) -> Option<&SceneObject> {
        self.blocks.get(slot as usize / BLOCK)?.get(slot as usize % BLOCK)?.as_ref()
    }

    fn place_mut(&mut self, slot: u32) -> &mut Option<SceneObject> {
        &mut Arc::make_mut(&mut self.blocks[slot as usize / BLOCK])[slot as usize % BLOCK]
    }

    pub(super) fn add(&mut self, object: SceneObject) -> Result<ObjectId, SceneError> {
        if self.find(object.name()).is_some() {
            let name = object.name().into();
            return Err(SceneError::NameTaken { name, by: "an object of the world" });
        }
        let slot = match self.free.last() {
            Some(&slot) => slot,
            None => self.end_slot(),
        };
        self.tree.insert(slot, &object.aabb())?;
        self.free.pop();
        let hash = self.hasher.hash_one(object.name());
        self.put(slot, object);
        let (blocks, hasher) = (&self.blocks, &self.hasher);
        let hash_of = |&slot: &u32| {
            let object = blocks[slot as usize / BLOCK][slot as usize % BLOCK].as_ref();
            hasher.hash_one(object.expect("every slot in the table has an object").name())
        };
        self.slots.insert_unique(hash, slot, hash_of);
        Ok(ObjectId(slot))
    }

    /// The slot after all that were ever used.
    fn end_slot(&self) -> u32 {
        let full = self.blocks.len().saturating_sub(1) * BLOCK;
        (full + self.blocks.last().map_or(0, |block| block.len())) as u32
    }

    fn put(&mut self, slot: u32, object: SceneObject) {
        if slot as usize == self.blocks.len() * BLOCK {
            self.blocks.push(Arc::new(Vec::with_capacity(BLOCK)));
        }
        let block = Arc::make_mut(&mut self.blocks[slot as usize / BLOCK]);
        match block.get_mut(slot as usize % BLOCK) {
            Some(place) => *place = Some(object),
            None => block.push(Some(object)),
        }
    }

    pub(super) fn remove(&mut self, name: &str) -> Result<SceneObject, SceneError> {
        let unknown = || SceneError::UnknownObject { name: name.into() };
        let slot = self.find(name).ok_or_else(unknown)?.0;
        self.tree.remove(slot)?;
        let entry = self.slots.find_entry(self.hasher.hash_one(name), |&other| other == slot);
        entry.expect("the slot was found in this table").remove();
        self.free.push(slot);
        Ok(self.place_mut(slot).take().expect("every slot in the table has an object"))
    }

    /// Moves an object and returns where it was.
    pub(super) fn set_pose(&mut self, name: &str, pose: Pose) -> Result<Pose, SceneError> {
        let unknown = || SceneError::UnknownObject { name: name.into() };
        check_pose("pose", name, &pose)?;
        let slot = self.find(name).ok_or_else(unknown)?.0;
        let object = self.place_mut(slot).as_mut();
        let object = object.expect("every slot in the table has an object");
        let before = *object.pose();
        object.set_pose(pose);
        let aabb = object.aabb();
        self.tree.update(slot, &aabb)?;
        Ok(before)
    }

    /// Puts an object in the place of the one of the same name, and returns that one.
    pub(super) fn replace(&mut self, object: SceneObject) -> Result<SceneObject, SceneError> {
        let unknown = || SceneError::UnknownObject { name: object.name().into() };
        let slot = self.find(object.name()).ok_or_else(unknown)?.0;
        self.tree.update(slot, &object.aabb())?;
        let before = self.place_mut(slot).replace(object);
        Ok(before.expect("every slot in the table has an object"))
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
        let shared =
            world.blocks.iter().zip(&copy.blocks).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, world.blocks.len() - 1);
    }
}
