//! Questions about motions.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_query::{MotionGoal, MotionStatus};
use smooth_scene_scene::{MotionAnswer, MotionRequest, PlanningScene};

use crate::array::Batch;
use crate::error::refused;
use crate::pickle::pickle_fields;
use crate::scene::Scene;
use crate::states::{States, for_each};

/// What was found out about one motion or many.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Motion {
    /// Proven free from the beginning to the end.
    is_free: Py<PyAny>,
    /// Time of the first contact; None, or nan in a batch, without one.
    first_contact: Py<PyAny>,
    /// The motion is proven free before this time.
    free_until: Py<PyAny>,
    /// The moment that `distance` and `bodies` describe.
    closest_time: Py<PyAny>,
    /// Signed distance at that moment, m.
    distance: Py<PyAny>,
    /// No earlier moment than `free_until` has a smaller distance, m.
    lower: Py<PyAny>,
    /// Names of the two bodies; None when there is nothing to touch.
    bodies: Py<PyAny>,
    /// "converged" or "budget_exhausted".
    status: Py<PyAny>,
}

pickle_fields!(Motion: is_free, first_contact, free_until, closest_time, distance, lower, bodies, status);

#[pymethods]
impl Scene {
    /// Checks the straight motion in joint space from q0 to q1 continuously; angles without limits go the shorter way. Times
    /// are in [0, 1]. Two batches (n, position_count) are n motions. `closest=True` also finds the closest approach.
    #[pyo3(signature = (q0, q1, *, closest = false, threads = None))]
    fn check_motion(
        &self,
        py: Python<'_>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        closest: bool,
        threads: Option<i64>,
    ) -> PyResult<Motion> {
        let scene = self.snapshot();
        let from = States::read("q0", q0, scene.model())?;
        let to = States::read("q1", q1, scene.model())?;
        if from.batch != to.batch {
            let (one, other) = (from.batch.count(), to.batch.count());
            return Err(refused(format!(
                "q0 has {one} states and q1 has {other}, must be as many"
            )));
        }
        let request = request(closest);
        let answers = for_each(py, from.batch, threads, |index, _| {
            scene.check_motion(&[from.row(index), to.row(index)], &request)
        })?;
        Motion::new(py, &scene, from.batch, 1.0, &answers)
    }

    /// Checks a path of waypoints (n, position_count) continuously. Times count waypoints: 2.25 is a quarter of the way from
    /// the third to the fourth.
    #[pyo3(signature = (q, *, closest = false))]
    fn check_path(&self, py: Python<'_>, q: &Bound<'_, PyAny>, closest: bool) -> PyResult<Motion> {
        let (scene, path) = self.question(q)?;
        let request = request(closest);
        let answers =
            for_each(py, Batch::One, Some(1), |_, _| scene.check_motion(&path.rows(), &request))?;
        let end = path.batch.count().saturating_sub(1) as f64;
        Motion::new(py, &scene, Batch::One, end, &answers)
    }
}

fn request(closest: bool) -> MotionRequest {
    let mut request = MotionRequest::default();
    if closest {
        request.options.goal = MotionGoal::ClosestApproach;
    }
    request
}

/// Proven free from the beginning to the end.
fn is_free(answer: &MotionAnswer, end: f64) -> bool {
    answer.first_contact.is_none()
        && answer.status == MotionStatus::Converged
        && answer.free_until >= end
}

impl Motion {
    fn new(
        py: Python<'_>,
        scene: &PlanningScene,
        batch: Batch,
        end: f64,
        answers: &[MotionAnswer],
    ) -> PyResult<Self> {
        let numbers = |number: &dyn Fn(&MotionAnswer) -> f64| {
            batch.array(py, answers.iter().map(number).collect(), &[])
        };
        let names = answers.iter().map(|answer| {
            let pair = answer.closest.as_ref()?;
            Some((scene.body_name(pair.body_a), scene.body_name(pair.body_b)))
        });
        let names: Vec<Option<(&str, &str)>> = names.collect();
        let first_contact = match (batch, answers) {
            (Batch::One, [answer]) => answer.first_contact.into_pyobject(py)?.into_any().unbind(),
            _ => numbers(&|answer| answer.first_contact.unwrap_or(f64::NAN))?,
        };
        let distance = |answer: &MotionAnswer| {
            answer.closest.as_ref().map_or(f64::INFINITY, |pair| pair.distance.distance)
        };
        let status = answers.iter().map(|answer| match answer.status {
            MotionStatus::Converged => "converged",
            MotionStatus::BudgetExhausted => "budget_exhausted",
        });
        Ok(Self {
            is_free: batch.booleans(py, answers.iter().map(|a| is_free(a, end)).collect())?,
            first_contact,
            free_until: numbers(&|answer| answer.free_until)?,
            closest_time: numbers(&|answer| answer.closest_time)?,
            distance: numbers(&distance)?,
            lower: numbers(&|answer| answer.lower)?,
            bodies: match batch {
                Batch::One => names[0].into_pyobject(py)?.into_any().unbind(),
                Batch::Many(_) => names.into_pyobject(py)?.into_any().unbind(),
            },
            status: batch.words(py, status)?,
        })
    }
}

#[pymethods]
impl Motion {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let is_free = self.is_free.bind(py);
        let Ok(is_free) = is_free.extract::<bool>() else {
            let (count, free) = (is_free.len()?, is_free.call_method0("sum")?);
            return Ok(format!("Motion({count} motions, {free} proven free)"));
        };
        let until: f64 = self.free_until.extract(py)?;
        if is_free {
            return Ok(format!("Motion(proven free until {until})"));
        }
        let first: Option<f64> = self.first_contact.extract(py)?;
        let bodies: Option<(String, String)> = self.bodies.extract(py)?;
        Ok(match (first, bodies) {
            (Some(first), Some((a, b))) => {
                format!("Motion(first contact at {first}, {a} - {b}; proven free until {until})")
            }
            _ => format!("Motion(not proven free beyond {until})"),
        })
    }

    /// The rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        let is_one = self.is_free.bind(py).extract::<bool>().is_ok();
        let columns = [
            ("is_free", &self.is_free),
            ("first_contact", &self.first_contact),
            ("free_until", &self.free_until),
            ("closest_time", &self.closest_time),
            ("distance", &self.distance),
            ("lower", &self.lower),
            ("bodies", &self.bodies),
            ("status", &self.status),
        ];
        for (name, column) in columns {
            match is_one {
                true => table.set_item(name, vec![column])?,
                false => table.set_item(name, column)?,
            }
        }
        py.import("pandas")?.call_method1("DataFrame", (table,))
    }
}
