//! Do two ellipsoids overlap? Two tests that decide and measure nothing.
//!
//! Both are written in the coordinates where A is the unit ball: with D the semi-axes of A and S_B the matrix with xᵀS_B⁻¹x ≤ 1
//! inside B, both in the frame of A, B has the matrix S = D⁻¹S_BD⁻¹ there, and v = D⁻¹p is its centre.
//!
//! - The quartic [Wang, Wang and Kim 2001; Jia et al. 2011]: bodies are apart exactly when det(μA + B), A and B the homogeneous
//!   matrices of the two, has two different positive roots μ. The roots are counted, not computed, by five formulae in the
//!   coefficients: those of a Sturm sequence.
//! - The convex function [Gilitschenski and Hanebeck 2012]: bodies are apart exactly when K(s) < 0 for some s in (0, 1). It
//!   needs the eigenvalues of S and v along its eigenvectors, once.

use crate::answer::Unsupported;
use crate::relative_pair::{RelativePair, Solution};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Vec3, unit_or};

/// Evaluations of K: more than its bisection alone needs for all digits of s.
const MAX_EVALUATIONS: u32 = 60;
/// A difference of products that is this small beside them has few digits left.
const FEW_DIGITS: f64 = 1e-11;

/// The number of positive roots decides. The points and the normal are those of the centre line: the test knows no others.
pub(super) fn solve_quartic(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let scaled = Scaled::new(pair, "ellipsoid-quartic")?;
    let is_apart = positive_roots(&scaled.quartic()) == 2;
    Ok(decision(pair, is_apart, &pair.centre_line(), 1))
}

/// Looks for a zero of K between 0, where it falls from one, and its least value. Stops as soon as K is negative, apart, or as the
/// tangents at both ends of the interval cross above zero: K is convex, so it is positive everywhere and the bodies overlap.
///
/// The next s is where the tangents cross, or the middle when the last step did not halve the interval. Contact within rounding
/// ends at the limit of evaluations, as overlapping. Apart, the normal is that of a plane that separates the bodies, and the
/// points are the support points on either side.
pub(super) fn solve_convex(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let scaled = Scaled::new(pair, "ellipsoid-convex")?.diagonal();
    let (mut low, mut high) = (scaled.tangent(0.0), scaled.tangent(1.0));
    let mut s = 0.5;
    for evaluations in 1..=MAX_EVALUATIONS {
        let here = scaled.tangent(s);
        if here.value < 0.0 {
            let normal = scaled.separating_normal(s, pair);
            return Ok(decision(pair, true, &normal, evaluations));
        }
        let width = high.s - low.s;
        if here.slope < 0.0 {
            low = here
        } else {
            high = here
        }
        // K falls at the low end and rises at the high one, or the least value is at an end: then it is positive.
        if low.slope >= 0.0 || high.slope <= 0.0 {
            return Ok(decision(pair, false, &pair.centre_line(), evaluations));
        }
        let crossing = (high.value - low.value + low.slope * low.s - high.slope * high.s)
            / (low.slope - high.slope);
        if low.value + low.slope * (crossing - low.s) > 0.0 {
            return Ok(decision(pair, false, &pair.centre_line(), evaluations));
        }
        let has_halved = high.s - low.s <= 0.5 * width;
        let is_inside = low.s < crossing && crossing < high.s;
        s = if has_halved && is_inside { crossing } else { 0.5 * (low.s + high.s) };
    }
    Ok(decision(pair, false, &pair.centre_line(), MAX_EVALUATIONS))
}

fn decision(pair: &RelativePair, is_apart: bool, normal: &Vec3, iterations: u32) -> Solution {
    let distance = if is_apart { f64::INFINITY } else { f64::NEG_INFINITY };
    Solution { distance, converged: true, ..pair.unconverged(normal, iterations) }
}

/// B where A is the unit ball.
struct Scaled {
    /// Semi-axes of A.
    radii: Vec3,
    /// S.
    matrix: Mat3,
    /// v.
    centre: Vec3,
}

