//! Objects by slot, in blocks that copies of the world share: a copy costs one reference per group of blocks, and a
//! change copies one block of objects and one group of references.

use std::sync::Arc;

use crate::object::SceneObject;

/// Objects that are copied together.
const BLOCK: usize = 32;
/// Blocks whose references are copied together.
const GROUP: usize = 64;

type Block = Arc<Vec<Option<SceneObject>>>;

/// A list of slots, each empty or with an object.
#[derive(Debug, Clone, Default)]
pub(super) struct ObjectBlocks {
    groups: Vec<Arc<Vec<Block>>>,
    /// Slots ever used.
    len: usize,
}

impl ObjectBlocks {
    /// How many slots there are, empty ones included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The object in a slot, if the slot exists and is not empty.
    pub fn get(&self, slot: u32) -> Option<&SceneObject> {
        let block = slot as usize / BLOCK;
        self.groups.get(block / GROUP)?.get(block % GROUP)?.get(slot as usize % BLOCK)?.as_ref()
    }

    /// A slot that exists.
    pub fn get_mut(&mut self, slot: u32) -> &mut Option<SceneObject> {
        let block = slot as usize / BLOCK;
        let group = Arc::make_mut(&mut self.groups[block / GROUP]);
        &mut Arc::make_mut(&mut group[block % GROUP])[slot as usize % BLOCK]
    }

    /// Adds a slot with an object.
    pub fn push(&mut self, object: SceneObject) {
        let block = self.len / BLOCK;
        if self.len.is_multiple_of(BLOCK * GROUP) {
            self.groups.push(Arc::new(Vec::new()));
        }
        let group = Arc::make_mut(&mut self.groups[block / GROUP]);
        if self.len.is_multiple_of(BLOCK) {
            group.push(Arc::new(Vec::with_capacity(BLOCK)));
        }
        Arc::make_mut(&mut group[block % GROUP]).push(Some(object));
        self.len += 1;
    }

    /// All objects with their slots, by slot.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &SceneObject)> {
        let blocks = self.groups.iter().flat_map(|group| group.iter());
        let slots = blocks.flat_map(|block| block.iter());
        (0u32..).zip(slots).filter_map(|(slot, object)| Some((slot, object.as_ref()?)))
    }

    /// Bytes of memory, shared blocks included, without names and shared shapes.
    pub fn memory_bytes(&self) -> usize {
        let blocks = self.groups.iter().flat_map(|group| group.iter());
        let objects: usize = blocks
            .map(|block| block.capacity() * size_of::<Option<SceneObject>>() + size_of::<Block>())
            .sum();
        objects + self.groups.capacity() * size_of::<Arc<Vec<Block>>>()
    }

    #[cfg(test)]
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.groups.iter().flat_map(|group| group.iter())
    }
}
