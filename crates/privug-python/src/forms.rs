//! Columns of affine forms for Python: what secret columns and arrays hold.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use privug::diagnostic::Code;
use privug::forms::{self, Column, FormsError, Rows};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::errors::refuse;

/// Affine forms over the secrets of a table; never changed.
#[pyclass(frozen, module = "privug._privug")]
pub struct Forms {
    column: Column,
    birth: Birth,
}

impl From<Column> for Forms {
    fn from(column: Column) -> Self {
        Forms { column, birth: Birth::new() }
    }
}

/// When something was made, counted from 1; all that are alive are listed. Whether a function keeps a secret after its run
/// is then known without looking through everything that Python holds.
struct Birth(u64);

static BIRTHS: AtomicU64 = AtomicU64::new(1);
static ALIVE: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

fn all_alive() -> MutexGuard<'static, BTreeSet<u64>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Birth {
    fn new() -> Self {
        let number = BIRTHS.fetch_add(1, Ordering::Relaxed);
        all_alive().insert(number);
        Birth(number)
    }
}

impl Drop for Birth {
    fn drop(&mut self) {
        all_alive().remove(&self.0);
    }
}

impl Forms {
    /// Every element for itself.
    pub fn whole(&self, py: Python<'_>) -> PyResult<Arc<forms::Forms>> {
        self.column.whole().map_err(|error| raised(py, error))
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.column.len()
    }
}

/// A refusal as an exception.
fn raised(py: Python<'_>, error: FormsError) -> PyErr {
    match error {
        FormsError::TooLarge => refuse(
            py,
            Code::SizeLimit,
            "this has too many terms: every element would depend on very many rows",
            "aggregate by groups first",
        ),
        FormsError::DivisionByZero(_) => {
            refuse(py, Code::DivisionByZero, "a secret value is divided by zero", "drop rows with zeros first")
        }
        FormsError::NotFinite(_) => refuse(
            py,
            Code::NotFinite,
            "a secret value is combined with a number that is infinite, too large or too small",
            "drop such rows first",
        ),
        FormsError::Rounded(_) => refuse(
            py,
            Code::NonlinearFunction,
            "a rounded value is used in a further computation, which is not linear in the secrets",
            "round only the published result",
        ),
        FormsError::Length => PyValueError::new_err("the lengths differ"),
        FormsError::OutOfRange(place) => PyIndexError::new_err(format!("there is no element {place}")),
    }
}

fn made(py: Python<'_>, result: Result<Column, FormsError>) -> PyResult<Forms> {
    result.map(Forms::from).map_err(|error| raised(py, error))
}

type Terms<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, f64, f64, f64);

#[pymethods]
impl Forms {
    /// The number of the next one to be made.
    #[staticmethod]
    fn next_birth() -> u64 {
        BIRTHS.load(Ordering::Relaxed)
    }

    /// The numbers of those that were made since then and are alive.
    #[staticmethod]
    fn alive_since(birth: u64) -> Vec<u64> {
        all_alive().range(birth..).copied().collect()
    }

    /// The number of this one.
    #[getter]
    fn birth(&self) -> u64 {
        self.birth.0
    }

    /// The secrets with these numbers, in this order; none where the number is negative.
    #[staticmethod]
    fn of_secrets(numbers: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let numbers = numbers.as_slice()?;
        Ok(Column::from(forms::Forms::of_secrets(numbers.iter().map(|number| u32::try_from(*number).ok()))).into())
    }

    /// Numbers; NaN is missing.
    #[staticmethod]
    fn of_numbers(py: Python<'_>, numbers: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let numbers = numbers.as_slice()?;
        if let Some(at) = numbers.iter().position(|number| number.is_infinite()) {
            return Err(raised(py, FormsError::NotFinite(at)));
        }
        Ok(Column::from(forms::Forms::of_numbers(numbers)).into())
    }

    #[staticmethod]
    fn concat(py: Python<'_>, parts: Vec<PyRef<'_, Forms>>) -> PyResult<Self> {
        let parts: Vec<&Column> = parts.iter().map(|part| &part.column).collect();
        made(py, Column::concat(&parts))
    }

    fn __len__(&self) -> usize {
        self.column.len()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.column.bytes()
    }

