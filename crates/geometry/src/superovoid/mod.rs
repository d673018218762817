//! Superovoids: superellipsoids whose cross-section shrinks or grows linearly along z.

mod height;
mod hull;
mod profile;

use self::height::{Profile, Section};
use crate::convexity::{dent_height, is_convex};
use crate::dual_norm::DualNorm;
use crate::error::{ShapeError, check_exponent, check_radii};
use crate::math::{Mat3, Vec3};
use crate::p_norm::{farthest_square, p_norm};
use crate::rolling_radius::rolling_radius;
use crate::surface::{ConvexSurface, FLAT_RADIUS, Support, SupportJet, rank_two};

/// The superovoid [Gonçalves 2017]: a [`Superellipsoid`](super::Superellipsoid) with tapered cross-section,
/// a₁ → a₁(1 + Tx·z/a₃) and a₂ → a₂(1 + Ty·z/a₃), |T| < 1.
///
/// At height w = z/a₃ the section is a superellipse scaled by ρ(w) = (1 − |w|^p)^(1/p), p = 2/ε_z, so with bᵢ(w) the
/// tapered semi-axes and N the dual norm of the section,
///
/// ```text
/// h(n) = max over w in [−1, 1] of  g(w) = a₃n₃·w + ρ(w)·N(w),    N(w) = N_xy(b₁|n₁|, b₂|n₂|)
/// ```
///
/// Not every superovoid is convex. One that is not answers every query for its convex hull, which is what h describes,
/// and says so through [`is_convex`](Self::is_convex).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superovoid {
    radii: [f64; 3],
    exponent_xy: f64,
    exponent_z: f64,
    taper: [f64; 2],
    convex: bool,
    dent: Option<Dent>,
    /// See [`rolling_radius`].
    rolling_radius: f64,
}

/// The height on both sides of the middle beyond which the profile is not dented, with ρ and σ there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dent {
    /// Height w, in units of the third radius.
    pub w: f64,
    /// Radius ρ of the profile at that height.
    pub rho: f64,
    /// Slope σ = (w/ρ)^(p−1) of the profile's normal there.
    pub sigma: f64,
}

/// The highest point along a direction.
struct Highest {
    profile: Profile,
    section: Section,
    /// E' there.
    derivative: f64,
    /// How much farther the hull may reach; zero in all but degenerate cases.
    hidden: f64,
}

impl Superovoid {
    /// A superovoid with semi-axes in metres, squareness in (0, 2) and taper in (−1, 1). A surface that is not convex
    /// is accepted and stands for its convex hull.
    pub fn new(
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
        taper: [f64; 2],
    ) -> Result<Self, ShapeError> {
        check_radii("superovoid", radii)?;
        check_exponent("superovoid", "exponent_xy", exponent_xy)?;
        check_exponent("superovoid", "exponent_z", exponent_z)?;
        for (field, value) in [("taper[0]", taper[0]), ("taper[1]", taper[1])] {
            // Written so that NaN is refused too.
            if !(value > -1.0 && value < 1.0) {
                let range = "in the open interval (-1, 1)";
                return Err(ShapeError::OutOfRange { shape: "superovoid", field, value, range });
            }
        }
        let convex = is_convex(exponent_xy, exponent_z, taper);
        let rolling_radius = rolling_radius(radii, exponent_xy, exponent_z, taper);
        let mut shape =
            Self { radii, exponent_xy, exponent_z, taper, convex, dent: None, rolling_radius };
        if !convex {
            shape.dent = shape.dent_of(0.25);
        }
        Ok(shape)
    }

    /// As [`new`](Self::new), but refuses a surface that is not convex.
    pub fn new_convex(
        radii: [f64; 3],
        exponent_xy: f64,
        exponent_z: f64,
        taper: [f64; 2],
    ) -> Result<Self, ShapeError> {
        let shape = Self::new(radii, exponent_xy, exponent_z, taper)?;
        if shape.convex {
            return Ok(shape);
        }
        Err(ShapeError::NotConvex { exponent_xy, exponent_z, taper })
    }

