//! Newton–Raphson on four surface angles.
//!
//! Source: A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics* (MSc thesis, Instituto
//! Superior Técnico, 2015), §3.4. The unknowns are the azimuth and zenith angle of P on A and of Q on B [eq. 23]; both
//! points are on their surfaces by construction, so the four common-normal equations of [`super::common_normal`]
//! suffice. The first guess is a descent in two quadtrees over the angles [§3.4.1, table 7].
//!
//! Kept as described, with its weaknesses: the guess minimises the distance between surface points, so for bodies that
//! overlap it starts on the curve where they intersect; angles at multiples of π/2 are singular unless both exponents
//! are 1; the iteration has no safeguard and takes the farthest points for an answer when it arrives there.

use super::common_normal::{
    Pair, forward_differences, householder_tangent_rates, householder_tangents, newton_raphson,
};
use super::superquadric::Superquadric;
use super::{Answer, Unsupported};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

const NAME: &str = "parametric_newton";

/// Levels of the quadtrees in the first guess [Gonçalves 2015, §3.4.1]. Each level compares the four cells of A with
/// the four of B: 16 pairs.
const QUADTREE_LEVELS: u32 = 6;

/// How the 4×4 Jacobian of the common-normal equations is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jacobian {
    /// Forward differences, as in the thesis (§3.4).
    FiniteDifference,
    /// The chain rule, which the thesis proposes as future work (§7.2).
    Analytic,
}

/// Runs the solver cold. `converged` says that the last Newton step was below the tolerance, nothing more.
pub(super) fn solve(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    jacobian: Jacobian,
) -> Result<Answer, Unsupported> {
    let pair = Pair::new(Superquadric::of(a, NAME)?, pose_a, Superquadric::of(b, NAME)?, pose_b);
    let residuals = |angles: &[f64; 4]| residuals(&pair, angles);
    let (angles, run) =
        newton_raphson(quadtree_guess(&pair), residuals, |angles, phi| match jacobian {
            Jacobian::FiniteDifference => forward_differences(angles, phi, residuals),
            Jacobian::Analytic => analytic_jacobian(&pair, angles),
        });
    let (angles_p, angles_q) = split(&angles);
    let (p, q) = (pair.a.point(angles_p), pair.b.point(angles_q));
    Ok(pair.answer(pose_a, &p, &q, &pair.a.normal(angles_p), run))
}

fn split(angles: &[f64; 4]) -> ([f64; 2], [f64; 2]) {
    ([angles[0], angles[1]], [angles[2], angles[3]])
}

fn residuals(pair: &Pair, angles: &[f64; 4]) -> [f64; 4] {
    let (p, q) = split(angles);
    pair.residuals(&pair.a.point(p), &pair.a.normal(p), &pair.b.point(q), &pair.b.normal(q))
}

/// The derivatives of the residuals (n_P·t, n_P·b, PQ·t, PQ·b) by each angle, `[column][row]`: angles of A move P and
/// n_P, angles of B move Q and the tangents t, b at Q.
fn analytic_jacobian(pair: &Pair, angles: &[f64; 4]) -> [[f64; 4]; 4] {
    let (angles_p, angles_q) = split(angles);
    let (on_a, on_b) = (pair.a.jet(angles_p), pair.b.jet(angles_q));
    let (tangent, binormal) = householder_tangents(&on_b.normal);
    let (t, b) = (pair.rotation_ab * tangent, pair.rotation_ab * binormal);
    let gap = pair.in_a(&on_b.point) - on_a.point;
    let by_angle_of_a = |k: usize| {
        let (dn, dp) = (on_a.normal_rates[k], on_a.point_rates[k]);
        [dn.dot(&t), dn.dot(&b), -dp.dot(&t), -dp.dot(&b)]
    };
    let by_angle_of_b = |k: usize| {
        let (dt, db) = householder_tangent_rates(&on_b.normal, &on_b.normal_rates[k]);
        let (dt, db) = (pair.rotation_ab * dt, pair.rotation_ab * db);
        let dq = pair.rotation_ab * on_b.point_rates[k];
        let n = on_a.normal;
        [n.dot(&dt), n.dot(&db), dq.dot(&t) + gap.dot(&dt), dq.dot(&b) + gap.dot(&db)]
    };
    [by_angle_of_a(0), by_angle_of_a(1), by_angle_of_b(0), by_angle_of_b(1)]
}

