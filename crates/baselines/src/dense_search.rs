//! The reference the baselines are tested against: the signed distance by brute force, and random pairs to try it on.

use crate::Solver;
use nalgebra::{Translation3, UnitQuaternion};
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{
    ConvexSurface, Ellipsoid, PolyEllipsoid, Shape, Sphere, Superellipsoid, Superovoid,
};

/// The largest f(n) = n·d − h_A(n) − h_B(−n) over unit n, which is the signed distance, with its n, world frame.
///
/// A spiral of directions, then a compass search in the tangent plane from each of the best.
pub(super) fn signed_distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> (f64, Vec3) {
    const DIRECTIONS: usize = 3000;
    const STARTS: usize = 24;
    const MAX_MOVES: usize = 2000;
    let d = pose_b.translation.vector - pose_a.translation.vector;
    let f = |n: &Vec3| {
        let support_a = a.support(&pose_a.inverse_transform_vector(n)).value;
        let support_b = b.support(&pose_b.inverse_transform_vector(&-n)).value;
        n.dot(&d) - support_a - support_b
    };
    let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut samples: Vec<(f64, Vec3)> = (0..DIRECTIONS)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / DIRECTIONS as f64;
            let (sin, cos) = (golden_angle * k as f64).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            let n = Vec3::new(rho * cos, rho * sin, z);
            (f(&n), n)
        })
        .collect();
    samples.sort_by(|p, q| q.0.total_cmp(&p.0));
    let refined = samples[..STARTS].iter().map(|&(mut value, mut n)| {
        let mut step = 0.05;
        let mut moves = 0;
        // The limit on moves matters on ridges only, where the search creeps: bodies with flat faces or sharp edges.
        while step > 1e-9 && moves < MAX_MOVES {
            moves += 1;
            let (u, v) = tangent_basis(&n);
            let tries = [u, v, -u, -v, u + v, u - v, -u - v, v - u];
            let next = tries
                .map(|t| {
                    let n = (n + step * t).normalize();
                    (f(&n), n)
                })
                .into_iter()
                .fold((value, n), |best, next| if next.0 > best.0 { next } else { best });
            if next.0 > value {
                (value, n) = next;
            } else {
                step *= 0.5;
            }
        }
        (value, n)
    });
    refined.fold(
        (f64::NEG_INFINITY, Vec3::x()),
        |best, next| if next.0 > best.0 { next } else { best },
    )
}

/// A small generator of reproducible numbers (SplitMix64).
pub(super) struct Random(pub u64);

impl Random {
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    /// A superellipsoid that is neither boxy, pointed nor thin.
    pub fn mild_superellipsoid(&mut self) -> Shape {
        let radii = [0.0; 3].map(|_| self.between(0.6, 1.4));
        let (xy, z) = (self.between(0.6, 1.4), self.between(0.6, 1.4));
        Superellipsoid::new(radii, xy, z).unwrap().into()
    }

    /// A convex superovoid of the same kind.
    pub fn mild_superovoid(&mut self) -> Shape {
        let radii = [0.0; 3].map(|_| self.between(0.6, 1.4));
        let (xy, z) = (self.between(0.8, 1.2), self.between(0.8, 1.2));
        let taper = self.between(-0.15, 0.15);
        Superovoid::new_convex(radii, xy, z, [taper, taper]).unwrap().into()
    }

    /// A poly-ellipsoid of the same kind.
    pub fn mild_poly_ellipsoid(&mut self) -> Shape {
        PolyEllipsoid::new([0.0; 6].map(|_| self.between(0.6, 1.4))).unwrap().into()
    }

    pub fn pose(&mut self, distance: f64) -> Pose {
        let rotation = UnitQuaternion::from_scaled_axis(3.0 * self.vector());
        Pose::from_parts(Translation3::from(distance * self.vector().normalize()), rotation)
    }
}

/// Centre distance that puts mild bodies apart.
pub(super) const APART: f64 = 4.0;
/// Centre distance that makes mild bodies overlap.
pub(super) const OVERLAPPING: f64 = 0.9;

/// The solvers of [Ruan 2022] take the gradient of a surface, which a taper leaves without closed form.
fn handles_superovoids(solver: Solver) -> bool {
    !matches!(
        solver,
        Solver::CfcFixedPoint
            | Solver::PortalInteriorPoint
            | Solver::PortalSqp
            | Solver::CfcLeastSquares
            | Solver::CfcDistance
            | Solver::CommonNormalLeastSquares
    )
}

/// How often a solver was right on random mild pairs, half of them superellipsoids and half superovoids or, where it
/// does not handle those, superellipsoids only.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Pairs on which the solver's own stopping test failed.
    pub unconverged: usize,
    /// Converged pairs with a signed distance farther than [`Tally::TOLERANCE`] from the dense search.
    pub wrong: usize,
    /// The largest error among the rest.
    pub worst: f64,
    /// Mean iterations.
    pub iterations: f64,
}

