//! Superellipsoids and superovoids in the two forms the common-normal solvers need: implicit and by two angles.
//!
//! Both follow A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics* (MSc thesis,
//! Instituto Superior Técnico, 2015), §2.3. The geometry layer works with support functions and has neither form.

use crate::answer::Unsupported;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Vec3, sign};

/// The superovoid of [Gonçalves 2015, eq. 10], which contains superellipsoids (taper 0), ellipsoids and spheres
/// (exponents 1 as well). Nothing is checked: the shape it comes from is valid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Superquadric {
    radii: [f64; 3],
    exponent_xy: f64,
    exponent_z: f64,
    /// `None` for the formulas of a superellipsoid, which have none.
    taper: Option<[f64; 2]>,
}

/// Which formulas a superellipsoid is computed with: representations (ii) and (iii) of [Gonçalves 2015, §6.2].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Those of a superellipsoid where the shape is one, those of a superovoid otherwise.
    Simplest,
    /// Those of a superovoid, with tapers of zero.
    Superovoid,
}

/// Point and outward unit normal at two angles, with their derivatives by the azimuth and by the zenith angle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AngleJet {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) point_rates: [Vec3; 2],
    pub(crate) normal_rates: [Vec3; 2],
}

impl Superquadric {
    /// The surface of `shape`, or why `solver` cannot use it.
    pub(crate) fn of(shape: &Shape, form: Form, solver: &'static str) -> Result<Self, Unsupported> {
        let (radii, exponent_xy, exponent_z, taper) = match shape {
            Shape::Sphere(s) => ([s.radius(); 3], 1.0, 1.0, [0.0; 2]),
            Shape::Ellipsoid(s) => (s.radii(), 1.0, 1.0, [0.0; 2]),
            Shape::Superellipsoid(s) => (s.radii(), s.exponent_xy(), s.exponent_z(), [0.0; 2]),
            Shape::Superovoid(s) => (s.radii(), s.exponent_xy(), s.exponent_z(), s.taper()),
            // Only these four have the two forms; whatever joins the list later does not.
            #[allow(unreachable_patterns)]
            other => return Err(Unsupported { solver, shape: other.kind() }),
        };
        let is_simple = form == Form::Simplest && taper == [0.0; 2];
        let taper = (!is_simple).then_some(taper);
        Ok(Self { radii, exponent_xy, exponent_z, taper })
    }

    /// Whether the formulas have a taper.
    pub(crate) fn is_tapered(&self) -> bool {
        self.taper.is_some()
    }

    /// The δ at which δ·`line` is on the surface of a superellipsoid: F + 1 is homogeneous of degree 2/ε_z.
    pub(crate) fn fraction_inside(&self, line: &Vec3) -> f64 {
        (self.implicit(line) + 1.0).powf(-0.5 * self.exponent_z)
    }

    /// The implicit function [Gonçalves 2015, eq. 10–11], zero on the surface and negative inside:
    ///
    /// ```text
    /// F(x, y, z) = ( |x/(a₁kx)|^(2/ε_xy) + |y/(a₂ky)|^(2/ε_xy) )^(ε_xy/ε_z) + |z/a₃|^(2/ε_z) − 1
    /// kx = 1 + Tx·z/a₃,    ky = 1 + Ty·z/a₃
    /// ```
    pub(crate) fn implicit(&self, point: &Vec3) -> f64 {
        let w = point.z / self.radii[2];
        let [kx, ky] = self.taper_factors(w);
        let power = 2.0 / self.exponent_xy;
        let section = (point.x / (self.radii[0] * kx)).abs().powf(power)
            + (point.y / (self.radii[1] * ky)).abs().powf(power);
        section.powf(self.exponent_xy / self.exponent_z) + w.abs().powf(2.0 / self.exponent_z) - 1.0
    }

