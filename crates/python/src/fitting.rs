//! Surfaces that contain the meshes of a robot, with the report.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_fit::{
    FitOptions, LinkFit, Measures, RobotMeshes, SurfaceKind, check_robot, fit_links, sidecar_text,
};
use smooth_scene_robot::{GeometrySource, LoadOptions, link_geometry};

use crate::error::{Refused, refused};
use crate::pickle::pickle_fields;
use crate::robot::Robot;
use crate::threads::Workers;

/// Time between two looks at Ctrl-C and at the progress.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Surfaces for the links of a robot, or for one mesh, with the report: one entry a link.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Fit {
    /// Names of the links that have meshes.
    links: Vec<String>,
    /// How many surfaces each has got; none when it keeps the hull of its mesh.
    surfaces: Vec<usize>,
    /// The kinds of the surfaces of each.
    kinds: Vec<Vec<String>>,
    /// How many triangles each has, all proven to lie inside its surfaces.
    triangles: Vec<usize>,
    /// Mean distance from the mesh of the outer surface, by area, m.
    mean_outward: Py<PyAny>,
    /// Largest distance from the mesh of the outer surface, m.
    max_outward: Py<PyAny>,
    /// Volume of the surfaces over that of the mesh; nan when the mesh is not closed.
    volume_over_mesh: Py<PyAny>,
    /// Volume of the surfaces over that of the convex hull of the mesh; nan when the mesh is flat.
    volume_over_hull: Py<PyAny>,
    /// Time each took, s.
    seconds: Py<PyAny>,
    /// Why a link keeps the hull of its mesh; None for those with surfaces.
    hull: Vec<Option<String>>,
    /// The same numbers for all links together, by name.
    total: Py<PyAny>,
    /// The surfaces as the text of a sidecar file.
    sidecar: String,
    /// File and text of the URDF; none for a mesh.
    _urdf: Option<(String, String)>,
    _folder: Option<PathBuf>,
    _package_paths: Vec<PathBuf>,
}

pickle_fields!(
    Fit: links, surfaces, kinds, triangles, mean_outward, max_outward, volume_over_mesh, volume_over_hull, seconds, hull, total,
    sidecar, _urdf, _folder, _package_paths
);

/// Fits smooth surfaces to the meshes of a robot (a URDF file) or to one mesh (STL, OBJ, COLLADA, PLY), and proves that they
/// contain every triangle. The same input, options and seed give the same surfaces.
///
/// `surfaces` is the most for all links together, `tolerance` the mean outward distance that is good enough (m); without both
/// there are three surfaces for each link. `kinds` may be used, of `links` or all that have meshes, from `source`: "collision" or
/// "visual". `progress` is called with the steps done and their number. Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (path, *, surfaces = None, tolerance = None, kinds = None, links = vec![], source = "collision", seed = 1, package_paths = vec![], threads = None, progress = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn fit(
    py: Python<'_>,
    path: PathBuf,
    surfaces: Option<usize>,
    tolerance: Option<f64>,
    kinds: Option<Vec<String>>,
    links: Vec<String>,
    source: &str,
    seed: u64,
    package_paths: Vec<PathBuf>,
    threads: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Fit> {
    let begin = Instant::now();
    let kinds = match kinds {
        Some(names) => names.iter().map(|name| kind(name)).collect::<PyResult<_>>()?,
        None => FitOptions::default().kinds,
    };
    let options = FitOptions { surfaces, tolerance, kinds, seed };
    let folder = std::path::absolute(&path)?.parent().map(Path::to_path_buf);
    let files = LoadOptions { package_paths, folder, ..LoadOptions::default() };
    let source = geometry_source(source)?;
    let (meshes, urdf) = py.detach(|| read(&path, &links, source, &files))?;
    let fits = search(py, &meshes, &options, threads, progress)?;
    let only_hull = fits.iter().find_map(|fit| fit.hull.as_ref());
    if let (None, Some(reason)) = (&urdf, only_hull) {
        let path = path.display();
        return Err(refused(format!("{path}: no surfaces, only a hull: {reason}")));
    }
    let all = meshes.surfaces(&fits);
    let comment = format!(
        "Surfaces that contain the meshes of {}, every triangle proven.\nsmooth_scene {}, fit, seed {seed}",
        path.display(),
        env!("CARGO_PKG_VERSION")
    );
    let named = all.iter().map(|(link, surfaces)| (link.as_str(), surfaces.as_slice()));
    let found = Report {
        sidecar: sidecar_text(&comment, named),
        urdf: urdf.map(|text| (path.display().to_string(), text)),
        files,
        seconds: begin.elapsed().as_secs_f64(),
    };
    let fit = found.fit(py, &fits)?;
    if fit._urdf.is_some() {
        // What a reader of the sidecar gets is what has to contain the meshes.
        let model = fit.robot(py, None)?.model;
        check_robot(&model, &fits).map_err(|error| {
            refused(format!("the surfaces do not prove themselves as they are read: {error}"))
        })?;
    }
    Ok(fit)
}

