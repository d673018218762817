//! Shapes, by the names and fields that files use.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use smooth_scene_geometry::{ConvexSurface, ShapeKind, tessellate};
use smooth_scene_robot::values::{ShapeSet, Value, read_shape, read_yaml, shape_text};

use crate::array::{Batch, Numbers, read_numbers};
use crate::error::{Refused, refused};
use crate::pose::{push_matrix, read_pose};

/// A convex shape, or a compound of several, in its own frame.
#[pyclass(frozen, eq, module = "smooth_scene")]
#[derive(PartialEq)]
pub(crate) struct Shape {
    pub inner: smooth_scene_geometry::Shape,
}

#[pymethods]
impl Shape {
    #[new]
    #[pyo3(signature = (kind, /, **fields))]
    fn new(kind: &str, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut entries = vec![("type".to_string(), Value::Text(kind.into()))];
        for (name, value) in fields.into_iter().flatten() {
            let name: String = name.extract()?;
            let value = match name.as_str() {
                "parts" => parts(&value)?,
                _ => field(&format!("shape.{name}"), &value)?,
            };
            entries.push((name, value));
        }
        Self::from_value("shape", &Value::Map(entries))
    }

    /// Names of all kinds of shapes that are described by numbers or vertices.
    #[staticmethod]
    fn kinds() -> Vec<&'static str> {
        ShapeKind::ALL.iter().map(|kind| kind.name).collect()
    }

    /// The kind of shape, as in files.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    /// False for a superovoid with dents: answers are then for its convex hull.
    #[getter]
    fn is_convex(&self) -> bool {
        self.inner.is_convex()
    }

    /// Radius of a ball about the origin that contains the shape, m.
    #[getter]
    fn bounding_radius(&self) -> f64 {
        self.inner.bounding_radius()
    }

    /// Triangles for pictures: vertices (n, 3) and indices (m, 3).
    #[pyo3(signature = (tolerance = 0.001))]
    fn mesh(&self, py: Python<'_>, tolerance: f64) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        if tolerance.is_nan() || tolerance <= 0.0 {
            return Err(refused(format!("tolerance is {tolerance}, must be above 0")));
        }
        let mesh = tessellate(&self.inner, tolerance);
        let vertices: Vec<f64> = mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
        let triangles: Vec<i64> = mesh.triangles.iter().flatten().map(|&i| i64::from(i)).collect();
        let triangles = numpy::PyArray1::from_vec(py, triangles);
        let triangles = triangles.call_method1("reshape", ((mesh.triangles.len(), 3),))?.unbind();
        Ok((Batch::Many(mesh.vertices.len()).array(py, vertices, &[3])?, triangles))
    }

    fn __repr__(&self) -> String {
        match shape_text(&self.inner) {
            Ok(text) if text.len() <= 200 => format!("Shape({text})"),
            _ => format!("Shape(type: {})", self.inner.kind()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("_from_text")?, (slf.get().text()?,)))
    }

    #[staticmethod]
    fn _from_text(text: &str) -> PyResult<Self> {
        let value = read_yaml(&format!("{{{text}}}")).map_err(Refused::from)?;
        Self::from_value("shape", &value)
    }
}

impl Shape {
    fn from_value(path: &str, value: &Value) -> PyResult<Self> {
        let (inner, _) = read_shape(path, value, ShapeSet::All, &[]).map_err(Refused::from)?;
        Ok(Self { inner })
    }

    /// What describes the shape in a file.
    pub fn text(&self) -> PyResult<String> {
        shape_text(&self.inner)
            .map_err(|reason| refused(format!("the shape cannot be written: it is {reason}")))
    }
}

/// A shape with its pose as a matrix.
pub(crate) fn shape_at(
    py: Python<'_>,
    shape: &smooth_scene_geometry::Shape,
    pose: &smooth_scene_geometry::math::Pose,
) -> PyResult<(Shape, Py<PyAny>)> {
    let mut numbers = Vec::with_capacity(16);
    push_matrix(&mut numbers, pose);
    Ok((Shape { inner: shape.clone() }, Batch::One.array(py, numbers, &[4, 4])?))
}

/// The value of a field: a boolean, a string, a number, or an array of numbers.
fn field(path: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Value::Bool(value.is_true()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::Text(text.extract()?));
    }
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        return Ok(Value::Number(value.extract()?));
    }
    let Numbers { values, shape } = read_numbers(path, value)?;
    let list = |values: &[f64]| Value::List(values.iter().map(|x| Value::Number(*x)).collect());
    match shape[..] {
        [] => Ok(Value::Number(values[0])),
        [_] => Ok(list(&values)),
        [_, 0] | [0, _] => Ok(Value::List(Vec::new())),
        [_, width] => Ok(Value::List(values.chunks_exact(width).map(list).collect())),
        _ => Err(refused(format!("{path} has {} dimensions, must have at most 2", shape.len()))),
    }
}

/// The parts of a compound: shapes, or tuples of a shape and its pose.
fn parts(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let mut list = Vec::new();
    for (pose, shape) in read_shapes("parts", value)? {
        let shape = Shape { inner: shape }.text()?;
        let pose = smooth_scene_robot::values::pose_text(&pose);
        let pose = pose.map_or(String::new(), |pose| format!(", pose: {pose}"));
        list.push(read_yaml(&format!("{{shape: {{{shape}}}{pose}}}")).map_err(Refused::from)?);
    }
    Ok(Value::List(list))
}

/// Shapes with their poses: one shape, or a list of shapes and of tuples (shape, pose).
pub(crate) fn read_shapes(
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<(smooth_scene_geometry::math::Pose, smooth_scene_geometry::Shape)>> {
    if let Ok(shape) = value.cast::<Shape>() {
        return Ok(vec![(read_pose(name, None)?, shape.get().inner.clone())]);
    }
    let wrong = || {
        let rule = "must be a Shape or a list of Shapes and of tuples (Shape, pose)";
        let kind = value.get_type();
        pyo3::exceptions::PyTypeError::new_err(format!("{name} is {kind}, {rule}"))
    };
    let mut shapes = Vec::new();
    for (index, item) in value.try_iter().map_err(|_| wrong())?.enumerate() {
        let item = item?;
        if let Ok(shape) = item.cast::<Shape>() {
            shapes.push((read_pose(name, None)?, shape.get().inner.clone()));
            continue;
        }
        let (shape, pose): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            item.extract().map_err(|_| wrong())?;
        let shape = shape.cast::<Shape>().map_err(|_| wrong())?;
        let pose = read_pose(&format!("{name}[{index}]: pose"), Some(&pose))?;
        shapes.push((pose, shape.get().inner.clone()));
    }
    Ok(shapes)
}
