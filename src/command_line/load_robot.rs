//! Loads a robot: files → model, semantics and warnings.

use super::robot_args::{ReadingArguments, RobotArguments};
use crate::robot::srdf::{Semantics, Srdf, SrdfError, SrdfWarning};
use crate::robot::{
    LoadOptions, LoadedRobot, RobotModel, Sidecar, UrdfDocument, UrdfError, Warning, load_urdf,
};
use crate::scene::{PlanningScene, SceneError};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a robot cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadFailure {
    #[error("--package-path {}: not a folder", .0.display())]
    PackagePath(PathBuf),
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    #[error(transparent)]
    Srdf(SrdfError),
    /// A valid SRDF that does not fit the robot; these errors name only the line.
    #[error("{}: {source}", file.display())]
    SrdfOfRobot { file: PathBuf, source: Box<SrdfError> },
}

/// A warning about a file.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Note {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
}

impl Note {
    /// A remark about a file as a whole.
    pub fn of_file(file: &str, message: &str) -> Self {
        Self { file: Some(file.into()), line: None, column: None, message: message.into() }
    }
}

impl From<Warning> for Note {
    fn from(warning: Warning) -> Self {
        let (file, line, column) = match warning.place {
            Some(place) => (Some(place.file), Some(place.line), Some(place.column)),
            None => (None, None, None),
        };
        Self { file, line, column, message: warning.message }
    }
}

/// Formatted as by compilers: file:line:column: message.
impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{file}:")?;
        }
        for number in [self.line, self.column].into_iter().flatten() {
            write!(formatter, "{number}:")?;
        }
        let space = if self.file.is_some() { " " } else { "" };
        write!(formatter, "{space}{}", self.message)
    }
}

/// A robot from its URDF.
pub(crate) fn load(arguments: &RobotArguments) -> Result<(RobotModel, Vec<Note>), LoadFailure> {
    let LoadedRobot { model, warnings, .. } = load_file(&arguments.urdf, &arguments.reading)?;
    Ok((model, warnings.into_iter().map(Note::from).collect()))
}

fn load_file(urdf: &Path, arguments: &ReadingArguments) -> Result<LoadedRobot, LoadFailure> {
    // A missing folder would only show as a missing mesh.
    if let Some(path) = arguments.package_paths.iter().find(|path| !path.is_dir()) {
        return Err(LoadFailure::PackagePath(path.clone()));
    }
    let options = LoadOptions {
        package_paths: arguments.package_paths.clone(),
        sidecar: arguments.sidecar.clone().map(Sidecar::File),
        strict_convexity: arguments.strict,
        meshes: arguments.meshes.policy(),
        ..LoadOptions::default()
    };
    Ok(load_urdf(urdf, &options)?)
}

/// A model with what its SRDF says.
pub(crate) struct Described {
    pub model: RobotModel,
    pub semantics: Semantics,
    pub warnings: Vec<SrdfWarning>,
}

/// Adds the virtual joint of an SRDF to a model and resolves the names in it.
pub(crate) fn described(model: RobotModel, srdf: &Srdf) -> Result<Described, SrdfError> {
    let model = srdf.with_virtual_joint(&model)?;
    let (semantics, warnings) = srdf.resolve(&model)?;
    Ok(Described { model, semantics, warnings })
}

/// The scene of a robot alone, with what its SRDF says if there is one.
pub(crate) fn scene_of(
    model: RobotModel,
    srdf: Option<&Srdf>,
) -> Result<PlanningScene, SceneFailure> {
    let (model, semantics) = match srdf {
        None => (model, None),
        Some(srdf) => {
            let described = described(model, srdf)?;
            (described.model, Some(described.semantics))
        }
    };
    Ok(PlanningScene::new(Arc::new(model), semantics)?)
}

/// Why a robot has no scene.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SceneFailure {
    #[error(transparent)]
    Srdf(#[from] SrdfError),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// A robot with its SRDF.
pub(crate) struct Robot {
    pub model: Arc<RobotModel>,
    pub semantics: Option<Semantics>,
    pub document: UrdfDocument,
    pub notes: Vec<Note>,
}

/// A robot from URDF and SRDF: the virtual joint is one of its joints.
pub(crate) fn load_with_srdf(
    urdf: &Path,
    arguments: &ReadingArguments,
    srdf: Option<&Path>,
) -> Result<Robot, LoadFailure> {
    let LoadedRobot { model, warnings, document } = load_file(urdf, arguments)?;
    let mut notes: Vec<Note> = warnings.into_iter().map(Note::from).collect();
    let Some(path) = srdf else {
        return Ok(Robot { model: Arc::new(model), semantics: None, document, notes });
    };
    let of_robot = |error| {
        let (file, source) = (path.to_owned(), Box::new(error));
        LoadFailure::SrdfOfRobot { file, source }
    };
    let srdf = Srdf::load(path).map_err(LoadFailure::Srdf)?;
    let Described { model, semantics, warnings } = described(model, &srdf).map_err(of_robot)?;
    notes.extend(warnings.into_iter().map(|warning| Note {
        file: Some(path.display().to_string()),
        line: Some(warning.line),
        column: None,
        message: warning.message,
    }));
    Ok(Robot { model: Arc::new(model), semantics: Some(semantics), document, notes })
}
