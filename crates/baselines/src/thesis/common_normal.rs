//! The common-normal equations on two points, and on two pairs of angles.
//!
//! The condition on a point P of A and a point Q of B is that A's normal and the vector PQ are both perpendicular to the
//! tangent plane of B at Q [Gonçalves 2015, eq. 21]:
//!
//! ```text
//! n_P·t_Q = 0,    n_P·b_Q = 0,    PQ·t_Q = 0,    PQ·b_Q = 0
//! ```
//!
//! It is necessary, not sufficient: the farthest points satisfy it too, and nothing in the method tells them apart.
//! All vectors are in the frame of A; the equations do not depend on that choice.

use super::frame::{Side, tangent_rates, tangents};
use super::newton::System;
use crate::superquadric::Superquadric;
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::math::{Mat3, Vec3};

/// Two posed surfaces, B seen from A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surfaces {
    pub(super) a: Superquadric,
    pub(super) b: Superquadric,
    /// Boxes around them, each in the frame of its body.
    pub(super) boxes: [Aabb; 2],
    pub(super) rotation_ab: Mat3,
    pub(super) origin_ab: Vec3,
}

impl Surfaces {
    /// A point of B's frame in A's frame.
    pub(super) fn in_a(&self, point_b: &Vec3) -> Vec3 {
        self.rotation_ab * point_b + self.origin_ab
    }

    /// A point of A's frame in B's frame.
    pub(super) fn in_b(&self, point_a: &Vec3) -> Vec3 {
        self.rotation_ab.transpose() * (point_a - self.origin_ab)
    }

    /// The points at four angles, each in the frame of its body.
    pub(super) fn points(&self, [p1, p2, q1, q2]: [f64; 4]) -> [Vec3; 2] {
        [self.a.point([p1, p2]), self.b.point([q1, q2])]
    }

    /// The angles of two points, each in the frame of its body.
    pub(super) fn angles(&self, [p, q]: [Vec3; 2]) -> [f64; 4] {
        let ([p1, p2], [q1, q2]) = (self.a.angles(&p), self.b.angles(&q));
        [p1, p2, q1, q2]
    }

    /// The four residuals from P and n_P in A's frame, Q and n_Q in B's frame.
    fn residuals(
        &self,
        (p, normal_p): (Vec3, Vec3),
        (q, normal_q): (Vec3, Vec3),
        side: Side,
    ) -> [f64; 4] {
        let (tangent, binormal) = tangents(&normal_q, side);
        let (t, b) = (self.rotation_ab * tangent, self.rotation_ab * binormal);
        let gap = self.in_a(&q) - p;
        [normal_p.dot(&t), normal_p.dot(&b), gap.dot(&t), gap.dot(&b)]
    }
}

/// The coordinates of P and Q, each in the frame of its body [Gonçalves 2015, eq. 22], with F_A(P) = F_B(Q) = 0 as the last
/// two equations. Gradients are singular on the coordinate planes unless both exponents are 1.
pub(super) struct Implicit<'a>(pub(super) &'a Surfaces);

impl Implicit<'_> {
    pub(super) fn split(points: &[f64; 6]) -> [Vec3; 2] {
        let [a, b, c, d, e, f] = *points;
        [Vec3::new(a, b, c), Vec3::new(d, e, f)]
    }

    pub(super) fn joined([p, q]: [Vec3; 2]) -> [f64; 6] {
        [p.x, p.y, p.z, q.x, q.y, q.z]
    }
}

impl System<6> for Implicit<'_> {
    fn side(&self, points: &[f64; 6]) -> Side {
        Side::of(&self.0.b.implicit_normal(&Self::split(points)[1]))
    }

    fn residuals(&self, points: &[f64; 6], side: Side) -> [f64; 6] {
        let Surfaces { a, b, .. } = self.0;
        let [p, q] = Self::split(points);
        let on_a = (p, a.implicit_normal(&p));
        let on_b = (q, b.implicit_normal(&q));
        let [normal_t, normal_b, gap_t, gap_b] = self.0.residuals(on_a, on_b, side);
        [normal_t, normal_b, gap_t, gap_b, a.implicit(&p), b.implicit(&q)]
    }
}

