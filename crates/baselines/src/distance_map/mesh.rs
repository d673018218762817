//! The signed distance of points from a closed mesh.

use super::error::MapError;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{Aabb, TriangleMesh};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Triangles of a closed mesh with balls around them.
pub(super) struct ClosedMesh {
    triangles: Vec<Triangle>,
}

struct Triangle {
    corners: [Vec3; 3],
    centre: Vec3,
    radius: f64,
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
                *balance.entry((from.min(to), from.max(to))).or_insert(0) += side;
            }
        }
        // The least, so that the message is always the same.
        if let Some(((from, to), _)) = balance.iter().filter(|(_, sum)| **sum != 0).min() {
            return Err(MapError::NotClosed(*from, *to));
        }
        let triangles: Vec<Triangle> = mesh
            .triangles
            .iter()
            .map(|t| {
                let corners = t.map(|v| mesh.vertices[v as usize]);
                let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
                let radius = corners.iter().map(|c| (c - centre).norm()).fold(0.0, f64::max);
                Triangle { corners, centre, radius }
            })
            .collect();
        let volume =
            triangles.iter().map(|Triangle { corners: [a, b, c], .. }| a.cross(b).dot(c) / 6.0);
        let volume: f64 = volume.sum();
        if volume.is_nan() || volume <= 0.0 {
            return Err(MapError::InsideOut(volume));
        }
        Ok(Self { triangles })
    }

    /// The box around all corners.
    pub fn bounds(&self) -> Aabb {
        let corners = self.triangles.iter().flat_map(|t| t.corners);
        let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (min, max) = corners.fold(none, |(min, max), c| (min.inf(&c), max.sup(&c)));
        Aabb { min, max }
    }

    /// The signed distance of a point. `known` is that of another point and how far away that is: it bounds the search, and
    /// tells the sign when the surface is farther from it than this point is.
    pub fn signed_distance(&self, point: &Vec3, known: Option<(f64, f64)>) -> f64 {
        let within =
            known.map_or(f64::INFINITY, |(value, way)| (value.abs() + way) * (1.0 + 1e-12));
        let mut least = within;
        for triangle in &self.triangles {
            let reach = least + triangle.radius;
            if (triangle.centre - point).norm_squared() <= reach * reach {
                least = least.min(distance_from_triangle(point, &triangle.corners));
            }
        }
        let is_inside = match known {
            Some((value, way)) if value.abs() > way * (1.0 + 1e-9) => value < 0.0,
            _ => self.winding_number(point) > 0.5,
        };
        if is_inside { -least } else { least }
    }

    /// How often the surface winds around a point: the sum of the solid angles of its triangles over 4π, each by
    /// [van Oosterom, Strackee 1983]
    ///
    /// ```text
    /// tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|)
    /// ```
    ///
    /// with a, b, c from the point to the corners.
    fn winding_number(&self, point: &Vec3) -> f64 {
        let angle = |triangle: &Triangle| {
            let [a, b, c] = triangle.corners.map(|corner| corner - point);
            let [x, y, z] = [a.norm(), b.norm(), c.norm()];
            let below = x * y * z + a.dot(&b) * z + a.dot(&c) * y + b.dot(&c) * x;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}

/// Distance of a point from a triangle: from its plane when the foot is inside, else from the nearest side.
fn distance_from_triangle(point: &Vec3, corners: &[Vec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let weights = crate::simplex::nearest_on_triangle(&(a - point), &(b - point), &(c - point));
    (weights[0] * (a - point) + weights[1] * (b - point) + weights[2] * (c - point)).norm()
}
