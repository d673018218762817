//! A convex polyhedron as its vertices, edges and polygonal faces.

use crate::answer::Unsupported;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape};
use std::collections::HashMap;

/// Triangles are parts of one face when their corners lie within this of its plane, in multiples of the size.
const FLAT: f64 = 1e-10;

/// A vertex, an edge or a face, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// A side of two faces.
    Edge(u32),
    /// A polygon.
    Face(u32),
}

/// An edge from one end to the other.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub ends: [u32; 2],
    /// The face that the edge runs around counter-clockwise, seen from outside, then the other.
    pub faces: [u32; 2],
    /// Unit vector from the first end to the second.
    pub direction: Vec3,
    /// Unit vectors in the plane of each face, perpendicular to the edge, into the face.
    pub inward: [Vec3; 2],
}

/// A polygon.
#[derive(Debug, Clone)]
pub(crate) struct Face {
    /// Unit outward normal n and offset d: n·x ≤ d inside.
    pub normal: Vec3,
    pub offset: f64,
    /// The edges counter-clockwise, seen from outside. Corner k is the start of edge k.
    pub edges: Vec<u32>,
    /// The corners in the same order.
    pub corners: Vec<u32>,
}

impl Face {
    /// Height of a point above the plane.
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// A convex polyhedron with volume. Triangles in one plane are one face.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) faces: Vec<Face>,
    /// The edges of vertex v are `spokes[first_spoke[v]..first_spoke[v + 1]]`.
    first_spoke: Vec<u32>,
    spokes: Vec<u32>,
    size: f64,
}

impl Polyhedron {
    /// The polyhedron of a box or of a convex mesh with volume; other shapes are refused, with the name of the caller.
    pub(crate) fn for_solver(shape: &Shape, solver: &'static str) -> Result<Self, Unsupported> {
        Self::of(shape).ok_or(Unsupported { solver, shape: shape.kind() })
    }

