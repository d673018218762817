//! Answers about pairs of bodies, as columns.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_query::{SignedDistance, SolveStatus};
use smooth_scene_scene::{PairDistance, PlanningScene};

use crate::array::Batch;
use crate::pickle::pickle_fields;
use crate::pose::push_vector;

/// Distance, bounds, witnesses and normal of some pairs.
pub(crate) struct Columns {
    pub distance: Py<PyAny>,
    pub lower: Py<PyAny>,
    pub upper: Py<PyAny>,
    pub point_a: Py<PyAny>,
    pub point_b: Py<PyAny>,
    pub normal: Py<PyAny>,
    pub status: Py<PyAny>,
}

impl Columns {
    pub fn new(py: Python<'_>, batch: Batch, found: &[&SignedDistance]) -> PyResult<Self> {
        let numbers = |number: fn(&SignedDistance) -> f64| {
            batch.array(py, found.iter().map(|d| number(d)).collect(), &[])
        };
        let vectors = |vector: fn(&SignedDistance) -> &smooth_scene_geometry::math::Vec3| {
            let mut values = Vec::with_capacity(3 * found.len());
            found.iter().for_each(|d| push_vector(&mut values, vector(d)));
            batch.array(py, values, &[3])
        };
        Ok(Self {
            distance: numbers(|d| d.distance)?,
            lower: numbers(|d| d.lower)?,
            upper: numbers(|d| d.upper)?,
            point_a: vectors(|d| &d.witness_a_w)?,
            point_b: vectors(|d| &d.witness_b_w)?,
            normal: vectors(|d| &d.normal_ab_w)?,
            status: batch.words(py, found.iter().map(|d| status_name(d.status)))?,
        })
    }
}

/// The word for a status, as `smooth_scene query` prints it.
pub(crate) fn status_name(status: SolveStatus) -> &'static str {
    match status {
        SolveStatus::Certified => "certified",
        SolveStatus::DepthUnproven => "depth_unproven",
        SolveStatus::BudgetExhausted => "budget_exhausted",
    }
}

/// Pairs of bodies of a scene, one a row.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Pairs {
    /// Number of the state of each row.
    state: Py<PyAny>,
    /// Names of the bodies A.
    body_a: Vec<String>,
    /// Names of the bodies B.
    body_b: Vec<String>,
    /// Signed distance, m: positive apart, negative overlapping.
    distance: Py<PyAny>,
    /// Proven lower bound, m.
    lower: Py<PyAny>,
    /// Proven upper bound, m.
    upper: Py<PyAny>,
    /// Nearest (or deepest) point of A, world frame, (…, 3).
    point_a: Py<PyAny>,
    /// Nearest (or deepest) point of B, world frame, (…, 3).
    point_b: Py<PyAny>,
    /// Unit normal from A to B, world frame, (…, 3).
    normal: Py<PyAny>,
    /// How far it is proven: "certified", "depth_unproven" or "budget_exhausted".
    status: Py<PyAny>,
}

pickle_fields!(Pairs: state, body_a, body_b, distance, lower, upper, point_a, point_b, normal, status);

impl Pairs {
    /// The pairs of every state, in order.
    pub fn new(
        py: Python<'_>,
        scene: &PlanningScene,
        states: &[Vec<PairDistance>],
    ) -> PyResult<Self> {
        let pairs: Vec<&PairDistance> = states.iter().flatten().collect();
        let counts = states.iter().enumerate();
        let state: Vec<i64> = counts.flat_map(|(k, found)| vec![k as i64; found.len()]).collect();
        let found: Vec<&SignedDistance> = pairs.iter().map(|pair| &pair.distance).collect();
        let columns = Columns::new(py, Batch::Many(pairs.len()), &found)?;
        let names = |body: fn(&PairDistance) -> smooth_scene_scene::BodyId| {
            pairs.iter().map(|pair| scene.body_name(body(pair)).to_owned()).collect()
        };
        Ok(Self {
            state: numpy::PyArray1::from_vec(py, state).into_any().unbind(),
            body_a: names(|pair| pair.body_a),
            body_b: names(|pair| pair.body_b),
            distance: columns.distance,
            lower: columns.lower,
            upper: columns.upper,
            point_a: columns.point_a,
            point_b: columns.point_b,
            normal: columns.normal,
            status: columns.status,
        })
    }
}

#[pymethods]
impl Pairs {
    fn __len__(&self) -> usize {
        self.body_a.len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.body_a.len();
        let distances: Vec<f64> = self.distance.bind(py).call_method0("tolist")?.extract()?;
        let rows = self.body_a.iter().zip(&self.body_b).zip(distances).take(ROWS);
        let rows = rows.map(|((a, b), d)| format!("\n  {d:+.6} m  {a} - {b}"));
        let more =
            if count > ROWS { format!("\n  … {} more", count - ROWS) } else { String::new() };
        Ok(format!("Pairs({count}){}{more}", rows.collect::<String>()))
    }

    /// The rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        table.set_item("state", &self.state)?;
        table.set_item("body_a", &self.body_a)?;
        table.set_item("body_b", &self.body_b)?;
        table.set_item("distance", &self.distance)?;
        table.set_item("lower", &self.lower)?;
        table.set_item("upper", &self.upper)?;
        set_vectors(&table, "point_a", self.point_a.bind(py))?;
        set_vectors(&table, "point_b", self.point_b.bind(py))?;
        set_vectors(&table, "normal", self.normal.bind(py))?;
        table.set_item("status", &self.status)?;
        py.import("pandas")?.call_method1("DataFrame", (table,))
    }
}

/// Rows that are printed.
const ROWS: usize = 8;

/// Three columns of a table from an array (n, 3).
pub(crate) fn set_vectors(
    table: &Bound<'_, PyDict>,
    name: &str,
    vectors: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let columns = vectors.getattr("T")?;
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        table.set_item(format!("{name}_{axis}"), columns.get_item(k)?)?;
    }
    Ok(())
}
