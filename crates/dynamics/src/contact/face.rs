//! The corners of a shape that lie farthest in a direction: a face, an edge or a vertex.

use smooth_scene_geometry::math::{Vec3, atan2, sin_cos};
use smooth_scene_geometry::{ConvexMesh, ConvexSurface, Shape};

/// Corners that stand for a round rim.
const RIM: usize = 12;

/// Whether a shape has faces or straight edges, on which it touches at more than a point.
pub(crate) fn is_flat(shape: &Shape) -> bool {
    match shape {
        Shape::Cuboid(_)
        | Shape::Cylinder(_)
        | Shape::Capsule(_)
        | Shape::Cone(_)
        | Shape::HalfSpace(_)
        | Shape::ConvexMesh(_)
        | Shape::Compound(_) => true,
        Shape::Padded(s) => is_flat(s.shape()),
        Shape::Mapped(s) => is_flat(s.shape()),
        Shape::Sphere(_)
        | Shape::Ellipsoid(_)
        | Shape::Superellipsoid(_)
        | Shape::Superovoid(_)
        | Shape::PolyEllipsoid(_) => false,
    }
}

/// Adds the corners v of a bounded shape with d·v ≥ h(d) − slack, in its frame; `dir` d need not be of unit length. Rims count as
/// twelve corners of which one lies farthest along d; a round part has its one farthest point.
pub(crate) fn add_corners(shape: &Shape, dir: &Vec3, slack: f64, out: &mut Vec<Vec3>) {
    let start = out.len();
    match shape {
        Shape::Cuboid(cuboid) => {
            let half = Vec3::from(cuboid.half_extents());
            out.extend((0..8).map(|k| {
                let signs = [0, 1, 2].map(|i| if k >> i & 1 == 0 { -1.0 } else { 1.0 });
                half.component_mul(&Vec3::from(signs))
            }));
        }
        Shape::Cylinder(s) => {
            rim(s.radius(), s.half_length(), dir, out);
            rim(s.radius(), -s.half_length(), dir, out);
        }
        Shape::Cone(s) => {
            out.push(shape.support(&Vec3::z()).point);
            rim(s.radius(), -s.half_length(), dir, out);
        }
        Shape::Capsule(s) => {
            let offset = dir * (s.radius() / dir.norm());
            out.extend([1.0, -1.0].map(|end| offset + Vec3::z() * (end * s.half_length())));
        }
        Shape::ConvexMesh(mesh) => add_vertices(mesh, dir, slack, out),
        Shape::Padded(s) => {
            add_corners(s.shape(), dir, slack, out);
            let offset = dir * (s.radius() / dir.norm());
            out[start..].iter_mut().for_each(|corner| *corner += offset);
        }
        Shape::Mapped(s) => {
            add_corners(s.shape(), &s.matrix().tr_mul(dir), slack, out);
            out[start..].iter_mut().for_each(|corner| *corner = s.matrix() * *corner);
        }
        Shape::Compound(s) => {
            for (pose, part) in s.parts() {
                let first = out.len();
                add_corners(part, &pose.rotation.inverse_transform_vector(dir), slack, out);
                out[first..].iter_mut().for_each(|corner| {
                    *corner = pose.rotation * *corner + pose.translation.vector;
                });
            }
        }
        Shape::Sphere(_)
        | Shape::Ellipsoid(_)
        | Shape::Superellipsoid(_)
        | Shape::Superovoid(_)
        | Shape::PolyEllipsoid(_)
        | Shape::HalfSpace(_) => out.push(shape.support(dir).point),
    }
    let least = shape.support(dir).value - slack;
    let mut place = start;
    while place < out.len() {
        if out[place].dot(dir) >= least {
            place += 1;
        } else {
            out.remove(place);
        }
    }
}

/// The vertices of a face: from the highest vertex over neighbours that are high enough. Those of a convex body are connected.
fn add_vertices(mesh: &ConvexMesh, dir: &Vec3, slack: f64, out: &mut Vec<Vec3>) {
    let start = mesh.support_vertex(dir);
    let least = mesh.vertices()[start as usize].dot(dir) - slack;
    let mut found = vec![start];
    let mut next = 0;
    while next < found.len() {
        for &vertex in mesh.neighbours(found[next]) {
            if mesh.vertices()[vertex as usize].dot(dir) >= least && !found.contains(&vertex) {
                found.push(vertex);
            }
        }
        next += 1;
    }
    out.extend(found.iter().map(|&vertex| mesh.vertices()[vertex as usize]));
}

/// Corners of a rim about the z axis. The first lies farthest along `dir`.
fn rim(radius: f64, height: f64, dir: &Vec3, out: &mut Vec<Vec3>) {
    let first = atan2(dir.y, dir.x);
    out.extend((0..RIM).map(|k| {
        let (sin, cos) = sin_cos(first + std::f64::consts::TAU * k as f64 / RIM as f64);
        Vec3::new(radius * cos, radius * sin, height)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::Mat3;

    fn corners(shape: &Shape, dir: Vec3) -> Vec<Vec3> {
        let mut found = Vec::new();
        add_corners(shape, &dir, 1e-3, &mut found);
        let highest = shape.support(&dir).value;
        let reached = found.iter().map(|c| c.dot(&dir)).fold(f64::NEG_INFINITY, f64::max);
        assert!((reached - highest).abs() < 1e-12, "{shape:?}: {reached} {highest}");
        found
    }

    #[test]
    fn every_flat_shape_has_its_faces_edges_and_vertices() {
        let down = -Vec3::z();
        let slanted = Vec3::new(0.5, 0.1, -1.0);
        let cuboid = Shape::cuboid([0.3, 0.2, 0.1]).unwrap();
        assert_eq!(corners(&cuboid, down).len(), 4);
        assert_eq!(corners(&cuboid, Vec3::new(1.0, 0.0, -1.0)).len(), 2);
        assert_eq!(corners(&cuboid, slanted).len(), 1);
        let cylinder = Shape::cylinder(0.2, 0.3).unwrap();
        assert_eq!(corners(&cylinder, down).len(), RIM);
        assert_eq!(corners(&cylinder, Vec3::new(0.3, 0.7, 0.0)).len(), 2);
        assert_eq!(corners(&cylinder, slanted).len(), 1);
        let cone = Shape::cone(0.2, 0.3).unwrap();
        assert_eq!(corners(&cone, down).len(), RIM);
        assert_eq!(corners(&cone, Vec3::z()).len(), 1);
        assert_eq!(corners(&Shape::capsule(0.1, 0.3).unwrap(), Vec3::y()).len(), 2);
        assert_eq!(corners(&cuboid.padded(0.01).unwrap(), down).len(), 4);
        let map = Mat3::new(1.0, 0.2, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0);
        assert_eq!(corners(&cuboid.mapped(&map).unwrap(), down).len(), 4);
    }

    #[test]
    fn a_mesh_has_the_vertices_of_its_face() {
        let points: Vec<Vec3> = (0..8)
            .map(|k| Vec3::from([0, 1, 2].map(|i| if k >> i & 1 == 0 { -0.1 } else { 0.1 })))
            .collect();
        let mesh = Shape::convex_mesh(&points).unwrap();
        assert_eq!(corners(&mesh, -Vec3::z()).len(), 4);
        assert_eq!(corners(&mesh, Vec3::new(0.0, 1.0, 1.0)).len(), 2);
    }
}
