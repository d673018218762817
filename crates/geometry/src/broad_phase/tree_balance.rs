//! Balance: after a change, heights, boxes and links are put right from the place of the change up to the root.

use super::aabb_tree::AabbTree;
use super::tree_node::{Child, ChildKind, NO_PARENT, Place};

impl AabbTree {
    /// Corrects heights and boxes from a node up to the root, or up to where nothing changes any more.
    pub(super) fn repair_upward(&mut self, start: u32) {
        let mut index = start;
        while index != NO_PARENT {
            let height_before = self.nodes[index as usize].height;
            self.balance(index);
            let box_changed = self.refresh_in_parent(index);
            if !box_changed && self.nodes[index as usize].height == height_before {
                return;
            }
            index = self.nodes[index as usize].parent;
        }
    }

    /// Restores |difference of heights| ≤ 1 at a node whose subtrees fulfil it and whose own difference is at most 2.
    ///
    /// Let B be the lower child, C the higher one, F and G the children of C, F the higher. If C is two higher than B,
    /// exchange B and F: F is one higher than B, and the new C is one or two higher. If it is one higher, a child of
    /// C may be as high as B; exchanging these two changes no height, and is done when it makes C smaller.
    fn balance(&mut self, index: u32) {
        let node = self.nodes[index as usize];
        let heights = node.children.map(|child| self.height_of(child));
        self.nodes[index as usize].height = heights[0].max(heights[1]) + 1;
        if heights[0] == heights[1] {
            return;
        }
        let high = usize::from(heights[1] > heights[0]);
        let ChildKind::Inner(below) = node.children[high].kind() else { return };
        let lower = self.nodes[below as usize];
        let must = heights[high] - heights[1 - high] > 1;
        let wanted = heights[1 - high] + u8::from(must);
        let mut best = (if must { f32::INFINITY } else { lower.bounds().half_area() }, None);
        for side in 0..2 {
            let area = lower.boxes[1 - side].merged(&node.boxes[1 - high]).half_area();
            if self.height_of(lower.children[side]) == wanted && area < best.0 {
                best = (area, Some(side));
            }
        }
        if let (_, Some(side)) = best {
            self.exchange(index, 1 - high, below, side);
        }
    }

    /// Exchanges child `side` of a node with child `side_below` of the node below on its other side.
    fn exchange(&mut self, index: u32, side: usize, below: u32, side_below: usize) {
        let (upper, lower) = (self.nodes[index as usize], self.nodes[below as usize]);
        let upper_mut = &mut self.nodes[index as usize];
        upper_mut.children[side] = lower.children[side_below];
        upper_mut.boxes[side] = lower.boxes[side_below];
        let lower_mut = &mut self.nodes[below as usize];
        lower_mut.children[side_below] = upper.children[side];
        lower_mut.boxes[side_below] = upper.boxes[side];
        self.set_parent(lower.children[side_below], index);
        self.set_parent(upper.children[side], below);
        for changed in [below, index] {
            let heights = self.nodes[changed as usize].children.map(|child| self.height_of(child));
            self.nodes[changed as usize].height = heights[0].max(heights[1]) + 1;
        }
        self.refresh_in_parent(below);
    }

    /// Writes the bounds of a node into its parent; whether they were different.
    pub(super) fn refresh_in_parent(&mut self, index: u32) -> bool {
        let (bounds, parent) =
            (self.nodes[index as usize].bounds(), self.nodes[index as usize].parent);
        if parent == NO_PARENT {
            return false;
        }
        let node = &mut self.nodes[parent as usize];
        let side = node.side_of(Child::inner(index));
        let changed = node.boxes[side] != bounds;
        node.boxes[side] = bounds;
        changed
    }

    pub(super) fn height_of(&self, child: Child) -> u8 {
        match child.kind() {
            ChildKind::Inner(index) => self.nodes[index as usize].height,
            ChildKind::Object(_) => 0,
        }
    }

    pub(super) fn set_parent(&mut self, child: Child, parent: u32) {
        match child.kind() {
            ChildKind::Inner(index) => self.nodes[index as usize].parent = parent,
            ChildKind::Object(id) => {
                let root = parent == NO_PARENT;
                self.slots[id as usize].place =
                    if root { Place::Root } else { Place::Below(parent) };
            }
        }
    }

    pub(super) fn replace_child(&mut self, parent: u32, before: Child, after: Child) {
        if parent == NO_PARENT {
            self.root = Some(after);
        } else {
            let node = &mut self.nodes[parent as usize];
            node.children[node.side_of(before)] = after;
        }
    }
}
