//! Are two turned boxes surely apart? The separating-axis test of Gottschalk, Lin and Manocha, "OBBTree" (SIGGRAPH
//! 1996), on the six face normals.

use smooth_scene_geometry::math::{Mat3, Vec3};

/// A lower bound on the distance of two boxes: the largest gap along a face normal of either. Negative when none
/// separates them. `rotation` holds the axes of a box in its columns, `half` half its edges.
///
/// The nine cross products of edges are left out: they decide few pairs, and cost more than the rest.
pub(crate) fn box_gap(
    offset_w: &Vec3,
    rotation_a: &Mat3,
    half_a: &Vec3,
    rotation_b: &Mat3,
    half_b: &Vec3,
) -> f64 {
    // B in the frame of A. Entry (i, j) is the cosine between axis i of A and axis j of B.
    let turn = rotation_a.tr_mul(rotation_b);
    let spread = turn.abs();
    let seen_from_a = rotation_a.tr_mul(offset_w);
    let gaps_a = seen_from_a.abs() - half_a - spread * half_b;
    let seen_from_b = rotation_b.tr_mul(offset_w);
    let gaps_b = seen_from_b.abs() - half_b - spread.tr_mul(half_a);
    gaps_a.max().max(gaps_b.max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::testing::uniform_numbers;
    use smooth_scene_query::{QueryOptions, distance};

    #[test]
    fn the_gap_is_never_more_than_the_distance() {
        let mut uniform = uniform_numbers(3);
        let mut separated = 0;
        for _ in 0..500 {
            let mut number = |low: f64, high: f64| low + (high - low) * uniform();
            let mut pose = || {
                let mut vector =
                    || Vec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
                Pose::new(vector(), vector() * 3.0)
            };
            let (pose_a, pose_b) = (pose(), pose());
            let halves = [[0.1, 0.3, 0.5], [0.2, 0.2, 0.4]];
            let [a, b] = halves.map(|half| Shape::cuboid(half).unwrap());
            let [ra, rb] = [&pose_a, &pose_b].map(|p| p.rotation.to_rotation_matrix().into_inner());
            let offset = pose_b.translation.vector - pose_a.translation.vector;
            let gap = box_gap(&offset, &ra, &halves[0].into(), &rb, &halves[1].into());
            let found = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::certified());
            if found.lower > 0.0 {
                assert!(gap <= found.upper + 1e-12);
                separated += (gap > 0.0) as usize;
            } else {
                assert!(gap <= 1e-12);
            }
        }
        assert!(separated > 200, "{separated}");
    }
}
