use super::*;
use crate::dense_search::{ellipsoid, signed_distance, sphere};
use crate::{Answer, Previous, Solver};
use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Shape, Superovoid};

const IMPLICIT: [Solver; 3] =
    [Solver::ImplicitNewton, Solver::ImplicitNewtonQuadtree, Solver::ImplicitNewtonSuperovoid];
const PARAMETRIC: [Solver; 4] = [
    Solver::ParametricNewton,
    Solver::ParametricNewtonAnalytic,
    Solver::ParametricNewtonOctree,
    Solver::ParametricNewtonSuperovoid,
];

fn all() -> impl Iterator<Item = Solver> {
    IMPLICIT.into_iter().chain(PARAMETRIC)
}

/// A reproducible sequence of numbers in [0, 1): the 64-bit linear congruential generator of Knuth (MMIX).
pub(super) struct Sequence(pub(super) u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A mildly shaped superellipsoid or, with taper above 0, superovoid of about one metre.
    fn shape(&mut self, taper: f64) -> Shape {
        let radii = [0; 3].map(|_| self.between(0.6, 1.4));
        let (exy, ez) = (self.between(0.7, 1.3), self.between(0.7, 1.3));
        let taper = [0; 2].map(|_| self.between(-1.0, 1.0) * taper);
        Superovoid::new(radii, exy, ez, taper).unwrap().into()
    }

    fn pose(&mut self, distance: f64) -> Pose {
        let [x, y, z, u, v, w] = [0; 6].map(|_| self.between(-1.0, 1.0));
        let direction = unit_or(&Vec3::new(x, y, z), &Vec3::z());
        Pose::new(direction * distance, Vec3::new(u, v, w) * 2.0)
    }

    /// A pair whose centres are `distance` apart.
    pub(super) fn pair(&mut self, taper: f64, distance: f64) -> [(Shape, Pose); 2] {
        [(self.shape(taper), self.pose(0.0)), (self.shape(taper), self.pose(distance))]
    }
}

/// Two bodies as the solvers see them.
pub(super) fn surfaces([(a, pose_a), (b, pose_b)]: &[(Shape, Pose); 2]) -> Surfaces {
    let pose_ab = pose_a.inv_mul(pose_b);
    let of = |shape| Superquadric::of(shape, Form::Simplest, "test").unwrap();
    Surfaces {
        a: of(a),
        b: of(b),
        boxes: [a.local_aabb(), b.local_aabb()],
        rotation_ab: pose_ab.rotation.to_rotation_matrix().into_inner(),
        origin_ab: pose_ab.translation.vector,
    }
}

fn assert_finite(answer: &Answer) {
    let fields = answer.point_a_w + answer.point_b_w;
    assert!(answer.distance.is_finite() && fields.iter().all(|x| x.is_finite()), "{answer:?}");
    assert!((answer.normal_ab_w.norm() - 1.0).abs() < 1e-12, "{answer:?}");
}

/// The last step is below 1e-6, and Newton–Raphson squares what is left; the distance is off by the square of that again.
#[test]
fn spheres_apart_have_their_closed_form_in_every_direction() {
    let ((a, pose_a), (b, _)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.0; 3]));
    let directions = [
        Vec3::new(-1.0, 2.0, 2.0) / 3.0,
        // Where B's normal is the one the tangents of the thesis do not exist for, and its opposite.
        Vec3::x(),
        -Vec3::x(),
    ];
    for direction in directions {
        for turn in [Vec3::new(0.3, -0.2, 0.5), Vec3::zeros()] {
            let pose_b = Pose::new(direction * 4.0, turn);
            for solver in all() {
                let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                assert!(answer.converged, "{solver:?} {direction} {answer:?}");
                assert!((answer.distance - 2.5).abs() < 1e-9, "{solver:?} {direction} {answer:?}");
                assert!((answer.normal_ab_w - direction).norm() < 1e-6, "{solver:?} {answer:?}");
                assert!((answer.point_a_w - direction).norm() < 1e-6, "{solver:?} {answer:?}");
            }
        }
    }
}

/// The leaves under the top of A are equally high, so the first guess of the octree may be on the wrong one. The restart
/// and the fallback mend that.
#[test]
fn aligned_ellipsoids_meet_at_the_ends_of_their_axes() {
    let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [0.0; 3]);
    let (b, pose_b) = ellipsoid([0.5, 0.7, 0.9], [0.0, 5.0, 0.0]);
    for solver in all() {
        let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 2.3).abs() < 1e-9, "{solver:?} {answer:?}");
        assert!((answer.point_b_w - Vec3::new(0.0, 4.3, 0.0)).norm() < 1e-6, "{solver:?}");
    }
}

/// How many of some pairs a solver answers with the distance, and how many with something else as converged.
fn tally(solver: Solver, pairs: &[([(Shape, Pose); 2], f64)]) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for ([(a, pose_a), (b, pose_b)], truth) in pairs {
        let answer = solver.solve(a, pose_a, b, pose_b).unwrap();
        assert_finite(&answer);
        let is_right = (answer.distance - truth).abs() < 1e-8;
        right += usize::from(answer.converged && is_right);
        wrong += usize::from(answer.converged && !is_right);
    }
    (right, wrong)
}

