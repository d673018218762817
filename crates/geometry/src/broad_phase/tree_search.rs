//! Searches around one box: all within a distance, or nearest first.

use super::Limit;
use super::aabb_tree::AabbTree;
use super::tree_node::{Child, ChildKind, gap_squared};
use crate::Aabb;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A walk leaves at most one node a level behind, and a balanced tree of 2²⁴ objects is at most 35 levels high.
const STACK: usize = 40;

impl AabbTree {
    /// Depth first, the nearer child first.
    pub(super) fn search_near(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let mut limit = Limit::new(max_distance);
        for &id in &self.unbounded {
            self.visit_object(id, aabb, &mut limit, &mut visit);
        }
        let mut stack = [(0.0, 0u32); STACK];
        let mut depth = 0;
        match self.root.map(Child::kind) {
            Some(ChildKind::Object(id)) => self.visit_object(id, aabb, &mut limit, &mut visit),
            Some(ChildKind::Inner(root)) => {
                stack[0].1 = root;
                depth = 1;
            }
            None => {}
        }
        while depth > 0 {
            depth -= 1;
            let (squared, index) = stack[depth];
            if squared > limit.squared {
                continue;
            }
            let node = &self.nodes[index as usize];
            let gaps = [node.boxes[0].gap_squared(aabb), node.boxes[1].gap_squared(aabb)];
            let near = usize::from(gaps[1] < gaps[0]);
            // The farther one first: what is put on the stack last is taken first.
            for side in [1 - near, near] {
                if gaps[side] > limit.squared {
                    continue;
                }
                match node.children[side].kind() {
                    ChildKind::Object(id) => self.visit_object(id, aabb, &mut limit, &mut visit),
                    ChildKind::Inner(below) => {
                        stack[depth] = (gaps[side], below);
                        depth += 1;
                    }
                }
            }
        }
    }

    /// Measures the exact box and visits the object if it is within the limit.
    #[inline]
    fn visit_object(
        &self,
        id: u32,
        aabb: &Aabb,
        limit: &mut Limit,
        visit: &mut impl FnMut(u32, f64) -> f64,
    ) {
        let squared = gap_squared(&self.slots[id as usize].aabb, aabb);
        if squared > limit.squared {
            return;
        }
        let distance = squared.sqrt();
        if distance <= limit.distance {
            limit.shrink(visit(id, distance));
        }
    }

    #[inline]
    fn exact_distance(&self, id: u32, aabb: &Aabb) -> f64 {
        gap_squared(&self.slots[id as usize].aabb, aabb).sqrt()
    }

    /// Best first: a queue of nodes and objects by distance. At equal distance nodes come before objects and objects by
    /// id, so that the order of the objects does not depend on the shape of the tree.
    pub(super) fn search_nearest(
        &self,
        aabb: &Aabb,
        max_distance: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let mut limit = Limit::new(max_distance);
        let mut queue = BinaryHeap::new();
        // Bits of non-negative numbers are ordered as the numbers are.
        let entry = |distance: f64, child: Child| Reverse((distance.to_bits(), child));
        for &id in &self.unbounded {
            queue.push(entry(self.exact_distance(id, aabb), Child::object(id)));
        }
        if let Some(root) = self.root {
            let distance = match root.kind() {
                ChildKind::Object(id) => self.exact_distance(id, aabb),
                ChildKind::Inner(_) => 0.0,
            };
            queue.push(entry(distance, root));
        }
        while let Some(Reverse((bits, child))) = queue.pop() {
            let distance = f64::from_bits(bits);
            if limit.stopped() || distance > limit.distance {
                return;
            }
            match child.kind() {
                ChildKind::Object(id) => limit.shrink(visit(id, distance)),
                ChildKind::Inner(index) => {
                    let node = &self.nodes[index as usize];
                    for side in 0..2 {
                        let distance = match node.children[side].kind() {
                            ChildKind::Object(id) => self.exact_distance(id, aabb),
                            ChildKind::Inner(_) => node.boxes[side].gap_squared(aabb).sqrt(),
                        };
                        if distance <= limit.distance {
                            queue.push(entry(distance, node.children[side]));
                        }
                    }
                }
            }
        }
    }
}
