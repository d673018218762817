//! What the two common-normal solvers of the thesis share: tangents, the Newton–Raphson loop, and the answer.
//!
//! Source: A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics* (MSc thesis, Instituto
//! Superior Técnico, 2015), §3.4. The common-normal condition on a point P of A and a point Q of B is that A's normal
//! and the vector PQ are both perpendicular to the tangent plane of B at Q [eq. 21]:
//!
//! ```text
//! n_P·t_Q = 0,    n_P·b_Q = 0,    PQ·t_Q = 0,    PQ·b_Q = 0
//! ```
//!
//! It is necessary, not sufficient: the farthest points satisfy it too, and nothing in the method tells them apart.
//!
//! All vectors here are in the frame of A; the equations do not depend on that choice.

use super::Answer;
use super::superquadric::Superquadric;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, unit_or};

/// Length of the Newton step, in the units of the unknowns (metres or radians), below which the iteration stops
/// [Gonçalves 2015, §3.4.2].
pub(super) const STEP_TOLERANCE: f64 = 1e-6;

/// Newton–Raphson steps before giving up [Gonçalves 2015, §3.4.2].
pub(super) const MAX_ITERATIONS: u32 = 30;

/// Step of the forward differences, in the units of the unknowns. The thesis gives none (§3.4); this is the one of the
/// code it was published with (github.com/artur-ag/fcl).
pub(super) const DIFFERENCE_STEP: f64 = 1e-6;

/// Two posed surfaces, B seen from A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) a: Superquadric,
    pub(super) b: Superquadric,
    pub(super) rotation_ab: Mat3,
    pub(super) origin_ab: Vec3,
}

impl Pair {
    pub(super) fn new(a: Superquadric, pose_a: &Pose, b: Superquadric, pose_b: &Pose) -> Self {
        let pose_ab = pose_a.inv_mul(pose_b);
        let rotation_ab = pose_ab.rotation.to_rotation_matrix().into_inner();
        Self { a, b, rotation_ab, origin_ab: pose_ab.translation.vector }
    }

    /// A point of B's frame in A's frame.
    pub(super) fn in_a(&self, point_b: &Vec3) -> Vec3 {
        self.rotation_ab * point_b + self.origin_ab
    }

    /// A point of A's frame in B's frame.
    pub(super) fn in_b(&self, point_a: &Vec3) -> Vec3 {
        self.rotation_ab.transpose() * (point_a - self.origin_ab)
    }

    /// The four common-normal residuals from P and n_P in A's frame, Q and n_Q in B's frame.
    pub(super) fn residuals(
        &self,
        p: &Vec3,
        normal_p: &Vec3,
        q: &Vec3,
        normal_q: &Vec3,
    ) -> [f64; 4] {
        let (tangent, binormal) = householder_tangents(normal_q);
        let (t, b) = (self.rotation_ab * tangent, self.rotation_ab * binormal);
        let gap = self.in_a(q) - p;
        [normal_p.dot(&t), normal_p.dot(&b), gap.dot(&t), gap.dot(&b)]
    }

    /// The signed answer [Gonçalves 2015, table 5]: the distance between the points, negative when Q is inside or on A.
    /// `p`, `q` are in the frames of their bodies, the normal is A's at P. Anything not finite turns into a finite
    /// placeholder with `converged` false.
    pub(super) fn answer(
        &self,
        pose_a: &Pose,
        p: &Vec3,
        q: &Vec3,
        normal_p: &Vec3,
        run: Run,
    ) -> Answer {
        let q_a = self.in_a(q);
        let gap = q_a - p;
        let length = gap.norm();
        let to_world = |v: &Vec3| pose_a.rotation * v + pose_a.translation.vector;
        let (point_a_w, point_b_w) = (to_world(p), to_world(&q_a));
        let sum = point_a_w + point_b_w;
        let Run { converged, iterations } = run;
        if !(length.is_finite() && sum.iter().all(|x| x.is_finite())) {
            return Answer {
                distance: 0.0,
                point_a_w: Vec3::zeros(),
                point_b_w: Vec3::zeros(),
                normal_ab_w: Vec3::z(),
                converged: false,
                iterations,
            };
        }
        let colliding = self.a.implicit(&q_a) <= 0.0;
        Answer {
            distance: if colliding { -length } else { length },
            point_a_w,
            point_b_w,
            normal_ab_w: pose_a.rotation * unit_or(normal_p, &unit_or(&gap, &Vec3::z())),
            converged,
            iterations,
        }
    }
}