    /// The unit vector along ∇F, F as in [`implicit`](Self::implicit). Not finite where the gradient vanishes or is
    /// infinite, as on the z axis when ε_xy < ε_z: that is a known weak spot of the implicit form, and kept.
    pub(crate) fn implicit_normal(&self, point: &Vec3) -> Vec3 {
        let [a1, a2, a3] = self.radii;
        let w = point.z / a3;
        let [kx, ky] = self.taper_factors(w);
        let (u, v) = (point.x / (a1 * kx), point.y / (a2 * ky));
        let power = 2.0 / self.exponent_xy;
        let section = u.abs().powf(power) + v.abs().powf(power);
        let scale = section.powf(self.exponent_xy / self.exponent_z - 1.0);
        let gu = scale * signed_power(u, power - 1.0);
        let gv = scale * signed_power(v, power - 1.0);
        let gw = signed_power(w, 2.0 / self.exponent_z - 1.0);
        let slope = match self.taper {
            Some([tx, ty]) => gw - gu * u * tx / kx - gv * v * ty / ky,
            None => gw,
        };
        Vec3::new(gu / (a1 * kx), gv / (a2 * ky), slope / a3).normalize()
    }

    /// The point at azimuth φ₁ and zenith angle φ₂ [Gonçalves 2015, eq. 12]. With sᵉ = sign(s)|s|ᵉ:
    ///
    /// ```text
    /// x = a₁·kx·cos^ε_xy φ₁·cos^ε_z φ₂,    y = a₂·ky·sin^ε_xy φ₁·cos^ε_z φ₂,    z = a₃·sin^ε_z φ₂
    /// ```
    pub(crate) fn point(&self, angles: [f64; 2]) -> Vec3 {
        let [(s1, c1), (s2, c2)] = angles.map(f64::sin_cos);
        let w = signed_power(s2, self.exponent_z);
        let rho = signed_power(c2, self.exponent_z);
        let [kx, ky] = self.taper_factors(w);
        Vec3::new(
            self.radii[0] * kx * signed_power(c1, self.exponent_xy) * rho,
            self.radii[1] * ky * signed_power(s1, self.exponent_xy) * rho,
            self.radii[2] * w,
        )
    }

    /// The outward unit normal at two angles: ∇F at [`point`](Self::point), simplified. For a superellipsoid it is
    /// [Gonçalves 2015, eq. 8]; the taper adds to the z component only. With the signed powers of `point`:
    ///
    /// ```text
    /// n ∥ ( cos^(2−ε_xy) φ₁·cos^(2−ε_z) φ₂/(a₁kx),  sin^(2−ε_xy) φ₁·cos^(2−ε_z) φ₂/(a₂ky),
    ///       ( sin^(2−ε_z) φ₂ − cos²φ₂·(cos²φ₁·Tx/kx + sin²φ₁·Ty/ky) )/a₃ )
    /// ```
    pub(crate) fn normal(&self, angles: [f64; 2]) -> Vec3 {
        let [(s1, c1), (s2, c2)] = angles.map(f64::sin_cos);
        let (power_xy, power_z) = (2.0 - self.exponent_xy, 2.0 - self.exponent_z);
        let rho = signed_power(c2, power_z);
        let ([kx, ky], lean) = match self.taper {
            Some([tx, ty]) => {
                let [kx, ky] = self.taper_factors(signed_power(s2, self.exponent_z));
                ([kx, ky], c2 * c2 * (c1 * c1 * tx / kx + s1 * s1 * ty / ky))
            }
            None => ([1.0; 2], 0.0),
        };
        Vec3::new(
            signed_power(c1, power_xy) * rho / (self.radii[0] * kx),
            signed_power(s1, power_xy) * rho / (self.radii[1] * ky),
            (signed_power(s2, power_z) - lean) / self.radii[2],
        )
        .normalize()
    }

