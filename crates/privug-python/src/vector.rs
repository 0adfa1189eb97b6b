//! A vector of random variables: one step of the tape for all of its elements.

use std::sync::atomic::{AtomicUsize, Ordering};

use numpy::PyReadonlyArray1;
use privug::diagnostic::Code;
use privug::evaluate::{Recorded, Step};
use privug::program::{Binary, Builtin};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};

use crate::errors::refuse;
use crate::operand::{binary, call};
use crate::random::{Random, is_one, refuse_branch, refuse_comparison, refuse_function, refuse_storing, refuse_text};
use crate::recorder::Recorder;

/// A vector of random variables of a live analysis.
#[pyclass(frozen, sequence, module = "privug")]
pub struct RandomVector {
    pub recorder: Py<Recorder>,
    pub step: u32,
    pub length: usize,
}

impl RandomVector {
    pub fn wrap(recorder: &Bound<'_, Recorder>, step: u32, length: usize) -> PyResult<Py<PyAny>> {
        recorder.get().count_one();
        Ok(Py::new(recorder.py(), RandomVector { recorder: recorder.clone().unbind(), step, length })?.into_any())
    }

    fn element(&self, py: Python<'_>, position: usize) -> PyResult<Py<PyAny>> {
        Random::wrap(self.recorder.bind(py), Recorded::Element(self.step, position as u32))
    }

    fn pick(&self, py: Python<'_>, positions: Vec<u32>) -> PyResult<Py<PyAny>> {
        let recorder = self.recorder.bind(py);
        let length = positions.len();
        RandomVector::wrap(recorder, recorder.get().push(Step::Pick(self.step, positions))?, length)
    }

    fn position(&self, index: isize) -> PyResult<usize> {
        let length = self.length as isize;
        let position = if index < 0 { index + length } else { index };
        if (0..length).contains(&position) {
            return Ok(position as usize);
        }
        Err(PyIndexError::new_err(format!("P403: index {index} is out of range for {length} random variables")))
    }

