//! A roadmap for many questions in one scene: PRM with lazy proofs.
//!
//! Points are drawn at random, checked, and joined to their nearest neighbours without a look at what lies between. A
//! question joins its start and goal to the roadmap and looks for the shortest way (A*). Only the edges of that way are
//! looked at: by sampled states first, then by a proof. An edge that fails is never used again, one that is proven is never
//! proven again, and the search is repeated. When no way is left, the roadmap grows.
//!
//! The number of neighbours is that of PRM* [Karaman 2011]: k = e (1 + 1/d) ln n, in d dimensions with n points. With it
//! the shortest way in the roadmap approaches the shortest there is as n grows.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::certificate::SegmentCertificate;
use crate::edge_proof::EdgeProof;
use crate::error::PlanError;
use crate::probe::Probe;
use smooth_scene_robot::StateSampler;

/// Points by which the roadmap grows at a time.
pub(crate) const BATCH: usize = 100;

/// Nodes that the search for a way visits between two looks at the stop flag: some hundred microseconds.
const NODES_BETWEEN_LOOKS: u32 = 256;

/// Points that are drawn between two looks at the stop flag when none of them is worth a check: some ten microseconds.
const DRAWS_BETWEEN_LOOKS: usize = 256;

/// Draws for each point that is wanted before a region counts as too small.
const DRAWS_PER_POINT: usize = 1000;

/// What is known about an edge.
#[derive(Debug, Clone)]
enum Knowledge {
    Nothing,
    LooksFree,
    /// Proven from the node with the smaller number to the other one. Certificates that are used the other way round are
    /// found again: they hold for a motion in one direction.
    Proven(Box<SegmentCertificate>),
    Refuted,
}

/// A node beside another one, and the number of the edge between them.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    node: u32,
    edge: u32,
}

/// Two nodes, the older one first.
#[derive(Debug, Clone)]
struct Edge {
    ends: [u32; 2],
    knowledge: Knowledge,
}

/// Nodes and the edges between them.
struct Route {
    nodes: Vec<u32>,
    edges: Vec<u32>,
}

/// Points and edges that are valid for one scene and one group.
#[derive(Clone)]
pub(crate) struct Graph {
    points: Vec<Vec<f64>>,
    neighbours: Vec<Vec<Neighbour>>,
    edges: Vec<Edge>,
    sampler: StateSampler,
}

/// A way through the roadmap.
pub(crate) struct Way {
    pub points: Vec<Vec<f64>>,
    pub segments: Vec<SegmentCertificate>,
}

