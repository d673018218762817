//! How heavy is a surface filled with matter? Volumes and second moments in closed form.
//!
//! A body is described by its volume, the integral of x and the integral of x xᵀ over it; from the last the moments of
//! inertia follow as tr(S)·1 − S. Of a superovoid with semi-axes a, tapers T and exponents s = 2/ε_xy, p = 2/ε_z, cut at the
//! height z = a₃w, a section is a superellipse with semi-axes aᵢρ(w)(1 + Tᵢw), ρ(w) = (1 − |w|^p)^(1/p). With Dirichlet's
//! integral for the section and the beta function for the height
//!
//! ```text
//! D(α, β) = 4 Γ(α/s)Γ(β/s) / (s² Γ((α + β)/s + 1))              over the unit superellipse, of |x|^(α−1) |y|^(β−1)
//! M(k, m) = ∫ w^k ρ^m dw = (2/p) B((k + 1)/p, m/p + 1)           over [−1, 1], k even; 0 for odd k
//!
//! V    = a₁a₂a₃  D(1,1) [ M(0,2) + T₁T₂ M(2,2) ]
//! ∫z   = a₁a₂a₃² D(1,1) (T₁ + T₂) M(2,2)
//! ∫z²  = a₁a₂a₃³ D(1,1) [ M(2,2) + T₁T₂ M(4,2) ]
//! ∫x²  = a₁³a₂a₃ D(3,1) [ M(0,4) + 3T₁(T₁ + T₂) M(2,4) + T₁³T₂ M(4,4) ]        ∫y² with 1 and 2 exchanged
//! ```
//!
//! Without taper these are the volume and the moments of superellipsoids of [Jaklič 2000, §2.4]. A superovoid that is not
//! convex is weighed as it is, dents and all, although queries see its hull.

use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexMesh, Shape, Superovoid, tessellate_with_vertex_count};

use crate::spatial::SpatialInertia;

/// Vertices of the polyhedron that stands for a padded shape, which has no closed form.
const PADDED_VERTICES: usize = 20_000;

/// Volume of a body and the integrals of x and x xᵀ over it, in the frame of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Volume, m³.
    pub volume: f64,
    /// ∫ x, m⁴.
    pub first: Vec3,
    /// ∫ x xᵀ, m⁵.
    pub second: Mat3,
}

/// A shape that has no mass of its own.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// A half-space.
    #[error("a {kind} has no finite volume")]
    Unbounded {
        /// The kind of shape.
        kind: &'static str,
    },
    /// A mesh whose vertices span no volume.
    #[error("a {kind} is flat and has no volume")]
    Flat {
        /// The kind of shape.
        kind: &'static str,
    },
    /// A density that no matter has.
    #[error("density is {value}, must be positive and finite")]
    Density {
        /// The density.
        value: f64,
    },
}

