//! The distance of points from a closed mesh, and on which side of it they are.

use super::error::MapError;
use smooth_scene_fit::DistanceTree;
use smooth_scene_geometry::math::{Vec3, atan2};
use smooth_scene_geometry::{Aabb, TriangleMesh};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Triangles of a closed mesh.
pub(super) struct ClosedMesh {
    triangles: Vec<[Vec3; 3]>,
    tree: DistanceTree,
}

impl ClosedMesh {
    /// Refuses meshes that have no inside.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MapError> {
        let count = mesh.vertices.len() as u32;
        if let Some(missing) = mesh.triangles.iter().flatten().find(|v| **v >= count) {
            return Err(MapError::NoSuchVertex(*missing));
        }
        let mut balance: HashMap<(u32, u32), i32> = HashMap::new();
        for t in &mesh.triangles {
            for k in 0..3 {
                let (from, to) = (t[k], t[(k + 1) % 3]);
                let side = if from < to { 1 } else { -1 };
                // A side of no length is no side.
                let side = if from == to { 0 } else { side };
                *balance.entry((from.min(to), from.max(to))).or_insert(0) += side;
            }
        }
        // The least, so that the message is always the same.
        if let Some(((from, to), _)) = balance.iter().filter(|(_, sum)| **sum != 0).min() {
            let corners = [from, to].map(|v| mesh.vertices[*v as usize].into());
            return Err(MapError::NotClosed { from: *from, to: *to, corners });
        }
        let triangles: Vec<[Vec3; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect();
        let volume: f64 = triangles.iter().map(|[a, b, c]| a.cross(b).dot(c) / 6.0).sum();
        if volume.is_nan() || volume <= 0.0 {
            return Err(MapError::InsideOut(volume));
        }
        let tree = DistanceTree::new(&triangles);
        Ok(Self { triangles, tree })
    }

    /// The box around all corners.
    pub fn bounds(&self) -> Aabb {
        self.tree.aabb()
    }

    /// How far a point is from the surface.
    pub fn distance(&self, point: &Vec3) -> f64 {
        self.tree.distance(point)
    }

    /// Whether the surface winds around a point, in either direction: the sum of the solid angles of its triangles over 4π, each by
    /// [van Oosterom, Strackee 1983]
    ///
    /// ```text
    /// tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|)
    /// ```
    ///
    /// with a, b, c from the point to the corners. A part that is inside out counts as solid too: what could be taken for
    /// free by mistake is not.
    pub fn contains(&self, point: &Vec3) -> bool {
        let angle = |triangle: &[Vec3; 3]| {
            let [a, b, c] = triangle.map(|corner| corner - point);
            let [x, y, z] = [a.norm(), b.norm(), c.norm()];
            let below = x * y * z + a.dot(&b) * z + a.dot(&c) * y + b.dot(&c) * x;
            2.0 * atan2(a.dot(&b.cross(&c)), below)
        };
        let turns = self.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI);
        turns.abs() > 0.5
    }
}

/// Triangles that name their corners by place as a mesh that shares them: corners with the same coordinates are one vertex.
pub(super) fn joined(triangles: &[[Vec3; 3]]) -> TriangleMesh {
    let mut places: HashMap<[u64; 3], u32> = HashMap::new();
    let mut vertices = Vec::new();
    let mut vertex = |corner: &Vec3| {
        // Adding zero turns −0 into 0.
        let key = [corner.x, corner.y, corner.z].map(|x| (x + 0.0).to_bits());
        *places.entry(key).or_insert_with(|| {
            vertices.push(*corner);
            vertices.len() as u32 - 1
        })
    };
    let triangles: Vec<[u32; 3]> =
        triangles.iter().map(|[a, b, c]| [vertex(a), vertex(b), vertex(c)]).collect();
    TriangleMesh { vertices, normals: Vec::new(), triangles }
}
