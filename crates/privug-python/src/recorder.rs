//! The tape behind the random variables of one live analysis.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use privug::diagnostic::Code;
use privug::evaluate::{NamedValue, Note, Recorded, Recording, SeenValue, Step, Tape};
use privug::program::{Builtin, CallShape};
use privug::source::{SourceId, Span};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::errors::refuse;
use crate::operand::{Operand, call};
use crate::random::Random;
use crate::rehearse::rehearse;
use crate::vector::RandomVector;

/// Records what is done to random variables.
#[pyclass(frozen, module = "privug._privug")]
pub struct Recorder {
    /// `None` once the recording has been analysed.
    tape: Mutex<Option<Tape>>,
    /// Whether the function is still running.
    open: AtomicBool,
    /// How many random variables and vectors there are in Python.
    alive: AtomicUsize,
}

impl Recorder {
    fn with_tape<T>(&self, work: impl FnOnce(&mut Tape) -> T) -> PyResult<T> {
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        match tape.as_mut() {
            Some(tape) => Ok(work(tape)),
            None => Err(PyRuntimeError::new_err("this random variable belongs to an analysis that has ended")),
        }
    }

    /// Adds a step and gives its number.
    pub fn push(&self, step: Step) -> PyResult<u32> {
        self.with_tape(|tape| tape.push(step))
    }

    /// Ends the recording.
    pub fn finish(
        &self,
        secrets: Vec<NamedValue>,
        published: Option<NamedValue>,
        seen: Vec<SeenValue>,
        quantities: Vec<(Recorded, Span)>,
        notes: Vec<Note>,
    ) -> Recording {
        let tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        Recording { tape, secrets, published, seen, quantities, notes, ..Recording::default() }
    }