impl Moments {
    const ZERO: Moments = Moments {
        volume: 0.0,
        first: Vec3::new(0.0, 0.0, 0.0),
        second: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Of the space inside a shape, in its frame. Parts of a compound count fully also where they overlap. Padded shapes are
    /// weighed as inscribed polyhedra of 20 000 vertices, slightly too light.
    pub fn of(shape: &Shape) -> Result<Moments, MassError> {
        Ok(match shape {
            Shape::Sphere(s) => ellipsoid([s.radius(); 3]),
            Shape::Ellipsoid(s) => ellipsoid(s.radii()),
            Shape::Superellipsoid(s) => {
                superovoid(s.radii(), s.exponent_xy(), s.exponent_z(), [0.0, 0.0])
            }
            Shape::Superovoid(s) => of_superovoid(s),
            Shape::PolyEllipsoid(s) => poly_ellipsoid(s.radii()),
            Shape::Cuboid(s) => cuboid(s.half_extents()),
            Shape::Cylinder(s) => cylinder(s.radius(), s.half_length()),
            Shape::Capsule(s) => capsule(s.radius(), s.half_length()),
            Shape::Cone(s) => cone(s.radius(), s.half_length()),
            Shape::HalfSpace(_) => return Err(MassError::Unbounded { kind: shape.kind() }),
            Shape::ConvexMesh(mesh) => of_mesh(mesh)?,
            Shape::Compound(compound) => {
                let mut sum = Moments::ZERO;
                for (pose, part) in compound.parts() {
                    sum = sum.plus(&Moments::of(part)?.posed(pose));
                }
                sum
            }
            Shape::Padded(_) => {
                let mesh = tessellate_with_vertex_count(shape, PADDED_VERTICES);
                polyhedron(&mesh.vertices, &mesh.triangles)
            }
            Shape::Mapped(s) => Moments::of(s.shape())?.mapped(s.matrix()),
        })
    }

    /// Centre of volume.
    pub fn center(&self) -> Vec3 {
        self.first / self.volume
    }

    /// The body elsewhere: with x' = Rx + t.
    pub fn posed(&self, pose: &Pose) -> Moments {
        let turned = self.mapped(&pose.rotation.to_rotation_matrix().into_inner());
        let (t, v) = (pose.translation.vector, self.volume);
        let mixed = turned.first * t.transpose();
        Moments {
            volume: v,
            first: turned.first + t * v,
            second: turned.second + mixed + mixed.transpose() + t * t.transpose() * v,
        }
    }

    /// The image under a linear map: volumes are scaled by |det M|.
    fn mapped(&self, matrix: &Mat3) -> Moments {
        let scale = matrix.determinant().abs();
        Moments {
            volume: self.volume * scale,
            first: matrix * self.first * scale,
            second: matrix * self.second * matrix.transpose() * scale,
        }
    }

    /// Two bodies that do not overlap.
    pub fn plus(&self, other: &Moments) -> Moments {
        Moments {
            volume: self.volume + other.volume,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }

    /// The inertia of the body filled with matter of this density, kg/m³, about the origin of its frame.
    pub fn filled(&self, density: f64) -> Result<SpatialInertia, MassError> {
        // Written so that NaN is refused too.
        if !(density > 0.0 && density.is_finite()) {
            return Err(MassError::Density { value: density });
        }
        let inertia = Mat3::identity() * self.second.trace() - self.second;
        Ok(SpatialInertia {
            mass: self.volume * density,
            first_moment: self.first * density,
            inertia: inertia * density,
        })
    }
}

/// A body that is symmetric about its three planes.
fn symmetric(volume: f64, squares: [f64; 3]) -> Moments {
    Moments { volume, first: Vec3::zeros(), second: Mat3::from_diagonal(&Vec3::from(squares)) }
}

fn ellipsoid(radii: [f64; 3]) -> Moments {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radii.iter().product::<f64>();
    symmetric(volume, radii.map(|a| 0.2 * volume * a * a))
}

fn cuboid(half: [f64; 3]) -> Moments {
    let volume = 8.0 * half.iter().product::<f64>();
    symmetric(volume, half.map(|e| volume * e * e / 3.0))
}

fn cylinder(radius: f64, half_length: f64) -> Moments {
    let volume = std::f64::consts::TAU * radius * radius * half_length;
    let across = 0.25 * volume * radius * radius;
    symmetric(volume, [across, across, volume * half_length * half_length / 3.0])
}

/// A cylinder and two half balls; a half ball of radius r has ∫z = πr⁴/4 from its flat side.
fn capsule(radius: f64, half_length: f64) -> Moments {
    let (r, l) = (radius, half_length);
    let middle = cylinder(r, l);
    let ball = ellipsoid([r; 3]);
    let across = middle.second[(0, 0)] + ball.second[(0, 0)];
    let lever = 2.0 * (0.25 * std::f64::consts::PI * r.powi(4)) * 2.0 * l;
    let along = middle.second[(2, 2)] + ball.second[(2, 2)] + lever + ball.volume * l * l;
    symmetric(middle.volume + ball.volume, [across, across, along])
}

/// With u = (l − z)/2l from 0 at the apex to 1 at the base, a section has the radius ru.
fn cone(radius: f64, half_length: f64) -> Moments {
    let (r, l) = (radius, half_length);
    let volume = std::f64::consts::TAU * r * r * l / 3.0;
    // ∫u²·(l − 2lu)ᵏ du over [0, 1], times 3 as ∫u² = 1/3.
    let mean_z = l * (1.0 - 2.0 * 3.0 / 4.0);
    let mean_z2 = l * l * (1.0 - 4.0 * 3.0 / 4.0 + 4.0 * 3.0 / 5.0);
    let across = volume * r * r * 3.0 / 20.0;
    let second = Mat3::from_diagonal(&Vec3::new(across, across, volume * mean_z2));
    Moments { volume, first: Vec3::new(0.0, 0.0, volume * mean_z), second }
}

/// An eighth of a ball has V = π/6, ∫x = π/16, ∫x² = π/30 and ∫xy = 1/15.
fn poly_ellipsoid(radii: [f64; 6]) -> Moments {
    use std::f64::consts::PI;
    let mut sum = Moments::ZERO;
    for octant in 0..8 {
        let sides = [octant & 1, (octant >> 1) & 1, (octant >> 2) & 1];
        let a = Vec3::from([0, 1, 2].map(|k| radii[2 * k + sides[k]]));
        let signed = Vec3::from([0, 1, 2].map(|k| a[k] * (1.0 - 2.0 * sides[k] as f64)));
        let scale = a.product();
        let mut second = signed * signed.transpose() * (scale / 15.0);
        for k in 0..3 {
            second[(k, k)] = scale * a[k] * a[k] * PI / 30.0;
        }
        let first = signed * (scale * PI / 16.0);
        sum = sum.plus(&Moments { volume: scale * PI / 6.0, first, second });
    }
    sum
}

fn of_superovoid(s: &Superovoid) -> Moments {
    superovoid(s.radii(), s.exponent_xy(), s.exponent_z(), s.taper())
}

/// See the head of the file.
fn superovoid(radii: [f64; 3], exponent_xy: f64, exponent_z: f64, taper: [f64; 2]) -> Moments {
    let [a, b, c] = radii;
    let [tx, ty] = taper;
    let gamma = libm::tgamma;
    let h = 0.5 * exponent_xy;
    let section = |alpha: f64, beta: f64| {
        4.0 * h * h * gamma(alpha * h) * gamma(beta * h) / gamma((alpha + beta) * h + 1.0)
    };
    let g = 0.5 * exponent_z;
    let height = |k: f64, m: f64| {
        let (x, y) = ((k + 1.0) * g, m * g + 1.0);
        2.0 * g * gamma(x) * gamma(y) / gamma(x + y)
    };
    let (area, square) = (section(1.0, 1.0), section(3.0, 1.0));
    let scale = a * b * c;
    let volume = scale * area * (height(0.0, 2.0) + tx * ty * height(2.0, 2.0));
    let first_z = scale * c * area * (tx + ty) * height(2.0, 2.0);
    let second_z = scale * c * c * area * (height(2.0, 2.0) + tx * ty * height(4.0, 2.0));
    let across = |own: f64, other: f64| {
        height(0.0, 4.0)
            + 3.0 * own * (own + other) * height(2.0, 4.0)
            + own.powi(3) * other * height(4.0, 4.0)
    };
    let second_x = scale * a * a * square * across(tx, ty);
    let second_y = scale * b * b * square * across(ty, tx);
    Moments {
        volume,
        first: Vec3::new(0.0, 0.0, first_z),
        second: Mat3::from_diagonal(&Vec3::new(second_x, second_y, second_z)),
    }
}

fn of_mesh(mesh: &ConvexMesh) -> Result<Moments, MassError> {
    let found = polyhedron(mesh.vertices(), mesh.triangles());
    if mesh.is_flat() || found.volume <= 0.0 {
        return Err(MassError::Flat { kind: "convex_mesh" });
    }
    Ok(found)
}

/// The divergence theorem: the sum over the tetrahedra that the triangles span with one vertex of the mesh. A tetrahedron
/// with vertices 0, a, b, c has V = det/6, ∫x = V(a + b + c)/4 and ∫xxᵀ = V(ssᵀ + aaᵀ + bbᵀ + ccᵀ)/20, s = a + b + c.
pub(crate) fn polyhedron(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Moments {
    let Some(&origin) = vertices.first() else { return Moments::ZERO };
    let mut sum = Moments::ZERO;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - origin);
        let volume = a.dot(&b.cross(&c)) / 6.0;
        let s = a + b + c;
        let squares = s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose();
        sum = sum.plus(&Moments {
            volume,
            first: s * (0.25 * volume),
            second: squares * (volume / 20.0),
        });
    }
    sum.posed(&Pose::translation(origin.x, origin.y, origin.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(a: &Moments, b: &Moments) -> f64 {
        let size = b.volume.cbrt();
        ((a.volume - b.volume).abs() / b.volume)
            .max((a.first - b.first).amax() / (b.volume * size))
            .max((a.second - b.second).amax() / (b.volume * size * size))
    }

    /// Inscribed polyhedra of n vertices miss a share of the order 1/n: extrapolated from two of them.
    fn by_polyhedra(shape: &Shape) -> Moments {
        let [coarse, fine] = [10_000, 40_000].map(|count| {
            let mesh = tessellate_with_vertex_count(shape, count);
            (mesh.vertices.len() as f64, polyhedron(&mesh.vertices, &mesh.triangles))
        });
        let [w0, w1] = [-coarse.0 / (fine.0 - coarse.0), fine.0 / (fine.0 - coarse.0)];
        Moments {
            volume: w0 * coarse.1.volume + w1 * fine.1.volume,
            first: coarse.1.first * w0 + fine.1.first * w1,
            second: coarse.1.second * w0 + fine.1.second * w1,
        }
    }

    #[test]
    fn closed_forms_agree_with_polyhedra() {
        let shapes = [
            Shape::ellipsoid([0.3, 0.5, 0.8]).unwrap(),
            Shape::superellipsoid([0.3, 0.5, 0.8], 0.7, 1.3).unwrap(),
            Shape::superellipsoid([0.3, 0.5, 0.4], 1.4, 0.6).unwrap(),
            Shape::superovoid([0.4, 0.3, 0.5], 0.8, 1.0, [0.3, -0.2]).unwrap(),
            Shape::superovoid([0.4, 0.3, 0.5], 1.0, 0.7, [0.25, 0.4]).unwrap(),
            Shape::poly_ellipsoid([0.2, 0.3, 0.4, 0.5, 0.6, 0.35]).unwrap(),
            Shape::cylinder(0.3, 0.5).unwrap(),
            Shape::capsule(0.3, 0.5).unwrap(),
            Shape::cone(0.3, 0.5).unwrap(),
        ];
        for shape in shapes {
            let found = difference(&Moments::of(&shape).unwrap(), &by_polyhedra(&shape));
            println!("{}: {found:.1e}", shape.kind());
            assert!(found < 2e-4, "{}: {found:e}", shape.kind());
        }
    }

    #[test]
    fn special_cases_are_ellipsoids_boxes_and_cylinders() {
        let radii = [0.3, 0.5, 0.8];
        let round = superovoid(radii, 1.0, 1.0, [0.0; 2]);
        assert!(difference(&round, &ellipsoid(radii)) < 1e-14);
        let poly = poly_ellipsoid([0.3, 0.3, 0.5, 0.5, 0.8, 0.8]);
        assert!(difference(&poly, &ellipsoid(radii)) < 1e-14);
        // Exponents towards zero: a box, and a cylinder when the section stays round.
        assert!(difference(&superovoid(radii, 1e-8, 1e-8, [0.0; 2]), &cuboid(radii)) < 1e-7);
        let flat = superovoid([0.3, 0.3, 0.8], 1.0, 1e-8, [0.0; 2]);
        assert!(difference(&flat, &cylinder(0.3, 0.8)) < 1e-7);
        // Exponents of two: a double pyramid of volume 4/3 abc.
        let pyramid = superovoid(radii, 2.0, 2.0, [0.0; 2]);
        assert!((pyramid.volume - 4.0 / 3.0 * 0.3 * 0.5 * 0.8).abs() < 1e-15);
        // A capsule without a middle is a ball.
        assert!(difference(&capsule(0.4, 1e-15), &ellipsoid([0.4; 3])) < 1e-14);
    }

    #[test]
    fn a_mesh_is_exact_wherever_it_is() {
        let corners: Vec<Vec3> = (0..8)
            .map(|k| Vec3::from([0, 1, 2].map(|i| if k >> i & 1 == 0 { -1.0 } else { 1.0 })))
            .map(|c| c.component_mul(&Vec3::new(0.2, 0.3, 0.4)))
            .collect();
        let shift = Pose::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.3, 0.2, -0.9));
        let moved: Vec<Vec3> =
            corners.iter().map(|c| shift.rotation * c + shift.translation.vector).collect();
        let mesh = Shape::convex_mesh(&moved).unwrap();
        let expected = cuboid([0.2, 0.3, 0.4]).posed(&shift);
        assert!(difference(&Moments::of(&mesh).unwrap(), &expected) < 1e-13);
    }

    #[test]
    fn planes_and_polygons_have_no_mass() {
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
        assert!(matches!(Moments::of(&floor), Err(MassError::Unbounded { .. })));
        let flat = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let flat = Shape::convex_mesh(&flat).unwrap();
        assert!(matches!(Moments::of(&flat), Err(MassError::Flat { .. })));
        assert!(cuboid([1.0; 3]).filled(f64::NAN).is_err());
    }
}
