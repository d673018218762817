//! Convex meshes: hulls of vertex lists.

use super::error::{LENGTH_RANGE, ShapeError};
use super::flat_hull::{FlatHull, FlatKind};
use super::hull::{Hull, convex_hull};
use super::surface::{
    BoundingSphere, ConvexSurface, EDGE_TOLERANCE, FLAT_RADIUS, Support, SupportJet, tangential,
};
use crate::math::{Mat3, Vec3, unit_or};

/// The longest vertex list accepted.
const MAX_VERTICES: usize = 1_000_000;
/// Meshes up to this many vertices are searched from end to end, which is faster than climbing.
const SCAN_LIMIT: usize = 32;
/// Most cells along an edge of the cube map of start vertices.
const MAX_START_CELLS: usize = 16;

/// The convex hull of a list of vertices,
///
/// ```text
/// h(n) = max n·vᵢ,    K = {x : mⱼ·x ≤ dⱼ for every face j}
/// ```
///
/// The support vertex is found by climbing from vertex to neighbouring vertex, which ends at the highest one because on
/// a convex polyhedron a local maximum is global. Vertices that happen to lie inside a flat face are the one exception:
/// seen from the back of that face they are a local maximum, too. They are lowest then, and the climb starts at a
/// vertex that is highest in a direction within 90° of n, so it never passes there.
///
/// Vertices that span no volume are welcome: the hull is a polygon then, whose triangles cover both sides, a segment or a
/// single point, neither of which has any triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Unit outward normal and offset of each plane; see [`planes`](Self::planes).
    planes: Vec<(Vec3, f64)>,
    /// The neighbours of vertex v are `neighbours[first_neighbour[v]..first_neighbour[v + 1]]`.
    first_neighbour: Vec<u32>,
    neighbours: Vec<u32>,
    /// The highest vertex for the middle of each cell of a cube map, `start_cells`² cells on each of its six faces.
    starts: Vec<u32>,
    start_cells: usize,
    bounding_sphere: BoundingSphere,
    bounding_radius: f64,
    /// What the hull is if it spans no volume.
    flat: Option<FlatKind>,
}

impl ConvexMesh {
    /// The hull of at least one point. Points inside the hull, or outside by less than 4e-12 of its extent, are dropped.
    pub fn new(points: &[Vec3]) -> Result<Self, ShapeError> {
        check_points(points)?;
        Ok(match convex_hull(points) {
            Some(hull) => Self::solid(points, &hull),
            None => Self::flat(points, &FlatHull::new(points)),
        })
    }

