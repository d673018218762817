//! Distances from points to a triangle mesh: a tree of boxes.

use crate::clip::Triangle;
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::math::Vec3;

/// Triangles of a leaf.
const LEAF: usize = 4;

/// A tree over the triangles of a mesh.
#[derive(Debug, Clone)]
pub struct DistanceTree {
    triangles: Vec<Triangle>,
    /// The root first; the first child of an inner node follows it.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
struct Node {
    low: Vec3,
    high: Vec3,
    content: Content,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    Leaf { first: usize, end: usize },
    Inner { second: usize },
}

impl DistanceTree {
    /// A tree over at least one triangle.
    pub fn new(triangles: &[Triangle]) -> Self {
        assert!(!triangles.is_empty(), "a distance to nothing is not defined");
        let mut tree = Self { triangles: triangles.to_vec(), nodes: Vec::new() };
        tree.build(0, triangles.len());
        tree
    }

    fn build(&mut self, first: usize, end: usize) {
        let triangles = &mut self.triangles[first..end];
        let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = triangles
            .iter()
            .flatten()
            .fold(none, |(low, high), corner| (low.inf(corner), high.sup(corner)));
        let index = self.nodes.len();
        if triangles.len() <= LEAF {
            self.nodes.push(Node { low, high, content: Content::Leaf { first, end } });
            return;
        }
        let axis = (high - low).imax();
        let key = |t: &Triangle| t[0][axis] + t[1][axis] + t[2][axis];
        let middle = triangles.len() / 2;
        triangles.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)));
        self.nodes.push(Node { low, high, content: Content::Inner { second: 0 } });
        self.build(first, first + middle);
        let second = self.nodes.len();
        self.nodes[index].content = Content::Inner { second };
        self.build(first + middle, end);
    }

    /// The distance of a point from the nearest triangle.
    pub fn distance(&self, point: &Vec3) -> f64 {
        let mut best = f64::INFINITY;
        let mut open = vec![(0, 0.0)];
        while let Some((index, bound)) = open.pop() {
            if bound >= best {
                continue;
            }
            match self.nodes[index].content {
                Content::Leaf { first, end } => {
                    for triangle in &self.triangles[first..end] {
                        let nearest = nearest_on_triangle(triangle, point);
                        best = best.min((nearest - point).norm_squared());
                    }
                }
                Content::Inner { second } => {
                    let [a, b] = [index + 1, second].map(|child| (child, self.bound(child, point)));
                    // The nearer one last, so that it is looked at first.
                    open.extend(if a.1 < b.1 { [b, a] } else { [a, b] });
                }
            }
        }
        best.sqrt()
    }

    /// Squared distance from the box of a node.
    fn bound(&self, node: usize, point: &Vec3) -> f64 {
        let Node { low, high, .. } = &self.nodes[node];
        (point - point.sup(low).inf(high)).norm_squared()
    }

    /// The box of all triangles.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: self.nodes[0].low, max: self.nodes[0].high }
    }
}

/// The point of a triangle nearest to a point, by the regions of its corners, edges and face [Ericson, Real-Time Collision
/// Detection, 2005, section 5.1.5].
fn nearest_on_triangle([a, b, c]: &Triangle, p: &Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * share(d1, d1 - d3);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * share(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let sum = va + vb + vc;
    a + ab * share(vb, sum) + ac * share(vc, sum)
}

/// A quotient of two numbers of the same sign; zero over zero, of a triangle without area, is zero.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn no_sampled_point_of_any_triangle_is_nearer() {
        let mut random = Random::new(5);
        let mut number = || random.uniform() * 2.0 - 1.0;
        let mut point = || Vec3::new(number(), number(), number());
        let triangles: Vec<Triangle> = (0..60)
            .map(|_| {
                let center = point();
                [center + 0.2 * point(), center + 0.2 * point(), center]
            })
            .collect();
        let tree = DistanceTree::new(&triangles);
        for _ in 0..200 {
            let p = 1.5 * point();
            let mut sampled = f64::INFINITY;
            for [a, b, c] in &triangles {
                for i in 0..=20 {
                    for j in 0..=20 - i {
                        let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                        let x = a * u + b * v + c * (1.0 - u - v);
                        sampled = sampled.min((x - p).norm());
                    }
                }
            }
            let distance = tree.distance(&p);
            // Neighbouring samples are at most 0.4·√2/20 apart.
            assert!(
                distance <= sampled + 1e-12 && sampled - distance < 0.03,
                "{distance} {sampled}"
            );
        }
    }
}
