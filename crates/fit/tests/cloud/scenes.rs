//! Clouds of tables with objects.

use std::sync::atomic::{AtomicUsize, Ordering};

use smooth_scene_fit::cloud::{
    ClosestOptions, CloudError, FoundScene, NoFit, SceneOptions, find_objects, fit_closest,
};
use smooth_scene_fit::{DistanceTree, Placed, SurfaceKind};
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_geometry::{ConvexSurface, Shape, tessellate};
use smooth_scene_test_support::families::Rng;

fn triangles(pose: &Pose, shape: &Shape) -> Vec<[Vec3; 3]> {
    let mesh = tessellate(shape, 2e-3 * shape.bounding_radius());
    let place = |k: u32| pose.rotation * mesh.vertices[k as usize] + pose.translation.vector;
    mesh.triangles.iter().map(|triangle| triangle.map(place)).collect()
}

/// Points spread evenly over a surface, moved by up to `noise` along each axis.
fn spread(pose: &Pose, shape: &Shape, count: usize, noise: f64, random: &mut Rng) -> Vec<Vec3> {
    let triangles = triangles(pose, shape);
    let mut ends = Vec::new();
    let mut total = 0.0;
    for [a, b, c] in &triangles {
        total += (b - a).cross(&(c - a)).norm();
        ends.push(total);
    }
    (0..count)
        .map(|_| {
            let at = random.uniform(0.0, total);
            let [a, b, c] = triangles[ends.partition_point(|end| *end <= at).min(ends.len() - 1)];
            let (mut u, mut v) = (random.unit(), random.unit());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let mut off = || random.uniform(-noise, noise);
            a + (b - a) * u + (c - a) * v + Vec3::new(off(), off(), off())
        })
        .collect()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_parts(Vec3::new(x, y, z).into(), rotation_from_vector(&Vec3::new(0.0, 0.0, 0.6)))
}

/// A table of 1.2 × 0.8 m at the height 0.7, and three objects on it that are 10 cm or more apart.
fn table(count: usize) -> (Vec<Vec3>, Vec<(Pose, Shape)>) {
    let mut random = Rng::new(42);
    let objects = vec![
        (at(0.1, 0.2, 0.78), Shape::superellipsoid([0.05, 0.07, 0.08], 0.3, 0.3).unwrap()),
        (at(-0.3, -0.1, 0.76), Shape::sphere(0.06).unwrap()),
        (at(0.3, -0.2, 0.80), Shape::superellipsoid([0.04, 0.04, 0.1], 1.0, 0.2).unwrap()),
    ];
    let mut points = Vec::new();
    for _ in 0..count / 2 {
        let z = 0.7 + random.uniform(-0.002, 0.002);
        points.push(Vec3::new(random.uniform(-0.6, 0.6), random.uniform(-0.4, 0.4), z));
    }
    for (pose, shape) in &objects {
        points.extend(spread(pose, shape, count / 6, 0.001, &mut random));
    }
    (points, objects)
}

fn find(points: &[Vec3], robot: &Placed<'_>, options: &SceneOptions) -> FoundScene {
    find_objects(points, robot, options, &|_, _| {}, &|| false).unwrap()
}

/// Mean distance of the true surface from the found one.
fn error(truth: &(Pose, Shape), found: &smooth_scene_fit::FittedSurface) -> f64 {
    let tree = DistanceTree::new(&triangles(&found.pose(), &found.shape));
    let points = spread(&truth.0, &truth.1, 500, 0.0, &mut Rng::new(1));
    points.iter().map(|point| tree.distance(point)).sum::<f64>() / points.len() as f64
}

/// Every object is found, to about the noise; what is near the table is hidden by it.
fn assert_found(scene: &FoundScene, objects: &[(Pose, Shape)]) {
    let table = scene.table.as_ref().expect("there is a table");
    assert!(table.plane.normal.z > 0.9999, "{:?}", table.plane);
    assert!((table.plane.offset - 0.7).abs() < 1e-3);
    let top = table.shape.support(&Vec3::x());
    assert!((top.value - 0.6).abs() < 0.02, "{top:?}");
    assert_eq!(scene.objects.len(), objects.len(), "{:?}", scene.objects);
    for truth in objects {
        let errors = scene.objects.iter().map(|object| error(truth, &object.surface));
        let least = errors.fold(f64::INFINITY, f64::min);
        // A twentieth of the smallest radius.
        assert!(least < 0.002, "{truth:?}: {least}");
    }
    assert!(scene.objects.iter().all(|object| object.reason.is_none()));
}

