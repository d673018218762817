//! The expanding polytope algorithm: the depth of two overlapping bodies from support points alone
//! [van den Bergen 2003].
//!
//! The depth is the distance from the origin to the boundary of A ⊖ B. A polytope of support points inside it grows:
//!
//! 1. Take the face nearest to the origin, at distance δ with outward normal n. δ is a lower bound on the depth.
//! 2. The support value of A ⊖ B along n is an upper bound; stop when the best one − δ ≤ [`GAP`]·size.
//! 3. Remove every face that the support point sees, and connect the rim of the hole to it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::relative_pair::{PointPair, RelativePair, Solution};
use crate::simplex::{Simplex, Vertex, nearest_on_triangle};
use smooth_scene_geometry::math::Vec3;

/// Distance between the bounds on the depth at which EPA stops, in multiples of the size of the bodies.
const GAP: f64 = 1e-10;
/// Support points EPA may add. A hundred are typical for smooth bodies at this gap; where the depth hardly depends on
/// the direction (concentric spheres) no number is enough.
const MAX_EXPANSIONS: u32 = 500;
/// Height of a tetrahedron, in multiples of the size of the bodies, below which it counts as flat.
const FLAT: f64 = 1e-10;

/// A triangle of the polytope, counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [usize; 3],
    /// The face across edge k (from corner k to corner k + 1), and which of its edges that is.
    across: [(usize, usize); 3],
    normal: Vec3,
    distance: f64,
    removed: bool,
}

/// A face in the order of distance from the origin; ties by age, so that the result never depends on chance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    distance: f64,
    face: usize,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.face.cmp(&other.face))
    }
}

/// A convex polytope inside A ⊖ B with its faces sorted by distance from the origin.
struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    nearest_first: BinaryHeap<Reverse<Candidate>>,
    /// Edges around the faces a new vertex sees, as (face that stays, its edge). Kept to reuse its storage.
    rim: Vec<(usize, usize)>,
    to_visit: Vec<(usize, usize)>,
}

/// The depth of overlapping bodies. `simplex` is where GJK ended, after `steps` steps; they count as iterations too.
///
/// Converges to the global depth. When the limit is reached, or rounding leaves no valid polytope, the nearest face
/// so far is returned as not converged.
pub(super) fn depth(pair: &RelativePair, simplex: &Simplex, steps: u32) -> Solution {
    let size = pair.size();
    let start = tetrahedron(pair, simplex, size).and_then(Polytope::new);
    let Some(mut polytope) = start else {
        return pair.unconverged(&pair.centre_line(), steps);
    };
    let mut upper = f64::INFINITY;
    let mut iterations = steps;
    let (face, converged) = loop {
        let nearest = polytope.nearest();
        let face = polytope.faces[nearest];
        iterations += 1;
        let vertex = Vertex::from(pair.support(&face.normal));
        upper = upper.min(vertex.w.dot(&face.normal));
        if upper - face.distance <= GAP * size {
            break (face, true);
        }
        if iterations == steps + MAX_EXPANSIONS || !polytope.add(nearest, vertex) {
            break (face, false);
        }
    };
    Solution {
        distance: -face.distance,
        points: polytope.witnesses(&face),
        normal: face.normal,
        converged,
        iterations,
    }
}

/// Four vertices that span a volume, starting from those of `simplex`: the origin may lie on a face of it, an edge
/// or a vertex, when the bodies barely touch or GJK met it on the way.
fn tetrahedron(pair: &RelativePair, simplex: &Simplex, size: f64) -> Option<[Vertex; 4]> {
    let mut kept: Vec<Vertex> = Vec::with_capacity(4);
    for vertex in simplex.vertices() {
        if height(&kept, &vertex.w) > FLAT * size {
            kept.push(*vertex);
        }
    }
    while kept.len() < 4 {
        let mut directions = [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x()];
        if let [a, b, c] = kept.as_slice() {
            directions[3] = (b.w - a.w).cross(&(c.w - a.w)).normalize();
        }
        let (mut farthest, mut tallest) = (None, FLAT * size);
        for dir in directions.iter().flat_map(|dir| [*dir, -dir]) {
            let vertex = Vertex::from(pair.support(&dir));
            let height = height(&kept, &vertex.w);
            if height > tallest {
                (farthest, tallest) = (Some(vertex), height);
            }
        }
        kept.push(farthest?);
    }
    <[Vertex; 4]>::try_from(kept).ok()
}

