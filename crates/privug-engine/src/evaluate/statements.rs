//! Spreading values over names, f-strings and assertions.

use super::fault::{Fault, Outcome};
use super::machine::{Machine, Stop};
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::FormatSpecification;

impl<S: Scalar> Machine<'_, S> {
    pub(super) fn unpack(&mut self, value: &Value<S>, count: usize) -> Result<Vec<Value<S>>, Stop> {
        let poisoned = vec![Value::Poison; count];
        if matches!(value, Value::Poison) {
            return Ok(poisoned);
        }
        match self.state.elements(value) {
            Ok(parts) if parts.len() == count => Ok(parts),
            Ok(parts) => {
                let message = format!("{} values are spread over {count} names", parts.len());
                self.fail(Fault::new(Code::UnpackMismatch, message))?;
                Ok(poisoned)
            }
            Err(fault) => {
                self.fail(fault)?;
                Ok(poisoned)
            }
        }
    }

    pub(super) fn check_assertion(&mut self, condition: &Value<S>, message: &Value<S>) -> Result<(), Stop> {
        if matches!(condition, Value::Poison) {
            return Err(Stop);
        }
        match self.state.truth(condition) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let words = match message {
                    Value::Unbound => "an assertion does not hold".to_owned(),
                    other => format!("an assertion does not hold: {}", self.state.show(other)),
                };
                self.fail(Fault::new(Code::AssertionFailed, words))
            }
            Err(fault) => self.fail(fault),
        }
    }
}

impl<S: Scalar> State<S> {
    /// A value as an f-string shows it.
    pub(super) fn format(&mut self, value: &Value<S>, specification: FormatSpecification) -> Outcome<Value<S>> {
        let uncounted = value.uncounted();
        let value = uncounted.as_ref().unwrap_or(value);
        let text = match (specification, value) {
            (_, Value::Poison) => return Ok(Value::Poison),
            (_, Value::Random { .. }) => {
                return Err(Fault::hinted(
                    Code::RandomConversion,
                    "a random variable cannot be converted to a string",
                    "show numbers that are known beforehand",
                ));
            }
            (FormatSpecification::Plain, value) => self.python_text(value)?,
            (FormatSpecification::Integer { width, zeros }, Value::Int(number) | Value::NumpyInt(number)) => {
                let width = width as usize;
                if zeros { format!("{number:0width$}") } else { format!("{number:width$}") }
            }
            (FormatSpecification::Fixed { digits }, value) => match self.number(value) {
                Some(number) => {
                    let number = self.scalar(&number)?.to_f64();
                    format!("{number:.*}", digits as usize)
                }
                None => return Err(Fault::new(Code::TypeMismatch, format!("`f` does not take {}", value.kind()))),
            },
            (FormatSpecification::Integer { .. }, value) => {
                return Err(Fault::new(Code::TypeMismatch, format!("`d` does not take {}", value.kind())));
            }
        };
        self.text(text)
    }
}
