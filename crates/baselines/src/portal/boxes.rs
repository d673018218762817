//! The pre-tests of section 2: bounding spheres [eq. 1], then oriented boxes on fifteen axes [eq. 2–7, table 1].

use crate::answer::Unsupported;
use crate::relative_pair::{RelativePair, Solution};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::Vec3;

/// An axis shorter than this comes from edges that are parallel: it says nothing that the faces do not say.
const MIN_AXIS: f64 = 1e-9;

/// Decides that bodies are apart, or nothing: the distance is +∞ when a sphere or an axis separates them, and −∞, not
/// converged, when none does. The normal is the axis; the points are the support points along it.
pub(crate) fn solve(pair: &RelativePair) -> Result<Solution, Unsupported> {
    let (box_a, box_b) = (pair.a.local_aabb(), pair.b.local_aabb());
    if !(box_a.max - box_a.min + box_b.max - box_b.min).iter().all(|x| x.is_finite()) {
        return Err(Unsupported { solver: "bounding-boxes", shape: "half_space" });
    }
    let rotation = pair.pose_ab.rotation.to_rotation_matrix().into_inner();
    let centre_b = rotation * box_b.center() + pair.centre_b();
    let between = centre_b - box_a.center();
    let found = |normal: &Vec3, tests| Solution {
        distance: f64::INFINITY,
        converged: true,
        ..pair.unconverged(normal, tests)
    };
    let (half_a, half_b) = (box_a.half_extents(), box_b.half_extents());
    if between.norm() > half_a.norm() + half_b.norm() {
        return Ok(found(&between.normalize(), 1));
    }
    let axes_a = [Vec3::x(), Vec3::y(), Vec3::z()];
    let axes_b = [0, 1, 2].map(|k| rotation.column(k).into_owned());
    let crossed = axes_a.iter().flat_map(|a| axes_b.iter().map(move |b| a.cross(b)));
    let all = axes_a.iter().chain(&axes_b).copied().chain(crossed);
    for (tests, axis) in (2..).zip(all) {
        let length = axis.norm();
        if length < MIN_AXIS {
            continue;
        }
        let axis = axis / length;
        let extent = |half: &Vec3, axes: &[Vec3; 3]| -> f64 {
            half.iter().zip(axes).map(|(half, of)| half * of.dot(&axis).abs()).sum()
        };
        let along = between.dot(&axis);
        if along.abs() > extent(&half_a, &axes_a) + extent(&half_b, &axes_b) {
            return Ok(found(&(axis * along.signum()), tests));
        }
    }
    let open = pair.unconverged(&pair.centre_line(), 16);
    Ok(Solution { distance: f64::NEG_INFINITY, ..open })
}

#[cfg(test)]
mod tests {
    use crate::Solver;
    use crate::dense_search::Random;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::{Pose, Vec3};
    use smooth_scene_query::{QueryOptions, distance};

    /// Of boxes the fifteen axes decide exactly; every other body is inside its box.
    #[test]
    fn boxes_are_decided_and_nothing_that_touches_is_called_apart() {
        let mut random = Random(15);
        let mut seen = [0; 2];
        for _ in 0..2000 {
            let mut size = || [0; 3].map(|_| random.between(0.2, 1.0));
            let (size_a, size_b) = (size(), size());
            let (pose_a, pose_b) = (random.pose(0.3), random.pose(1.5));
            let boxes = [size_a, size_b].map(|size| Shape::cuboid(size).unwrap());
            let truth = |shapes: &[Shape; 2]| {
                let options = QueryOptions::default();
                distance(&shapes[0], &pose_a, &shapes[1], &pose_b, &options)
            };
            let ask = |shapes: &[Shape; 2]| {
                Solver::BoundingBoxes.solve(&shapes[0], &pose_a, &shapes[1], &pose_b).unwrap()
            };
            let of_boxes = truth(&boxes);
            if of_boxes.distance.abs() > 1e-9 {
                let answer = ask(&boxes);
                assert_eq!(answer.distance > 0.0, of_boxes.lower > 0.0, "{of_boxes:?}");
                seen[usize::from(answer.converged)] += 1;
            }
            let round = [size_a, size_b].map(|size| Shape::superellipsoid(size, 0.4, 0.7).unwrap());
            let answer = ask(&round);
            assert!(!answer.converged || truth(&round).upper > 0.0, "{answer:?}");
        }
        assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
    }

    #[test]
    fn parallel_boxes_are_decided_by_their_faces() {
        let shape = Shape::cuboid([1.0; 3]).unwrap();
        for (x, is_apart) in [(2.001, true), (1.999, false)] {
            let pose_b = Pose::translation(x, 0.3, 0.0);
            let answer = Solver::BoundingBoxes.solve(&shape, &Pose::identity(), &shape, &pose_b);
            let answer = answer.unwrap();
            assert_eq!(answer.distance > 0.0, is_apart);
            assert!(!is_apart || (answer.normal_ab_w - Vec3::x()).norm() < 1e-15);
        }
    }
}