impl Tally {
    /// Error of a signed distance that counts as wrong, in metres; the mild bodies are about a metre in radius.
    pub const TOLERANCE: f64 = 1e-7;

    pub fn of(solver: Solver, centre_distance: f64, pairs: usize) -> Self {
        let mut random = Random(2022);
        let mut tally = Tally::default();
        for k in 0..pairs {
            let mut shape = || match (k % 2, solver) {
                (0, _) => random.mild_superellipsoid(),
                (_, solver) if !handles_superovoids(solver) => random.mild_superellipsoid(),
                _ => random.mild_superovoid(),
            };
            let (a, b) = (shape(), shape());
            let pose_a = random.pose(3.0);
            let pose_b = pose_a * random.pose(centre_distance);
            let expected = signed_distance(&a, &pose_a, &b, &pose_b).0;
            let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.distance.is_finite() && answer.point_a_w.norm().is_finite());
            assert!((answer.normal_ab_w.norm() - 1.0).abs() < 1e-12);
            let error = (answer.distance - expected).abs();
            tally.iterations += f64::from(answer.iterations) / pairs as f64;
            if !answer.converged {
                tally.unconverged += 1;
            } else if error > Self::TOLERANCE {
                tally.wrong += 1;
            } else {
                tally.worst = tally.worst.max(error);
            }
        }
        tally
    }
}

/// Checks that solvers agree with the dense search on poly-ellipsoids and ellipsoids that are apart.
pub(super) fn assert_right_on_poly_ellipsoids_apart(solvers: &[Solver]) {
    let mut random = Random(24);
    for k in 0..12 {
        let a = random.mild_poly_ellipsoid();
        let b = if k % 2 == 0 {
            random.mild_poly_ellipsoid()
        } else {
            ellipsoid([0.7, 1.3, 1.0], [0.0; 3]).0
        };
        let (pose_a, pose_b) = (random.pose(0.1), random.pose(APART));
        let expected = signed_distance(&a, &pose_a, &b, &pose_b).0;
        for solver in solvers {
            let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
            let error = (answer.distance - expected).abs();
            assert!(answer.converged && error < Tally::TOLERANCE, "{solver:?} {k}: {error:e}");
        }
    }
}

/// Checks solvers on pairs apart whose distance and points are known: balls, and ellipsoids on a common axis. The distance
/// is second-order in the error of the normal, which every stopping test here keeps below 1e-8.
pub(super) fn assert_closed_forms(solvers: &[Solver]) {
    let on_axis = Vec3::new(2.0, 2.0, 1.0) / 3.0;
    let balls = [sphere(1.0, [7.0; 3]), sphere(0.5, [9.0, 9.0, 8.0])];
    let aligned =
        [ellipsoid([1.0, 2.0, 3.0], [0.0; 3]), ellipsoid([1.5, 0.5, 2.5], [0.0, -4.0, 0.0])];
    let cases =
        [(balls, on_axis, Vec3::repeat(7.0) + on_axis), (aligned, -Vec3::y(), -2.0 * Vec3::y())];
    for ([(a, pose_a), (b, pose_b)], normal, point_a) in &cases {
        for solver in solvers {
            let answer = solver.solve(a, pose_a, b, pose_b).unwrap();
            assert!(answer.converged, "{solver:?} {answer:?}");
            assert!((answer.distance - 1.5).abs() < 1e-12, "{solver:?} {answer:?}");
            assert!((answer.normal_ab_w - normal).norm() < 1e-8, "{solver:?} {answer:?}");
            assert!((answer.point_a_w - point_a).norm() < 1e-8, "{solver:?} {answer:?}");
        }
    }
}

/// A sphere at a position.
pub(super) fn sphere(radius: f64, at: [f64; 3]) -> (Shape, Pose) {
    (Sphere::new(radius).unwrap().into(), Pose::translation(at[0], at[1], at[2]))
}

/// An ellipsoid at a position, axes parallel to the world's.
pub(super) fn ellipsoid(radii: [f64; 3], at: [f64; 3]) -> (Shape, Pose) {
    (Ellipsoid::new(radii).unwrap().into(), Pose::translation(at[0], at[1], at[2]))
}

#[test]
fn dense_search_reproduces_the_distance_and_the_depth_of_spheres() {
    for (x, expected) in [(3.0, 1.25), (0.5, -1.25)] {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.75, [0.0, x, 0.0]));
        let (distance, normal) = signed_distance(&a, &pose_a, &b, &pose_b);
        assert!((distance - expected).abs() < 1e-12 && (normal - Vec3::y()).norm() < 1e-6);
    }
}
