//! Errors of the crates below as Python exceptions, in their own words.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use smooth_scene::bag::BagError;
use smooth_scene_fit::FitError;
use smooth_scene_geometry::ShapeError;
use smooth_scene_plan::{CertificateError, PlanError};
use smooth_scene_robot::srdf::SrdfError;
use smooth_scene_robot::values::Refusal;
use smooth_scene_robot::{MeshError, StateError, UrdfError};
use smooth_scene_scene::{SceneError, WorldFileError};
use smooth_scene_view::ViewError;

create_exception!(
    smooth_scene,
    Error,
    PyValueError,
    "A file, a value or a question that smooth_scene refuses. Nothing was changed."
);
create_exception!(
    smooth_scene,
    NoPathError,
    PyRuntimeError,
    "The question was understood, and no path was found."
);

/// An error with this text.
pub(crate) fn refused(text: impl Into<String>) -> PyErr {
    Error::new_err(text.into())
}

/// An error of a crate below.
pub(crate) struct Refused(PyErr);

impl From<Refused> for PyErr {
    fn from(error: Refused) -> PyErr {
        error.0
    }
}

macro_rules! refused_from {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Refused {
            fn from(error: $kind) -> Self {
                Self(refused(error.to_string()))
            }
        }
    )*};
}

refused_from!(
    ShapeError,
    SrdfError,
    Refusal,
    StateError,
    UrdfError,
    SceneError,
    WorldFileError,
    CertificateError,
    FitError,
    MeshError,
    BagError,
    ViewError
);

impl From<PlanError> for Refused {
    fn from(error: PlanError) -> Self {
        match error.is_bad_input() {
            true => Self(refused(error.to_string())),
            false => Self(NoPathError::new_err(error.to_string())),
        }
    }
}
