//! The distance of a point from a convex body, by GJK on its support function.

use super::surface::ConvexSurface;
use crate::math::{Mat3, Vec3};

/// Relative duality gap at which the distance counts as found.
const GAP_TOLERANCE: f64 = 1e-14;
/// GJK converges linearly at worst, on strongly curved surfaces within 20 steps; this is a stop for rounding cycles.
const MAX_STEPS: usize = 200;

/// A few corners of the body, relative to the query point, and the point of their hull nearest to the origin.
struct Simplex {
    corners: [Vec3; 4],
    count: usize,
    nearest: Vec3,
}

/// Distance of `point` from the body, zero inside it.
///
/// With v a point of K − p and n = −v/|v|, every step [Gilbert 1988] gives both bounds on the distance:
///
/// ```text
/// max over unit n of  n·p − h(n) = distance,    so    −n·w ≤ distance ≤ |v|,    w = ∇h(−v) − p
/// ```
///
/// It stops when they agree to [`GAP_TOLERANCE`], or when rounding prevents further progress, and returns the lower
/// bound, which is what decides on which side of an offset surface the point lies.
pub(crate) fn distance_to_point(surface: &impl ConvexSurface, point: &Vec3) -> f64 {
    let size = surface.bounding_radius();
    let first = surface.support(&unit_towards(point)).point - point;
    let mut simplex = Simplex { corners: [first; 4], count: 1, nearest: first };
    let mut lower: f64 = 0.0;
    for _ in 0..MAX_STEPS {
        let upper = simplex.nearest.norm();
        if upper <= 1e-15 * size {
            return 0.0;
        }
        let dir = -simplex.nearest / upper;
        let corner = surface.support(&dir).point - point;
        lower = lower.max(-corner.dot(&dir));
        if upper - lower <= GAP_TOLERANCE * (upper + size) || !simplex.absorb(&corner) {
            break;
        }
    }
    lower
}

/// A first direction; any will do.
fn unit_towards(point: &Vec3) -> Vec3 {
    crate::math::unit_or(point, &Vec3::x())
}

impl Simplex {
    /// Adds a corner and reduces the simplex to the face nearest to the origin. `false` when that is no nearer than
    /// before: the limit of the arithmetic.
    ///
    /// The nearest face contains the new corner, so only the subsets of the old corners have to be tried: eight at most.
    fn absorb(&mut self, corner: &Vec3) -> bool {
        let old = self.corners;
        let mut best = (self.nearest.norm_squared(), None);
        for subset in 0..1usize << self.count.min(3) {
            let mut face = [*corner; 4];
            let mut count = 1;
            for (k, vertex) in old.iter().enumerate().take(3) {
                if subset >> k & 1 == 1 {
                    face[count] = *vertex;
                    count += 1;
                }
            }
            if let Some(nearest) = nearest_inside(&face[..count])
                && nearest.norm_squared() < best.0
            {
                best = (nearest.norm_squared(), Some((face, count, nearest)));
            }
        }
        let Some((corners, count, nearest)) = best.1 else { return false };
        *self = Simplex { corners, count, nearest };
        true
    }
}

/// The foot of the origin on the affine hull of the corners, if it lies in their convex hull. With four corners, which
/// span space, the foot is the origin itself.
fn nearest_inside(corners: &[Vec3]) -> Option<Vec3> {
    let base = corners[0];
    let edge = |k: usize| corners.get(k).map_or(Vec3::zeros(), |c| c - base);
    let (e1, e2, e3) = (edge(1), edge(2), edge(3));
    match corners.len() {
        1 => Some(base),
        2 => {
            let t = -base.dot(&e1) / e1.norm_squared();
            (t > 0.0 && t < 1.0).then(|| base + e1 * t)
        }
        3 => {
            let normal = e1.cross(&e2);
            let area = normal.norm_squared();
            let s = -base.cross(&e2).dot(&normal) / area;
            let t = -e1.cross(&base).dot(&normal) / area;
            // The foot as a multiple of the normal: as accurate as the distance itself.
            (s > 0.0 && t > 0.0 && s + t < 1.0).then(|| normal * (base.dot(&normal) / area))
        }
        _ => {
            let weights = Mat3::from_columns(&[e1, e2, e3]).try_inverse()? * -base;
            (weights.min() > 0.0 && weights.sum() < 1.0).then(Vec3::zeros)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cuboid, Ellipsoid, Sphere, Superellipsoid, testing::directions};
    use super::*;

    #[test]
    fn distance_of_a_sphere_and_a_box_is_the_closed_form() {
        let (ball, cuboid) = (Sphere::new(0.7).unwrap(), Cuboid::new([0.5, 1.0, 1.5]).unwrap());
        for dir in directions(300) {
            for reach in [0.1, 1.3, 2.0, 40.0] {
                let p = dir * reach;
                let error = distance_to_point(&ball, &p) - (reach - 0.7).max(0.0);
                assert!(error.abs() < 1e-13 * (1.0 + reach), "{error}");
                let outside = (p.abs() - Vec3::new(0.5, 1.0, 1.5)).sup(&Vec3::zeros()).norm();
                let error = distance_to_point(&cuboid, &p) - outside;
                assert!(error.abs() < 1e-13 * (1.0 + reach), "{error}");
            }
        }
    }

    #[test]
    fn a_point_on_a_normal_is_as_far_as_it_was_moved() {
        let ellipsoid = Ellipsoid::new([0.3, 1.0, 4.0]).unwrap();
        let boxy = Superellipsoid::new([0.3, 1.0, 2.0], 0.2, 0.3).unwrap();
        for dir in directions(300) {
            for step in [1e-3, 0.2, 3.0] {
                let p = ellipsoid.support(&dir).point + dir * step;
                assert!((distance_to_point(&ellipsoid, &p) - step).abs() < 1e-11);
                let p = boxy.support(&dir).point + dir * step;
                let found = distance_to_point(&boxy, &p);
                assert!((found - step).abs() < 1e-10, "{found} {step} {dir:?}");
            }
        }
    }
}
