//! NumPy arrays in and out.
//!
//! What comes in is copied while the interpreter lock is held: another thread may write into an array while a question
//! about it is answered. A copy costs less than a thousandth of the question.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The numbers of an array in C order, and its shape.
pub(crate) struct Numbers {
    pub values: Vec<f64>,
    pub shape: Vec<usize>,
}

/// Reads anything that NumPy makes an array of real numbers of. `name` is the argument in messages.
pub(crate) fn read_numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && let Some(numbers) = plain(array)
    {
        return Ok(numbers);
    }
    let numpy = numpy_module(value.py())?;
    let array = numpy.call_method1("asarray", (value,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    let is_lossless: bool = numpy.call_method1("can_cast", (&dtype, "f8", "safe"))?.extract()?;
    // An empty list is an array of no numbers of any kind.
    if !(is_lossless && ["f", "i", "u"].contains(&kind.as_str())) {
        let text =
            format!("{name} has dtype {dtype}, must be float64 or convert to it without loss");
        return Err(PyTypeError::new_err(text));
    }
    let copy = numpy.call_method1("array", (&array, "f8"))?;
    let copy = numpy.call_method1("ascontiguousarray", (copy,))?;
    // `ascontiguousarray` gives a single number one dimension.
    let copy = copy.call_method1("reshape", (array.getattr("shape")?,))?;
    let copy = copy.cast::<PyArrayDyn<f64>>()?;
    plain(copy).ok_or_else(|| PyValueError::new_err(format!("{name} cannot be read as an array")))
}

/// A copy of an array that lies in memory as a plain list of numbers in C order.
fn plain(array: &Bound<'_, PyArrayDyn<f64>>) -> Option<Numbers> {
    let is_aligned = (array.data() as usize).is_multiple_of(align_of::<f64>());
    if !(array.is_c_contiguous() && is_aligned) {
        return None;
    }
    let values = array.try_readonly().ok()?.as_slice().ok()?.to_vec();
    Some(Numbers { values, shape: array.shape().to_vec() })
}

pub(crate) fn numpy_module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Ok(NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?.bind(py))
}

/// A shape as Python writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        several => {
            let sizes: Vec<String> = several.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    }
}

/// One question, or as many as an array has rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Batch {
    One,
    Many(usize),
}

impl Batch {
    pub fn count(self) -> usize {
        match self {
            Batch::One => 1,
            Batch::Many(count) => count,
        }
    }

    /// The numbers of all answers as an array: batch first, `each` is the shape of one answer. One answer of one number is
    /// a float.
    pub fn array(self, py: Python<'_>, values: Vec<f64>, each: &[usize]) -> PyResult<Py<PyAny>> {
        let dims = match self {
            Batch::One if each.is_empty() => {
                let [value] = values[..] else {
                    unreachable!("one answer of one number has one number")
                };
                return Ok(value.into_pyobject(py)?.into_any().unbind());
            }
            Batch::One => each.to_vec(),
            Batch::Many(count) => [&[count], each].concat(),
        };
        let array = PyArray1::from_vec(py, values).reshape(dims)?;
        Ok(array.into_any().unbind())
    }

    /// Booleans, one each: an array or a `bool`.
    pub fn booleans(self, py: Python<'_>, values: Vec<bool>) -> PyResult<Py<PyAny>> {
        match self {
            Batch::One => Ok(values[0].into_pyobject(py)?.to_owned().into_any().unbind()),
            Batch::Many(_) => Ok(PyArray1::from_vec(py, values).into_any().unbind()),
        }
    }

    /// Words, one each: an array of strings or a `str`.
    pub fn words<'a>(
        self,
        py: Python<'_>,
        values: impl Iterator<Item = &'a str>,
    ) -> PyResult<Py<PyAny>> {
        let values: Vec<&str> = values.collect();
        match self {
            Batch::One => Ok(values[0].into_pyobject(py)?.into_any().unbind()),
            Batch::Many(0) => Ok(numpy_module(py)?.call_method1("zeros", (0, "U1"))?.unbind()),
            Batch::Many(_) => Ok(numpy_module(py)?.call_method1("array", (values,))?.unbind()),
        }
    }
}
