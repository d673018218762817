//! Two tangents to a normal by the Householder transformation.
//!
//! [Gonçalves 2015, eq. 18–20] takes H = I − 2hhᵀ/hᵀh with h₁ = max(n_x − |n|, n_x + |n|), which is n_x + |n| for every n:
//! h vanishes at n = −e_x, and the tangents with it. Two spheres side by side along x meet that case exactly. The usual
//! choice, h₁ = n_x ± |n| with the sign of n_x, never comes near it. The second and third column of H are then
//! perpendicular to n on either side; which side is used must not change within one difference quotient.

use smooth_scene_geometry::math::Vec3;

/// The sign of h₁ − n_x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Positive,
    Negative,
}

impl Side {
    /// The side on which h is longest for this normal.
    pub(super) fn of(n: &Vec3) -> Side {
        if n.x < 0.0 { Side::Negative } else { Side::Positive }
    }

    fn sign(self) -> f64 {
        match self {
            Side::Positive => 1.0,
            Side::Negative => -1.0,
        }
    }
}

/// The second and third column of H for the unit vector n, h = n ± e_x.
pub(super) fn tangents(n: &Vec3, side: Side) -> (Vec3, Vec3) {
    let sign = side.sign();
    let h = n + sign * Vec3::x();
    // hᵀh = 2(1 ± n_x) for a unit n.
    let half = 1.0 + sign * n.x;
    (Vec3::y() - h * (n.y / half), Vec3::z() - h * (n.z / half))
}

/// The derivatives of the [`tangents`] when n changes at the given rate.
pub(super) fn tangent_rates(n: &Vec3, rate: &Vec3, side: Side) -> (Vec3, Vec3) {
    let sign = side.sign();
    let h = n + sign * Vec3::x();
    let half = 1.0 + sign * n.x;
    let column = |axis: f64, axis_rate: f64| {
        -(rate * axis + h * axis_rate) / half + h * (axis * sign * rate.x / (half * half))
    };
    (column(n.y, rate.y), column(n.z, rate.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMALS: [Vec3; 5] = [
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(-1.0, 0.0, 0.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(-0.6, -0.48, 0.64),
        Vec3::new(0.6, 0.0, -0.8),
    ];

    #[test]
    fn tangents_are_an_orthonormal_basis_of_the_tangent_plane_whatever_the_normal() {
        for n in NORMALS {
            let (t, b) = tangents(&n, Side::of(&n));
            assert!((t.norm() - 1.0).abs() < 1e-14 && (b.norm() - 1.0).abs() < 1e-14, "{n}");
            assert!(t.dot(&b).abs() < 1e-14 && t.dot(&n).abs() < 1e-14 && b.dot(&n).abs() < 1e-14);
        }
    }

    /// Central differences with a step of 1e-6 truncate at 1e-12 and round at 1e-10.
    #[test]
    fn rates_are_the_derivatives_of_the_tangents() {
        for n in NORMALS {
            let side = Side::of(&n);
            let rate = n.cross(&Vec3::new(0.3, 0.8, -0.2));
            let (dt, db) = tangent_rates(&n, &rate, side);
            let at = |step: f64| tangents(&(n + step * rate), side);
            let (low, high) = (at(-1e-6), at(1e-6));
            assert!(((high.0 - low.0) / 2e-6 - dt).norm() < 1e-9, "{n}");
            assert!(((high.1 - low.1) / 2e-6 - db).norm() < 1e-9, "{n}");
        }
    }
}
