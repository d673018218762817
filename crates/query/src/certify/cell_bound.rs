//! An upper bound on f over a spherical triangle from a few points of the Minkowski difference.

/// Columns of a game at most: the points found at the three corners of a triangle and at its centre.
const MOST_COLUMNS: usize = 4;

/// Heights of one point y of the Minkowski difference over the three corner directions vₖ: vₖ·y.
pub(crate) type Heights = [f64; 3];

/// The least over y in the hull of the points of the largest height over the corners, or any value between it and
/// `enough`.
///
/// f(n) ≤ n·y for every y in M, and a direction inside the triangle is a combination of its corners with weights ≥ 0:
///
/// ```text
/// max f ≤ min over y of max over k of vₖ·y,    y = Σ λᵢyᵢ, λ ≥ 0, Σλ = 1
/// ```
///
/// This is the value of a matrix game with three rows. Every λ proves a bound, so that rounding in the choice of λ does
/// no harm. An optimal λ has as many positive entries as rows are level: one point, two points that level two rows, or
/// three points that level all of them. All these are tried.
///
/// A single point bounds f with an error of the order of the width of the triangle where its support point jumps, along an edge or a
/// flat face of M; several points on both sides of the jump reduce it to the square of the width, or to nothing.
pub(crate) fn lowest_ceiling(columns: &[Heights], enough: f64) -> f64 {
    debug_assert!(!columns.is_empty() && columns.len() <= MOST_COLUMNS);
    let single = columns.iter().map(ceiling).fold(f64::INFINITY, f64::min);
    if single <= enough {
        return single;
    }
    let mut lowest = single;
    for (k, third) in columns.iter().enumerate() {
        for (j, second) in columns[..k].iter().enumerate() {
            lowest = lowest.min(ceiling_of_two(second, third));
            for first in &columns[..j] {
                lowest = lowest.min(ceiling_of_three(first, second, third));
            }
            if lowest <= enough {
                return lowest;
            }
        }
    }
    lowest
}

#[inline]
fn ceiling(heights: &Heights) -> f64 {
    heights[0].max(heights[1]).max(heights[2])
}

/// The lowest ceiling on the line between two points, its ends excluded: there two rows are level.
#[inline]
fn ceiling_of_two(one: &Heights, other: &Heights) -> f64 {
    let mut lowest = f64::INFINITY;
    for (k, l) in [(0, 1), (0, 2), (1, 2)] {
        let (apart, apart_other) = (one[k] - one[l], other[k] - other[l]);
        // Level strictly between the ends: also false when the rows do not change places, or for 0/0.
        if apart * apart_other < 0.0 {
            let t = apart / (apart - apart_other);
            lowest =
                lowest.min(ceiling(&[0, 1, 2].map(|row| (1.0 - t) * one[row] + t * other[row])));
        }
    }
    lowest
}

/// The ceiling where three points level all three rows, if that is inside their triangle; otherwise infinity.
#[inline]
fn ceiling_of_three(first: &Heights, second: &Heights, third: &Heights) -> f64 {
    let apart = |h: &Heights| [h[0] - h[1], h[0] - h[2]];
    let (a, b, c) = (apart(first), apart(second), apart(third));
    let area = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
    let weights = [area(b, c), area(c, a), area(a, b)];
    let sum = weights[0] + weights[1] + weights[2];
    // The origin is inside the triangle of the three differences: all areas of one sign.
    if sum == 0.0 || !sum.is_finite() || weights.iter().any(|w| w / sum < 0.0) {
        return f64::INFINITY;
    }
    let [x, y, z] = weights.map(|w| w / sum);
    ceiling(&[0, 1, 2].map(|row| x * first[row] + y * second[row] + z * third[row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_that_is_low_everywhere_is_enough() {
        assert_eq!(lowest_ceiling(&[[-1.0, -2.0, -3.0], [4.0, 4.0, 4.0]], -10.0), -1.0);
    }

    #[test]
    fn two_points_on_both_sides_of_a_jump_level_it() {
        // The two ends of a segment through the origin.
        let ceiling = lowest_ceiling(&[[1.0, -1.0, 0.5], [-1.0, 1.0, -0.5]], -10.0);
        assert!(ceiling.abs() < 1e-16, "{ceiling}");
    }

    #[test]
    fn three_points_level_three_rows() {
        let columns = [[1.0, -2.0, -2.0], [-2.0, 1.0, -2.0], [-2.0, -2.0, 1.0]];
        let ceiling = lowest_ceiling(&columns, -10.0);
        assert!((ceiling + 1.0).abs() < 1e-15, "{ceiling}");
    }

    /// The dual: every weighting μ of the corners gives a value that no λ gets below.
    #[test]
    fn no_weighting_of_the_corners_is_higher() {
        let mut state = 9u64;
        let mut u = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..2000 {
            let columns: [Heights; 4] = std::array::from_fn(|_| [0, 1, 2].map(|_| 2.0 * u() - 1.0));
            let found = lowest_ceiling(&columns, f64::NEG_INFINITY);
            let mut highest = f64::NEG_INFINITY;
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let mu =
                        [f64::from(i) / 60.0, f64::from(j) / 60.0, f64::from(60 - i - j) / 60.0];
                    let height = |c: &Heights| mu[0] * c[0] + mu[1] * c[1] + mu[2] * c[2];
                    highest = highest.max(columns.iter().map(height).fold(f64::INFINITY, f64::min));
                }
            }
            assert!(highest <= found + 1e-15 && found <= highest + 0.07, "{highest} {found}");
        }
    }
}