impl Scaled {
    fn new(pair: &RelativePair, solver: &'static str) -> Result<Self, Unsupported> {
        let of = |shape: &Shape| match shape {
            Shape::Sphere(sphere) => Ok(Vec3::repeat(sphere.radius())),
            Shape::Ellipsoid(ellipsoid) => Ok(Vec3::from(ellipsoid.radii())),
            other => Err(Unsupported { solver, shape: other.kind() }),
        };
        let (radii, radii_b) = (of(pair.a)?, of(pair.b)?);
        let into = radii.map(f64::recip);
        let rotation = pair.pose_ab.rotation.to_rotation_matrix().into_inner();
        let root =
            Mat3::from_fn(|row, column| into[row] * rotation[(row, column)] * radii_b[column]);
        Ok(Self {
            radii,
            matrix: root * root.transpose(),
            centre: into.component_mul(&pair.centre_b()),
        })
    }

    /// The coefficients of −det(μA + B)·det S, the constant first. With t, q and d the trace of S, that of its adjugate, and its
    /// determinant:
    ///
    /// ```text
    /// (1 + μ)·det(1 + μS) − μ·vᵀ adj(1 + μS) v
    /// det(1 + μS) = 1 + tμ + qμ² + dμ³,    adj(1 + μS) = 1 + μ(t − S) + μ² adj S
    /// ```
    fn quartic(&self) -> [f64; 5] {
        let (s, v) = (&self.matrix, &self.centre);
        let (first, second, third) = (s.column(0), s.column(1), s.column(2));
        // S is symmetric, so the rows of its adjugate are the cross products of its columns.
        let adjugate = [second.cross(&third), third.cross(&first), first.cross(&second)];
        let t = s.trace();
        let q = adjugate[0].x + adjugate[1].y + adjugate[2].z;
        let d = first.dot(&adjugate[0]);
        let along = Vec3::from(adjugate.map(|row| row.dot(v))).dot(v);
        let square = v.norm_squared();
        [1.0, t + 1.0 - square, q + t - (t * square - v.dot(&(s * v))), d + q - along, d]
    }

    /// The same along the eigenvectors of S.
    fn diagonal(self) -> Diagonal {
        let eigen = self.matrix.symmetric_eigen();
        let axes = eigen.eigenvectors;
        let centre = axes.transpose() * self.centre;
        Diagonal { radii: self.radii, axes, squares: eigen.eigenvalues, centre }
    }
}

/// B where A is the unit ball, along its own axes.
struct Diagonal {
    /// Semi-axes of A.
    radii: Vec3,
    /// The axes of B as columns.
    axes: Mat3,
    /// λ, its squared semi-axes.
    squares: Vec3,
    /// Its centre along these axes.
    centre: Vec3,
}

/// Value and slope of K at s.
#[derive(Debug, Clone, Copy)]
struct Tangent {
    s: f64,
    value: f64,
    slope: f64,
}

impl Diagonal {
    /// K(s) = 1 − Σ vᵢ² s(1 − s)/(s + λᵢ(1 − s)) [Gilitschenski and Hanebeck 2012], convex in s, and its slope
    /// −Σ vᵢ² (λᵢ(1 − s)² − s²)/(s + λᵢ(1 − s))².
    ///
    /// The ellipsoid with the matrix S_A/(1 − s) + S_B/s contains the sum of the two for every s, since
    /// (√α + √β)² ≤ α/(1 − s) + β/s; K < 0 says that the centre of B is outside of it.
    fn tangent(&self, s: f64) -> Tangent {
        let rest = 1.0 - s;
        let (mut value, mut slope) = (1.0, 0.0);
        for (v, square) in self.centre.iter().zip(&self.squares) {
            let inverse = 1.0 / (s + square * rest);
            let weighted = v * v * inverse;
            value -= weighted * s * rest;
            slope -= weighted * inverse * (square * rest * rest - s * s);
        }
        Tangent { s, value, slope }
    }

    /// The normal of that ellipsoid towards the centre of B, frame A.
    fn separating_normal(&self, s: f64, pair: &RelativePair) -> Vec3 {
        let scaled = self
            .centre
            .zip_map(&self.squares, |v, square| v * s * (1.0 - s) / (s + square * (1.0 - s)));
        unit_or(&(self.axes * scaled).component_div(&self.radii), &pair.centre_line())
    }
}