#[test]
fn table_and_objects_are_found_twice_the_same() {
    let (points, objects) = table(6000);
    let scene = find(&points, &[], &SceneOptions::default());
    assert_found(&scene, &objects);
    assert_eq!(scene, find(&points, &[], &SceneOptions::default()));
}

#[test]
fn a_million_points_are_thinned_first() {
    let (points, objects) = table(1_000_000);
    assert!(points.len() > 999_000);
    let scene = find(&points, &[], &SceneOptions::default());
    assert!(scene.thinned <= 60_000);
    assert_found(&scene, &objects);
}

/// The one object of a cloud, which is the hull of all points.
fn hull_of(points: &[Vec3]) -> (NoFit, Vec<Vec3>) {
    let scene = find(points, &[], &SceneOptions::default());
    assert!(scene.table.is_none() && scene.objects.len() == 1, "{scene:?}");
    let object = &scene.objects[0];
    for point in points {
        assert!(object.surface.shape.inside_outside(point) <= 1e-9);
    }
    let Shape::ConvexMesh(hull) = &object.surface.shape else { panic!("{object:?}") };
    (object.reason.clone().expect("a hull has a reason"), hull.vertices().to_vec())
}

#[test]
fn no_points_are_no_objects_and_three_points_are_their_hull() {
    let empty = find(&[], &[], &SceneOptions::default());
    assert!(empty.objects.is_empty() && empty.table.is_none());
    let three = [[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0]].map(Vec3::from);
    let (reason, hull) = hull_of(&three);
    assert_eq!(reason, NoFit::Scattered { least: 20 });
    assert_eq!(hull.len(), 3);
    let options = SceneOptions { min_points: 3, table_share: 2.0, ..SceneOptions::default() };
    assert_eq!(find(&three, &[], &options).objects[0].reason, Some(NoFit::TooFewPoints(3)));
}

#[test]
fn equal_points_and_points_on_a_line_are_their_hull() {
    let (reason, hull) = hull_of(&[Vec3::new(1.0, 2.0, 3.0); 500]);
    assert_eq!((reason, hull.len()), (NoFit::Flat, 1));
    // Nearer to each other than a mesh may be small.
    let close: Vec<Vec3> = (0..50).map(|k| Vec3::x() * (1e-12 * f64::from(k))).collect();
    let scene = find(&close, &[], &SceneOptions::default());
    assert_eq!(scene.objects[0].reason, Some(NoFit::Flat));
    let line: Vec<Vec3> = (0..500).map(|k| Vec3::new(0.001 * f64::from(k), 0.5, 0.0)).collect();
    let (reason, hull) = hull_of(&line);
    assert_eq!((reason, hull.len()), (NoFit::Flat, 2));
}

#[test]
fn points_in_a_plane_are_a_table_or_if_none_is_wanted_their_hull() {
    let mut random = Rng::new(8);
    let mut point = || Vec3::new(random.uniform(0.0, 0.3), random.uniform(0.0, 0.2), 0.4);
    let points: Vec<Vec3> = (0..2000).map(|_| point()).collect();
    let scene = find(&points, &[], &SceneOptions::default());
    assert_eq!(scene.table.map(|table| table.points), Some(2000));
    assert!(scene.objects.is_empty());
    let options = SceneOptions { table_share: 2.0, ..SceneOptions::default() };
    let scene = find(&points, &[], &options);
    assert_eq!(scene.objects[0].reason, Some(NoFit::Flat));
    assert!(points.iter().all(|p| scene.objects[0].surface.shape.inside_outside(p) <= 1e-9));
}

#[test]
fn points_that_are_not_finite_or_far_away_are_refused() {
    let find = |point: Vec3| {
        let points = [Vec3::zeros(), point];
        let options = SceneOptions::default();
        let found = find_objects(&points, &[], &options, &|_, _| {}, &|| false);
        found.unwrap_err().to_string()
    };
    assert_eq!(
        find(Vec3::new(0.0, f64::NAN, 0.0)),
        "point 1 is [0.0, NaN, 0.0], must be within 1e5 m"
    );
    assert!(find(Vec3::x() * 2e5).starts_with("point 1 is [200000.0,"));
}

