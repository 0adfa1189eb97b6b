//! What Python hands to an operation: numbers, arrays and random variables become steps of a tape.

use dashu_int::IBig;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use privug::diagnostic::Code;
use privug::evaluate::{Recorded, Step};
use privug::program::{Binary, Builtin, CallShape};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyList, PyTuple};

use crate::errors::refuse;
use crate::random::Random;
use crate::recorder::Recorder;
use crate::vector::RandomVector;

/// One side of an operation.
#[derive(Debug, Clone, Copy)]
pub enum Operand {
    /// A number or a random variable.
    Scalar { place: Recorded, is_random: bool, is_zero: bool },
    /// A vector of them.
    Vector { step: u32, length: usize, is_random: bool },
    /// A matrix of numbers.
    Matrix { step: u32, rows: usize, columns: usize },
}

impl Operand {
    pub fn place(self) -> Recorded {
        match self {
            Operand::Scalar { place, .. } => place,
            Operand::Vector { step, .. } | Operand::Matrix { step, .. } => Recorded::Value(step),
        }
    }

    pub fn is_random(self) -> bool {
        match self {
            Operand::Scalar { is_random, .. } | Operand::Vector { is_random, .. } => is_random,
            Operand::Matrix { .. } => false,
        }
    }

    fn number(recorder: &Recorder, step: Step, is_zero: bool) -> PyResult<Operand> {
        Ok(Operand::Scalar { place: Recorded::Value(recorder.push(step)?), is_random: false, is_zero })
    }

    /// What an object is to an operation; `None` if it is nothing that can be computed with.
    pub fn read(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>) -> PyResult<Option<Operand>> {
        if let Ok(random) = object.cast::<Random>() {
            let random = random.get();
            check_same(recorder, &random.recorder)?;
            return Ok(Some(Operand::Scalar { place: random.place, is_random: true, is_zero: false }));
        }
        if let Ok(vector) = object.cast::<RandomVector>() {
            let vector = vector.get();
            check_same(recorder, &vector.recorder)?;
            return Ok(Some(Operand::Vector { step: vector.step, length: vector.length, is_random: true }));
        }
        let tape = recorder.get();
        if object.is_instance_of::<PyFloat>() {
            let value: f64 = object.extract()?;
            check_finite(value)?;
            return Operand::number(tape, Step::Float(value), value == 0.0).map(Some);
        }
        if object.is_instance_of::<PyInt>() {
            let value = integer(object)?;
            let is_zero = value.is_zero();
            return Operand::number(tape, Step::Integer(value), is_zero).map(Some);
        }
        if object.is_instance_of::<PyUntypedArray>() || object.hasattr("__array__")? {
            let numpy = object.py().import("numpy")?;
            return Operand::read_array(recorder, &numpy.call_method1("asarray", (object,))?);
        }
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            return Operand::read_sequence(recorder, object);
        }
        if object.hasattr("as_integer_ratio")? {
            // Fractions and decimals.
            let (numerator, denominator): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                object.call_method0("as_integer_ratio")?.extract()?;
            let (numerator, denominator) = (integer(&numerator)?, integer(&denominator)?);
            let is_zero = numerator.is_zero();
            return Operand::number(tape, Step::Ratio(numerator, denominator), is_zero).map(Some);
        }
        Ok(None)
    }

    fn read_array(recorder: &Bound<'_, Recorder>, array: &Bound<'_, PyAny>) -> PyResult<Option<Operand>> {
        let dimensions: usize = array.getattr("ndim")?.extract()?;
        if dimensions == 0 {
            let item = array.call_method0("item")?;
            // An object that makes an array of itself would be asked for one again, without end.
            let is_again = item.hasattr("__array__")? && !item.is_instance_of::<Random>();
            return if is_again { Ok(None) } else { Operand::read(recorder, &item) };
        }
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if kind == "O" {
            return Operand::read_sequence(recorder, &array.call_method0("tolist")?);
        }
        if !matches!(kind.as_str(), "b" | "i" | "u" | "f") {
            return Ok(None);
        }
        let numpy = array.py().import("numpy")?;
        let doubles = numpy.call_method1("ascontiguousarray", (array, "float64"))?;
        let tape = recorder.get();
        match dimensions {
            1 => {
                let numbers: PyReadonlyArray1<'_, f64> = doubles.extract()?;
                let numbers = numbers.as_slice()?.to_vec();
                numbers.iter().try_for_each(|number| check_finite(*number))?;
                let length = numbers.len();
                Ok(Some(Operand::Vector { step: tape.push(Step::Numbers(numbers))?, length, is_random: false }))
            }
            2 => {
                let numbers: PyReadonlyArray2<'_, f64> = doubles.extract()?;
                let (rows, columns) = (numbers.shape()[0], numbers.shape()[1]);
                let numbers = numbers.as_slice()?.to_vec();
                numbers.iter().try_for_each(|number| check_finite(*number))?;
                let step = tape.push(Step::Matrix { columns, numbers })?;
                Ok(Some(Operand::Matrix { step, rows, columns }))
            }
            _ => Err(PyValueError::new_err("P407: arrays here have one or two dimensions")),
        }
    }

    /// A list of numbers and random variables, or of lists of numbers.
    fn read_sequence(recorder: &Bound<'_, Recorder>, object: &Bound<'_, PyAny>) -> PyResult<Option<Operand>> {
        let elements = object.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        let is_random = elements.iter().any(|element| element.is_instance_of::<Random>());
        if !is_random {
            if elements.iter().any(|element| element.is_instance_of::<RandomVector>()) {
                return Err(PyTypeError::new_err("P407: vectors of vectors are not supported; take one at a time"));
            }
            let numpy = object.py().import("numpy")?;
            let array = numpy.call_method1("asarray", (object,))?;
            let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
            // Fractions and integers beyond 64 bits stay what they are.
            if kind != "O" {
                return Operand::read_array(recorder, &array);
            }
        }
        let mut places = Vec::with_capacity(elements.len());
        for element in &elements {
            match Operand::read(recorder, element)? {
                Some(Operand::Scalar { place, .. }) => places.push(place),
                _ => return Ok(None),
            }
        }
        let length = places.len();
        Ok(Some(Operand::Vector { step: recorder.get().push(Step::Sequence(places))?, length, is_random }))
    }
}

