//! Writes a robot whose collision surfaces are meshes: the mesh representation of the thesis, as a robot that any program loads.
//!
//! `cargo run --release -p smooth_scene_robot --example mesh_robot -- FOLDER [ROBOT.urdf]`
//!
//! Every surface becomes the STL file `FOLDER/meshes/LINK_NUMBER.stl`, with its vertices on the surface, and the description names
//! them. Fingers get 300, 440, 910 and 770 vertices from base to tip, 605 on average as in the thesis, everything else
//! 605. At the end the new robot is read again and compared with the old one.

use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape, TriangleMesh, tessellate_with_vertex_count};
use smooth_scene_robot::{LoadOptions, RobotModel, load_urdf};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

const FINGER_VERTICES: [usize; 4] = [300, 440, 910, 770];
const OTHER_VERTICES: usize = 605;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the first argument is the folder to write to")?;
    let hands = concat!(env!("CARGO_MANIFEST_DIR"), "/../../urdf/icub_hands_mixed.urdf");
    let source = arguments.next().unwrap_or_else(|| hands.into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder.join("meshes"))?;

    let smooth = load_urdf(&source, &LoadOptions::default())?.model;
    let text = std::fs::read_to_string(&source)?;
    let (text, triangles) = with_meshes(&text, &smooth, folder)?;
    let stem = Path::new(&source).file_stem().ok_or("the robot has no file name")?;
    let target = folder.join(format!("{}_meshes.urdf", stem.to_string_lossy()));
    std::fs::write(&target, text)?;

    let meshes = load_urdf(&target, &LoadOptions::default())?.model;
    let (surfaces, farthest) = compare(&smooth, &meshes)?;
    println!("{}: {surfaces} surfaces, {triangles} triangles", target.display());
    println!("the surfaces rise above their meshes by at most {:.1} µm", 1e6 * farthest);
    Ok(())
}

/// Vertices of the mesh of a link. Thumbs are numbered from one.
fn vertices(link: &str) -> usize {
    let fingers = ["thumb", "index", "middle", "ring", "little"];
    let digit = link.chars().last().and_then(|c| c.to_digit(10));
    match digit {
        Some(digit) if fingers.iter().any(|finger| link.contains(finger)) => {
            let place = if link.contains("thumb") { digit.saturating_sub(1) } else { digit };
            FINGER_VERTICES[place.min(3) as usize]
        }
        _ => OTHER_VERTICES,
    }
}

/// The description with meshes in place of all collision surfaces, which are written, and the number of triangles.
fn with_meshes(
    text: &str,
    robot: &RobotModel,
    folder: &Path,
) -> Result<(String, usize), Box<dyn Error>> {
    let document = roxmltree::Document::parse(text)?;
    let links = document.root_element().children().filter(|node| node.has_tag_name("link"));
    let (mut edited, mut copied, mut triangles) = (String::new(), 0, 0);
    for link in links {
        let name = link.attribute("name").ok_or("a link has no name")?;
        let id = robot.link_id(name).ok_or("a link is not in the model")?;
        let collisions = link.children().filter(|node| node.has_tag_name("collision"));
        let collisions: Vec<_> = collisions.collect();
        let surfaces = &robot.link(id).collisions;
        if collisions.len() != surfaces.len() {
            return Err(format!("{name}: a collision has more or less than one surface").into());
        }
        for (number, (collision, surface)) in collisions.iter().zip(surfaces).enumerate() {
            let mesh = tessellate_with_vertex_count(&surface.shape, vertices(name));
            let file = format!("meshes/{name}_{number}.stl");
            std::fs::write(folder.join(&file), stl(&mesh))?;
            triangles += mesh.triangles.len();
            edited += &text[copied..collision.range().start];
            copied = collision.range().end;
            let origin = collision.children().find(|node| node.has_tag_name("origin"));
            let origin = origin.map_or("", |node| &text[node.range()]);
            write!(
                edited,
                "<collision>{origin}<geometry><mesh filename=\"{file}\"/></geometry></collision>"
            )?;
        }
    }
    edited += &text[copied..];
    Ok((edited, triangles))
}

/// A mesh as a binary STL file.
fn stl(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
        let normal = (b - a).cross(&(c - a)).normalize();
        for vector in [normal, a, b, c] {
            bytes.extend(vector.iter().flat_map(|x| (*x as f32).to_le_bytes()));
        }
        bytes.extend([0, 0]);
    }
    bytes
}

/// The number of surfaces, and by how much one rises above its mesh at most, over many directions. An error when a mesh is not
/// where its surface is, or sticks out of it by more than the rounding of single precision.
fn compare(smooth: &RobotModel, meshes: &RobotModel) -> Result<(usize, f64), Box<dyn Error>> {
    let (mut count, mut farthest) = (0, 0f64);
    for (old, new) in smooth.links().iter().zip(meshes.links()) {
        for (surface, mesh) in old.collisions.iter().zip(&new.collisions) {
            count += 1;
            let is_mesh = matches!(mesh.shape, Shape::ConvexMesh(_));
            let size = surface.shape.bounding_radius();
            let moved = surface.pose_in_link.inv_mul(&mesh.pose_in_link);
            for direction in directions() {
                let along = moved.inverse_transform_vector(&direction);
                let of_mesh =
                    mesh.shape.support(&along).value + direction.dot(&moved.translation.vector);
                let rise = surface.shape.support(&direction).value - of_mesh;
                if !is_mesh || rise < -1e-6 * size || rise > 0.05 * size {
                    return Err(format!("{}: the mesh is off by {rise} m", old.name).into());
                }
                farthest = farthest.max(rise);
            }
        }
    }
    Ok((count, farthest))
}

/// A spiral of unit vectors.
fn directions() -> impl Iterator<Item = Vec3> {
    const COUNT: u32 = 1000;
    let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..COUNT).map(move |k| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(COUNT);
        let (sin, cos) = (golden_angle * f64::from(k)).sin_cos();
        let rho = (1.0 - z * z).sqrt();
        Vec3::new(rho * cos, rho * sin, z)
    })
}
