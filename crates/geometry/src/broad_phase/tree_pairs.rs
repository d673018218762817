//! Pairs of objects within a distance: of one tree, or of two.

use super::Limit;
use super::aabb_tree::AabbTree;
use super::tree_node::{Child, ChildKind, gap_squared};

/// Two subtrees whose boxes are this far apart.
#[derive(Clone, Copy)]
struct Task {
    squared: f64,
    a: Child,
    b: Child,
}

/// A search under way: two trees, which may be one and the same, and who asks.
struct PairSearch<'a, V> {
    first: &'a AabbTree,
    second: &'a AabbTree,
    same_tree: bool,
    limit: Limit,
    visit: V,
    /// Depth first: never longer than a few times the height of the trees.
    stack: Vec<Task>,
}

impl AabbTree {
    pub(super) fn search_own_pairs(
        &self,
        max_distance: f64,
        visit: impl FnMut(u32, u32, f64) -> f64,
    ) {
        let mut search = PairSearch::new(self, self, true, max_distance, visit);
        for (position, &a) in self.unbounded.iter().enumerate() {
            self.unbounded[position + 1..].iter().for_each(|&b| search.visit_objects(a, b));
            self.bounded_ids().for_each(|b| search.visit_objects(a, b));
        }
        if let Some(root) = self.root.filter(|root| matches!(root.kind(), ChildKind::Inner(_))) {
            search.push(0.0, root, root);
        }
        search.run();
    }

    pub(super) fn search_pairs_with(
        &self,
        other: &AabbTree,
        max_distance: f64,
        visit: impl FnMut(u32, u32, f64) -> f64,
    ) {
        let mut search = PairSearch::new(self, other, false, max_distance, visit);
        for &a in &self.unbounded {
            other.iter().for_each(|(b, _)| search.visit_objects(a, b));
        }
        for &b in &other.unbounded {
            self.bounded_ids().for_each(|a| search.visit_objects(a, b));
        }
        if let (Some(a), Some(b)) = (self.root, other.root) {
            search.push(0.0, a, b);
        }
        search.run();
    }

    /// Ids of the objects in the tree.
    fn bounded_ids(&self) -> impl Iterator<Item = u32> {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, slot)| slot.is_in_tree()).map(|(id, _)| id as u32)
    }
}

impl<'a, V: FnMut(u32, u32, f64) -> f64> PairSearch<'a, V> {
    fn new(
        first: &'a AabbTree,
        second: &'a AabbTree,
        same_tree: bool,
        max_distance: f64,
        visit: V,
    ) -> Self {
        let limit = Limit::new(max_distance);
        PairSearch { first, second, same_tree, limit, visit, stack: Vec::new() }
    }

    fn run(&mut self) {
        while let Some(task) = self.stack.pop() {
            if task.squared > self.limit.squared {
                continue;
            }
            match (task.a.kind(), task.b.kind()) {
                (ChildKind::Object(a), ChildKind::Object(b)) => self.visit_objects(a, b),
                (ChildKind::Inner(a), ChildKind::Inner(b)) if self.same_tree && a == b => {
                    self.open_one(a);
                }
                (ChildKind::Inner(a), ChildKind::Inner(b)) => self.open_both(a, b),
                (ChildKind::Inner(a), ChildKind::Object(b)) => {
                    let (node, aabb) =
                        (&self.first.nodes[a as usize], &self.second.slots[b as usize].aabb);
                    let gaps = node.boxes.map(|outer| outer.gap_squared(aabb));
                    self.push_sorted([0, 1].map(|i| (gaps[i], node.children[i], task.b)));
                }
                (ChildKind::Object(a), ChildKind::Inner(b)) => {
                    let (node, aabb) =
                        (&self.second.nodes[b as usize], &self.first.slots[a as usize].aabb);
                    let gaps = node.boxes.map(|outer| outer.gap_squared(aabb));
                    self.push_sorted([0, 1].map(|i| (gaps[i], task.a, node.children[i])));
                }
            }
        }
    }

    /// The pairs inside one node: inside either child, and between the two.
    fn open_one(&mut self, index: u32) {
        let node = &self.first.nodes[index as usize];
        let [a, b] = node.children;
        self.push(node.boxes[0].gap_squared_to(&node.boxes[1]), a, b);
        for child in [a, b] {
            if let ChildKind::Inner(_) = child.kind() {
                self.push(0.0, child, child);
            }
        }
    }

    fn open_both(&mut self, a: u32, b: u32) {
        let (first, second) = (&self.first.nodes[a as usize], &self.second.nodes[b as usize]);
        self.push_sorted([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| {
            let gap = first.boxes[i].gap_squared_to(&second.boxes[j]);
            (gap, first.children[i], second.children[j])
        }));
    }

    /// The farthest first: what is put on the stack last is taken first.
    fn push_sorted<const N: usize>(&mut self, mut tasks: [(f64, Child, Child); N]) {
        tasks.sort_by(|left, right| right.0.total_cmp(&left.0));
        for (squared, a, b) in tasks {
            self.push(squared, a, b);
        }
    }

    fn push(&mut self, squared: f64, a: Child, b: Child) {
        if squared <= self.limit.squared {
            self.stack.push(Task { squared, a, b });
        }
    }

    fn visit_objects(&mut self, a: u32, b: u32) {
        let (first, second) = (&self.first.slots[a as usize], &self.second.slots[b as usize]);
        let distance = gap_squared(&first.aabb, &second.aabb).sqrt();
        if distance <= self.limit.distance {
            let (a, b) = if self.same_tree { (a.min(b), a.max(b)) } else { (a, b) };
            self.limit.shrink((self.visit)(a, b, distance));
        }
    }
}