    fn empty() -> Self {
        Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            planes: Vec::new(),
            first_neighbour: Vec::new(),
            neighbours: Vec::new(),
            starts: Vec::new(),
            start_cells: 0,
            bounding_sphere: BoundingSphere { center: Vec3::zeros(), radius: 0.0 },
            bounding_radius: 0.0,
            flat: None,
        }
    }

    fn solid(points: &[Vec3], hull: &Hull) -> Self {
        let mut renumbered = vec![u32::MAX; points.len()];
        let mut mesh = Self::empty();
        for triangle in hull.triangles() {
            mesh.triangles.push(triangle.map(|point| {
                let index = &mut renumbered[point as usize];
                if *index == u32::MAX {
                    *index = mesh.vertices.len() as u32;
                    mesh.vertices.push(points[point as usize]);
                }
                *index
            }));
        }
        mesh.link_neighbours();
        let alive = (0..hull.faces().len() as u32).filter(|&f| hull.faces()[f as usize].alive);
        mesh.finish(alive.map(|face| hull.unit_normal(face)).collect());
        mesh
    }

    fn flat(points: &[Vec3], hull: &FlatHull) -> Self {
        let mut mesh = Self::empty();
        mesh.flat = Some(hull.kind);
        mesh.vertices = hull.corners.iter().map(|&corner| points[corner as usize]).collect();
        mesh.triangles = hull.triangles();
        mesh.link_around();
        mesh.finish(hull.plane_normals(&mesh.vertices));
        mesh
    }

    /// What follows from the vertices and their neighbours, and the planes with these normals.
    fn finish(&mut self, normals: Vec<Vec3>) {
        self.fill_starts();
        self.measure();
        // The offset is the support value rather than that of a corner: the plane of a sliver, whose normal is less
        // certain, then still never cuts the body.
        self.planes =
            normals.into_iter().map(|normal| (normal, self.support(&normal).value)).collect();
    }

    /// The vertices of the hull.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles of the hull as indices of vertices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Unit outward normal m and offset d of each triangle's plane: m·x ≤ d inside. Of a hull without volume, planes that
    /// bound it: for a polygon its two sides, then one for each edge.
    pub fn planes(&self) -> &[(Vec3, f64)] {
        &self.planes
    }

    /// The vertices that share an edge with `vertex`.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let (first, end) =
            (self.first_neighbour[vertex as usize], self.first_neighbour[vertex as usize + 1]);
        &self.neighbours[first as usize..end as usize]
    }

    /// Whether the hull spans no volume: a polygon, a segment or a point.
    pub fn is_flat(&self) -> bool {
        self.flat.is_some()
    }

    /// The unit normal of a polygon; `None` of any other hull.
    pub fn polygon_normal(&self) -> Option<Vec3> {
        match self.flat {
            Some(FlatKind::Polygon { normal }) => Some(normal),
            Some(FlatKind::Segment { .. } | FlatKind::Point) | None => None,
        }
    }

    /// The point of a hull without volume that is nearest to `point`; `None` of a hull with volume.
    pub fn nearest_on_flat(&self, point: &Vec3) -> Option<Vec3> {
        let normal = match self.flat? {
            FlatKind::Point => return Some(self.vertices[0]),
            FlatKind::Segment { .. } => {
                return Some(nearest_on_segment(&self.vertices[0], &self.vertices[1], point));
            }
            FlatKind::Polygon { normal } => normal,
        };
        let projected = point - normal * normal.dot(&(point - self.vertices[0]));
        // The first two planes are the sides of the polygon.
        let is_inside = self.planes[2..].iter().all(|(edge, d)| edge.dot(&projected) <= *d);
        if is_inside {
            return Some(projected);
        }
        let count = self.vertices.len();
        let on_edge = |k: usize| {
            nearest_on_segment(&self.vertices[k], &self.vertices[(k + 1) % count], point)
        };
        (0..count)
            .map(on_edge)
            .min_by(|a, b| (a - point).norm_squared().total_cmp(&(b - point).norm_squared()))
    }

    /// The index of a highest vertex along `dir`.
    pub fn support_vertex(&self, dir: &Vec3) -> u32 {
        if self.vertices.len() <= SCAN_LIMIT {
            return self.highest_by_scan(dir);
        }
        self.climb(self.starts[start_cell(dir, self.start_cells)], dir)
    }

    fn highest_by_scan(&self, dir: &Vec3) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, vertex) in self.vertices.iter().enumerate() {
            let height = vertex.dot(dir);
            if height > best.1 {
                best = (k as u32, height);
            }
        }
        best.0
    }

    /// Steps to the highest neighbour until none is higher.
    fn climb(&self, start: u32, dir: &Vec3) -> u32 {
        let (mut here, mut height) = (start, self.vertices[start as usize].dot(dir));
        loop {
            let before = here;
            for &next in self.neighbours(before) {
                let candidate = self.vertices[next as usize].dot(dir);
                if candidate > height {
                    (here, height) = (next, candidate);
                }
            }
            if here == before {
                return here;
            }
        }
    }

    /// On a closed oriented surface every neighbour of a vertex is the end of exactly one directed edge from it.
    fn link_neighbours(&mut self) {
        let mut first = vec![0u32; self.vertices.len() + 1];
        for &corner in self.triangles.iter().flatten() {
            first[corner as usize + 1] += 1;
        }
        for v in 0..self.vertices.len() {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut neighbours = vec![0; self.triangles.len() * 3];
        for t in &self.triangles {
            for i in 0..3 {
                let slot = &mut next[t[i] as usize];
                neighbours[*slot as usize] = t[(i + 1) % 3];
                *slot += 1;
            }
        }
        (self.first_neighbour, self.neighbours) = (first, neighbours);
    }

    /// Along a polygon the neighbours are the corners before and after, along a segment the other end.
    fn link_around(&mut self) {
        let count = self.vertices.len() as u32;
        self.first_neighbour.push(0);
        for corner in 0..count {
            match count {
                1 => {}
                2 => self.neighbours.push(1 - corner),
                _ => self.neighbours.extend([(corner + count - 1) % count, (corner + 1) % count]),
            }
            self.first_neighbour.push(self.neighbours.len() as u32);
        }
    }

    /// One start vertex for every cell of the cube map, about as many cells as a quarter of the vertices.
    fn fill_starts(&mut self) {
        let count = self.vertices.len();
        if count <= SCAN_LIMIT {
            return;
        }
        let cells = (((count / 24) as f64).sqrt() as usize).clamp(1, MAX_START_CELLS);
        self.start_cells = cells;
        for face in 0..6 {
            // Every direction of this face of the cube is within 55° of its axis: a valid start for the climb.
            let axis_vertex = self.highest_by_scan(&cube_direction(face, 0.0, 0.0));
            for cell in 0..cells * cells {
                let middle = |k: usize| (2.0 * k as f64 + 1.0) / cells as f64 - 1.0;
                let dir = cube_direction(face, middle(cell % cells), middle(cell / cells));
                self.starts.push(self.climb(axis_vertex, &dir));
            }
        }
    }

    fn measure(&mut self) {
        let farthest_from =
            |center: &Vec3| self.vertices.iter().map(|v| (v - center).norm()).fold(0.0, f64::max);
        let center = self.local_aabb().center();
        let radius = farthest_from(&center);
        self.bounding_radius = farthest_from(&Vec3::zeros());
        self.bounding_sphere = BoundingSphere { center, radius };
    }
}

