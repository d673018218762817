//! What is fitted: the meshes of a URDF, or one mesh file.

use super::args::{FitArguments, Source};
use super::failure::FitFailure;
use crate::fit::{FittedSurface, LinkMeshes};
use crate::math::Pose;
use crate::robot::{
    GeometryBody, GeometrySource, LinkGeometry, LoadOptions, MeshLimits, MeshLoader,
    PackageResolver, link_geometry,
};
use std::collections::BTreeMap;
use std::path::Path;

/// What is fitted, and what stays.
pub(super) struct Input {
    pub links: Vec<LinkMeshes>,
    /// Boxes, cylinders, spheres and surfaces of the same links.
    pub kept: BTreeMap<String, Vec<FittedSurface>>,
    /// The text of the URDF; none for a mesh.
    pub urdf: Option<String>,
}

/// The ending of a file name in small letters.
pub(super) fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// How the robot and its meshes are found.
pub(super) fn load_options(arguments: &FitArguments) -> LoadOptions {
    LoadOptions {
        package_paths: arguments.package_paths.clone(),
        folder: arguments.input.parent().map(Path::to_path_buf),
        ..LoadOptions::default()
    }
}

pub(super) fn read(arguments: &FitArguments) -> Result<Input, FitFailure> {
    match ending(&arguments.input).as_str() {
        "stl" | "obj" | "dae" => mesh(&arguments.input),
        "urdf" | "xml" => robot(arguments),
        other => Err(FitFailure::InputKind { path: arguments.input.clone(), ending: other.into() }),
    }
}

fn mesh(path: &Path) -> Result<Input, FitFailure> {
    let packages = PackageResolver::new(&[], false, None);
    let mut loader = MeshLoader::new(packages, MeshLimits::default());
    let (_, triangles) = loader.triangles(&path.to_string_lossy(), [1.0; 3])?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = name.expect("a file with an ending has a name");
    let links = vec![LinkMeshes { name, pose_in_link: Pose::identity(), triangles }];
    Ok(Input { links, kept: BTreeMap::new(), urdf: None })
}

fn robot(arguments: &FitArguments) -> Result<Input, FitFailure> {
    let path = &arguments.input;
    let text = std::fs::read_to_string(path)
        .map_err(|error| FitFailure::Unreadable { path: path.clone(), error })?;
    let source = match arguments.from {
        Source::Collision => GeometrySource::Collision,
        Source::Visual => GeometrySource::Visual,
    };
    let label = path.display().to_string();
    let wanted =
        |name: &str| arguments.links.is_empty() || arguments.links.iter().any(|link| link == name);
    let options = load_options(arguments);
    let bodies = link_geometry(&text, &label, path.parent(), source, &options, wanted)?;
    if let Some(missing) =
        arguments.links.iter().find(|link| !bodies.iter().any(|body| body.link == **link))
    {
        return Err(FitFailure::NoSuchLink { link: missing.clone(), element: source.element() });
    }
    let mut by_link: Vec<(String, Vec<LinkGeometry>)> = Vec::new();
    for body in bodies {
        match by_link.iter_mut().find(|(link, _)| *link == body.link) {
            Some((_, bodies)) => bodies.push(body),
            None => by_link.push((body.link.clone(), vec![body])),
        }
    }
    let (mut links, mut kept) = (Vec::new(), BTreeMap::new());
    for (name, bodies) in by_link {
        let mut meshes = Vec::new();
        let mut shapes = Vec::new();
        for LinkGeometry { pose_in_link, body, .. } in bodies {
            match body {
                GeometryBody::Mesh { triangles, .. } => meshes.push((pose_in_link, triangles)),
                GeometryBody::Shape(shape) => shapes.push(FittedSurface::at(&pose_in_link, shape)),
            }
        }
        if meshes.is_empty() {
            continue;
        }
        kept.insert(name.clone(), shapes);
        links.push(LinkMeshes::joined(name, meshes));
    }
    if links.is_empty() {
        return Err(FitFailure::NoMeshes { path: path.clone(), element: source.element() });
    }
    Ok(Input { links, kept, urdf: Some(text) })
}
