//! What is raised: `ProgramError` for what the library refuses, `NotGaussianError` for what no Gaussian can be,
//! `InternalError` for errors of the library itself.

use privug::diagnostic::{self, ALL_CODES, Code, Front, Refusal, Style};
use privug::internal;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    privug,
    ProgramError,
    PyValueError,
    "A program or its data is refused; `diagnostics` lists why, each a dictionary as in the JSON."
);
create_exception!(
    privug,
    NotGaussianError,
    PyTypeError,
    "Something is done to a random variable that does not keep it Gaussian; `code` and `hint` say what and what to do."
);
create_exception!(
    privug,
    InternalError,
    PyRuntimeError,
    "Something is wrong with the library itself; please report it."
);

/// A panic as an exception.
pub fn internal_error(error: &internal::InternalError) -> PyErr {
    InternalError::new_err(format!("{error}; {}", internal::InternalError::HINT))
}

/// A refusal as an exception.
pub fn program_error(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let refusal = &refusal.clone().addressed(Front::Python);
    let message = diagnostic::render(&refusal.sources, &refusal.diagnostics, Style::Plain);
    let document = diagnostic::to_json(&refusal.sources, &refusal.diagnostics);
    let error = ProgramError::new_err(message.trim_end().to_owned());
    let attach = || -> PyResult<()> {
        let list = py.import("json")?.call_method1("loads", (document["diagnostics"].to_string(),))?;
        error.value(py).setattr("diagnostics", list)
    };
    match attach() {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

/// An operation that does not keep variables Gaussian.
pub fn refuse(py: Python<'_>, code: Code, message: &str, hint: &str) -> PyErr {
    let error = NotGaussianError::new_err(format!("{}: {message}; {hint}", code.id()));
    let attach = || -> PyResult<()> {
        let value = error.value(py);
        value.setattr("code", code.id())?;
        value.setattr("hint", hint)?;
        // Libraries swallow errors (pandas those of hashing), and a question that was asked is not forgotten.
        py.import("privug._recording")?.call_method1("note_refusal", (value,)).map(|_| ())
    };
    match attach() {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

/// The exception for an operation that does not keep variables Gaussian.
#[pyfunction]
pub fn not_gaussian(py: Python<'_>, code: &str, message: &str, hint: &str) -> PyResult<Py<PyAny>> {
    let code = Code::from_id(code).ok_or_else(|| PyKeyError::new_err(code.to_owned()))?;
    Ok(refuse(py, code, message, hint).into_value(py).into_any())
}

/// All codes, or one: (code, title, explanation).
#[pyfunction]
#[pyo3(signature = (code=None))]
pub fn explain(code: Option<&str>) -> PyResult<Vec<(&'static str, &'static str, &'static str)>> {
    let entry = |code: &Code| (code.id(), code.title(), code.explanation());
    match code {
        None => Ok(ALL_CODES.iter().map(entry).collect()),
        Some(id) => match Code::from_id(id) {
            Some(code) => Ok(vec![entry(&code)]),
            None => Err(PyKeyError::new_err(format!("there is no code `{id}`"))),
        },
    }
}