/// Two unit vectors perpendicular to the unit vector n: the second and third column of the Householder reflection
/// H = I − 2hhᵀ/hᵀh that maps n to the x axis, h = n + e_x [Gonçalves 2015, eq. 18–19].
///
/// Undefined at n = −e_x, where h vanishes, and steep around it: a weak spot of the method, and kept.
pub(super) fn householder_tangents(n: &Vec3) -> (Vec3, Vec3) {
    let h = n + Vec3::x();
    // hᵀh = 2(1 + n_x) for a unit n.
    let (ty, tz) = (n.y / (1.0 + n.x), n.z / (1.0 + n.x));
    (Vec3::y() - h * ty, Vec3::z() - h * tz)
}

/// The derivatives of the [`householder_tangents`] when n changes at the given rate.
pub(super) fn householder_tangent_rates(n: &Vec3, rate: &Vec3) -> (Vec3, Vec3) {
    let h = n + Vec3::x();
    let s = 1.0 + n.x;
    let column = |axis: f64, axis_rate: f64| {
        -(rate * axis + h * axis_rate) / s + h * (axis * rate.x / (s * s))
    };
    (column(n.y, rate.y), column(n.z, rate.z))
}

/// How a Newton–Raphson run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The last step was shorter than [`STEP_TOLERANCE`].
    pub(super) converged: bool,
    /// Steps taken.
    pub(super) iterations: u32,
}

/// Newton–Raphson [Gonçalves 2015, eq. 24 and table 6]: solves J·δ = Φ, subtracts δ, and stops when |δ| falls below
/// [`STEP_TOLERANCE`], after [`MAX_ITERATIONS`] steps, or when a step cannot be computed (singular or not finite).
///
/// No step-length control: the iteration may diverge or end at the farthest points. Returns the last finite unknowns.
/// `jacobian[column][row]` is the derivative of residual `row` by unknown `column`.
pub(super) fn newton_raphson<const N: usize>(
    start: [f64; N],
    residuals: impl Fn(&[f64; N]) -> [f64; N],
    jacobian: impl Fn(&[f64; N], &[f64; N]) -> [[f64; N]; N],
) -> ([f64; N], Run) {
    let mut unknowns = start;
    for iterations in 0..MAX_ITERATIONS {
        let phi = residuals(&unknowns);
        let Some(step) = solve_linear(jacobian(&unknowns, &phi), phi) else {
            return (unknowns, Run { converged: false, iterations });
        };
        let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !length.is_finite() {
            return (unknowns, Run { converged: false, iterations });
        }
        for (unknown, delta) in unknowns.iter_mut().zip(step) {
            *unknown -= delta;
        }
        if length < STEP_TOLERANCE {
            return (unknowns, Run { converged: true, iterations: iterations + 1 });
        }
    }
    (unknowns, Run { converged: false, iterations: MAX_ITERATIONS })
}

/// The Jacobian by forward differences, `[column][row]` as in [`newton_raphson`].
pub(super) fn forward_differences<const N: usize>(
    unknowns: &[f64; N],
    phi: &[f64; N],
    residuals: impl Fn(&[f64; N]) -> [f64; N],
) -> [[f64; N]; N] {
    std::array::from_fn(|column| {
        let mut moved = *unknowns;
        moved[column] += DIFFERENCE_STEP;
        let changed = residuals(&moved);
        std::array::from_fn(|row| (changed[row] - phi[row]) / DIFFERENCE_STEP)
    })
}

/// Gaussian elimination with partial pivoting on `matrix[column][row]`; `None` when a pivot is zero or not finite.
fn solve_linear<const N: usize>(mut matrix: [[f64; N]; N], mut rhs: [f64; N]) -> Option<[f64; N]> {
    for k in 0..N {
        let pivot =
            (k..N).fold(
                k,
                |best, row| {
                    if matrix[k][row].abs() > matrix[k][best].abs() { row } else { best }
                },
            );
        let diagonal = matrix[k][pivot];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return None;
        }
        for column in &mut matrix {
            column.swap(k, pivot);
        }
        rhs.swap(k, pivot);
        for row in k + 1..N {
            let factor = matrix[k][row] / diagonal;
            for column in &mut matrix[k + 1..] {
                column[row] -= factor * column[k];
            }
            rhs[row] -= factor * rhs[k];
        }
    }
    for k in (0..N).rev() {
        rhs[k] /= matrix[k][k];
        for row in 0..k {
            rhs[row] -= matrix[k][row] * rhs[k];
        }
    }
    Some(rhs)
}

