//! Gradients and derivatives against central differences of the distance.

use nalgebra::UnitQuaternion;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Ellipsoid, Shape, Sphere};
use smooth_scene_query::{QueryOptions, SignedDistance, distance, distance_gradient, second_order};
use smooth_scene_test_support::families::{PosedPair, Rng, family_pair};
use smooth_scene_test_support::random::seed;

/// Sharp enough for differences with steps of 1e-5.
fn options() -> QueryOptions {
    QueryOptions { gap_tolerance: 1e-14, ..QueryOptions::default() }
}

/// `pose` displaced along or turned about (its own origin) a world axis.
fn nudged(pose: &Pose, column: usize, step: f64) -> Pose {
    let mut axis = Vec3::zeros();
    axis[column % 3] = step;
    let mut moved = *pose;
    if column < 3 {
        moved.translation.vector += axis;
    } else {
        moved.rotation = UnitQuaternion::from_scaled_axis(axis) * moved.rotation;
    }
    moved
}

fn query(pair: &PosedPair) -> SignedDistance {
    distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options())
}

/// Two answers that belong to the same local maximum, so that their difference is a derivative.
fn same_branch(a: &SignedDistance, b: &SignedDistance) -> bool {
    (a.normal_ab_w - b.normal_ab_w).norm() < 0.02
}

fn random_pair(family: &str, rng: &mut Rng) -> PosedPair {
    if family != "spheres" {
        return family_pair(family, rng);
    }
    let mut pair = family_pair("ellipsoids", rng);
    pair.b = Sphere::new(rng.uniform(0.01, 0.02)).unwrap().into();
    pair
}

#[test]
fn gradients_equal_central_differences() {
    let (mut compared, mut worst) = (0, 0f64);
    for family in ["mild", "tapered", "ellipsoids", "deep", "spheres"] {
        let seed = seed(3);
        let mut rng = Rng::new(seed);
        for k in 0..40 {
            let pair = random_pair(family, &mut rng);
            let (found, size) = (query(&pair), pair.size());
            let gradients = distance_gradient(&pair.pose_a, &pair.pose_b, &found);
            for column in 0..6 {
                let step = if column < 3 { 1e-5 * size } else { 1e-5 };
                let scale = if column < 3 { 1.0 } else { size };
                for (body, gradient) in gradients.iter().enumerate() {
                    let at = |step: f64| {
                        let mut moved = pair.clone();
                        let pose = if body == 0 { &mut moved.pose_a } else { &mut moved.pose_b };
                        *pose = nudged(pose, column, step);
                        query(&moved)
                    };
                    let (before, after) = (at(-step), at(step));
                    if !same_branch(&before, &found) || !same_branch(&after, &found) {
                        continue;
                    }
                    let difference = (after.distance - before.distance) / (2.0 * step);
                    let error = (difference - gradient[column]).abs() / scale;
                    worst = worst.max(error);
                    compared += 1;
                    assert!(
                        error < 1e-4,
                        "{family} seed {seed} pair {k} body {body} column {column}: {error:e}"
                    );
                }
            }
        }
    }
    println!("{compared} gradients, worst {worst:.1e}");
    assert!(compared > 2000);
}

#[test]
fn derivatives_of_normal_and_witnesses_equal_central_differences() {
    let (mut compared, mut apart, mut worst) = (0, 0, 0f64);
    for family in ["mild", "ellipsoids", "deep", "spheres", "tapered"] {
        let seed = seed(4);
        let mut rng = Rng::new(seed);
        for k in 0..60 {
            let pair = random_pair(family, &mut rng);
            let (found, size) = (query(&pair), pair.size());
            let exact = second_order(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &found);
            let Some(exact) = exact.derivatives else { continue };
            for column in 0..6 {
                let unit = if column < 3 { size } else { 1.0 };
                let at = |step: f64| {
                    let pose_b = nudged(&pair.pose_b, column, step * unit);
                    query(&PosedPair { pose_b, ..pair.clone() })
                };
                // Where halving the step changes the difference, the function is not smooth enough to difference.
                let differences = |step: f64| {
                    let (before, after) = (at(-step), at(step));
                    let rate = |b: Vec3, a: Vec3| (a - b) / (2.0 * step * unit);
                    [
                        rate(before.normal_ab_w, after.normal_ab_w) * unit,
                        rate(before.witness_a_w, after.witness_a_w) * (unit / size),
                        rate(before.witness_b_w, after.witness_b_w) * (unit / size),
                    ]
                };
                let (coarse, fine) = (differences(2e-5), differences(1e-5));
                let expected = [
                    exact.normal.column(column) * unit,
                    exact.witness_a.column(column) * (unit / size),
                    exact.witness_b.column(column) * (unit / size),
                ];
                for part in 0..3 {
                    let scale = 1.0 + fine[part].norm();
                    if (coarse[part] - fine[part]).norm() > 3e-5 * scale {
                        continue;
                    }
                    let error = (fine[part] - expected[part]).norm() / scale;
                    worst = worst.max(error);
                    compared += 1;
                    apart += usize::from(found.distance > 0.0);
                    assert!(
                        error < 1e-3,
                        "{family} seed {seed} pair {k} part {part} column {column}: {error:e} {found:?}"
                    );
                }
            }
        }
    }
    println!("{compared} derivatives, {apart} of them apart, worst {worst:.1e}");
    assert!(compared > 2000 && apart > 500 && compared - apart > 500);
}

/// κ₁κ₂ of an ellipsoid with semi-axes a, b, c where the unit normal is n: K = h⁴/(abc)², h the support value.
#[test]
fn gaussian_curvature_of_an_ellipsoid_is_its_closed_form() {
    let radii = [0.4, 0.9, 1.7];
    let ellipsoid: Shape = Ellipsoid::new(radii).unwrap().into();
    let ball: Shape = Sphere::new(0.1).unwrap().into();
    let mut rng = Rng::new(seed(9));
    for _ in 0..50 {
        let pose_a = Pose::from_parts(rng.direction().into(), rng.rotation());
        let pose_b = Pose::from(pose_a.translation.vector + rng.direction() * 4.0);
        let found = distance(&ellipsoid, &pose_a, &ball, &pose_b, &options());
        let order = second_order(&ellipsoid, &pose_a, &ball, &pose_b, &found);
        let n = pose_a.rotation.inverse() * found.normal_ab_w;
        let h = Vec3::new(radii[0] * n.x, radii[1] * n.y, radii[2] * n.z).norm();
        let expected = h.powi(4) / (radii[0] * radii[1] * radii[2]).powi(2);
        let [small, large] = order.curvatures_a.values;
        assert!(small <= large && (small * large / expected - 1.0).abs() < 1e-10);
        for direction in order.curvatures_a.directions_w {
            assert!(direction.dot(&found.normal_ab_w).abs() < 1e-12);
        }
    }
}
