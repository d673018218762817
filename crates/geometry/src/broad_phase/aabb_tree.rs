//! A dynamic tree of boxes: objects come, go and move in logarithmic time.
//!
//! # Structure
//!
//! A binary tree whose leaves are the objects. An inner node holds the boxes of its two children in single precision,
//! rounded outward; the exact boxes stand in an array indexed by id. With n objects there are n − 1 inner nodes of
//! 64 bytes and n exact boxes of 56 bytes: 120 bytes an object, in two flat arrays, so that a clone is two copies.
//!
//! - Insertion goes down into the child whose surface area grows least, as Box2D does (E. Catto, "Dynamic Bounding
//!   Volume Hierarchies", GDC 2019), always down to an object.
//! - On the way back the tree is balanced as an AVL tree: the heights of two siblings differ by at most one. Unlike a
//!   search tree this one has no order to keep, so that one exchange of a child with a grandchild suffices
//!   (`tree_balance.rs`). Hence the height is at most 1.44 log₂ n whatever is inserted, in whatever order, also a
//!   hundred thousand times the same point.
//! - Exchanges that leave all heights as they are and make boxes smaller are done on the same way.
//! - A move that stays inside the box two levels up refits the boxes above, which grows none but the parent's; a longer
//!   one takes the object out and inserts it again.
//! - A bulk build splits at the median of the longest axis; see `tree_build.rs`. A tree grown by insertions alone is
//!   two to three times slower to search, so it is built anew after as many insertions as half its objects: times of
//!   insertions and long moves are amortised, about one in n/2 takes as long as a build.
//!
//! Removal puts the last node into the gap, so that the arrays stay dense. The structure depends on nothing but the
//! sequence of operations.
//!
//! # Why not a crate
//!
//! Looked at in their sources: `parry3d-f64` 0.31 (`Bvh`: the nearest fit and what the benchmark races; but nothing
//! bounds its depth, unbounded and NaN boxes go in unchecked, it takes 144 bytes an object and it
//! would bring a whole collision library into the default build), `bvh` 0.12 (room for two f64 boxes and three words in
//! every node and every leaf, about 250 bytes an object; the caller's objects must store node numbers; searches recurse;
//! uses `unsafe`), `obvhs` 0.4 (f32 only; made for rays; `unsafe`), `bvh-arena` 1.4 (boxes in f32, finds overlaps but no
//! distances, cannot be cloned), `rstar` 0.13 (an allocation for every inner node, so that a clone walks the tree; a
//! move searches the tree for the object). In all but the last, which is balanced, the depth depends on the input; here
//! it is bounded, and with it the stack of every search.

use super::tree_node::{Child, ChildKind, NO_PARENT, Node, OuterBox, Place, Slot, fits_tree};
use super::{BroadPhase, BroadPhaseError, check_box, check_id};
use crate::Aabb;
use crate::math::Vec3;

/// Boxes in a balanced tree: searches, insertions, moves and removals in logarithmic time.
#[derive(Debug, Clone, Default)]
pub struct AabbTree {
    /// Inner nodes, dense: one fewer than objects in the tree.
    pub(super) nodes: Vec<Node>,
    /// Objects by id, with gaps where an id is not in use.
    pub(super) slots: Vec<Slot>,
    /// Ids of the objects that are not in the tree.
    pub(super) unbounded: Vec<u32>,
    pub(super) root: Option<Child>,
    len: usize,
    /// Insertions since the tree was last built, long moves included.
    pub(super) insertions: usize,
}

/// What stands in a gap.
const EMPTY_SLOT: Slot = Slot {
    aabb: Aabb { min: Vec3::new(0.0, 0.0, 0.0), max: Vec3::new(0.0, 0.0, 0.0) },
    place: Place::Nowhere,
};

impl AabbTree {
    /// An empty tree.
    pub fn new() -> AabbTree {
        AabbTree::default()
    }

    /// A tree of many objects at once: faster than inserting them one by one, and better to search.
    pub fn from_boxes(
        boxes: impl IntoIterator<Item = (u32, Aabb)>,
    ) -> Result<AabbTree, BroadPhaseError> {
        let mut tree = AabbTree::new();
        for (id, aabb) in boxes {
            tree.check_new(id, &aabb)?;
            tree.occupy(id, &aabb);
        }
        tree.slots.shrink_to_fit();
        tree.rebuild();
        Ok(tree)
    }

