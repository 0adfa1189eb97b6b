//! What Python gives to a request: numbers as they are, texts as they are typed.

use privug::analysis::{Binding, BindingKind, Observed, Operand, Required, Tolerance, Truth, Written};
use privug::diagnostic::Refusal;
use privug::program::Given;
use privug::query::Bound as Comparison;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// A value, or an expression of the language.
#[derive(FromPyObject)]
pub enum Value {
    Source(String),
    Bool(Py<PyBool>),
    Integer(i64),
    Float(f64),
    List(Vec<Value>),
}

impl Value {
    fn given(&self, py: Python<'_>) -> PyResult<Given> {
        Ok(match self {
            Value::Source(text) => return Err(PyValueError::new_err(format!("`{text}` is not a number"))),
            Value::Bool(value) => Given::Bool(value.bind(py).is_true()),
            Value::Integer(value) => Given::Integer(*value),
            Value::Float(value) => Given::Float(*value),
            Value::List(elements) => {
                Given::List(elements.iter().map(|element| element.given(py)).collect::<PyResult<_>>()?)
            }
        })
    }

    fn operand(&self, py: Python<'_>) -> PyResult<Operand> {
        match self {
            Value::Source(text) => Ok(Operand::Source(Written::whole(text))),
            _ => self.given(py).map(Operand::Value),
        }
    }

    /// `name` bound to this.
    pub fn binding(&self, py: Python<'_>, is_prior: bool, name: &str) -> PyResult<Result<Binding, Refusal>> {
        let kind = if is_prior { BindingKind::Prior } else { BindingKind::Set };
        Ok(match self {
            Value::Source(text) => Binding::read(kind, &format!("{name}={text}")),
            _ => Ok(Binding { name: name.to_owned(), kind, value: Operand::Value(self.given(py)?) }),
        })
    }
}

/// An observation: as it is typed, or the path, the value and the standard deviation of its noise.
#[derive(FromPyObject)]
pub enum Seen {
    Text(String),
    Value(String, Value, Option<Value>),
}

impl Seen {
    pub fn observed(&self, py: Python<'_>) -> PyResult<Result<Observed, Refusal>> {
        Ok(match self {
            Seen::Text(text) => Observed::read(text),
            Seen::Value(path, value, std) => {
                let std = std.as_ref().map(|std| std.operand(py)).transpose()?;
                Observed::at(path, value.operand(py)?, std)
            }
        })
    }
}

/// A true value: as it is typed, or the secret (if there are several) and the number.
#[derive(FromPyObject)]
pub enum Known {
    Text(String),
    Value(Option<String>, Value),
}

impl Known {
    pub fn truth(&self, py: Python<'_>) -> PyResult<Truth> {
        Ok(match self {
            Known::Text(text) => Truth::read(text),
            Known::Value(secret, value) => Truth { secret: secret.clone(), value: value.operand(py)? },
        })
    }
}

/// A requirement: as it is typed, or a measure, a comparison and a number.
#[derive(FromPyObject)]
pub enum Demand {
    Text(String),
    Measure(String, String, f64),
}

impl Demand {
    pub fn required(self) -> PyResult<Required> {
        match self {
            Demand::Text(text) => Ok(Required::Source(text)),
            Demand::Measure(measure, symbol, limit) => match Comparison::from_symbol(&symbol) {
                Some(bound) => Ok(Required::Measure { measure, bound, limit }),
                None => Err(PyValueError::new_err(format!("P016: `{symbol}` is no comparison; use `<=`"))),
            },
        }
    }
}

/// How close a guess must be: a number, or a text such as `5%`.
#[derive(FromPyObject)]
pub enum Closeness {
    Number(f64),
    Text(String),
}

impl Closeness {
    pub fn tolerance(&self) -> Result<Tolerance, Refusal> {
        match self {
            Closeness::Number(number) => Tolerance::Absolute(*number).checked(&number.to_string()),
            Closeness::Text(text) => Tolerance::read(text),
        }
    }
}