/// Distance of a point from the point, line or plane through the vertices; infinite when there are none.
fn height(vertices: &[Vertex], point: &Vec3) -> f64 {
    match vertices {
        [] => f64::INFINITY,
        [a] => (point - a.w).norm(),
        [a, b] => {
            let edge = b.w - a.w;
            (point - a.w).cross(&edge).norm() / edge.norm()
        }
        [a, b, c, ..] => {
            let normal = (b.w - a.w).cross(&(c.w - a.w));
            (point - a.w).dot(&normal).abs() / normal.norm()
        }
    }
}

impl Polytope {
    /// The tetrahedron with these corners; `None` when rounding leaves a face without area.
    fn new(mut corners: [Vertex; 4]) -> Option<Self> {
        let [a, b, c, d] = corners.map(|vertex| vertex.w);
        if (b - a).cross(&(c - a)).dot(&(d - a)) > 0.0 {
            corners.swap(0, 1);
        }
        let mut polytope = Self {
            vertices: corners.to_vec(),
            faces: Vec::with_capacity(256),
            nearest_first: BinaryHeap::with_capacity(256),
            rim: Vec::with_capacity(32),
            to_visit: Vec::with_capacity(32),
        };
        // After the swap corner 3 is behind face 0, and the other faces go around it.
        let across = [
            ([0, 1, 2], [(1, 0), (2, 0), (3, 0)]),
            ([1, 0, 3], [(0, 0), (3, 2), (2, 1)]),
            ([2, 1, 3], [(0, 1), (1, 2), (3, 1)]),
            ([0, 2, 3], [(0, 2), (2, 2), (1, 1)]),
        ];
        for (corners, across) in across {
            polytope.push_face(corners, across)?;
        }
        Some(polytope)
    }

    fn push_face(&mut self, corners: [usize; 3], across: [(usize, usize); 3]) -> Option<usize> {
        let [a, b, c] = corners.map(|corner| self.vertices[corner].w);
        let cross = (b - a).cross(&(c - a));
        let length = cross.norm();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let normal = cross / length;
        // All three corners have this distance in exact arithmetic; their mean rounds least.
        let distance = normal.dot(&(a + b + c)) / 3.0;
        let face = self.faces.len();
        self.faces.push(Face { corners, across, normal, distance, removed: false });
        self.nearest_first.push(Reverse(Candidate { distance, face }));
        Some(face)
    }

    /// The face nearest to the origin. Face 0 stands in when none is left, which no closed polytope allows.
    fn nearest(&mut self) -> usize {
        while let Some(Reverse(candidate)) = self.nearest_first.pop() {
            if !self.faces[candidate.face].removed {
                return candidate.face;
            }
        }
        0
    }

    /// The points of A and B whose difference is the point of the face nearest to the origin.
    fn witnesses(&self, face: &Face) -> PointPair {
        let [a, b, c] = face.corners.map(|corner| self.vertices[corner]);
        let [p, q, r] = nearest_on_triangle(&a.w, &b.w, &c.w);
        PointPair {
            a: p * a.points.a + q * b.points.a + r * c.points.a,
            b: p * a.points.b + q * b.points.b + r * c.points.b,
        }
    }

    /// Adds a vertex seen by `face`. `false` when rounding breaks the polytope; it must not be used any more then.
    fn add(&mut self, face: usize, vertex: Vertex) -> bool {
        let apex = self.vertices.len();
        self.vertices.push(vertex);
        self.remove_seen(face, &vertex.w);
        let rim = std::mem::take(&mut self.rim);
        let closed = self.connect(&rim, apex).is_some();
        self.rim = rim;
        closed
    }

