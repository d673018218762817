//! Two shapes in many poses.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_scene_query::{
    PairQuery, QueryOptions, SecondOrder, SignedDistance, distance_gradient, second_order,
};

use crate::array::Batch;
use crate::error::refused;
use crate::pairs::{Columns, set_vectors};
use crate::pickle::pickle_fields;
use crate::pose::{Poses, push_vector, read_poses};
use crate::shape::Shape;
use crate::states::for_each;

/// Signed distances of two shapes, one a row.
#[pyclass(frozen, get_all, module = "smooth_scene")]
pub(crate) struct Distances {
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
    /// Whether the answer is for the convex hull of a shape that is not convex.
    of_hull: Py<PyAny>,
    /// Derivative by the pose of A: translation, then rotation vector, world frame, (…, 6).
    gradient_a: Py<PyAny>,
    /// Derivative by the pose of B: translation, then rotation vector, world frame, (…, 6).
    gradient_b: Py<PyAny>,
    /// Principal curvatures of A at its point, 1/m, (…, 2), if asked for.
    curvature_a: Option<Py<PyAny>>,
    /// Principal curvatures of B at its point, 1/m, (…, 2), if asked for.
    curvature_b: Option<Py<PyAny>>,
    /// Unit directions of the curvatures of A, world frame, (…, 2, 3), if asked for.
    directions_a: Option<Py<PyAny>>,
    /// Unit directions of the curvatures of B, world frame, (…, 2, 3), if asked for.
    directions_b: Option<Py<PyAny>>,
}

pickle_fields!(
    Distances: distance, lower, upper, point_a, point_b, normal, status, of_hull, gradient_a, gradient_b, curvature_a, curvature_b,
    directions_a, directions_b
);

/// One answer.
struct Answer {
    found: SignedDistance,
    gradients: [[f64; 6]; 2],
    second: Option<SecondOrder>,
}

/// Signed distances of two shapes in many poses, world frame. One pose goes with any number of the other.
///
/// `certify=True` proves penetration depths from both sides; `curvature=True` adds the principal curvatures at the nearest
/// points (1/m) and their directions.
#[pyfunction]
#[pyo3(signature = (a, poses_a, b, poses_b, *, certify = false, curvature = false, threads = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn distance(
    py: Python<'_>,
    a: &Bound<'_, Shape>,
    poses_a: &Bound<'_, PyAny>,
    b: &Bound<'_, Shape>,
    poses_b: &Bound<'_, PyAny>,
    certify: bool,
    curvature: bool,
    threads: Option<i64>,
) -> PyResult<Distances> {
    let (poses_a, poses_b) = (read_poses("poses_a", poses_a)?, read_poses("poses_b", poses_b)?);
    let batch = common_batch(&poses_a, &poses_b)?;
    let options = if certify { QueryOptions::certified() } else { QueryOptions::default() };
    let (a, b) = (&a.get().inner, &b.get().inner);
    let pose = |poses: &Poses, index: usize| match poses.batch {
        Batch::One => poses.poses[0],
        Batch::Many(_) => poses.poses[index],
    };
    let answers = for_each(py, batch, threads, |index, _| {
        let (pose_a, pose_b) = (pose(&poses_a, index), pose(&poses_b, index));
        let found = PairQuery::new(a, &pose_a, b, &pose_b).options(&options).distance();
        let gradients = distance_gradient(&pose_a, &pose_b, &found);
        let second = curvature.then(|| second_order(a, &pose_a, b, &pose_b, &found));
        Ok::<_, std::convert::Infallible>(Answer { found, gradients, second })
    })?;
    Distances::new(py, batch, &answers)
}

/// One pose goes with any number of the other.
fn common_batch(a: &Poses, b: &Poses) -> PyResult<Batch> {
    match (a.batch, b.batch) {
        (Batch::One, other) | (other, Batch::One) => Ok(other),
        (one, other) if one == other => Ok(one),
        (one, other) => {
            let (one, other) = (one.count(), other.count());
            Err(refused(format!(
                "poses_a has {one} poses and poses_b has {other}, must be as many"
            )))
        }
    }
}

