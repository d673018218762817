//! The fast depth of bodies with flat faces, edges and tips, whose maxima are sharp and close together.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{QueryOptions, SolveStatus, distance};
use smooth_scene_test_support::families::{PosedPair, Rng, pose, superquadric};

/// Hand-sized pairs that overlap deeply, with exponents in a range.
fn deep_pairs(exponents: [f64; 2], seed: u64) -> impl Iterator<Item = PosedPair> {
    let mut rng = Rng::new(seed);
    (0..1000).map(move |_| {
        let body = |rng: &mut Rng| superquadric(rng, [0.005, 0.03], exponents, 0.0);
        let (a, b) = (body(&mut rng), body(&mut rng));
        pose(&mut rng, a, b, [0.0, 0.4])
    })
}

fn fast_depth(p: &PosedPair) -> Option<f64> {
    let found = distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &QueryOptions::default());
    (found.status == SolveStatus::DepthUnproven).then_some(found.distance)
}

/// The separation along a direction of the world, by the shapes' own support functions.
fn separation(p: &PosedPair, n: &Vec3) -> f64 {
    let between = p.pose_b.translation.vector - p.pose_a.translation.vector;
    let in_a = p.pose_a.rotation.inverse() * n;
    let in_b = -(p.pose_b.rotation.inverse() * n);
    n.dot(&between) - p.a.support(&in_a).value - p.b.support(&in_b).value
}

/// The normals of the faces of both boxes, and the cross products of their edges, in both senses.
fn axes(p: &PosedPair) -> Vec<Vec3> {
    let [a, b] =
        [&p.pose_a, &p.pose_b].map(|pose| [0, 1, 2].map(|k| pose.rotation * Vec3::ith(k, 1.0)));
    let cross = a.iter().flat_map(|a| b.iter().map(|b| a.cross(b)));
    let all = a.iter().chain(&b).copied().chain(cross.filter(|axis| axis.norm() > 0.11));
    all.map(|axis| axis.normalize()).flat_map(|axis| [axis, -axis]).collect()
}

/// Climbs lead past the sharp maxima along these axes; the search looks there in single precision, which is off by less
/// than this part of the size. Bodies with exponents from 0.15 on count as smooth and have another search.
#[test]
fn no_fast_depth_is_beaten_along_an_axis_of_the_boxes() {
    let single = 1e-4;
    let mut checked = 0;
    for seed in 21..=23 {
        for exponents in [[0.02, 0.14], [0.02, 1.98]] {
            for p in deep_pairs(exponents, seed) {
                let Some(depth) = fast_depth(&p) else { continue };
                let high = axes(&p).iter().map(|n| separation(&p, n)).fold(f64::MIN, f64::max);
                assert!(high <= depth + single * p.size(), "seed {seed}: {high} {depth} {p:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 5000, "{checked}");
}

/// Fast depths of a set that the proof improves on.
fn wrong(exponents: [f64; 2]) -> (usize, usize) {
    let (mut wrong, mut count) = (0, 0);
    for p in (1..=5).flat_map(|seed| deep_pairs(exponents, seed)) {
        let Some(depth) = fast_depth(&p) else { continue };
        let proven = distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &QueryOptions::certified());
        wrong += usize::from(proven.distance - depth > 1e-9 * p.size());
        count += 1;
    }
    (wrong, count)
}

/// A search that looks along fewer directions, or climbs past sharp maxima, misses several times as many.
#[test]
fn few_fast_depths_of_deep_boxes_and_of_bodies_with_edges_are_not_the_least() {
    let (boxes, count) = wrong([0.02, 0.3]);
    assert!(count > 4000 && boxes <= 3, "{boxes} of {count} boxes");
    let (any, count) = wrong([0.02, 1.98]);
    assert!(count > 4000 && any <= 2, "{any} of {count} of any exponents");
}

/// How far a point of the world is outside a body that is symmetric about its origin, along the line to it, m.
fn radially_outside(shape: &Shape, pose: &Pose, point_w: &Vec3) -> f64 {
    let point = pose.rotation.inverse() * (point_w - pose.translation.vector);
    let (mut inside, mut outside) = (0.0, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (inside + outside);
        if shape.inside_outside(&(middle * point)) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    (1.0 - inside) * point.norm()
}

/// Next to flat faces the points are moved along tangents, by up to a third of the size.
#[test]
fn witnesses_of_fast_depths_are_on_the_bodies() {
    for exponents in [[0.02, 0.1], [0.1, 0.3], [0.02, 1.98]] {
        let mut checked = 0;
        for p in (31..=35).flat_map(|seed| deep_pairs(exponents, seed)) {
            let found = distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &QueryOptions::default());
            if found.status != SolveStatus::DepthUnproven {
                continue;
            }
            let of_a = radially_outside(&p.a, &p.pose_a, &found.witness_a_w);
            let of_b = radially_outside(&p.b, &p.pose_b, &found.witness_b_w);
            // Ten times the largest of the poses that were tried first; that of nearly boxes is 1e-11.
            let error = of_a.abs().max(of_b.abs());
            assert!(error <= 4e-8 * p.size(), "{error} {found:?} {p:?}");
            checked += 1;
        }
        assert!(checked > 4900, "{checked}");
    }
}