fn pairs(seed: u64, taper: f64, distance: f64, count: usize) -> Vec<([(Shape, Pose); 2], f64)> {
    let mut sequence = Sequence(seed);
    let with_truth = |[(a, pose_a), (b, pose_b)]: [(Shape, Pose); 2]| {
        let (truth, _) = signed_distance(&a, &pose_a, &b, &pose_b);
        ([(a, pose_a), (b, pose_b)], truth)
    };
    (0..count).map(|_| with_truth(sequence.pair(taper, distance))).collect()
}

#[test]
fn mild_pairs_apart_agree_with_a_dense_search() {
    for taper in [0.0, 0.2] {
        let pairs = pairs(23, taper, 4.0, 12);
        for solver in all() {
            let (right, wrong) = tally(solver, &pairs);
            // The angles of a point of a cell are too far off for some: they end at other common normals.
            let may_be_wrong = if solver == Solver::ParametricNewtonOctree { 4 } else { 0 };
            assert!(wrong <= may_be_wrong, "{solver:?}: {wrong} of 12 wrong");
            assert!(right >= 11 - wrong, "{solver:?}: {right} of 12 right");
        }
    }
}

/// The solvers find a common normal of bodies that overlap, most of the time not that of the depth.
#[test]
fn deep_overlap_ends_at_any_common_normal() {
    let pairs = pairs(5, 0.2, 0.3, 50);
    for solver in all() {
        let (right, wrong) = tally(solver, &pairs);
        println!("{solver:?}: {right} right, {wrong} wrong, {} not converged", 50 - right - wrong);
        assert!(right < 25, "{solver:?}: {right} of 50 right");
    }
}

#[test]
fn the_same_start_leads_both_solvers_to_the_same_points() {
    let mut sequence = Sequence(29);
    for _ in 0..12 {
        let [(a, pose_a), (b, pose_b)] = sequence.pair(0.0, 4.0);
        let [implicit, parametric] = [Solver::ImplicitNewtonQuadtree, Solver::ParametricNewton]
            .map(|solver| solver.solve(&a, &pose_a, &b, &pose_b).unwrap());
        if implicit.converged && parametric.converged {
            assert!((implicit.distance - parametric.distance).abs() < 1e-8);
            assert!((implicit.point_a_w - parametric.point_a_w).norm() < 1e-5);
        }
    }
}

/// A body that moves by a hundredth of its size a query: the last points are a better start than any guess.
#[test]
fn the_points_of_the_last_query_save_steps_and_change_no_answer() {
    for solver in all() {
        let mut sequence = Sequence(31);
        let (mut cold_steps, mut warm_steps, mut compared) = (0, 0, 0);
        for _ in 0..6 {
            let [(a, pose_a), (b, pose_b)] = sequence.pair(0.1, 4.0);
            let mut previous = Previous::default();
            for k in 0..8 {
                let pose_b =
                    Pose::new(Vec3::new(0.01, -0.005, 0.0) * f64::from(k), Vec3::z() * 0.01)
                        * pose_b;
                let cold = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                let warm = solver.solve_next(&a, &pose_a, &b, &pose_b, &mut previous).unwrap();
                let agree = (cold.distance - warm.distance).abs() < 1e-8;
                if k > 0 && cold.converged && warm.converged {
                    // A start that ended elsewhere once stays there.
                    assert!(agree || solver == Solver::ParametricNewtonOctree, "{solver:?}");
                    cold_steps += cold.iterations;
                    warm_steps += warm.iterations;
                    compared += 1;
                }
            }
        }
        assert!(compared > 30 && warm_steps < cold_steps, "{solver:?} {warm_steps} {cold_steps}");
        // Table 2 reports 2.1 to 3.7 iterations a query.
        let mean = f64::from(warm_steps) / f64::from(compared);
        assert!((1.0..=4.0).contains(&mean), "{solver:?} {mean}");
    }
}

/// A useless start is dropped for a new guess.
#[test]
fn a_start_that_leads_nowhere_is_forgotten() {
    let [(a, pose_a), (b, pose_b)] = Sequence(37).pair(0.0, 4.0);
    let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
    let cold = Method::PARAMETRIC.solve(&pair, None).unwrap();
    let nonsense = [Vec3::repeat(f64::NAN); 2];
    let found = Method::PARAMETRIC.solve(&pair, Some(nonsense)).unwrap();
    assert!(cold.converged && found.converged && cold.distance == found.distance);
}

#[test]
fn concentric_spheres_leave_every_number_finite() {
    let (a, pose) = sphere(1.0, [0.4, 0.0, 0.0]);
    for solver in all() {
        assert_finite(&solver.solve(&a, &pose, &a, &pose).unwrap());
    }
}

#[test]
fn a_pose_that_is_not_finite_gives_finite_numbers_and_no_convergence() {
    let (a, pose_a) = sphere(1.0, [0.0; 3]);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        for solver in all() {
            let pose = Pose::translation(bad, 0.0, 1.0);
            let answer = solver.solve(&a, &pose_a, &a, &pose).unwrap();
            assert!(!answer.converged, "{answer:?}");
            assert_finite(&answer);
        }
    }
}