    /// The semi-axes along x, y (both at mid-height) and z.
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

    /// Relative growth of the x and y radii from mid-height to the top.
    #[inline]
    pub fn taper(&self) -> [f64; 2] {
        self.taper
    }

    /// Whether the surface is convex; if not, queries answer for its convex hull.
    #[inline]
    pub fn is_convex(&self) -> bool {
        self.convex
    }

    /// Where the dents of a body that is not convex end for certain, if that is known.
    #[inline]
    pub fn dent(&self) -> Option<Dent> {
        self.dent
    }

    /// The same along directions whose sections have λ(1 − λ) of at most `mixed` within the dent.
    pub fn dent_of(&self, mixed: f64) -> Option<Dent> {
        let w = dent_height(self.exponent_xy, self.exponent_z, self.taper, mixed)?;
        let Profile { rho, sigma, .. } = self.profile_at(w);
        Some(Dent { w, rho, sigma })
    }

    pub(crate) fn norm_xy(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_xy)
    }

    pub(crate) fn norm_z(&self) -> DualNorm {
        DualNorm::of_exponent(self.exponent_z)
    }

    /// Semi-axes of the section plane at height w.
    fn tapered(&self, w: f64) -> [f64; 2] {
        [self.radii[0] * (1.0 + self.taper[0] * w), self.radii[1] * (1.0 + self.taper[1] * w)]
    }

    /// The highest point along `dir`. `None` at the poles, where the
    /// section shrinks to a point.
    fn highest(&self, dir: &Vec3) -> Option<Highest> {
        let c = self.radii[2] * dir.z;
        let n = self.section(dir, 0.0).jet.value;
        if n <= 1e-150 * c.abs() {
            return None;
        }
        if self.convex {
            let (profile, section, derivative) =
                self.stationary(dir, c / n, f64::NEG_INFINITY, f64::INFINITY);
            return Some(Highest { profile, section, derivative, hidden: 0.0 });
        }
        Some(self.highest_of_hull(dir, c))
    }

    fn pole(&self, dir: &Vec3) -> Support {
        let a3 = self.radii[2];
        Support { value: a3 * dir.z.abs(), point: Vec3::new(0.0, 0.0, a3.copysign(dir.z)) }
    }

    fn support_at(&self, dir: &Vec3, highest: &Highest) -> Support {
        let Highest { profile, section, hidden, .. } = highest;
        let b = self.tapered(profile.w);
        let a3 = self.radii[2];
        Support {
            value: a3 * dir.z * profile.w + profile.rho * section.jet.value + hidden,
            point: Vec3::new(
                (b[0] * profile.rho * section.jet.du).copysign(dir.x),
                (b[1] * profile.rho * section.jet.dv).copysign(dir.y),
                a3 * profile.w,
            ),
        }
    }
}

impl ConvexSurface for Superovoid {
    fn support(&self, dir: &Vec3) -> Support {
        match self.highest(dir) {
            Some(highest) => self.support_at(dir, &highest),
            None => self.pole(dir),
        }
    }