fn kind(name: &str) -> PyResult<SurfaceKind> {
    SurfaceKind::by_name(name).ok_or_else(|| {
        let names = SurfaceKind::ALL.map(SurfaceKind::name).join(", ");
        refused(format!("kinds: `{name}` must be one of: {names}"))
    })
}

fn geometry_source(name: &str) -> PyResult<GeometrySource> {
    match name {
        "collision" => Ok(GeometrySource::Collision),
        "visual" => Ok(GeometrySource::Visual),
        other => {
            Err(refused(format!("source is \"{other}\", must be \"collision\" or \"visual\"")))
        }
    }
}

/// The meshes, and the text of the URDF if it is one.
fn read(
    path: &Path,
    links: &[String],
    source: GeometrySource,
    files: &LoadOptions,
) -> PyResult<(RobotMeshes, Option<String>)> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("stl" | "obj" | "dae" | "ply") => {
            return Ok((RobotMeshes::of_file(path).map_err(Refused::from)?, None));
        }
        Some("urdf" | "xml") => {}
        other => {
            let (path, ending) = (path.display(), other.map_or("", |ending| ending));
            return Err(refused(format!(
                "{path}: ending `{ending}` is not known, must be urdf, stl, obj, dae or ply"
            )));
        }
    }
    let label = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| refused(format!("{label}: {error}")))?;
    let wanted = |name: &str| links.is_empty() || links.iter().any(|link| link == name);
    let bodies = link_geometry(&text, &label, files.folder.as_deref(), source, files, wanted)
        .map_err(Refused::from)?;
    let element = source.element();
    if let Some(link) = links.iter().find(|link| !bodies.iter().any(|body| body.link == **link)) {
        return Err(refused(format!("links: no link `{link}` with a <{element}>")));
    }
    let meshes = RobotMeshes::new(bodies);
    if meshes.links.is_empty() {
        return Err(refused(format!("{label}: no link has a mesh in its <{element}>")));
    }
    Ok((meshes, Some(text)))
}

