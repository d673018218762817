//! RRT-Connect [Kuffner 2000]: two trees, from the start and from the goal, that grow towards random points and towards
//! each other.
//!
//! 1. Draw a point and extend the smaller tree towards it by at most the range.
//! 2. Grow the other tree towards the new point until it is reached or something is in the way.
//! 3. Reached: the branches to both roots are a path. Otherwise go on with 1.
//!
//! Constraints on the path leave a thin part of the space: points drawn at random are moved into it, and trees grow in short
//! steps each of which is moved back into it.
//!
//! Edges are looked at by sampled states here and proven only when they are part of a path. An edge that cannot be
//! proven is cut off with all that hangs on it, and the search goes on.

use crate::error::PlanError;
use crate::probe::Probe;
use crate::tree::Tree;
use smooth_scene_robot::StateSampler;

/// Length of the steps in which trees grow under constraints, in the distance of the space.
const SHORT_STEP: f64 = 0.15;

/// Which tree an edge belongs to, and its end that is farther from the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeEdge {
    tree: usize,
    node: u32,
}

/// A path through both trees.
pub(crate) struct RawPath {
    /// From the start to the goal.
    pub points: Vec<Vec<f64>>,
    /// The edge after each point but the last.
    pub edges: Vec<TreeEdge>,
}

/// The two trees.
pub(crate) struct RrtConnect {
    trees: [Tree; 2],
    sampler: StateSampler,
    /// The way of the edge that is looked at.
    way: Vec<f64>,
}

/// How far a tree got.
enum Grown {
    /// A new node at the target.
    Reached(u32),
    /// A new node on the way to it.
    Advanced(u32),
    Trapped,
}

impl RrtConnect {
    pub fn new(probe: &Probe, start: &[f64], goal: &[f64]) -> Self {
        let sampler = StateSampler::new(probe.space.model(), probe.options.seed);
        Self { trees: [Tree::new(start), Tree::new(goal)], sampler, way: Vec::new() }
    }

    /// Grows the trees until they meet.
    pub fn next_path(&mut self, probe: &mut Probe) -> Result<RawPath, PlanError> {
        let mut positions = Vec::new();
        loop {
            probe.statistics.iterations += 1;
            self.sampler.draw_into(&mut positions);
            let mut target = probe.space.point(&positions);
            probe.space.move_into(&probe.options.workspace, &mut target);
            if !probe.constraints().is_empty()
                && !probe.constraints().project(probe.space, &mut target)?
            {
                probe.spend(1)?;
                continue;
            }
            let one = usize::from(self.trees[1].len() < self.trees[0].len());
            let node = match self.extend(one, &target, probe)? {
                Grown::Reached(node) | Grown::Advanced(node) => node,
                Grown::Trapped => continue,
            };
            let meeting = self.trees[one].point(node).to_vec();
            let other = 1 - one;
            loop {
                match self.extend(other, &meeting, probe)? {
                    Grown::Reached(met) => {
                        let nodes = if one == 0 { [node, met] } else { [met, node] };
                        return Ok(self.path(nodes));
                    }
                    Grown::Advanced(_) => {}
                    Grown::Trapped => break,
                }
            }
        }
    }

    /// Grows a tree by one edge towards a point.
    fn extend(
        &mut self,
        tree: usize,
        target: &[f64],
        probe: &mut Probe,
    ) -> Result<Grown, PlanError> {
        let space = probe.space;
        let near = self.trees[tree].nearest(space, target);
        if !probe.constraints().is_empty() {
            return self.creep(tree, near, target, probe);
        }
        let from = self.trees[tree].point(near);
        space.way(from, target, &mut self.way);
        let length = self.way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let share = (probe.options.range / length).min(1.0);
        let to = space.at(from, &self.way, share);
        if length > 0.0 && !probe.looks_free(from, &to)? {
            return Ok(Grown::Trapped);
        }
        probe.tell_edge(from, &to);
        let node = self.trees[tree].add(&to, near);
        Ok(if share < 1.0 { Grown::Advanced(node) } else { Grown::Reached(node) })
    }

    /// Grows a tree from a node towards a point that satisfies the constraints, by at most the range, in short steps that are
    /// moved back into the constraints.
    fn creep(
        &mut self,
        tree: usize,
        near: u32,
        target: &[f64],
        probe: &mut Probe,
    ) -> Result<Grown, PlanError> {
        let space = probe.space;
        let (mut node, mut way) = (near, Vec::new());
        let steps = (probe.options.range / SHORT_STEP).ceil() as u32;
        for _ in 0..steps {
            let from = self.trees[tree].point(node).to_vec();
            space.way(&from, target, &mut way);
            let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let is_last = length <= SHORT_STEP;
            let share = if is_last { 1.0 } else { SHORT_STEP / length };
            let mut to = space.at(&from, &way, share);
            if !is_last {
                let is_met = probe.constraints().project(space, &mut to)?;
                let left = space.distance(&to, target);
                // Moved back so far that nothing is gained.
                if !is_met || left > length - 0.1 * SHORT_STEP {
                    break;
                }
            }
            if length > 0.0 && !probe.looks_free(&from, &to)? {
                break;
            }
            node = self.trees[tree].add(&to, node);
            if is_last {
                return Ok(Grown::Reached(node));
            }
        }
        Ok(if node == near { Grown::Trapped } else { Grown::Advanced(node) })
    }

    /// The path through a node of each tree at the same place.
    fn path(&self, nodes: [u32; 2]) -> RawPath {
        let [mut forward, backward] = [0, 1].map(|k| self.trees[k].branch(nodes[k]));
        forward.reverse();
        let mut points: Vec<Vec<f64>> =
            forward.iter().map(|&node| self.trees[0].point(node).to_vec()).collect();
        let mut edges: Vec<TreeEdge> =
            forward[1..].iter().map(|&node| TreeEdge { tree: 0, node }).collect();
        // The meeting point is in both branches.
        points.extend(backward[1..].iter().map(|&node| self.trees[1].point(node).to_vec()));
        edges.extend(backward[..backward.len() - 1].iter().map(|&node| TreeEdge { tree: 1, node }));
        RawPath { points, edges }
    }

    /// Cuts off what is behind an edge that cannot be proven.
    pub fn cut(&mut self, edge: TreeEdge) {
        self.trees[edge.tree].cut(edge.node);
    }

    /// Numbers for other random choices, from the same sequence.
    pub fn sampler(&mut self) -> &mut StateSampler {
        &mut self.sampler
    }
}