    /// By the implicit function theorem at the optimal height w*:
    ///
    /// ```text
    /// ∇²h = ∂²g/∂n² + s sᵀ / (−∂²g/∂w²),    s = ∂²g/∂n∂w,    −∂²g/∂w² = E'(σ) / (dw/dσ)
    /// ```
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let Some(highest) = self.highest(dir) else {
            let Support { value, point } = self.pole(dir);
            return SupportJet { value, point, hessian: self.pole_hessian(dir.z) };
        };
        let Support { value, point } = self.support_at(dir, &highest);
        let Highest { profile, section, derivative, .. } = highest;
        let b = self.tapered(profile.w);
        let [a1, a2, a3] = self.radii;
        let [tx, ty] = self.taper;
        let Section { u, jet, kappa, turn, m, .. } = section;
        let (sx, sy) = (1f64.copysign(dir.x), 1f64.copysign(dir.y));
        let rho = profile.rho;
        let t = Vec3::new(sx * b[0] * (u[1] / m), -sy * b[1] * (u[0] / m), 0.0);
        // Divided by 1 + |σ|: σ is unbounded towards the poles, s/(1 + |σ|) is not.
        let scale = 1.0 + profile.sigma.abs();
        let bend = rho * kappa * turn;
        let s = Vec3::new(
            sx * (jet.du * (rho * a1 * tx - profile.sigma * b[0]) + bend * b[0] * (u[1] / m)),
            sy * (jet.dv * (rho * a2 * ty - profile.sigma * b[1]) - bend * b[1] * (u[0] / m)),
            a3,
        ) / scale;
        let flattest = FLAT_RADIUS / value;
        let beta = (profile.dw * scale) / derivative * scale;
        // A curvature that vanishes or cannot be computed means a flat spot.
        let beta = if beta >= 0.0 && beta < flattest { beta } else { flattest };
        SupportJet { value, point, hessian: rank_two(rho * kappa, &t, beta, &s) }
    }

    fn inside_outside(&self, point: &Vec3) -> f64 {
        let w = point.z / self.radii[2];
        let b = self.tapered(w.clamp(-1.0, 1.0));
        let r = p_norm(point.x / b[0], point.y / b[1], 2.0 / self.exponent_xy);
        p_norm(r, w, 2.0 / self.exponent_z) - 1.0
    }

    fn min_radius_of_curvature(&self) -> f64 {
        self.rolling_radius
    }

    /// The largest a₃²w² + ρ²·(farthest point of the section)², from samples in w. The samples are dense enough for a
    /// relative error far below the factor added at the end.
    fn bounding_radius(&self) -> f64 {
        const SAMPLES: usize = 64;
        let mut farthest = self.radii[2] * self.radii[2];
        for k in 0..=SAMPLES {
            let w = 2.0 * k as f64 / SAMPLES as f64 - 1.0;
            // Upper bound on the cell around w: the widest section radius times the largest ρ in the cell.
            let half = 1.0 / SAMPLES as f64;
            let (inner, outer) = ((w.abs() - half).max(0.0), (w.abs() + half).min(1.0));
            let p = 2.0 / self.exponent_z;
            let rho = libm::exp(libm::log1p(-libm::pow(inner, p)) / p);
            let (low, high) = (self.tapered(w - half), self.tapered(w + half));
            let b = [low[0].max(high[0]), low[1].max(high[1])];
            let section = farthest_square(b[0] * b[0], b[1] * b[1], self.exponent_xy);
            farthest = farthest.max((self.radii[2] * outer).powi(2) + rho * rho * section);
        }
        farthest.sqrt()
    }
}

