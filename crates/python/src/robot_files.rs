//! Robots from files and texts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use smooth_scene_robot::srdf::{Srdf, SrdfError};
use smooth_scene_robot::{LoadOptions, LoadedRobot, MeshPolicy, Sidecar, load_urdf, parse_urdf};

use crate::error::{Refused, refused};
use crate::robot::Robot;

#[pymethods]
impl Robot {
    /// Loads a URDF file, with an SRDF and a sidecar file of surfaces if there are.
    ///
    /// `package_paths` are folders that are a ROS package or contain some, for meshes named `package://…`. `meshes` says what
    /// to do about meshes: "require" them, "leave_out_unusable" ones with a warning, or "skip" all.
    #[staticmethod]
    #[pyo3(signature = (urdf, srdf = None, surfaces = None, *, package_paths = vec![], meshes = "require"))]
    fn load(
        py: Python<'_>,
        urdf: PathBuf,
        srdf: Option<PathBuf>,
        surfaces: Option<PathBuf>,
        package_paths: Vec<PathBuf>,
        meshes: &str,
    ) -> PyResult<Self> {
        let meshes = mesh_policy(meshes)?;
        let options = LoadOptions {
            package_paths: absolute(&package_paths)?,
            folder: std::path::absolute(&urdf)?.parent().map(Path::to_path_buf),
            sidecar: surfaces.clone().map(Sidecar::File),
            meshes,
            ..LoadOptions::default()
        };
        py.detach(|| {
            let loaded = load_urdf(&urdf, &options).map_err(Refused::from)?;
            let srdf = match srdf {
                Some(path) => {
                    let file = path.display().to_string();
                    Some((file, Srdf::load(&path).map_err(Refused::from)?))
                }
                None => None,
            };
            let sidecar = match surfaces {
                Some(path) => Some((path.display().to_string(), std::fs::read_to_string(&path)?)),
                None => None,
            };
            Self::new(loaded, srdf, sidecar, Some(options))
        })
    }

    /// As `load`, from texts. Mesh names without a leading slash are relative to `folder`.
    #[staticmethod]
    #[pyo3(signature = (urdf, srdf = None, surfaces = None, *, folder = None, meshes = "require"))]
    fn parse(
        py: Python<'_>,
        urdf: &str,
        srdf: Option<&str>,
        surfaces: Option<String>,
        folder: Option<PathBuf>,
        meshes: &str,
    ) -> PyResult<Self> {
        let folder = folder.map(std::path::absolute).transpose()?;
        let options =
            LoadOptions { folder, meshes: mesh_policy(meshes)?, ..LoadOptions::default() };
        let srdf = srdf.map(|text| ("srdf", text));
        let surfaces = surfaces.map(|text| ("surfaces".to_string(), text));
        py.detach(|| Self::from_texts(("urdf", urdf), srdf, surfaces, options))
    }
}

impl Robot {
    /// A robot from named texts.
    pub fn from_texts(
        (label, urdf): (&str, &str),
        srdf: Option<(&str, &str)>,
        surfaces: Option<(String, String)>,
        mut options: LoadOptions,
    ) -> PyResult<Self> {
        let sidecar = |(label, text): (String, String)| Sidecar::Text { label, text };
        options.sidecar = surfaces.clone().map(sidecar);
        let loaded = parse_urdf(urdf, label, &options).map_err(Refused::from)?;
        let srdf = srdf.map(|(label, text)| read_srdf(label, text)).transpose()?;
        Self::new(loaded, srdf, surfaces, Some(options))
    }

    /// A robot with what its SRDF says.
    pub fn new(
        loaded: LoadedRobot,
        srdf: Option<(String, Srdf)>,
        surfaces: Option<(String, String)>,
        files: Option<LoadOptions>,
    ) -> PyResult<Self> {
        let LoadedRobot { model, warnings, document } = loaded;
        let mut warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let (model, semantics) = match &srdf {
            None => (model, None),
            Some((file, srdf)) => {
                let of_file = |error: SrdfError| refused(format!("{file}: {error}"));
                let model = srdf.with_virtual_joint(&model).map_err(of_file)?;
                let (semantics, more) = srdf.resolve(&model).map_err(of_file)?;
                warnings.extend(more.iter().map(|warning| format!("{file}: {warning}")));
                (model, Some(semantics))
            }
        };
        let model = Arc::new(model);
        Ok(Self { model, semantics, document, srdf, surfaces, files, warnings })
    }
}

/// Paths as they are called from any folder.
fn absolute(paths: &[PathBuf]) -> PyResult<Vec<PathBuf>> {
    Ok(paths.iter().map(std::path::absolute).collect::<Result<_, _>>()?)
}

/// An SRDF from text; `file` is its name in messages.
pub(crate) fn read_srdf(file: &str, text: &str) -> PyResult<(String, Srdf)> {
    Ok((file.into(), Srdf::parse(text, file).map_err(Refused::from)?))
}

pub(crate) fn mesh_policy(name: &str) -> PyResult<MeshPolicy> {
    match name {
        "require" => Ok(MeshPolicy::Require),
        "leave_out_unusable" => Ok(MeshPolicy::LeaveOutUnusable),
        "skip" => Ok(MeshPolicy::Skip),
        other => Err(refused(format!(
            "meshes is \"{other}\", must be \"require\", \"leave_out_unusable\" or \"skip\""
        ))),
    }
}
