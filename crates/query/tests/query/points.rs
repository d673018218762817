//! Points, vertex sets and half-spaces against brute force.

use proptest::prelude::*;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape, Sphere};
use smooth_scene_query::{
    QueryOptions, SolveStatus, VertexBlocks, colliding_vertices, half_space_distance,
    nearest_vertex, point_distance,
};
use smooth_scene_test_support::families::{Rng, family_pair, superquadric};
use smooth_scene_test_support::random::{properties, seed};

/// The highest n·x − h(n) over a spiral of directions: a lower bound on the signed distance, tight up to the spacing.
fn sampled_distance(shape: &Shape, pose: &Pose, point: &Vec3, count: usize) -> f64 {
    let local = pose.inverse_transform_point(&(*point).into()).coords;
    (0..count)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
            let (sin, cos) = (k as f64 * 2.399_963_229_728_653).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            let n = Vec3::new(rho * cos, rho * sin, z);
            n.dot(&local) - shape.support(&n).value
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn point_distance_is_the_highest_sampled_separation() {
    for family in ["mild", "boxy", "tapered", "ellipsoids"] {
        let seed = seed(6);
        let mut rng = Rng::new(seed);
        for k in 0..40 {
            let pair = family_pair(family, &mut rng);
            let radius = pair.a.bounding_radius();
            let point =
                pair.pose_a.translation.vector + rng.direction() * (radius * rng.uniform(0.0, 1.6));
            let options = QueryOptions::default();
            let found = point_distance(&pair.a, &pair.pose_a, &point, &options);
            let sampled = sampled_distance(&pair.a, &pair.pose_a, &point, 20_000);
            let label = format!("{family} seed {seed} pair {k}: {found:?} {sampled}");
            assert!(found.lower <= found.distance && found.distance <= found.upper, "{label}");
            assert!(found.upper >= sampled - 1e-12 * radius, "{label}");
            assert!(found.distance >= sampled - 1e-9 * radius, "{label}");
            assert!(found.distance <= sampled + 2e-2 * radius, "{label}");
            let linked = point - found.normal_w * found.distance - found.projection_w;
            // A witness is known to the square root of the relative accuracy of the value.
            assert!(linked.norm() <= 1e-4 * radius, "{label}");
            if found.distance > 1e-6 * radius {
                assert_eq!(found.status, SolveStatus::Certified, "{label}");
                assert!(found.upper - found.lower <= 1e-8 * radius, "{label}");
            }
        }
    }
}

#[test]
fn point_and_sphere_have_the_distance_to_the_centre() {
    let ball: Shape = Sphere::new(0.75).unwrap().into();
    let pose = Pose::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.2, 0.4, 0.9));
    for length in [1e-7, 0.1, 0.75, 2.0, 1e4] {
        let direction = Vec3::new(0.6, 0.0, -0.8);
        let point = pose.translation.vector + direction * length;
        let found = point_distance(&ball, &pose, &point, &QueryOptions::default());
        let tolerance = 1e-12 * length.max(1.0);
        assert!((found.distance - (length - 0.75)).abs() <= tolerance, "{length} {found:?}");
        if length > 1e-3 {
            assert!((found.normal_w - direction).norm() < 1e-6, "{length} {found:?}");
        }
    }
}

fn cloth(rng: &mut Rng, size: f64) -> Vec<Vec3> {
    let (rows, columns) = (41, 41);
    let (phase, slope) = (rng.uniform(0.0, 6.0), rng.uniform(-0.5, 0.5));
    let mut vertices = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            let (x, y) = (i as f64 / 20.0 - 1.0, j as f64 / 20.0 - 1.0);
            let z = 0.2 * (5.0 * x + phase).sin() + slope * y;
            vertices.push(Vec3::new(x, y, z) * size);
        }
    }
    vertices
}

#[test]
fn vertex_queries_equal_brute_force() {
    let seed = seed(8);
    let mut rng = Rng::new(seed);
    let mut touched = 0;
    for k in 0..30 {
        let shape =
            superquadric(&mut rng, [0.1, 0.6], [0.3, 1.7], if k % 3 == 0 { 0.3 } else { 0.0 });
        let pose =
            Pose::from_parts((rng.direction() * rng.uniform(0.0, 1.5)).into(), rng.rotation());
        let vertices = cloth(&mut rng, 1.0);
        let mut blocks = if k % 2 == 0 {
            VertexBlocks::spatially_sorted(&cloth(&mut rng, 1.0))
        } else {
            VertexBlocks::consecutive(&cloth(&mut rng, 1.0), 36)
        };
        blocks.refit(&vertices).unwrap();
        let inside =
            |v: &Vec3| shape.inside_outside(&pose.inverse_transform_point(&(*v).into()).coords);
        let expected: Vec<usize> =
            (0..vertices.len()).filter(|&i| inside(&vertices[i]) <= 0.0).collect();
        let mut hits = Vec::new();
        colliding_vertices(&shape, &pose, &blocks, |index, value| {
            assert_eq!(value, inside(&vertices[index]));
            hits.push(index);
        });
        hits.sort_unstable();
        assert_eq!(hits, expected, "seed {seed} case {k}");
        touched += hits.len();
        let options = QueryOptions::default();
        let nearest = nearest_vertex(&shape, &pose, &blocks, &options).unwrap();
        let brute = vertices
            .iter()
            .map(|v| point_distance(&shape, &pose, v, &options).distance)
            .fold(f64::INFINITY, f64::min);
        let found = nearest.projection.distance;
        assert!((found - brute).abs() <= 1e-9, "seed {seed} case {k}: {found} {brute}");
    }
    assert!(touched > 100);
}

proptest! {
    #![proptest_config(properties(200, 3))]

    /// Moving the shape by the distance against the plane normal makes it touch; every surface point is on the free side.
    #[test]
    fn half_space_distance_is_the_lowest_surface_point(seed in any::<u64>(), offset in -2.0..2.0f64) {
        let mut rng = Rng::new(seed);
        let shape = superquadric(&mut rng, [0.1, 1.0], [0.1, 1.9], 0.3);
        let pose = Pose::from_parts((rng.direction() * 2.0).into(), rng.rotation());
        let normal = rng.direction();
        let found = half_space_distance(&shape, &pose, &normal, offset);
        for _ in 0..200 {
            let point = pose * nalgebra::Point3::from(shape.support(&rng.direction()).point);
            prop_assert!(normal.dot(&point.coords) - offset >= found.distance - 1e-13);
        }
        let mut moved = pose;
        moved.translation.vector -= normal * found.distance;
        prop_assert!(half_space_distance(&shape, &moved, &normal, offset).distance.abs() < 1e-14);
        prop_assert!((normal.dot(&found.witness_a_w) - offset - found.distance).abs() < 1e-13);
    }
}