/// A slow and sure signed distance and a source of pairs, for the tests of the solvers.
#[cfg(test)]
pub(super) mod reference {
    use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis, unit_or};
    use smooth_scene_geometry::{ConvexSurface, Shape, Superovoid};

    /// The signed distance as the maximum over unit n of n·d − h_A(n) − h_B(−n): samples on a spiral, then a pattern
    /// search around the best twenty.
    pub(in super::super) fn signed_distance(
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
    ) -> f64 {
        const SAMPLES: usize = 2000;
        let offset = pose_b.translation.vector - pose_a.translation.vector;
        let separation = |n: &Vec3| {
            n.dot(&offset)
                - a.support(&pose_a.rotation.inverse_transform_vector(n)).value
                - b.support(&pose_b.rotation.inverse_transform_vector(&-n)).value
        };
        let mut samples: Vec<(f64, Vec3)> = (0..SAMPLES)
            .map(|k| {
                let z = (2.0 * k as f64 + 1.0) / SAMPLES as f64 - 1.0;
                let turn = k as f64 * std::f64::consts::PI * (3.0 - 5f64.sqrt());
                let r = (1.0 - z * z).sqrt();
                let n = Vec3::new(r * turn.cos(), r * turn.sin(), z);
                (separation(&n), n)
            })
            .collect();
        samples.sort_by(|x, y| y.0.total_cmp(&x.0));
        let refined = samples.iter().take(20).map(|&(value, n)| climb(value, n, &separation));
        refined.fold(f64::NEG_INFINITY, f64::max)
    }

    fn climb(mut value: f64, mut n: Vec3, separation: &impl Fn(&Vec3) -> f64) -> f64 {
        let mut radius = 0.05;
        while radius > 1e-9 {
            let (u, v) = tangent_basis(&n);
            let around = (0..8).map(|k| {
                let (s, c) = (k as f64 * std::f64::consts::FRAC_PI_4).sin_cos();
                let moved = (n + radius * (c * u + s * v)).normalize();
                (separation(&moved), moved)
            });
            match around.max_by(|x, y| x.0.total_cmp(&y.0)) {
                Some((better, moved)) if better > value => (value, n) = (better, moved),
                _ => radius *= 0.5,
            }
        }
        value
    }

    /// A reproducible sequence of numbers in [0, 1): the 64-bit linear congruential generator of Knuth (MMIX).
    pub(in super::super) struct Sequence(pub(in super::super) u64);

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
        pub(in super::super) fn pair(&mut self, taper: f64, distance: f64) -> [(Shape, Pose); 2] {
            [(self.shape(taper), self.pose(0.0)), (self.shape(taper), self.pose(distance))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn householder_tangents_are_an_orthonormal_basis_of_the_tangent_plane() {
        for n in [Vec3::x(), Vec3::z(), Vec3::new(-0.6, -0.48, 0.64)] {
            let (t, b) = householder_tangents(&n);
            assert!((t.norm() - 1.0).abs() < 1e-14 && (b.norm() - 1.0).abs() < 1e-14);
            assert!(t.dot(&b).abs() < 1e-14 && t.dot(&n).abs() < 1e-14 && b.dot(&n).abs() < 1e-14);
        }
    }

    #[test]
    fn householder_rates_are_the_derivatives_of_the_tangents() {
        let n = Vec3::new(-0.6, -0.48, 0.64);
        let rate = n.cross(&Vec3::new(0.3, 0.8, -0.2));
        let (dt, db) = householder_tangent_rates(&n, &rate);
        let (low, high) =
            (householder_tangents(&(n - 1e-6 * rate)), householder_tangents(&(n + 1e-6 * rate)));
        assert!(((high.0 - low.0) / 2e-6 - dt).norm() < 1e-8);
        assert!(((high.1 - low.1) / 2e-6 - db).norm() < 1e-8);
    }

    #[test]
    fn elimination_solves_a_system_that_needs_pivoting_and_refuses_a_singular_one() {
        let columns = [[0.0, 2.0, 1.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]];
        let x = solve_linear(columns, [4.0, 3.0, 2.0]).unwrap();
        assert!(x.iter().all(|value| (value - 1.0).abs() < 1e-14), "{x:?}");
        assert_eq!(solve_linear([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0]), None);
        assert_eq!(solve_linear([[f64::NAN, 2.0], [2.0, 4.0]], [1.0, 1.0]), None);
    }

    #[test]
    fn newton_finds_a_square_root_and_reports_the_iteration_limit() {
        let square = |x: &[f64; 1]| [x[0] * x[0] - 2.0];
        let (root, run) =
            newton_raphson([1.0], square, |x, phi| forward_differences(x, phi, square));
        assert!((root[0] - 2f64.sqrt()).abs() < 1e-12 && run.converged);
        let rootless = |x: &[f64; 1]| [x[0] * x[0] + 1.0];
        let (_, run) = newton_raphson([0.7], rootless, |x, _| [[2.0 * x[0]]]);
        assert_eq!(run, Run { converged: false, iterations: MAX_ITERATIONS });
    }
}
