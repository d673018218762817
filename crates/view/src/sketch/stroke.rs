//! A stroke becomes straight bones: where it bends by more than 35° it is two.
//!
//! The thesis (section 4.1) compares the directions of samples along the stroke, so that a slow curve never bends and
//! a shaky hand does. Here the bend of a piece is taken at its apex, the point that is farthest from the chord:
//!
//! ```text
//! chord   = from the first point a to the last point b
//! apex    = the point p of the piece with the largest distance to the chord
//! bend    = angle between p − a and b − p
//! ```
//!
//! A piece that bends by more than 35° is cut at its apex unless a part would be shorter than the least bone, and both parts are
//! looked at again. This is the division of Ramer (1972) and of Douglas and Peucker (1973) with an angle in place of a
//! distance, so that it does not depend on how large anybody draws.

use smooth_scene_geometry::math::{Vec3, atan2};

/// Bend above which a stroke becomes two bones, rad: 35°, as in the thesis.
pub(crate) const BEND: f64 = 35.0 * std::f64::consts::PI / 180.0;

/// Indices of the points at which the bones of a stroke begin and end; no bone is shorter than `least`.
pub(crate) fn corners(points: &[Vec3], least: f64) -> Vec<usize> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut found = vec![0];
    // Pieces that are still to be looked at, the first one on top.
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        match apex(points, from, to, least) {
            Some(cut) => open.extend([(cut, to), (from, cut)]),
            None => found.push(to),
        }
    }
    found
}

/// Where a piece is cut; `None` for one that is straight enough.
fn apex(points: &[Vec3], from: usize, to: usize, least: f64) -> Option<usize> {
    let (a, b) = (points[from], points[to]);
    let is_long = |k: &usize| (points[*k] - a).norm() >= least && (b - points[*k]).norm() >= least;
    let distance = |k: &usize| distance_to_chord(&points[*k], &a, &b);
    let cut = (from + 1..to).filter(is_long).max_by(|i, j| distance(i).total_cmp(&distance(j)))?;
    (angle(&(points[cut] - a), &(b - points[cut])) > BEND).then_some(cut)
}

/// Distance of a point to the segment from a to b.
pub(crate) fn distance_to_chord(p: &Vec3, a: &Vec3, b: &Vec3) -> f64 {
    let chord = b - a;
    let squared = chord.norm_squared();
    let share = if squared > 0.0 { ((p - a).dot(&chord) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - chord * share).norm()
}

/// The angle between two directions, rad.
pub(crate) fn angle(u: &Vec3, v: &Vec3) -> f64 {
    atan2(u.cross(v).norm(), u.dot(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::sin_cos;

    /// A stroke in the plane x = 0 through corners, ten points a piece.
    fn stroke(corners: &[[f64; 2]]) -> Vec<Vec3> {
        let place = |[y, z]: [f64; 2]| Vec3::new(0.0, y, z);
        let mut points = vec![place(corners[0])];
        for pair in corners.windows(2) {
            let (a, b) = (place(pair[0]), place(pair[1]));
            points.extend((1..=10).map(|k| a + (b - a) * f64::from(k) / 10.0));
        }
        points
    }

    /// A stroke of two pieces of length 1 that turns by an angle.
    fn bent(degrees: f64) -> Vec<Vec3> {
        let (sin, cos) = sin_cos(degrees.to_radians());
        stroke(&[[0.0, 0.0], [1.0, 0.0], [1.0 + cos, sin]])
    }

    #[test]
    fn a_stroke_is_cut_where_it_bends_by_more_than_35_degrees() {
        for (degrees, cuts) in [(0.0, 0), (34.9, 0), (35.1, 1), (90.0, 1), (150.0, 1)] {
            let found = corners(&bent(degrees), 0.1);
            assert_eq!(found.len(), 2 + cuts, "{degrees}");
            if cuts == 1 {
                assert_eq!(found, [0, 10, 20], "{degrees}");
            }
        }
    }

    #[test]
    fn a_trembling_line_is_one_bone() {
        let tremble = |k: usize| if k.is_multiple_of(2) { 0.004 } else { -0.004 };
        let points: Vec<Vec3> =
            (0..=100).map(|k| Vec3::new(0.0, k as f64 / 100.0, tremble(k))).collect();
        assert_eq!(corners(&points, 0.05), [0, 100]);
    }

    #[test]
    fn a_slow_curve_is_cut_too() {
        let on_circle = |k: usize| {
            let (sin, cos) = sin_cos(k as f64 / 64.0 * std::f64::consts::PI);
            Vec3::new(0.0, cos, sin)
        };
        let points: Vec<Vec3> = (0..=64).map(on_circle).collect();
        // Half a circle bends by 90° at its apex, a quarter by 45°, an eighth by 22.5°.
        assert_eq!(corners(&points, 0.05), [0, 16, 32, 48, 64]);
    }

    #[test]
    fn no_bone_is_shorter_than_the_least_one() {
        let hook = stroke(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.05]]);
        assert_eq!(corners(&hook, 0.1), [0, 20]);
        assert_eq!(corners(&hook, 0.04), [0, 10, 20]);
        let zigzag = stroke(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
        assert_eq!(corners(&zigzag, 0.1), [0, 10, 20, 30]);
        assert_eq!(corners(&[], 0.1), Vec::<usize>::new());
        assert_eq!(corners(&[Vec3::zeros()], 0.1), [0, 0]);
    }
}
