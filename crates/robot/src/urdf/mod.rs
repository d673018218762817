//! Robot descriptions: URDF with surface elements, the sidecar file, and writing back.
//!
//! The way of a file: `xml` (text → elements that know their line), `raw` (which elements there are), `standard` (the
//! numbers of the standard part, through `urdf-rs`), `resolve` (shapes, meshes, the checked model).

mod document;
mod error;
mod raw;
mod resolve;
mod sidecar;
mod standard;
mod surface_tag;
mod write;
mod xml;

use std::path::{Path, PathBuf};

pub use document::{CollisionSource, LinkSource, UrdfDocument};
pub use error::{Place, UrdfError, Warning, WriteError};
pub use write::DocumentEdit;
pub use xml::SURFACE_NAMESPACE;

use super::RobotModel;
use super::mesh::{MeshLimits, MeshLoader};
use super::package::PackageResolver;
use super::text_file;
use resolve::Resolver;
use xml::Element;

/// What to do about meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshPolicy {
    /// A mesh that cannot be used is an error.
    #[default]
    Require,
    /// A collision whose mesh cannot be used is left out, with a warning. The robot then has less body than it should.
    LeaveOutUnusable,
    /// All collisions that are meshes are left out, each with a warning; no mesh file is opened.
    Skip,
}

/// Surfaces for a robot whose description may not be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sidecar {
    /// A file.
    File(PathBuf),
    /// Text, and what to call it in messages.
    Text {
        /// Name in messages.
        label: String,
        /// The YAML text.
        text: String,
    },
}

/// How to load a robot, and how large it may be.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOptions {
    /// Where packages are looked for first: folders that are a package or contain some.
    pub package_paths: Vec<PathBuf>,
    /// Whether `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH` are looked at.
    pub use_environment: bool,
    /// What mesh names without a leading slash are relative to in a description that comes as text; the folder of the
    /// process when there is none. A description that is a file has its own folder.
    pub folder: Option<PathBuf>,
    /// Surfaces that replace the collisions of the links they name.
    pub sidecar: Option<Sidecar>,
    /// Whether a superovoid that is not convex is an error; otherwise its convex hull is used.
    pub strict_convexity: bool,
    /// What to do about meshes.
    pub meshes: MeshPolicy,
    /// Largest description and largest sidecar, in bytes.
    pub max_file_bytes: u64,
    /// Most XML nodes in a description.
    pub max_nodes: u32,
    /// Most links, and most joints.
    pub max_links: usize,
    /// Size limits of meshes.
    pub mesh_limits: MeshLimits,
}

impl Default for LoadOptions {
    /// No package paths beyond the environment; limits an order of magnitude above the largest robots in use.
    fn default() -> Self {
        Self {
            package_paths: Vec::new(),
            use_environment: true,
            folder: None,
            sidecar: None,
            strict_convexity: false,
            meshes: MeshPolicy::Require,
            max_file_bytes: 32 << 20,
            max_nodes: 1_000_000,
            max_links: 10_000,
            mesh_limits: MeshLimits::default(),
        }
    }
}

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
        let parsed = xml::parse(&text, label, options.max_nodes)?;
        let root = Element::root(&parsed, label);
        let raw = raw::robot(root, options.max_links, &mut notes)?;
        let standard = standard::read(&raw, label)?;
        let packages =
            PackageResolver::new(&options.package_paths, options.use_environment, folder);
        let meshes = MeshLoader::new(packages, options.mesh_limits);
        let mut resolver = Resolver { options, meshes, notes: &mut notes };
        let mut links = resolver.links(&raw, &standard)?;
        let joints = resolver.joints(&raw, &standard)?;
        if let Some(sidecar) = &options.sidecar {
            sidecar::apply(sidecar, &mut links, options)?;
        }
        (resolve::model(&raw, links, joints)?, document::Outline::of(&raw))
    };
    let document = UrdfDocument::new(text, label, document);
    Ok(LoadedRobot { model, warnings: notes.finish(), document })
}

/// Reads a text file of bounded size.
fn read_text(path: &Path, label: &str, max_bytes: u64) -> Result<String, UrdfError> {
    text_file::read(path, max_bytes)
        .map_err(|reason| UrdfError::Unreadable { file: label.into(), reason })
}

fn too_large(label: &str, max_bytes: u64) -> UrdfError {
    UrdfError::Unreadable { file: label.into(), reason: text_file::too_large(max_bytes) }
}