/// Fits on other threads, while this one looks at signals and tells the progress.
fn search(
    py: Python<'_>,
    meshes: &RobotMeshes,
    options: &FitOptions,
    threads: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<LinkFit>> {
    let workers = Workers::pool(py, threads)?;
    let cancel = AtomicBool::new(false);
    let progress = progress.map(|progress| progress.clone().unbind());
    let found = py.detach(|| {
        std::thread::scope(|scope| {
            let (told, tells) = channel();
            let run = scope.spawn(|| {
                let told = told;
                let tell = |done: usize, steps: usize| {
                    told.send((done, steps)).expect("the receiver waits for this thread");
                };
                workers.install(|| fit_links(&meshes.links, options, &tell, &cancel))
            });
            let stopped = loop {
                let told = tells.recv_timeout(LOOK_EVERY);
                if matches!(told, Err(RecvTimeoutError::Disconnected)) {
                    break None;
                }
                let looked = Python::attach(|py| {
                    if let (Ok(steps), Some(progress)) = (told, &progress) {
                        progress.call1(py, steps)?;
                    }
                    py.check_signals()
                });
                if let Err(error) = looked {
                    cancel.store(true, Ordering::Relaxed);
                    break Some(error);
                }
            };
            let fits = run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            stopped.map_or(Ok(fits), Err)
        })
    })?;
    Ok(found.map_err(Refused::from)?)
}

/// What is known beside the fits.
struct Report {
    sidecar: String,
    urdf: Option<(String, String)>,
    files: LoadOptions,
    /// Time of the whole fit.
    seconds: f64,
}

impl Report {
    fn fit(self, py: Python<'_>, fits: &[LinkFit]) -> PyResult<Fit> {
        let numbers = |number: fn(&Measures) -> f64| {
            let values = fits.iter().map(|fit| number(&fit.measures)).collect();
            PyArray1::from_vec(py, values).into_any().unbind()
        };
        let all = Measures::total(fits.iter().map(|fit| &fit.measures));
        let total = PyDict::new(py);
        total.set_item("surfaces", fits.iter().map(|fit| fit.surfaces.len()).sum::<usize>())?;
        total.set_item("triangles", fits.iter().map(|fit| fit.triangles.len()).sum::<usize>())?;
        for (name, number) in MEASURES {
            total.set_item(name, number(&all))?;
        }
        total.set_item("seconds", self.seconds)?;
        let kinds = |fit: &LinkFit| match fit.hull {
            Some(_) => vec![SurfaceKind::Hull.name().to_string()],
            None => fit.surfaces.iter().map(|surface| surface.shape.kind().to_string()).collect(),
        };
        let [mean, max, over_mesh, over_hull] = MEASURES.map(|(_, number)| numbers(number));
        Ok(Fit {
            links: fits.iter().map(|fit| fit.name.clone()).collect(),
            surfaces: fits.iter().map(|fit| fit.surfaces.len()).collect(),
            kinds: fits.iter().map(kinds).collect(),
            triangles: fits.iter().map(|fit| fit.triangles.len()).collect(),
            mean_outward: mean,
            max_outward: max,
            volume_over_mesh: over_mesh,
            volume_over_hull: over_hull,
            seconds: numbers(|measures| measures.seconds),
            hull: fits.iter().map(|fit| fit.hull.clone()).collect(),
            total: total.into_any().unbind(),
            sidecar: self.sidecar,
            _urdf: self.urdf,
            _folder: self.files.folder,
            _package_paths: self.files.package_paths,
        })
    }
}

type Measure = (&'static str, fn(&Measures) -> f64);

/// The measures of the report, by their names on the command line. A ratio that is not defined is nan.
const MEASURES: [Measure; 4] = [
    ("mean_outward", |measures| measures.outward.mean),
    ("max_outward", |measures| measures.outward.largest),
    ("volume_over_mesh", |measures| measures.volume_over_mesh().unwrap_or(f64::NAN)),
    ("volume_over_hull", |measures| measures.volume_over_hull().unwrap_or(f64::NAN)),
];

#[pymethods]
impl Fit {
    /// The robot with these surfaces, with an SRDF file if there is one.
    #[pyo3(signature = (srdf = None))]
    fn robot(&self, py: Python<'_>, srdf: Option<PathBuf>) -> PyResult<Robot> {
        let Some((label, urdf)) = &self._urdf else {
            return Err(refused("one mesh was fitted, which is no robot"));
        };
        let srdf = match srdf {
            Some(path) => Some((path.display().to_string(), std::fs::read_to_string(path)?)),
            None => None,
        };
        let srdf = srdf.as_ref().map(|(label, text)| (label.as_str(), text.as_str()));
        let options = LoadOptions {
            package_paths: self._package_paths.clone(),
            folder: self._folder.clone(),
            ..LoadOptions::default()
        };
        let surfaces = Some(("fitted surfaces".to_string(), self.sidecar.clone()));
        py.detach(|| Robot::from_texts((label, urdf), srdf, surfaces, options))
    }

    /// Writes the surfaces to a sidecar file, for `Robot.load(urdf, surfaces=path)`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, &self.sidecar)?)
    }

    /// The report as a `pandas.DataFrame`, one row a link.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(slf.py());
        table.set_item("link", &slf.get().links)?;
        let names = ["surfaces", "kinds", "triangles"];
        let names = names.into_iter().chain(MEASURES.map(|(name, _)| name));
        for name in names.chain(["seconds", "hull"]) {
            table.set_item(name, slf.getattr(name)?)?;
        }
        slf.py().import("pandas")?.call_method1("DataFrame", (table,))
    }

    fn __len__(&self) -> usize {
        self.links.len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let total = self.total.bind(py);
        let number = |name: &str| total.get_item(name)?.extract::<f64>();
        Ok(format!(
            "Fit({} links, {} surfaces, every triangle contained; mean {:.2} mm, largest {:.1} mm, volume {:.2} of the hulls)",
            self.links.len(),
            self.surfaces.iter().sum::<usize>(),
            1e3 * number("mean_outward")?,
            1e3 * number("max_outward")?,
            number("volume_over_hull")?,
        ))
    }
}