    /// Moves many objects: all of them, or none when one is refused. Rebuilds the tree when that is cheaper.
    pub fn update_many(&mut self, moves: &[(u32, Aabb)]) -> Result<(), BroadPhaseError> {
        for (id, aabb) in moves {
            self.check_move(*id, aabb)?;
        }
        if moves.len() >= self.len / REBUILD_FRACTION {
            for (id, aabb) in moves {
                self.slots[*id as usize].aabb = *aabb;
            }
            self.rebuild();
        } else {
            for (id, aabb) in moves {
                self.place_at(*id, aabb);
            }
        }
        Ok(())
    }

    /// Ids and boxes of all objects, by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Aabb)> {
        let used = self.slots.iter().enumerate().filter(|(_, s)| s.place != Place::Nowhere);
        used.map(|(id, slot)| (id as u32, &slot.aabb))
    }

    /// Bytes of memory that the tree holds, unused capacity included.
    pub fn memory_bytes(&self) -> usize {
        size_of::<AabbTree>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.unbounded.capacity() * size_of::<u32>()
    }

    /// Length of the longest way from the root to an object, in steps.
    pub fn height(&self) -> usize {
        self.root.map_or(0, |root| usize::from(self.height_of(root)))
    }

    fn check_new(&self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        check_id(id)?;
        check_box(id, aabb)?;
        if self.get(id).is_some() {
            return Err(BroadPhaseError::DuplicateId { id });
        }
        Ok(())
    }

    fn check_move(&self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        if self.get(id).is_none() {
            return Err(BroadPhaseError::UnknownId { id });
        }
        check_box(id, aabb)
    }

    /// Writes the box of a new object; it is not in the tree yet.
    fn occupy(&mut self, id: u32, aabb: &Aabb) {
        let index = id as usize;
        if index >= self.slots.len() {
            reserve_gently(&mut self.slots, index + 1);
            self.slots.resize(index + 1, EMPTY_SLOT);
        }
        // `Root` stands for "somewhere" until the object is attached.
        self.slots[index] = Slot { aabb: *aabb, place: Place::Root };
        self.len += 1;
    }

    /// Moves an object that exists.
    fn place_at(&mut self, id: u32, aabb: &Aabb) {
        let slot = &mut self.slots[id as usize];
        slot.aabb = *aabb;
        if let (Place::Below(parent), true) = (slot.place, fits_tree(aabb)) {
            let outer = OuterBox::new(aabb);
            let side = self.nodes[parent as usize].side_of(Child::object(id));
            if self.nodes[parent as usize].boxes[side] == outer {
                return;
            }
            if self.bounds_two_above(parent).contains(&outer) {
                self.nodes[parent as usize].boxes[side] = outer;
                self.repair_upward(parent);
                return;
            }
        }
        self.detach(id);
        self.attach(id);
        self.rebuild_if_worn();
    }

    /// Bounds of the parent of a node, or of the node itself if it is the root.
    fn bounds_two_above(&self, node: u32) -> OuterBox {
        let parent = self.nodes[node as usize].parent;
        self.nodes[if parent == NO_PARENT { node } else { parent } as usize].bounds()
    }

    fn rebuild_if_worn(&mut self) {
        if self.insertions >= MIN_INSERTIONS.max(self.len / 2) {
            self.rebuild();
        }
    }

    /// Hangs an object whose box is known into the tree, or onto the list of unbounded ones.
    fn attach(&mut self, id: u32) {
        let aabb = self.slots[id as usize].aabb;
        if !fits_tree(&aabb) {
            self.slots[id as usize].place = Place::Unbounded(self.unbounded.len() as u32);
            self.unbounded.push(id);
            return;
        }
        let Some(root) = self.root else {
            self.root = Some(Child::object(id));
            self.slots[id as usize].place = Place::Root;
            return;
        };
        self.insertions += 1;
        let outer = OuterBox::new(&aabb);
        let sibling_id = self.find_sibling(root, &outer);
        let sibling = Child::object(sibling_id);
        let parent = match self.slots[sibling_id as usize].place {
            Place::Below(parent) => parent,
            _ => NO_PARENT,
        };
        let index = self.nodes.len() as u32;
        reserve_gently(&mut self.nodes, index as usize + 1);
        self.nodes.push(Node {
            boxes: [OuterBox::new(&self.slots[sibling_id as usize].aabb), outer],
            children: [sibling, Child::object(id)],
            parent,
            height: 1,
        });
        self.replace_child(parent, sibling, Child::inner(index));
        self.set_parent(sibling, index);
        self.set_parent(Child::object(id), index);
        self.refresh_in_parent(index);
        self.repair_upward(parent);
    }

    /// The object beside which a new box makes the boxes above grow least, by a greedy descent.
    fn find_sibling(&self, root: Child, outer: &OuterBox) -> u32 {
        let mut current = root;
        loop {
            let index = match current.kind() {
                ChildKind::Inner(index) => index,
                ChildKind::Object(id) => return id,
            };
            let node = &self.nodes[index as usize];
            let cost = |side: usize| {
                let area = node.boxes[side].half_area();
                // Equal growth is decided by area, then by height: equal boxes spread evenly.
                let growth = node.boxes[side].merged(outer).half_area() - area;
                (growth, area, self.height_of(node.children[side]))
            };
            current = node.children[usize::from(cost(1) < cost(0))];
        }
    }

    /// Takes an object out of the tree or the list; its slot keeps the box.
    fn detach(&mut self, id: u32) {
        match self.slots[id as usize].place {
            Place::Nowhere => {}
            Place::Root => self.root = None,
            Place::Unbounded(position) => {
                self.unbounded.swap_remove(position as usize);
                if let Some(&moved) = self.unbounded.get(position as usize) {
                    self.slots[moved as usize].place = Place::Unbounded(position);
                }
            }
            Place::Below(parent) => {
                let node = self.nodes[parent as usize];
                let side = 1 - node.side_of(Child::object(id));
                let (sibling, grandparent) = (node.children[side], node.parent);
                self.replace_child(grandparent, Child::inner(parent), sibling);
                self.set_parent(sibling, grandparent);
                if grandparent != NO_PARENT {
                    let above = &mut self.nodes[grandparent as usize];
                    above.boxes[above.side_of(sibling)] = node.boxes[side];
                    self.repair_upward(grandparent);
                }
                self.free_node(parent);
            }
        }
    }

    /// Fills the gap of an unused node with the last node.
    fn free_node(&mut self, index: u32) {
        self.nodes.swap_remove(index as usize);
        if let Some(&moved) = self.nodes.get(index as usize) {
            let before = Child::inner(self.nodes.len() as u32);
            self.replace_child(moved.parent, before, Child::inner(index));
            for child in moved.children {
                self.set_parent(child, index);
            }
        }
    }
}