    /// The polyhedron of a box or of a convex mesh with volume, in the frame of the shape; `None` of any other shape.
    pub fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::ConvexMesh(mesh) if !mesh.is_flat() => Some(Self::from_triangles(
                mesh.vertices(),
                mesh.triangles(),
                mesh.bounding_radius(),
            )),
            Shape::Cuboid(cuboid) => {
                let [x, y, z] = cuboid.half_extents();
                let corner = |k: usize| {
                    let side = |bit: usize, half: f64| if k >> bit & 1 == 1 { half } else { -half };
                    Vec3::new(side(0, x), side(1, y), side(2, z))
                };
                let corners: Vec<Vec3> = (0..8).map(corner).collect();
                let faces = [
                    (-Vec3::z(), vec![0, 2, 3, 1]),
                    (Vec3::z(), vec![4, 5, 7, 6]),
                    (-Vec3::y(), vec![0, 1, 5, 4]),
                    (Vec3::y(), vec![2, 6, 7, 3]),
                    (-Vec3::x(), vec![0, 4, 6, 2]),
                    (Vec3::x(), vec![1, 3, 7, 5]),
                ];
                let built = Self::from_loops(&corners, &faces, cuboid.bounding_radius());
                Some(built.expect("six rectangles close a box"))
            }
            _ => None,
        }
    }

    /// The vertices, in the frame of the shape.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// How many vertices, edges and faces there are.
    pub fn counts(&self) -> [usize; 3] {
        [self.vertices.len(), self.edges.len(), self.faces.len()]
    }

    /// The bounding radius about the origin of the frame.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// The edges that end at a vertex.
    pub(crate) fn edges_of(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.spokes[self.first_spoke[v] as usize..self.first_spoke[v + 1] as usize]
    }

    /// The ends of an edge.
    pub(crate) fn ends(&self, edge: u32) -> [Vec3; 2] {
        self.edges[edge as usize].ends.map(|end| self.vertices[end as usize])
    }

    /// Merges triangles in one plane. Where rounding leaves an outline that is no polygon, every triangle is a face.
    fn from_triangles(vertices: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Self {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| vertices[k as usize]);
            (b - a).cross(&(c - a))
        };
        let merged = merge(vertices, triangles, size);
        if let Some(built) = merged.and_then(|loops| Self::from_loops(vertices, &loops, size)) {
            return built;
        }
        let single = triangles.iter().map(|t| (normal(t).normalize(), t.to_vec()));
        Self::from_loops(vertices, &single.collect::<Vec<_>>(), size)
            .expect("the triangles of a hull close its surface")
    }

    /// From the outlines of faces with their normals. `None` when they do not close a surface like that of a ball.
    fn from_loops(points: &[Vec3], loops: &[(Vec3, Vec<u32>)], size: f64) -> Option<Self> {
        // Points inside faces belong to no outline.
        let mut renumbered = HashMap::new();
        let mut vertices = Vec::new();
        let mut faces = Vec::new();
        for (normal, outline) in loops {
            let corners: Vec<u32> = outline
                .iter()
                .map(|point| {
                    *renumbered.entry(*point).or_insert_with(|| {
                        vertices.push(points[*point as usize]);
                        vertices.len() as u32 - 1
                    })
                })
                .collect();
            let heights = corners.iter().map(|c| normal.dot(&vertices[*c as usize]));
            let offset = heights.fold(f64::NEG_INFINITY, f64::max);
            faces.push(Face { normal: *normal, offset, edges: Vec::new(), corners });
        }
        let mut edges: Vec<Edge> = Vec::new();
        let mut by_ends: HashMap<(u32, u32), u32> = HashMap::new();
        let mut has_both = Vec::new();
        for (number, face) in faces.iter_mut().enumerate() {
            for (k, &from) in face.corners.iter().enumerate() {
                let to = face.corners[(k + 1) % face.corners.len()];
                if let Some(&known) = by_ends.get(&(to, from)) {
                    if std::mem::replace(&mut has_both[known as usize], true) {
                        return None;
                    }
                    let edge = &mut edges[known as usize];
                    edge.faces[1] = number as u32;
                    edge.inward[1] = face.normal.cross(&-edge.direction);
                    face.edges.push(known);
                    continue;
                }
                let along = vertices[to as usize] - vertices[from as usize];
                let direction = along.normalize();
                if by_ends.insert((from, to), edges.len() as u32).is_some() {
                    return None;
                }
                face.edges.push(edges.len() as u32);
                has_both.push(false);
                edges.push(Edge {
                    ends: [from, to],
                    faces: [number as u32; 2],
                    direction,
                    inward: [face.normal.cross(&direction); 2],
                });
            }
        }
        let closes =
            has_both.iter().all(|both| *both) && vertices.len() + faces.len() == edges.len() + 2;
        if !closes {
            return None;
        }
        let (first_spoke, spokes) = spokes(vertices.len(), &edges);
        Some(Self { vertices, edges, faces, first_spoke, spokes, size })
    }
}

/// The edges of every vertex, one list after the other.
fn spokes(vertices: usize, edges: &[Edge]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; vertices + 1];
    for end in edges.iter().flat_map(|edge| edge.ends) {
        first[end as usize + 1] += 1;
    }
    for v in 0..vertices {
        first[v + 1] += first[v];
    }
    let mut next = first.clone();
    let mut spokes = vec![0; 2 * edges.len()];
    for (number, edge) in edges.iter().enumerate() {
        for end in edge.ends {
            spokes[next[end as usize] as usize] = number as u32;
            next[end as usize] += 1;
        }
    }
    (first, spokes)
}

