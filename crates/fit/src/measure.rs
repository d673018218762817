//! How much a model of surfaces adds to a mesh.
//!
//! The *outer surface* of a model is what of its surfaces lies in no other surface of the same model. The *outward
//! distance* of a point of it is the distance to the nearest point of the mesh. Both the mean (by area) and the largest are
//! taken over even samples of the outer surface. Volumes are those of the union, by a low-discrepancy sequence of points.

use crate::clip::Triangle;
use crate::distance_tree::DistanceTree;
use crate::random::{Random, even_box_points};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexMesh, ConvexSurface, Shape, tessellate};

/// Deviation of the triangles from which surfaces are sampled, as a share of the size of the surface.
const DEVIATION: f64 = 5e-4;

/// The outer surface of a model, measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outward {
    /// Area of the outer surface, m².
    pub area: f64,
    /// Mean outward distance, m.
    pub mean: f64,
    /// Largest outward distance of a sample, m.
    pub largest: f64,
}

/// Surfaces with their poses.
pub type Placed<'a> = [(Pose, &'a Shape)];

/// Whether a point is in the union; `skip` is left out.
fn is_inside(surfaces: &Placed<'_>, point: &Vec3, skip: Option<usize>) -> bool {
    surfaces.iter().enumerate().any(|(index, (pose, shape))| {
        Some(index) != skip
            && shape.inside_outside(
                &(pose.rotation.inverse_transform_vector(&(point - pose.translation.vector))),
            ) <= 0.0
    })
}

/// Measures the outer surface with about `samples` samples for every surface.
pub fn outward(surfaces: &Placed<'_>, mesh: &DistanceTree, samples: usize, seed: u64) -> Outward {
    let mut random = Random::new(seed);
    let (mut area, mut sum, mut largest) = (0.0, 0.0, 0f64);
    for (index, (pose, shape)) in surfaces.iter().enumerate() {
        let patches = tessellate(shape, DEVIATION * shape.bounding_radius());
        let corners = |triangle: &[u32; 3]| triangle.map(|k| patches.vertices[k as usize]);
        let area_of = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
        let total: f64 = patches.triangles.iter().map(|t| area_of(corners(t))).sum();
        let step = total / samples as f64;
        let mut next = step * random.uniform();
        let mut passed = 0.0;
        for triangle in &patches.triangles {
            let [a, b, c] = corners(triangle);
            passed += area_of([a, b, c]);
            while next < passed {
                next += step;
                let (mut u, mut v) = (random.uniform(), random.uniform());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let local = a + (b - a) * u + (c - a) * v;
                let point = pose.rotation * local + pose.translation.vector;
                if is_inside(surfaces, &point, Some(index)) {
                    continue;
                }
                let distance = mesh.distance(&point);
                area += step;
                sum += distance * step;
                largest = largest.max(distance);
            }
        }
    }
    Outward { area, mean: if area > 0.0 { sum / area } else { 0.0 }, largest }
}

/// The volume of the union, m³, from `samples` even points in the box around it.
pub fn union_volume(surfaces: &Placed<'_>, samples: usize) -> f64 {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for (pose, shape) in surfaces {
        let reach = |dir: Vec3| {
            let local = pose.rotation.inverse_transform_vector(&dir);
            shape.support(&local).value + dir.dot(&pose.translation.vector)
        };
        high = high.sup(&Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z())));
        low = low.inf(&-Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z())));
    }
    if surfaces.is_empty() {
        return 0.0;
    }
    let inside = even_box_points(low, high, samples)
        .filter(|point| is_inside(surfaces, point, None))
        .count();
    (high - low).product() * inside as f64 / samples as f64
}

/// The volume of a closed mesh, m³; `None` when some edge does not belong to two triangles that run along it in opposite
/// directions: then the volume is not defined.
pub fn mesh_volume(triangles: &[Triangle]) -> Option<f64> {
    use std::collections::HashMap;
    let key = |p: &Vec3| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    let mut edges: HashMap<_, i64> = HashMap::new();
    let mut volume = 0.0;
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (from, to) = (key(from), key(to));
            if from < to {
                *edges.entry((from, to)).or_default() += 1;
            } else {
                *edges.entry((to, from)).or_default() -= 1;
            }
        }
        volume += a.dot(&b.cross(c)) / 6.0;
    }
    // Normals that point inwards only turn the sign.
    edges.values().all(|&balance| balance == 0).then_some(volume.abs())
}

/// The volume of a convex hull, m³.
pub fn hull_volume(hull: &ConvexMesh) -> f64 {
    if hull.is_flat() {
        return 0.0;
    }
    let vertices = hull.vertices();
    let corner = |k: u32| vertices[k as usize] - vertices[0];
    let six: f64 =
        hull.triangles().iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c)))).sum();
    six / 6.0
}
