//! The normal distribution on arrays, accurate in the far tails.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use privug::leakage::Normal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;

fn each<'py>(
    py: Python<'py>,
    x: &Numbers<'py>,
    mean: &Numbers<'py>,
    variance: &Numbers<'py>,
    function: fn(&Normal, f64) -> f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (x, mean, variance) = (x.as_slice()?, mean.as_slice()?, variance.as_slice()?);
    if mean.len() != x.len() || variance.len() != x.len() {
        return Err(PyValueError::new_err("the arrays differ in length"));
    }
    let values = x.iter().zip(mean).zip(variance).map(|((x, mean), variance)| match Normal::new(*mean, *variance) {
        Some(normal) => function(&normal, *x),
        None => f64::NAN,
    });
    Ok(values.collect::<Vec<f64>>().into_pyarray(py))
}

/// Densities at `x` of normal distributions.
#[pyfunction]
pub fn density<'py>(
    py: Python<'py>,
    x: Numbers<'py>,
    mean: Numbers<'py>,
    variance: Numbers<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    each(py, &x, &mean, &variance, Normal::density)
}

/// Probabilities of values up to `x`.
#[pyfunction]
pub fn cumulative<'py>(
    py: Python<'py>,
    x: Numbers<'py>,
    mean: Numbers<'py>,
    variance: Numbers<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    each(py, &x, &mean, &variance, Normal::cdf)
}

/// The values below which the probabilities `x` lie.
#[pyfunction]
pub fn quantile<'py>(
    py: Python<'py>,
    x: Numbers<'py>,
    mean: Numbers<'py>,
    variance: Numbers<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    each(py, &x, &mean, &variance, Normal::quantile)
}
