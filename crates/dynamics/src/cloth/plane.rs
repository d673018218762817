//! A half-space that holds all of a convex body: the contact of a point in front of it.
//!
//! With h the support function of a body K, every unit vector n gives such a half-space, and a point beyond it is outside:
//!
//! ```text
//! n·x ≥ h(n)   for some n   ⇔   x outside of K,    distance(x) = max over n of  n·x − h(n)
//! ```
//!
//! So a vertex is kept out of a body by keeping it in front of one plane, whatever its speed, and nothing has to converge
//! for this to be safe: a better n only comes nearer to the true distance.

use smooth_scene_geometry::math::{Mat3, Vec3, tangent_basis, unit_or};
use smooth_scene_geometry::{ConvexSurface, Shape, SupportJet};

/// A plane behind which a body is, frame as the user of it says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plane {
    /// Unit, away from the body.
    pub normal: Vec3,
    /// The body has n·x of at most this.
    pub offset: f64,
}

impl Plane {
    /// How far a point is in front of it.
    #[inline]
    pub fn gap(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// The plane that touches a body, in its frame.
pub(crate) fn touching(shape: &Shape, normal: Vec3) -> Plane {
    Plane { normal, offset: shape.support(&normal).value }
}

/// Relative difference of the gap and of the distance of the support point at which a plane counts as the nearest.
const NEAR_ENOUGH: f64 = 1e-4;
/// A step of Newton's method is shortened as if the point were at least this share of its distance from the support point away.
const LEAST_SHARE: f64 = 0.1;

/// A plane and whether it is known to be that of the nearest point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Improved {
    pub plane: Plane,
    pub is_nearest: bool,
}

/// Turns a plane towards that of the nearest point of a body, frame of the body.
///
/// f(n) = n·x − h(n) is maximised over unit vectors by Newton's method: with p = ∇h(n) the support point and H = ∇²h(n),
/// f has the gradient g = x − p without its part along n, and the Hessian −(H + f I) in the tangent plane [Absil 2008, §5.5].
/// Steps that do not increase f are halved three times and then given up; the best plane is returned, never a worse one than given. It ends
/// early with a gap that is enough.
pub(crate) fn improve(
    shape: &Shape,
    point: &Vec3,
    start: &Vec3,
    enough: f64,
    rounds: u32,
) -> Improved {
    let mut normal = *start;
    let mut jet = shape.support_jet(&normal);
    let mut gap = normal.dot(point) - jet.value;
    for _ in 0..rounds {
        if gap >= enough || is_near(point, &jet, gap) {
            break;
        }
        let Some((better, better_jet, better_gap)) = step(shape, point, &normal, &jet, gap) else {
            break;
        };
        (normal, jet, gap) = (better, better_jet, better_gap);
    }
    let plane = Plane { normal, offset: jet.value };
    Improved { plane, is_nearest: is_near(point, &jet, gap) }
}

fn is_near(point: &Vec3, jet: &SupportJet, gap: f64) -> bool {
    gap >= (1.0 - NEAR_ENOUGH) * (point - jet.point).norm()
}

/// One step that increases the gap, if there is one.
fn step(
    shape: &Shape,
    point: &Vec3,
    normal: &Vec3,
    jet: &SupportJet,
    gap: f64,
) -> Option<(Vec3, SupportJet, f64)> {
    let mut turn = newton_turn(point, normal, jet, gap);
    for _ in 0..4 {
        let better = unit_or(&(normal + turn), normal);
        let better_jet = shape.support_jet(&better);
        let better_gap = better.dot(point) - better_jet.value;
        if better_gap > gap {
            return Some((better, better_jet, better_gap));
        }
        turn *= 0.5;
    }
    None
}

/// The step (H + f I) δ = g in the tangent plane of the normal.
pub(crate) fn newton_turn(point: &Vec3, normal: &Vec3, jet: &SupportJet, gap: f64) -> Vec3 {
    let away = point - jet.point;
    let shift = gap.max(LEAST_SHARE * away.norm());
    let (u, v) = tangent_basis(normal);
    let of = |h: &Mat3, a: &Vec3, b: &Vec3| (h * a).dot(b);
    let (a, b) = (of(&jet.hessian, &u, &u) + shift, of(&jet.hessian, &u, &v));
    let c = of(&jet.hessian, &v, &v) + shift;
    let (gu, gv) = (away.dot(&u), away.dot(&v));
    let determinant = a * c - b * b;
    // Positive by more than rounding unless point and support point are one.
    if determinant <= 0.0 || determinant.is_nan() {
        return Vec3::zeros();
    }
    u * ((c * gu - b * gv) / determinant) + v * ((a * gv - b * gu) / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_query::{QueryOptions, point_distance};
    use smooth_scene_test_support::families::Rng;

    fn directions(count: usize) -> Vec<Vec3> {
        let mut rng = Rng::new(7);
        (0..count).map(|_| rng.direction()).collect()
    }

    /// Against the distance query, which shares no step with this file.
    #[test]
    fn the_gap_in_front_of_the_improved_plane_is_the_distance() {
        let shapes = [
            Shape::sphere(0.3).unwrap(),
            Shape::ellipsoid([0.1, 0.3, 0.5]).unwrap(),
            Shape::superellipsoid([0.2, 0.3, 0.4], 0.7, 1.2).unwrap(),
            Shape::superovoid([0.2, 0.3, 0.4], 0.8, 0.9, [0.2, -0.1]).unwrap(),
        ];
        for shape in &shapes {
            for dir in directions(200) {
                for reach in [0.002, 0.1, 1.0] {
                    let point = shape.support(&dir).point + dir * reach;
                    let start = unit_or(&point, &Vec3::z());
                    let found = improve(shape, &point, &start, f64::INFINITY, 30);
                    let options = QueryOptions::default();
                    let exact = point_distance(shape, &Pose::identity(), &point, &options);
                    let gap = found.plane.gap(&point);
                    assert!(gap <= exact.upper + 1e-12, "{gap} {exact:?}");
                    if found.is_nearest {
                        assert!(gap >= (1.0 - 2e-4) * exact.distance, "{shape:?} {gap} {exact:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn smooth_bodies_need_few_rounds() {
        let shape = Shape::superellipsoid([0.2, 0.3, 0.4], 0.7, 0.9).unwrap();
        let (mut near, mut all) = (0, 0);
        for dir in directions(500) {
            let point = shape.support(&dir).point + dir * 0.01;
            near += usize::from(
                improve(&shape, &point, &unit_or(&point, &dir), f64::INFINITY, 8).is_nearest,
            );
            all += 1;
        }
        assert!(near * 100 >= all * 95, "{near} of {all}");
    }
}
