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

use crate::cloth::tuning::{LEAST_SHARE, NEAR_ENOUGH};
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

/// What is known about a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// That of a box or a ball around the body.
    Coarse,
    /// It touches the body, but not at the nearest point; the vertex was in front of it.
    Rough,
    /// That of the nearest point, or as near to it as the search came.
    Nearest,
}

/// Turns a plane towards that of the nearest point of a body, frame of the body.
///
/// f(n) = n·x − h(n) is maximised over unit vectors by Newton's method: with p = ∇h(n) the support point and H = ∇²h(n),
/// f has the gradient g = x − p without its part along n, and the Hessian −(H + f I) in the tangent plane [Absil 2008, §5.5].
/// Steps that do not increase f are halved three times and then given up; the best plane is returned, never a worse one than given. It ends
/// early with a plane that will do.
///
/// The user asks the support function along `direction` and hands in what it says, so that several searches can share lanes.
#[derive(Debug, Clone)]
pub(crate) struct PointSearch {
    pub point: Vec3,
    pub direction: Vec3,
    pub goes_on: bool,
    best: Option<Best>,
    /// The last step, and how often it was halved.
    turn: Vec3,
    halved: u32,
    rounds: u32,
    /// Of the best plane, once it is good enough.
    kind: Option<Kind>,
}

#[derive(Debug, Clone)]
struct Best {
    normal: Vec3,
    jet: SupportJet,
    gap: f64,
}

/// The end of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Improved {
    pub plane: Plane,
    /// Rough when the plane will do, nearest when it is; none when the search stalled before.
    pub kind: Option<Kind>,
    /// The least radius of curvature of the body where the plane touches it, m.
    pub radius: f64,
}

impl PointSearch {
    pub fn new(point: Vec3, start: Vec3, rounds: u32) -> Self {
        let (turn, halved, kind) = (Vec3::zeros(), 0, None);
        Self { point, direction: start, goes_on: true, best: None, turn, halved, rounds, kind }
    }

    /// Takes what the support function says about the direction. `will_do` is told the plane, frame of the body, and the gap.
    pub fn take(&mut self, jet: SupportJet, will_do: impl Fn(&Plane, f64) -> bool) {
        let gap = self.direction.dot(&self.point) - jet.value;
        if let Some(best) = &self.best
            && gap <= best.gap
        {
            self.halved += 1;
            self.turn *= 0.5;
            self.direction = unit_or(&(best.normal + self.turn), &best.normal);
            self.goes_on = self.halved < 4;
            return;
        }
        let normal = self.direction;
        if is_near(&self.point, &jet, gap) {
            self.kind = Some(Kind::Nearest);
        } else if will_do(&Plane { normal, offset: jet.value }, gap) {
            self.kind = Some(Kind::Rough);
        }
        self.goes_on = self.kind.is_none() && self.rounds > 0;
        if self.goes_on {
            self.rounds -= 1;
            self.halved = 0;
            self.turn = newton_turn(&self.point, &normal, &jet, gap);
            self.direction = unit_or(&(normal + self.turn), &normal);
        }
        self.best = Some(Best { normal, jet, gap });
    }

    /// What was found, after the first answer.
    pub fn found(&self) -> Improved {
        let best =
            self.best.as_ref().expect("a search ends after the first answer at the earliest");
        let plane = Plane { normal: best.normal, offset: best.jet.value };
        Improved { plane, kind: self.kind, radius: least_radius(&best.jet.hessian) }
    }
}

fn is_near(point: &Vec3, jet: &SupportJet, gap: f64) -> bool {
    gap >= (1.0 - NEAR_ENOUGH) * (point - jet.point).norm()
}

/// The lesser of both radii of curvature: the eigenvalues that are not that of the normal, which is zero.
pub(crate) fn least_radius(hessian: &Mat3) -> f64 {
    let sum = hessian.trace();
    let product = 0.5 * (sum * sum - hessian.norm_squared());
    if sum <= 0.0 {
        return 0.0;
    }
    // The greater one first: the difference of nearly equal numbers would be rounding.
    let greater = 0.5 * (sum + (sum * sum - 4.0 * product).max(0.0).sqrt());
    (product / greater).max(0.0)
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

    fn improve(shape: &Shape, point: &Vec3, start: &Vec3, rounds: u32) -> Improved {
        let mut search = PointSearch::new(*point, *start, rounds);
        while search.goes_on {
            search.take(shape.support_jet(&search.direction), |_, _| false);
        }
        search.found()
    }

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
                    let found = improve(shape, &point, &start, 30);
                    let options = QueryOptions::default();
                    let exact = point_distance(shape, &Pose::identity(), &point, &options);
                    let gap = found.plane.gap(&point);
                    assert!(gap <= exact.upper + 1e-12, "{gap} {exact:?}");
                    if found.kind.is_some() {
                        assert!(
                            gap >= (1.0 - NEAR_ENOUGH) * exact.lower - 1e-12,
                            "{shape:?} {gap} {exact:?}"
                        );
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
            let start = unit_or(&point, &dir);
            near += usize::from(improve(&shape, &point, &start, 8).kind.is_some());
            all += 1;
        }
        assert!(near * 100 >= all * 95, "{near} of {all}");
    }
}