/// A cell of a quadtree over azimuth and zenith angle: its centre and half its extent.
#[derive(Debug, Clone, Copy)]
struct Cell {
    centre: [f64; 2],
    half: [f64; 2],
}

impl Cell {
    /// All angles: azimuth in [−π, π], zenith angle in [−π/2, π/2].
    const ALL: Cell = Cell { centre: [0.0, 0.0], half: [PI, FRAC_PI_2] };

    fn quarters(&self) -> [Cell; 4] {
        let half = self.half.map(|extent| 0.5 * extent);
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(first, second)| Cell {
            centre: [self.centre[0] + first * half[0], self.centre[1] + second * half[1]],
            half,
        })
    }
}

/// The first guess [Gonçalves 2015, table 7]: at every level the pair of quarters whose centres are the nearest surface
/// points is kept. Greedy: a wrong choice at a coarse level is never revised.
fn quadtree_guess(pair: &Pair) -> [f64; 4] {
    let (mut cell_a, mut cell_b) = (Cell::ALL, Cell::ALL);
    for _ in 0..QUADTREE_LEVELS {
        let (quarters_a, quarters_b) = (cell_a.quarters(), cell_b.quarters());
        let points_a: [Vec3; 4] = quarters_a.map(|cell| pair.a.point(cell.centre));
        let points_b: [Vec3; 4] = quarters_b.map(|cell| pair.in_a(&pair.b.point(cell.centre)));
        let mut nearest = f64::INFINITY;
        for (quarter_a, point_a) in quarters_a.iter().zip(&points_a) {
            for (quarter_b, point_b) in quarters_b.iter().zip(&points_b) {
                let distance = (point_b - point_a).norm_squared();
                if distance < nearest {
                    (nearest, cell_a, cell_b) = (distance, *quarter_a, *quarter_b);
                }
            }
        }
    }
    [cell_a.centre[0], cell_a.centre[1], cell_b.centre[0], cell_b.centre[1]]
}

#[cfg(test)]
mod tests {
    use super::super::common_normal::reference::{Sequence, signed_distance};
    use super::*;
    use smooth_scene_geometry::{Ellipsoid, Sphere};

    const BOTH: [Jacobian; 2] = [Jacobian::FiniteDifference, Jacobian::Analytic];

    #[test]
    fn spheres_apart_have_their_closed_form() {
        let (a, b) = (Sphere::new(1.0).unwrap().into(), Sphere::new(0.5).unwrap().into());
        let direction = Vec3::new(-1.0, 2.0, 2.0) / 3.0;
        for jacobian in BOTH {
            let pose_b = Pose::new(direction * 4.0, Vec3::new(0.3, -0.2, 0.5));
            let answer = solve(&a, &Pose::identity(), &b, &pose_b, jacobian).unwrap();
            assert!(answer.converged && (answer.distance - 2.5).abs() < 1e-9, "{answer:?}");
            assert!((answer.normal_ab_w - direction).norm() < 1e-6);
            assert!((answer.point_a_w - direction).norm() < 1e-6);
        }
    }

    #[test]
    fn overlapping_spheres_end_at_one_of_the_four_common_normals_not_always_the_right_one() {
        // Centres 1.2 apart, radii 1 and 0.5: the depth is 0.3, the other pairs are 0.7, 1.7 and 2.7 apart.
        let (a, b) = (Sphere::new(1.0).unwrap().into(), Sphere::new(0.5).unwrap().into());
        let direction = Vec3::new(-1.0, 2.0, 2.0) / 3.0;
        let pose_b = Pose::new(direction * 1.2, Vec3::new(0.3, -0.2, 0.5));
        for jacobian in BOTH {
            let answer = solve(&a, &Pose::identity(), &b, &pose_b, jacobian).unwrap();
            assert!(answer.converged);
            assert!((answer.distance + 1.7).abs() < 1e-9, "{answer:?}");
        }
    }

