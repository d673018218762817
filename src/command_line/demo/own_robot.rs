//! Anybody's robot for the demo: `--urdf`, `--srdf`, `--surfaces`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::command_line::load_robot::{SceneFailure, scene_of};
use crate::robot::srdf::{Srdf, SrdfError};
use crate::robot::{LoadOptions, Sidecar, UrdfError, parse_urdf};
use clap::Args;

use super::bundled::Described;

/// The files of a robot.
#[derive(Debug, Default, Args)]
pub(crate) struct RobotFiles {
    /// Show this robot, at rest, instead of the bundled hands
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bag", "once"])]
    pub urdf: Option<PathBuf>,

    /// Groups and pairs that may touch, of the robot of --urdf
    #[arg(long, value_name = "FILE", requires = "urdf")]
    pub srdf: Option<PathBuf>,

    /// YAML file with surfaces that replace the collisions of the links it names, of the robot of --urdf
    #[arg(long, value_name = "FILE", requires = "urdf")]
    pub surfaces: Option<PathBuf>,

    /// Folder that is a ROS package or contains some, for `package://` meshes of the robot of --urdf; may be given several
    /// times, and comes before ROS_PACKAGE_PATH and AMENT_PREFIX_PATH
    #[arg(long = "package-path", value_name = "DIR", requires = "urdf")]
    pub package_paths: Vec<PathBuf>,
}

/// Why a robot cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RobotFailure {
    #[error("--package-path {}: not a folder", .0.display())]
    PackagePath(PathBuf),
    #[error("{}: {source}", file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    #[error(transparent)]
    Srdf(#[from] SrdfError),
    #[error("{}: {source}", file.display())]
    Scene { file: PathBuf, source: Box<SceneFailure> },
}

/// Reads the robot of `urdf`. Prints what in its files was not used.
pub(crate) fn load(urdf: &Path, files: &RobotFiles) -> Result<Described, RobotFailure> {
    // A missing folder would only show as a missing mesh.
    if let Some(path) = files.package_paths.iter().find(|path| !path.is_dir()) {
        return Err(RobotFailure::PackagePath(path.clone()));
    }
    let text = read(urdf)?;
    let srdf = files.srdf.as_deref().map(read).transpose()?;
    let surfaces = files.surfaces.as_deref().map(read).transpose()?;
    let sidecar = files.surfaces.as_ref().zip(surfaces.clone());
    let options = LoadOptions {
        package_paths: absolute(&files.package_paths)?,
        folder: Some(folder_of(urdf)?),
        sidecar: sidecar
            .map(|(file, text)| Sidecar::Text { label: file.display().to_string(), text }),
        ..LoadOptions::default()
    };
    let robot = parse_urdf(&text, &urdf.display().to_string(), &options)?;
    for warning in &robot.warnings {
        eprintln!("{warning}");
    }
    let semantic = match (&files.srdf, &srdf) {
        (Some(file), Some(text)) => Some(Srdf::parse(text, &file.display().to_string())?),
        _ => None,
    };
    let of_robot = |source: SceneFailure| {
        // Without an SRDF only the description can be at fault.
        let file = files.srdf.as_deref().unwrap_or(urdf).to_owned();
        RobotFailure::Scene { file, source: source.into() }
    };
    let scene = scene_of(robot.model.clone(), semantic.as_ref()).map_err(of_robot)?;
    let robot = Arc::new(robot);
    Ok(Described { urdf: text, srdf, surfaces, options, robot, scene })
}

fn read(file: &Path) -> Result<String, RobotFailure> {
    let unreadable = |source| RobotFailure::Unreadable { file: file.into(), source };
    std::fs::read_to_string(file).map_err(unreadable)
}

/// Folders as they are called from wherever the node looks for them.
fn absolute(folders: &[PathBuf]) -> Result<Vec<PathBuf>, RobotFailure> {
    let whole = |folder: &PathBuf| {
        let unreadable = |source| RobotFailure::Unreadable { file: folder.clone(), source };
        std::path::absolute(folder).map_err(unreadable)
    };
    folders.iter().map(whole).collect()
}

/// What relative mesh names are relative to, from wherever the node looks at it.
fn folder_of(urdf: &Path) -> Result<PathBuf, RobotFailure> {
    let unreadable = |source| RobotFailure::Unreadable { file: urdf.into(), source };
    let whole = std::path::absolute(urdf).map_err(unreadable)?;
    Ok(whole.parent().expect("the path of a file that was read has a folder").to_owned())
}
