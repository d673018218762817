//! Bulk build: halve at the median of the longest axis, down to single objects.
//!
//! Halves differ by at most one object, so their heights differ by at most one, which is the balance the dynamic tree
//! keeps. A tree of m objects has m − 1 inner nodes and height ⌈log₂ m⌉: every node knows its place beforehand, parents
//! before children, and the arrays come out in the order of a walk.

use super::aabb_tree::AabbTree;
use super::tree_node::{Child, NO_PARENT, Node, OuterBox, Place, fits_tree};

/// An object while it is sorted.
#[derive(Clone, Copy)]
struct Item {
    outer: OuterBox,
    id: u32,
}

/// Objects that make one subtree.
#[derive(Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
    /// Index of its first inner node.
    node: u32,
    parent: u32,
    /// Axis along which the centres spread most.
    axis: usize,
}

impl AabbTree {
    /// Builds the tree anew from the boxes of all objects, in O(n log n): makes it as good to search as a new one after
    /// very many changes.
    pub fn rebuild(&mut self) {
        let mut items = self.collect_items();
        self.nodes.clear();
        self.root = None;
        self.insertions = 0;
        let Some(first) = items.first() else { return };
        if items.len() == 1 {
            let id = first.id;
            self.root = Some(Child::object(id));
            self.slots[id as usize].place = Place::Root;
            return;
        }
        let unset = Child::object(first.id);
        let node =
            Node { boxes: [first.outer; 2], children: [unset; 2], parent: NO_PARENT, height: 0 };
        self.nodes.reserve_exact(items.len() - 1);
        self.nodes.resize(items.len() - 1, node);
        self.nodes.shrink_to_fit();
        self.root = Some(Child::inner(0));
        let (_, axis) = measure(&items);
        let mut open = vec![Range { start: 0, end: items.len(), node: 0, parent: NO_PARENT, axis }];
        while let Some(range) = open.pop() {
            self.split(&mut items, &range, &mut open);
        }
    }

    /// The objects that go into the tree; the others are listed as unbounded.
    fn collect_items(&mut self) -> Vec<Item> {
        let mut items = Vec::with_capacity(self.slots.len());
        self.unbounded.clear();
        for (id, slot) in self.slots.iter_mut().enumerate() {
            let id = id as u32;
            if slot.place == Place::Nowhere {
                continue;
            }
            if fits_tree(&slot.aabb) {
                items.push(Item { outer: OuterBox::new(&slot.aabb), id });
            } else {
                slot.place = Place::Unbounded(self.unbounded.len() as u32);
                self.unbounded.push(id);
            }
        }
        items
    }

    /// Makes the top node of a range of two or more objects; halves that are no single objects stay open.
    fn split(&mut self, items: &mut [Item], range: &Range, open: &mut Vec<Range>) {
        let count = range.end - range.start;
        let axis = range.axis;
        let middle = range.start + count.div_ceil(2);
        items[range.start..range.end].select_nth_unstable_by(count.div_ceil(2), |a, b| {
            a.outer.center(axis).total_cmp(&b.outer.center(axis)).then(a.id.cmp(&b.id))
        });
        let halves = [(range.start, middle), (middle, range.end)];
        let mut node = self.nodes[range.node as usize];
        // One node for the top of this range, then those of the first half, one fewer than it has objects.
        let first_nodes = [range.node + 1, range.node + (middle - range.start) as u32];
        for (side, &(start, end)) in halves.iter().enumerate() {
            let (bounds, axis) = measure(&items[start..end]);
            node.boxes[side] = bounds;
            if end - start == 1 {
                node.children[side] = Child::object(items[start].id);
                self.set_parent(node.children[side], range.node);
            } else {
                node.children[side] = Child::inner(first_nodes[side]);
                open.push(Range { start, end, node: first_nodes[side], parent: range.node, axis });
            }
        }
        node.parent = range.parent;
        node.height = count.next_power_of_two().trailing_zeros() as u8;
        self.nodes[range.node as usize] = node;
    }
}

/// The box around all, and the axis along which their centres spread most.
fn measure(items: &[Item]) -> (OuterBox, usize) {
    let mut bounds = items[0].outer;
    let mut low: [f32; 3] = std::array::from_fn(|i| bounds.center(i));
    let mut high = low;
    for item in &items[1..] {
        bounds = bounds.merged(&item.outer);
        for axis in 0..3 {
            let center = item.outer.center(axis);
            low[axis] = low[axis].min(center);
            high[axis] = high[axis].max(center);
        }
    }
    let spread = |axis: usize| high[axis] - low[axis];
    let mut axis = 0;
    for candidate in 1..3 {
        if spread(candidate) > spread(axis) {
            axis = candidate;
        }
    }
    (bounds, axis)
}