    #[test]
    fn aligned_ellipsoids_meet_at_the_ends_of_their_axes() {
        let a = Ellipsoid::new([1.0, 2.0, 3.0]).unwrap().into();
        let b = Ellipsoid::new([0.5, 0.7, 0.9]).unwrap().into();
        for jacobian in BOTH {
            let pose_b = Pose::translation(0.0, 5.0, 0.0);
            let answer = solve(&a, &Pose::identity(), &b, &pose_b, jacobian).unwrap();
            assert!(answer.converged && (answer.distance - 2.3).abs() < 1e-9, "{answer:?}");
            assert!((answer.point_b_w - Vec3::new(0.0, 4.3, 0.0)).norm() < 1e-6);
        }
    }

    #[test]
    fn analytic_jacobian_agrees_with_finite_differences() {
        let mut sequence = Sequence(11);
        for _ in 0..20 {
            let [(a, pose_a), (b, pose_b)] = sequence.pair(0.3, 3.2);
            let surfaces = [&a, &b].map(|shape| Superquadric::of(shape, NAME).unwrap());
            let pair = Pair::new(surfaces[0], &pose_a, surfaces[1], &pose_b);
            for angles in [[0.4, 0.5, 2.3, -0.6], [-1.1, -0.8, -2.6, 0.3], [2.0, 1.1, 0.7, 1.0]] {
                let phi = residuals(&pair, &angles);
                let differences = forward_differences(&angles, &phi, |q| residuals(&pair, q));
                let analytic = analytic_jacobian(&pair, &angles);
                for (column, other) in analytic.iter().flatten().zip(differences.iter().flatten()) {
                    assert!((column - other).abs() < 1e-4 * (1.0 + column.abs()));
                }
            }
        }
    }

    #[test]
    fn mild_pairs_apart_agree_with_a_dense_search() {
        for taper in [0.0, 0.2] {
            let mut sequence = Sequence(23);
            let mut converged = [0; 2];
            for _ in 0..12 {
                let [(a, pose_a), (b, pose_b)] = sequence.pair(taper, 4.0);
                let truth = signed_distance(&a, &pose_a, &b, &pose_b);
                for (count, jacobian) in converged.iter_mut().zip(BOTH) {
                    let answer = solve(&a, &pose_a, &b, &pose_b, jacobian).unwrap();
                    if answer.converged {
                        *count += 1;
                        assert!((answer.distance - truth).abs() < 1e-8, "{answer:?} {truth}");
                    }
                }
            }
            assert!(converged.iter().all(|&count| count >= 11), "{converged:?} of 12");
        }
    }

    #[test]
    fn deep_overlap_often_fails_and_says_so_in_finite_numbers() {
        let mut sequence = Sequence(5);
        let mut failed = 0;
        for _ in 0..50 {
            let [(a, pose_a), (b, pose_b)] = sequence.pair(0.2, 0.3);
            for jacobian in BOTH {
                let answer = solve(&a, &pose_a, &b, &pose_b, jacobian).unwrap();
                failed += u32::from(!answer.converged);
                let fields = answer.point_a_w + answer.point_b_w;
                assert!(answer.distance.is_finite() && fields.iter().all(|x| x.is_finite()));
                assert!((answer.normal_ab_w.norm() - 1.0).abs() < 1e-12);
            }
        }
        assert!(failed > 10, "{failed} of 100");
    }

    #[test]
    fn concentric_spheres_leave_every_number_finite() {
        let shape = Sphere::new(1.0).unwrap().into();
        for jacobian in BOTH {
            let pose = Pose::translation(0.4, 0.0, 0.0);
            let answer = solve(&shape, &pose, &shape, &pose, jacobian).unwrap();
            assert!(answer.distance.is_finite());
            assert!((answer.normal_ab_w.norm() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_pose_that_is_not_finite_gives_finite_numbers_and_no_convergence() {
        let shape = Sphere::new(1.0).unwrap().into();
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            let pose = Pose::translation(bad, 0.0, 1.0);
            let answer =
                solve(&shape, &Pose::identity(), &shape, &pose, Jacobian::Analytic).unwrap();
            assert!(!answer.converged && answer.distance.is_finite(), "{answer:?}");
            let fields = answer.point_a_w + answer.point_b_w + answer.normal_ab_w;
            assert!(fields.iter().all(|x| x.is_finite()), "{answer:?}");
        }
    }
}
