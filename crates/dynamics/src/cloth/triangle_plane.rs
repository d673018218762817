//! The search for a plane between a triangle and a convex body.

use crate::cloth::plane::{Kind, Plane, least_radius, newton_turn};
use crate::cloth::tuning::NEAR_ENOUGH;
use smooth_scene_geometry::SupportJet;
use smooth_scene_geometry::math::{Vec3, unit_or};

/// A triangle in front of a plane: where on it the body is nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrianglePlane {
    pub plane: Plane,
    pub kind: Kind,
    /// The least radius of curvature of the body where the plane touches it, m.
    pub radius: f64,
    /// Barycentric coordinates of the nearest point.
    pub weights: [f64; 3],
}

/// Looks for the plane with a triangle as far in front as a few rounds bring it, frame of the body.
///
/// With q the support point of the body along n and p the point of the triangle nearest to it, n becomes their direction
/// where p is inside the triangle (the normal of the triangle, then), and else that of Newton's method for p. The best n
/// is kept, and a plane that will do ends the search. As for a point, the user asks the support function.
#[derive(Debug, Clone)]
pub(crate) struct TriangleSearch {
    pub corners: [Vec3; 3],
    pub direction: Vec3,
    pub goes_on: bool,
    rounds: u32,
    best: Option<(f64, TrianglePlane)>,
}

impl TriangleSearch {
    pub fn new(corners: [Vec3; 3], start: Vec3, rounds: u32) -> Self {
        Self { corners, direction: start, goes_on: rounds > 0, rounds, best: None }
    }

    /// Takes what the support function says about the direction. `will_do` is told the plane, frame of the body, and the gap.
    pub fn take(&mut self, jet: SupportJet, will_do: impl Fn(&Plane, f64) -> bool) {
        let normal = self.direction;
        let weights = nearest_on_triangle(&self.corners, &jet.point);
        let point = weighted(&self.corners, &weights);
        let gap = lowest(&self.corners, &normal) - jet.value;
        let away = point - jet.point;
        let plane = Plane { normal, offset: jet.value };
        self.rounds -= 1;
        let is_near = gap >= (1.0 - NEAR_ENOUGH) * away.norm();
        let is_enough = !is_near && gap > 0.0 && will_do(&plane, gap);
        if is_enough || self.best.is_none_or(|best| gap > best.0) {
            let kind = if is_enough { Kind::Rough } else { Kind::Nearest };
            let radius = least_radius(&jet.hessian);
            self.best = Some((gap, TrianglePlane { plane, kind, radius, weights }));
        }
        self.goes_on = !is_near && !is_enough && self.rounds > 0;
        self.direction = match weights.iter().all(|&weight| weight > 0.0) {
            true => unit_or(&away, &normal),
            false => {
                let turn = newton_turn(&point, &normal, &jet, normal.dot(&away));
                unit_or(&(normal + turn), &normal)
            }
        };
    }

    /// The gap and the plane of the best direction, after the first answer.
    pub fn found(&self) -> (f64, TrianglePlane) {
        self.best.expect("a search ends after the first answer at the earliest")
    }
}

/// Barycentric coordinates of the corner with the least n·x.
pub(crate) fn nearest_corner(corners: &[Vec3; 3], normal: &Vec3) -> [f64; 3] {
    let lowest = lowest_corner(corners, normal);
    match corners.iter().position(|corner| *corner == lowest) {
        Some(0) => [1.0, 0.0, 0.0],
        Some(1) => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}

pub(crate) fn lowest_corner(corners: &[Vec3; 3], normal: &Vec3) -> Vec3 {
    let [a, b, c] = corners.map(|corner| normal.dot(&corner));
    if a <= b && a <= c {
        corners[0]
    } else if b <= c {
        corners[1]
    } else {
        corners[2]
    }
}

/// The least n·x over a triangle.
#[inline]
pub(crate) fn lowest(corners: &[Vec3; 3], normal: &Vec3) -> f64 {
    let [a, b, c] = corners.map(|corner| normal.dot(&corner));
    a.min(b).min(c)
}

#[inline]
pub(crate) fn weighted(corners: &[Vec3; 3], weights: &[f64; 3]) -> Vec3 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// Barycentric coordinates of the point of a triangle nearest to a point [Ericson 2005, §5.1.5].
pub(crate) fn nearest_on_triangle([a, b, c]: &[Vec3; 3], point: &Vec3) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_test_support::families::Rng;

    /// Against points all over the triangle.
    #[test]
    fn no_point_of_the_triangle_is_nearer() {
        let mut rng = Rng::new(3);
        let mut point = || Vec3::new(rng.unit(), rng.unit(), rng.unit());
        for _ in 0..200 {
            let (corners, q) = ([point(), point(), point()], point() * 2.0 - Vec3::repeat(0.5));
            let weights = nearest_on_triangle(&corners, &q);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let found = (weighted(&corners, &weights) - q).norm();
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (s, t) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    let other = weighted(&corners, &[1.0 - s - t, s, t]);
                    assert!(found <= (other - q).norm() + 1e-12);
                }
            }
        }
    }
}
