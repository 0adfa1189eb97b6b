//! A random variable under CPython: arithmetic is recorded, and what would not be Gaussian is refused.

use privug::diagnostic::Code;
use privug::evaluate::{Recorded, Step};
use privug::program::{Binary, Comparison};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyTuple};

use crate::errors::refuse;
use crate::operand::{Operand, binary};
use crate::recorder::Recorder;

/// A random variable of a live analysis.
#[pyclass(frozen, module = "privug")]
pub struct Random {
    pub recorder: Py<Recorder>,
    pub place: Recorded,
}

impl Random {
    pub fn wrap(recorder: &Bound<'_, Recorder>, place: Recorded) -> PyResult<Py<PyAny>> {
        recorder.get().count_one();
        Ok(Py::new(recorder.py(), Random { recorder: recorder.clone().unbind(), place })?.into_any())
    }
}

impl Drop for Random {
    fn drop(&mut self) {
        self.recorder.get().discount_one();
    }
}

/// How a comparison is written.
pub fn symbol(operator: CompareOp) -> &'static str {
    match operator {
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

pub fn refuse_comparison(py: Python<'_>, operator: CompareOp) -> PyErr {
    let message =
        format!("a random variable is compared with `{}`, and the outcome would be random too", symbol(operator));
    refuse(py, Code::ComparisonOfRandom, &message, "ask for the probability with query='P(x > 3)'")
}

pub fn refuse_conversion(py: Python<'_>, function: &str) -> PyErr {
    let message = format!("`{function}` needs one value, and a random variable has none");
    refuse(
        py,
        Code::RandomConversion,
        &message,
        "remove the conversion; only sums, differences and multiples are Gaussian",
    )
}

/// A text of a random variable would be one of its value, so there is none while a function runs.
pub fn refuse_text(py: Python<'_>, recorder: &Py<Recorder>) -> PyResult<()> {
    if !recorder.get().is_open() {
        return Ok(());
    }
    let message = "a random variable is converted to a string, which would reveal its value";
    let hint =
        "publish the number itself, print it after the analysis, or query it with privug.analyze(..., query='E(x)')";
    Err(refuse(py, Code::RandomConversion, message, hint))
}

pub fn refuse_storing(py: Python<'_>) -> PyErr {
    let message = "a random variable is pickled, which would reveal its value";
    refuse(py, Code::RandomConversion, message, "return the number itself")
}

pub fn refuse_function(py: Python<'_>, function: &str) -> PyErr {
    let message = format!("`{function}` of a random variable is not Gaussian");
    refuse(py, Code::NonlinearFunction, &message, "only sums, differences and multiples of random variables are")
}

pub fn refuse_branch(py: Python<'_>) -> PyErr {
    let hint = "branch on public numbers, or ask for the probability with query='P(x > 3)'";
    refuse(py, Code::BranchOnRandom, "the program branches on a random value", hint)
}

/// `x ** 1` is x; every other power is refused.
pub fn is_one(exponent: &Bound<'_, PyAny>) -> bool {
    exponent.extract::<f64>().is_ok_and(|exponent| exponent == 1.0)
}

#[pymethods]
impl Random {
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

    fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Remainder, slf, other)
    }

    fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Remainder, other, slf)
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

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        _modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        binary(slf.get().recorder.bind(slf.py()), Binary::Power, other, slf)
    }

    fn __neg__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let random = slf.get();
        let recorder = random.recorder.bind(slf.py());
        let step = recorder.get().push(Step::Negative(random.place))?;
        Random::wrap(recorder, Recorded::Value(step))
    }

    fn __pos__(slf: &Bound<'_, Self>) -> Py<PyAny> {
        slf.clone().into_any().unbind()
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Err(refuse_function(py, "abs"))
    }

    #[pyo3(signature = (ndigits=None))]
    fn __round__(&self, py: Python<'_>, ndigits: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let _ = ndigits;
        Err(refuse_function(py, "round"))
    }

    fn __trunc__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Err(refuse_function(py, "math.trunc"))
    }

    fn __floor__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Err(refuse_function(py, "math.floor"))
    }

    fn __ceil__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Err(refuse_function(py, "math.ceil"))
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        Err(refuse_conversion(py, "float"))
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<i64> {
        Err(refuse_conversion(py, "int"))
    }

    fn __complex__(&self, py: Python<'_>) -> PyResult<f64> {
        Err(refuse_conversion(py, "complex"))
    }

    fn __index__(&self, py: Python<'_>) -> PyResult<i64> {
        let hint = "indices, sizes and ranges must be public numbers";
        Err(refuse(py, Code::RandomIndex, "a random variable is used as an index", hint))
    }

    fn as_integer_ratio(&self, py: Python<'_>) -> PyResult<(i64, i64)> {
        let hint = "write sum(xs) / len(xs) instead of statistics.mean(xs)";
        Err(refuse(py, Code::RandomConversion, "a random variable has no single value to convert", hint))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Err(refuse_branch(py))
    }

    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let (py, random) = (slf.py(), slf.get());
        let recorder = random.recorder.bind(py);
        let comparison = match operator {
            CompareOp::Lt => Comparison::Less,
            CompareOp::Le => Comparison::LessEqual,
            CompareOp::Gt => Comparison::Greater,
            CompareOp::Ge => Comparison::GreaterEqual,
            CompareOp::Eq | CompareOp::Ne => return Err(refuse_comparison(py, operator)),
        };
        // A run is told how the comparison comes out, and another run the opposite.
        let is_number = other.is_instance_of::<PyFloat>() || other.is_instance_of::<PyInt>();
        match Operand::read(recorder, other)? {
            Some(Operand::Scalar { place, is_random: false, .. }) if is_number => {
                let step = recorder.get().push(Step::Compare(comparison, random.place, place))?;
                let told = py.import("privug._worlds")?.call_method1("compared", (recorder, step))?;
                if told.is_none() { Err(refuse_comparison(py, operator)) } else { Ok(told.unbind()) }
            }
            _ => Err(refuse_comparison(py, operator)),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let hint = "use a number or a string that is known beforehand";
        Err(refuse(py, Code::RandomIndex, "a random variable cannot be a key", hint))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        refuse_text(py, &self.recorder)?;
        Ok(match self.place {
            Recorded::Value(step) => format!("<random variable #{step}>"),
            Recorded::Element(step, position) => format!("<random variable #{step}[{position}]>"),
        })
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
}
