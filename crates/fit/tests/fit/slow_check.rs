//! An independent check that surfaces contain triangles: points spread over every triangle, and formulas of its own. It shares
//! nothing with the crate but the numbers of the surfaces.

use smooth_scene_fit::{LinkFit, Triangle};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// The inside-outside function of a superquadric in its textbook form; at most 1 inside.
fn textbook(p: &Vec3, radii: [f64; 3], exponent_xy: f64, exponent_z: f64, taper: [f64; 2]) -> f64 {
    let w = p.z / radii[2];
    let x = (p.x / (radii[0] * (1.0 + taper[0] * w))).abs();
    let y = (p.y / (radii[1] * (1.0 + taper[1] * w))).abs();
    let section = x.powf(2.0 / exponent_xy) + y.powf(2.0 / exponent_xy);
    section.powf(exponent_xy / exponent_z) + w.abs().powf(2.0 / exponent_z)
}

fn is_inside(pose: &Pose, shape: &Shape, point: &Vec3) -> bool {
    let p = pose.inverse_transform_point(&(*point).into()).coords;
    match shape {
        Shape::Sphere(s) => p.norm() <= s.radius(),
        Shape::Capsule(s) => {
            let on_axis = Vec3::new(0.0, 0.0, p.z.clamp(-s.half_length(), s.half_length()));
            (p - on_axis).norm() <= s.radius()
        }
        Shape::Ellipsoid(s) => textbook(&p, s.radii(), 1.0, 1.0, [0.0; 2]) <= 1.0,
        Shape::Superellipsoid(s) => {
            textbook(&p, s.radii(), s.exponent_xy(), s.exponent_z(), [0.0; 2]) <= 1.0
        }
        Shape::Superovoid(s) => {
            assert!(s.is_convex());
            textbook(&p, s.radii(), s.exponent_xy(), s.exponent_z(), s.taper()) <= 1.0
        }
        // What a link had beside its meshes.
        Shape::Cuboid(s) => {
            let half = s.half_extents();
            (0..3).all(|k| p[k].abs() <= half[k])
        }
        Shape::Cylinder(s) => p.xy().norm() <= s.radius() && p.z.abs() <= s.half_length(),
        other => panic!("{} is never fitted", other.kind()),
    }
}

/// Asserts that points of every triangle, corners and edges among them, are in some surface.
pub fn assert_contained(name: &str, triangles: &[Triangle], surfaces: &[(Pose, &Shape)]) {
    const STEPS: usize = 6;
    for (number, [a, b, c]) in triangles.iter().enumerate() {
        for i in 0..=STEPS {
            for j in 0..=STEPS - i {
                let (u, v) = (i as f64 / STEPS as f64, j as f64 / STEPS as f64);
                let point = a * u + b * v + c * (1.0 - u - v);
                let inside = surfaces.iter().any(|(pose, shape)| is_inside(pose, shape, &point));
                assert!(inside, "{name}: triangle {number}: {point:?} is in no surface");
            }
        }
    }
}

/// The same of a fitted link.
pub fn assert_link_contained(fit: &LinkFit) {
    let surfaces: Vec<_> = fit.surfaces.iter().map(|s| (s.pose(), &s.shape)).collect();
    assert_contained(&fit.name, &fit.triangles, &surfaces);
}
