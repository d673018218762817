//! How the answer of a distance query changes when the bodies move: gradients, curvatures, and the derivatives of the
//! normal and the witnesses.
//!
//! Let B be displaced by τ and turned by the rotation vector φ about its own origin o_B, both in the world frame. At the
//! optimal normal n, with p and q the witnesses on A and B, W_A and W_B the radii of curvature there, r_B = q − o_B:
//!
//! **Gradient.** By the envelope theorem only the explicit dependence of f on the pose counts,
//!
//! ```text
//! ∂d/∂τ = n,    ∂d/∂φ = r_B × n        and for A, with r_A = p − o_A:   −n,   −r_A × n
//! ```
//!
//! **Normal and witnesses.** The optimum satisfies q − p = d·n. Its differential, with dp = W_A dn and, because B sees
//! the direction −Rᵀn, dq = τ + φ × r_B − W_B(dn − φ × n), projected on the tangent plane by P = I − n nᵀ, is
//!
//! ```text
//! (W_A + W_B + d·I) dn = P(τ + φ × r_B) + W_B(φ × n)
//! ```
//!
//! The matrix is minus the Hessian of f on the sphere: positive definite at an isolated maximum (implicit function
//! theorem). Where it is not (two vertices in contact, the centre of a sphere), or where the witnesses are not unique
//! (two parallel faces), there is no derivative and none is returned.

use crate::api::result::SignedDistance;
use nalgebra::{Matrix2, Matrix3x6};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, FLAT_RADIUS, Shape};

/// Radius of curvature, in multiples of the size, from which a surface counts as flat: below the value stored for flat
/// spots, so that nearly flat ones, whose derivative is noise, count too.
const FLAT: f64 = 1e-3 * FLAT_RADIUS;
/// Radius of curvature, in multiples of the size, below which a surface counts as sharp.
const SHARP: f64 = 1e-12;
/// Smallest eigenvalue of the matrix, in multiples of the size, at which its inverse still means something.
const SINGULAR: f64 = 1e-9;
/// Distance, in multiples of the size, between a witness and the support point along the normal, beyond which the
/// witness is one of many: the interior of a face, not a point the normal determines.
const SAME_POINT: f64 = 1e-5;

/// The principal curvatures of a surface at a point, in 1/m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrincipalCurvatures {
    /// The smaller curvature first: 0 where the surface is flat, infinite at an edge or a vertex.
    pub values: [f64; 2],
    /// The unit tangent vectors along which they are attained, world frame.
    pub directions_w: [Vec3; 2],
}

/// Derivatives with respect to the pose of B relative to A: columns 0–2 for a translation of B, columns 3–5 for a
/// rotation vector about the origin of B, both in the world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactDerivatives {
    /// Of `normal_ab_w`.
    pub normal: Matrix3x6<f64>,
    /// Of `witness_a_w`.
    pub witness_a: Matrix3x6<f64>,
    /// Of `witness_b_w`.
    pub witness_b: Matrix3x6<f64>,
}

/// First and second-order information about a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondOrder {
    /// Curvatures of A at its witness.
    pub curvatures_a: PrincipalCurvatures,
    /// Curvatures of B at its witness.
    pub curvatures_b: PrincipalCurvatures,
    /// ∂(distance)/∂(pose of A): translation, then rotation vector about the origin of A, world frame.
    pub gradient_a: [f64; 6],
    /// ∂(distance)/∂(pose of B): translation, then rotation vector about the origin of B, world frame.
    pub gradient_b: [f64; 6],
    /// Derivatives of normal and witnesses; `None` where they do not exist.
    pub derivatives: Option<ContactDerivatives>,
}

/// The gradient of a distance with respect to the poses of A and of B.
///
/// Each is six numbers: translation, then rotation vector about the body's own origin, both in the world frame. Exact
/// wherever the optimal normal is unique; where it is not (a depth with two equal ways out), the gradient of the way
/// that was found.
pub fn distance_gradient(pose_a: &Pose, pose_b: &Pose, found: &SignedDistance) -> [[f64; 6]; 2] {
    let n = found.normal_ab_w;
    let moment_a = n.cross(&(found.witness_a_w - pose_a.translation.vector));
    let moment_b = (found.witness_b_w - pose_b.translation.vector).cross(&n);
    [
        [-n.x, -n.y, -n.z, moment_a.x, moment_a.y, moment_a.z],
        [n.x, n.y, n.z, moment_b.x, moment_b.y, moment_b.z],
    ]
}

