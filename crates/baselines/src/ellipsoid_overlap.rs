//! Do two ellipsoids overlap? Two tests that decide and measure nothing.
//!
//! Both are written in the coordinates where A is the unit ball and the axes of B are the coordinate axes: with D the semi-axes
//! of A and S_B the matrix with xᵀS_B⁻¹x ≤ 1 inside B, both in the frame of A, the eigenvalues λᵢ of D⁻¹S_BD⁻¹ are the squared
//! semi-axes of B there, and v is its centre.
//!
//! - The quartic [Wang, Wang and Kim 2001; Jia et al. 2011]: bodies are apart exactly when det(μA + B), A and B the homogeneous
//!   matrices of the two, has two different positive roots μ. The roots are counted, not computed; the source counts them with
//!   five formulae, here it is a Sturm sequence.
//! - The convex function [Gilitschenski and Hanebeck 2012]: bodies are apart exactly when K(s) < 0 for some s in (0, 1).

use crate::answer::Unsupported;
use crate::relative_pair::{RelativePair, Solution};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Vec3, unit_or};

/// Halvings of the interval (0, 1): as many as a number has digits.
const MAX_HALVINGS: u32 = 52;

/// The number of positive roots decides. The points and the normal are those of the centre line: the test knows no others.
pub(super) fn solve_quartic(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let scaled = Scaled::new(pair, "ellipsoid-quartic")?;
    let is_apart = sturm_count(&scaled.quartic()) == 2;
    Ok(decision(pair, is_apart, &pair.centre_line(), 1))
}

/// Minimises K by bisection of its derivative and stops as soon as K is negative. Apart, the normal is that of a plane that
/// separates the bodies, and the points are the support points on either side.
pub(super) fn solve_convex(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let scaled = Scaled::new(pair, "ellipsoid-convex")?;
    let (mut low, mut high) = (0.0, 1.0);
    for iteration in 1..=MAX_HALVINGS {
        let s = 0.5 * (low + high);
        if scaled.convex(s) < 0.0 {
            let normal = scaled.separating_normal(s, pair);
            return Ok(decision(pair, true, &normal, iteration));
        }
        if scaled.convex_slope(s) < 0.0 {
            low = s;
        } else {
            high = s;
        }
    }
    Ok(decision(pair, false, &pair.centre_line(), MAX_HALVINGS))
}

fn decision(pair: &RelativePair, is_apart: bool, normal: &Vec3, iterations: u32) -> Solution {
    let distance = if is_apart { f64::INFINITY } else { f64::NEG_INFINITY };
    Solution { distance, converged: true, ..pair.unconverged(normal, iterations) }
}

/// B where A is the unit ball.
struct Scaled {
    /// Semi-axes of A.
    radii: Vec3,
    /// The axes of B as columns.
    axes: Mat3,
    /// Its squared semi-axes.
    squares: Vec3,
    /// Its centre along these axes.
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
        let into = Mat3::from_diagonal(&radii.map(f64::recip));
        let rotation = pair.pose_ab.rotation.to_rotation_matrix().into_inner();
        let root = into * rotation * Mat3::from_diagonal(&radii_b);
        let eigen = (root * root.transpose()).symmetric_eigen();
        let axes = eigen.eigenvectors;
        let centre = axes.transpose() * (into * pair.centre_b());
        Ok(Self { radii, axes, squares: eigen.eigenvalues, centre })
    }

    /// The coefficients of −det(μA + B)·Π λᵢ, the constant first. With m = 1/λ:
    ///
    /// ```text
    /// det(μA + B) = Π(μ + mᵢ) · ( Σ vᵢ²mᵢ·μ/(μ + mᵢ) − 1 − μ )
    /// ```
    fn quartic(&self) -> Vec<f64> {
        // Multiplied by λᵢ each factor is λᵢμ + 1.
        let factor = |k: usize| vec![1.0, self.squares[k]];
        let all = product(&product(&factor(0), &factor(1)), &factor(2));
        let mut sum = product(&all, &[1.0, 1.0]);
        for k in 0..3 {
            let others = product(&factor((k + 1) % 3), &factor((k + 2) % 3));
            for (place, value) in others.iter().enumerate() {
                // vᵢ²mᵢ·μ/(μ + mᵢ) times the factor λᵢμ + 1 is vᵢ²μ.
                sum[place + 1] -= self.centre[k] * self.centre[k] * value;
            }
        }
        sum
    }

    /// K(s) = 1 − Σ vᵢ² s(1 − s)/(s + λᵢ(1 − s)) [Gilitschenski and Hanebeck 2012], convex in s.
    ///
    /// The ellipsoid with the matrix S_A/(1 − s) + S_B/s contains the sum of the two for every s, since
    /// (√α + √β)² ≤ α/(1 − s) + β/s; K < 0 says that the centre of B is outside of it.
    fn convex(&self, s: f64) -> f64 {
        let terms = self.terms(|square| s * (1.0 - s) / (s + square * (1.0 - s)));
        1.0 - terms
    }

    /// K'(s) = −Σ vᵢ² (λᵢ(1 − s)² − s²)/(s + λᵢ(1 − s))².
    fn convex_slope(&self, s: f64) -> f64 {
        -self.terms(|square| {
            let below = s + square * (1.0 - s);
            (square * (1.0 - s) * (1.0 - s) - s * s) / (below * below)
        })
    }

    fn terms(&self, term: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.centre.iter().zip(&self.squares);
        pairs.map(|(v, square)| v * v * term(*square)).sum()
    }

    /// The normal of that ellipsoid towards the centre of B, frame A.
    fn separating_normal(&self, s: f64, pair: &RelativePair) -> Vec3 {
        let scaled = self
            .centre
            .zip_map(&self.squares, |v, square| v * s * (1.0 - s) / (s + square * (1.0 - s)));
        unit_or(&(self.axes * scaled).component_div(&self.radii), &pair.centre_line())
    }
}

/// The product of two polynomials, constants first.
fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}

/// How many different positive roots a polynomial has, constant first and not zero at zero: the sign changes that its Sturm
/// sequence loses between 0 and +∞.
fn sturm_count(polynomial: &[f64]) -> usize {
    let derivative: Vec<f64> =
        polynomial.iter().enumerate().skip(1).map(|(power, c)| power as f64 * c).collect();
    let mut chain = vec![polynomial.to_vec(), derivative];
    while let [.., before, last] = chain.as_slice() {
        let Some(next) = negative_remainder(before, last) else { break };
        chain.push(next);
    }
    let changes = |values: Vec<f64>| {
        let signs: Vec<bool> = values.iter().filter(|x| **x != 0.0).map(|x| *x > 0.0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let at_zero = changes(chain.iter().map(|p| p[0]).collect());
    let at_infinity = changes(chain.iter().map(|p| p[p.len() - 1]).collect());
    at_zero - at_infinity
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
    fn positive_roots_are_counted() {
        // (x − 1)(x − 2)(x + 3)(x + 4), (x² + 1)(x + 1)(x + 2), and a double root at 2.
        let roots = |list: &[f64]| list.iter().fold(vec![1.0], |p, r| product(&p, &[-r, 1.0]));
        assert_eq!(sturm_count(&roots(&[1.0, 2.0, -3.0, -4.0])), 2);
        assert_eq!(sturm_count(&product(&roots(&[-1.0, -2.0]), &[1.0, 0.0, 1.0])), 0);
        assert_eq!(sturm_count(&roots(&[2.0, 2.0, -1.0, -3.0])), 1);
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
