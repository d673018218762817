//! Robot descriptions: URDF with surface elements, the sidecar file, and writing back.
//!
//! Stages of reading a file: `xml` (text → elements that know their line), `raw` (which elements there are), `standard`
//! (the numbers of the standard elements), `resolve` (shapes, meshes, the checked model).
//!
//! # Why not `urdf-rs`
//!
//! It fails on any `<geometry>` child it does not know (our surfaces, in the import forms), refuses whole robots over
//! visuals and inertias that a collision model has no use for, silently drops elements it does not know, and its errors
//! name no line. What it would do for us is a dozen defaults. So the file is read once, by `roxmltree`, and `urdf-rs`
//! is what the tests compare every robot with. A program that holds a `urdf_rs::Robot` hands it over with
//! `from_urdf_rs` (feature `urdf-rs`).

mod document;
mod error;
#[cfg(feature = "urdf-rs")]
mod from_urdf_rs;
mod link_geometry;
mod options;
mod physics;
mod raw;
mod resolve;
mod sidecar;
mod standard;
mod surface_tag;
mod write;
mod xml;

use std::path::Path;

pub use document::{CollisionSource, LinkSource, UrdfDocument};
pub use error::{Place, UrdfError, Warning, WriteError};
#[cfg(feature = "urdf-rs")]
pub use from_urdf_rs::from_urdf_rs;
pub use link_geometry::{GeometryBody, GeometrySource, LinkGeometry, link_geometry};
pub use options::{LoadOptions, MeshPolicy, Sidecar};
pub use physics::{JointDynamics, LinkInertial, UrdfPhysics, physics};
pub use write::DocumentEdit;
pub use xml::SURFACE_NAMESPACE;

use super::RobotModel;
use super::mesh::MeshLoader;
use super::package::PackageResolver;
use super::text_file;
use resolve::Resolver;
use xml::Element;

/// A robot and what was noticed while reading it.
#[derive(Debug, Clone)]
pub struct LoadedRobot {
    /// The robot.
    pub model: RobotModel,
    /// What in the files was not used, or was given a meaning they do not state.
    pub warnings: Vec<Warning>,
    /// The text, for writing it back with other surfaces.
    pub document: UrdfDocument,
}

/// Loads a URDF file with the meshes it names.
///
/// ```no_run
/// use smooth_scene_robot::{LoadOptions, load_urdf};
/// let robot = load_urdf("robot.urdf", &LoadOptions::default())?;
/// println!("{} links", robot.model.links().len());
/// # Ok::<(), smooth_scene_robot::UrdfError>(())
/// ```
pub fn load_urdf(path: impl AsRef<Path>, options: &LoadOptions) -> Result<LoadedRobot, UrdfError> {
    let path = path.as_ref();
    let label = path.display().to_string();
    let text = read_text(path, &label, options.max_file_bytes)?;
    load(text, &label, path.parent(), options)
}

/// Loads a URDF from text. `label` stands for the file in messages.
pub fn parse_urdf(
    text: &str,
    label: &str,
    options: &LoadOptions,
) -> Result<LoadedRobot, UrdfError> {
    if text.len() as u64 > options.max_file_bytes {
        return Err(too_large(label, options.max_file_bytes));
    }
    load(text.into(), label, options.folder.as_deref(), options)
}

fn load(
    text: String,
    label: &str,
    folder: Option<&Path>,
    options: &LoadOptions,
) -> Result<LoadedRobot, UrdfError> {
    let mut notes = raw::Notes::default();
    let (model, document) = {
        let parsed = match xml::parse(&text, label, options.max_nodes) {
            // An undeclared prefix is not XML either.
            Err(_) if text.contains("<xacro:") => return Err(xacro(label)),
            parsed => parsed?,
        };
        if xml::has_xacro(&parsed) {
            return Err(xacro(label));
        }
        let root = Element::root(&parsed, label);
        let raw = raw::robot(root, options.max_links, &mut notes)?;
        let packages =
            PackageResolver::new(&options.package_paths, options.use_environment, folder);
        let meshes = MeshLoader::new(packages, options.mesh_limits);
        let joints = resolve::joints(&raw, &mut notes)?;
        let mut links = Resolver { options, meshes, notes: &mut notes }.links(&raw)?;
        if let Some(sidecar) = &options.sidecar {
            sidecar::apply(sidecar, &mut links, options)?;
        }
        (resolve::model(&raw, links, joints)?, document::Outline::of(&raw))
    };
    let document = UrdfDocument::new(text, label, document);
    Ok(LoadedRobot { model, warnings: notes.finish(), document })
}

fn xacro(label: &str) -> UrdfError {
    UrdfError::Xacro { file: label.into() }
}

/// Reads a text file of bounded size.
fn read_text(path: &Path, label: &str, max_bytes: u64) -> Result<String, UrdfError> {
    text_file::read(path, max_bytes)
        .map_err(|reason| UrdfError::Unreadable { file: label.into(), reason })
}

fn too_large(label: &str, max_bytes: u64) -> UrdfError {
    UrdfError::Unreadable { file: label.into(), reason: text_file::too_large(max_bytes) }
}
