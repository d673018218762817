//! How sharply a superquadric is bent at most: a lower bound on its radii of curvature.

use super::p_norm::bounding_radius;

/// Radius of a ball that rolls inside the (hull of the) superovoid with these parameters; without taper, the superellipsoid.
///
/// With an exponent above 1 the surface has edges or vertices, of radius zero. Otherwise p = 2/ε ≥ 2. Let N be the nested norm
/// with N(X, Y, w) = 1 on the surface, X = x/(a₁(1 + Tx·w)), Y = y/(a₂(1 + Ty·w)), w = z/a₃, and ' the derivative along a
/// straight line with unit tangent v. The curvature along v is N''/|∇N|.
///
/// 1. Without taper, with ϱ the inner norm and Φ the norm of exponent p_z/2, N² = Φ(ϱ², w²). Differentiating twice, N' = 0:
///
///    ```text
///    N'' = (p_xy − 1)Φ₁S + (p_z − p_xy)Φ₁ϱ'² + (p_z − 1)Φ₂w'²,    S = |X/ϱ|^(p_xy−2)X'² + |Y/ϱ|^(p_xy−2)Y'²
///    ```
///
///    ϱ'² ≤ S by the Cauchy–Schwarz inequality, Φ₁ and Φ₂ are at most 1 and S ≤ X'² + Y'², so with P = max(p_xy, p_z) − 1
///    and U² = X'² + Y'², N'' ≤ P·U² + (p_z − 1)w'².
/// 2. Taper bends the coordinates: X'' = −2Tx·w'X'/(1 + Tx·w), and likewise Y''. The gradient (N_X, N_Y) is at most 1 in the
///    norm dual to p_xy ≥ 2, so this adds at most 2τ|w'|U, τ = T/(1 − T), T = max(|Tx|, |Ty|).
/// 3. X' = (v₁/a₁ − Tx·X·w')/(1 + Tx·w) and X² + Y² ≤ 2, so U ≤ (u/a + √2·T|w'|)/(1 − T) with u² = v₁² + v₂², a = min(a₁, a₂).
///    With w' = v₃/a₃ this makes the bound a quadratic form of (u, |v₃|), a unit vector: at most its largest eigenvalue.
/// 4. ∇N·x = 1 − w(N_X·X·Tx/(1 + Tx·w) + N_Y·Y·Ty/(1 + Ty·w)) ≥ 1 − τ, since N_X·X + N_Y·Y ≤ 1. As ∇N·x = |∇N|·n·x and n·x
///    is at most the bounding radius R, 1/|∇N| ≤ R/(1 − τ). A taper widens the body by at most 1 + T.
///
/// Where the surface is dented, its hull bridges the dent and bends less. Equal to the exact min²/max of the ellipsoid when
/// both exponents are 1 and there is no taper.
pub(super) fn rolling_radius(
    radii: [f64; 3],
    exponent_xy: f64,
    exponent_z: f64,
    taper: [f64; 2],
) -> f64 {
    let most = taper[0].abs().max(taper[1].abs());
    let tau = most / (1.0 - most);
    if exponent_xy > 1.0 || exponent_z > 1.0 || tau >= 1.0 {
        return 0.0;
    }
    let [a1, a2, a3] = radii;
    let bend_xy = 2.0 / exponent_xy.min(exponent_z) - 1.0;
    let bend_z = 2.0 / exponent_z - 1.0;
    // U ≤ across·u + along·|v₃|.
    let across = 1.0 / (a1.min(a2) * (1.0 - most));
    let along = std::f64::consts::SQRT_2 * most / (a3 * (1.0 - most));
    let uu = bend_xy * across * across;
    let uv = (bend_xy * along + tau / a3) * across;
    let vv = (bend_xy * along + 2.0 * tau / a3) * along + bend_z / (a3 * a3);
    let largest = 0.5 * (uu + vv) + libm::hypot(0.5 * (uu - vv), uv);
    let reach = (1.0 + most) * bounding_radius(radii, exponent_xy, exponent_z);
    (1.0 - tau) / (reach * largest)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{smallest_sampled_radius, uniform_numbers};
    use crate::{ConvexSurface, Shape};

    #[test]
    fn no_point_bends_more() {
        let mut u = uniform_numbers(5);
        let mut tightest = f64::INFINITY;
        for case in 0..200 {
            let radii = [0.5 + u(), 0.5 + u(), 0.5 + u()];
            let (xy, z) = (0.2 + 0.8 * u(), 0.2 + 0.8 * u());
            let taper = match case % 4 {
                0 => [0.0; 2],
                1 => [0.3 * (u() - 0.5); 2],
                _ => [0.9 * (u() - 0.5), 0.9 * (u() - 0.5)],
            };
            let shape = Shape::superovoid(radii, xy, z, taper).unwrap();
            let (bound, sampled) =
                (shape.min_radius_of_curvature(), smallest_sampled_radius(&shape));
            assert!(bound > 0.0 && bound <= sampled, "{bound} {sampled} {shape:?}");
            tightest = tightest.min(sampled / bound);
        }
        assert!(tightest < 2.0, "{tightest}");
    }

    #[test]
    fn edges_and_strong_tapers_have_none() {
        for (xy, taper) in [(1.2, 0.0), (0.8, 0.6)] {
            let shape = Shape::superovoid([1.0; 3], xy, 0.8, [taper, 0.0]).unwrap();
            assert_eq!(shape.min_radius_of_curvature(), 0.0);
        }
    }
}
