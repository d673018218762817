//! The closed-form contact space [Ruan 2022]: A is dilated by B, B shrinks to its centre, and the query becomes the
//! distance from that centre to a surface.
//!
//! The contact space Σ = ∂(A ⊕ (−B)), with B reflected in its centre, is parameterized by the gradient m of A [Ruan
//! 2022, eq. 9]. In the frame of A, with R the rotation and p the centre of B:
//!
//! ```text
//! x_Σ(m) = f_A(m) − R f_B(h_B(−Rᵀm))
//! ```
//!
//! where f maps a gradient to its surface point and h a direction to its gradient ([`GradientSurface`]). Nearest to p is
//! the point where p − x_Σ is parallel to the normal n = m/|m| (eq. 13). The condition is necessary, not sufficient:
//! overlapping bodies have several such points, and any solver below may end at any of them.

use super::cfc_distance;
use super::cfc_least_squares;
use super::cfc_surface::GradientSurface;
use super::dogleg::{self, Linearization};
use super::relative_pair::{PointPair, RelativePair, Solution, is_finite};
use super::{Answer, Unsupported};
use nalgebra::Vector2;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Change of the gradient at which the fixed-point iteration stops: δ_tol of [Ruan 2022, §V-A3].
const FIXED_POINT_TOLERANCE: f64 = 1e-12;
/// The source states no limit; its published code stops after this many.
const MAX_ITERATIONS: u32 = 100;

/// CFC-CN-FP: the common normal by fixed-point iteration without derivatives [Ruan 2022, §V-A3].
///
/// Not converged: the limit was reached, or a gradient is not finite (concentric bodies; a start whose two normals
/// cancel, as of overlapping spheres; a normal on the pole of a superquadric). The last finite gradient is returned.
pub(super) fn solve_fixed_point(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    let pair = RelativePair::new(a, pose_a, b, pose_b);
    let space = ContactSpace::new(&pair)?;
    Ok(pair.answer(fixed_point(&space)))
}

/// CFC-CN-LS: the common normal by nonlinear least squares [Ruan 2022, §V-A2].
pub(super) fn solve_least_squares(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    let pair = RelativePair::new(a, pose_a, b, pose_b);
    let space = ContactSpace::new(&pair)?;
    Ok(pair.answer(space.least_squares(cfc_least_squares::linearize)))
}

/// CFC-Dist-LS: the distance to the contact space by nonlinear least squares [Ruan 2022, §V-A1].
pub(super) fn solve_distance(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
) -> Result<Answer, Unsupported> {
    let pair = RelativePair::new(a, pose_a, b, pose_b);
    let space = ContactSpace::new(&pair)?;
    Ok(pair.answer(space.least_squares(cfc_distance::linearize)))
}

/// The contact space of a pair, frame A.
pub(super) struct ContactSpace<'a> {
    pub pair: &'a RelativePair<'a>,
    pub surface_a: GradientSurface,
    surface_b: GradientSurface,
    /// The centre of B.
    pub centre: Vec3,
}

/// A point of the contact space.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactPoint {
    /// x_Σ: where the centre of B would be if B touched A here.
    pub position: Vec3,
    /// The point of A that B would touch.
    pub on_a: Vec3,
}

/// A point of the contact space at the angles ψ = (η, ω) of the gradient, with its derivatives by η and ω.
pub(super) struct ContactJet {
    /// m(ψ), and its derivatives.
    pub gradient: Vec3,
    pub gradient_rates: [Vec3; 2],
    /// p − x_Σ(m(ψ)).
    pub gap: Vec3,
    /// The derivatives of x_Σ(m(ψ)).
    pub position_rates: [Vec3; 2],
}

impl<'a> ContactSpace<'a> {
    pub fn new(pair: &'a RelativePair<'a>) -> Result<Self, Unsupported> {
        let surface_a = GradientSurface::of(pair.a)?;
        let surface_b = GradientSurface::of(pair.b)?;
        Ok(Self { pair, surface_a, surface_b, centre: pair.centre_b() })
    }

    /// Minimises a residual over the angles, from those of the centre of B seen from A; how it stops is said in
    /// [`dogleg::minimize`].
    fn least_squares(
        &self,
        linearize: fn(&Self, &Vector2<f64>) -> Option<Linearization<3, 2>>,
    ) -> Solution {
        let found = dogleg::minimize(self.first_angles().into(), |psi| linearize(self, psi));
        Solution {
            converged: found.converged,
            ..self.solution(&self.gradient_at(found.at.into()), found.iterations)
        }
    }