fn check_points(points: &[Vec3]) -> Result<(), ShapeError> {
    let degenerate = |reason| ShapeError::Degenerate { shape: "convex_mesh", reason };
    if points.is_empty() || points.len() > MAX_VERTICES {
        let count = points.len();
        return Err(degenerate(format!("{count} vertices, must be 1 to {MAX_VERTICES}")));
    }
    for (k, point) in points.iter().enumerate() {
        if !point.iter().all(|x| x.abs() <= *LENGTH_RANGE.end()) {
            let [x, y, z]: [f64; 3] = (*point).into();
            let reason = format!("vertex {k} is [{x}, {y}, {z}], must be in [-1e6, 1e6] m");
            return Err(degenerate(reason));
        }
    }
    let first = points[0];
    let extent = points.iter().map(|p| (p - first).amax()).fold(0.0, f64::max);
    if extent > 0.0 && extent < *LENGTH_RANGE.start() {
        let reason =
            format!("vertices are within {extent:.1e} m, must be one point or span 1e-9 m");
        return Err(degenerate(reason));
    }
    Ok(())
}

fn nearest_on_segment(start: &Vec3, end: &Vec3, point: &Vec3) -> Vec3 {
    let edge = end - start;
    start + edge * (edge.dot(&(point - start)) / edge.norm_squared()).clamp(0.0, 1.0)
}

/// A direction on a face of the cube [−1, 1]³; faces are numbered 2·axis, plus one on the negative side.
fn cube_direction(face: usize, u: f64, v: f64) -> Vec3 {
    let mut dir = Vec3::zeros();
    let axis = face / 2;
    dir[axis] = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    dir[(axis + 1) % 3] = u;
    dir[(axis + 2) % 3] = v;
    dir
}