    /// [`point`](Self::point) and [`normal`](Self::normal) with their derivatives, by the chain rule. Infinite where
    /// an angle is a multiple of π/2 and an exponent is below 1 (point) or above 1 (normal).
    pub(crate) fn jet(&self, angles: [f64; 2]) -> AngleJet {
        let [(s1, c1), (s2, c2)] = angles.map(f64::sin_cos);
        let [a1, a2, a3] = self.radii;
        let [tx, ty] = self.taper.unwrap_or([0.0; 2]);
        let (exy, ez) = (self.exponent_xy, self.exponent_z);

        // Height, radius of the section and direction in the section, each with its derivative.
        let (w, dw) = (signed_power(s2, ez), signed_power_rate(s2, ez) * c2);
        let (rho, drho) = (signed_power(c2, ez), -signed_power_rate(c2, ez) * s2);
        let (x, dx) = (signed_power(c1, exy), -signed_power_rate(c1, exy) * s1);
        let (y, dy) = (signed_power(s1, exy), signed_power_rate(s1, exy) * c1);
        let [kx, ky] = self.taper_factors(w);
        let (dkx, dky) = (tx * dw, ty * dw);
        let point = Vec3::new(a1 * kx * x * rho, a2 * ky * y * rho, a3 * w);
        let point_rates = [
            Vec3::new(a1 * kx * dx * rho, a2 * ky * dy * rho, 0.0),
            Vec3::new(a1 * x * (dkx * rho + kx * drho), a2 * y * (dky * rho + ky * drho), a3 * dw),
        ];

        // The same for the normal, whose powers are 2 − ε.
        let (pxy, pz) = (2.0 - exy, 2.0 - ez);
        let (q, dq) = (signed_power(c2, pz), -signed_power_rate(c2, pz) * s2);
        let (nx, dnx) = (signed_power(c1, pxy), -signed_power_rate(c1, pxy) * s1);
        let (ny, dny) = (signed_power(s1, pxy), signed_power_rate(s1, pxy) * c1);
        let (nw, dnw) = (signed_power(s2, pz), signed_power_rate(s2, pz) * c2);
        let turn = c1 * c1 * tx / kx + s1 * s1 * ty / ky;
        let dturn1 = 2.0 * c1 * s1 * (ty / ky - tx / kx);
        let dturn2 = -c1 * c1 * tx * dkx / (kx * kx) - s1 * s1 * ty * dky / (ky * ky);
        let long = Vec3::new(nx * q / (a1 * kx), ny * q / (a2 * ky), (nw - c2 * c2 * turn) / a3);
        let long_rates = [
            Vec3::new(dnx * q / (a1 * kx), dny * q / (a2 * ky), -c2 * c2 * dturn1 / a3),
            Vec3::new(
                nx * (dq - q * dkx / kx) / (a1 * kx),
                ny * (dq - q * dky / ky) / (a2 * ky),
                (dnw + 2.0 * c2 * s2 * turn - c2 * c2 * dturn2) / a3,
            ),
        ];
        let length = long.norm();
        let normal = long / length;
        let normal_rates = long_rates.map(|rate| (rate - normal * normal.dot(&rate)) / length);
        AngleJet { point, normal, point_rates, normal_rates }
    }

    fn taper_factors(&self, w: f64) -> [f64; 2] {
        match self.taper {
            Some([tx, ty]) => [1.0 + tx * w, 1.0 + ty * w],
            None => [1.0; 2],
        }
    }

    /// The angles at which [`point`](Self::point) is `point`, for points on the surface; for others those of a point of
    /// the surface nearby: the section is scaled to its own size, the height to that of the profile.
    pub(crate) fn angles(&self, point: &Vec3) -> [f64; 2] {
        let w = point.z / self.radii[2];
        let [kx, ky] = self.taper_factors(w);
        let (u, v) = (point.x / (self.radii[0] * kx), point.y / (self.radii[1] * ky));
        let root = 1.0 / self.exponent_xy;
        let azimuth = signed_power(v, root).atan2(signed_power(u, root));
        let rho = (u.abs().powf(2.0 * root) + v.abs().powf(2.0 * root)).powf(0.5 / root);
        let root = 1.0 / self.exponent_z;
        [azimuth, signed_power(w, root).atan2(rho.powf(root))]
    }
}

/// sign(x)·|x|^power.
fn signed_power(x: f64, power: f64) -> f64 {
    sign(x) * x.abs().powf(power)
}

