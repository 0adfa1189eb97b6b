//! The two runs of a function side by side. Whatever differs between them is an error: a figure that only one of them has
//! would be judged by the value of another.

use std::cmp::Ordering;

use super::super::compare::compare_numbers;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::results::Figure;
use crate::evaluate::text;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The figures of the run on random variables, each with its value in the real run.
pub(super) fn paired<S: Scalar>(modelled: Vec<Figure<S>>, real: Vec<Figure<S>>) -> Outcome<Vec<(Figure<S>, Value<S>)>> {
    if modelled.len() != real.len() {
        let (one, other) = (modelled.len(), real.len());
        return Err(differ(format!("on random variables {one} figures are published, on the real values {other}")));
    }
    if let Some((one, other)) = modelled.iter().zip(&real).find(|(one, other)| one.name != other.name) {
        let message = format!("`{}` is published on random variables, `{}` on the real values", one.name, other.name);
        return Err(differ(message));
    }
    Ok(modelled.into_iter().zip(real).map(|(figure, real)| (figure, real.value)).collect())
}

/// Refuses a figure that does not depend on the secret, and still has another value in the real run.
pub(super) fn check_public<S: Scalar>(
    modelling: &State<S>,
    figure: &Figure<S>,
    real: &State<S>,
    value: &Value<S>,
) -> Outcome<()> {
    let same = match (&figure.value, value) {
        (Value::None, Value::None) | (Value::Missing, Value::Missing) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Counted(a), Value::Counted(b)) => a.count == b.count,
        // A sum over nobody is 0, whether the secrets are integers or not.
        (Value::Int(_) | Value::BigInt(_) | Value::Float(_), Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => {
            let (a, b) = (modelling.number(&figure.value), real.number(value));
            a.zip(b).and_then(|(a, b)| compare_numbers(&a, &b)) == Some(Ordering::Equal)
        }
        (Value::Text(_), Value::Text(_)) => text::show(modelling, &figure.value) == text::show(real, value),
        (Value::Range(a), Value::Range(b)) => {
            let (a, b) = (modelling.heap.range(*a), real.heap.range(*b));
            (a.start, a.step, a.length) == (b.start, b.step, b.length)
        }
        // Nothing is left of the secret but, in the real run, perhaps a rounding error.
        (Value::Random { .. }, value) => real.number(value).is_some(),
        _ => false,
    };
    if same {
        return Ok(());
    }
    let (modelled, real) = (text::show(modelling, &figure.value), text::show(real, value));
    Err(differ(format!("`{}` is {modelled} on random variables and {real} on the real values", figure.name)))
}

fn differ(message: String) -> Box<Fault> {
    let hint = "neither the computation nor the names may depend on the values of the secret";
    Fault::hinted(Code::RunsDiffer, message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Limits;

    fn figures(figures: &[(&str, Value<f64>)]) -> Vec<Figure<f64>> {
        figures.iter().map(|(name, value)| Figure { name: (*name).to_owned(), value: value.clone() }).collect()
    }

    fn said(modelled: &[(&str, Value<f64>)], real: &[(&str, Value<f64>)]) -> Result<(), String> {
        let state = || State::<f64>::new(Limits::default(), None, false);
        let checked = paired(figures(modelled), figures(real)).and_then(|pairs| {
            pairs.iter().try_for_each(|(figure, value)| check_public(&state(), figure, &state(), value))
        });
        checked.map_err(|fault| format!("{} {}", fault.code.id(), fault.message))
    }

    #[test]
    fn runs_that_differ_in_anything_are_refused() {
        let one = [("a", Value::Int(1))];
        let two = [("a", Value::Int(1)), ("a", Value::Int(1))];
        assert_eq!(said(&one, &one), Ok(()));
        let count = said(&one, &two);
        assert_eq!(count, Err("P808 on random variables 1 figures are published, on the real values 2".to_owned()));
        let name = said(&one, &[("b", Value::Int(1))]);
        assert_eq!(name, Err("P808 `a` is published on random variables, `b` on the real values".to_owned()));
        let value = said(&one, &[("a", Value::Int(2))]);
        assert_eq!(value, Err("P808 `a` is 1 on random variables and 2 on the real values".to_owned()));
        assert!(said(&one, &[("a", Value::Bool(true))]).is_err());
        assert!(said(&[("a", Value::None)], &[("a", Value::Float(1.0))]).is_err());
    }
}
