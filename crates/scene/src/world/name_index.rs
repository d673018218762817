//! Slots by name, in a table that copies of the world share; as the boxes, what changed since is kept beside it.
//!
//! The names themselves stand in the objects. So an entry of a shared table may outlive its object: whoever finds it
//! compares the name of the object that is in the slot now.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use hashbrown::HashTable;

use super::object_blocks::ObjectBlocks;

/// Changes beside a shared table before they are merged into a copy of it.
const MAX_RECENT: usize = 512;

/// Slots by name.
#[derive(Debug, Clone, Default)]
pub(super) struct NameIndex {
    hasher: RandomState,
    base: Arc<HashTable<Entry>>,
    recent: HashTable<Entry>,
    /// Entries of the base whose object was removed.
    stale: Vec<Entry>,
}

/// A slot, and the hash of the name its object had when it was added.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    hash: u64,
    slot: u32,
}

impl NameIndex {
    /// The slot of the object of this name.
    pub fn find(&self, name: &str, objects: &ObjectBlocks) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        let same = |entry: &Entry| {
            entry.hash == hash
                && objects.get(entry.slot).is_some_and(|object| object.name() == name)
        };
        let found = self.recent.find(hash, same).or_else(|| self.base.find(hash, same));
        found.map(|entry| entry.slot)
    }

    /// Adds a name that [`find`](Self::find) does not find.
    pub fn insert(&mut self, name: &str, slot: u32) {
        let entry = Entry { hash: self.hasher.hash_one(name), slot };
        let table = match self.own_base() {
            Some(base) => base,
            None => &mut self.recent,
        };
        table.insert_unique(entry.hash, entry, |entry| entry.hash);
    }

    /// Removes the name of an object that is removed from this slot.
    pub fn remove(&mut self, name: &str, slot: u32) {
        let entry = Entry { hash: self.hasher.hash_one(name), slot };
        if let Some(base) = self.own_base() {
            remove(base, entry).expect("every object has its name in the table");
            return;
        }
        if remove(&mut self.recent, entry).is_none() {
            self.stale.push(entry);
        }
    }

    /// Bytes of memory, the shared table included.
    pub fn memory_bytes(&self) -> usize {
        self.base.allocation_size()
            + self.recent.allocation_size()
            + self.stale.capacity() * size_of::<Entry>()
    }

    /// The table, if it may be changed in place: nobody shares it, or so much has changed that a copy is due.
    fn own_base(&mut self) -> Option<&mut HashTable<Entry>> {
        let is_shared = Arc::get_mut(&mut self.base).is_none();
        if is_shared && self.recent.len() + self.stale.len() < MAX_RECENT {
            return None;
        }
        let base = Arc::make_mut(&mut self.base);
        for entry in self.stale.drain(..) {
            remove(base, entry).expect("stale entries are entries of the base");
        }
        for entry in self.recent.drain() {
            base.insert_unique(entry.hash, entry, |entry| entry.hash);
        }
        Some(base)
    }
}

/// Removes and returns an entry of the table; `None` when it is not there.
fn remove(table: &mut HashTable<Entry>, entry: Entry) -> Option<Entry> {
    let found = table.find_entry(entry.hash, |other| *other == entry);
    found.ok().map(|found| found.remove().0)
}