impl Distances {
    fn new(py: Python<'_>, batch: Batch, answers: &[Answer]) -> PyResult<Self> {
        let found: Vec<&SignedDistance> = answers.iter().map(|answer| &answer.found).collect();
        let columns = Columns::new(py, batch, &found)?;
        let gradient = |body: usize| {
            let values = answers.iter().flat_map(|answer| answer.gradients[body]);
            batch.array(py, values.collect(), &[6])
        };
        let seconds: Option<Vec<&SecondOrder>> =
            answers.iter().map(|a| a.second.as_ref()).collect();
        // No answers at all have no curvatures either.
        let seconds = seconds.filter(|seconds| !seconds.is_empty());
        let curvature = |body: fn(&SecondOrder) -> [f64; 2]| match &seconds {
            None => Ok(None),
            Some(seconds) => {
                let values = seconds.iter().flat_map(|second| body(second));
                batch.array(py, values.collect(), &[2]).map(Some)
            }
        };
        let directions = |body: fn(&SecondOrder) -> [smooth_scene_geometry::math::Vec3; 2]| {
            let Some(seconds) = &seconds else { return Ok(None) };
            let mut values = Vec::with_capacity(6 * seconds.len());
            for second in seconds {
                body(second).iter().for_each(|direction| push_vector(&mut values, direction));
            }
            batch.array(py, values, &[2, 3]).map(Some)
        };
        Ok(Self {
            distance: columns.distance,
            lower: columns.lower,
            upper: columns.upper,
            point_a: columns.point_a,
            point_b: columns.point_b,
            normal: columns.normal,
            status: columns.status,
            of_hull: batch.booleans(py, found.iter().map(|d| d.of_hull).collect())?,
            gradient_a: gradient(0)?,
            gradient_b: gradient(1)?,
            curvature_a: curvature(|second| second.curvatures_a.values)?,
            curvature_b: curvature(|second| second.curvatures_b.values)?,
            directions_a: directions(|second| second.curvatures_a.directions_w)?,
            directions_b: directions(|second| second.curvatures_b.directions_w)?,
        })
    }
}

#[pymethods]
impl Distances {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let distance = self.distance.bind(py);
        if let Ok(distance) = distance.extract::<f64>() {
            let (lower, upper): (f64, f64) = (self.lower.extract(py)?, self.upper.extract(py)?);
            return Ok(format!("Distances({distance}, proven in [{lower}, {upper}])"));
        }
        let count = distance.len()?;
        if count == 0 {
            return Ok("Distances(none)".into());
        }
        let least: f64 = distance.call_method0("min")?.extract()?;
        let most: f64 = distance.call_method0("max")?.extract()?;
        Ok(format!("Distances({count} from {least} to {most})"))
    }

    /// The rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        let numpy = crate::array::numpy_module(py)?;
        let column = |value: &Py<PyAny>| numpy.call_method1("atleast_1d", (value,));
        table.set_item("distance", column(&self.distance)?)?;
        table.set_item("lower", column(&self.lower)?)?;
        table.set_item("upper", column(&self.upper)?)?;
        for (name, vectors) in
            [("point_a", &self.point_a), ("point_b", &self.point_b), ("normal", &self.normal)]
        {
            set_vectors(&table, name, &numpy.call_method1("atleast_2d", (vectors,))?)?;
        }
        for (name, curvature) in [("a", &self.curvature_a), ("b", &self.curvature_b)] {
            let Some(curvature) = curvature else { continue };
            let columns = numpy.call_method1("atleast_2d", (curvature,))?.getattr("T")?;
            table.set_item(format!("curvature_{name}_min"), columns.get_item(0)?)?;
            table.set_item(format!("curvature_{name}_max"), columns.get_item(1)?)?;
        }
        table.set_item("status", column(&self.status)?)?;
        py.import("pandas")?.call_method1("DataFrame", (table,))
    }
}