/// Gradients, curvatures and derivatives of the answer `found` for these bodies at these poses (world frame).
pub fn second_order(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    found: &SignedDistance,
) -> SecondOrder {
    let n = found.normal_ab_w;
    let contact_a = local_contact(a, pose_a, &n);
    let contact_b = local_contact(b, pose_b, &-n);
    let [gradient_a, gradient_b] = distance_gradient(pose_a, pose_b, found);
    SecondOrder {
        curvatures_a: contact_a.curvatures(&n),
        curvatures_b: contact_b.curvatures(&n),
        gradient_a,
        gradient_b,
        derivatives: derivatives(&contact_a, &contact_b, pose_b, found),
    }
}

/// What one surface looks like at the point that the normal determines, world frame.
struct LocalContact {
    point_w: Vec3,
    /// Radii of curvature W.
    radii_w: Mat3,
    size: f64,
}

fn local_contact(shape: &Shape, pose: &Pose, outward_w: &Vec3) -> LocalContact {
    let jet = shape.support_jet(&pose.rotation.inverse_transform_vector(outward_w));
    let rotation = pose.rotation.to_rotation_matrix().into_inner();
    let radius = shape.bounding_radius();
    LocalContact {
        point_w: pose.translation.vector + rotation * jet.point,
        radii_w: rotation * jet.hessian * rotation.transpose(),
        size: if radius.is_finite() { radius } else { 1.0 },
    }
}

impl LocalContact {
    /// The inverse of the radii, on the plane across `n`.
    fn curvatures(&self, n: &Vec3) -> PrincipalCurvatures {
        let (u, v) = tangent_basis(n);
        let eigen = projected(&self.radii_w, &u, &v).symmetric_eigen();
        let curvature = |radius: f64| {
            if radius >= FLAT * self.size {
                0.0
            } else if radius <= SHARP * self.size {
                f64::INFINITY
            } else {
                1.0 / radius
            }
        };
        let direction = |k: usize| u * eigen.eigenvectors[(0, k)] + v * eigen.eigenvectors[(1, k)];
        let [first, second] =
            if eigen.eigenvalues[0] >= eigen.eigenvalues[1] { [0, 1] } else { [1, 0] };
        PrincipalCurvatures {
            values: [curvature(eigen.eigenvalues[first]), curvature(eigen.eigenvalues[second])],
            directions_w: [direction(first), direction(second)],
        }
    }
}

fn projected(matrix: &Mat3, u: &Vec3, v: &Vec3) -> Matrix2<f64> {
    let (mu, mv) = (matrix * u, matrix * v);
    let across = 0.5 * (u.dot(&mv) + v.dot(&mu));
    Matrix2::new(u.dot(&mu), across, across, v.dot(&mv))
}

