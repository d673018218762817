//! Triangle meshes of shapes, for display and for comparison with mesh-based methods only. No query uses them.

use std::collections::BinaryHeap;

use super::aabb::Aabb;
use super::convex_mesh::ConvexMesh;
use super::half_space::HalfSpace;
use super::hull::{Face, Hull, HullChange};
use super::shape::Shape;
use super::surface::ConvexSurface;
use crate::math::{Pose, Vec3, tangent_basis, unit_or};

/// The most vertices a mesh gets, whatever tolerance or count was asked for; the parts of a compound share them, but get
/// at least eight each.
pub const MAX_TESSELLATION_VERTICES: usize = 100_000;
/// Half the side of the square that stands for a half-space, in metres.
pub const HALF_SPACE_PATCH: f64 = 5.0;
/// Cosine of the turn between two faces from which the direction between them is tested, too (60°), and below which it
/// does not enlarge the deviation any more.
const SHARP_TURN: f64 = 0.5;
/// Deviation, relative to the size of the shape, that no more vertices remove: the grid of the hull ends there.
const FINEST_DEVIATION: f64 = 1e-10;

/// A triangle mesh. Triangles are counter-clockwise seen from outside and share their vertices: the surface of a convex
/// shape is closed, every edge belongs to exactly two triangles. A flat convex mesh is covered on both sides by two
/// sheets, which share no vertices; one that is a segment or a point has no triangles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Points of the surface, in the frame of the shape.
    pub vertices: Vec<Vec3>,
    /// A unit outward normal of the surface at each vertex; at an edge or a corner, one of them.
    pub normals: Vec<Vec3>,
    /// Indices of vertices, three per triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh of the surface whose distance from it is at most `tolerance` metres, but with no more than
/// [`MAX_TESSELLATION_VERTICES`] vertices and no finer than 1e-10 of the size. For display and mesh comparison only.
///
/// Starting from a few support points, the face of the hull that misses most is split at its support point, until none
/// misses more than it may. The face with unit normal m through the point x misses
///
/// ```text
/// h(m) − m·x
/// ```
///
/// which is how far the body rises above its plane. h is sublinear, so beside the face, towards a neighbour, the body
/// rises by at most that over the cosine of the turn between them; sharp edges are tested and split themselves, along
/// the normal between their faces. So every vertex is exactly on the surface, vertices gather where the
/// surface bends, and flat faces stay empty. A superovoid that is not convex is shown as its hull, a compound as its
/// parts, and a half-space as a square patch of side 2·[`HALF_SPACE_PATCH`], which is not closed.
pub fn tessellate(shape: &Shape, tolerance: f64) -> TriangleMesh {
    // A tolerance without meaning (negative, NaN) asks for the finest mesh.
    let deviation = if tolerance > 0.0 { tolerance } else { 0.0 };
    tessellate_until(shape, &Limit { deviation, vertices: MAX_TESSELLATION_VERTICES })
}

/// A mesh with about `vertices` vertices, placed as by [`tessellate`]; at least eight, at most
/// [`MAX_TESSELLATION_VERTICES`]. Fewer when they make the mesh exact, as for a box. The parts of a compound share them
/// equally; a half-space has four.
pub fn tessellate_with_vertex_count(shape: &Shape, vertices: usize) -> TriangleMesh {
    let vertices = vertices.clamp(8, MAX_TESSELLATION_VERTICES);
    tessellate_until(shape, &Limit { deviation: 0.0, vertices })
}

/// When to stop: no face deviates by more, or that many vertices.
struct Limit {
    deviation: f64,
    vertices: usize,
}

fn tessellate_until(shape: &Shape, limit: &Limit) -> TriangleMesh {
    match shape {
        Shape::HalfSpace(half_space) => patch(half_space),
        Shape::ConvexMesh(mesh) => copy_of(mesh),
        Shape::Compound(compound) => {
            let parts = compound.parts();
            let vertices = (limit.vertices / parts.len()).max(8);
            let mut all = TriangleMesh::default();
            for (pose, part) in parts {
                all.append(&tessellate_until(part, &Limit { vertices, ..*limit }), pose);
            }
            all
        }
        convex => sandwich(convex, limit),
    }
}

