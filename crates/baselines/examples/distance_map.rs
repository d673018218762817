//! Signed distance maps of a hollow box and of a union of superquadrics: how wrong they are, and how wrong they say they may be.
//!
//! `cargo run --release -p smooth_scene_baselines --example distance_map`

use smooth_scene_baselines::{DistanceMap, SampledBody};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Shape, TriangleMesh, tessellate, tessellate_with_vertex_count};
use smooth_scene_query::{QueryOptions, point_distance};

const POINTS: usize = 20_000;

fn main() {
    println!(
        "| body | spacing m | nodes | outside the bounds | mean error m | worst error m | mean bound m | worst bound m |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let (mesh, exact) = hollow_box();
    for spacing in [0.1, 0.05, 0.025] {
        let map = DistanceMap::of_mesh(&mesh, spacing, 0.2).expect("a closed mesh");
        row("hollow box, mesh", &map, spacing, [1.2, 1.0, 0.8], &|point| [exact(point); 2]);
    }
    let union = union();
    for spacing in [0.1, 0.05, 0.025] {
        let map = DistanceMap::of_shape(&union, spacing, 0.2).expect("a bounded shape");
        let truth = |point: &Vec3| {
            let options = QueryOptions::certified();
            let found = point_distance(&union, &Pose::identity(), point, &options);
            [found.lower, found.upper]
        };
        row("three superquadrics", &map, spacing, [1.1, 0.6, 0.6], &truth);
    }
    contacts(&union);
}

/// Random points around the body.
fn row(
    name: &str,
    map: &DistanceMap,
    spacing: f64,
    reach: [f64; 3],
    truth: &dyn Fn(&Vec3) -> [f64; 2],
) {
    let mut points = spread(reach);
    let (mut outside, mut error, mut width) = (0, (0.0, 0.0f64), (0.0, 0.0f64));
    for point in points.by_ref().take(POINTS) {
        let (found, [lower, upper]) = (map.at(&point), truth(&point));
        outside += usize::from(found.lower > upper || lower > found.upper);
        let off = (found.distance - upper).max(lower - found.distance).max(0.0);
        let bound = (found.upper - found.distance).max(found.distance - found.lower);
        error = (error.0 + off / POINTS as f64, error.1.max(off));
        width = (width.0 + bound / POINTS as f64, width.1.max(bound));
    }
    println!(
        "| {name} | {spacing} | {} | {outside} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |",
        map.nodes(),
        error.0,
        error.1,
        width.0,
        width.1
    );
}

/// Points of a box, evenly spread by an additive recurrence.
fn spread(reach: [f64; 3]) -> impl Iterator<Item = Vec3> {
    // 1/g, 1/g², 1/g³ with g⁴ = g + 1.
    let step = Vec3::new(0.8191725133961645, 0.6710436067037893, 0.5497004779019703);
    (1u32..).map(move |k| {
        let share = (f64::from(k) * step).map(f64::fract);
        (2.0 * share - Vec3::repeat(1.0)).component_mul(&Vec3::from(reach))
    })
}

/// A box with a cavity as a mesh, and its signed distance in closed form.
fn hollow_box() -> (TriangleMesh, impl Fn(&Vec3) -> f64) {
    let (outer, inner) = ([1.0, 0.8, 0.6], [0.5, 0.4, 0.3]);
    let of = |half: [f64; 3]| tessellate(&Shape::cuboid(half).expect("a box"), 1e-9);
    let (mut mesh, cavity) = (of(outer), of(inner));
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(&cavity.vertices);
    mesh.normals.extend(cavity.normals.iter().map(|n| -n));
    let turned = cavity.triangles.iter().map(|[a, b, c]| [*a, *c, *b].map(|v| v + first));
    mesh.triangles.extend(turned);
    let distance = |half: [f64; 3], point: &Vec3| {
        let beyond = point.abs() - Vec3::from(half);
        beyond.map(|x| x.max(0.0)).norm() + beyond.max().min(0.0)
    };
    (mesh, move |point: &Vec3| distance(outer, point).max(-distance(inner, point)))
}

/// A body that is not convex.
fn union() -> Shape {
    let part = |x: f64, radii: [f64; 3], exponents: [f64; 2]| {
        let shape = Shape::superellipsoid(radii, exponents[0], exponents[1]).expect("valid");
        (Pose::translation(x, 0.0, 0.0), shape)
    };
    Shape::compound(vec![
        part(-0.6, [0.3, 0.4, 0.4], [0.4, 0.6]),
        part(0.0, [0.5, 0.15, 0.15], [1.0, 0.3]),
        part(0.6, [0.3, 0.4, 0.4], [1.2, 1.0]),
    ])
    .expect("three parts")
}

/// A ball that lies between the two thick ends.
fn contacts(union: &Shape) {
    let map = DistanceMap::of_shape(union, 0.025, 0.2).expect("a bounded shape");
    let ball = Shape::sphere(0.2).expect("a ball");
    let body = SampledBody::new(&tessellate_with_vertex_count(&ball, 2000));
    println!("\nball of 0.2 m above the middle, 2000 vertices, {:.4} m between them", body.gap());
    for height in [0.4, 0.36, 0.34] {
        let pose = Pose::translation(0.0, 0.0, height);
        let found = body.contacts(&pose, &map, &Pose::identity(), 0.0);
        let truth = point_distance(
            union,
            &Pose::identity(),
            &pose.translation.vector,
            &QueryOptions::certified(),
        );
        println!(
            "  at {height} m: distance {:.4}, map: {:.4} to {:.4} proven, {} vertices may be inside",
            truth.distance - 0.2,
            found.lower,
            found.upper,
            found.contacts.len()
        );
    }
}