/// Outlines of the faces, each with the normal of its largest triangle. Starting from the largest triangle that has no face
/// yet, triangles join across edges while their corners stay in its plane. `None` when an outline is not one closed line.
fn merge(vertices: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Option<Vec<(Vec3, Vec<u32>)>> {
    let corner = |k: u32| vertices[k as usize];
    let area = |t: &[u32; 3]| (corner(t[1]) - corner(t[0])).cross(&(corner(t[2]) - corner(t[0])));
    let mut owner = HashMap::new();
    for (number, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            owner.insert((t[k], t[(k + 1) % 3]), number);
        }
    }
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|p, q| area(&triangles[*q]).norm().total_cmp(&area(&triangles[*p]).norm()));
    let mut face_of = vec![usize::MAX; triangles.len()];
    let mut loops = Vec::new();
    for seed in order {
        if face_of[seed] != usize::MAX {
            continue;
        }
        let number = loops.len();
        let normal = area(&triangles[seed]).normalize();
        let offset = normal.dot(&corner(triangles[seed][0]));
        let (mut members, mut next) = (vec![seed], 0);
        face_of[seed] = number;
        while let Some(&member) = members.get(next) {
            next += 1;
            let t = triangles[member];
            for k in 0..3 {
                let beside = *owner.get(&(t[(k + 1) % 3], t[k]))?;
                let flat = triangles[beside]
                    .iter()
                    .all(|v| (normal.dot(&corner(*v)) - offset).abs() <= FLAT * size)
                    && area(&triangles[beside]).dot(&normal) > 0.0;
                if face_of[beside] == usize::MAX && flat {
                    face_of[beside] = number;
                    members.push(beside);
                }
            }
        }
        let mut after = HashMap::new();
        for &member in &members {
            let t = triangles[member];
            for k in 0..3 {
                let (from, to) = (t[k], t[(k + 1) % 3]);
                let outer = face_of[*owner.get(&(to, from))?] != number;
                if outer && after.insert(from, to).is_some() {
                    return None;
                }
            }
        }
        loops.push((normal, outline(&after)?));
    }
    Some(loops)
}

/// The one closed line through all of these steps.
fn outline(after: &HashMap<u32, u32>) -> Option<Vec<u32>> {
    let start = *after.keys().min()?;
    let mut corners = vec![start];
    let mut here = *after.get(&start)?;
    while here != start {
        if corners.len() > after.len() {
            return None;
        }
        corners.push(here);
        here = *after.get(&here)?;
    }
    (corners.len() == after.len() && corners.len() >= 3).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;

    /// Counts of the faces of a box, however it is given.
    #[test]
    fn a_box_has_eight_vertices_twelve_edges_and_six_faces() {
        let cuboid = Shape::cuboid([1.0, 2.0, 3.0]).unwrap();
        let Some(polyhedron) = Polyhedron::of(&cuboid) else { panic!("a box has a polyhedron") };
        assert_eq!(polyhedron.counts(), [8, 12, 6]);
        // With a point in the middle of each face, which belongs to no outline.
        let mut points = polyhedron.vertices().to_vec();
        points.extend([Vec3::x(), 2.0 * Vec3::y(), 3.0 * Vec3::z()].iter().flat_map(|p| [*p, -p]));
        let mesh = Polyhedron::of(&Shape::convex_mesh(&points).unwrap()).unwrap();
        assert_eq!(mesh.counts(), [8, 12, 6]);
    }

    /// Every edge has its faces on its two sides, and all vertices are below every face.
    #[test]
    fn faces_bound_the_hull_and_edges_look_into_their_faces() {
        let mut random = Random(1);
        for count in [4, 6, 20, 200] {
            let points: Vec<Vec3> =
                (0..count).map(|_| random.pose(1.0).translation.vector).collect();
            let polyhedron = Polyhedron::of(&Shape::convex_mesh(&points).unwrap()).unwrap();
            for face in &polyhedron.faces {
                assert!(polyhedron.vertices.iter().all(|v| face.height(v) < 1e-12));
            }
            for edge in &polyhedron.edges {
                for (side, face) in edge.faces.into_iter().enumerate() {
                    let face = &polyhedron.faces[face as usize];
                    let start = polyhedron.vertices[edge.ends[0] as usize];
                    let inside = |c: &u32| {
                        edge.inward[side].dot(&(polyhedron.vertices[*c as usize] - start))
                    };
                    assert!(face.corners.iter().map(inside).all(|d| d > -1e-12));
                    assert!(face.corners.iter().map(inside).fold(0.0, f64::max) > 1e-6);
                }
            }
        }
    }

    #[test]
    fn shapes_without_volume_or_corners_have_none() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        assert!(Polyhedron::of(&Shape::convex_mesh(&square).unwrap()).is_none());
        assert!(Polyhedron::of(&Shape::sphere(1.0).unwrap()).is_none());
    }
}