    pub fn at(&self, gradient: &Vec3) -> ContactPoint {
        let on_a = self.surface_a.point_at(gradient);
        let towards_a = -self.pair.pose_ab.inverse_transform_vector(gradient);
        let on_b = self.surface_b.point_at(&self.surface_b.gradient_along(&towards_a));
        ContactPoint { position: on_a - self.pair.pose_ab * on_b, on_a }
    }

    /// The first guess of the least-squares methods: the angles of the centre of B seen from A [Ruan 2022, §V-C].
    pub fn first_angles(&self) -> [f64; 2] {
        angles_of(&self.centre)
    }

    /// The gradient at the angles ψ.
    pub fn gradient_at(&self, psi: [f64; 2]) -> Vec3 {
        self.surface_a.gradient_at_angles(psi[0], psi[1])[0]
    }

    /// With W the radii of curvature of the contact space at the normal, ∂x_Σ = W ∂m/|m|; `None` when a number is not
    /// finite.
    pub fn jet_at_angles(&self, psi: [f64; 2]) -> Option<ContactJet> {
        let [gradient, d_eta, d_omega] = self.surface_a.gradient_at_angles(psi[0], psi[1]);
        let length = gradient.norm();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let gap = self.centre - self.at(&gradient).position;
        let (_, curvature) = self.pair.support_jet(&(gradient / length));
        let gradient_rates = [d_eta, d_omega];
        let position_rates = gradient_rates.map(|rate| curvature * rate / length);
        let all = [[gap; 2], gradient_rates, position_rates];
        all.iter().flatten().all(is_finite).then_some(ContactJet {
            gradient,
            gradient_rates,
            gap,
            position_rates,
        })
    }

    /// The witness points and the signed distance at a gradient, as not converged. The distance is the length of
    /// p − x_Σ, negative when it points against the normal: the bodies overlap.
    pub fn solution(&self, gradient: &Vec3, iterations: u32) -> Solution {
        let contact = self.at(gradient);
        let gap = self.centre - contact.position;
        Solution {
            distance: gap.norm().copysign(gap.dot(gradient)),
            points: PointPair { a: contact.on_a, b: contact.on_a + gap },
            normal: gradient.normalize(),
            converged: false,
            iterations,
        }
    }
}

/// The angles (η, ω) of a direction: its elevation above the xy plane, and its azimuth.
pub(super) fn angles_of(direction: &Vec3) -> [f64; 2] {
    [direction.z.atan2(direction.xy().norm()), direction.y.atan2(direction.x)]
}

/// The iteration [Ruan 2022, eq. 17 and 18]:
///
/// ```text
/// m₀ = h(p),    m₁ = h(n₀ + unit(p − x₀)),    m_{i+1} = h(p − c_i)
/// c_i = x_i − ( (n_i − (n_i·n_{i−1})n_{i−1})·(x_i − x_{i−1}) / |n_i × n_{i−1}|² ) n_i
/// ```
///
/// c_i, the point of the line (x_i, n_i) nearest to the line before it, estimates a centre of curvature of the contact
/// space. Stops when |m_{i+1} − m_i| < [`FIXED_POINT_TOLERANCE`], the first pair of gradients included.
fn fixed_point(space: &ContactSpace) -> Solution {
    let surface = &space.surface_a;
    let mut before = surface.gradient_along(&space.centre);
    let mut x_before = space.at(&before).position;
    if !is_finite(&x_before) {
        return space.pair.unconverged(&space.pair.centre_line(), 0);
    }
    let halfway = before.normalize() + (space.centre - x_before).normalize();
    let mut gradient = surface.gradient_along(&halfway);
    for iteration in 0..MAX_ITERATIONS {
        if (gradient - before).norm() < FIXED_POINT_TOLERANCE {
            return Solution { converged: true, ..space.solution(&gradient, iteration) };
        }
        let x = space.at(&gradient).position;
        if !is_finite(&x) {
            return space.solution(&before, iteration);
        }
        let (n, n_before) = (gradient.normalize(), before.normalize());
        let turned = n - n.dot(&n_before) * n_before;
        let radius = turned.dot(&(x - x_before)) / n.cross(&n_before).norm_squared();
        let next = surface.gradient_along(&(space.centre - x + radius * n));
        (before, x_before) = (gradient, x);
        gradient = next;
    }
    let last = if is_finite(&gradient) { gradient } else { before };
    space.solution(&last, MAX_ITERATIONS)
}

