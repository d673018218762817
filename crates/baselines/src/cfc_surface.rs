//! Superquadrics parameterized by the gradient of their implicit function [Ruan 2022, §III-C].

use crate::answer::Unsupported;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Vec3};

/// A superquadric Ψ(x) = ( |x/a|^(2/ε_xy) + |y/b|^(2/ε_xy) )^(ε_xy/ε_z) + |z/c|^(2/ε_z) − 1, in its own frame, whose
/// semi-axes may differ between the two directions of each axis.
///
/// The gradients m = ∇Ψ(x) at surface points form a superquadric themselves, the dual, with semi-axes 2/(a ε_z) and so
/// on and exponents 2 − ε_xy and 2 − ε_z.
#[derive(Debug, Clone, Copy)]
struct Undeformed {
    /// Semi-axes towards +x, +y, +z.
    positive: Vec3,
    /// Semi-axes towards −x, −y, −z.
    negative: Vec3,
    exponent_xy: f64,
    exponent_z: f64,
}

/// A surface Ψ(M⁻¹x) = 0: a superquadric deformed linearly by M [Ruan 2022, eq. 9]. Its gradients are M⁻ᵀm, and the point with
/// the gradient m' is M·f(Mᵀm'). Angles are those of the superquadric before the deformation.
#[derive(Debug, Clone, Copy)]
pub(super) struct GradientSurface {
    undeformed: Undeformed,
    deformation: Option<Deformation>,
}

#[derive(Debug, Clone, Copy)]
struct Deformation {
    matrix: Mat3,
    transposed: Mat3,
    inverse: Mat3,
    /// M⁻ᵀ.
    onto_gradients: Mat3,
}

impl GradientSurface {
    /// The source treats ellipsoids, superquadrics and poly-ellipsoids, and their linear deformations. A tapered surface has no
    /// gradient parameterization there [Ruan 2022, §VIII].
    pub fn of(shape: &Shape) -> Result<Self, Unsupported> {
        let Shape::Mapped(mapped) = shape else {
            return Ok(Self { undeformed: Undeformed::of(shape)?, deformation: None });
        };
        let matrix = *mapped.matrix();
        let inverse = matrix.try_inverse().expect("a mapped shape has an invertible matrix");
        let (transposed, onto_gradients) = (matrix.transpose(), inverse.transpose());
        let deformation = Some(Deformation { matrix, transposed, inverse, onto_gradients });
        Ok(Self { undeformed: Undeformed::of(mapped.shape())?, deformation })
    }

    /// The gradient along any direction v [Ruan 2022, eq. 19]; not finite for v = 0.
    pub fn gradient_along(&self, v: &Vec3) -> Vec3 {
        match &self.deformation {
            Some(d) => d.onto_gradients * self.undeformed.gradient_along(&(d.transposed * v)),
            None => self.undeformed.gradient_along(v),
        }
    }

    /// The surface point with gradient m [Ruan 2022, eq. 5].
    pub fn point_at(&self, m: &Vec3) -> Vec3 {
        match &self.deformation {
            Some(d) => d.matrix * self.undeformed.point_at(&(d.transposed * m)),
            None => self.undeformed.point_at(m),
        }
    }

    /// The gradient at the angles ψ = (η, ω), with its derivatives by both.
    pub fn gradient_at_angles(&self, eta: f64, omega: f64) -> [Vec3; 3] {
        let jet = self.undeformed.gradient_at_angles(eta, omega);
        match &self.deformation {
            Some(d) => jet.map(|v| d.onto_gradients * v),
            None => jet,
        }
    }

    /// The angles of a direction from the centre: its elevation above the xy plane and its azimuth, before the deformation.
    pub fn angles_towards(&self, direction: &Vec3) -> [f64; 2] {
        let d = match &self.deformation {
            Some(deformation) => deformation.inverse * direction,
            None => *direction,
        };
        [d.z.atan2(d.xy().norm()), d.y.atan2(d.x)]
    }
}

