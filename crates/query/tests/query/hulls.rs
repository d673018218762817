//! Polyhedra apart: GJK alone ends at their nearest features, and its answers prove themselves.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{QueryOptions, SolveStatus, distance};
use smooth_scene_test_support::families::Rng;

/// The hull of so many points on an ellipsoid.
fn hull(rng: &mut Rng, count: usize) -> Shape {
    let radii = Vec3::from(rng.radii(0.05, 0.25));
    let points: Vec<Vec3> = (0..count).map(|_| rng.direction().component_mul(&radii)).collect();
    Shape::convex_mesh(&points).unwrap()
}

/// How high a body reaches along a direction of the world, from its support function alone.
fn reach(shape: &Shape, pose: &Pose, dir_w: &Vec3) -> f64 {
    let dir = pose.rotation.inverse_transform_vector(dir_w);
    shape.support(&dir).value + dir_w.dot(&pose.translation.vector)
}

/// A direction bounds the distance from below, two points of the bodies from above; both are taken from the answer and
/// looked at here.
#[test]
fn distances_of_hulls_boxes_and_balls_are_proven_by_a_direction_and_two_points() {
    let mut rng = Rng::new(7);
    let (mut apart, mut most) = (0, 0);
    for case in 0..3000 {
        let count = [8, 20, 60, 200][case % 4];
        let a = hull(&mut rng, count);
        let b = match case % 5 {
            0 => Shape::cuboid(rng.radii(0.05, 0.2)).unwrap(),
            1 => Shape::sphere(0.1).unwrap(),
            2 => Shape::capsule(0.05, 0.1).unwrap(),
            _ => hull(&mut rng, count),
        };
        let pose_a = Pose::from_parts(rng.direction().into(), rng.rotation());
        let way = rng.direction() * rng.uniform(0.2, 0.9);
        let pose_b = Pose::from_parts((pose_a.translation.vector + way).into(), rng.rotation());
        let found = distance(&a, &pose_a, &b, &pose_b, &QueryOptions::default());
        if found.distance <= 0.0 {
            continue;
        }
        apart += 1;
        most = most.max(found.iterations);
        assert_eq!(found.status, SolveStatus::Certified, "{case} {found:?}");
        let n = found.normal_ab_w;
        let lower = -reach(&b, &pose_b, &-n) - reach(&a, &pose_a, &n);
        assert!((found.lower - lower).abs() <= 1e-12, "{case} {found:?}");
        let [in_a, in_b] = [(&a, &pose_a, found.witness_a_w), (&b, &pose_b, found.witness_b_w)]
            .map(|(shape, pose, p)| {
                shape.inside_outside(&pose.inverse_transform_point(&p.into()).coords)
            });
        assert!(in_a <= 1e-9 && in_b <= 1e-9, "{case} {in_a} {in_b}");
        let between = (found.witness_b_w - found.witness_a_w).norm();
        assert!((found.upper - between).abs() <= 1e-12, "{case} {found:?}");
        assert!(found.upper - found.lower <= 1e-9, "{case} {found:?}");
    }
    println!("{apart} apart, at most {most} looks");
    assert!(apart > 1000 && most <= 20, "{apart} {most}");
}