#[cfg(test)]
mod tests {
    use super::super::Solver;
    use super::super::dense_search::{APART, OVERLAPPING, Random, Tally, ellipsoid, sphere};
    use super::*;

    type Solve = fn(&Shape, &Pose, &Shape, &Pose) -> Result<Answer, Unsupported>;
    const ALL: [Solve; 3] = [solve_fixed_point, solve_least_squares, solve_distance];

    #[test]
    fn spheres_apart_have_the_distance_of_their_centres_less_the_radii() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [7.0; 3]), sphere(0.5, [9.0, 9.0, 8.0]));
        for solve in ALL {
            let answer = solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.converged && (answer.distance - 1.5).abs() < 1e-12, "{answer:?}");
            assert!((answer.normal_ab_w - Vec3::new(2.0, 2.0, 1.0) / 3.0).norm() < 1e-8);
        }
    }

    #[test]
    fn aligned_ellipsoids_meet_on_their_common_axis() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [0.0; 3]);
        let (b, pose_b) = ellipsoid([1.5, 0.5, 2.5], [0.0, -4.0, 0.0]);
        for solve in ALL {
            let answer = solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.converged && (answer.distance - 1.5).abs() < 1e-12, "{answer:?}");
            assert!((answer.point_a_w + 2.0 * Vec3::y()).norm() < 1e-8);
        }
    }

    #[test]
    fn all_agree_with_a_dense_search_apart() {
        for solver in [Solver::CfcFixedPoint, Solver::CfcLeastSquares, Solver::CfcDistance] {
            let tally = Tally::of(solver, APART, 40);
            assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
            assert!(tally.worst < 1e-12);
        }
    }

    #[test]
    fn overlapping_bodies_are_mostly_right_but_often_a_local_depth_by_common_normal_least_squares()
    {
        for solver in [Solver::CfcFixedPoint, Solver::CfcDistance] {
            let tally = Tally::of(solver, OVERLAPPING, 40);
            assert!(tally.wrong + tally.unconverged <= 4, "{solver:?} {tally:?}");
        }
        let least_squares = Tally::of(Solver::CfcLeastSquares, OVERLAPPING, 40);
        assert!((1..=20).contains(&least_squares.wrong), "{least_squares:?}");
    }

    #[test]
    fn the_derivatives_of_the_contact_space_by_its_angles_are_right() {
        let mut random = Random(8);
        let (a, b) = (random.mild_superellipsoid(), random.mild_superellipsoid());
        let (pose_a, pose_b) = (random.pose(0.1), random.pose(3.0));
        let pair = RelativePair::new(&a, &pose_a, &b, &pose_b);
        let space = ContactSpace::new(&pair).unwrap();
        let e = 1e-6;
        for [eta, omega] in [[0.3, 0.4], [-1.1, 2.5], [0.8, -2.0]] {
            let jet = space.jet_at_angles([eta, omega]).unwrap();
            let gap = |eta, omega| space.jet_at_angles([eta, omega]).unwrap().gap;
            let by_eta = (gap(eta - e, omega) - gap(eta + e, omega)) / (2.0 * e);
            let by_omega = (gap(eta, omega - e) - gap(eta, omega + e)) / (2.0 * e);
            assert!((by_eta - jet.position_rates[0]).norm() < 1e-7, "{eta} {omega}");
            assert!((by_omega - jet.position_rates[1]).norm() < 1e-7, "{eta} {omega}");
        }
    }

    #[test]
    fn fixed_point_admits_that_two_opposite_first_normals_leave_it_nothing_to_go_on() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.0, 0.0, 1.0]));
        let answer = solve_fixed_point(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(!answer.converged && answer.distance == -0.5, "{answer:?}");
    }

    #[test]
    fn concentric_bodies_are_answered_with_finite_numbers() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [1.0; 3]);
        let (b, pose_b) = ellipsoid([0.5, 0.7, 0.6], [1.0; 3]);
        for solve in ALL {
            let answer = solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.distance.is_finite() && answer.point_a_w.norm().is_finite());
        }
        assert!(!solve_fixed_point(&a, &pose_a, &b, &pose_b).unwrap().converged);
    }
}