/// Moving this fraction of the objects at once rebuilds the tree: one insertion costs about as much as building the
/// tree of this many objects costs for each.
const REBUILD_FRACTION: usize = 4;

/// Fewer insertions than this do not wear a tree out, however small it is.
const MIN_INSERTIONS: usize = 64;

/// Makes room for `length` elements. Grows by an eighth instead of doubling: memory an object is what is short here.
fn reserve_gently<T>(vec: &mut Vec<T>, length: usize) {
    if length > vec.capacity() {
        let wanted = (vec.len() + vec.len() / 8 + 8).max(length);
        vec.reserve_exact(wanted - vec.len());
    }
}

impl BroadPhase for AabbTree {
    fn insert(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        self.check_new(id, aabb)?;
        self.occupy(id, aabb);
        self.attach(id);
        self.rebuild_if_worn();
        Ok(())
    }

    fn update(&mut self, id: u32, aabb: &Aabb) -> Result<(), BroadPhaseError> {
        self.check_move(id, aabb)?;
        self.place_at(id, aabb);
        Ok(())
    }

    fn remove(&mut self, id: u32) -> Result<Aabb, BroadPhaseError> {
        let aabb = *self.get(id).ok_or(BroadPhaseError::UnknownId { id })?;
        self.detach(id);
        self.slots[id as usize] = EMPTY_SLOT;
        self.len -= 1;
        Ok(aabb)
    }

    fn get(&self, id: u32) -> Option<&Aabb> {
        let slot = self.slots.get(id as usize)?;
        (slot.place != Place::Nowhere).then_some(&slot.aabb)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn for_each_near(&self, aabb: &Aabb, max_distance: f64, visit: impl FnMut(u32, f64) -> f64) {
        self.search_near(aabb, max_distance, visit);
    }

    fn for_each_nearest(&self, aabb: &Aabb, max_distance: f64, visit: impl FnMut(u32, f64) -> f64) {
        self.search_nearest(aabb, max_distance, visit);
    }

    fn for_each_pair(&self, max_distance: f64, visit: impl FnMut(u32, u32, f64) -> f64) {
        self.search_own_pairs(max_distance, visit);
    }

    fn for_each_pair_with(
        &self,
        other: &Self,
        max_distance: f64,
        visit: impl FnMut(u32, u32, f64) -> f64,
    ) {
        self.search_pairs_with(other, max_distance, visit);
    }
}
