//! Convex hulls of points that span no volume: a polygon, a segment or a single point.
//!
//! Walls, plates and decals are often modelled as flat meshes. Their support function, bounding volumes and distances
//! are as well defined as those of a body; only the hull algorithm in space needs a tetrahedron to start from.

use crate::math::{Vec3, tangent_basis};

/// Width, relative to the length, up to which points count as lying on a line: what is left out by that is rounding.
const MAX_LINE_WIDTH: f64 = 4e-12;
/// Steps of the grid that the corners of a polygon are decided on, as in `hull.rs`: differences stay below 2⁴¹, their
/// products inside the range of `i128`.
const GRID_STEPS: f64 = (1u64 << 40) as f64;

/// What the hull of a list of points without volume is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FlatKind {
    /// All points are the same.
    Point,
    /// The hull lies on a line with this unit direction.
    Segment { along: Vec3 },
    /// The hull lies in a plane with this unit normal.
    Polygon { normal: Vec3 },
}

/// The hull of points that lie in a plane, on a line or at one place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FlatHull {
    pub kind: FlatKind,
    /// Indices of the corners: one, the two ends of a segment, or counter-clockwise around the normal of a polygon.
    pub corners: Vec<u32>,
}

impl FlatHull {
    /// The hull of at least one point; the points must lie in a plane.
    pub fn new(points: &[Vec3]) -> Self {
        let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
            (1..points.len()).fold(0, |best, k| {
                if measure(&points[k]) > measure(&points[best]) { k } else { best }
            })
        };
        let first = farthest(&|p| -p.x);
        let base = points[first];
        let last = farthest(&|p| (p - base).norm());
        let length = (points[last] - base).norm();
        if length <= 0.0 {
            return Self { kind: FlatKind::Point, corners: vec![first as u32] };
        }
        let along = (points[last] - base) / length;
        let aside = |p: &Vec3| {
            let offset = p - base;
            offset - along * along.dot(&offset)
        };
        let widest = farthest(&|p| aside(p).norm());
        let width = aside(&points[widest]);
        if width.norm() <= MAX_LINE_WIDTH * length {
            // The ends along the line, which the point farthest from an end need not be when others are as far.
            let (low, high) = (farthest(&|p| -along.dot(p)), farthest(&|p| along.dot(p)));
            return Self {
                kind: FlatKind::Segment { along },
                corners: vec![low as u32, high as u32],
            };
        }
        let normal = along.cross(&width).normalize();
        let across = normal.cross(&along);
        let flat = points.iter().map(|p| [along.dot(&(p - base)), across.dot(&(p - base))]);
        Self { kind: FlatKind::Polygon { normal }, corners: polygon(flat.collect()) }
    }

    /// The triangles of both sides of a polygon, as positions in the list of corners; none of a segment or a point.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let count = self.corners.len() as u32;
        if count < 3 {
            return Vec::new();
        }
        let front = (1..count - 1).map(|k| [0, k, k + 1]);
        front.clone().chain(front.map(|[a, b, c]| [a, c, b])).collect()
    }

    /// Unit normals of planes that bound the hull, given its corners in order: both sides of a polygon, then its edges.
    pub fn plane_normals(&self, corners: &[Vec3]) -> Vec<Vec3> {
        match self.kind {
            FlatKind::Point => {
                [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|n| [n, -n]).collect()
            }
            FlatKind::Segment { along } => {
                let (u, v) = tangent_basis(&along);
                [along, u, v].into_iter().flat_map(|n| [n, -n]).collect()
            }
            FlatKind::Polygon { normal } => {
                let edges = (0..corners.len()).map(|k| {
                    let edge = corners[(k + 1) % corners.len()] - corners[k];
                    edge.cross(&normal).normalize()
                });
                [normal, -normal].into_iter().chain(edges).collect()
            }
        }
    }
}

