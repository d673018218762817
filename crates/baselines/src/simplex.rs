//! Simplices in A ⊖ B and the point of one that is nearest to the origin.

use crate::relative_pair::PointPair;
use smooth_scene_geometry::math::Vec3;

/// A vertex of a simplex: a point w = a − b of A ⊖ B with the two points it comes from, frame A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub w: Vec3,
    pub points: PointPair,
}

impl From<PointPair> for Vertex {
    fn from(points: PointPair) -> Self {
        Vertex { w: points.a - points.b, points }
    }
}

/// Distance of the origin from a simplex, relative to its farthest vertex, below which it counts as a point of it:
/// rounding of the vertices alone moves the nearest point by this much.
const CONTACT: f64 = 1e-14;

/// One to four vertices and the barycentric weights of the point nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    len: usize,
}

/// Where the origin lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Origin {
    /// Outside: the nearest point of the simplex.
    Outside(Vec3),
    /// Inside a tetrahedron.
    Inside,
}

impl Simplex {
    /// The simplex of one point.
    pub fn point(vertex: Vertex) -> Self {
        Self { vertices: [vertex; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// Whether this very point is a vertex already: the support function has nothing new to offer.
    pub fn contains(&self, w: &Vec3) -> bool {
        self.vertices().iter().any(|vertex| vertex.w == *w)
    }

    /// Whether `nearest`, the point of the simplex nearest to the origin, is the origin itself up to rounding.
    pub fn touches_origin(&self, nearest: &Vec3) -> bool {
        let reach: f64 = self.vertices().iter().fold(0.0, |reach, v| v.w.norm_squared().max(reach));
        nearest.norm_squared() <= CONTACT * CONTACT * reach
    }

    /// The same barycentric combination of the points of A and of B.
    pub fn witnesses(&self) -> PointPair {
        let mut sum = PointPair { a: Vec3::zeros(), b: Vec3::zeros() };
        for (vertex, weight) in self.vertices().iter().zip(self.weights) {
            sum.a += weight * vertex.points.a;
            sum.b += weight * vertex.points.b;
        }
        sum
    }

    /// Adds a vertex and keeps the smallest face that holds the point nearest to the origin. A simplex has at most
    /// three vertices between calls: a fourth stays only when the origin is inside, which ends the search.
    pub fn extend(&mut self, vertex: Vertex) -> Origin {
        let Some(slot) = self.vertices.get_mut(self.len) else {
            return Origin::Inside;
        };
        *slot = vertex;
        self.len += 1;
        let w = self.vertices.map(|vertex| vertex.w);
        match self.len {
            2 => {
                let weights = nearest_on_segment(&w[0], &w[1]);
                self.keep([0, 1, 0, 0], [weights[0], weights[1], 0.0, 0.0])
            }
            3 => {
                let weights = nearest_on_triangle(&w[0], &w[1], &w[2]);
                self.keep([0, 1, 2, 0], [weights[0], weights[1], weights[2], 0.0])
            }
            _ => self.reduce_tetrahedron(&w),
        }
    }

    /// Each face that has the origin on its far side is a candidate; none means the origin is inside.
    fn reduce_tetrahedron(&mut self, w: &[Vec3; 4]) -> Origin {
        const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];
        let mut nearest: Option<(f64, [usize; 4], [f64; 4])> = None;
        let mut volumes = [0.0; 4];
        for face in FACES {
            let [i, j, k, opposite] = face;
            let normal = (w[j] - w[i]).cross(&(w[k] - w[i]));
            let side_of_origin = -normal.dot(&w[i]);
            let side_of_opposite = normal.dot(&(w[opposite] - w[i]));
            volumes[opposite] = side_of_origin.abs();
            // A flat tetrahedron has no inside: zero counts as the far side.
            if side_of_origin * side_of_opposite > 0.0 {
                continue;
            }
            let [p, q, r] = nearest_on_triangle(&w[i], &w[j], &w[k]);
            let distance = (p * w[i] + q * w[j] + r * w[k]).norm_squared();
            if nearest.is_none_or(|(least, ..)| distance < least) {
                nearest = Some((distance, [i, j, k, 0], [p, q, r, 0.0]));
            }
        }
        match nearest {
            Some((_, order, weights)) => self.keep(order, weights),
            None => {
                let total: f64 = volumes.iter().sum();
                self.weights = volumes.map(|volume| volume / total);
                Origin::Inside
            }
        }
    }

    /// Keeps the vertices in `order` whose weight is positive and returns their weighted sum.
    fn keep(&mut self, order: [usize; 4], weights: [f64; 4]) -> Origin {
        let old = self.vertices;
        let mut point = Vec3::zeros();
        self.len = 0;
        for (index, weight) in order.into_iter().zip(weights) {
            if weight > 0.0 {
                self.vertices[self.len] = old[index];
                self.weights[self.len] = weight;
                self.len += 1;
                point += weight * old[index].w;
            }
        }
        Origin::Outside(point)
    }
}

/// Barycentric weights of the point of the segment nearest to the origin.
fn nearest_on_segment(a: &Vec3, b: &Vec3) -> [f64; 2] {
    let edge = b - a;
    let (along, length) = (-edge.dot(a), edge.norm_squared());
    if along <= 0.0 {
        [1.0, 0.0]
    } else if along >= length {
        [0.0, 1.0]
    } else {
        let t = along / length;
        [1.0 - t, t]
    }
}

/// Barycentric weights of the point of the triangle nearest to the origin, by its Voronoi regions.
///
/// With n = ab × ac, the three numbers (n × edge)·(0 − vertex) tell on which side of each edge the projection of the
/// origin lies; divided by n·n they are its barycentric coordinates.
pub(super) fn nearest_on_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 3] {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = ab.cross(&ac);
    let inside = |edge: &Vec3, from: &Vec3| -normal.cross(edge).dot(from);
    let (side_ab, side_bc, side_ca) = (inside(&ab, a), inside(&bc, b), inside(&-ac, c));
    let squared = normal.norm_squared();
    if side_ab > 0.0 && side_bc > 0.0 && side_ca > 0.0 && squared > 0.0 {
        let total = side_ab + side_bc + side_ca;
        return [side_bc / total, side_ca / total, side_ab / total];
    }
    // The nearest point is on an edge. Only an edge with the origin on its far side can hold it; a triangle without
    // area has all three.
    let corners = [a, b, c];
    let mut least = f64::INFINITY;
    let mut nearest = [1.0, 0.0, 0.0];
    for (side, i, j) in [(side_ab, 0, 1), (side_bc, 1, 2), (side_ca, 0, 2)] {
        if side > 0.0 {
            continue;
        }
        let [p, q] = nearest_on_segment(corners[i], corners[j]);
        let distance = (p * corners[i] + q * corners[j]).norm_squared();
        if distance < least {
            least = distance;
            nearest = [0.0; 3];
            (nearest[i], nearest[j]) = (p, q);
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f64, y: f64, z: f64) -> Vertex {
        Vertex::from(PointPair { a: Vec3::new(x, y, z), b: Vec3::zeros() })
    }

    #[test]
    fn nearest_point_of_a_triangle_is_found_in_every_region() {
        let (a, b, c) =
            (Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0));
        for (origin, expected) in [
            ([1.0, 1.0, 2.0], [0.5, 0.25, 0.25]),
            ([-1.0, -1.0, 1.0], [1.0, 0.0, 0.0]),
            ([6.0, -1.0, 1.0], [0.0, 1.0, 0.0]),
            ([-1.0, 7.0, 1.0], [0.0, 0.0, 1.0]),
            ([1.0, -3.0, 0.0], [0.75, 0.25, 0.0]),
            ([-3.0, 1.0, 0.0], [0.75, 0.0, 0.25]),
            ([4.0, 4.0, 1.0], [0.0, 0.5, 0.5]),
        ] {
            let origin = Vec3::from(origin);
            let weights = nearest_on_triangle(&(a - origin), &(b - origin), &(c - origin));
            for k in 0..3 {
                assert!((weights[k] - expected[k]).abs() < 1e-15, "{weights:?} {expected:?}");
            }
        }
    }

    #[test]
    fn a_tetrahedron_around_the_origin_keeps_all_vertices_and_weighs_them() {
        let mut simplex = Simplex::point(vertex(1.0, 1.0, 1.0));
        simplex.extend(vertex(-1.0, -1.0, 1.0));
        simplex.extend(vertex(-1.0, 1.0, -1.0));
        assert_eq!(simplex.extend(vertex(1.0, -1.0, -1.0)), Origin::Inside);
        assert_eq!(simplex.vertices().len(), 4);
        assert!(simplex.witnesses().a.norm() < 1e-15);
    }

    #[test]
    fn a_flat_tetrahedron_has_no_inside() {
        let mut simplex = Simplex::point(vertex(1.0, 1.0, 1.0));
        simplex.extend(vertex(-1.0, 1.0, 1.0));
        simplex.extend(vertex(0.0, -1.0, 1.0));
        assert_eq!(
            simplex.extend(vertex(0.0, 0.5, 1.0)),
            Origin::Outside(Vec3::new(0.0, 0.0, 1.0))
        );
    }
}