/// How many different positive roots a quartic has, constant first, neither end zero and the highest positive: the sign changes
/// that its Sturm sequence loses between 0 and +∞. First μ is divided by a length that makes both ends about ±1: products of seven
/// coefficients of bodies of different sizes would over- or underflow. What is left of each division is multiplied by a square, or by 16 times the
/// leading coefficient, so that no sign changes and nothing is divided. Five of its numbers have signs that are not known.
fn positive_roots(quartic: &[f64; 5]) -> usize {
    let quartic = with_ends_near_one(quartic);
    let [e, d, c, b, a] = quartic;
    let [a1, b1, c1, d1] = [4.0 * a, 3.0 * b, 2.0 * c, d];
    let (p, q, r) = (b * b1 - 4.0 * a * c1, b * c1 - 12.0 * a * d, b * d - 16.0 * a * e);
    let lead = b1 * p - a1 * q;
    let next = c1 * p - a1 * r;
    let (u, v) = (lead * q - next * p, lead * r - d1 * p * p);
    let last = v * (u * q - p * v) - r * u * u;
    let is_small = |x: f64, terms: f64| x.abs() <= FEW_DIGITS * terms;
    // A division that leaves less than it should, as with several equal roots: step by step.
    if is_small(p, b * b1 + (4.0 * a * c1).abs())
        || is_small(u, (lead * q).abs() + (next * p).abs())
        || is_small(v, (lead * r).abs() + (d1 * p * p).abs())
    {
        return sturm_count(&quartic);
    }
    sign_changes(&[e, d1, r, v, last]) - sign_changes(&[a, a1, p, u, last])
}

/// The polynomial of x with μ = kx over |e|, which has as many positive roots: with k = (|e|/a)^¼ its ends would be ±1 and 1. Both are
/// taken as powers of two, with which nothing is rounded: equal roots stay equal.
fn with_ends_near_one([e, d, c, b, a]: &[f64; 5]) -> [f64; 5] {
    let (size, k) = (power_of_two(e.abs()), power_of_two((e.abs() / a).sqrt().sqrt()));
    [e / size, d / size * k, c / size * k * k, b / size * k * k * k, a / size * k * k * k * k]
}

/// The greatest power of two that is not above a positive number: its exponent alone.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() >> 52 << 52)
}

/// Signs that follow each other and differ, zeros left out.
fn sign_changes(values: &[f64]) -> usize {
    let mut changes = 0;
    let mut before = 0.0;
    for value in values.iter().filter(|value| **value != 0.0) {
        changes += usize::from(before * value.signum() < 0.0);
        before = value.signum();
    }
    changes
}

/// How many different positive roots a polynomial has, constant first and not zero at zero, by divisions.
fn sturm_count(polynomial: &[f64]) -> usize {
    let derivative: Vec<f64> =
        polynomial.iter().enumerate().skip(1).map(|(power, c)| power as f64 * c).collect();
    let mut chain = vec![polynomial.to_vec(), derivative];
    while let [.., before, last] = chain.as_slice() {
        let Some(next) = negative_remainder(before, last) else { break };
        chain.push(next);
    }
    let at_zero: Vec<f64> = chain.iter().map(|p| p[0]).collect();
    let at_infinity: Vec<f64> = chain.iter().map(|p| p[p.len() - 1]).collect();
    sign_changes(&at_zero) - sign_changes(&at_infinity)
}