#[test]
fn groups_beyond_the_limit_become_hulls() {
    let mut random = Rng::new(6);
    let ball = Shape::sphere(0.05).unwrap();
    let counts = [400, 300, 200];
    let spread = |(k, count): (usize, &usize)| {
        spread(&Pose::translation(0.5 * k as f64, 0.0, 0.0), &ball, *count, 0.001, &mut random)
    };
    let points: Vec<Vec3> = counts.iter().enumerate().flat_map(spread).collect();
    let options = SceneOptions { max_fits: 2, table_share: 2.0, ..SceneOptions::default() };
    let scene = find(&points, &[], &options);
    assert_eq!(scene.objects.iter().map(|object| object.points).collect::<Vec<_>>(), counts);
    let reasons: Vec<_> = scene.objects.iter().map(|object| object.reason.clone()).collect();
    assert_eq!(reasons, [None, None, Some(NoFit::TooManyGroups { most: 2 })]);
}

#[test]
fn what_is_no_superquadric_gets_a_reason_and_its_hull() {
    let mut random = Rng::new(9);
    // Two long boards that meet at a right angle.
    let board = Shape::cuboid([0.3, 0.02, 0.02]).unwrap();
    let mut points = spread(&Pose::translation(0.3, 0.0, 0.0), &board, 1500, 0.0005, &mut random);
    let quarter = rotation_from_vector(&(Vec3::z() * std::f64::consts::FRAC_PI_2));
    let upright = Pose::from_parts(Vec3::new(0.0, 0.3, 0.0).into(), quarter);
    points.extend(spread(&upright, &board, 1500, 0.0005, &mut random));
    let options = SceneOptions { table_share: 2.0, ..SceneOptions::default() };
    let scene = find(&points, &[], &options);
    assert_eq!(scene.objects.len(), 1);
    let object = &scene.objects[0];
    assert!(object.reason.is_some(), "{object:?}");
    for point in &points {
        assert!(object.surface.shape.inside_outside(point) <= 1e-9);
    }
}

#[test]
fn points_of_the_robot_are_dropped() {
    let (mut points, objects) = table(6000);
    let arm = Shape::capsule(0.05, 0.3).unwrap();
    let pose = Pose::translation(0.0, 0.0, 1.1);
    let seen = spread(&pose, &arm, 1000, 0.005, &mut Rng::new(4));
    points.extend(&seen);
    let scene = find(&points, &[(pose, &arm)], &SceneOptions::default());
    assert_eq!(scene.of_robot, seen.len());
    assert_found(&scene, &objects);
}

#[test]
fn a_fit_can_be_ended_and_bad_options_are_refused() {
    let (points, _) = table(6000);
    let told = AtomicUsize::new(0);
    let tell = |_, _| {
        told.fetch_add(1, Ordering::Relaxed);
    };
    let ended = find_objects(&points, &[], &SceneOptions::default(), &tell, &|| true);
    assert_eq!(ended, Err(CloudError::Cancelled));
    assert_eq!(told.load(Ordering::Relaxed), 0);
    // In the middle of the first surface: about forty descents are needed for one.
    let asked = AtomicUsize::new(0);
    let late = || asked.fetch_add(1, Ordering::Relaxed) >= 20;
    let ended = find_objects(&points, &[], &SceneOptions::default(), &tell, &late);
    assert_eq!(ended, Err(CloudError::Cancelled));
    assert_eq!(told.load(Ordering::Relaxed), 0);
    let options = SceneOptions { gap: f64::NAN, ..SceneOptions::default() };
    let error = find_objects(&points, &[], &options, &|_, _| {}, &|| false);
    assert_eq!(error.unwrap_err().to_string(), "gap is NaN, must be in [1e-5, 1000] m");
    let mut options = SceneOptions::default();
    options.closest.kinds = vec![SurfaceKind::Hull];
    let error = options.check().unwrap_err().to_string();
    assert!(error.starts_with("kind `hull` is not fitted to points"), "{error}");
}

#[test]
fn kinds_are_respected_and_the_simplest_is_chosen() {
    let points =
        spread(&at(1.0, 2.0, 3.0), &Shape::sphere(0.1).unwrap(), 500, 0.001, &mut Rng::new(3));
    let kind = |kinds: &[SurfaceKind]| {
        let options = ClosestOptions { kinds: kinds.to_vec(), ..ClosestOptions::default() };
        fit_closest(&points, &options, &|| false).map(|fit| fit.surface.shape.kind())
    };
    assert_eq!(kind(&ClosestOptions::default().kinds), Ok("sphere"));
    assert_eq!(kind(&[SurfaceKind::Superellipsoid]), Ok("superellipsoid"));
    assert_eq!(kind(&[SurfaceKind::Hull]), Err(NoFit::NoKinds));
    let flat: Vec<Vec3> = points.iter().map(|p| Vec3::new(p.x, p.y, 0.0)).collect();
    assert_eq!(fit_closest(&flat, &ClosestOptions::default(), &|| false), Err(NoFit::Flat));
}