    /// Counts a random variable or vector that Python gets.
    pub fn count_one(&self) {
        self.alive.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one that Python has no more.
    pub fn discount_one(&self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether the function is still running.
    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// A value that was taken apart before: what is left are lists and dictionaries of numbers, texts and variables.
    pub fn tree(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>) -> PyResult<Recorded> {
        Recorder::tree_at(recorder, object, 0)
    }

    fn tree_at(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Recorded> {
        if depth > 100 {
            return Err(PyValueError::new_err("P607: values are nested too deeply"));
        }
        let tape = recorder.get();
        if let Ok(dictionary) = object.cast::<PyDict>() {
            let mut entries = Vec::with_capacity(dictionary.len());
            for (key, value) in dictionary.iter() {
                let key = Recorder::tree_at(recorder, &key, depth + 1)?;
                entries.push((key, Recorder::tree_at(recorder, &value, depth + 1)?));
            }
            return tape.push(Step::Dictionary(entries)).map(Recorded::Value);
        }
        let is_object_array = || -> PyResult<bool> {
            let dtype = object.getattr_opt("dtype")?;
            dtype.map_or(Ok(false), |dtype| Ok(dtype.getattr("kind")?.extract::<String>()? == "O"))
        };
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() || is_object_array()? {
            let mut places = Vec::new();
            for element in object.try_iter()? {
                places.push(Recorder::tree_at(recorder, &element?, depth + 1)?);
            }
            return tape.push(Step::Sequence(places)).map(Recorded::Value);
        }
        if let Ok(truth) = object.cast::<PyBool>() {
            return tape.push(Step::Boolean(truth.is_true())).map(Recorded::Value);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return tape.push(Step::Text(text.extract()?)).map(Recorded::Value);
        }
        if object.is_none() {
            return tape.push(Step::Nothing).map(Recorded::Value);
        }
        match Operand::read(recorder, object)? {
            Some(operand) => Ok(operand.place()),
            None => {
                let kind = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
                Err(PyTypeError::new_err(format!("P901: a value of type {kind} cannot be inspected")))
            }
        }
    }
}

fn required(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Operand> {
    Operand::read(recorder, object)?.ok_or_else(|| {
        let kind = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("P407: {what} must be a number, not {kind}"))
    })
}

fn spread_of(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>, is_std_dev: bool) -> PyResult<Operand> {
    let what = if is_std_dev { "the standard deviation" } else { "the variance" };
    let spread = required(recorder, object, what)?;
    if spread.is_random() {
        let hint = "the spread must be a number that is known beforehand";
        return Err(refuse(recorder.py(), Code::RandomVariance, "the variance is random", hint));
    }
    Ok(spread)
}

fn shape(positional: u32, keywords: &[&str], subject: &str) -> CallShape {
    let keywords = keywords.iter().map(|&keyword| keyword.to_owned()).collect();
    CallShape { positional, keywords, spans: Vec::new(), subject: subject.to_owned(), names: Vec::new() }
}

#[pymethods]
impl Recorder {
    #[new]
    fn new() -> Self {
        Recorder { tape: Mutex::new(Some(Tape::default())), open: AtomicBool::new(true), alive: AtomicUsize::new(0) }
    }

    /// Where the next steps are taken: which text, first byte, one past the last.
    fn place(&self, source: u32, start: u32, end: u32) -> PyResult<()> {
        self.with_tape(|tape| tape.span = Span { source: SourceId(source), start, end })
    }

    /// Says that the function has ended.
    fn close(&self) {
        self.open.store(false, Ordering::Relaxed);
    }

    /// How many random variables and vectors somebody still holds.
    fn alive(&self) -> usize {
        self.alive.load(Ordering::Relaxed)
    }

    /// Notes down which random variables and vectors a result consists of.
    fn keep(slf: &Bound<'_, Self>, parts: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let places = parts.iter().map(|part| Recorder::tree(slf, part)).collect::<PyResult<Vec<_>>>()?;
        slf.get().push(Step::Sequence(places)).map(|_| ())
    }

    /// Where another recording begins to differ from this one: which text, first byte, one past the last.
    fn first_difference(&self, other: &Bound<'_, Recorder>) -> PyResult<Option<(u32, u32, u32)>> {
        let other = other.get().with_tape(|tape| tape.clone())?;
        self.with_tape(|tape| {
            let (steps, others) = (tape.steps(), other.steps());
            let at = match steps.iter().zip(others).position(|(a, b)| a != b) {
                Some(at) => at,
                None if steps.len() == others.len() => return None,
                None => steps.len().min(others.len()),
            };
            let span = tape.span_of(at).or(other.span_of(at)).unwrap_or(Span::START);
            Some((span.source.0, span.start, span.end))
        })
    }

    /// What random variables and vectors would have been, had each distribution given its mean plus the next numbers of
    /// `noise`; and the largest number on the way. Nothing if another run would have been made with these numbers.
    fn rehearse<'py>(
        &self,
        py: Python<'py>,
        noise: PyReadonlyArray1<'_, f64>,
        parts: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Option<(Vec<Bound<'py, PyArray1<f64>>>, f64)>> {
        let found = self.with_tape(|tape| -> PyResult<_> {
            let values = rehearse(tape, noise.as_slice()?)?;
            Ok(values.map(|values| {
                let largest = values.largest(tape);
                (values, largest)
            }))
        })??;
        let Some((values, largest)) = found else { return Ok(None) };
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            let place = match (part.cast::<Random>(), part.cast::<RandomVector>()) {
                (Ok(random), _) => random.get().place,
                (_, Ok(vector)) => Recorded::Value(vector.get().step),
                _ => return Err(PyTypeError::new_err("random variables and vectors are rehearsed")),
            };
            found.push(values.read(place)?.numbers()?.into_pyarray(py));
        }
        Ok(Some((found, largest)))
    }

    /// How many steps have been recorded.
    fn __len__(&self) -> PyResult<usize> {
        self.with_tape(|tape| tape.len())
    }

    /// One random variable, or a vector if the size or a parameter says so.
    #[pyo3(signature = (mean, spread, is_std_dev, size=None))]
    fn normal(
        slf: &Bound<'_, Self>,
        mean: &Bound<'_, PyAny>,
        spread: &Bound<'_, PyAny>,
        is_std_dev: bool,
        size: Option<u32>,
    ) -> PyResult<Py<PyAny>> {
        let mean = required(slf, mean, "the mean")?;
        let spread = spread_of(slf, spread, is_std_dev)?;
        let tape = slf.get();
        let keyword = if is_std_dev { "std" } else { "variance" };
        let lengths: Vec<usize> = [mean, spread]
            .iter()
            .map(|operand| match operand {
                Operand::Scalar { .. } => Ok(None),
                Operand::Vector { length, .. } => Ok(Some(*length)),
                Operand::Matrix { .. } => Err(PyValueError::new_err("P407: means and variances have one dimension")),
            })
            .collect::<PyResult<Vec<_>>>()?
            .into_iter()
            .chain([size.map(|size| size as usize)])
            .flatten()
            .collect();
        let Some(length) = lengths.first().copied() else {
            let arguments = vec![mean.place(), spread.place()];
            let step = tape.push(Step::Call(Builtin::Normal, shape(1, &[keyword], ""), arguments))?;
            return Random::wrap(slf, Recorded::Value(step));
        };
        if let Some(other) = lengths.iter().find(|other| **other != length) {
            let message = format!("P410: {length} and {other} values are given for one vector of random variables");
            return Err(PyValueError::new_err(message));
        }
        if let (Operand::Scalar { .. }, Operand::Scalar { .. }) = (mean, spread) {
            // All alike: one call makes them.
            let size = Recorded::Value(tape.push(Step::Integer(length.into()))?);
            let arguments = vec![mean.place(), spread.place(), size];
            let step = tape.push(Step::Call(Builtin::Normal, shape(1, &[keyword, "size"], ""), arguments))?;
            return RandomVector::wrap(slf, step, length);
        }
        let count = u32::try_from(length).map_err(|_| PyValueError::new_err("P603: the vector is too long"))?;
        let step = Step::Normals { mean: mean.place(), spread: spread.place(), is_std_dev, count };
        RandomVector::wrap(slf, tape.push(step)?, length)
    }

    /// A choice: the number of the step that makes it.
    fn discrete(slf: &Bound<'_, Self>, name: &str, arguments: Vec<Bound<'_, PyAny>>) -> PyResult<u32> {
        let builtin = match name {
            "Bernoulli" => Builtin::Bernoulli,
            "Categorical" => Builtin::Categorical,
            "DiscreteUniform" => Builtin::DiscreteUniform,
            "Binomial" => Builtin::Binomial,
            "Poisson" => Builtin::Poisson,
            "Geometric" => Builtin::Geometric,
            other => return Err(PyValueError::new_err(format!("P208: there is no distribution {other}"))),
        };
        let places = arguments.iter().map(|argument| Recorder::tree(slf, argument)).collect::<PyResult<Vec<_>>>()?;
        slf.get().push(call(builtin, &places))
    }

    /// Says that what comes is in the worlds in which a choice has this value.
    fn assume(slf: &Bound<'_, Self>, choice: u32, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Recorder::tree(slf, value)?;
        slf.get().push(Step::Assume(Recorded::Value(choice), value)).map(|_| ())
    }

    /// Says that an event was seen to happen, or not to happen, in these worlds.
    fn see_event(&self, name: &str, happened: bool) -> PyResult<()> {
        let happened = Recorded::Value(self.push(Step::Boolean(happened))?);
        self.push(Step::Call(Builtin::Condition, shape(1, &[], name), vec![happened])).map(|_| ())
    }

    /// Whether another recording begins with the same steps.
    fn begins_alike(&self, other: &Bound<'_, Recorder>, steps: usize) -> PyResult<bool> {
        let other = other.get().with_tape(|tape| tape.clone())?;
        self.with_tape(|tape| {
            let first = |tape: &Tape| tape.steps().get(..steps).map(<[Step]>::to_vec);
            first(tape).is_some() && first(tape) == first(&other)
        })
    }

    /// A vector of dependent random variables.
    fn multivariate_normal(
        slf: &Bound<'_, Self>,
        mean: &Bound<'_, PyAny>,
        covariance: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let (mean, covariance) = (required(slf, mean, "the mean")?, required(slf, covariance, "the covariance")?);
        let length = match (mean, covariance) {
            (Operand::Vector { length, .. }, Operand::Matrix { .. }) => length,
            _ => return Err(PyValueError::new_err("P413: a vector of means and a matrix of covariances are needed")),
        };
        let arguments = vec![mean.place(), covariance.place()];
        let step = slf.get().push(Step::Call(Builtin::MultivariateNormal, shape(2, &[], ""), arguments))?;
        RandomVector::wrap(slf, step, length)
    }

    /// Notes down that something was seen, exactly or through noise.
    #[pyo3(signature = (name, variable, value, spread=None, is_std_dev=false))]
    fn see(
        slf: &Bound<'_, Self>,
        name: &str,
        variable: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        spread: Option<&Bound<'_, PyAny>>,
        is_std_dev: bool,
    ) -> PyResult<()> {
        let mut arguments = vec![Recorder::tree(slf, variable)?, Recorder::tree(slf, value)?];
        let step = match spread {
            None => Step::Call(Builtin::Condition, shape(2, &[], name), arguments),
            Some(spread) => {
                arguments.push(spread_of(slf, spread, is_std_dev)?.place());
                let keyword = if is_std_dev { "std" } else { "variance" };
                Step::Call(Builtin::Observe, shape(2, &[keyword], name), arguments)
            }
        };
        slf.get().push(step).map(|_| ())
    }

    /// Adds the noise of the Gaussian mechanism.
    fn gaussian_mechanism(
        slf: &Bound<'_, Self>,
        name: &str,
        variable: &Bound<'_, PyAny>,
        sensitivity: &Bound<'_, PyAny>,
        epsilon: &Bound<'_, PyAny>,
        delta: &Bound<'_, PyAny>,
        calibration: &str,
    ) -> PyResult<Py<PyAny>> {
        let tape = slf.get();
        let mut arguments = vec![Recorder::tree(slf, variable)?];
        for (what, number) in [("the sensitivity", sensitivity), ("epsilon", epsilon), ("delta", delta)] {
            arguments.push(required(slf, number, what)?.place());
        }
        arguments.push(Recorded::Value(tape.push(Step::Text(calibration.to_owned()))?));
        let keywords = ["sensitivity", "epsilon", "delta", "calibration"];
        let step = tape.push(Step::Call(Builtin::GaussianMechanism, shape(1, &keywords, name), arguments))?;
        Random::wrap(slf, Recorded::Value(step))
    }

    /// A vector of the elements of a list or array.
    fn vector(slf: &Bound<'_, Self>, elements: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match Operand::read(slf, elements)? {
            Some(Operand::Vector { step, length, .. }) => RandomVector::wrap(slf, step, length),
            _ => Err(PyTypeError::new_err("P407: a vector is made of numbers and random variables")),
        }
    }

    /// One vector behind the other.
    fn concatenate(slf: &Bound<'_, Self>, parts: Vec<Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let tape = slf.get();
        let mut steps = Vec::with_capacity(parts.len());
        let mut total = 0;
        for part in &parts {
            match Operand::read(slf, part)? {
                Some(Operand::Vector { step, length, .. }) => {
                    steps.push(Recorded::Value(step));
                    total += length;
                }
                _ => return Err(PyTypeError::new_err("P407: only vectors are concatenated")),
            }
        }
        let all = tape.push(Step::Sequence(steps))?;
        let step = tape.push(call(Builtin::Concatenate, &[Recorded::Value(all)]))?;
        RandomVector::wrap(slf, step, total)
    }
}
