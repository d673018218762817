//! Checks that every surface has to pass, shared by the unit tests of the shape files.

use super::surface::ConvexSurface;
use crate::math::{Vec3, tangent_basis};

/// Uniform numbers in [0, 1) from a linear congruential generator: the same in every run.
pub fn uniform_numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Unit vectors spread evenly over the sphere (a Fibonacci lattice), none along a diagonal or, for an even count, in the xy plane.
pub fn directions(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
            let (s, c) = (golden * k as f64 + 0.123).sin_cos();
            Vec3::new(c * (1.0 - z * z).sqrt(), s * (1.0 - z * z).sqrt(), z).normalize()
        })
        .collect()
}

/// The axes, the face and space diagonals: where edges, faces and branches of the code are.
pub fn special_directions() -> Vec<Vec3> {
    let steps = [-1.0, 0.0, 1.0];
    let mut all = Vec::new();
    for x in steps {
        for y in steps {
            for z in steps {
                if (x, y, z) != (0.0, 0.0, 0.0) {
                    all.push(Vec3::new(x, y, z).normalize());
                }
            }
        }
    }
    all
}

/// The facts every support function satisfies: the point has the value, lies on the surface, and no other support point
/// is higher; h is homogeneous; inside and outside have their signs; the bounding volumes contain the points.
pub fn check_surface(surface: &impl ConvexSurface) {
    let mut dirs = directions(300);
    dirs.extend(special_directions());
    let points: Vec<Vec3> = dirs.iter().map(|d| surface.support(d).point).collect();
    let size = surface.bounding_radius();
    let aabb = surface.local_aabb().inflated(1e-12 * size);
    let sphere = surface.bounding_sphere();
    let inner = points.iter().sum::<Vec3>() / points.len() as f64;
    assert!(surface.inside_outside(&inner) < 0.0);
    for (dir, point) in dirs.iter().zip(&points) {
        let (support, jet) = (surface.support(dir), surface.support_jet(dir));
        assert!((support.value - point.dot(dir)).abs() < 1e-13 * size, "{dir:?}");
        assert!((support.value - jet.value).abs() < 1e-13 * size);
        assert!((support.point - jet.point).norm() < 1e-12 * size);
        assert!((surface.support(&(dir * 3.0)).value - 3.0 * support.value).abs() < 1e-12 * size);
        let highest = points.iter().map(|p| p.dot(dir)).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest <= support.value + 1e-13 * size);
        assert!(surface.inside_outside(point).abs() < 1e-11, "{dir:?}");
        assert!(surface.inside_outside(&(point + dir * (1e-3 * size))) > 0.0);
        assert!(surface.inside_outside(&(point + (inner - point) * 1e-3)) < 0.0);
        assert!(aabb.contains(point) && point.norm() <= size * (1.0 + 1e-14));
        assert!((point - sphere.center).norm() <= sphere.radius * (1.0 + 1e-14));
        assert!(jet.hessian.iter().all(|x| x.is_finite()));
        assert!((jet.hessian * dir).norm() <= 1e-11 * jet.hessian.norm());
    }
}

/// [`check_surface`], and the Hessian is the derivative of the support point in generic directions.
pub fn check_smooth_surface(surface: &impl ConvexSurface) {
    check_surface(surface);
    for dir in directions(98) {
        let hessian = surface.support_jet(&dir).hessian;
        for k in 0..3 {
            let mut step = Vec3::zeros();
            step[k] = 1e-6;
            let ahead = surface.support(&(dir + step)).point;
            let behind = surface.support(&(dir - step)).point;
            let error = ((ahead - behind) / 2e-6 - hessian.column(k)).norm();
            let allowed = 1e-5 * hessian.norm() + 1e-7 * surface.bounding_radius();
            assert!(error < allowed, "{dir:?} {error}");
        }
    }
}

/// The smallest principal radius of curvature over a dense sample of directions.
pub fn smallest_sampled_radius(surface: &impl ConvexSurface) -> f64 {
    let mut dirs = directions(20_000);
    dirs.extend(special_directions());
    let mut smallest = f64::INFINITY;
    for dir in dirs {
        let hessian = surface.support_jet(&dir).hessian;
        let (u, v) = tangent_basis(&dir);
        let (a, b, c) = (u.dot(&(hessian * u)), u.dot(&(hessian * v)), v.dot(&(hessian * v)));
        let middle = 0.5 * (a + c);
        let spread = (0.25 * (a - c) * (a - c) + b * b).sqrt();
        // det/larger: the smaller eigenvalue without cancellation.
        smallest = smallest.min((a * c - b * b) / (middle + spread));
    }
    smallest
}
