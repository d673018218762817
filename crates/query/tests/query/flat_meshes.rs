//! Convex meshes that span no volume: plates, segments and points answer like the bodies they are the limit of.

use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{HalfSpace, Shape};
use smooth_scene_query::{
    PairQuery, QueryOptions, SignedDistance, SolveStatus, distance, point_distance,
};
use smooth_scene_test_support::families::Rng;

/// The corners of a rectangle in the plane z = 0.
fn plate(half: [f64; 2]) -> Shape {
    let [x, y] = half;
    let corners = [[-x, -y], [x, -y], [x, y], [-x, y]];
    Shape::convex_mesh(&corners.map(|[x, y]| Vec3::new(x, y, 0.0))).unwrap()
}

fn ask(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> SignedDistance {
    distance(a, pose_a, b, pose_b, &QueryOptions::certified())
}

/// Two poses that differ by `relative` and are in general position.
fn posed(rng: &mut Rng, relative: Pose) -> [Pose; 2] {
    let pose = Pose::from_parts(rng.direction().into(), rng.rotation());
    [pose, pose * relative]
}

#[test]
fn a_ball_and_a_plate_have_the_closed_form() {
    let (wall, ball) = (plate([1.0, 0.5]), Shape::sphere(0.2).unwrap());
    let mut rng = Rng::new(1);
    // Centre of the ball, and its distance from the plate.
    for (centre, gap) in [
        ([0.3, 0.1, 0.7], 0.7),
        ([0.3, 0.1, -0.1], 0.1),
        ([0.3, 0.1, 0.0], 0.0),
        ([1.3, 0.1, 0.4], 0.5),
        ([1.3, 0.9, 0.0], 0.5),
        ([1.05, 0.0, 0.0], 0.05),
    ] {
        let [pose, at] = posed(&mut rng, Pose::translation(centre[0], centre[1], centre[2]));
        let found = ask(&wall, &pose, &ball, &at);
        assert!((found.distance - (gap - 0.2)).abs() <= 1e-9, "{centre:?} {found:?}");
        assert!(found.lower <= gap - 0.2 + 1e-12 && found.upper >= gap - 0.2 - 1e-12);
        assert_eq!(found.status, SolveStatus::Certified, "{centre:?}");
        let swapped = ask(&ball, &at, &wall, &pose);
        assert!((swapped.distance - found.distance).abs() <= 1e-9);
        let point =
            point_distance(&wall, &pose, &at.translation.vector, &QueryOptions::certified());
        assert!((point.distance - gap).abs() <= 1e-9, "{centre:?} {point:?}");
    }
}

/// A plate has a depth, too: the shortest way out of the other body.
#[test]
fn the_depth_of_a_plate_in_a_box_is_proven() {
    let (wall, block) = (plate([0.3, 0.2]), Shape::cuboid([1.0, 1.5, 2.0]).unwrap());
    let mut rng = Rng::new(2);
    for (relative, depth) in [
        // Parallel to a face: the way out is along z, or along x by the width of the plate more.
        (Pose::translation(0.0, 0.0, 1.9), 0.1),
        (Pose::translation(0.9, 0.0, 0.0), 0.4),
        (Pose::translation(0.0, 0.0, 0.0), 1.3),
        // Turned by a quarter about y the plate lies in a plane x = const.
        (Pose::new(Vec3::new(0.9, 0.0, 0.0), Vec3::y() * std::f64::consts::FRAC_PI_2), 0.1),
    ] {
        let [pose, at] = posed(&mut rng, relative);
        let found = ask(&block, &pose, &wall, &at);
        assert!((found.distance + depth).abs() <= 1e-6, "{relative} {found:?}");
        assert!(found.lower <= -depth + 1e-12 && found.upper >= -depth - 1e-12, "{found:?}");
        assert_eq!(found.status, SolveStatus::Certified, "{relative}");
        assert!(PairQuery::new(&block, &pose, &wall, &at).collides().is_contact());
    }
}

#[test]
fn plates_that_cross_touch_or_pass() {
    let wall = plate([1.0, 1.0]);
    let quarter = Vec3::x() * std::f64::consts::FRAC_PI_2;
    let mut rng = Rng::new(3);
    for (relative, expected) in [
        // In one plane: apart, and overlapping, where any way out is to the side of zero length.
        (Pose::translation(2.5, 0.0, 0.0), 0.5),
        (Pose::translation(0.5, 0.3, 0.0), 0.0),
        (Pose::translation(0.5, 0.3, 0.25), 0.25),
        // At right angles through each other: out along the shorter side.
        (Pose::new(Vec3::new(0.0, 0.0, 0.6), quarter), -0.4),
        (Pose::new(Vec3::new(0.0, 0.0, 1.6), quarter), 0.6),
    ] {
        let [pose, at] = posed(&mut rng, relative);
        let found = ask(&wall, &pose, &wall, &at);
        assert!((found.distance - expected).abs() <= 3e-6, "{relative} {found:?}");
        assert!(found.lower <= expected + 1e-12 && found.upper >= expected - 1e-12, "{found:?}");
        assert_ne!(found.status, SolveStatus::DepthUnproven);
    }
}

#[test]
fn segments_and_points_have_closed_forms() {
    let needle = Shape::convex_mesh(&[Vec3::zeros(), Vec3::x() * 2.0]).unwrap();
    let point = Shape::convex_mesh(&[Vec3::new(0.0, 0.5, 0.0)]).unwrap();
    let ball = Shape::sphere(0.25).unwrap();
    let mut rng = Rng::new(4);
    let [pose, at] = posed(&mut rng, Pose::translation(1.0, 0.0, 1.0));
    assert!((ask(&needle, &pose, &ball, &at).distance - 0.75).abs() <= 1e-9);
    assert!((ask(&needle, &pose, &needle, &at).distance - 1.0).abs() <= 1e-9);
    assert!((ask(&needle, &pose, &point, &at).distance - 1.25f64.sqrt()).abs() <= 1e-9);
    assert!((ask(&point, &pose, &point, &at).distance - 2f64.sqrt()).abs() <= 1e-9);
    assert_eq!(ask(&point, &pose, &point, &pose).distance, 0.0);
    let floor = HalfSpace::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let high = Pose::translation(0.0, 0.0, 0.5);
    assert!((ask(&point, &high, &floor, &Pose::identity()).distance - 0.5).abs() <= 1e-15);
}

/// Random plates against thin boxes: the plate is inside the box, and the box within its thickness of the plate.
#[test]
fn a_plate_answers_like_a_thin_box() {
    let thin = 1e-6;
    let mut rng = Rng::new(5);
    for case in 0..300 {
        let half = [rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0)];
        let (wall, slab) = (plate(half), Shape::cuboid([half[0], half[1], thin]).unwrap());
        let other = match case % 4 {
            0 => Shape::ellipsoid(rng.radii(0.2, 1.0)).unwrap(),
            1 => Shape::superellipsoid(rng.radii(0.2, 1.0), 0.4, 1.3).unwrap(),
            2 => Shape::cylinder(0.4, 0.6).unwrap(),
            _ => plate([0.4, 0.7]),
        };
        let offset = rng.direction() * rng.uniform(0.0, 2.0);
        let [pose, at] = posed(&mut rng, Pose::from_parts(offset.into(), Default::default()));
        let at = Pose::from_parts(at.translation, rng.rotation());
        let (found, boxed) = (ask(&wall, &pose, &other, &at), ask(&slab, &pose, &other, &at));
        assert!(found.lower <= found.distance && found.distance <= found.upper);
        let slack = 3e-6 + 2.0 * thin;
        assert!((found.distance - boxed.distance).abs() <= slack, "{case}: {found:?} {boxed:?}");
    }
}

/// The centre of a ball on a corner of a mesh, but for the least number there is: the ball is as deep as its radius, whether the
/// climbs end above zero or below.
#[test]
fn a_ball_with_its_centre_on_a_corner_is_as_deep_as_its_radius() {
    let a = 0.6853895838650083;
    let corners = [
        [0.0, a, 0.0],
        [-a, 0.0, 0.6800349777410629],
        [0.0, 0.0, a],
        [0.6639711593692268, -a, -0.5675882491382099],
        [a, 0.0, 0.0],
        [5e-324, 0.0, 0.0],
    ];
    let mesh = Shape::convex_mesh(&corners.map(Vec3::from)).unwrap();
    let (ball, here) = (Shape::sphere(1.0).unwrap(), Pose::identity());
    for options in [QueryOptions::default(), QueryOptions::certified()] {
        for (first, second) in [(&mesh, &ball), (&ball, &mesh)] {
            let found = distance(first, &here, second, &here, &options);
            assert!((found.distance + 1.0).abs() < 1e-9, "{found:?}");
            assert!(found.lower <= found.distance && found.distance <= found.upper, "{found:?}");
        }
    }
}
