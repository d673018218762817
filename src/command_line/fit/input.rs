//! What is fitted: the meshes of a URDF, or one mesh file.

use super::args::{FitArguments, Source};
use super::failure::FitFailure;
use crate::fit::RobotMeshes;
use crate::robot::{GeometrySource, LoadOptions, file_ending, link_geometry};
use std::path::Path;

/// What is fitted, and what stays.
pub(super) struct Input {
    pub meshes: RobotMeshes,
    /// The text of the URDF; none for a mesh.
    pub urdf: Option<String>,
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
    match file_ending(&arguments.input).as_str() {
        "stl" | "obj" | "dae" | "ply" => mesh(arguments),
        "urdf" | "xml" => robot(arguments),
        other => Err(FitFailure::InputKind { path: arguments.input.clone(), ending: other.into() }),
    }
}

fn mesh(arguments: &FitArguments) -> Result<Input, FitFailure> {
    let path = &arguments.input;
    if !arguments.links.is_empty() {
        return Err(FitFailure::LinksOfMesh { path: path.clone() });
    }
    let meshes = RobotMeshes::of_file(path)?;
    if meshes.links.iter().all(|link| link.triangles.is_empty()) {
        return Err(FitFailure::NoTriangles { path: path.clone() });
    }
    Ok(Input { meshes, urdf: None })
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
    let meshes = RobotMeshes::new(bodies);
    if meshes.links.is_empty() {
        return Err(FitFailure::NoMeshes { path: path.clone(), element: source.element() });
    }
    Ok(Input { meshes, urdf: Some(text) })
}
