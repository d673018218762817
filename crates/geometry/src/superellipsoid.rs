//! Superellipsoids.

use super::dual_norm::DualNorm;
use super::error::{ShapeError, check_exponent, check_radii};
use super::p_norm::{bounding_radius, p_norm};
use super::rolling_radius::rolling_radius;
use super::surface::{ConvexSurface, FLAT_RADIUS, Support, SupportJet, rank_two};
use crate::math::{Mat3, Vec3};

/// The superellipsoid [Barr 1981; Jaklič 2000, eq. 2.10]
///
/// ```text
/// F(x) = ( |x/a₁|^(2/ε_xy) + |y/a₂|^(2/ε_xy) )^(ε_xy/ε_z) + |z/a₃|^(2/ε_z) = 1,    0 < ε < 2
/// ```
///
/// F^(ε_z/2) is a nest of two norms, so the support function is the nest of their duals. With uᵢ = aᵢ|nᵢ| and the
/// dual norms N(u, v) = (u^q + v^q)^(1/q), q = 2/(2 − ε), of the two planes:
///
/// ```text
/// r = N_xy(u₁, u₂),    h(n) = N_z(r, u₃)
/// ```
///
/// Squareness 1 is round, towards 0 a box or cylinder, towards 2 a double cone or octahedron. Published work numbers
/// the two exponents in either order; here they are named after the plane they act in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superellipsoid {
    radii: [f64; 3],
    exponent_xy: f64,
    exponent_z: f64,
    /// See [`rolling_radius`]; kept because it takes powers and every deep contact asks for it.
    rolling_radius: f64,
}

impl Superellipsoid {
    /// A superellipsoid with semi-axes in metres and squareness in [`EXPONENT_RANGE`](super::EXPONENT_RANGE).
    pub fn new(radii: [f64; 3], exponent_xy: f64, exponent_z: f64) -> Result<Self, ShapeError> {
        check_radii("superellipsoid", radii)?;
        check_exponent("superellipsoid", "exponent_xy", exponent_xy)?;
        check_exponent("superellipsoid", "exponent_z", exponent_z)?;
        let rolling_radius = rolling_radius(radii, exponent_xy, exponent_z, [0.0; 2]);
        Ok(Self { radii, exponent_xy, exponent_z, rolling_radius })
    }

    /// The semi-axes along x, y and z.
    #[inline]
    pub fn radii(&self) -> [f64; 3] {
        self.radii
    }

    /// Squareness of the cross-sections at constant z.
    #[inline]
    pub fn exponent_xy(&self) -> f64 {
        self.exponent_xy
    }

    /// Squareness of the profile along z.
    #[inline]
    pub fn exponent_z(&self) -> f64 {
        self.exponent_z
    }

    pub(crate) fn norm_xy(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_xy)
    }

    pub(crate) fn norm_z(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_z)
    }
}

impl ConvexSurface for Superellipsoid {
    fn support(&self, dir: &Vec3) -> Support {
        let [a1, a2, a3] = self.radii;
        let inner = self.norm_xy().jet(a1 * dir.x.abs(), a2 * dir.y.abs());
        let outer = self.norm_z().jet(inner.value, a3 * dir.z.abs());
        Support {
            value: outer.value,
            point: Vec3::new(
                (a1 * outer.du * inner.du).copysign(dir.x),
                (a2 * outer.du * inner.dv).copysign(dir.y),
                (a3 * outer.dv).copysign(dir.z),
            ),
        }
    }

    /// The Hessian follows from the chain rule; in the scaled variables u it is
    ///
    /// ```text
    /// ∂N_z/∂r · κ_xy t tᵀ + κ_z s sᵀ,    t = (u₂, −u₁, 0),    s = (u₃ ∂r/∂u₁, u₃ ∂r/∂u₂, −r)
    /// ```
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let [a1, a2, a3] = self.radii;
        let (norm_xy, norm_z) = (self.norm_xy(), self.norm_z());
        let (u1, u2, u3) = (a1 * dir.x.abs(), a2 * dir.y.abs(), a3 * dir.z.abs());
        let inner = norm_xy.jet(u1, u2);
        let r = inner.value;
        let outer = norm_z.jet(r, u3);
        let (s1, s2, s3) = (a1.copysign(dir.x), a2.copysign(dir.y), a3.copysign(dir.z));
        let point = Vec3::new(s1 * outer.du * inner.du, s2 * outer.du * inner.dv, s3 * outer.dv);
        // So near to a pole that the curvature of the section, 1/r, would leave the range of f64.
        if r <= 1e-150 * u3 {
            return SupportJet { value: outer.value, point, hessian: self.pole_hessian() };
        }
        let m = u1.max(u2);
        let t = Vec3::new(s1 * (u2 / m), -s2 * (u1 / m), 0.0);
        let big = r.max(u3);
        let (z, rho) = (u3 / big, r / big);
        let s = Vec3::new(s1 * inner.du * z, s2 * inner.dv * z, -s3 * rho);
        let alpha = outer.du * norm_xy.curvature(u1, u2, &inner);
        let beta = norm_z.curvature(r, u3, &outer);
        SupportJet { value: outer.value, point, hessian: rank_two(alpha, &t, beta, &s) }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        let [a1, a2, a3] = self.radii;
        let r = p_norm(point.x / a1, point.y / a2, 2.0 / self.exponent_xy);
        p_norm(r, point.z / a3, 2.0 / self.exponent_z) - 1.0
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.rolling_radius
    }

    fn bounding_radius(&self) -> f64 {
        bounding_radius(self.radii, self.exponent_xy, self.exponent_z)
    }
}

