//! Newton–Raphson on two points of implicit surfaces.
//!
//! Source: A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics* (MSc thesis, Instituto
//! Superior Técnico, 2015), §3.4, after D. S. Lopes et al. 2010. The unknowns are the coordinates of P and Q, each in
//! the frame of its body [eq. 22]; the equations are the four of [`super::common_normal`] plus F_A(P) = F_B(Q) = 0
//! [eq. 21]; the Jacobian is by forward differences; the first guess is the nearest pair of cells of two octrees
//! around the surfaces [§3.4.1].
//!
//! Kept as described, with its weaknesses: the guess only sees cells, so overlapping bodies start at a common point;
//! gradients are singular on the coordinate planes unless both exponents are 1; the iteration has no safeguard and
//! takes the farthest points for an answer when it arrives there.

use super::common_normal::{Pair, forward_differences, newton_raphson};
use super::superquadric::Superquadric;
use super::{Answer, Unsupported};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape};

const NAME: &str = "implicit_newton";

/// Cells of an octree along each axis of the body's box [Gonçalves 2015, fig. 3.5].
const CELLS_PER_AXIS: usize = 5;

/// All cells of an octree.
const CELLS: usize = CELLS_PER_AXIS * CELLS_PER_AXIS * CELLS_PER_AXIS;

/// Projections back and forth between the two nearest cells. The nearest points of two boxes are found to a fraction of
/// a cell after a few, and a guess needs no more.
const CELL_PROJECTIONS: u32 = 8;

/// Runs the solver cold. `converged` says that the last Newton step was below the tolerance, nothing more.
pub(super) fn solve(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    let pair = Pair::new(Superquadric::of(a, NAME)?, pose_a, Superquadric::of(b, NAME)?, pose_b);
    let (p, q) = octree_guess(&pair, &a.local_aabb(), &b.local_aabb());
    let residuals = |points: &[f64; 6]| residuals(&pair, points);
    let start = [p.x, p.y, p.z, q.x, q.y, q.z];
    let (points, run) =
        newton_raphson(start, residuals, |points, phi| forward_differences(points, phi, residuals));
    let (p, q) = split(&points);
    Ok(pair.answer(pose_a, &p, &q, &pair.a.implicit_normal(&p), run))
}

fn split(points: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(points[0], points[1], points[2]), Vec3::new(points[3], points[4], points[5]))
}

fn residuals(pair: &Pair, points: &[f64; 6]) -> [f64; 6] {
    let (p, q) = split(points);
    let (normal_p, normal_q) = (pair.a.implicit_normal(&p), pair.b.implicit_normal(&q));
    let [normal_t, normal_b, gap_t, gap_b] = pair.residuals(&p, &normal_p, &q, &normal_q);
    [normal_t, normal_b, gap_t, gap_b, pair.a.implicit(&p), pair.b.implicit(&q)]
}

/// The leaves of an octree around a surface, in the frame of its body: the cells of a regular grid over the body's box
/// that the surface passes through.
struct Octree {
    centres: [Vec3; CELLS],
    count: usize,
    half: Vec3,
}

impl Octree {
    fn around(surface: &Superquadric, bounds: &Aabb) -> Self {
        let half = (bounds.max - bounds.min) * (0.5 / CELLS_PER_AXIS as f64);
        let mut tree = Self { centres: [Vec3::zeros(); CELLS], count: 0, half };
        for index in 0..CELLS {
            let steps = Vec3::new(
                (index % CELLS_PER_AXIS) as f64,
                (index / CELLS_PER_AXIS % CELLS_PER_AXIS) as f64,
                (index / (CELLS_PER_AXIS * CELLS_PER_AXIS)) as f64,
            );
            let centre = bounds.min + half.component_mul(&(2.0 * steps + Vec3::repeat(1.0)));
            if is_crossed(surface, &centre, &half) {
                tree.centres[tree.count] = centre;
                tree.count += 1;
            }
        }
        tree
    }

    fn leaves(&self) -> &[Vec3] {
        &self.centres[..self.count]
    }
}

/// Whether a surface passes through a cell. Along x and y the implicit function grows away from the axis, so the nearest
/// and the farthest edge decide; along z the taper may change that, so both ends are tried.
fn is_crossed(surface: &Superquadric, centre: &Vec3, half: &Vec3) -> bool {
    let (low, high) = (centre - half, centre + half);
    let nearest = |k: usize| 0f64.max(low[k]).min(high[k]);
    let farthest = |k: usize| low[k].abs().max(high[k].abs());
    let heights = [nearest(2), low.z, high.z];
    let inside = |z: f64| surface.implicit(&Vec3::new(nearest(0), nearest(1), z)) <= 0.0;
    let outside = |z: f64| surface.implicit(&Vec3::new(farthest(0), farthest(1), z)) >= 0.0;
    heights.into_iter().any(inside) && heights.into_iter().any(outside)
}

/// The first guess [Gonçalves 2015, §3.4.1]: the nearest points of the nearest leaves, each in the frame of its body.
///
/// The thesis leaves the search to an octree library. The leaves of one tree are all of one size, so the nearest centres
/// stand in for the nearest leaves; this also settles which of several overlapping pairs is meant. Among equals the first
/// is taken: a surface that faces along an axis is a plateau of leaves, and the guess may be anywhere on it.
fn octree_guess(pair: &Pair, bounds_a: &Aabb, bounds_b: &Aabb) -> (Vec3, Vec3) {
    let tree_a = Octree::around(&pair.a, bounds_a);
    let tree_b = Octree::around(&pair.b, bounds_b);
    let (mut leaf_a, mut leaf_b) = (Vec3::zeros(), Vec3::zeros());
    let mut nearest = f64::INFINITY;
    for centre_b in tree_b.leaves() {
        let centre_b_a = pair.in_a(centre_b);
        for centre_a in tree_a.leaves() {
            let distance = (centre_b_a - centre_a).norm_squared();
            if distance < nearest {
                (nearest, leaf_a, leaf_b) = (distance, *centre_a, *centre_b);
            }
        }
    }
    let into = |point: Vec3, centre: &Vec3, half: &Vec3| {
        point.zip_zip_map(&(centre - half), &(centre + half), |x, low, high| x.max(low).min(high))
    };
    let (mut p, mut q) = (leaf_a, leaf_b);
    for _ in 0..CELL_PROJECTIONS {
        q = into(pair.in_b(&p), &leaf_b, &tree_b.half);
        p = into(pair.in_a(&q), &leaf_a, &tree_a.half);
    }
    (p, q)
}

