//! Aliases for the linear algebra this crate uses, and the few scalar helpers every layer shares.
//!
//! All arithmetic is `f64`; lengths are metres and angles radians.

use nalgebra::{Isometry3, Matrix3, Vector3};

/// A point or a vector; the name says which, and in which frame (`_w` world, `_a` frame of body A).
pub type Vec3 = Vector3<f64>;
/// A 3×3 matrix.
pub type Mat3 = Matrix3<f64>;
/// A rigid pose: `p_w = pose * p_local`.
pub type Pose = Isometry3<f64>;

/// Two unit vectors that complete the unit vector `n` to a right-handed orthonormal basis.
///
/// The construction of Duff et al., "Building an Orthonormal Basis, Revisited" (JCGT 2017): no branch and no
/// square root, accurate for every unit vector.
#[inline]
pub fn tangent_basis(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (
        Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vec3::new(b, sign + n.y * n.y * a, -n.y),
    )
}

/// The unit vector along `v`, or `fallback` when `v` has no direction (zero or not finite).
#[inline]
pub fn unit_or(v: &Vec3, fallback: &Vec3) -> Vec3 {
    // The sum is not finite when a component is not. Scaling by the largest component first keeps the squares away from under- and overflow.
    let largest = v.amax();
    if largest <= 0.0 || !(v.x + v.y + v.z).is_finite() {
        return *fallback;
    }
    let scaled = v / largest;
    scaled / scaled.norm()
}

/// −1, 0 or +1 (`f64::signum` maps zero to ±1, which would break the symmetry of support points).
#[inline]
pub fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangent_basis_is_right_handed_and_orthonormal() {
        for n in [
            Vec3::z(),
            -Vec3::z(),
            Vec3::x(),
            Vec3::new(0.6, -0.48, 0.64),
            Vec3::new(1e-9, 0.0, -1.0).normalize(),
        ] {
            let (u, v) = tangent_basis(&n);
            assert!((u.norm() - 1.0).abs() < 1e-15 && (v.norm() - 1.0).abs() < 1e-15);
            assert!((u.cross(&v) - n).norm() < 1e-15);
        }
    }

    #[test]
    fn unit_of_extreme_vectors_is_unit() {
        let z = Vec3::z();
        assert!((unit_or(&Vec3::new(1e-300, 0.0, 0.0), &z) - Vec3::x()).norm() < 1e-15);
        assert!((unit_or(&Vec3::new(0.0, 1e300, 0.0), &z) - Vec3::y()).norm() < 1e-15);
        assert_eq!(unit_or(&Vec3::zeros(), &z), z);
        assert_eq!(unit_or(&Vec3::new(f64::NAN, 0.0, 1.0), &z), z);
    }
}