/// Minus the remainder of a division, scaled to its largest coefficient; `None` when it is zero within rounding.
fn negative_remainder(dividend: &[f64], divisor: &[f64]) -> Option<Vec<f64>> {
    let mut rest = dividend.to_vec();
    let largest = |p: &[f64]| p.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let scale = largest(dividend);
    let lead = divisor[divisor.len() - 1];
    while rest.len() >= divisor.len() {
        let factor = rest[rest.len() - 1] / lead;
        let shift = rest.len() - divisor.len();
        for (place, value) in divisor.iter().enumerate() {
            rest[shift + place] -= factor * value;
        }
        rest.pop();
    }
    // Some dozen operations on numbers of this size.
    let rounding = 1e-14 * scale;
    while rest.last().is_some_and(|x| x.abs() <= rounding) {
        rest.pop();
    }
    let most = largest(&rest);
    (!rest.is_empty()).then(|| rest.iter().map(|x| -x / most).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::dense_search::{Random, ellipsoid, sphere};
    use smooth_scene_query::{QueryOptions, distance};

    const BOTH: [Solver; 2] = [Solver::EllipsoidQuartic, Solver::EllipsoidConvex];

    #[test]
    fn powers_of_two_are_found() {
        for (x, power) in
            [(1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (0.3, 0.25), (1e300, 2f64.powi(996))]
        {
            assert_eq!(power_of_two(x), power);
        }
    }

    #[test]
    fn positive_roots_are_counted() {
        let roots = |list: &[f64]| list.iter().fold(vec![1.0], |p, r| product(&p, &[-r, 1.0]));
        let complex = |list: &[f64], square: &[f64]| product(&roots(list), square);
        for (polynomial, count) in [
            (roots(&[1.0, 2.0, -3.0, -4.0]), 2),
            (roots(&[0.5, 0.6, 7.0, 8.0]), 4),
            (roots(&[-0.5, -0.6, 7.0, -8.0]), 1),
            (roots(&[-1.0, -2.0, -3.0, -4.0]), 0),
            // Two of them complex.
            (complex(&[-1.0, -2.0], &[1.0, 0.0, 1.0]), 0),
            (complex(&[1.0, 2.0], &[5.0, -2.0, 1.0]), 2),
            // Equal roots count once.
            (roots(&[2.0, 2.0, -1.0, -3.0]), 1),
            (roots(&[2.0, 3.0, -1.0, -1.0]), 2),
            (roots(&[-2.0, -2.0, -2.0, 5.0]), 1),
            (roots(&[-2.0, -2.0, -2.0, -2.0]), 0),
            // Divisions that leave less than they should.
            (vec![-1.0, 0.0, 0.0, 0.0, 1.0], 1),
            (vec![4.0, 0.0, -5.0, 0.0, 1.0], 2),
            (vec![1.0, 0.0, 0.0, 0.0, 1.0], 0),
        ] {
            assert_eq!(sturm_count(&polynomial), count, "{polynomial:?}");
            let quartic: [f64; 5] = polynomial.try_into().unwrap();
            assert_eq!(positive_roots(&quartic), count, "{quartic:?}");
        }
    }

    fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] += x * y;
            }
        }
        out
    }

    /// The coefficients against the determinant itself at several μ.
    #[test]
    fn the_quartic_is_the_determinant_of_the_pencil() {
        let mut random = Random(57);
        for _ in 0..20 {
            let mut shape = || ellipsoid([0; 3].map(|_| random.between(0.2, 2.0)), [0.0; 3]).0;
            let (a, b) = (shape(), shape());
            let (pose_a, pose_b) = (random.pose(0.5), random.pose(2.5));
            let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
            let scaled = Scaled::new(&pair, "test").unwrap();
            let inverse = scaled.matrix.try_inverse().unwrap();
            let coefficients = scaled.quartic();
            for mu in [-2.0, 0.3, 1.0, 4.0] {
                let mut pencil = nalgebra::Matrix4::zeros();
                pencil.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * mu + inverse));
                let edge = -(inverse * scaled.centre);
                pencil.fixed_view_mut::<3, 1>(0, 3).copy_from(&edge);
                pencil.fixed_view_mut::<1, 3>(3, 0).copy_from(&edge.transpose());
                pencil[(3, 3)] = -mu + scaled.centre.dot(&(inverse * scaled.centre)) - 1.0;
                let expected = -pencil.determinant() * scaled.matrix.determinant();
                let found = coefficients.iter().rev().fold(0.0, |sum, c| sum * mu + c);
                assert!(
                    (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                    "{found} {expected}"
                );
            }
        }
    }

    /// A handful of evaluations decide, also of bodies that overlap.
    #[test]
    fn tangents_decide_after_a_few_evaluations() {
        let mut random = Random(2012);
        let mut most = 0;
        for _ in 0..2000 {
            let mut shape = || ellipsoid([0; 3].map(|_| random.between(0.2, 2.0)), [0.0; 3]).0;
            let (a, b) = (shape(), shape());
            let (pose_a, pose_b) = (random.pose(0.5), random.pose(2.5));
            let answer = Solver::EllipsoidConvex.solve(&a, &pose_a, &b, &pose_b).unwrap();
            most = most.max(answer.iterations);
        }
        assert!(most <= 20, "{most}");
    }

    #[test]
    fn spheres_and_aligned_ellipsoids_are_decided_to_within_a_millionth() {
        for (gap, is_apart) in [(1e-6, true), (-1e-6, false)] {
            let balls = [sphere(1.0, [0.0; 3]), sphere(0.5, [0.0, 1.5 + gap, 0.0])];
            let aligned = [
                ellipsoid([1.0, 2.0, 3.0], [1.0, 0.0, 0.0]),
                ellipsoid([1.5, 0.5, 2.5], [1.0, 2.5 + gap, 0.0]),
            ];
            for [(a, pose_a), (b, pose_b)] in [balls, aligned] {
                for solver in BOTH {
                    let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                    assert_eq!(answer.distance > 0.0, is_apart, "{solver:?} {gap} {answer:?}");
                }
            }
        }
    }

    /// Balls and ellipsoids along the same axes, one up to 4e8 times larger than the other.
    #[test]
    fn bodies_of_very_different_sizes_are_decided() {
        let mut random = Random(5);
        for case in 0..6000 {
            let exponent = [-8.6, -6.0, -5.0, 5.0, 5.6][case % 5];
            let size = 10f64.powf(exponent);
            let radii = [0; 3].map(|_| size * random.between(0.5, 2.0));
            let axis = case % 3;
            let is_apart = random.between(0.0, 1.0) < 0.5;
            let mut at = [0.0; 3];
            at[axis] = (1.0 + radii[axis]) * if is_apart { 1.3 } else { 0.7 };
            let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), ellipsoid(radii, at));
            for solver in BOTH {
                let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                assert_eq!(answer.distance > 0.0, is_apart, "{solver:?} {radii:?} {axis}");
            }
        }
    }

    /// Both agree with the proven answer wherever the gap is above a millionth of the size: the quartic squares lengths and
    /// the count of its roots divides, so that half of the digits are left near a double root.
    #[test]
    fn random_ellipsoids_are_decided_as_proven() {
        let mut random = Random(2001);
        let mut seen = [0; 2];
        for _ in 0..4000 {
            let mut shape = || ellipsoid([0; 3].map(|_| random.between(0.2, 2.0)), [0.0; 3]).0;
            let (a, b) = (shape(), shape());
            let (pose_a, pose_b) = (random.pose(0.5), random.pose(2.5));
            let truth = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
            if truth.distance.abs() < 2e-6 {
                continue;
            }
            let is_apart = truth.lower > 0.0;
            seen[usize::from(is_apart)] += 1;
            for solver in BOTH {
                let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
                assert_eq!(answer.distance > 0.0, is_apart, "{solver:?} {truth:?}");
            }
            let answer = Solver::EllipsoidConvex.solve(&a, &pose_a, &b, &pose_b).unwrap();
            if is_apart {
                let gap = answer.point_b_w - answer.point_a_w;
                assert!(gap.dot(&answer.normal_ab_w) > 0.0, "the plane separates");
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }

    #[test]
    fn concentric_ellipsoids_overlap() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [1.0; 3]);
        let (b, pose_b) = ellipsoid([0.5, 0.7, 0.6], [1.0; 3]);
        for solver in BOTH {
            let answer = solver.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert_eq!(answer.distance, f64::NEG_INFINITY, "{solver:?}");
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        let (ball, pose) = sphere(1.0, [0.0; 3]);
        let block = Shape::cuboid([1.0; 3]).unwrap();
        for solver in BOTH {
            let error = solver.solve(&ball, &pose, &block, &pose).unwrap_err();
            assert_eq!((error.solver, error.shape), (solver.name(), "box"));
        }
    }
}
