//! Proof of the penetration depth: branch and bound over directions.
//!
//! f(n) = min over x in M of n·x, where M = B − A is the Minkowski difference. Any x in M therefore bounds f everywhere:
//! f(n) ≤ n·x. If a ball of radius r rolls inside M (the sum of the least radii of curvature of both bodies), the same
//! holds for the body M shrunk by r, which is tighter: with x the point that attains f at n₀,
//!
//! ```text
//! f(n) ≤ n·(x + r·n₀) − r        equality on the whole sphere when M is a ball of radius r
//! ```
//!
//! The sphere of directions is covered by spherical triangles. The points found at the corners of a triangle, and at its
//! centre, bound f over all of it (`cell_bound.rs`). The triangle with the highest bound is always the next one to be
//! looked at: first at its centre, then in four parts. The search ends when the highest bound exceeds the best f found by no
//! more than the tolerance, or when the budget is spent; either way the highest bound is proven.
//!
//! The error of a bound falls with the square of the triangle's size. An isolated maximum takes a few hundred
//! evaluations, a whole circle of equal maxima, as coaxial bodies of revolution have it, some ten thousand.

use crate::certify::cell_bound::{Heights, lowest_ceiling};
use crate::solve::common_normal::{Goal, ascend};
use crate::solve::separation::SeparationFunction;
use smooth_scene_geometry::math::Vec3;
use std::cell::Cell as Slot;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

thread_local! {
    /// Memory of the last proof on this thread, so that the next one allocates nothing. Its content is never read again.
    static SCRATCH: Slot<Scratch> = Slot::default();
}

/// Directions that memory is reserved for by the first proof on a thread: the default budget.
const RESERVED: usize = 20_000;

/// Deepest subdivision: triangles of 1e-14 rad, whose corners are still apart.
const MAX_LEVEL: u32 = 46;
/// Rise of f, in multiples of the tolerance, for which a climb to the top is worth its evaluations.
const WORTH_CLIMBING: f64 = 1e-3;

/// Excess of a bound, in multiples of the tolerance, up to which a look at the centre of the triangle may be all it
/// takes: where M is smooth the point there halves the excess, and splitting the triangle quarters it.
const NEARLY_ENOUGH: f64 = 3.0;

/// A proven bound on the highest value of f.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proof {
    /// The highest value found and its direction; at least what was passed in.
    pub value: f64,
    pub normal: Vec3,
    /// No direction has a higher value than this.
    pub upper: f64,
    pub evaluations: u32,
}

/// What ends a proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProofLimits {
    /// Width of the bound, in metres, at which the proof is complete.
    pub tolerance: f64,
    /// Evaluations of f.
    pub budget: u32,
}

/// Proves that no direction has f above the best value plus the tolerance, or finds out how much can be proven within
/// the budget. `known` is the best direction and the bound so far, `radius` the radius of a ball that rolls inside M.
pub(crate) fn prove_highest(
    pair: &impl SeparationFunction,
    known: Proof,
    radius: f64,
    limits: &ProofLimits,
    size: f64,
) -> Proof {
    let best = Proof { evaluations: 0, ..known };
    if known.upper - known.value <= limits.tolerance {
        return Proof { upper: best.upper.max(best.value), ..best };
    }
    let scratch = SCRATCH.take().cleared();
    let mut search =
        Search { pair, radius, size, limits: *limits, best, scratch, closed: f64::NEG_INFINITY };
    let upper = best.upper.min(search.run());
    let Search { best, scratch, .. } = search;
    SCRATCH.set(scratch);
    Proof { upper: upper.max(best.value), ..best }
}

/// Directions and triangles of a proof.
#[derive(Debug, Default)]
struct Scratch {
    directions: Vec<Direction>,
    /// The direction in the middle of an edge, which two triangles share.
    middles: HashMap<(u32, u32), u32>,
    waiting: BinaryHeap<Cell>,
}