impl TriangleMesh {
    /// Adds another mesh in the given pose.
    fn append(&mut self, other: &TriangleMesh, pose: &Pose) {
        let first = self.vertices.len() as u32;
        let placed = |v: &Vec3| pose.rotation * v + pose.translation.vector;
        self.vertices.extend(other.vertices.iter().map(placed));
        self.normals.extend(other.normals.iter().map(|n| pose.rotation * n));
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    }
}

fn patch(half_space: &HalfSpace) -> TriangleMesh {
    let (foot, normal) = (half_space.foot(), half_space.normal());
    let (u, v) = tangent_basis(&normal);
    let corner = |s: f64, t: f64| foot + (u * s + v * t) * HALF_SPACE_PATCH;
    TriangleMesh {
        vertices: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        normals: vec![normal; 4],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// The mesh as it is, with the normals of the faces around a vertex averaged.
fn copy_of(mesh: &ConvexMesh) -> TriangleMesh {
    if let Some(normal) = mesh.polygon_normal() {
        return two_sheets(mesh, &normal);
    }
    let mut sums = vec![Vec3::zeros(); mesh.vertices().len()];
    for (triangle, (normal, _)) in mesh.triangles().iter().zip(mesh.planes()) {
        for &corner in triangle {
            sums[corner as usize] += normal;
        }
    }
    TriangleMesh {
        vertices: mesh.vertices().to_vec(),
        normals: sums.iter().map(|sum| unit_or(sum, &Vec3::z())).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}

/// Both sides of a polygon. Each has vertices of its own, because the normals there differ.
fn two_sheets(mesh: &ConvexMesh, normal: &Vec3) -> TriangleMesh {
    let vertices = mesh.vertices();
    let count = vertices.len();
    let (front, back) = mesh.triangles().split_at(mesh.triangles().len() / 2);
    let on_back = back.iter().map(|t| t.map(|corner| corner + count as u32));
    TriangleMesh {
        vertices: [vertices, vertices].concat(),
        normals: [vec![*normal; count], vec![-normal; count]].concat(),
        triangles: front.iter().copied().chain(on_back).collect(),
    }
}

/// A face, or one of its edges, and how far the body rises above it; ordered by that.
struct Candidate {
    deviation: f64,
    face: u32,
    /// The direction that was tested, and the support point there.
    normal: Vec3,
    point: Vec3,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.deviation.total_cmp(&other.deviation)
    }
}

/// A convex polyhedron that grows inside a convex shape.
struct Sandwich<'a> {
    shape: &'a Shape,
    hull: Hull,
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    queue: BinaryHeap<Candidate>,
}

fn sandwich(shape: &Shape, limit: &Limit) -> TriangleMesh {
    let aabb = shape.local_aabb();
    let finest = FINEST_DEVIATION * aabb.half_extents().amax();
    let Some(mut sandwich) = Sandwich::start(shape, &aabb) else {
        return TriangleMesh::default();
    };
    let mut change = HullChange::default();
    while sandwich.vertices.len() < limit.vertices {
        let Some(worst) = sandwich.queue.pop() else { break };
        if worst.deviation <= limit.deviation.max(finest) {
            break;
        }
        if sandwich.hull.faces()[worst.face as usize].alive {
            sandwich.split(&worst, &mut change);
        }
    }
    sandwich.into_mesh()
}

impl<'a> Sandwich<'a> {
    /// The hull of the support points along the space diagonals of the bounding box, scaled so that they suit flat and
    /// long bodies too: the corners of a box, four points on each rim of a cylinder. On a body with a sharp rim they can
    /// all lie on it, in a plane; then the support points along the axes join them.
    fn start(shape: &'a Shape, aabb: &Aabb) -> Option<Self> {
        let mut start = Self {
            shape,
            hull: Hull::new(aabb),
            vertices: Vec::new(),
            normals: Vec::new(),
            queue: BinaryHeap::new(),
        };
        let half = aabb.half_extents();
        for corner in 0..8 {
            let side = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
            let diagonal = Vec3::new(side(0), side(1), side(2));
            start.add_support(unit_or(&diagonal.component_div(&half), &Vec3::z()));
        }
        if !start.hull.start() {
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                start.add_support(axis);
                start.add_support(-axis);
            }
            if !start.hull.start() {
                return None;
            }
        }
        let mut change = HullChange::default();
        for point in 0..start.vertices.len() as u32 {
            let seen_by = (0..start.hull.faces().len() as u32)
                .find(|&f| start.hull.faces()[f as usize].alive && start.hull.sees(f, point));
            if let Some(face) = seen_by {
                start.hull.insert(point, face, &mut change);
            }
        }
        for face in 0..start.hull.faces().len() as u32 {
            if start.hull.faces()[face as usize].alive {
                start.enqueue(face);
            }
        }
        Some(start)
    }

    /// Registers the support point along `normal` without changing the hull.
    fn add_support(&mut self, normal: Vec3) {
        let point = self.shape.support(&normal).point;
        self.hull.push(&point);
        self.vertices.push(point);
        self.normals.push(normal);
    }

    /// Tests a face along its normal, and its sharp edges along the normals between it and its neighbours.
    fn enqueue(&mut self, face: u32) {
        let normal = self.hull.unit_normal(face);
        let Face { points, neighbours, .. } = self.hull.faces()[face as usize];
        let corners = points.map(|k| self.vertices[k as usize]);
        let mut turn: f64 = 1.0;
        for i in 0..3 {
            let other = self.hull.unit_normal(neighbours[i]);
            turn = turn.min(normal.dot(&other));
            if normal.dot(&other) < SHARP_TURN {
                let edge = [corners[i], corners[(i + 1) % 3]];
                // Where the two faces are back to back, straight out of the edge.
                let outwards = unit_or(&(edge[1] - edge[0]).cross(&normal), &normal);
                let sum = normal + other;
                let between = if sum.norm() > 1e-3 { sum.normalize() } else { outwards };
                self.enqueue_along(between, SHARP_TURN, face, &edge);
            }
        }
        self.enqueue_along(normal, turn.max(SHARP_TURN), face, &corners);
    }

    fn enqueue_along(&mut self, normal: Vec3, turn: f64, face: u32, corners: &[Vec3]) {
        let support = self.shape.support(&normal);
        let height = corners.iter().map(|c| c.dot(&normal)).fold(f64::NEG_INFINITY, f64::max);
        let deviation = (support.value - height) / turn;
        self.queue.push(Candidate { deviation, face, normal, point: support.point });
    }

    /// Makes the support point of a candidate a vertex, unless it is too near to the surface for the hull to tell. A
    /// point above an edge is seen by one of its two faces at least.
    fn split(&mut self, worst: &Candidate, change: &mut HullChange) {
        let [a, b, c] = self.hull.faces()[worst.face as usize].neighbours;
        let point = self.hull.push(&worst.point);
        let mut near = [worst.face, a, b, c].into_iter();
        let Some(seen_by) = near.find(|&face| self.hull.sees(face, point)) else {
            self.hull.pop();
            return;
        };
        self.vertices.push(worst.point);
        self.normals.push(worst.normal);
        self.hull.insert(point, seen_by, change);
        for &added in &change.added {
            self.enqueue(added);
        }
    }

    /// The vertices that are part of the hull, renumbered.
    fn into_mesh(self) -> TriangleMesh {
        let mut renumbered = vec![u32::MAX; self.vertices.len()];
        let mut mesh = TriangleMesh::default();
        for triangle in self.hull.triangles() {
            mesh.triangles.push(triangle.map(|point| {
                let index = &mut renumbered[point as usize];
                if *index == u32::MAX {
                    *index = mesh.vertices.len() as u32;
                    mesh.vertices.push(self.vertices[point as usize]);
                    mesh.normals.push(self.normals[point as usize]);
                }
                *index
            }));
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::testing::{directions, uniform_numbers};
    use super::*;
    use crate::math::Mat3;

    fn shapes() -> Vec<Shape> {
        let shear = Mat3::new(1.0, 0.3, -0.2, 0.0, 0.8, 0.4, 0.1, 0.0, 1.5);
        let boxy = Shape::superellipsoid([0.5, 0.7, 1.0], 0.1, 0.1);
        [
            Shape::sphere(0.8),
            Shape::ellipsoid([0.05, 1.0, 2.0]),
            Shape::superellipsoid([0.5, 0.7, 1.0], 1.8, 1.9),
            Shape::superellipsoid([0.5, 0.7, 1.0], 0.1, 1.5),
            Shape::superovoid([0.5, 0.7, 1.0], 0.6, 1.2, [0.3, 0.2]),
            Shape::superovoid([0.5, 0.7, 1.0], 0.6, 0.5, [0.5, -0.5]),
            Shape::poly_ellipsoid([0.4, 1.0, 0.7, 0.5, 2.0, 0.9]),
            Shape::cuboid([0.5, 0.7, 1.0]),
            Shape::cylinder(0.5, 0.7),
            Shape::capsule(0.5, 0.7),
            Shape::cone(0.5, 0.7),
            Shape::convex_mesh(&directions(80)),
            Shape::cuboid([0.5, 0.7, 1.0]).unwrap().padded(0.1),
            boxy.clone().unwrap().mapped(&shear),
            boxy,
        ]
        .into_iter()
        .map(Result::unwrap)
        .collect()
    }

    #[test]
    fn a_flat_mesh_is_covered_on_both_sides() {
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 3.0], [0.0, 1.0]];
        let plate = corners.map(|[x, y]| Vec3::new(x, y, 0.5));
        let mesh = tessellate(&Shape::convex_mesh(&plate).unwrap(), 1e-3);
        let mut areas = [0.0; 2];
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
            let area = 0.5 * (b - a).cross(&(c - a));
            areas[usize::from(area.z < 0.0)] += area.norm();
            assert!(t.iter().all(|&v| mesh.normals[v as usize].dot(&area) > 0.0));
        }
        assert!(areas.iter().all(|area| (area - 4.0).abs() < 1e-12), "{areas:?}");
        let needle = Shape::convex_mesh(&[Vec3::zeros(), Vec3::x()]).unwrap();
        assert!(tessellate(&needle, 1e-3).triangles.is_empty());
    }

    /// Closed, oriented, one piece without holes: every directed edge once with its reverse, V − E + F = 2, volume > 0.
    fn check_closed(mesh: &TriangleMesh) {
        let mut edges = HashMap::new();
        let mut volume = 0.0;
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
            volume += a.dot(&b.cross(&c)) / 6.0;
            for i in 0..3 {
                *edges.entry((t[i], t[(i + 1) % 3])).or_insert(0) += 1;
            }
        }
        assert!(volume > 0.0);
        assert!(edges.iter().all(|(&(a, b), &n)| n == 1 && edges.contains_key(&(b, a))));
        assert_eq!(mesh.vertices.len() + mesh.triangles.len(), edges.len() / 2 + 2);
        assert_eq!(mesh.vertices.len(), mesh.normals.len());
    }

    /// Distance of a point from the surface of the mesh, by another library's triangles.
    fn distance(mesh: &TriangleMesh, point: &Vec3) -> f64 {
        use parry3d_f64::math::Vector;
        use parry3d_f64::query::PointQuery;
        let vector = |v: &Vec3| Vector::new(v.x, v.y, v.z);
        let to_triangle = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| vector(&mesh.vertices[v as usize]));
            parry3d_f64::shape::Triangle::new(a, b, c).distance_to_local_point(vector(point), true)
        };
        mesh.triangles.iter().map(to_triangle).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn meshes_are_closed_and_their_vertices_are_on_the_surface() {
        for shape in shapes() {
            for mesh in [tessellate(&shape, 0.02), tessellate_with_vertex_count(&shape, 66)] {
                check_closed(&mesh);
                for (vertex, normal) in mesh.vertices.iter().zip(&mesh.normals) {
                    let off = shape.support(normal).value - vertex.dot(normal);
                    assert!(off.abs() < 1e-11, "{} {off}", shape.kind());
                    assert!(shape.inside_outside(vertex).abs() < 1e-9, "{}", shape.kind());
                }
            }
        }
    }

    #[test]
    fn the_deviation_stays_within_the_tolerance() {
        for shape in shapes() {
            for tolerance in [0.1, 0.01, 0.002] {
                let mesh = tessellate(&shape, tolerance);
                let worst = directions(400)
                    .iter()
                    .map(|dir| distance(&mesh, &shape.support(dir).point))
                    .fold(0.0, f64::max);
                assert!(worst <= tolerance, "{shape:?} {worst} {tolerance}");
            }
        }
    }

    #[test]
    fn the_vertex_count_is_met_by_curved_shapes() {
        for count in [18, 66, 602, 10_000] {
            let sphere = tessellate_with_vertex_count(&Shape::sphere(1.0).unwrap(), count);
            assert_eq!(sphere.vertices.len(), count);
            let boxy = Shape::superellipsoid([0.5, 0.7, 1.0], 0.1, 0.1).unwrap();
            assert_eq!(tessellate_with_vertex_count(&boxy, count).vertices.len(), count);
        }
    }

    #[test]
    fn boxy_shapes_keep_their_corners_and_boxes_are_exact() {
        let boxy = Shape::superellipsoid([1.0; 3], 0.1, 0.1).unwrap();
        let mesh = tessellate_with_vertex_count(&boxy, 18);
        let farthest = mesh.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(farthest > 0.98 * boxy.bounding_radius());
        let cuboid = tessellate(&Shape::cuboid([0.5, 0.7, 1.0]).unwrap(), 1e-6);
        assert_eq!((cuboid.vertices.len(), cuboid.triangles.len()), (8, 12));
    }

    #[test]
    fn extreme_sizes_and_exponents_give_closed_meshes() {
        let mut uniform = uniform_numbers(5);
        for _ in 0..200 {
            let mut length = || 10f64.powf(6.0 * uniform() - 4.0).clamp(1e-9, 1e6);
            let r = [length(), length(), length()];
            let mut exponent = || [1e-3, 0.05, 1.0, 1.9, 1.999][(uniform() * 5.0) as usize];
            let (xy, z) = (exponent(), exponent());
            let shapes = [
                Shape::superellipsoid(r, xy, z),
                Shape::superovoid(r, xy, z, [0.9, -0.9]),
                Shape::poly_ellipsoid([r[0], r[1], r[2], r[0], r[1], r[2]]),
                Shape::cone(r[0], r[1]),
                Shape::cylinder(r[0], r[1]),
                Shape::cuboid(r).unwrap().padded(1e-3 * r[0]),
            ];
            for shape in shapes.map(Result::unwrap) {
                let mesh = tessellate_with_vertex_count(&shape, 60);
                assert!(mesh.vertices.len() >= 4, "{shape:?}");
                check_closed(&mesh);
            }
        }
    }

    #[test]
    fn compounds_and_half_spaces_have_meshes_too() {
        let ball = Shape::sphere(1.0).unwrap();
        let pair = vec![
            (Pose::translation(-2.0, 0.0, 0.0), ball.clone()),
            (Pose::translation(2.0, 0.0, 0.0), ball),
        ];
        let mesh = tessellate_with_vertex_count(&Shape::compound(pair).unwrap(), 100);
        assert_eq!(mesh.vertices.len(), 100);
        assert!(mesh.vertices.iter().all(|v| (v.x.abs() - 2.0).abs() <= 1.0));
        let floor = tessellate(&Shape::half_space([0.0, 0.6, 0.8], 1.0).unwrap(), 0.01);
        assert_eq!((floor.vertices.len(), floor.triangles.len()), (4, 2));
        let [a, b, c] = floor.triangles[0].map(|v| floor.vertices[v as usize]);
        assert!((b - a).cross(&(c - a)).dot(&floor.normals[0]) > 0.0);
        assert!((a.dot(&floor.normals[0]) - 1.0).abs() < 1e-14);
    }
}
