//! Paths that are proven free.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use smooth_scene_plan::{PlanError, PlanOptions, plan, verify, with_margin};

use crate::array::Batch;
use crate::error::{NoPathError, Refused, refused};
use crate::scene::Scene;
use crate::states::States;

/// Time between two looks at Ctrl-C.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// A path from one state to another, proven free in continuous time.
#[pyclass(frozen, module = "smooth_scene")]
pub(crate) struct Plan {
    pub(crate) inner: smooth_scene_plan::Plan,
    pub(crate) clearance: f64,
    pub(crate) seconds: f64,
}

#[pymethods]
impl Scene {
    /// Plans from one state to another with RRT-Connect, shortens the path and proves it. Raises `NoPathError` with the reason
    /// when there is none. `group` is one of the SRDF, `margin` a distance to keep from everything (m), `timeout` in seconds. Beyond
    /// the margin a path keeps 0.1 mm where its ends allow it.
    /// The same seed gives the same path. `range` is the longest edge of the trees and `step` the distance of sampled states, both
    /// in joint space.
    #[pyo3(signature = (q0, q1, *, group = None, margin = 0.0, seed = 1, timeout = None, max_states = 2_000_000, range = 1.0, step = 0.05, shortcuts = 30))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn plan(
        &self,
        py: Python<'_>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        group: Option<&str>,
        margin: f64,
        seed: u64,
        timeout: Option<f64>,
        max_states: u64,
        range: f64,
        step: f64,
        shortcuts: u32,
    ) -> PyResult<Plan> {
        let scene = self.snapshot();
        let from = States::read_one("q0", q0, scene.model())?;
        let to = States::read_one("q1", q1, scene.model())?;
        let options =
            PlanOptions { seed, max_states, range, step, shortcuts, ..PlanOptions::default() };
        let timer = Timer::new(timeout)?;
        let planned = py.detach(|| {
            let scene = with_margin(&scene, margin)?;
            let inner = plan(&scene, group, &from, &to, &options, &|| timer.is_over())?;
            let clearance = verify(&scene, &inner.waypoints, &inner.certificate);
            Ok((inner, clearance))
        });
        match planned {
            Ok((inner, clearance)) => {
                let clearance = clearance.map_err(Refused::from)? + margin;
                Ok(Plan { inner, clearance, seconds: timer.start.elapsed().as_secs_f64() })
            }
            Err(PlanError::Cancelled) => Err(timer.reason()),
            Err(error) => Err(Refused::from(error).into()),
        }
    }
}

/// Says when to stop: at the end of the time, or when a signal such as Ctrl-C was raised.
struct Timer {
    start: Instant,
    timeout: Option<f64>,
    signals: Mutex<Signals>,
}

/// When to look at signals again, and what the last look raised.
struct Signals {
    next_look: Duration,
    raised: Option<PyErr>,
}

impl Timer {
    fn new(timeout: Option<f64>) -> PyResult<Self> {
        if let Some(seconds) = timeout
            && (seconds.is_nan() || seconds <= 0.0)
        {
            return Err(refused(format!("timeout is {seconds}, must be above 0 s")));
        }
        let signals = Mutex::new(Signals { next_look: SIGNALS_EVERY, raised: None });
        Ok(Self { start: Instant::now(), timeout, signals })
    }

    fn is_over(&self) -> bool {
        let elapsed = self.start.elapsed();
        let mut signals = self.signals.lock().unwrap_or_else(PoisonError::into_inner);
        if elapsed >= signals.next_look {
            signals.next_look = elapsed + SIGNALS_EVERY;
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                signals.raised = Some(error);
            }
        }
        let is_late = self.timeout.is_some_and(|seconds| elapsed.as_secs_f64() > seconds);
        is_late || signals.raised.is_some()
    }

    fn reason(self) -> PyErr {
        let signals = self.signals.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (signals.raised, self.timeout) {
            (Some(raised), _) => raised,
            (None, Some(seconds)) => {
                NoPathError::new_err(format!("no path was found within {seconds} s"))
            }
            (None, None) => unreachable!("only a signal or the end of the time stops a search"),
        }
    }
}

#[pymethods]
impl Plan {
    /// The waypoints, (m, position_count); straight in joint space from one to the next.
    #[getter]
    fn waypoints(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let width = self.inner.waypoints[0].len();
        Batch::Many(self.inner.waypoints.len()).array(py, self.inner.waypoints.concat(), &[width])
    }

    /// Length in joint space.
    #[getter]
    fn length(&self) -> f64 {
        self.inner.length
    }

    /// Proven distance to everything along the whole path, m.
    #[getter]
    fn clearance(&self) -> f64 {
        self.clearance
    }

    /// Time it took, s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// States checked.
    #[getter]
    fn states_checked(&self) -> u64 {
        self.inner.statistics.states
    }

    /// Checks the proof of the path in a scene again, without any solver, and returns the proven clearance.
    fn verify(&self, py: Python<'_>, scene: &Bound<'_, Scene>) -> PyResult<f64> {
        let (scene, inner) = (scene.get().snapshot(), &self.inner);
        let clearance = py.detach(|| verify(&scene, &inner.waypoints, &inner.certificate));
        Ok(clearance.map_err(Refused::from)?)
    }

    fn __len__(&self) -> usize {
        self.inner.waypoints.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "Plan({} waypoints, length {:.3}, proven clearance {:.3e} m)",
            self.inner.waypoints.len(),
            self.inner.length,
            self.clearance
        )
    }
}
