//! The browser view of a scene.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use smooth_scene_robot::{
    LoadedRobot, RobotModel, RobotState, Trajectory, TrajectoryPoint, link_geometry,
};
use smooth_scene_view::{Geometry, ViewHost, ViewOptions, ViewServer};

use crate::array::{Batch, read_numbers, shape_text};
use crate::error::{Refused, refused};
use crate::robot::Robot;
use crate::scene::Scene;
use crate::states::States;

/// Time between two looks at Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A scene in the browser, until it is closed.
///
/// Whoever opens the page sees every change of the scene, and changes it by editing, unless `show` was called with
/// `editing=False`. At the end of a `with` block it is closed. In a notebook it shows itself as a frame.
#[pyclass(frozen, module = "smooth_scene")]
pub(crate) struct View {
    server: Mutex<Option<ViewServer>>,
    url: String,
    model: Arc<RobotModel>,
    positions: Arc<Mutex<Vec<f64>>>,
}

#[pymethods]
impl Scene {
    /// Opens the scene in the browser, or in a notebook as a frame, and goes on.
    ///
    /// `q` is the state that is shown; `view.q = …` shows another. With `path` (n, position_count) and, if they are not one second
    /// apart, `times` (n,) the robot moves through the states in a loop. The page is served on this machine only, on `port` or a free
    /// one. `editing=False` keeps viewers from changing the scene; `open=False` opens no browser.
    #[pyo3(signature = (q = None, *, path = None, times = None, port = 0, editing = true, close_distance = 0.01, open = true))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn show<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Bound<'_, PyAny>>,
        path: Option<&Bound<'_, PyAny>>,
        times: Option<&Bound<'_, PyAny>>,
        port: u16,
        editing: bool,
        close_distance: f64,
        open: bool,
    ) -> PyResult<Bound<'py, View>> {
        let scene = self.snapshot();
        let model = scene.model().clone();
        let positions = match q {
            Some(q) => at("q", States::read_one("q", q, &model)?, &model)?,
            None => RobotState::new(model.clone()).positions().to_vec(),
        };
        let movement = match (path, times) {
            (Some(path), times) => Some(movement(path, times, &model)?),
            (None, None) => None,
            (None, Some(_)) => return Err(refused("times are those of a path, and none is given")),
        };
        let positions = Arc::new(Mutex::new(positions));
        let (shown, told) = (Arc::clone(&positions), Arc::clone(&positions));
        let robot = self.loaded_robot().get();
        let described = Arc::new(described(robot)?);
        let host = ViewHost {
            live: match movement {
                Some(_) => None,
                None => Some(Arc::new(move |_| Ok(locked(&shown).clone()))),
            },
            movement,
            described: Some(Arc::new(move || Some(Arc::clone(&described)))),
            geometry: geometry(robot),
            on_positions: Some(Box::new(move |state| {
                locked(&told).copy_from_slice(state.positions());
            })),
            ..ViewHost::new(Arc::clone(self.store()))
        };
        if !(0.0..=1.0).contains(&close_distance) {
            return Err(refused(format!(
                "close_distance is {close_distance}, must be in [0, 1] m"
            )));
        }
        let options = ViewOptions {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            editing,
            close_distance,
            in_frames: true,
            ..ViewOptions::default()
        };
        let server = py.detach(|| ViewServer::start(host, options)).map_err(Refused::from)?;
        let url = server.url();
        let view = View { server: Mutex::new(Some(server)), url, model, positions };
        let view = Bound::new(py, view)?;
        py.import("smooth_scene._browser")?.call_method1("opened", (&view, open))?;
        Ok(view)
    }
}

/// The robot as the page writes it back.
fn described(robot: &Robot) -> PyResult<LoadedRobot> {
    Ok(LoadedRobot {
        model: RobotModel::clone(&robot.model),
        warnings: Vec::new(),
        document: robot.document.clone(),
    })
}

/// Reads the bodies of the robot's links; none for a robot whose files are elsewhere or that has neither meshes nor visual
/// bodies.
fn geometry(robot: &Robot) -> Option<Geometry> {
    let (document, files) = (robot.document.clone(), robot.files.clone()?);
    if !document.text().contains("<visual") && !document.text().contains("<mesh") {
        return None;
    }
    Some(Arc::new(move |source, link| {
        let is_wanted = |name: &str| link.is_none_or(|wanted| wanted == name);
        let folder = files.folder.as_deref();
        let found =
            link_geometry(document.text(), document.file(), folder, source, &files, is_wanted);
        found.map_err(|error| error.to_string())
    }))
}

