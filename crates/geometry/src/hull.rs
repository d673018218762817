//! Convex hulls of points in space, built one point at a time with exact decisions.
//!
//! Incremental hulls break when rounding makes two decisions contradict each other. Here every decision is exact:
//! points are snapped to a grid of 2⁴⁰ steps along each axis of their bounding box, and "does this face see that
//! point" is the sign of a determinant of integers, computed in `f64` where the rounding error cannot change it and in
//! `i128` otherwise. A point is left out only when its snapped position is not strictly outside, so the hull of the
//! original points is missed by less than 1e-12 of the extent.
//!
//! The surface stays a closed, oriented triangulation of a convex polyhedron, flat triangles never appear: a face that
//! strictly sees a point cannot have an edge collinear with it. Several triangles may share a plane.

use super::aabb::Aabb;
use crate::math::Vec3;

/// Steps of the grid along each axis. Differences of coordinates stay below 2⁴⁰, a cross product below 2⁸¹ and the
/// determinant below 2¹²³, inside the range of `i128`.
const GRID_STEPS: f64 = (1u64 << 40) as f64;
/// Bound on the relative rounding error of the determinant in `f64`: a handful of roundings of 2⁻⁵³ each.
const FILTER: f64 = 16.0 * f64::EPSILON;
/// Thickness, relative to the extent, below which points count as lying in a plane (`flat_hull.rs`): four steps of the
/// grid, which the snapping error of half a step cannot make out of nothing.
const MIN_THICKNESS: f64 = 4.0 / GRID_STEPS;
/// Marks a vertex from which no new face starts.
const NO_FACE: u32 = u32::MAX;

/// A triangle of the hull, counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    /// Indices of its points.
    pub points: [u32; 3],
    /// The face across the edge from `points[i]` to `points[(i + 1) % 3]`.
    pub neighbours: [u32; 3],
    /// Outward normal in grid coordinates, not unit.
    normal: [f64; 3],
    /// Whether the face is still part of the hull.
    pub alive: bool,
}

/// A growing hull. Points are addressed by the index under which they were pushed.
#[derive(Debug, Clone)]
pub(crate) struct Hull {
    origin: Vec3,
    steps_per_metre: Vec3,
    grid: Vec<[i64; 3]>,
    faces: Vec<Face>,
    /// Scratch: the new face that starts at a point, during one insertion.
    face_from: Vec<u32>,
}

/// What one insertion changed, as indices of faces.
#[derive(Debug, Clone, Default)]
pub(crate) struct HullChange {
    pub removed: Vec<u32>,
    pub added: Vec<u32>,
    horizon: Vec<(u32, u32, u32)>,
}

impl Hull {
    /// An empty hull for points inside `aabb`, whose extents must be positive.
    pub fn new(aabb: &Aabb) -> Self {
        Self {
            origin: aabb.min,
            steps_per_metre: (aabb.max - aabb.min).map(|extent| GRID_STEPS / extent),
            grid: Vec::new(),
            faces: Vec::new(),
            face_from: Vec::new(),
        }
    }

    /// Registers a point without changing the surface.
    pub fn push(&mut self, point: &Vec3) -> u32 {
        let scaled = (point - self.origin).component_mul(&self.steps_per_metre);
        // Clamped: a point that rounding put just outside the box would leave the range of the exact arithmetic.
        let snapped = scaled.map(|x| x.round().clamp(0.0, GRID_STEPS) as i64);
        self.grid.push(snapped.into());
        self.face_from.push(NO_FACE);
        (self.grid.len() - 1) as u32
    }

    /// Takes back the point pushed last, which must not be part of the surface.
    pub fn pop(&mut self) {
        self.grid.pop();
        self.face_from.pop();
    }

