//! Vectors of lanes: one vector on each lane, or a single one of [`F64x1`](super::F64x1).

use super::lanes::Lanes;
use crate::xyz;

/// a·b.
#[inline(always)]
pub fn dot<L: Lanes>(a: &[L; 3], b: &[L; 3]) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a/|a|.
#[inline(always)]
pub fn unit<L: Lanes>(a: &[L; 3]) -> [L; 3] {
    let inverse = L::splat(1.0) / dot(a, a).sqrt();
    xyz!(|i| a[i] * inverse)
}

/// Two unit vectors that complete the unit vector `n` to a right-handed orthonormal basis.
///
/// The construction of Duff et al., "Building an Orthonormal Basis, Revisited" (JCGT 2017): no branch and no
/// square root, accurate for every unit vector.
#[inline(always)]
pub fn tangent_basis<L: Lanes>(n: &[L; 3]) -> ([L; 3], [L; 3]) {
    let one = L::splat(1.0);
    let sign = n[2].signum();
    let a = -one / (sign + n[2]);
    let b = n[0] * n[1] * a;
    ([one + sign * n[0] * n[0] * a, sign * b, -sign * n[0]], [b, sign + n[1] * n[1] * a, -n[1]])
}
