//! GJK for the distance of bodies that are apart, EPA for the depth of bodies that overlap [Gilbert 1988;
//! van den Bergen 2003], from support points alone.
//!
//! A and B overlap exactly when A ⊖ B = { a − b } holds the origin. GJK walks a simplex of support points of A ⊖ B
//! towards the origin:
//!
//! 1. v is the point of the simplex nearest to the origin, w the support point of A ⊖ B against v.
//! 2. v·w/|v| is a lower bound on the distance, |v| an upper one; stop when |v|² − lower² ≤ [`GAP`]·|v|².
//! 3. Add w to the simplex and keep the smallest face that holds the nearest point.
//! 4. A tetrahedron around the origin means overlap: [`super::epa`] takes over.
//!
//! The lecture this follows tests |v|² − lower² against an absolute ε; relative to |v|² it does not depend on the unit
//! of length [van den Bergen 2003]. Its lower bound is kept.

use crate::epa;
use crate::relative_pair::{RelativePair, Solution};
use crate::simplex::{Origin, Simplex, Vertex};
use smooth_scene_geometry::math::Vec3;

/// Relative gap of the squared bounds on the distance at which GJK stops: half of it is the relative error of the
/// distance. Larger than what rounding leaves of |v|² by two orders.
const GAP: f64 = 1e-13;
/// A walk that can make no more progress in floating point has converged if its bounds are this close, in multiples
/// of the size of the bodies.
const STALL_GAP: f64 = 1e-9;
/// Support points of one walk. A few dozen are typical for smooth bodies.
const MAX_STEPS: u32 = 200;

/// Distance by GJK, depth by EPA. Handles every shape. Converges to the distance, or to the global depth; when it does
/// not (iteration limit, or no progress before the gap closes), the best point so far is returned as not converged.
pub(super) fn solve(pair: &RelativePair) -> Solution {
    let size = pair.size();
    // The difference of the centres is a point of A ⊖ B: the support point against it is the first vertex.
    let first = Vertex::from(pair.support(&pair.centre_line()));
    let mut simplex = Simplex::point(first);
    let mut v = first.w;
    let mut lower: f64 = 0.0;
    for iteration in 1..=MAX_STEPS {
        if simplex.touches_origin(&v) {
            return epa::depth(pair, &simplex, iteration);
        }
        let squared = v.norm_squared();
        let length = squared.sqrt();
        let vertex = Vertex::from(pair.support(&(-v / length)));
        lower = lower.max(v.dot(&vertex.w) / length);
        if squared - lower * lower <= GAP * squared {
            return Solution { converged: true, ..apart(&simplex, &v, iteration) };
        }
        let mut extended = simplex;
        let next = if simplex.contains(&vertex.w) { None } else { Some(extended.extend(vertex)) };
        match next {
            Some(Origin::Inside) => return epa::depth(pair, &extended, iteration),
            Some(Origin::Outside(nearest)) if nearest.norm_squared() < squared => {
                simplex = extended;
                v = nearest;
            }
            // The same vertex again, or no nearer point: the limit of floating point.
            _ => {
                let converged = length - lower <= STALL_GAP * size;
                return Solution { converged, ..apart(&simplex, &v, iteration) };
            }
        }
    }
    apart(&simplex, &v, MAX_STEPS)
}

/// The nearest point v = a − b of the simplex as a solution: the normal points from A to B, against v.
fn apart(simplex: &Simplex, v: &Vec3, iterations: u32) -> Solution {
    let distance = v.norm();
    Solution {
        distance,
        points: simplex.witnesses(),
        normal: -v / distance,
        converged: false,
        iterations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::dense_search::{APART, OVERLAPPING, Tally, ellipsoid, sphere};

    #[test]
    fn spheres_have_the_distance_of_their_centres_less_the_radii() {
        let (a, pose_a) = sphere(1.0, [100.0, -3.0, 0.5]);
        for (at, expected) in [([102.0, -1.0, 1.5], 1.5), ([100.4, -2.6, 0.7], -0.9)] {
            let (b, pose_b) = sphere(0.5, at);
            let answer = Solver::GjkEpa.solve(&a, &pose_a, &b, &pose_b).unwrap();
            let direction = (pose_b.translation.vector - pose_a.translation.vector).normalize();
            assert!(answer.converged, "{answer:?}");
            assert!((answer.distance - expected).abs() < 1e-9, "{answer:?}");
            assert!((answer.normal_ab_w - direction).norm() < 1e-4);
            let from_points = (answer.point_b_w - answer.point_a_w).dot(&answer.normal_ab_w);
            assert!((from_points - answer.distance).abs() < 1e-9);
        }
    }

    #[test]
    fn aligned_ellipsoids_meet_on_their_common_axis() {
        let (a, pose_a) = ellipsoid([1.0, 2.0, 3.0], [0.0; 3]);
        let (b, pose_b) = ellipsoid([1.5, 0.5, 2.5], [4.0, 0.0, 0.0]);
        let answer = Solver::GjkEpa.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(answer.converged && (answer.distance - 1.5).abs() < 1e-10);
        assert!((answer.point_a_w - Vec3::x()).norm() < 1e-4);
    }

    #[test]
    fn agrees_with_a_dense_search_apart() {
        let tally = Tally::of(Solver::GjkEpa, APART, 40);
        assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
    }

    #[test]
    fn agrees_with_a_dense_search_overlapping() {
        let tally = Tally::of(Solver::GjkEpa, OVERLAPPING, 40);
        assert_eq!((tally.unconverged, tally.wrong), (0, 0), "{tally:?}");
    }

    #[test]
    fn concentric_spheres_have_a_depth_in_every_direction_and_epa_admits_that_it_gave_up() {
        let ((a, pose_a), (b, pose_b)) = (sphere(1.0, [0.0; 3]), sphere(0.5, [0.0; 3]));
        let answer = Solver::GjkEpa.solve(&a, &pose_a, &b, &pose_b).unwrap();
        assert!(!answer.converged);
        assert!((answer.distance + 1.5).abs() < 0.03, "{answer:?}");
    }
}