/// The derivative of [`signed_power`] by x: power·|x|^(power − 1).
fn signed_power_rate(x: f64, power: f64) -> f64 {
    power * x.abs().powf(power - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::{ConvexSurface, Superovoid};
    use std::f64::consts::FRAC_PI_2;

    const ANGLES: [[f64; 2]; 5] = [[0.3, 0.4], [2.5, -0.9], [-1.2, 1.3], [-2.8, -0.2], [1.4, 0.7]];
    const SHAPES: [(f64, f64, [f64; 2]); 4] = [
        (1.0, 1.0, [0.0, 0.0]),
        (0.5, 1.3, [0.2, -0.1]),
        (1.6, 0.7, [-0.3, 0.4]),
        (0.8, 0.8, [0.1, 0.1]),
    ];

    fn shapes() -> impl Iterator<Item = (Shape, Superquadric)> {
        SHAPES.into_iter().map(|(exy, ez, taper)| {
            let shape = Superovoid::new([0.7, 1.1, 1.9], exy, ez, taper).unwrap().into();
            let surface = Superquadric::of(&shape, Form::Simplest, "test").unwrap();
            (shape, surface)
        })
    }

    #[test]
    fn points_by_angles_lie_on_the_implicit_surface_and_share_its_normal() {
        for (shape, surface) in shapes() {
            for angles in ANGLES {
                let point = surface.point(angles);
                assert!(surface.implicit(&point).abs() < 1e-13);
                assert!(shape.inside_outside(&point).abs() < 1e-13);
                let normal = surface.normal(angles);
                assert!((normal - surface.implicit_normal(&point)).norm() < 1e-12);
                assert!(shape.support(&normal).value >= normal.dot(&point) - 1e-12);
            }
        }
    }

    /// A composition of powers and their inverses: an angle that a power below one half flattens keeps half its digits.
    #[test]
    fn angles_of_a_point_lead_back_to_it() {
        for (_, surface) in shapes() {
            for angles in ANGLES {
                let point = surface.point(angles);
                let again = surface.point(surface.angles(&point));
                assert!((again - point).norm() < 1e-13, "{surface:?} {angles:?}");
            }
        }
    }

    #[test]
    fn a_superellipsoid_is_the_same_in_both_forms() {
        let shape = Superovoid::new([0.7, 1.1, 1.9], 0.6, 1.3, [0.0; 2]).unwrap().into();
        let forms = [Form::Simplest, Form::Superovoid];
        let [simple, general] = forms.map(|form| Superquadric::of(&shape, form, "test").unwrap());
        assert!(simple.taper.is_none() && general.taper.is_some());
        for angles in ANGLES {
            let point = simple.point(angles);
            assert_eq!(point, general.point(angles));
            assert_eq!(simple.normal(angles), general.normal(angles));
            assert_eq!(simple.implicit_normal(&point), general.implicit_normal(&point));
            assert_eq!(simple.implicit(&point), general.implicit(&point));
        }
    }

    #[test]
    fn normal_is_along_the_gradient_of_the_implicit_function() {
        for (_, surface) in shapes() {
            for angles in ANGLES {
                let point = 1.05 * surface.point(angles);
                let gradient = Vec3::from_fn(|k, _| {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-6;
                    surface.implicit(&(point + step)) - surface.implicit(&(point - step))
                });
                let normal = surface.implicit_normal(&point);
                assert!((gradient.normalize() - normal).norm() < 1e-8, "{surface:?} {angles:?}");
            }
        }
    }

    #[test]
    fn rates_are_the_derivatives_by_the_angles() {
        const STEP: f64 = 1e-6;
        for (_, surface) in shapes() {
            for angles in ANGLES {
                let jet = surface.jet(angles);
                assert!((jet.point - surface.point(angles)).norm() < 1e-14);
                assert!((jet.normal - surface.normal(angles)).norm() < 1e-14);
                for k in 0..2 {
                    let (mut low, mut high) = (angles, angles);
                    low[k] -= STEP;
                    high[k] += STEP;
                    let point = (surface.point(high) - surface.point(low)) / (2.0 * STEP);
                    let normal = (surface.normal(high) - surface.normal(low)) / (2.0 * STEP);
                    assert!((point - jet.point_rates[k]).norm() < 1e-8);
                    assert!((normal - jet.normal_rates[k]).norm() < 1e-8);
                }
            }
        }
    }

    #[test]
    fn implicit_normal_is_not_finite_on_the_z_axis_when_the_section_is_squarer_than_the_profile() {
        let shape = Superovoid::new([1.0; 3], 0.6, 1.2, [0.0; 2]).unwrap().into();
        let surface = Superquadric::of(&shape, Form::Simplest, "test").unwrap();
        assert!(!surface.implicit_normal(&Vec3::z()).norm().is_finite());
        assert!((surface.normal([0.3, FRAC_PI_2]) - Vec3::z()).norm() < 1e-10);
    }
}
