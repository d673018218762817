//! The point of a simplex nearest to the origin, for GJK.

use crate::solve::separation::Separation;
use smooth_scene_geometry::math::Vec3;

/// One vertex: an extreme point of the Minkowski difference B − A and the two points it is the difference of.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    difference: Vec3,
    point_a: Vec3,
    point_b: Vec3,
}

/// Up to four vertices with the barycentric weights of the point nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    len: usize,
    nearest: Vec3,
}

/// What adding a vertex led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    /// The nearest point came closer to the origin.
    Closer,
    /// It did not: the vertex was already known, or rounding has the last word.
    Stalled,
    /// The origin is inside the tetrahedron: the bodies overlap, and the witnesses are one common point.
    EnclosesOrigin,
}

impl Simplex {
    pub fn new(first: &Separation) -> Self {
        let difference = first.gradient();
        let vertex = Vertex { difference, point_a: first.point_a, point_b: first.point_b };
        Self { vertices: [vertex; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1, nearest: difference }
    }

    /// The point of the simplex nearest to the origin: from the witness in A to the witness in B.
    pub fn nearest(&self) -> Vec3 {
        self.nearest
    }

    /// The unit direction of the nearest point.
    ///
    /// The foot of the origin on an edge is known to the rounding of its ends, ε·size, so that its direction is off by
    /// ε·size/|nearest|: near contact the edge itself would look nearer than it is. f does not forgive a tilt against
    /// the edge, so it is taken out once more from the unit vector.
    pub fn direction(&self) -> Vec3 {
        let unit = self.nearest.normalize();
        if self.len != 2 {
            return unit;
        }
        let edge = self.vertices[1].difference - self.vertices[0].difference;
        (unit - edge * (unit.dot(&edge) / edge.norm_squared())).normalize()
    }

    /// The points of A and of B whose difference is the nearest point: convex combinations of support points, so they
    /// are inside the bodies.
    pub fn witnesses(&self) -> (Vec3, Vec3) {
        let mut sums = (Vec3::zeros(), Vec3::zeros());
        for (vertex, weight) in self.vertices.iter().zip(self.weights).take(self.len) {
            sums.0 += vertex.point_a * weight;
            sums.1 += vertex.point_b * weight;
        }
        sums
    }

    /// Adds an extreme point and reduces to the smallest sub-simplex that holds the new nearest point.
    ///
    /// Every sub-simplex that contains the new vertex is tried and the nearest valid one kept: more work than walking
    /// the Voronoi regions, but a degenerate simplex cannot mislead it, and the distance never grows.
    pub fn add(&mut self, new: &Separation) -> Growth {
        let difference = new.gradient();
        let mut points = [Vec3::zeros(); 4];
        let old = self.len;
        debug_assert!(old < 4, "a reduced simplex has at most three vertices");
        for (point, vertex) in points.iter_mut().zip(&self.vertices).take(old) {
            *point = vertex.difference;
        }
        points[old] = difference;
        let mut best = Candidate { square: self.nearest.norm_squared(), ..Candidate::default() };
        let mut improved = false;
        // The new vertex is index `old`; `mask` runs over the subsets of the others.
        for mask in 0..(1usize << old) {
            let mut members = [old; 4];
            let mut count = 1;
            for index in 0..old {
                if mask & (1 << index) != 0 {
                    members[count] = index;
                    count += 1;
                }
            }
            let candidate = match count {
                1 => Some(vertex(points[old])),
                2 => segment(points[old], points[members[1]]),
                3 => triangle(points[old], points[members[1]], points[members[2]]),
                _ => {
                    if let Some(weights) = weights_of_origin(&points) {
                        self.vertices[old] =
                            Vertex { difference, point_a: new.point_a, point_b: new.point_b };
                        (self.weights, self.len) = (weights, 4);
                        self.nearest = Vec3::zeros();
                        return Growth::EnclosesOrigin;
                    }
                    None
                }
            };
            if let Some(candidate) = candidate.filter(|c| c.square < best.square) {
                best = Candidate { members, count, ..candidate };
                improved = true;
            }
        }
        if !improved {
            return Growth::Stalled;
        }
        let mut vertices = self.vertices;
        let newest = Vertex { difference, point_a: new.point_a, point_b: new.point_b };
        for (slot, &member) in vertices.iter_mut().zip(&best.members).take(best.count) {
            *slot = if member == old { newest } else { self.vertices[member] };
        }
        *self = Self { vertices, weights: best.weights, len: best.count, nearest: best.nearest };
        Growth::Closer
    }
}

/// The nearest point of one sub-simplex.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    square: f64,
    nearest: Vec3,
    weights: [f64; 4],
    members: [usize; 4],
    count: usize,
}

fn candidate(nearest: Vec3, weights: [f64; 4]) -> Candidate {
    Candidate { square: nearest.norm_squared(), nearest, weights, ..Candidate::default() }
}

fn vertex(a: Vec3) -> Candidate {
    candidate(a, [1.0, 0.0, 0.0, 0.0])
}

/// The foot of the origin on the line a–b, if it lies strictly between them.
fn segment(a: Vec3, b: Vec3) -> Option<Candidate> {
    let edge = b - a;
    let length = edge.norm_squared();
    let t = -a.dot(&edge) / length;
    if !(length > 0.0 && t > 0.0 && t < 1.0) {
        return None;
    }
    Some(candidate(a + edge * t, [1.0 - t, t, 0.0, 0.0]))
}

/// The foot of the origin on the plane a–b–c, if it lies strictly inside the triangle.
fn triangle(a: Vec3, b: Vec3, c: Vec3) -> Option<Candidate> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    if square <= 0.0 {
        return None;
    }
    // Barycentric coordinates of the foot are ratios of triangle areas, taken along the normal.
    let wb = normal.dot(&ac.cross(&a)) / square;
    let wc = normal.dot(&a.cross(&ab)) / square;
    let wa = 1.0 - wb - wc;
    if !(wa > 0.0 && wb > 0.0 && wc > 0.0) {
        return None;
    }
    // The foot itself from the plane equation: better conditioned than the sum of weighted vertices.
    let foot = normal * (normal.dot(&a) / square);
    Some(candidate(foot, [wa, wb, wc, 0.0]))
}

/// The barycentric weights of the origin if it is strictly inside the tetrahedron: on the same side of each face as the
/// fourth vertex, whose weight is the ratio of the two heights above that face.
fn weights_of_origin(p: &[Vec3; 4]) -> Option<[f64; 4]> {
    const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];
    let mut weights = [0.0; 4];
    for [i, j, k, opposite] in FACES {
        let (edge, other) = (p[j] - p[i], p[k] - p[i]);
        let normal = edge.cross(&other);
        let to_vertex = p[opposite] - p[i];
        let (origin_side, vertex_side) = (-normal.dot(&p[i]), normal.dot(&to_vertex));
        // Rounding error of the two triple products; within it the sides are not known.
        let noise = 1e-14 * edge.norm() * other.norm();
        let is_inside = origin_side * vertex_side > 0.0
            && origin_side.abs() > noise * p[i].norm()
            && vertex_side.abs() > noise * to_vertex.norm();
        if !is_inside {
            return None;
        }
        weights[opposite] = origin_side / vertex_side;
    }
    Some(weights)
}