impl Superovoid {
    /// As for the superellipsoid, with the semi-axes of the end that `z` points to.
    fn pole_hessian(&self, z: f64) -> Mat3 {
        let b = self.tapered(1f64.copysign(z));
        let diagonal = if self.exponent_z < 1.0 {
            Vec3::new(b[0], b[1], 0.0) * FLAT_RADIUS
        } else if self.exponent_z > 1.0 {
            Vec3::zeros()
        } else {
            Vec3::new(b[0] * b[0], b[1] * b[1], 0.0) / self.radii[2]
        };
        Mat3::from_diagonal(&diagonal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superellipsoid;

    const DIRS: [[f64; 3]; 5] = [
        [0.3, -0.5, 0.8],
        [-0.9, 0.2, 0.1],
        [0.1, 0.7, -0.6],
        [-0.4, -0.4, -0.4],
        [0.01, 0.02, 0.99],
    ];

    #[test]
    fn without_taper_it_is_the_superellipsoid() {
        for (exy, ez) in [(0.3, 0.4), (1.0, 1.0), (1.6, 0.5), (0.7, 1.7)] {
            let ovoid = Superovoid::new([0.7, 1.1, 1.9], exy, ez, [0.0, 0.0]).unwrap();
            let ellipsoid = Superellipsoid::new([0.7, 1.1, 1.9], exy, ez).unwrap();
            assert!(ovoid.is_convex());
            assert_eq!(ovoid.min_radius_of_curvature(), ellipsoid.min_radius_of_curvature());
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let (a, b) = (ovoid.support_jet(&dir), ellipsoid.support_jet(&dir));
                assert!((a.value - b.value).abs() < 1e-14);
                assert!((a.point - b.point).norm() < 1e-13);
                assert!((a.hessian - b.hessian).norm() < 1e-11 * b.hessian.norm());
            }
        }
    }

    #[test]
    fn support_value_is_the_maximum_over_a_dense_sampling_of_the_surface() {
        for (exy, ez, taper) in [
            (1.0, 0.8, [-0.1, -0.1]),
            (0.3, 0.4, [0.4, -0.3]),
            (1.6, 1.5, [0.3, 0.4]),
            (0.6, 1.8, [0.9, 0.9]),
            (1.2, 1.0, [-0.9, 0.2]),
        ] {
            let shape = Superovoid::new([0.7, 1.1, 1.9], exy, ez, taper).unwrap();
            let [a1, a2, a3] = shape.radii();
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let support = shape.support(&dir);
                assert!(shape.inside_outside(&support.point).abs() < 1e-12);
                let mut highest = f64::NEG_INFINITY;
                for i in 0..=2000 {
                    let eta = (i as f64 / 1000.0 - 1.0) * std::f64::consts::FRAC_PI_2;
                    let w = eta.sin().abs().powf(ez).copysign(eta);
                    let rho = eta.cos().abs().powf(ez);
                    for j in 0..1000 {
                        let omega = j as f64 * std::f64::consts::TAU / 1000.0;
                        let c = omega.cos().abs().powf(exy).copysign(omega.cos());
                        let s = omega.sin().abs().powf(exy).copysign(omega.sin());
                        let point = Vec3::new(
                            a1 * (1.0 + taper[0] * w) * rho * c,
                            a2 * (1.0 + taper[1] * w) * rho * s,
                            a3 * w,
                        );
                        highest = highest.max(point.dot(&dir));
                    }
                }
                assert!(highest <= support.value + 1e-13, "{highest} {support:?}");
                assert!(highest > support.value - 2e-4, "{highest} {support:?}");
            }
        }
    }

    #[test]
    fn hessian_is_the_derivative_of_the_support_point() {
        for (exy, ez, taper) in [
            (1.0, 0.8, [-0.1, -0.1]),
            (0.5, 1.2, [0.3, -0.2]),
            (1.6, 1.5, [0.3, 0.4]),
            (1.3, 1.0, [0.5, 0.1]),
        ] {
            let shape = Superovoid::new([0.7, 1.1, 1.9], exy, ez, taper).unwrap();
            for dir in DIRS {
                let dir = Vec3::from(dir).normalize();
                let jet = shape.support_jet(&dir);
                for k in 0..3 {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-6;
                    let difference = (shape.support(&(dir + step)).point
                        - shape.support(&(dir - step)).point)
                        / 2e-6;
                    let error = (difference - jet.hessian.column(k)).norm();
                    assert!(error < 3e-6 * jet.hessian.norm(), "{exy} {ez} {dir:?} {error}");
                }
            }
        }
    }

    #[test]
    fn the_strict_constructor_names_the_parameters_of_a_dented_surface() {
        let error = Superovoid::new_convex([1.0; 3], 0.8, 0.5, [0.3, -0.3]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "superovoid with exponent_xy 0.8, exponent_z 0.5, taper [0.3, -0.3] is not convex"
        );
        let error = Superovoid::new([1.0; 3], 0.8, 0.5, [1.0, 0.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "superovoid: taper[0] is 1, must be in the open interval (-1, 1)"
        );
    }
}
