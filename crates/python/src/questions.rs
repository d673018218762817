//! Questions about states.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_scene::{
    Between, BodyId, CheckRequest, NearestRequest, PairLevel, PlanningScene, SceneError, Workspace,
};

use crate::array::Batch;
use crate::error::{Refused, refused};
use crate::pairs::Pairs;
use crate::pickle::pickle_fields;
use crate::scene::{Scene, Snapshot};
use crate::states::States;

/// The nearest pair of every state, and how its distance changes with the joints.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Gradients {
    /// Signed distance of the nearest pair, m.
    distance: Py<PyAny>,
    /// Proven lower bound, m.
    lower: Py<PyAny>,
    /// Derivative of the distance by the joints, (…, dof).
    gradient: Py<PyAny>,
    /// Names of the two bodies; None when there is nothing to touch.
    bodies: Py<PyAny>,
}

pickle_fields!(Gradients: distance, lower, gradient, bodies);

/// From so many states on it pays to prepare the scene for blocks of states.
const MANY: usize = 256;

#[pymethods]
impl Gradients {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let distance = self.distance.bind(py).repr()?;
        let shape = self.gradient.bind(py).getattr("shape")?.repr()?;
        Ok(format!("Gradients(distance={distance}, gradient of shape {shape})"))
    }

    /// The rows as a `pandas.DataFrame`: distance, bound and bodies, then a column `gradient_0`, `gradient_1`, … for each joint.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (table, numpy) = (PyDict::new(py), crate::array::numpy_module(py)?);
        let is_one = self.distance.bind(py).extract::<f64>().is_ok();
        let bodies: Vec<Option<(String, String)>> = match is_one {
            true => vec![self.bodies.extract(py)?],
            false => self.bodies.extract(py)?,
        };
        let (a, b): (Vec<_>, Vec<_>) = bodies.into_iter().map(Option::unzip).unzip();
        table.set_item("distance", numpy.call_method1("atleast_1d", (&self.distance,))?)?;
        table.set_item("lower", numpy.call_method1("atleast_1d", (&self.lower,))?)?;
        table.set_item("body_a", a)?;
        table.set_item("body_b", b)?;
        let columns = numpy.call_method1("atleast_2d", (&self.gradient,))?.getattr("T")?;
        for (joint, column) in columns.try_iter()?.enumerate() {
            table.set_item(format!("gradient_{joint}"), column?)?;
        }
        py.import("pandas")?.call_method1("DataFrame", (table,))
    }
}

/// The nearest pair of one state.
struct Nearest {
    distance: f64,
    lower: f64,
    gradient: Vec<f64>,
    bodies: Option<(BodyId, BodyId)>,
}

#[pymethods]
impl Scene {
    /// Whether states are free of contacts, with the robot itself and with the world, except allowed ones: (n, position_count)
    /// gives n booleans, one state gives a bool. Touching within rounding is not free.
    #[pyo3(signature = (q, *, threads = None))]
    fn is_free(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        threads: Option<i64>,
    ) -> PyResult<Py<PyAny>> {
        let (scene, states) = self.question(q)?;
        if states.batch.count() >= MANY
            && let Some(colliding) = states.colliding(py, threads, &self.checker(py, &scene))?
        {
            return states.batch.booleans(py, colliding.iter().map(|hit| !hit).collect());
        }
        let request = CheckRequest::default();
        let free = states.ask(py, threads, |positions, ws| {
            scene.in_collision(positions, &request, ws).map(|collides| !collides)
        })?;
        states.batch.booleans(py, free)
    }

    /// A proven lower bound of the signed distance of the nearest pair, m: (n, position_count) gives (n,), one state gives a
    /// float. Positive exactly for free states; infinite when there is nothing to touch.
    #[pyo3(signature = (q, *, threads = None))]
    fn clearance(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        threads: Option<i64>,
    ) -> PyResult<Py<PyAny>> {
        let (scene, states) = self.question(q)?;
        let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
        let least = states.ask(py, threads, |positions, ws| {
            let mut found = Vec::new();
            scene.nearest(positions, &request, ws, &mut found)?;
            Ok::<_, SceneError>(found.first().map_or(f64::INFINITY, |pair| pair.distance.lower))
        })?;
        states.batch.array(py, least, &[])
    }