    /// All faces ever made, dead ones included.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The triangles of the present surface.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().filter(|face| face.alive).map(|face| face.points)
    }

    /// The unit outward normal of a face in the original coordinates: exact for the snapped points, so reliable for
    /// slivers too.
    pub fn unit_normal(&self, face: u32) -> Vec3 {
        let normal = Vec3::from(self.faces[face as usize].normal);
        let scaled = normal.component_mul(&(self.steps_per_metre / self.steps_per_metre.amax()));
        scaled.try_normalize(0.0).expect("flat triangles never appear")
    }

    /// Starts the surface with a tetrahedron of four points that span as much as a cheap search finds. `false` when all
    /// points lie in a plane to within [`MIN_THICKNESS`].
    pub fn start(&mut self) -> bool {
        let at = |k: usize| Vec3::from(self.grid[k].map(|x| x as f64));
        let farthest = |measure: &dyn Fn(Vec3) -> f64| {
            let mut best = (0, f64::NEG_INFINITY);
            for k in 0..self.grid.len() {
                let value = measure(at(k));
                if value > best.1 {
                    best = (k, value);
                }
            }
            best
        };
        if self.grid.is_empty() {
            return false;
        }
        let (a, _) = farthest(&|p| -p.x);
        let (b, length) = farthest(&|p| (p - at(a)).norm());
        if length <= 0.0 {
            return false;
        }
        let along = (at(b) - at(a)) / length;
        let (c, width) = farthest(&|p| (p - at(a)).cross(&along).norm());
        if width < MIN_THICKNESS * GRID_STEPS {
            return false;
        }
        let normal = along.cross(&(at(c) - at(a))).normalize();
        let (d, height) = farthest(&|p| normal.dot(&(p - at(a))).abs());
        if height < MIN_THICKNESS * GRID_STEPS {
            return false;
        }
        let [a, b, c, d] = [a, b, c, d].map(|k| k as u32);
        // Outward means that the fourth point is below the triangle abc.
        let (b, c) =
            if normal.dot(&(at(d as usize) - at(a as usize))) > 0.0 { (c, b) } else { (b, c) };
        for (points, neighbours) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            self.add_face(points, neighbours);
        }
        true
    }

    /// Whether the point is strictly on the outer side of the face.
    pub fn sees(&self, face: u32, point: u32) -> bool {
        let face = &self.faces[face as usize];
        let base = self.grid[face.points[0] as usize];
        let offset = difference(self.grid[point as usize], base);
        let terms = [0, 1, 2].map(|i| face.normal[i] * offset[i] as f64);
        let sum = terms[0] + terms[1] + terms[2];
        let size = terms[0].abs() + terms[1].abs() + terms[2].abs();
        if sum.abs() > FILTER * size {
            return sum > 0.0;
        }
        let normal = self.exact_normal(face.points);
        (0..3).map(|i| normal[i] * i128::from(offset[i])).sum::<i128>() > 0
    }

    /// Height of the point above the plane of the face in grid coordinates, rounded; to compare heights above one face.
    pub fn height(&self, face: u32, point: u32) -> f64 {
        let face = &self.faces[face as usize];
        let offset = difference(self.grid[point as usize], self.grid[face.points[0] as usize]);
        (0..3).map(|i| face.normal[i] * offset[i] as f64).sum()
    }

    /// Adds the point, which `seen_by` strictly sees, to the surface:
    ///
    /// 1. collect the faces that see it, which form a connected patch, and the edges around the patch;
    /// 2. replace the patch by a fan from the point to those edges;
    /// 3. link neighbouring triangles of the fan.
    pub fn insert(&mut self, point: u32, seen_by: u32, change: &mut HullChange) {
        change.removed.clear();
        change.added.clear();
        change.horizon.clear();
        // 1. A face is marked dead when it is first reached, so that it is visited once.
        self.faces[seen_by as usize].alive = false;
        change.removed.push(seen_by);
        let mut next = 0;
        while next < change.removed.len() {
            let face = self.faces[change.removed[next] as usize];
            next += 1;
            for i in 0..3 {
                let across = face.neighbours[i];
                if !self.faces[across as usize].alive {
                    continue;
                }
                if self.sees(across, point) {
                    self.faces[across as usize].alive = false;
                    change.removed.push(across);
                } else {
                    change.horizon.push((face.points[i], face.points[(i + 1) % 3], across));
                }
            }
        }
        // 2.
        for &(from, to, across) in &change.horizon {
            let added = self.add_face([from, to, point], [across, NO_FACE, NO_FACE]);
            self.face_from[from as usize] = added;
            change.added.push(added);
            let outer = &mut self.faces[across as usize];
            for i in 0..3 {
                if outer.points[i] == to {
                    outer.neighbours[i] = added;
                }
            }
        }
        // 3.
        for &added in &change.added {
            let following = self.face_from[self.faces[added as usize].points[1] as usize];
            self.faces[added as usize].neighbours[1] = following;
            self.faces[following as usize].neighbours[2] = added;
        }
    }

    fn add_face(&mut self, points: [u32; 3], neighbours: [u32; 3]) -> u32 {
        let normal = self.exact_normal(points).map(|x| x as f64);
        self.faces.push(Face { points, neighbours, normal, alive: true });
        (self.faces.len() - 1) as u32
    }

    fn exact_normal(&self, [a, b, c]: [u32; 3]) -> [i128; 3] {
        let base = self.grid[a as usize];
        let u = difference(self.grid[b as usize], base).map(i128::from);
        let v = difference(self.grid[c as usize], base).map(i128::from);
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    }
}