/// The azimuth and zenith angle of P on A and of Q on B [Gonçalves 2015, eq. 23]: both points are on their surfaces by
/// construction. Angles at multiples of π/2 are singular unless both exponents are 1.
pub(super) struct Parametric<'a>(pub(super) &'a Surfaces);

impl System<4> for Parametric<'_> {
    fn side(&self, [_, _, q1, q2]: &[f64; 4]) -> Side {
        Side::of(&self.0.b.normal([*q1, *q2]))
    }

    fn residuals(&self, [p1, p2, q1, q2]: &[f64; 4], side: Side) -> [f64; 4] {
        let Surfaces { a, b, .. } = self.0;
        let (p, q) = ([*p1, *p2], [*q1, *q2]);
        self.0.residuals((a.point(p), a.normal(p)), (b.point(q), b.normal(q)), side)
    }
}

/// [`Parametric`] with the derivatives by the chain rule, which the thesis proposes as future work (§7.2).
pub(super) struct ParametricAnalytic<'a>(pub(super) &'a Surfaces);

impl System<4> for ParametricAnalytic<'_> {
    fn side(&self, angles: &[f64; 4]) -> Side {
        Parametric(self.0).side(angles)
    }

    fn residuals(&self, angles: &[f64; 4], side: Side) -> [f64; 4] {
        Parametric(self.0).residuals(angles, side)
    }

    /// Angles of A move P and n_P, angles of B move Q and the tangents t, b at Q.
    fn jacobian(&self, angles: &[f64; 4], _: &[f64; 4], side: Side) -> [[f64; 4]; 4] {
        let [p1, p2, q1, q2] = *angles;
        let (on_a, on_b) = (self.0.a.jet([p1, p2]), self.0.b.jet([q1, q2]));
        let turn = |v: Vec3| self.0.rotation_ab * v;
        let (tangent, binormal) = tangents(&on_b.normal, side);
        let (t, b) = (turn(tangent), turn(binormal));
        let gap = self.0.in_a(&on_b.point) - on_a.point;
        let by_angle_of_a = |k: usize| {
            let (dn, dp) = (on_a.normal_rates[k], on_a.point_rates[k]);
            [dn.dot(&t), dn.dot(&b), -dp.dot(&t), -dp.dot(&b)]
        };
        let by_angle_of_b = |k: usize| {
            let (dt, db) = tangent_rates(&on_b.normal, &on_b.normal_rates[k], side);
            let (dt, db, dq) = (turn(dt), turn(db), turn(on_b.point_rates[k]));
            let n = on_a.normal;
            [n.dot(&dt), n.dot(&db), dq.dot(&t) + gap.dot(&dt), dq.dot(&b) + gap.dot(&db)]
        };
        [by_angle_of_a(0), by_angle_of_a(1), by_angle_of_b(0), by_angle_of_b(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::newton::forward_differences;
    use super::super::tests::{Sequence, surfaces};
    use super::*;

    /// A forward difference with a step of 1e-6 is off by half a second derivative times that.
    #[test]
    fn the_analytic_jacobian_agrees_with_differences() {
        let mut sequence = Sequence(11);
        for _ in 0..20 {
            let pair = surfaces(&sequence.pair(0.3, 3.2));
            let system = ParametricAnalytic(&pair);
            for angles in [[0.4, 0.5, 2.3, -0.6], [-1.1, -0.8, -2.6, 0.3], [2.0, 1.1, 0.7, 1.0]] {
                let side = system.side(&angles);
                let phi = system.residuals(&angles, side);
                let differences = forward_differences(&angles, &phi, |q| system.residuals(q, side));
                let analytic = system.jacobian(&angles, &phi, side);
                for (column, other) in analytic.iter().flatten().zip(differences.iter().flatten()) {
                    assert!((column - other).abs() < 1e-4 * (1.0 + column.abs()));
                }
            }
        }
    }
}