impl Superellipsoid {
    /// The Hessian at n = ±z, where the cross-section shrinks to a point: flat for ε_z < 1, a vertex for ε_z > 1, and
    /// for ε_z = 1 that of the ellipsoid with the same semi-axes (the exact limit when ε_xy = 1 too).
    fn pole_hessian(&self) -> Mat3 {
        let [a1, a2, a3] = self.radii;
        let diagonal = if self.exponent_z < 1.0 {
            Vec3::new(a1, a2, 0.0) * FLAT_RADIUS
        } else if self.exponent_z > 1.0 {
            Vec3::zeros()
        } else {
            Vec3::new(a1 * a1 / a3, a2 * a2 / a3, 0.0)
        };
        Mat3::from_diagonal(&diagonal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<Superellipsoid> {
        let mut all = Vec::new();
        for exponent_xy in [0.3, 1.0, 1.7] {
            for exponent_z in [0.4, 1.0, 1.6] {
                all.push(Superellipsoid::new([0.7, 1.1, 1.9], exponent_xy, exponent_z).unwrap());
            }
        }
        all
    }

    const DIRS: [[f64; 3]; 4] =
        [[0.3, -0.5, 0.8], [-0.9, 0.2, 0.1], [0.1, 0.7, -0.6], [-0.4, -0.4, -0.4]];

    #[test]
    fn support_point_is_on_the_surface_and_has_the_support_value() {
        for shape in shapes() {
            for dir in DIRS {
                let dir = Vec3::from(dir);
                let support = shape.support(&dir);
                assert!(shape.inside_outside(&support.point).abs() < 1e-13);
                assert!((support.point.dot(&dir) - support.value).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn hessian_is_the_derivative_of_the_support_point() {
        for shape in shapes() {
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let jet = shape.support_jet(&dir);
                for k in 0..3 {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-6;
                    let difference = (shape.support(&(dir + step)).point
                        - shape.support(&(dir - step)).point)
                        / 2e-6;
                    assert!(
                        (difference - jet.hessian.column(k)).norm() < 1e-6 * jet.hessian.norm()
                    );
                }
            }
        }
    }

    #[test]
    fn equal_to_the_ellipsoid_when_both_exponents_are_one() {
        let shape = Superellipsoid::new([0.5, 1.5, 2.5], 1.0, 1.0).unwrap();
        let ellipsoid = super::super::ellipsoid::Ellipsoid::new([0.5, 1.5, 2.5]).unwrap();
        for dir in [Vec3::new(0.6, 0.0, 0.8), Vec3::z(), -Vec3::x(), Vec3::new(0.48, -0.64, 0.6)] {
            let (a, b) = (shape.support_jet(&dir), ellipsoid.support_jet(&dir));
            assert!((a.value - b.value).abs() < 1e-15 && (a.point - b.point).norm() < 1e-15);
            assert!((a.hessian - b.hessian).norm() < 1e-14);
        }
    }

    #[test]
    fn bounding_radius_is_reached_and_never_exceeded() {
        for shape in shapes() {
            let radius = shape.bounding_radius();
            let mut farthest: f64 = 0.0;
            for i in 0..400 {
                for j in 0..400 {
                    let (phi, z) = (i as f64 * 0.0157, j as f64 / 200.0 - 0.9975);
                    let rho = (1.0 - z * z).sqrt();
                    let dir = Vec3::new(rho * phi.cos(), rho * phi.sin(), z);
                    farthest = farthest.max(shape.support(&dir).point.norm());
                }
            }
            assert!(farthest <= radius * (1.0 + 1e-14) && farthest > radius * 0.995);
        }
    }

    #[test]
    fn the_bound_on_the_radius_of_curvature_holds() {
        use super::super::testing::smallest_sampled_radius;
        for radii in [[1.0; 3], [0.7, 1.1, 1.9], [2.0, 0.3, 0.9], [1.0, 1.0, 0.1]] {
            for exponent_xy in [0.1, 0.3, 0.7, 1.0] {
                for exponent_z in [0.1, 0.4, 0.8, 1.0] {
                    let shape = Superellipsoid::new(radii, exponent_xy, exponent_z).unwrap();
                    let bound = shape.min_radius_of_curvature();
                    let sampled = smallest_sampled_radius(&shape);
                    assert!(bound > 0.0 && bound <= sampled * (1.0 + 1e-9), "{shape:?}");
                    // Not tight away from the ellipsoid, but of the right order.
                    assert!(sampled < 40.0 * bound, "{bound} {sampled} {shape:?}");
                }
            }
        }
        let sharp = Superellipsoid::new([1.0; 3], 1.2, 0.5).unwrap();
        assert_eq!(sharp.min_radius_of_curvature(), 0.0);
        let round = Superellipsoid::new([0.5, 1.5, 2.5], 1.0, 1.0).unwrap();
        assert!((round.min_radius_of_curvature() - 0.1).abs() < 1e-15);
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        let error = Superellipsoid::new([1.0, f64::NAN, 1.0], 1.0, 1.0).unwrap_err();
        assert_eq!(error.to_string(), "superellipsoid: radii[1] is NaN, must be in [1e-9, 1e6] m");
        let error = Superellipsoid::new([1.0; 3], 1.0, 2.0).unwrap_err();
        assert_eq!(error.to_string(), "superellipsoid: exponent_z is 2, must be in [0.001, 1.999]");
    }
}