    /// Positions given by a mask or by an array of integers.
    fn positions(&self, index: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let numpy = index.py().import("numpy")?;
        let array = numpy.call_method1("asarray", (index,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let (dimensions, length): (usize, usize) =
            (array.getattr("ndim")?.extract()?, array.getattr("size")?.extract()?);
        if dimensions != 1 {
            return Err(PyIndexError::new_err("P407: a vector is indexed by one dimension"));
        }
        let integers = match kind.as_str() {
            "b" if length != self.length => {
                let message = format!("P410: a mask of {length} for {} random variables", self.length);
                return Err(PyIndexError::new_err(message));
            }
            "b" => numpy.call_method1("flatnonzero", (array,))?,
            "i" | "u" => array,
            _ if length == 0 => return Ok(Vec::new()),
            _ => return Err(PyIndexError::new_err("P407: positions are integers, slices or masks")),
        };
        let integers = numpy.call_method1("ascontiguousarray", (integers, "int64"))?;
        let integers: PyReadonlyArray1<'_, i64> = integers.extract()?;
        integers.as_slice()?.iter().map(|index| Ok(self.position(*index as isize)? as u32)).collect()
    }

    fn total(&self, py: Python<'_>) -> PyResult<u32> {
        self.recorder.bind(py).get().push(call(Builtin::ArraySum, &[Recorded::Value(self.step)]))
    }
}

impl Drop for RandomVector {
    fn drop(&mut self) {
        self.recorder.get().discount_one();
    }
}

#[pymethods]
impl RandomVector {
    fn __len__(&self) -> usize {
        self.length
    }

    #[getter]
    fn size(&self) -> usize {
        self.length
    }

    #[getter]
    fn shape(&self) -> (usize,) {
        (self.length,)
    }

    #[getter]
    fn ndim(&self) -> usize {
        1
    }

    /// The sum of all elements.
    #[pyo3(signature = (axis=None))]
    fn sum(&self, py: Python<'_>, axis: Option<isize>) -> PyResult<Py<PyAny>> {
        check_axis(axis)?;
        Random::wrap(self.recorder.bind(py), Recorded::Value(self.total(py)?))
    }

    /// The mean of all elements.
    #[pyo3(signature = (axis=None))]
    fn mean(&self, py: Python<'_>, axis: Option<isize>) -> PyResult<Py<PyAny>> {
        check_axis(axis)?;
        if self.length == 0 {
            return Err(PyZeroDivisionError::new_err("P402: the mean of nothing"));
        }
        let recorder = self.recorder.bind(py);
        let tape = recorder.get();
        let step = tape.push(call(Builtin::Mean, &[Recorded::Value(self.step)]))?;
        Random::wrap(recorder, Recorded::Value(step))
    }

    /// The sums of the first 1, 2, … elements.
    #[pyo3(signature = (axis=None))]
    fn cumsum(&self, py: Python<'_>, axis: Option<isize>) -> PyResult<Py<PyAny>> {
        check_axis(axis)?;
        let recorder = self.recorder.bind(py);
        let step = recorder.get().push(call(Builtin::CumulativeSum, &[Recorded::Value(self.step)]))?;
        RandomVector::wrap(recorder, step, self.length)
    }

    /// The inner product with a vector of numbers, or the product with a matrix.
    fn dot(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::MatrixMultiply, slf, other)
    }

    /// The elements as a list of random variables.
    fn tolist(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let elements = (0..self.length).map(|position| self.element(py, position)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, elements)?.unbind())
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(self.length as isize)?;
            let positions = (0..slice.slicelength).map(|count| (slice.start + count as isize * slice.step) as u32);
            return self.pick(py, positions.collect());
        }
        if index.is_instance_of::<Random>() || index.is_instance_of::<RandomVector>() {
            let hint = "positions must be numbers known beforehand";
            return Err(refuse(py, Code::RandomIndex, "a random variable is used as an index", hint));
        }
        let is_array = index.is_instance_of::<PyList>()
            || match index.getattr_opt("ndim")? {
                Some(dimensions) => dimensions.extract::<usize>()? > 0,
                None => false,
            };
        if is_array {
            return self.pick(py, self.positions(index)?);
        }
        let index: isize = index.extract()?;
        self.element(py, self.position(index)?)
    }

    fn __iter__(slf: &Bound<'_, Self>) -> RandomVectorIterator {
        RandomVectorIterator { vector: slf.clone().unbind(), next: AtomicUsize::new(0) }
    }

    fn __contains__(&self, py: Python<'_>, _value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(refuse_comparison(py, CompareOp::Eq))
    }

    fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Add, slf, other)
    }

    fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Add, other, slf)
    }

    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Subtract, slf, other)
    }

    fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Subtract, other, slf)
    }

    fn __mul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Multiply, slf, other)
    }

    fn __rmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Multiply, other, slf)
    }

    fn __truediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Divide, slf, other)
    }

    fn __rtruediv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Divide, other, slf)
    }

    fn __floordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::FloorDivide, slf, other)
    }

    fn __rfloordiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::FloorDivide, other, slf)
    }

    fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Remainder, other, slf)
    }

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        _modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Power, other, slf)
    }

    fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Remainder, slf, other)
    }

    fn __pow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if modulo.is_none() && is_one(other) {
            return Ok(slf.clone().into_any().unbind());
        }
        binary(slf.get().recorder.bind(slf.py()), Binary::Power, slf, other)
    }

    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::MatrixMultiply, slf, other)
    }

    fn __rmatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::MatrixMultiply, other, slf)
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let recorder = self.recorder.bind(py);
        let step = recorder.get().push(Step::Negative(Recorded::Value(self.step)))?;
        RandomVector::wrap(recorder, step, self.length)
    }

    fn __pos__(slf: &Bound<'_, Self>) -> Py<PyAny> {
        slf.clone().into_any().unbind()
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Err(refuse_function(py, "abs"))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Err(refuse_branch(py))
    }

    fn __richcmp__(&self, py: Python<'_>, _other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        Err(refuse_comparison(py, operator))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let hint = "use a number or a string that is known beforehand";
        Err(refuse(py, Code::RandomIndex, "random variables cannot be keys", hint))
    }

    /// What numpy's arrays have and no Gaussian can be.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match name {
            "std" | "var" | "min" | "max" | "prod" | "argmin" | "argmax" | "sort" | "argsort" | "round" | "clip"
            | "any" | "all" | "cumprod" => Err(refuse_function(py, name)),
            _ => Err(PyAttributeError::new_err(format!("'RandomVector' object has no attribute '{name}'"))),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        refuse_text(py, &self.recorder)?;
        Ok(format!("<vector of {} random variables #{}>", self.length, self.step))
    }

    fn __format__(&self, py: Python<'_>, _specification: &str) -> PyResult<String> {
        self.__repr__(py)
    }

    fn __reduce_ex__(&self, py: Python<'_>, _protocol: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(refuse_storing(py))
    }

    fn __copy__(slf: &Bound<'_, Self>) -> Py<PyAny> {
        slf.clone().into_any().unbind()
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> Py<PyAny> {
        slf.clone().into_any().unbind()
    }

    /// An array of objects, for numpy functions that go through it element by element.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__(
        slf: &Bound<'_, Self>,
        dtype: Option<&Bound<'_, PyAny>>,
        copy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = copy;
        let protocols = slf.py().import("privug._protocols")?;
        Ok(protocols.call_method1("array", (slf.get().tolist(slf.py())?, dtype))?.unbind())
    }

    #[pyo3(signature = (ufunc, method, *inputs, **kwargs))]
    fn __array_ufunc__(
        slf: &Bound<'_, Self>,
        ufunc: &Bound<'_, PyAny>,
        method: &str,
        inputs: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let recorder = slf.get().recorder.bind(slf.py());
        let protocols = slf.py().import("privug._protocols")?;
        Ok(protocols.call_method1("array_ufunc", (recorder, ufunc, method, inputs, kwargs))?.unbind())
    }

    fn __array_function__(
        slf: &Bound<'_, Self>,
        func: &Bound<'_, PyAny>,
        types: &Bound<'_, PyAny>,
        args: &Bound<'_, PyAny>,
        kwargs: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let _ = types;
        let recorder = slf.get().recorder.bind(slf.py());
        let protocols = slf.py().import("privug._protocols")?;
        Ok(protocols.call_method1("array_function", (recorder, func, args, kwargs))?.unbind())
    }
}

/// A vector has one axis.
fn check_axis(axis: Option<isize>) -> PyResult<()> {
    match axis {
        None | Some(0 | -1) => Ok(()),
        Some(other) => Err(PyTypeError::new_err(format!("P407: a vector has no axis {other}"))),
    }
}

/// Goes through a vector.
#[pyclass(frozen, module = "privug._privug")]
pub struct RandomVectorIterator {
    vector: Py<RandomVector>,
    next: AtomicUsize,
}

#[pymethods]
impl RandomVectorIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let vector = self.vector.get();
        let position = self.next.fetch_add(1, Ordering::Relaxed);
        if position >= vector.length {
            return Ok(None);
        }
        vector.element(py, position).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        self.vector.get().length.saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