fn difference(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The hull of a list of points by quickhull (Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls",
/// ACM TOMS 22(4), 1996): every face keeps the points it sees, and the farthest of them is inserted next. `None` when the points span no volume.
pub(crate) fn convex_hull(points: &[Vec3]) -> Option<Hull> {
    let first = points.first()?;
    let aabb = points.iter().fold(Aabb { min: *first, max: *first }, |aabb, p| Aabb {
        min: aabb.min.inf(p),
        max: aabb.max.sup(p),
    });
    let extents = aabb.max - aabb.min;
    // Also for a single point, with 0 ≤ 0.
    if extents.min() <= MIN_THICKNESS * extents.max() {
        return None;
    }
    let mut hull = Hull::new(&aabb);
    for point in points {
        hull.push(point);
    }
    if !hull.start() {
        return None;
    }
    let mut outside: Vec<Vec<u32>> = vec![Vec::new(); hull.faces.len()];
    distribute(&hull, 0..points.len() as u32, &[0, 1, 2, 3], &mut outside);
    let mut pending = vec![0, 1, 2, 3];
    let mut change = HullChange::default();
    let mut orphans = Vec::new();
    while let Some(face) = pending.pop() {
        if !hull.faces[face as usize].alive {
            continue;
        }
        let height = |point: &&u32| hull.height(face, **point);
        let farthest = outside[face as usize].iter().max_by(|a, b| height(a).total_cmp(&height(b)));
        let Some(&farthest) = farthest else { continue };
        hull.insert(farthest, face, &mut change);
        orphans.clear();
        for &removed in &change.removed {
            orphans.append(&mut std::mem::take(&mut outside[removed as usize]));
        }
        outside.resize_with(hull.faces.len(), Vec::new);
        distribute(&hull, orphans.iter().copied(), &change.added, &mut outside);
        pending.extend_from_slice(&change.added);
    }
    Some(hull)
}

/// Hands every point to the first of `faces` that sees it; points that none sees are inside.
fn distribute(
    hull: &Hull,
    points: impl Iterator<Item = u32>,
    faces: &[u32],
    outside: &mut [Vec<u32>],
) {
    for point in points {
        if let Some(&face) = faces.iter().find(|&&face| hull.sees(face, point)) {
            outside[face as usize].push(point);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::testing::directions;
    use super::*;

    /// Closed, oriented and of the topology of a sphere: every directed edge once, its reverse once, V − E + F = 2.
    fn check_topology(hull: &Hull) {
        let triangles: Vec<_> = hull.triangles().collect();
        let mut edges = HashMap::new();
        for t in &triangles {
            for i in 0..3 {
                *edges.entry((t[i], t[(i + 1) % 3])).or_insert(0) += 1;
            }
        }
        assert!(edges.iter().all(|(&(a, b), &n)| n == 1 && edges.contains_key(&(b, a))));
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len() + triangles.len(), edges.len() / 2 + 2);
    }

    fn check_contains_all(hull: &Hull, points: &[Vec3]) {
        for face in 0..hull.faces().len() as u32 {
            if hull.faces()[face as usize].alive {
                assert!((0..points.len() as u32).all(|p| !hull.sees(face, p)));
            }
        }
    }

    #[test]
    fn a_grid_of_coplanar_and_duplicate_points_has_the_hull_of_its_corners() {
        let mut points = Vec::new();
        for k in 0..7 * 7 * 7 {
            let p = Vec3::new((k % 7) as f64, (k / 7 % 7) as f64, (k / 49) as f64) * 0.1;
            points.extend([p, p]);
        }
        let hull = convex_hull(&points).unwrap();
        check_topology(&hull);
        check_contains_all(&hull, &points);
    }

    #[test]
    fn every_point_of_a_sphere_is_a_vertex() {
        let points = directions(2000);
        let hull = convex_hull(&points).unwrap();
        check_topology(&hull);
        check_contains_all(&hull, &points);
        assert_eq!(hull.triangles().count(), 2 * 2000 - 4);
    }

    #[test]
    fn nearly_coplanar_rotated_layers_stay_consistent() {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 1.1, -0.7);
        let mut points = Vec::new();
        for k in 0..400 {
            let (x, y) = ((k % 20) as f64 * 0.05, (k / 20) as f64 * 0.05);
            points.push(turn * Vec3::new(x, y, 0.0));
            points.push(turn * Vec3::new(x, y, 1e-3));
        }
        let hull = convex_hull(&points).unwrap();
        check_topology(&hull);
        check_contains_all(&hull, &points);
    }

    #[test]
    fn flat_lists_span_no_volume() {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 1.1, -0.7);
        let flat: Vec<Vec3> =
            directions(50).iter().map(|d| turn * Vec3::new(d.x, d.y, 0.0)).collect();
        assert!(convex_hull(&flat).is_none());
        let line: Vec<Vec3> = (0..9).map(|k| Vec3::new(1.0, 2.0, 3.0) * k as f64).collect();
        assert!(convex_hull(&line).is_none());
        assert!(convex_hull(&[Vec3::zeros(); 8]).is_none());
        assert!(convex_hull(&[]).is_none());
    }
}