fn derivatives(
    contact_a: &LocalContact,
    contact_b: &LocalContact,
    pose_b: &Pose,
    found: &SignedDistance,
) -> Option<ContactDerivatives> {
    let size = contact_a.size.max(contact_b.size);
    let stray = (contact_a.point_w - found.witness_a_w)
        .norm()
        .max((contact_b.point_w - found.witness_b_w).norm());
    if stray > SAME_POINT * size {
        return None;
    }
    let n = found.normal_ab_w;
    let (u, v) = tangent_basis(&n);
    let (w_a, w_b) = (&contact_a.radii_w, &contact_b.radii_w);
    let matrix = projected(&(w_a + w_b), &u, &v) + Matrix2::identity() * found.distance;
    let eigenvalues = matrix.symmetric_eigenvalues();
    if eigenvalues.min() <= SINGULAR * size || both_flat(w_a, w_b, &u, &v, FLAT * size) {
        return None;
    }
    let inverse = matrix.try_inverse()?;
    let mut all = ContactDerivatives {
        normal: Matrix3x6::zeros(),
        witness_a: Matrix3x6::zeros(),
        witness_b: Matrix3x6::zeros(),
    };
    for column in 0..6 {
        let mut axis = Vec3::zeros();
        axis[column % 3] = 1.0;
        // How the material point of B at its witness moves, and how B sees the normal turn.
        let (carried, turned) = if column < 3 {
            (axis, Vec3::zeros())
        } else {
            (axis.cross(&(found.witness_b_w - pose_b.translation.vector)), axis.cross(&n))
        };
        let right = carried + w_b * turned;
        let change = inverse * nalgebra::Vector2::new(u.dot(&right), v.dot(&right));
        let normal = u * change.x + v * change.y;
        all.normal.set_column(column, &normal);
        all.witness_a.set_column(column, &(w_a * normal));
        all.witness_b.set_column(column, &(carried - w_b * (normal - turned)));
    }
    Some(all)
}

/// Whether both surfaces are flat along a common tangent direction: the witnesses may then slide.
fn both_flat(w_a: &Mat3, w_b: &Mat3, u: &Vec3, v: &Vec3, flat: f64) -> bool {
    // Along a direction t in which the parallel sum (W_A⁻¹ + W_B⁻¹)⁻¹ is large, both are. With the curvatures bounded
    // from below it is finite, and its largest eigenvalue is the inverse of the smallest one of the sum of curvatures.
    let curvature = |w: &Mat3| {
        let floor = Matrix2::identity() * (1e-6 / flat);
        (projected(w, u, v) + floor).try_inverse().map(|c| 0.5 * (c + c.transpose()))
    };
    match (curvature(w_a), curvature(w_b)) {
        (Some(a), Some(b)) => (a + b).symmetric_eigenvalues().min() <= 2.0 / flat,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QueryOptions, distance};
    use smooth_scene_geometry::{Ellipsoid, Sphere, Superellipsoid};

    fn at(a: &Shape, b: &Shape, pose_b: &Pose) -> SecondOrder {
        let pose_a = Pose::identity();
        let found = distance(a, &pose_a, b, pose_b, &QueryOptions::default());
        second_order(a, &pose_a, b, pose_b, &found)
    }

    #[test]
    fn curvatures_of_sphere_and_ellipsoid_are_their_closed_forms() {
        let ellipsoid = Ellipsoid::new([1.0, 2.0, 3.0]).unwrap().into();
        let sphere = Sphere::new(0.25).unwrap().into();
        // At the end of the x axis: a/b² along y and a/c² along z.
        let found = at(&ellipsoid, &sphere, &Pose::translation(5.0, 0.0, 0.0));
        assert!((found.curvatures_a.values[0] - 1.0 / 9.0).abs() < 1e-12);
        assert!((found.curvatures_a.values[1] - 1.0 / 4.0).abs() < 1e-12);
        assert!(found.curvatures_a.directions_w[0].z.abs() > 1.0 - 1e-12);
        assert!(found.curvatures_b.values.iter().all(|k| (k - 4.0).abs() < 1e-12));
    }

    #[test]
    fn faces_are_flat_and_vertices_are_sharp() {
        let boxy = Superellipsoid::new([1.0; 3], 0.2, 0.2).unwrap().into();
        let pinched = Superellipsoid::new([1.0; 3], 1.8, 1.8).unwrap().into();
        let found = at(&boxy, &pinched, &Pose::translation(0.0, 0.0, 3.0));
        assert_eq!(found.curvatures_a.values, [0.0; 2]);
        assert_eq!(found.curvatures_b.values, [f64::INFINITY; 2]);
    }

    #[test]
    fn parallel_faces_have_no_derivative_of_their_witnesses() {
        let boxy: Shape = Superellipsoid::new([1.0; 3], 0.05, 0.05).unwrap().into();
        assert!(at(&boxy, &boxy, &Pose::translation(0.1, 0.2, 3.0)).derivatives.is_none());
    }
}
