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

use crate::answer::Unsupported;
use crate::cfc_surface::GradientSurface;
use crate::dogleg::{self, Linearization};
use crate::relative_pair::{PointPair, RelativePair, Solution, is_finite};
use nalgebra::Vector2;
use smooth_scene_geometry::math::Vec3;

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
    pub fn least_squares(
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
        self.surface_a.angles_towards(&self.centre)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;

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
}
