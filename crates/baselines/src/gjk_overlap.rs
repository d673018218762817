//! GJK that only decides whether two bodies overlap: the incremental separating-axis variant [van den Bergen 2003].
//!
//! The walk is that of [`super::gjk_epa`], without a metric: it stops as soon as one support plane of A ⊖ B separates
//! the origin (apart), or a tetrahedron of support points holds it (overlapping).

use crate::relative_pair::{RelativePair, Solution};
use crate::simplex::{Origin, Simplex, Vertex};
use smooth_scene_geometry::math::{Vec3, unit_or};

/// Support points of one walk. Deciding takes a handful; only contact within rounding reaches the limit.
const MAX_STEPS: u32 = 200;

/// Overlap alone: the distance is +∞ apart and −∞ overlapping.
///
/// Apart, the normal is that of a separating plane and the points are the support points on either side of it.
/// Overlapping, both points are one common point of the bodies and the normal is the centre line. A walk that decides
/// nothing (contact within rounding) says overlapping, and that it did not converge.
///
/// `last` is the axis of the last query on the pair, frame A: while the bodies stay apart it separates them again at the
/// first support point [van den Bergen 2003].
pub(super) fn solve(pair: &RelativePair, last: Option<Vec3>) -> Solution {
    let line = pair.centre_line();
    let mut axis = last.map_or(line, |last| unit_or(&last, &line));
    let mut simplex: Option<Simplex> = None;
    let mut iterations = 0;
    while iterations < MAX_STEPS {
        iterations += 1;
        // `axis` points from A to B, so it is −v of the distance walk: a negative support value separates.
        let points = pair.support(&axis);
        let vertex = Vertex::from(points);
        if axis.dot(&vertex.w) < 0.0 {
            return Solution {
                distance: f64::INFINITY,
                points,
                normal: axis,
                converged: true,
                iterations,
            };
        }
        let origin = match simplex.as_mut() {
            None => {
                simplex = Some(Simplex::point(vertex));
                Origin::Outside(vertex.w)
            }
            // Nothing new and nothing decided: contact within rounding.
            Some(known) if known.contains(&vertex.w) => break,
            Some(known) => known.extend(vertex),
        };
        match (origin, &simplex) {
            (Origin::Outside(nearest), Some(known)) if !known.touches_origin(&nearest) => {
                axis = -nearest.normalize();
            }
            _ => {
                let overlapping = overlapping(pair, simplex.as_ref(), iterations);
                return Solution { converged: true, ..overlapping };
            }
        }
    }
    overlapping(pair, simplex.as_ref(), iterations)
}

fn overlapping(pair: &RelativePair, simplex: Option<&Simplex>, iterations: u32) -> Solution {
    let fallback = pair.unconverged(&pair.centre_line(), iterations);
    Solution {
        distance: f64::NEG_INFINITY,
        points: simplex.map_or(fallback.points, Simplex::witnesses),
        ..fallback
    }
}

#[cfg(test)]
mod tests {
    use crate::dense_search::{Random, signed_distance, sphere};
    use crate::{Previous, Solver};
    use smooth_scene_geometry::math::Pose;

    #[test]
    fn tells_spheres_apart_from_overlapping_ones() {
        let (a, pose_a) = sphere(1.0, [5.0, 0.0, 0.0]);
        for (x, expected) in [(6.501, f64::INFINITY), (6.499, f64::NEG_INFINITY)] {
            let (b, pose_b) = sphere(0.5, [x, 0.0, 0.0]);
            let answer = Solver::GjkOverlap.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.converged && answer.distance == expected, "{answer:?}");
        }
    }

    #[test]
    fn agrees_with_the_sign_of_a_dense_search() {
        let mut random = Random(11);
        for k in 0..120 {
            let (a, b) = (random.mild_superellipsoid(), random.mild_superovoid());
            let pose_a = random.pose(10.0);
            let pose_b = pose_a * random.pose(1.2 + 0.015 * k as f64);
            let (distance, _) = signed_distance(&a, &pose_a, &b, &pose_b);
            let answer = Solver::GjkOverlap.solve(&a, &pose_a, &b, &pose_b).unwrap();
            assert!(answer.converged, "{k} {answer:?}");
            assert_eq!(answer.distance > 0.0, distance > 0.0, "{k} {distance}");
            if distance > 0.0 {
                let gap = answer.point_b_w - answer.point_a_w;
                assert!(gap.dot(&answer.normal_ab_w) > 0.0, "the plane separates");
            } else {
                assert!((answer.point_a_w - answer.point_b_w).norm() < 1e-12, "a common point");
            }
        }
    }

    /// While bodies stay apart and move by little, the last axis separates them at the first support point.
    #[test]
    fn the_axis_of_the_last_query_decides_at_once() {
        let mut random = Random(12);
        let (mut first_try, mut apart) = (0, 0);
        for _ in 0..40 {
            let (a, b) = (random.mild_superellipsoid(), random.mild_superovoid());
            let (pose_a, at) = (random.pose(0.0), random.pose(3.2));
            let mut previous = Previous::default();
            for k in 0..5 {
                let pose_b = Pose::translation(0.01 * f64::from(k), 0.0, 0.0) * at;
                let cold = Solver::GjkOverlap.solve(&a, &pose_a, &b, &pose_b).unwrap();
                let warm =
                    Solver::GjkOverlap.solve_next(&a, &pose_a, &b, &pose_b, &mut previous).unwrap();
                assert_eq!(cold.distance, warm.distance);
                if k > 0 && cold.distance > 0.0 {
                    apart += 1;
                    first_try += u32::from(warm.iterations == 1);
                }
            }
        }
        assert!(apart > 100 && first_try * 10 > apart * 9, "{first_try} of {apart}");
    }

    #[test]
    fn concentric_bodies_overlap() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.0; 3]));
        let answer = Solver::GjkOverlap.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(answer.converged && answer.distance == f64::NEG_INFINITY);
        assert_eq!(answer.point_a_w, answer.point_b_w);
    }
}