    #[getter]
    fn is_rounded(&self) -> bool {
        self.column.is_rounded()
    }

    /// The same, of which the last digits of the weights are not certain.
    fn inexact(&self) -> Self {
        self.column.inexact().into()
    }

    fn take(&self, py: Python<'_>, places: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        made(py, self.column.take(places.as_slice()?))
    }

    fn missing<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column.missing().into_pyarray(py)
    }

    fn depends<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column.depends().into_pyarray(py)
    }

    fn plus(&self, py: Python<'_>, numbers: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        made(py, self.column.plus(numbers.as_slice()?))
    }

    fn times(&self, py: Python<'_>, numbers: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        made(py, self.column.times(numbers.as_slice()?))
    }

    fn over(&self, py: Python<'_>, numbers: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        made(py, self.column.over(numbers.as_slice()?))
    }

    fn plus_forms(&self, py: Python<'_>, other: &Forms, sign: f64) -> PyResult<Self> {
        made(py, self.column.plus_forms(&other.column, sign))
    }

    /// The sum of each group; those with a negative number are in none, and missing elements are left out.
    fn sums(&self, py: Python<'_>, groups: PyReadonlyArray1<'_, i64>, count: usize) -> PyResult<Self> {
        made(py, self.column.sums(groups.as_slice()?, count))
    }

    /// The product with a sparse matrix, given row by row.
    fn combined(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray1<'_, i64>,
        places: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        let (starts, places) = (starts.as_slice()?, places.as_slice()?);
        let rising = starts.first() == Some(&0) && starts.is_sorted() && starts.last() == Some(&(places.len() as i64));
        let weights = match weights {
            Some(weights) => Some(weights.as_slice()?.to_vec()),
            None => None,
        };
        if !rising || weights.as_ref().is_some_and(|weights| weights.len() != places.len()) {
            return Err(raised(py, FormsError::Length));
        }
        let place = |place: &i64| u32::try_from(*place).map_err(|_| raised(py, FormsError::OutOfRange(*place)));
        let rows = Rows {
            starts: starts.iter().map(|start| *start as usize).collect(),
            places: places.iter().map(place).collect::<PyResult<_>>()?,
            weights,
        };
        made(py, self.column.combined(&rows))
    }

    /// The sum of the elements between each two places, without those that are missing.
    fn windows(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray1<'_, i64>,
        ends: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Self> {
        let (starts, ends) = (starts.as_slice()?, ends.as_slice()?);
        if starts.len() != ends.len() {
            return Err(raised(py, FormsError::Length));
        }
        let place = |place: &i64| u32::try_from(*place).map_err(|_| raised(py, FormsError::OutOfRange(*place)));
        let bounds = starts.iter().zip(ends).map(|(start, end)| Ok((place(start)?, place(end)?)));
        made(py, self.column.windows(&bounds.collect::<PyResult<Vec<_>>>()?))
    }

    /// The running sum of each group.
    fn running(&self, py: Python<'_>, groups: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        made(py, self.whole(py)?.running(groups.as_slice()?).map(Column::from))
    }

    fn rounded_to(&self, py: Python<'_>, unit: f64) -> PyResult<Self> {
        Ok(Column::from(self.whole(py)?.rounded_to(unit)).into())
    }

    /// The values for some values of the secrets.
    fn at<'py>(&self, py: Python<'py>, values: PyReadonlyArray1<'_, f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = values.as_slice()?;
        let largest = self.column.largest_source();
        if largest.is_some_and(|largest| largest as usize >= values.len()) {
            return Err(raised(py, FormsError::Length));
        }
        Ok(self.column.at(values).into_pyarray(py))
    }

    /// One element: the numbers of the secrets, their weights before the division, the divisor, the offset, and the unit
    /// it is rounded to.
    fn terms<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Terms<'py>> {
        if at >= self.column.len() {
            return Err(raised(py, FormsError::OutOfRange(at as i64)));
        }
        let element = self.column.element(at).map_err(|error| raised(py, error))?;
        let form = element.get(0);
        let sources: Vec<i64> = form.sources.iter().map(|source| i64::from(*source)).collect();
        Ok((sources.into_pyarray(py), form.weights.to_vec().into_pyarray(py), form.divisor, form.offset, form.unit))
    }
}