    /// The k nearest pairs of every state that are at most `max_distance` apart, nearest first. `a` and `b` are names of links,
    /// objects or groups; empty stands for all. `surfaces=True` gives one answer for two surfaces, not for two bodies.
    #[pyo3(signature = (q, k = 1, *, max_distance = f64::INFINITY, a = vec![], b = vec![], surfaces = false, threads = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn nearest(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        k: usize,
        max_distance: f64,
        a: Vec<String>,
        b: Vec<String>,
        surfaces: bool,
        threads: Option<i64>,
    ) -> PyResult<Pairs> {
        let (scene, states) = self.question(q)?;
        let check = check_between(&scene, &a, &b)?;
        let request =
            NearestRequest { check, max_distance, max_results: k, level: level(surfaces) };
        let pairs = states.ask(py, threads, |positions, ws| {
            let mut found = Vec::new();
            scene.nearest(positions, &request, ws, &mut found).map(|()| found)
        })?;
        Pairs::new(py, &scene, &pairs)
    }

    /// Every pair in contact in every state, sorted by body; arguments as of `nearest`.
    #[pyo3(signature = (q, *, a = vec![], b = vec![], surfaces = false, threads = None))]
    fn contacts(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        a: Vec<String>,
        b: Vec<String>,
        surfaces: bool,
        threads: Option<i64>,
    ) -> PyResult<Pairs> {
        let (scene, states) = self.question(q)?;
        let check = check_between(&scene, &a, &b)?;
        let pairs = states.ask(py, threads, |positions, ws| {
            let mut found = Vec::new();
            scene.contacts(positions, &check, level(surfaces), ws, &mut found).map(|()| found)
        })?;
        Pairs::new(py, &scene, &pairs)
    }

    /// The nearest pair of every state and the derivative of its distance with respect to the joints: `distance` (n,),
    /// `gradient` (n, dof), `bodies` n pairs of names.
    #[pyo3(signature = (q, *, threads = None))]
    fn gradient(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        threads: Option<i64>,
    ) -> PyResult<Gradients> {
        let (scene, states) = self.question(q)?;
        let found = states.ask(py, threads, |positions, ws| nearest(&scene, positions, ws))?;
        let batch = states.batch;
        let numbers =
            |number: fn(&Nearest) -> f64| batch.array(py, found.iter().map(number).collect(), &[]);
        let gradient = found.iter().flat_map(|n| n.gradient.iter().copied()).collect();
        let names = found.iter().map(|nearest| {
            let (a, b) = nearest.bodies?;
            Some((scene.body_name(a), scene.body_name(b)))
        });
        let names: Vec<Option<(&str, &str)>> = names.collect();
        Ok(Gradients {
            distance: numbers(|nearest| nearest.distance)?,
            lower: numbers(|nearest| nearest.lower)?,
            gradient: batch.array(py, gradient, &[scene.model().velocity_count()])?,
            bodies: match batch {
                Batch::One => names[0].into_pyobject(py)?.into_any().unbind(),
                Batch::Many(_) => names.into_pyobject(py)?.into_any().unbind(),
            },
        })
    }
}

impl Scene {
    /// The scene as it is now, and the states that are asked about.
    pub(crate) fn question(&self, q: &Bound<'_, PyAny>) -> PyResult<(Snapshot, States)> {
        let scene = self.snapshot();
        let states = States::read("q", q, scene.model())?;
        Ok((scene, states))
    }
}

fn nearest(
    scene: &PlanningScene,
    positions: &[f64],
    ws: &mut Workspace,
) -> Result<Nearest, SceneError> {
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let (mut found, mut gradient) = (Vec::new(), Vec::new());
    scene.nearest(positions, &request, ws, &mut found)?;
    let Some(pair) = found.first() else {
        // Nothing that could touch: infinitely far, whatever the joints do.
        let gradient = vec![0.0; scene.model().velocity_count()];
        let (distance, lower) = (f64::INFINITY, f64::INFINITY);
        return Ok(Nearest { distance, lower, gradient, bodies: None });
    };
    scene.gradient(ws, pair, &mut gradient);
    let (distance, lower) = (pair.distance.distance, pair.distance.lower);
    Ok(Nearest { distance, lower, gradient, bodies: Some((pair.body_a, pair.body_b)) })
}

fn level(surfaces: bool) -> PairLevel {
    if surfaces { PairLevel::Surfaces } else { PairLevel::Bodies }
}

/// Between these bodies; no names stand for all.
fn check_between(scene: &PlanningScene, a: &[String], b: &[String]) -> PyResult<CheckRequest> {
    let set = |names: &[String]| scene.body_set(names).map_err(Refused::from);
    let between = Between { a: set(a)?, b: set(b)? };
    // A set of names that stand for nothing would compare nothing, which must not look free.
    for set in [&between.a, &between.b].into_iter().flatten() {
        if set.iter().next().is_none() {
            return Err(refused("the names given stand for no link and no object"));
        }
    }
    Ok(CheckRequest { between, ..CheckRequest::default() })
}