/// The corners of the convex hull of points in the plane, counter-clockwise: the monotone chain
/// of Andrew (*Another efficient algorithm for convex hulls in two dimensions*, IPL 9(5), 1979) on a grid, so that every
/// decision is exact. A point that rounding puts a step of the grid outside an edge is a corner.
fn polygon(points: Vec<[f64; 2]>) -> Vec<u32> {
    let bounds = |axis: usize| {
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            [low.min(p[axis]), high.max(p[axis])]
        })
    };
    let [[x0, x1], [y0, y1]] = [bounds(0), bounds(1)];
    let snapped = |value: f64, low: f64, high: f64| {
        ((value - low) / (high - low) * GRID_STEPS).round() as i64
    };
    let mut order: Vec<([i64; 2], u32)> = points
        .iter()
        .zip(0..)
        .map(|(p, index)| ([snapped(p[0], x0, x1), snapped(p[1], y0, y1)], index))
        .collect();
    order.sort_unstable();
    order.dedup_by_key(|(place, _)| *place);
    let turns_left = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| {
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        i128::from(u[0]) * i128::from(v[1]) > i128::from(u[1]) * i128::from(v[0])
    };
    let chain = |sorted: &mut dyn Iterator<Item = &([i64; 2], u32)>| {
        let mut chain: Vec<([i64; 2], u32)> = Vec::new();
        for &next in sorted {
            while let [.., a, b] = chain[..]
                && !turns_left(a.0, b.0, next.0)
            {
                chain.pop();
            }
            chain.push(next);
        }
        // The last one begins the other chain.
        chain.pop();
        chain
    };
    let (lower, upper) = (chain(&mut order.iter()), chain(&mut order.iter().rev()));
    lower.into_iter().chain(upper).map(|(_, index)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{directions, uniform_numbers};
    use super::*;

    fn turned(p: Vec3) -> Vec3 {
        nalgebra::Rotation3::from_euler_angles(0.3, 1.1, -0.7) * p + Vec3::new(3.0, -2.0, 1.0)
    }

    #[test]
    fn a_grid_in_a_plane_has_the_corners_of_its_rectangle() {
        let points: Vec<Vec3> = (0..200)
            .map(|k| turned(Vec3::new((k % 10) as f64 * 0.1, (k / 10) as f64 * 0.1, 0.0)))
            .collect();
        let hull = FlatHull::new(&points);
        assert!(matches!(hull.kind, FlatKind::Polygon { .. }));
        // Rounding may make corners of points on the edges; none is inside.
        assert!([0, 9, 190, 199].iter().all(|corner| hull.corners.contains(corner)));
        let is_on_edge = |k: &u32| k.is_multiple_of(10) || k % 10 == 9 || *k < 10 || *k >= 190;
        assert!(hull.corners.iter().all(is_on_edge), "{:?}", hull.corners);
        assert_eq!(hull.triangles().len(), 2 * (hull.corners.len() - 2));
    }

    #[test]
    fn all_points_of_a_circle_are_corners_in_order_around_the_normal() {
        let points: Vec<Vec3> = (0..100)
            .map(|k| (k as f64 * 2.4).sin_cos())
            .map(|(s, c)| turned(Vec3::new(c, s, 0.0)))
            .collect();
        let hull = FlatHull::new(&points);
        let FlatKind::Polygon { normal } = hull.kind else { panic!("{hull:?}") };
        assert_eq!(hull.corners.len(), 100);
        let at = |k: usize| points[hull.corners[k % 100] as usize];
        for k in 0..100 {
            let turn = (at(k + 1) - at(k)).cross(&(at(k + 2) - at(k + 1)));
            assert!(turn.dot(&normal) > 0.0, "{k}");
        }
    }

    #[test]
    fn lines_and_points_are_recognised() {
        let mut uniform = uniform_numbers(3);
        let line: Vec<Vec3> =
            (0..50).map(|_| turned(Vec3::new(0.2, 0.5, -0.9) * uniform())).collect();
        let hull = FlatHull::new(&line);
        assert!(matches!(hull.kind, FlatKind::Segment { .. }) && hull.corners.len() == 2);
        let ends: Vec<f64> = hull
            .corners
            .iter()
            .map(|&c| (line[c as usize] - turned(Vec3::zeros())).norm())
            .collect();
        for p in &line {
            let from_start = (p - turned(Vec3::zeros())).norm();
            assert!(from_start <= ends[0].max(ends[1]) && from_start >= ends[0].min(ends[1]));
        }
        let hull = FlatHull::new(&[directions(1)[0]; 7]);
        assert_eq!((hull.kind, hull.corners.len()), (FlatKind::Point, 1));
    }

    #[test]
    fn every_point_is_below_every_plane() {
        let mut uniform = uniform_numbers(5);
        for round in 0..200 {
            let steps = [2.0, 5.0, 1e17][round % 3];
            let mut coordinate = || (uniform() * steps).round() / steps;
            let points: Vec<Vec3> = (0..30)
                .map(|_| turned(Vec3::new(coordinate(), 1e-3 * coordinate(), 0.0)))
                .collect();
            let hull = FlatHull::new(&points);
            let corners: Vec<Vec3> = hull.corners.iter().map(|&c| points[c as usize]).collect();
            for normal in hull.plane_normals(&corners) {
                let top = corners.iter().map(|c| c.dot(&normal)).fold(f64::NEG_INFINITY, f64::max);
                assert!(points.iter().all(|p| p.dot(&normal) <= top + 1e-11), "round {round}");
            }
        }
    }
}