/// A node on the frontier of A*, the nearest first.
#[derive(PartialEq)]
struct Candidate {
    estimate: f64,
    node: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // A heap returns the largest.
        other.estimate.total_cmp(&self.estimate).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Graph {
    pub fn new(sampler: StateSampler) -> Self {
        let (points, neighbours, edges) = (Vec::new(), Vec::new(), Vec::new());
        Self { points, neighbours, edges, sampler }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    pub fn point(&self, node: u32) -> &[f64] {
        &self.points[node as usize]
    }

    /// The node of a point that is known to be free; an old one if it is there already.
    pub fn node(&mut self, probe: &Probe, point: &[f64]) -> u32 {
        if let Some(node) = self.points.iter().position(|known| known == point) {
            return node as u32;
        }
        self.add(probe, point.to_vec())
    }

    fn add(&mut self, probe: &Probe, point: Vec<f64>) -> u32 {
        let (space, count) = (probe.space, self.points.len());
        let mut near: Vec<(f64, u32)> = (0u32..)
            .zip(&self.points)
            .map(|(node, other)| (space.distance_squared(other, &point), node))
            .collect();
        let dimension = space.freedoms() as f64;
        // The binary digits of n times ln 2 are at least ln n, and the same on every machine.
        let logarithm = f64::from(usize::BITS - count.leading_zeros()) * std::f64::consts::LN_2;
        let wanted = std::f64::consts::E * (1.0 + 1.0 / dimension) * logarithm;
        let wanted = (wanted.ceil() as usize).max(3).min(count);
        let nearer = |x: &(f64, u32), y: &(f64, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        if wanted < count {
            near.select_nth_unstable_by(wanted, nearer);
            near.truncate(wanted);
        }
        near.sort_unstable_by(nearer);
        let node = u32::try_from(count).expect("a budget of states ends the search before");
        self.points.push(point);
        self.neighbours.push(Vec::new());
        for &(_, other) in &near {
            let edge = u32::try_from(self.edges.len()).expect("memory ends before");
            self.neighbours[node as usize].push(Neighbour { node: other, edge });
            self.neighbours[other as usize].push(Neighbour { node, edge });
            self.edges.push(Edge { ends: [other, node], knowledge: Knowledge::Nothing });
        }
        node
    }

    /// Adds free points and returns how many; `is_useful` says which points are worth a check.
    pub fn grow(
        &mut self,
        probe: &mut Probe,
        is_useful: &dyn Fn(&[f64]) -> bool,
    ) -> Result<usize, PlanError> {
        let mut positions = Vec::new();
        let mut added = 0;
        // Points that are not useful cost no check: a number of draws ends the search in a region that is too small to hit.
        for draw in 1..=BATCH * DRAWS_PER_POINT {
            if draw % DRAWS_BETWEEN_LOOKS == 0 {
                probe.spend(0)?;
            }
            probe.statistics.iterations += 1;
            self.sampler.draw_into(&mut positions);
            let mut point = probe.space.point(&positions);
            probe.space.move_into(&probe.options.workspace, &mut point);
            if is_useful(&point) && probe.is_free(&point)? {
                self.add(probe, point);
                added += 1;
                if added == BATCH {
                    break;
                }
            }
        }
        Ok(added)
    }

    /// Numbers for other random choices, from the same sequence.
    pub fn sampler(&mut self) -> &mut StateSampler {
        &mut self.sampler
    }

    /// The shortest way between two nodes that is proven from end to end and shorter than `limit`; nothing when the
    /// roadmap has none.
    pub fn proven_way(
        &mut self,
        probe: &mut Probe,
        start: u32,
        goal: u32,
        limit: f64,
    ) -> Result<Option<Way>, PlanError> {
        while let Some(route) = self.shortest(probe, start, goal, limit)? {
            if let Some(way) = self.prove(probe, &route)? {
                return Ok(Some(way));
            }
        }
        Ok(None)
    }

    /// A* over the edges that are not refuted.
    fn shortest(
        &self,
        probe: &mut Probe,
        start: u32,
        goal: u32,
        limit: f64,
    ) -> Result<Option<Route>, PlanError> {
        let space = probe.space;
        let target = &self.points[goal as usize];
        let mut costs = vec![f64::INFINITY; self.points.len()];
        let mut parents = vec![Neighbour { node: start, edge: u32::MAX }; self.points.len()];
        let mut frontier = BinaryHeap::new();
        costs[start as usize] = 0.0;
        frontier.push(Candidate {
            estimate: space.distance(&self.points[start as usize], target),
            node: start,
        });
        let mut visited = 0;
        while let Some(Candidate { estimate, node }) = frontier.pop() {
            if estimate >= limit {
                return Ok(None);
            }
            if node == goal {
                return Ok(Some(route(&parents, start, goal)));
            }
            visited += 1;
            if visited % NODES_BETWEEN_LOOKS == 0 {
                probe.spend(0)?;
            }
            let here = &self.points[node as usize];
            for &Neighbour { node: next, edge } in &self.neighbours[node as usize] {
                if matches!(self.edges[edge as usize].knowledge, Knowledge::Refuted) {
                    continue;
                }
                let there = &self.points[next as usize];
                let cost = costs[node as usize] + space.distance(here, there);
                if cost < costs[next as usize] {
                    costs[next as usize] = cost;
                    parents[next as usize] = Neighbour { node, edge };
                    frontier.push(Candidate {
                        estimate: cost + space.distance(there, target),
                        node: next,
                    });
                }
            }
        }
        Ok(None)
    }

    /// Looks at the edges of a way, all by sampled states before any is proven. Nothing when one fails.
    fn prove(&mut self, probe: &mut Probe, route: &Route) -> Result<Option<Way>, PlanError> {
        for &number in &route.edges {
            let Edge { ends, knowledge } = &self.edges[number as usize];
            if matches!(knowledge, Knowledge::Nothing) {
                let [from, to] = ends.map(|node| &self.points[node as usize]);
                let knowledge = match probe.looks_free(from, to)? {
                    true => Knowledge::LooksFree,
                    false => Knowledge::Refuted,
                };
                self.edges[number as usize].knowledge = knowledge;
            }
            if matches!(self.edges[number as usize].knowledge, Knowledge::Refuted) {
                return Ok(None);
            }
        }
        let points: Vec<Vec<f64>> =
            route.nodes.iter().map(|&node| self.points[node as usize].clone()).collect();
        let points = probe.space.unwrapped(&points);
        let mut segments = Vec::new();
        for (&number, ends) in route.edges.iter().zip(points.windows(2)) {
            let knowledge = &mut self.edges[number as usize].knowledge;
            let known = match &knowledge {
                Knowledge::Proven(certificate) => {
                    probe.is_about(certificate, &ends[0], &ends[1]).then(|| certificate.clone())
                }
                _ => None,
            };
            let certificate = match known {
                Some(certificate) => certificate,
                None => match probe.prove(&ends[0], &ends[1])? {
                    EdgeProof::Proven(certificate) => Box::new(certificate),
                    EdgeProof::Refuted | EdgeProof::Cancelled => {
                        *knowledge = Knowledge::Refuted;
                        return Ok(None);
                    }
                },
            };
            *knowledge = Knowledge::Proven(certificate.clone());
            segments.push(*certificate);
        }
        Ok(Some(Way { points, segments }))
    }
}

/// The way to a node from the nodes before each.
fn route(parents: &[Neighbour], start: u32, goal: u32) -> Route {
    let (mut nodes, mut edges) = (vec![goal], Vec::new());
    let mut node = goal;
    while node != start {
        let before = parents[node as usize];
        node = before.node;
        nodes.push(node);
        edges.push(before.edge);
    }
    nodes.reverse();
    edges.reverse();
    Route { nodes, edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::SceneChecker;
    use crate::options::PlanOptions;
    use crate::space::JointSpace;
    use smooth_scene_robot::{LoadOptions, parse_urdf};
    use smooth_scene_scene::PlanningScene;
    use std::cell::Cell;
    use std::sync::Arc;

    const TURNTABLE: &str = r#"<robot name="turntable"><link name="base"/><link name="plate"/>
        <joint name="turn" type="revolute"><parent link="base"/><child link="plate"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#;

    #[test]
    fn draws_that_are_not_worth_a_check_are_cancelled_too() {
        let model = parse_urdf(TURNTABLE, "test", &LoadOptions::default()).unwrap().model;
        let scene = PlanningScene::new(Arc::new(model), None).unwrap();
        let (options, start) = (PlanOptions::default(), [0.0]);
        let space = JointSpace::new(&scene, None, &start).unwrap();
        let mut checker = SceneChecker::new(&scene).unwrap();
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() == 3
        };
        let mut probe = Probe::new(&space, &options, &mut checker, &stop).unwrap();
        let mut graph = Graph::new(StateSampler::new(scene.model(), 1));
        assert_eq!(graph.grow(&mut probe, &|_| false), Err(PlanError::Cancelled));
        assert_eq!(probe.statistics.iterations, 3 * DRAWS_BETWEEN_LOOKS as u64 - 1);
    }
}
