//! The worlds of the experiments, all of superquadrics, and a cloud of points of one of them.

use super::SharedStop;
use crate::fit::cloud::{CloudError, SceneOptions, find_objects};
use crate::geometry::{Shape, tessellate};
use crate::math::{Pose, Vec3, rotation_from_vector};
use crate::plan::PlanError;
use crate::robot::StateSampler;
use crate::scene::{
    LinkSize, PlanningScene, RobotChange, SceneChange, SceneError, SceneObject, WorldChange,
};

/// Points of the cloud that are drawn on each object, and on the table.
const POINTS: [usize; 2] = [4000, 20_000];
/// Noise of the points, m: that of a good depth camera.
const NOISE: f64 = 1e-3;
/// Where the camera is, m.
const CAMERA: [f64; 3] = [1.5, 0.0, 1.2];

/// Adds an object.
pub(super) fn add(scene: &mut PlanningScene, name: &str, pose: Pose, shape: Shape) {
    try_add(scene, name, pose, shape).expect("a new name and a pose in range");
}

/// Adds an object that somebody else has described.
pub(super) fn try_add(
    scene: &mut PlanningScene,
    name: &str,
    pose: Pose,
    shape: Shape,
) -> Result<(), SceneError> {
    let object = SceneObject::simple(name, pose, shape)?;
    scene.apply(SceneChange::World(WorldChange::Add(object)))?;
    Ok(())
}

/// Makes all links keep a distance from everything but each other: links that are neighbours are closer than that.
pub(super) fn keep_away(scene: &mut PlanningScene, margin: f64) {
    let names: Vec<String> = scene.model().links().iter().map(|link| link.name.clone()).collect();
    for link in names {
        let size = scene.sizes().link(&link);
        let size = LinkSize { padding: size.padding + margin, ..size };
        let change = SceneChange::Robot(RobotChange::SetLinkSize { link, size });
        scene.apply(change).expect("a link of this robot and a valid padding");
    }
}

/// Adds superellipsoids at random places in a spherical shell around the robot.
pub(super) fn scatter(
    scene: &mut PlanningScene,
    count: usize,
    shell: [f64; 2],
    sizes: [f64; 2],
    seed: u64,
) {
    let mut random = StateSampler::new(scene.model(), seed);
    for k in 0..count {
        let mut between = |low: f64, high: f64| low + (high - low) * random.uniform();
        let dir = loop {
            let dir = Vec3::from_fn(|_, _| between(-1.0, 1.0));
            if (0.1..1.0).contains(&dir.norm()) {
                break dir.normalize();
            }
        };
        let at = dir * between(shell[0], shell[1]);
        let turn = rotation_from_vector(&(Vec3::from_fn(|_, _| between(-1.0, 1.0)) * 3.0));
        let radii = std::array::from_fn(|_| between(sizes[0], sizes[1]));
        let shape = Shape::superellipsoid(radii, between(0.2, 1.8), between(0.2, 1.8));
        let pose = Pose::from_parts(at.into(), turn);
        add(scene, &format!("object{k}"), pose, shape.expect("radii and exponents in range"));
    }
}

/// A table before the robot with objects that leave narrow ways between them.
pub(super) fn table() -> Vec<(String, Pose, Shape)> {
    let top = Shape::cuboid([0.35, 0.6, 0.02]).expect("a valid box");
    let mut objects = vec![("table".to_owned(), Pose::translation(0.6, 0.0, 0.18), top)];
    let things = [
        ([0.45, -0.25], [0.05, 0.05, 0.14], [0.3, 0.3], 0.3),
        ([0.50, 0.05], [0.04, 0.06, 0.18], [0.6, 0.2], -0.4),
        ([0.48, 0.32], [0.06, 0.06, 0.10], [1.0, 0.3], 0.0),
        ([0.72, -0.12], [0.06, 0.05, 0.16], [0.4, 0.8], 0.8),
        ([0.74, 0.20], [0.05, 0.07, 0.12], [0.3, 0.2], 1.1),
        ([0.68, -0.38], [0.05, 0.05, 0.08], [1.0, 1.0], 0.0),
    ];
    for (k, ([x, y], radii, [xy, z], turn)) in things.into_iter().enumerate() {
        let shape = Shape::superellipsoid(radii, xy, z).expect("radii and exponents in range");
        let pose = Pose::new(Vec3::new(x, y, 0.2 + radii[2]), Vec3::z() * turn);
        objects.push((format!("thing{k}"), pose, shape));
    }
    objects
}

/// Points on the sides of objects that face the camera.
pub(super) fn cloud(objects: &[(String, Pose, Shape)], random: &mut StateSampler) -> Vec<Vec3> {
    let camera = Vec3::from(CAMERA);
    let mut points = Vec::new();
    for (name, pose, shape) in objects {
        let mesh = tessellate(shape, 5e-4);
        let corner = |k: u32| (pose * nalgebra::Point3::from(mesh.vertices[k as usize])).coords;
        let (mut areas, mut sum) = (Vec::new(), 0.0);
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(corner);
            let normal = (b - a).cross(&(c - a));
            // Only what faces the camera; areas are kept as running sums.
            sum += if normal.dot(&(camera - a)) > 0.0 { 0.5 * normal.norm() } else { 0.0 };
            areas.push(sum);
        }
        let count = if name == "table" { POINTS[1] } else { POINTS[0] };
        for _ in 0..count {
            let height = random.uniform() * sum;
            let place = areas.partition_point(|area| *area <= height);
            let [a, b, c] = mesh.triangles[place.min(areas.len() - 1)].map(corner);
            let (mut u, mut v) = (random.uniform(), random.uniform());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let noise = Vec3::from_fn(|_, _| NOISE * (2.0 * random.uniform() - 1.0));
            points.push(a + (b - a) * u + (c - a) * v + noise);
        }
    }
    points
}

/// Adds the objects that are found in a cloud.
pub(super) fn add_found(
    scene: &mut PlanningScene,
    points: &[Vec3],
    stop: SharedStop,
) -> Result<(), PlanError> {
    let options = SceneOptions::default();
    let found = match find_objects(points, &[], &options, &|_, _| {}, stop) {
        Err(CloudError::Cancelled) => return Err(PlanError::Cancelled),
        found => found.expect("finite points and the usual options"),
    };
    if let Some(table) = &found.table {
        add(scene, "table", Pose::identity(), table.shape.clone());
    }
    for (k, object) in found.objects.iter().enumerate() {
        add(scene, &format!("found{k}"), object.surface.pose(), object.surface.shape.clone());
    }
    Ok(())
}
