//! Poses that are not numbers: nothing is proven of them, and nothing panics.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{
    Collision, MotionOptions, PairQuery, PairQuestion, PosedPair, QueryOptions, RigidMotion,
    SolveStatus, WarmStart, Within, distance_batch, for_each_distance_within, half_space_distance,
    point_distance, time_of_impact,
};

fn shapes() -> Vec<Shape> {
    let ball = Shape::sphere(0.5).unwrap();
    let part = (Pose::translation(0.1, 0.0, 0.0), ball.clone());
    vec![
        ball,
        Shape::ellipsoid([0.5, 0.4, 0.3]).unwrap(),
        Shape::superellipsoid([0.5, 0.4, 0.3], 0.4, 0.7).unwrap(),
        Shape::superovoid([0.5, 0.4, 0.3], 1.0, 0.8, [0.2, -0.1]).unwrap(),
        Shape::poly_ellipsoid([0.5, 0.4, 0.3, 0.2, 0.4, 0.5]).unwrap(),
        Shape::cuboid([0.5, 0.4, 0.3]).unwrap(),
        Shape::capsule(0.3, 0.5).unwrap(),
        Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap(),
        Shape::compound(vec![part]).unwrap(),
    ]
}

fn bad_poses() -> Vec<Pose> {
    let mut bad = vec![
        Pose::translation(f64::NAN, 0.0, 0.0),
        Pose::translation(0.0, f64::INFINITY, 0.0),
        Pose::translation(0.0, 0.0, f64::NEG_INFINITY),
    ];
    let mut turned = Pose::identity();
    turned.rotation.as_mut_unchecked().coords.x = f64::NAN;
    bad.push(turned);
    bad
}

/// Every entry point, with every kind of shape on either side: in a build with debug checks NaN once reached one of them.
#[test]
fn a_pose_that_is_no_number_proves_nothing_and_never_looks_free() {
    let options = QueryOptions::default();
    let certified = QueryOptions::certified();
    let good = Pose::translation(3.0, 0.0, 0.0);
    for a in &shapes() {
        for b in &shapes() {
            for bad in &bad_poses() {
                for (pose_a, pose_b) in [(bad, &good), (&good, bad), (bad, bad)] {
                    let query = PairQuery::new(a, pose_a, b, pose_b);
                    for found in [query.distance(), query.options(&certified).distance()] {
                        assert_eq!(found.status, SolveStatus::BudgetExhausted);
                        let bounds = [found.lower, found.upper];
                        assert_eq!(bounds, [f64::NEG_INFINITY, f64::INFINITY], "{a:?} {b:?}");
                    }
                    assert!(matches!(query.collides(), Collision::Touching { .. }));
                    assert!(query.collides().is_contact());
                    assert!(matches!(query.within(0.1), Within::Near(_)));
                    let pair = PosedPair { a, pose_a, b, pose_b };
                    let many = distance_batch(&[pair; 3], &options);
                    assert!(many.iter().all(|found| found.lower == f64::NEG_INFINITY));
                    let warm = WarmStart::default();
                    let asked = [PairQuestion { pair, threshold: 0.1, warm }; 5];
                    for_each_distance_within(asked, &options, |_, found| {
                        assert!(matches!(found, Within::Near(one) if one.upper.is_infinite()));
                    });
                }
            }
        }
    }
}

#[test]
fn points_planes_and_motions_that_are_no_numbers_prove_nothing_either() {
    let options = QueryOptions::default();
    let good = Pose::translation(3.0, 0.0, 0.0);
    for shape in &shapes() {
        for bad in &bad_poses() {
            let found = point_distance(shape, bad, &Vec3::zeros(), &options);
            assert_eq!([found.lower, found.upper], [f64::NEG_INFINITY, f64::INFINITY]);
            let found = half_space_distance(shape, bad, &Vec3::z(), 0.0);
            assert_eq!([found.lower, found.upper], [f64::NEG_INFINITY, f64::INFINITY]);
        }
        let found = point_distance(shape, &good, &Vec3::repeat(f64::NAN), &options);
        assert_eq!([found.lower, found.upper], [f64::NEG_INFINITY, f64::INFINITY]);
    }
    let ball = Shape::sphere(0.5).unwrap();
    for bad in &bad_poses()[..3] {
        let motion = RigidMotion::translation(&good, bad.translation.vector);
        let still = RigidMotion::translation(&Pose::identity(), Vec3::zeros());
        let found = time_of_impact(&ball, &still, &ball, &motion, &MotionOptions::default());
        assert!(found.free_until < 1.0, "{found:?}");
    }
}