/// The cell of the cube map that `dir` points into.
#[inline]
fn start_cell(dir: &Vec3, cells: usize) -> usize {
    let axis = dir.iamax();
    let face = 2 * axis + usize::from(dir[axis] < 0.0);
    let scale = 0.5 * cells as f64 / dir[axis].abs();
    // The cast saturates, so that not even a direction without direction leaves the table.
    let index = |component: f64| ((component * scale + 0.5 * cells as f64) as usize).min(cells - 1);
    (face * cells + index(dir[(axis + 2) % 3])) * cells + index(dir[(axis + 1) % 3])
}

impl ConvexSurface for ConvexMesh {
    fn support(&self, dir: &Vec3) -> Support {
        let point = self.vertices[self.support_vertex(dir) as usize];
        Support { value: point.dot(dir), point }
    }

    /// Zero at a vertex, flat along an edge whose two ends are equally high, flat in both directions on a face.
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let vertex = self.support_vertex(dir);
        let point = self.vertices[vertex as usize];
        let flat = FLAT_RADIUS * self.bounding_sphere.radius;
        let mut hessian = Mat3::zeros();
        let mut level_edge: Option<Vec3> = None;
        for &other in self.neighbours(vertex) {
            let edge = unit_or(&(self.vertices[other as usize] - point), dir);
            if edge.dot(dir).abs() > EDGE_TOLERANCE {
                continue;
            }
            let along = edge - dir * edge.dot(dir);
            match level_edge {
                None => {
                    hessian = flat * along * along.transpose();
                    level_edge = Some(along);
                }
                Some(first) if first.cross(&along).norm() > EDGE_TOLERANCE => {
                    hessian = tangential(dir) * flat;
                    break;
                }
                Some(_) => {}
            }
        }
        SupportJet { value: point.dot(dir), point, hessian }
    }

    /// The largest signed distance to a face plane, over the bounding radius; in metres of a single point, which has none.
    /// Never negative of a hull without volume.
    fn inside_outside(&self, point: &Vec3) -> f64 {
        let above = |(normal, offset): &(Vec3, f64)| normal.dot(point) - offset;
        let highest = self.planes.iter().map(above).fold(f64::NEG_INFINITY, f64::max);
        let radius = self.bounding_sphere.radius;
        if radius > 0.0 { highest / radius } else { highest }
    }

    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        self.bounding_sphere
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_surface, directions, special_directions, uniform_numbers};
    use super::*;

    fn brute_force(points: &[Vec3], dir: &Vec3) -> f64 {
        points.iter().map(|p| p.dot(dir)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn clouds() -> Vec<Vec<Vec3>> {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 1.1, -0.7);
        let grid: Vec<Vec3> = (0..1000)
            .map(|k| Vec3::new((k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64) * 0.1)
            .collect();
        let turned: Vec<Vec3> = grid.iter().map(|p| turn * p).collect();
        let needle: Vec<Vec3> =
            directions(800).iter().map(|d| turn * Vec3::new(d.x * 1e-3, d.y, d.z * 30.0)).collect();
        let ball: Vec<Vec3> =
            directions(3000).iter().map(|d| d + Vec3::new(4.0, -3.0, 1.0)).collect();
        let twice: Vec<Vec3> = ball.iter().chain(&ball).copied().collect();
        vec![grid, turned, needle, ball, twice, special_directions()]
    }

    #[test]
    fn support_equals_brute_force_over_all_input_points() {
        for points in clouds() {
            let mesh = ConvexMesh::new(&points).unwrap();
            let size = mesh.bounding_radius();
            let mut dirs = directions(3000);
            dirs.extend(special_directions());
            dirs.extend(mesh.planes().iter().flat_map(|(n, _)| [*n, -n]));
            for dir in dirs {
                let error = brute_force(&points, &dir) - mesh.support(&dir).value;
                assert!(error.abs() <= 2e-12 * size, "{error} {dir:?}");
            }
        }
    }

    /// Random points on coarse grids, stretched and turned: many are coplanar, collinear or equal, up to rounding.
    #[test]
    fn degenerate_random_clouds_have_exact_hulls() {
        let mut uniform = uniform_numbers(7);
        let mut refused = 0;
        for round in 0..500 {
            let steps = [1.0, 3.0, 10.0, 1e3, 1e17][round % 5];
            let mut stretch = || 10f64.powf(4.0 * uniform() - 2.0);
            let scale = Vec3::new(stretch(), stretch(), stretch());
            let turn = nalgebra::Rotation3::from_euler_angles(stretch(), stretch(), stretch());
            let count = 4 + (uniform() * 200.0) as usize;
            let mut coordinate = || (uniform() * steps).round() / steps;
            let points: Vec<Vec3> = (0..count)
                .map(|_| Vec3::new(coordinate(), coordinate(), coordinate()))
                .map(|p| turn * p.component_mul(&scale))
                .collect();
            let Ok(mesh) = ConvexMesh::new(&points) else {
                refused += 1;
                continue;
            };
            let size = mesh.bounding_radius();
            let mut dirs = directions(50);
            dirs.extend(mesh.planes().iter().flat_map(|(n, _)| [*n, -n]));
            for dir in dirs {
                let error = brute_force(&points, &dir) - mesh.support(&dir).value;
                assert!(error.abs() <= 3e-12 * size, "round {round}: {error}");
            }
            assert!(points.iter().all(|p| mesh.inside_outside(p) < 1e-11), "round {round}");
        }
        assert!(refused < 10, "{refused}");
    }

    /// Flat lists of every kind: a triangle, a square, a turned disc, a strip, a segment and a point.
    fn flat_clouds() -> Vec<Vec<Vec3>> {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 1.1, -0.7);
        let square = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::x() + Vec3::y()];
        let disc = |scale: f64| -> Vec<Vec3> {
            let flattened = |d: &Vec3| turn * Vec3::new(d.x, d.y * scale, 0.0) + Vec3::repeat(0.4);
            directions(300).iter().map(flattened).collect()
        };
        let segment = (0..9).map(|k| Vec3::new(1.0, 2.0, 3.0) * k as f64).collect();
        vec![
            vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
            square.to_vec(),
            disc(1.0),
            disc(1e-6),
            segment,
            vec![Vec3::new(0.1, 0.2, 0.3); 5],
        ]
    }

    #[test]
    fn flat_lists_have_exact_support_values_and_bounds() {
        for points in flat_clouds() {
            let mesh = ConvexMesh::new(&points).unwrap();
            assert!(mesh.is_flat());
            let size = mesh.bounding_radius();
            let mut dirs = directions(500);
            dirs.extend(special_directions());
            dirs.extend(mesh.planes().iter().flat_map(|(n, _)| [*n, -n]));
            for dir in dirs {
                let error = brute_force(&points, &dir) - mesh.support(&dir).value;
                assert!(error.abs() <= 5e-12 * size, "{error} {dir:?}");
                assert_eq!(mesh.support_jet(&dir).value, mesh.support(&dir).value);
            }
            let sphere = mesh.bounding_sphere();
            assert!(points.iter().all(|p| (p - sphere.center).norm() <= sphere.radius + 1e-15));
            assert!(points.iter().all(|p| mesh.inside_outside(p).abs() < 1e-11));
        }
    }

    #[test]
    fn the_nearest_point_of_a_flat_hull_is_no_farther_than_any_other() {
        let mut uniform = uniform_numbers(11);
        for points in flat_clouds() {
            let mesh = ConvexMesh::new(&points).unwrap();
            for _ in 0..50 {
                let from = Vec3::new(uniform(), uniform(), uniform()) * 4.0 - Vec3::repeat(1.0);
                let nearest = mesh.nearest_on_flat(&from).unwrap();
                assert!(mesh.inside_outside(&nearest) < 1e-11);
                // A point is nearest when nothing of the hull is beyond the plane through it: h(n) ≤ n·x.
                let towards = from - nearest;
                let beyond = mesh.support(&towards).value - towards.dot(&nearest);
                assert!(beyond <= 1e-11 * (1.0 + towards.norm()), "{beyond}");
            }
        }
    }

    #[test]
    fn a_flat_face_is_flat_on_both_sides_and_outside_is_positive() {
        let plate = ConvexMesh::new(&flat_clouds()[1]).unwrap();
        for dir in [Vec3::z(), -Vec3::z()] {
            let face = plate.support_jet(&dir).hessian;
            assert!(face[(0, 0)] > 1e8 && face[(1, 1)] > 1e8 && face[(2, 2)] == 0.0);
        }
        let edge = plate.support_jet(&Vec3::new(0.6, 0.0, 0.8)).hessian;
        assert!(edge[(1, 1)] > 1e8 && edge[(0, 0)] == 0.0);
        assert!(plate.inside_outside(&Vec3::new(0.5, 0.5, 1e-6)) > 0.0);
        assert!(plate.inside_outside(&Vec3::new(0.5, 1.1, 0.0)) > 0.0);
        assert_eq!(plate.inside_outside(&Vec3::new(0.5, 0.5, 0.0)), 0.0);
    }

    #[test]
    fn is_a_consistent_surface() {
        check_surface(&ConvexMesh::new(&special_directions()).unwrap());
        check_surface(&ConvexMesh::new(&directions(400)).unwrap());
    }

    #[test]
    fn inner_points_are_dropped_and_neighbours_are_mutual() {
        let mut points = directions(300);
        points.extend(directions(300).iter().map(|d| d * 0.9));
        let mesh = ConvexMesh::new(&points).unwrap();
        assert_eq!(mesh.vertices().len(), 300);
        for v in 0..300 {
            assert!(mesh.neighbours(v).len() >= 3);
            assert!(mesh.neighbours(v).iter().all(|&w| mesh.neighbours(w).contains(&v)));
        }
    }

    #[test]
    fn a_cube_has_flat_faces_and_edges() {
        let corners: Vec<Vec3> = (0..8)
            .map(|k| {
                Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) - Vec3::repeat(0.5)
            })
            .collect();
        let cube = ConvexMesh::new(&corners).unwrap();
        let face = cube.support_jet(&Vec3::z()).hessian;
        assert!(face[(0, 0)] > 1e8 && face[(1, 1)] > 1e8 && face[(2, 2)] == 0.0);
        let edge = cube.support_jet(&Vec3::new(0.6, 0.8, 0.0)).hessian;
        assert!(edge[(2, 2)] > 1e8 && edge[(0, 0)] == 0.0);
        assert_eq!(cube.support_jet(&Vec3::new(0.6, 0.48, 0.64)).hessian, Mat3::zeros());
    }

    #[test]
    fn bad_lists_are_refused_with_the_reason() {
        assert_eq!(
            ConvexMesh::new(&[]).unwrap_err().to_string(),
            "convex_mesh: 0 vertices, must be 1 to 1000000"
        );
        assert_eq!(
            ConvexMesh::new(&[Vec3::zeros(), Vec3::x() * 1e-10]).unwrap_err().to_string(),
            "convex_mesh: vertices are within 1.0e-10 m, must be one point or span 1e-9 m"
        );
        let broken = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(0.0, f64::NAN, 1.0)];
        assert_eq!(
            ConvexMesh::new(&broken).unwrap_err().to_string(),
            "convex_mesh: vertex 3 is [0, NaN, 1], must be in [-1e6, 1e6] m"
        );
    }
}
