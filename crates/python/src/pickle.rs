//! Pickling answers: a dictionary of their fields.

/// Makes a class of fields that Python can hold pickle.
macro_rules! pickle_fields {
    ($class:ident: $($field:ident),* $(,)?) => {
        #[pyo3::pymethods]
        impl $class {
            fn __reduce__<'py>(
                slf: &pyo3::Bound<'py, Self>,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, pyo3::PyAny>, (pyo3::Bound<'py, pyo3::types::PyDict>,))> {
                use pyo3::types::{PyAnyMethods, PyDictMethods};
                let fields = pyo3::types::PyDict::new(slf.py());
                $(fields.set_item(stringify!($field), slf.getattr(stringify!($field))?)?;)*
                Ok((slf.get_type().getattr("_from_fields")?, (fields,)))
            }

            #[staticmethod]
            fn _from_fields(fields: &pyo3::Bound<'_, pyo3::types::PyDict>) -> pyo3::PyResult<Self> {
                use pyo3::types::PyAnyMethods;
                // Missing ones are a KeyError.
                $(let $field = fields.as_any().get_item(stringify!($field))?.extract()?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}

pub(crate) use pickle_fields;