    /// Removes `first` and every face connected to it that `point` sees, and collects the rim of the hole in order:
    /// depth first, each face entered through one edge is left through the other two, counter-clockwise.
    fn remove_seen(&mut self, first: usize, point: &Vec3) {
        self.rim.clear();
        self.to_visit.clear();
        self.faces[first].removed = true;
        for edge in [2, 1, 0] {
            self.to_visit.push(self.faces[first].across[edge]);
        }
        while let Some((face, entry)) = self.to_visit.pop() {
            let seen = &mut self.faces[face];
            if seen.removed {
                continue;
            }
            if seen.normal.dot(point) <= seen.distance {
                self.rim.push((face, entry));
                continue;
            }
            seen.removed = true;
            let across = seen.across;
            self.to_visit.push(across[(entry + 2) % 3]);
            self.to_visit.push(across[(entry + 1) % 3]);
        }
    }

    /// Fans new faces from the rim to the apex and links them; `None` when the rim is not one closed loop.
    fn connect(&mut self, rim: &[(usize, usize)], apex: usize) -> Option<()> {
        if rim.len() < 3 {
            return None;
        }
        let first = self.faces.len();
        for (k, &(outside, edge)) in rim.iter().enumerate() {
            let corners = self.faces[outside].corners;
            let (from, to) = (corners[(edge + 1) % 3], corners[edge]);
            let (next_outside, next_edge) = rim[(k + 1) % rim.len()];
            let next_from = self.faces[next_outside].corners[(next_edge + 1) % 3];
            if to != next_from {
                return None;
            }
            let next = first + (k + 1) % rim.len();
            let previous = first + (k + rim.len() - 1) % rim.len();
            // Edge 0 borders the old face, edge 1 (to → apex) the next new one, edge 2 (apex → from) the previous.
            let face =
                self.push_face([from, to, apex], [(outside, edge), (next, 2), (previous, 1)])?;
            self.faces[outside].across[edge] = (face, 0);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::{Random, sphere};

    /// Closed and consistently oriented: across each edge lies a face that has the same edge the other way round.
    fn is_closed(polytope: &Polytope) -> bool {
        polytope.faces.iter().filter(|face| !face.removed).all(|face| {
            (0..3).all(|k| {
                let (other, edge) = face.across[k];
                let other = &polytope.faces[other];
                !other.removed
                    && other.corners[edge] == face.corners[(k + 1) % 3]
                    && other.corners[(edge + 1) % 3] == face.corners[k]
            })
        })
    }

    #[test]
    fn the_polytope_stays_closed_and_outward_while_it_grows() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.3, 0.2, 0.1]));
        let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
        let first = Vertex::from(pair.support(&Vec3::x()));
        let corners = tetrahedron(&pair, &Simplex::point(first), 1.0).unwrap();
        let mut polytope = Polytope::new(corners).unwrap();
        let inside = corners.iter().map(|vertex| vertex.w).sum::<Vec3>() / 4.0;
        for _ in 0..200 {
            assert!(is_closed(&polytope));
            for face in polytope.faces.iter().filter(|face| !face.removed) {
                assert!(face.normal.dot(&inside) < face.distance);
            }
            let nearest = polytope.nearest();
            let vertex = Vertex::from(pair.support(&polytope.faces[nearest].normal));
            assert!(polytope.add(nearest, vertex));
        }
    }

    #[test]
    fn bodies_that_barely_touch_have_no_depth_to_speak_of() {
        let mut random = Random(9);
        for _ in 0..50 {
            let (a, pose_a) = sphere(1.0, [0.0; 3]);
            let (b, _) = sphere(0.5, [0.0; 3]);
            let pose_b = random.pose(1.5);
            let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
            let touching = Simplex::point(Vertex::from(pair.support(&pair.centre_line())));
            let solution = depth(&pair, &touching, 0);
            assert!(solution.distance.abs() < 1e-9, "{solution:?}");
        }
    }
}
