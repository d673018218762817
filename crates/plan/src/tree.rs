//! A tree of points that are connected to a root.

use crate::space::JointSpace;

/// A tree of points. Branches can be cut off; their points stay in memory and are found no more.
pub(crate) struct Tree {
    dimension: usize,
    points: Vec<f64>,
    parents: Vec<u32>,
    is_cut: Vec<bool>,
    alive: usize,
}

impl Tree {
    /// A tree of its root only.
    pub fn new(root: &[f64]) -> Self {
        Self {
            dimension: root.len(),
            points: root.to_vec(),
            parents: vec![0],
            is_cut: vec![false],
            alive: 1,
        }
    }

    /// How many points it has.
    pub fn len(&self) -> usize {
        self.alive
    }

    pub fn point(&self, node: u32) -> &[f64] {
        let first = node as usize * self.dimension;
        &self.points[first..first + self.dimension]
    }

    pub fn add(&mut self, point: &[f64], parent: u32) -> u32 {
        let node =
            u32::try_from(self.parents.len()).expect("a budget of states ends the search before");
        self.points.extend_from_slice(point);
        self.parents.push(parent);
        self.is_cut.push(false);
        self.alive += 1;
        node
    }

    /// The point nearest to another one; of equal ones the oldest.
    pub fn nearest(&self, space: &JointSpace, point: &[f64]) -> u32 {
        let mut best = (f64::INFINITY, 0);
        for (node, candidate) in (0u32..).zip(self.points.chunks_exact(self.dimension)) {
            if self.is_cut[node as usize] {
                continue;
            }
            let distance = space.distance_squared(candidate, point);
            if distance < best.0 {
                best = (distance, node);
            }
        }
        best.1
    }

    /// The nodes from one of them to the root.
    pub fn branch(&self, node: u32) -> Vec<u32> {
        let mut nodes = vec![node];
        let mut node = node;
        while node != 0 {
            node = self.parents[node as usize];
            nodes.push(node);
        }
        nodes
    }

    /// Cuts off a node, which is not the root, and all that hang on it.
    pub fn cut(&mut self, node: u32) {
        assert!(node != 0, "the root stays");
        self.is_cut[node as usize] = true;
        // Children come after their parents.
        for later in node as usize + 1..self.parents.len() {
            self.is_cut[later] |= self.is_cut[self.parents[later] as usize];
        }
        self.alive = self.is_cut.iter().filter(|is_cut| !**is_cut).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_takes_the_branch_with_it() {
        let mut tree = Tree::new(&[0.0]);
        let a = tree.add(&[1.0], 0);
        let b = tree.add(&[2.0], a);
        let c = tree.add(&[3.0], 0);
        let d = tree.add(&[4.0], b);
        assert_eq!(tree.branch(d), [d, b, a, 0]);
        tree.cut(a);
        assert_eq!(tree.len(), 2);
        assert_eq!(tree.branch(c), [c, 0]);
        assert!([a, b, d].iter().all(|&node| tree.is_cut[node as usize]));
    }
}