#[cfg(test)]
mod tests {
    use super::super::common_normal::MAX_ITERATIONS;
    use super::super::common_normal::reference::{Sequence, signed_distance};
    use super::*;
    use smooth_scene_geometry::{Ellipsoid, Sphere};

    #[test]
    fn spheres_apart_have_their_closed_form() {
        let (a, b) = (Sphere::new(1.0).unwrap().into(), Sphere::new(0.5).unwrap().into());
        let direction = Vec3::new(-1.0, 2.0, 2.0) / 3.0;
        let pose_b = Pose::new(direction * 4.0, Vec3::new(0.3, -0.2, 0.5));
        let answer = solve(&a, &Pose::identity(), &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 2.5).abs() < 1e-9, "{answer:?}");
        assert!((answer.normal_ab_w - direction).norm() < 1e-6);
        assert!((answer.point_a_w - direction).norm() < 1e-6);
    }

    #[test]
    fn aligned_ellipsoids_meet_at_the_ends_of_their_axes() {
        let a = Ellipsoid::new([1.0, 1.2, 1.1]).unwrap().into();
        let b = Ellipsoid::new([0.6, 0.5, 0.7]).unwrap().into();
        let pose_b = Pose::translation(0.0, 5.0, 0.0);
        let answer = solve(&a, &Pose::identity(), &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 3.3).abs() < 1e-9, "{answer:?}");
        assert!((answer.point_b_w - Vec3::new(0.0, 4.5, 0.0)).norm() < 1e-6);
    }

    #[test]
    fn a_guess_on_the_wrong_step_of_the_staircase_diverges_and_says_so() {
        // The leaves under the top of A are equally high, so the first is taken, and it is too far from the solution.
        let a = Ellipsoid::new([1.0, 2.0, 3.0]).unwrap().into();
        let b = Ellipsoid::new([0.5, 0.7, 0.9]).unwrap().into();
        let pose_b = Pose::translation(0.0, 5.0, 0.0);
        let answer = solve(&a, &Pose::identity(), &b, &pose_b).unwrap();
        assert!(!answer.converged && answer.distance.is_finite(), "{answer:?}");
        assert_eq!(answer.iterations, MAX_ITERATIONS);
    }

    #[test]
    fn converged_answers_for_mild_pairs_apart_agree_with_a_dense_search() {
        for taper in [0.0, 0.2] {
            let mut sequence = Sequence(23);
            let mut converged = 0;
            for _ in 0..12 {
                let [(a, pose_a), (b, pose_b)] = sequence.pair(taper, 4.0);
                let answer = solve(&a, &pose_a, &b, &pose_b).unwrap();
                if answer.converged {
                    let truth = signed_distance(&a, &pose_a, &b, &pose_b);
                    converged += 1;
                    assert!((answer.distance - truth).abs() < 1e-8, "{answer:?} {truth}");
                }
            }
            assert!(converged >= 6, "{converged} of 12");
        }
    }

    #[test]
    fn deep_overlap_mostly_fails_and_says_so_in_finite_numbers() {
        let mut sequence = Sequence(5);
        let mut failed = 0;
        for _ in 0..50 {
            let [(a, pose_a), (b, pose_b)] = sequence.pair(0.2, 0.3);
            let answer = solve(&a, &pose_a, &b, &pose_b).unwrap();
            failed += u32::from(!answer.converged);
            let fields = answer.point_a_w + answer.point_b_w;
            assert!(answer.distance.is_finite() && fields.iter().all(|x| x.is_finite()));
            assert!((answer.normal_ab_w.norm() - 1.0).abs() < 1e-12);
        }
        assert!(failed > 20, "{failed} of 50");
    }

    #[test]
    fn octree_leaves_cover_the_surface() {
        let mut sequence = Sequence(3);
        for _ in 0..20 {
            let [(shape, _), _] = sequence.pair(0.3, 1.0);
            let surface = Superquadric::of(&shape, NAME).unwrap();
            let tree = Octree::around(&surface, &shape.local_aabb());
            for k in 0..400 {
                let point = surface.point([0.61 * k as f64, (0.37 * k as f64).sin() * 1.57]);
                let is_covered = tree.leaves().iter().any(|centre| {
                    (point - centre).iter().zip(&tree.half).all(|(x, half)| x.abs() <= half + 1e-9)
                });
                assert!(is_covered, "{shape:?} {point:?}");
            }
        }
    }

    #[test]
    fn a_pose_that_is_not_finite_gives_finite_numbers_and_no_convergence() {
        let shape = Sphere::new(1.0).unwrap().into();
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            let pose = Pose::translation(bad, 0.0, 1.0);
            let answer = solve(&shape, &Pose::identity(), &shape, &pose).unwrap();
            assert!(!answer.converged && answer.distance.is_finite(), "{answer:?}");
            let fields = answer.point_a_w + answer.point_b_w + answer.normal_ab_w;
            assert!(fields.iter().all(|x| x.is_finite()), "{answer:?}");
        }
    }
}
