//! The Newton step on the normal, for single runs and for lanes of runs.

use smooth_scene_geometry::simd::Lanes;

/// A step in the tangent plane.
pub(crate) struct NewtonStep<L> {
    pub delta: [L; 2],
    /// Its length before it was shortened, and the part of it that was left.
    pub length: L,
    pub part: L,
}

/// The step (W_A + W_B + f·I) δ = g, with `radii` = W_A + W_B as [xx, xy, yy], at most `longest` radians long; `floor` as in
/// [`modified_solve`].
#[inline(always)]
pub(crate) fn newton_step<L: Lanes>(
    [xx, xy, yy]: [L; 3],
    f: L,
    g: [L; 2],
    floor: L,
    longest: L,
) -> NewtonStep<L> {
    let [x, y] = modified_solve([xx + f, xy, yy + f], g, floor);
    let length = (x * x + y * y).sqrt();
    let is_long = length.simd_gt(longest);
    if !is_long.any() {
        return NewtonStep { delta: [x, y], length, part: L::splat(1.0) };
    }
    let part = is_long.select(longest / length, L::splat(1.0));
    NewtonStep { delta: [x * part, y * part], length, part }
}

/// Solves M·δ = g for the symmetric M = [xx, xy, yy], its eigenvalues replaced by their absolute values and kept above
/// `floor`, so that δ·g > 0.
#[inline(always)]
pub(crate) fn modified_solve<L: Lanes>([a, b, c]: [L; 3], g: [L; 2], floor: L) -> [L; 2] {
    let (half, one) = (L::splat(0.5), L::splat(1.0));
    let (mean, lean) = (half * (a + c), half * (a - c));
    let spread = (lean * lean + b * b).sqrt();
    let is_definite = (mean - spread).simd_gt(floor);
    let inverse = one / (a * c - b * b);
    let plain = [(c * g[0] - b * g[1]) * inverse, (a * g[1] - b * g[0]) * inverse];
    if is_definite.all() {
        return plain;
    }
    let (small, large) = ((mean - spread).abs().max(floor), (mean + spread).abs().max(floor));
    // Spectral projector of the larger eigenvalue, (M − λ_small I)/(λ_large − λ_small). Where both are the same it does not
    // matter, as long as it is a number.
    let k = half / spread.max(floor * L::splat(1e-30));
    let along = [k * ((lean + spread) * g[0] + b * g[1]), k * (b * g[0] + (spread - lean) * g[1])];
    let x = along[0] / large + (g[0] - along[0]) / small;
    let y = along[1] / large + (g[1] - along[1]) / small;
    [is_definite.select(plain[0], x), is_definite.select(plain[1], y)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::simd::{F64x1, F64x4};

    fn solve(m: [f64; 3], g: [f64; 2]) -> [f64; 2] {
        modified_solve(m.map(F64x1), g.map(F64x1), F64x1(1e-7)).map(|x| x.0)
    }

    #[test]
    fn a_definite_system_is_solved_and_an_indefinite_one_goes_up() {
        // [2 1; 1 3]·[1, −2] = [0, −5]: exact in binary but for the division by five.
        let [x, y] = solve([2.0, 1.0, 3.0], [0.0, -5.0]);
        assert!((x - 1.0).abs() <= 1e-15 && (y + 2.0).abs() <= 1e-15, "{x} {y}");
        // Eigenvalues 2 and −4 along the axes: |M|·δ = g.
        let [x, y] = solve([2.0, 0.0, -4.0], [1.0, 1.0]);
        assert!((x - 0.5).abs() <= 1e-15 && (y - 0.25).abs() <= 1e-15, "{x} {y}");
        // Twice the same eigenvalue, below zero.
        assert_eq!(solve([-2.0, 0.0, -2.0], [1.0, -3.0]), [0.5, -1.5]);
        // None at all: the floor.
        let [x, _] = solve([0.0; 3], [1.0, 0.0]);
        assert!((x * 1e-7 - 1.0).abs() <= 1e-15, "{x}");
    }

    #[test]
    fn lanes_take_the_steps_of_scalars_to_the_last_bit() {
        let matrices = [[2.0, 1.0, 3.0], [2.0, 0.3, -4.0], [-2.0, 0.0, -2.0], [1e-9, 0.0, 0.7]];
        let g = [0.3, -0.4];
        let rows = [0, 1, 2].map(|i| F64x4(matrices.map(|m| m[i])));
        let (f, floor, longest) = (0.01, 1e-7, 0.8);
        let splat = |x: f64| F64x4([x; 4]);
        let lanes = newton_step(rows, splat(f), g.map(splat), splat(floor), splat(longest));
        for (k, m) in matrices.into_iter().enumerate() {
            let [f, floor, longest] = [f, floor, longest].map(F64x1);
            let step = newton_step(m.map(F64x1), f, g.map(F64x1), floor, longest);
            for i in 0..2 {
                assert_eq!(lanes.delta[i].0[k].to_bits(), step.delta[i].0.to_bits(), "{m:?}");
            }
            assert!(step.delta[0].0.hypot(step.delta[1].0) <= 0.8 + 1e-15);
        }
    }
}