/// A movement through the states of a path.
fn movement(
    path: &Bound<'_, PyAny>,
    times: Option<&Bound<'_, PyAny>>,
    model: &Arc<RobotModel>,
) -> PyResult<Trajectory> {
    let states = States::read("path", path, model)?;
    let Batch::Many(count @ 1..) = states.batch else {
        let width = model.position_count();
        return Err(refused(format!("path has no states, must be (n, {width})")));
    };
    let times = match times {
        None => (0..count).map(|second| second as f64).collect(),
        Some(times) => {
            let numbers = read_numbers("times", times)?;
            if numbers.shape != [count] {
                let shape = shape_text(&numbers.shape);
                return Err(refused(format!("times has shape {shape}, must be ({count},)")));
            }
            numbers.values
        }
    };
    let mut points: Vec<TrajectoryPoint> = Vec::with_capacity(count);
    for (row, &time) in times.iter().enumerate() {
        let time_from_start = time - times[0];
        if !time.is_finite() {
            return Err(refused(format!("times[{row}] is {time}, must be finite")));
        }
        if let Some(before) = points.last() {
            if time_from_start < before.time_from_start {
                return Err(refused(format!("times[{row}] is {time}, less than the one before")));
            }
            // Of states at the same time the last counts: times of a movement increase.
            if before.time_from_start == time_from_start {
                points.pop();
            }
        }
        let positions = at(&format!("path[{row}]"), states.row(row).to_vec(), model)?;
        points.push(TrajectoryPoint { time_from_start, positions });
    }
    let steps = (points.len() - 1).max(1);
    let joint_names = model.variable_names().to_vec();
    Ok(Trajectory {
        model: model.name().to_string(),
        joint_names,
        constant: Vec::new(),
        points,
        steps,
    })
}

/// Positions that are some.
fn at(name: &str, positions: Vec<f64>, model: &Arc<RobotModel>) -> PyResult<Vec<f64>> {
    let state = RobotState::at(model.clone(), positions);
    Ok(state.map_err(|error| refused(format!("{name}: {error}")))?.positions().to_vec())
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What is inside is replaced as a whole, so it is whole also after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl View {
    /// The address of the page.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Whether the page is served.
    #[getter]
    fn is_open(&self) -> bool {
        locked(&self.server).is_some()
    }

    /// How many pages are open.
    #[getter]
    fn viewers(&self) -> usize {
        locked(&self.server).as_ref().map_or(0, ViewServer::viewers)
    }

    /// The state that is shown, (position_count,). After a viewer has moved a joint, or during a movement, it is that state; one that
    /// is set is shown again when the page follows the robot.
    #[getter]
    fn get_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let positions = locked(&self.positions).clone();
        Batch::Many(positions.len()).array(py, positions, &[])
    }

    #[setter]
    fn set_q(&self, q: &Bound<'_, PyAny>) -> PyResult<()> {
        *locked(&self.positions) = at("q", States::read_one("q", q, &self.model)?, &self.model)?;
        Ok(())
    }

    /// Ends the view; pages that are open say so. Does nothing when it has ended.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        let server = locked(&slf.get().server).take();
        slf.py().detach(|| drop(server));
        slf.py().import("smooth_scene._browser")?.call_method1("closed", (slf,))?;
        Ok(())
    }

    /// Waits until the view is closed by another thread, or for Ctrl-C; for scripts that end with it.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_open() {
            py.check_signals()?;
            py.detach(|| std::thread::sleep(LOOK_EVERY));
        }
        Ok(())
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(slf: &Bound<'_, Self>, _error: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        Self::close(slf)
    }

    fn __repr__(&self) -> String {
        match self.is_open() {
            true => format!("View(\"{}\")", self.url),
            false => "View(closed)".into(),
        }
    }

    fn _repr_html_(&self) -> String {
        match self.is_open() {
            true => format!(
                "<iframe src=\"{}\" width=\"100%\" height=\"600\" style=\"border: 0\"></iframe>",
                self.url
            ),
            false => "<p>The view is closed.</p>".into(),
        }
    }
}