impl Undeformed {
    fn of(shape: &Shape) -> Result<Self, Unsupported> {
        let symmetric = |radii: [f64; 3], exponent_xy: f64, exponent_z: f64| Self {
            positive: radii.into(),
            negative: radii.into(),
            exponent_xy,
            exponent_z,
        };
        match shape {
            Shape::Sphere(s) => Ok(symmetric([s.radius(); 3], 1.0, 1.0)),
            Shape::Ellipsoid(s) => Ok(symmetric(s.radii(), 1.0, 1.0)),
            Shape::Superellipsoid(s) => Ok(symmetric(s.radii(), s.exponent_xy(), s.exponent_z())),
            Shape::PolyEllipsoid(s) => {
                let [px, nx, py, ny, pz, nz] = s.radii();
                Ok(Self {
                    positive: Vec3::new(px, py, pz),
                    negative: Vec3::new(nx, ny, nz),
                    exponent_xy: 1.0,
                    exponent_z: 1.0,
                })
            }
            _ => Err(Unsupported { solver: "cfc", shape: shape.kind() }),
        }
    }

    /// The semi-axes of the octant a direction points into. A surface point and its gradient have the same signs.
    fn radii_towards(&self, dir: &Vec3) -> Vec3 {
        self.positive.zip_zip_map(
            &self.negative,
            dir,
            |positive, negative, x| {
                if x < 0.0 { negative } else { positive }
            },
        )
    }

    /// The gradient along any direction v: the map h of [Ruan 2022, eq. 19],
    ///
    /// ```text
    /// m = v / (1 + Ψ'(v))^((2 − ε_z)/2)
    /// ```
    ///
    /// with Ψ' the implicit function of the dual. Φ of eqs. 6 to 8 is the length of the same vector for the second
    /// body, written through the unit sphere; one map serves both here. Not finite for v = 0.
    fn gradient_along(&self, v: &Vec3) -> Vec3 {
        let scaled = self.radii_towards(v).component_mul(v) * (0.5 * self.exponent_z);
        let (dual_xy, dual_z) = (2.0 - self.exponent_xy, 2.0 - self.exponent_z);
        let section = scaled.x.abs().powf(2.0 / dual_xy) + scaled.y.abs().powf(2.0 / dual_xy);
        let dual = section.powf(dual_xy / dual_z) + scaled.z.abs().powf(2.0 / dual_z);
        v / dual.powf(0.5 * dual_z)
    }

    /// The surface point with gradient m [Ruan 2022, eq. 5]. With μ = (ε_z/2)(a m₁, b m₂, c m₃):
    ///
    /// ```text
    /// x = a sgn|μ₁|^(ε_xy/(2−ε_xy)) γ^((ε_z−ε_xy)/(2−ε_xy)),    y alike,    z = c sgn|μ₃|^(ε_z/(2−ε_z))
    /// γ = 1 − |μ₃|^(2/(2−ε_z))
    /// ```
    ///
    /// Evaluated as written: γ cancels towards the poles and is zero on them, where its power may be infinite. That is a
    /// property of the method under comparison.
    fn point_at(&self, m: &Vec3) -> Vec3 {
        let radii = self.radii_towards(m);
        let mu = radii.component_mul(m) * (0.5 * self.exponent_z);
        let (dual_xy, dual_z) = (2.0 - self.exponent_xy, 2.0 - self.exponent_z);
        let gamma = (1.0 - mu.z.abs().powf(2.0 / dual_z)).max(0.0);
        let section = gamma.powf((self.exponent_z - self.exponent_xy) / dual_xy);
        let power_xy = self.exponent_xy / dual_xy;
        Vec3::new(
            radii.x * signed_power(mu.x, power_xy) * section,
            radii.y * signed_power(mu.y, power_xy) * section,
            radii.z * signed_power(mu.z, self.exponent_z / dual_z),
        )
    }

