//! Aliases for the linear algebra this crate uses, and the few scalar helpers every layer shares.
//!
//! Lengths are metres and angles radians.
//!
//! The elementary functions here are those of the crate `libm`, which give the same bits on every platform. Those of the
//! standard library, and nalgebra's functions of angles that use them, call the C library of the system, whose results
//! differ between systems and even between CPUs: they are not used in what computes answers.

use crate::simd::{self, F64x1};
use nalgebra::{Isometry3, Matrix3, Quaternion, UnitQuaternion, Vector3};

/// A point or a vector; the name says which, and in which frame (`_w` world, `_a` frame of body A).
pub type Vec3 = Vector3<f64>;
/// A 3×3 matrix.
pub type Mat3 = Matrix3<f64>;
/// A rigid pose: `p_w = pose * p_local`.
pub type Pose = Isometry3<f64>;

/// Whether every number of a pose is finite.
#[inline]
pub fn is_finite(pose: &Pose) -> bool {
    // A sum with an infinity or NaN in it is infinite or NaN; one of finite numbers overflows at 1e308 only.
    (pose.translation.vector.sum() + pose.rotation.coords.sum()).is_finite()
}

/// Sine and cosine.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// The angle of the point (x, y), in (−π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// √(x² + y²) without under- and overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// The rotation about a vector by its length.
pub fn rotation_from_vector(vector: &Vec3) -> UnitQuaternion<f64> {
    let angle = vector.norm();
    if angle <= 0.0 {
        return UnitQuaternion::identity();
    }
    let (sin, cos) = sin_cos(0.5 * angle);
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos, vector * (sin / angle)))
}

/// The inverse of [`rotation_from_vector`], of length at most π.
pub fn rotation_vector(rotation: &UnitQuaternion<f64>) -> Vec3 {
    // q and −q are the same rotation; the one with a non-negative scalar part is the shorter way.
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let (vector, scalar) = (rotation.imag() * sign, rotation.w * sign);
    let length = vector.norm();
    if length <= 0.0 {
        return Vec3::zeros();
    }
    vector * (2.0 * atan2(length, scalar) / length)
}

/// The rotation by `roll` about x, then `pitch` about the fixed y, then `yaw` about the fixed z, as in URDF.
pub fn rotation_from_euler_angles(roll: f64, pitch: f64, yaw: f64) -> UnitQuaternion<f64> {
    let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(|angle| sin_cos(0.5 * angle));
    UnitQuaternion::new_unchecked(Quaternion::new(
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ))
}

/// Two unit vectors that complete the unit vector `n` to a right-handed orthonormal basis; see
/// [`simd::tangent_basis`].
#[inline(always)]
pub fn tangent_basis(n: &Vec3) -> (Vec3, Vec3) {
    let (u, v) = simd::tangent_basis(&[F64x1(n.x), F64x1(n.y), F64x1(n.z)]);
    (Vec3::new(u[0].0, u[1].0, u[2].0), Vec3::new(v[0].0, v[1].0, v[2].0))
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

    /// Against nalgebra's own functions. Each goes through a sine, a cosine or an arc tangent with an error below one unit
    /// and a handful of roundings.
    #[test]
    fn rotations_are_those_of_nalgebra() {
        const BOUND: f64 = 16.0 * f64::EPSILON;
        for k in 0..200 {
            let t = f64::from(k);
            let vector = Vec3::new((1.3 * t).sin(), (0.7 * t).cos(), (2.1 * t).sin()) * (0.009 * t);
            let expected = UnitQuaternion::from_scaled_axis(vector);
            let rotation = rotation_from_vector(&vector);
            assert!((rotation.coords - expected.coords).amax() <= BOUND, "{vector:?}");
            let shortest = expected.scaled_axis();
            assert!((rotation_vector(&expected) - shortest).amax() <= 4.0 * BOUND, "{vector:?}");
            let expected = UnitQuaternion::from_euler_angles(vector.x, vector.y, vector.z);
            let rotation = rotation_from_euler_angles(vector.x, vector.y, vector.z);
            assert!((rotation.coords - expected.coords).amax() <= BOUND, "{vector:?}");
        }
        assert_eq!(rotation_from_vector(&Vec3::zeros()), UnitQuaternion::identity());
        assert_eq!(rotation_vector(&UnitQuaternion::identity()), Vec3::zeros());
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