impl Scratch {
    /// Empty, with room for the default budget: a triangulation has about twice as many triangles as corners.
    fn cleared(mut self) -> Self {
        self.directions.clear();
        self.middles.clear();
        self.waiting.clear();
        self.directions.reserve(RESERVED);
        self.middles.reserve(RESERVED);
        self.waiting.reserve(2 * RESERVED);
        self
    }
}

/// A direction at which f was evaluated.
#[derive(Debug, Clone, Copy)]
struct Direction {
    normal: Vec3,
    /// The point of M shrunk by the rolling radius that is extreme there.
    inner: Vec3,
}

/// A spherical triangle that may hold a higher value.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Proven bound on f over the triangle.
    bound: f64,
    corners: [u32; 3],
    /// The direction at its centre, once it was evaluated.
    centre: Option<u32>,
    level: u32,
}

/// By bound, highest first; equal ones in a fixed order.
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then_with(|| other.corners.cmp(&self.corners))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

struct Search<'a, P> {
    pair: &'a P,
    radius: f64,
    size: f64,
    limits: ProofLimits,
    best: Proof,
    scratch: Scratch,
    /// The highest bound of a triangle that needs no closer look.
    closed: f64,
}

impl<P: SeparationFunction> Search<'_, P> {
    /// Refines the triangle with the highest bound until the bounds are tight or the budget is spent; the bound on f
    /// over the whole sphere.
    fn run(&mut self) -> f64 {
        let axes: [[u32; 2]; 3] = [Vec3::x(), Vec3::y(), Vec3::z()]
            .map(|axis| [axis, -axis].map(|normal| self.evaluate(normal)));
        for octant in 0..8 {
            let corners = [0, 1, 2].map(|axis| axes[axis][octant >> axis & 1]);
            self.add_cell(corners, None, 0);
        }
        while let Some(cell) = self.scratch.waiting.pop() {
            if cell.bound <= self.enough() || self.best.evaluations >= self.limits.budget {
                return self.closed.max(cell.bound);
            }
            let is_nearly_enough =
                cell.bound - self.best.value <= NEARLY_ENOUGH * self.limits.tolerance;
            match cell.centre {
                None if is_nearly_enough => {
                    let centre = self.evaluate(self.middle_of(&cell.corners));
                    self.add_cell(cell.corners, Some(centre), cell.level);
                }
                _ if cell.level == MAX_LEVEL => self.closed = self.closed.max(cell.bound),
                centre => self.split(&cell, centre),
            }
        }
        self.closed
    }

    /// A bound that needs no improvement.
    fn enough(&self) -> f64 {
        self.best.value + self.limits.tolerance
    }

    /// Evaluates f; a rise is followed to its top.
    fn evaluate(&mut self, normal: Vec3) -> u32 {
        let at = self.pair.at(&normal);
        self.best.evaluations += 1;
        if at.value > self.best.value + WORTH_CLIMBING * self.limits.tolerance {
            let ascent = ascend(self.pair, &normal, &Goal::top(self.size));
            self.best.evaluations += ascent.evaluations;
            let top = ascent.jet.at.value;
            self.best.value = at.value.max(top);
            self.best.normal = if top >= at.value { ascent.jet.normal } else { normal };
        }
        let inner = at.gradient() + normal * self.radius;
        self.scratch.directions.push(Direction { normal, inner });
        (self.scratch.directions.len() - 1) as u32
    }

    fn middle_of(&self, corners: &[u32]) -> Vec3 {
        corners
            .iter()
            .map(|&corner| self.scratch.directions[corner as usize].normal)
            .sum::<Vec3>()
            .normalize()
    }

    /// The direction in the middle of an edge, evaluated once.
    fn edge_middle(&mut self, one: u32, other: u32) -> u32 {
        let edge = (one.min(other), one.max(other));
        if let Some(&middle) = self.scratch.middles.get(&edge) {
            return middle;
        }
        let middle = self.evaluate(self.middle_of(&[edge.0, edge.1]));
        self.scratch.middles.insert(edge, middle);
        middle
    }

    /// Four triangles between the corners and the middles of the edges. The one in the middle keeps the centre.
    fn split(&mut self, cell: &Cell, centre: Option<u32>) {
        let [a, b, c] = cell.corners;
        let (ab, bc, ca) = (self.edge_middle(a, b), self.edge_middle(b, c), self.edge_middle(c, a));
        let level = cell.level + 1;
        self.add_cell([ab, bc, ca], centre, level);
        for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c]] {
            self.add_cell(corners, None, level);
        }
    }

    /// Bounds f over a triangle and keeps it if the bound is too high.
    fn add_cell(&mut self, corners: [u32; 3], centre: Option<u32>, level: u32) {
        let bound = self.bound(&corners, centre);
        if bound <= self.enough() {
            self.closed = self.closed.max(bound);
        } else {
            self.scratch.waiting.push(Cell { bound, corners, centre, level });
        }
    }

    fn bound(&self, corners: &[u32; 3], centre: Option<u32>) -> f64 {
        let at = |index: u32| &self.scratch.directions[index as usize];
        let normals = corners.map(|corner| at(corner).normal);
        let heights =
            |index: u32| -> Heights { normals.map(|normal| normal.dot(&at(index).inner)) };
        // The centre comes first: where M is smooth its point alone is the best.
        let mut columns = [[0.0; 3]; 4];
        let mut count = 0;
        for index in centre.into_iter().chain(*corners) {
            columns[count] = heights(index);
            count += 1;
        }
        let ceiling = lowest_ceiling(&columns[..count], self.enough() + self.radius);
        if ceiling <= 0.0 {
            return ceiling - self.radius;
        }
        // A unit vector inside the triangle has weights Σμ ≥ 1 on its corners, and c·n = Σμₖ c·vₖ ≤ 1.
        let middle = self.middle_of(corners);
        let least = normals.iter().map(|normal| normal.dot(&middle)).fold(f64::INFINITY, f64::min);
        ceiling / least - self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::core_shape::CoreShape;
    use crate::solve::surface_pair::SurfacePair;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::simd::Portable;

    const TOLERANCE: f64 = 2e-6;

    /// The proof for two concentric bodies in general poses, without any earlier knowledge.
    fn prove(a: &Shape, b: &Shape, pose_ab: &Pose, budget: u32) -> Proof {
        let (core_a, core_b) = (CoreShape::of(a).0, CoreShape::of(b).0);
        let rotation = pose_ab.rotation.to_rotation_matrix().into_inner();
        let offset = &pose_ab.translation.vector;
        let pair = SurfacePair::<Portable>::new([core_a, core_b], &rotation, offset);
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let known = Proof { value: pair.at(&normal).value, normal, upper: 0.0, evaluations: 0 };
        let limits = ProofLimits { tolerance: TOLERANCE, budget };
        prove_highest(&pair, known, 0.0, &limits, 1.0)
    }

    #[test]
    fn a_circle_of_equal_maxima_is_proven_within_the_default_budget() {
        let (a, b) = (Shape::cylinder(0.4, 1.0).unwrap(), Shape::cylinder(0.6, 1.0).unwrap());
        let turned = Pose::rotation(Vec3::new(0.0, 0.0, 0.7));
        let proof = prove(&a, &b, &turned, 20_000);
        assert!((proof.value + 1.0).abs() < 1e-9, "{proof:?}");
        assert!(proof.upper - proof.value <= TOLERANCE, "{proof:?}");
    }

    #[test]
    fn an_unfinished_proof_has_spent_its_budget_and_its_bound_holds() {
        let (a, b) = (Shape::cylinder(0.4, 1.0).unwrap(), Shape::cylinder(0.6, 1.0).unwrap());
        for budget in [10, 100, 1000] {
            let proof = prove(&a, &b, &Pose::identity(), budget);
            assert!(proof.evaluations >= budget && proof.upper >= -1.0, "{budget}: {proof:?}");
            assert!(proof.upper - proof.value > TOLERANCE, "{budget}: {proof:?}");
        }
    }
}