    /// The gradient at the angular parameters ψ = (η, ω) of the dual, with its derivatives by η and ω:
    ///
    /// ```text
    /// m = 2/ε_z ( cos^(2−ε_z) η cos^(2−ε_xy) ω / a,  cos^(2−ε_z) η sin^(2−ε_xy) ω / b,  sin^(2−ε_z) η / c )
    /// ```
    ///
    /// where the powers keep the sign of their base. For an exponent above 1 a derivative is infinite where its sine or
    /// cosine vanishes.
    fn gradient_at_angles(&self, eta: f64, omega: f64) -> [Vec3; 3] {
        let ((sin_eta, cos_eta), (sin_omega, cos_omega)) = (eta.sin_cos(), omega.sin_cos());
        let (dual_xy, dual_z) = (2.0 - self.exponent_xy, 2.0 - self.exponent_z);
        let octant = Vec3::new(cos_eta * cos_omega, cos_eta * sin_omega, sin_eta);
        let scale = self.radii_towards(&octant).map(|radius| 2.0 / (self.exponent_z * radius));
        let (c_eta, s_eta) = (signed_power(cos_eta, dual_z), signed_power(sin_eta, dual_z));
        let (c_omega, s_omega) =
            (signed_power(cos_omega, dual_xy), signed_power(sin_omega, dual_xy));
        let d_c_eta = -dual_z * cos_eta.abs().powf(dual_z - 1.0) * sin_eta;
        let d_s_eta = dual_z * sin_eta.abs().powf(dual_z - 1.0) * cos_eta;
        let d_c_omega = -dual_xy * cos_omega.abs().powf(dual_xy - 1.0) * sin_omega;
        let d_s_omega = dual_xy * sin_omega.abs().powf(dual_xy - 1.0) * cos_omega;
        [
            Vec3::new(c_eta * c_omega, c_eta * s_omega, s_eta),
            Vec3::new(d_c_eta * c_omega, d_c_eta * s_omega, d_s_eta),
            Vec3::new(c_eta * d_c_omega, c_eta * d_s_omega, 0.0),
        ]
        .map(|v| scale.component_mul(&v))
    }
}

/// sgn(x)·|x|^power.
fn signed_power(x: f64, power: f64) -> f64 {
    x.abs().powf(power).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense_search::Random;
    use smooth_scene_geometry::{ConvexSurface, Superellipsoid, Superovoid};

    #[test]
    fn the_point_at_a_gradient_is_the_support_point_along_it() {
        let mut random = Random(5);
        for (exponent_xy, exponent_z) in [(1.0, 1.0), (0.5, 1.3), (1.6, 0.7), (0.8, 0.3)] {
            let shape = Superellipsoid::new([0.7, 1.1, 1.9], exponent_xy, exponent_z).unwrap();
            let surface = GradientSurface::of(&shape.into()).unwrap();
            for _ in 0..20 {
                let dir = Vec3::from([0.0; 3].map(|_| random.between(-1.0, 1.0)));
                let gradient = surface.gradient_along(&dir);
                let error = surface.point_at(&gradient) - shape.support(&dir).point;
                assert!(error.norm() < 1e-11, "{exponent_xy} {exponent_z} {dir:?} {error:?}");
                assert!(gradient.cross(&dir).norm() < 1e-12 * gradient.norm());
            }
        }
    }

    #[test]
    fn angles_reach_gradients_of_surface_points_and_their_derivatives_are_right() {
        let shape = Superellipsoid::new([0.7, 1.1, 1.9], 0.6, 1.4).unwrap();
        let surface = GradientSurface::of(&shape.into()).unwrap();
        for (eta, omega) in [(0.3, 0.4), (-1.1, 2.5), (0.8, -2.0)] {
            let [m, d_eta, d_omega] = surface.gradient_at_angles(eta, omega);
            assert!((surface.gradient_along(&m) - m).norm() < 1e-13, "on the dual");
            let e = 1e-6;
            let at = |eta, omega| surface.gradient_at_angles(eta, omega)[0];
            let by_eta = (at(eta + e, omega) - at(eta - e, omega)) / (2.0 * e);
            let by_omega = (at(eta, omega + e) - at(eta, omega - e)) / (2.0 * e);
            assert!((by_eta - d_eta).norm() < 1e-8 && (by_omega - d_omega).norm() < 1e-8);
        }
    }

    #[test]
    fn a_tapered_surface_is_refused_by_name() {
        let shape = Superovoid::new([1.0; 3], 1.0, 1.0, [0.1, 0.1]).unwrap();
        let error = GradientSurface::of(&shape.into()).unwrap_err();
        assert_eq!(error.to_string(), "solver cfc does not handle a superovoid");
    }
}
