//! How the shapes of a model compare with the meshes.

use super::models::Model;
use super::{Options, SEED};
use smooth_scene::fit::{self, DistanceTree, Measures, Placed, Triangle};
use smooth_scene::geometry::{ConvexMesh, ConvexSurface};
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::{GeometryBody, GeometrySource, LoadOptions, link_geometry};
use std::error::Error;

/// Samples of each shape, of the volume, and about of the area of each mesh.
const SAMPLES: usize = 8000;
const VOLUME_SAMPLES: usize = 60_000;
const AREA_SAMPLES: usize = 20_000;

/// The collision mesh of a link, in the link's frame.
pub struct LinkMesh {
    pub name: String,
    pub triangles: Vec<Triangle>,
}

/// The collision meshes of the robot.
pub fn meshes(options: &Options) -> Result<Vec<LinkMesh>, Box<dyn Error>> {
    let text = std::fs::read_to_string(&options.urdf)?;
    let load = LoadOptions { package_paths: vec![options.share.clone()], ..LoadOptions::default() };
    let label = options.urdf.display().to_string();
    let folder = options.urdf.parent();
    let source = GeometrySource::Collision;
    let mut meshes: Vec<LinkMesh> = Vec::new();
    for body in link_geometry(&text, &label, folder, source, &load, |_| true)? {
        let GeometryBody::Mesh { triangles, .. } = body.body else { continue };
        let place = |p: Vec3| body.pose_in_link.rotation * p + body.pose_in_link.translation.vector;
        let placed = triangles.into_iter().map(|corners| corners.map(place));
        match meshes.iter_mut().find(|mesh| mesh.name == body.link) {
            Some(mesh) => mesh.triangles.extend(placed),
            None => meshes.push(LinkMesh { name: body.link, triangles: placed.collect() }),
        }
    }
    Ok(meshes)
}

/// The line of a model in the table: only links with meshes count.
pub fn row(model: &Model, meshes: &[LinkMesh]) -> String {
    let (mut shapes, mut inside, mut area, mut measures) = (0, 0.0, 0.0, Vec::new());
    for LinkMesh { name, triangles } in meshes {
        let on_link = model.links.get(name).map(Vec::as_slice).unwrap_or_default();
        let placed: Vec<_> = on_link.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
        let (of_link, covered) = coverage(triangles, &placed);
        area += of_link;
        inside += covered;
        shapes += placed.len();
        measures.push(measured(triangles, &placed));
    }
    let all = Measures::total(&measures);
    let ratio = all.volume_over_hull().map_or("–".into(), |ratio| format!("{ratio:.2}"));
    let seconds = model.seconds.map_or("–".into(), |seconds| format!("{seconds:.1}"));
    format!(
        "| {} | {shapes} | {:.1} % | {:.1} | {:.0} | {ratio} | {seconds} |",
        model.name,
        100.0 * inside / area,
        1e3 * all.outward.mean,
        1e3 * all.outward.largest
    )
}

fn measured(triangles: &[Triangle], placed: &Placed<'_>) -> Measures {
    let corners: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let hull = ConvexMesh::new(&corners).expect("the robot was loaded with this hull");
    Measures {
        outward: fit::outward(placed, &DistanceTree::new(triangles), SAMPLES, SEED),
        volume: fit::union_volume(placed, VOLUME_SAMPLES),
        mesh_volume: fit::mesh_volume(triangles),
        hull_volume: fit::hull_volume(&hull),
        seconds: 0.0,
    }
}

/// The area of a mesh, and how much of it is inside the shapes, by points spread evenly over every triangle.
fn coverage(triangles: &[Triangle], placed: &Placed<'_>) -> (f64, f64) {
    let area_of = |[a, b, c]: &Triangle| 0.5 * (b - a).cross(&(c - a)).norm();
    let whole: f64 = triangles.iter().map(area_of).sum();
    let mut covered = 0.0;
    for triangle in triangles {
        let [a, b, c] = triangle;
        let area = area_of(triangle);
        // The centres of n² equal triangles.
        let n = (AREA_SAMPLES as f64 * area / whole).sqrt().ceil().max(1.0) as usize;
        let mut count = 0;
        for i in 0..n {
            for j in 0..n - i {
                let upright = [(i as f64 + 1.0 / 3.0, j as f64 + 1.0 / 3.0)];
                let turned =
                    (i + j + 1 < n).then_some((i as f64 + 2.0 / 3.0, j as f64 + 2.0 / 3.0));
                for (u, v) in upright.into_iter().chain(turned) {
                    let point = a + ((b - a) * u + (c - a) * v) / n as f64;
                    count += usize::from(is_inside(placed, &point));
                }
            }
        }
        covered += area * count as f64 / (n * n) as f64;
    }
    (whole, covered)
}

fn is_inside(placed: &Placed<'_>, point: &Vec3) -> bool {
    placed.iter().any(|(pose, shape): &(Pose, _)| {
        let local = pose.inverse_transform_point(&(*point).into()).coords;
        // Corners of a hull are on its surface: a micrometre for rounding.
        shape.inside_outside(&local) <= 1e-6
    })
}
