//! A direction along which a convex set is farther from the origin than asked for, found by GJK.
//!
//! The set is given by its support points alone: the Minkowski difference of two bodies, or of all places of two bodies
//! that move. Nothing is measured to the end: the search stops as soon as the question is decided.

use crate::solve::separation::Separation;
use crate::solve::simplex::{Growth, Simplex};
use smooth_scene_geometry::math::Vec3;

/// Support points before the search gives up. Hulls of some hundred vertices need two to six.
const MAX_ROUNDS: u32 = 20;
/// Below this length of a point, m, its direction is noise.
const NO_DIRECTION: f64 = 1e-12;

/// What [`separating_direction`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Separating {
    /// Every point of the set is farther along the unit vector `normal` than asked for: `gap` or more, up to rounding.
    Found {
        /// The direction.
        normal: Vec3,
        /// How far.
        gap: f64,
    },
    /// There is none: a point of the set has this distance from the origin, which is no more than asked for. Zero when the
    /// origin is inside the set.
    None {
        /// The distance.
        upper: f64,
    },
    /// Neither was decided.
    Open,
}

/// Looks for a unit direction n with n·p > `needed` for all points p of a convex set.
///
/// `support` returns a point of the set with the least n·p for the unit direction it is given; `start` is the unit direction
/// that is tried first. The gap along every direction asked about is a lower bound on the distance of the set from the
/// origin, every point of the simplex an upper one; the search ends when one of them is on its side of `needed`, after 20
/// support points, or when rounding stops the simplex.
#[inline]
pub fn separating_direction(
    needed: f64,
    start: &Vec3,
    mut support: impl FnMut(&Vec3) -> Vec3,
) -> Separating {
    let vertex = |point: Vec3| Separation { value: 0.0, point_a: Vec3::zeros(), point_b: point };
    let mut point = support(start);
    let gap = start.dot(&point);
    if gap > needed {
        return Separating::Found { normal: *start, gap };
    }
    let mut simplex = Simplex::new(&vertex(point));
    for _ in 1..MAX_ROUNDS {
        let upper = simplex.nearest().norm();
        if upper <= needed {
            return Separating::None { upper };
        }
        if upper <= NO_DIRECTION {
            return Separating::Open;
        }
        let normal = simplex.direction();
        point = support(&normal);
        let gap = normal.dot(&point);
        if gap > needed {
            return Separating::Found { normal, gap };
        }
        match simplex.add(&vertex(point)) {
            Growth::Closer => {}
            Growth::EnclosesOrigin => return Separating::None { upper: 0.0 },
            Growth::Stalled => return Separating::Open,
        }
    }
    Separating::Open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::options::QueryOptions;
    use crate::api::pair_query::distance;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::testing::uniform_numbers;
    use smooth_scene_geometry::{ConvexSurface, Shape};

    /// Every decided answer is that of the distance query, and nearly all are decided.
    #[test]
    fn decided_answers_are_those_of_the_distance() {
        let mut uniform = uniform_numbers(11);
        let cloud: Vec<Vec3> = (0..80)
            .map(|_| Vec3::new(uniform(), uniform(), uniform()) - Vec3::repeat(0.5))
            .collect();
        let shapes = [
            Shape::convex_mesh(&cloud).unwrap(),
            Shape::cuboid([0.2, 0.4, 0.3]).unwrap(),
            Shape::superellipsoid([0.3, 0.2, 0.5], 0.4, 1.2).unwrap(),
            Shape::cylinder(0.3, 0.2).unwrap(),
        ];
        let (mut found, mut none, mut open) = (0, 0, 0);
        for round in 0..2000 {
            let mut number = |size: f64| size * (2.0 * uniform() - 1.0);
            let turn = Vec3::new(number(3.0), number(3.0), number(3.0));
            let at = Vec3::new(number(1.0), number(1.0), number(1.0));
            let (pose_b, needed) = (Pose::new(at, turn), 0.05 * number(1.0).abs());
            let (a, b) = (&shapes[round % 4], &shapes[(round / 4) % 4]);
            let support = |normal: &Vec3| {
                let dir_b = pose_b.rotation.inverse_transform_vector(&-normal);
                let point_b = pose_b * nalgebra::Point3::from(b.support(&dir_b).point);
                point_b.coords - a.support(normal).point
            };
            let exact = distance(a, &Pose::identity(), b, &pose_b, &QueryOptions::default());
            match separating_direction(needed, &at.normalize(), support) {
                Separating::Found { normal, gap } => {
                    assert!((normal.norm() - 1.0).abs() < 1e-12);
                    assert!(gap > needed && gap <= exact.upper + 1e-9, "{gap} {exact:?}");
                    found += 1;
                }
                Separating::None { upper } => {
                    assert!(upper <= needed && exact.lower <= upper + 1e-9, "{upper} {exact:?}");
                    none += 1;
                }
                Separating::Open => open += 1,
            }
        }
        assert!(found > 300 && none > 300 && open < 20, "{found} {none} {open}");
    }
}