fn check_same(recorder: &Bound<'_, Recorder>, other: &Py<Recorder>) -> PyResult<()> {
    if other.is(recorder) {
        return Ok(());
    }
    Err(PyTypeError::new_err("random variables of two analyses cannot be combined"))
}

pub fn check_finite(value: f64) -> PyResult<()> {
    if value.is_finite() {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("P416: {value} cannot be analysed exactly")))
}

fn integer(object: &Bound<'_, PyAny>) -> PyResult<IBig> {
    if let Ok(small) = object.extract::<i64>() {
        return Ok(IBig::from(small));
    }
    // `int(...)` first: subclasses may print differently.
    let digits = object.py().get_type::<PyInt>().call1((object,))?.call_method1("__format__", ("x",))?;
    IBig::from_str_radix(&digits.extract::<String>()?, 16).map_err(|error| PyOverflowError::new_err(error.to_string()))
}

/// `left operator right`; `None` if one of the two is nothing to compute with.
pub fn binary(
    recorder: &Bound<'_, Recorder>,
    operator: Binary,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    let py = recorder.py();
    let (Some(a), Some(b)) = (Operand::read(recorder, left)?, Operand::read(recorder, right)?) else {
        return Ok(py.NotImplemented());
    };
    check_gaussian(py, operator, a, b)?;
    let tape = recorder.get();
    if operator == Binary::MatrixMultiply {
        return product(recorder, a, b);
    }
    let length = match (a, b) {
        (Operand::Matrix { .. }, _) | (_, Operand::Matrix { .. }) => {
            return Err(PyValueError::new_err("P410: a matrix and a vector are combined element by element; use `@`"));
        }
        (Operand::Vector { length: a, .. }, Operand::Vector { length: b, .. }) if a != b => {
            return Err(PyValueError::new_err(format!("P410: vectors of {a} and {b} elements are combined")));
        }
        (Operand::Vector { length, .. }, _) | (_, Operand::Vector { length, .. }) => Some(length),
        _ => None,
    };
    let step = tape.push(Step::Binary(operator, a.place(), b.place()))?;
    match length {
        Some(length) => RandomVector::wrap(recorder, step, length),
        None => Random::wrap(recorder, Recorded::Value(step)),
    }
}

/// Only sums, differences and multiples are Gaussian.
fn check_gaussian(py: Python<'_>, operator: Binary, a: Operand, b: Operand) -> PyResult<()> {
    match operator {
        Binary::Add | Binary::Subtract => Ok(()),
        Binary::Multiply | Binary::MatrixMultiply if a.is_random() && b.is_random() => Err(refuse(
            py,
            Code::ProductOfRandom,
            "two random variables are multiplied, and their product is not Gaussian",
            "multiply by a number, or model the product with a `Normal` of its own",
        )),
        Binary::Multiply | Binary::MatrixMultiply => Ok(()),
        Binary::Divide if b.is_random() => Err(refuse(
            py,
            Code::DivisionByRandom,
            "dividing by a random variable does not give a Gaussian",
            "if the divisor is public, such as a count, use the number itself",
        )),
        Binary::Divide => match b {
            Operand::Scalar { is_zero: true, .. } => Err(PyZeroDivisionError::new_err("P402: division by zero")),
            _ => Ok(()),
        },
        Binary::Power => Err(refuse(
            py,
            Code::PowerOfRandom,
            "a power of a random variable is not Gaussian",
            "only sums, differences and multiples of random variables are",
        )),
        Binary::FloorDivide | Binary::Remainder => Err(refuse(
            py,
            Code::RemainderOfRandom,
            &format!("`{}` of a random variable is not Gaussian", operator.symbol()),
            "use `/`",
        )),
    }
}

/// `a @ b`
fn product(recorder: &Bound<'_, Recorder>, a: Operand, b: Operand) -> PyResult<Py<PyAny>> {
    let fits = |inner: usize, other: usize| {
        if inner == other {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("P410: vectors of {inner} and {other} elements are multiplied")))
    };
    let result = match (a, b) {
        (Operand::Vector { length: a, .. }, Operand::Vector { length: b, .. }) => fits(a, b).map(|()| None)?,
        (Operand::Matrix { rows, columns, .. }, Operand::Vector { length, .. }) => {
            fits(columns, length).map(|()| Some(rows))?
        }
        (Operand::Vector { length, .. }, Operand::Matrix { rows, columns, .. }) => {
            fits(length, rows).map(|()| Some(columns))?
        }
        _ => return Err(PyTypeError::new_err("P407: `@` takes vectors and matrices")),
    };
    let step = recorder.get().push(call(Builtin::Dot, &[a.place(), b.place()]))?;
    match result {
        Some(length) => RandomVector::wrap(recorder, step, length),
        None => Random::wrap(recorder, Recorded::Value(step)),
    }
}

/// A call with positional arguments.
pub fn call(builtin: Builtin, arguments: &[Recorded]) -> Step {
    let shape = CallShape {
        positional: arguments.len() as u32,
        keywords: Vec::new(),
        spans: Vec::new(),
        subject: String::new(),
        names: Vec::new(),
    };
    Step::Call(builtin, shape, arguments.to_vec())
}
