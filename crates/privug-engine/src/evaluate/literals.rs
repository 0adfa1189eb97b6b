//! What is written in a program, as values.

use dashu_int::IBig;

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::Value;
use crate::number::{Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Given, Literal};

pub(super) fn literal_value<S: Scalar>(state: &mut State<S>, literal: &Literal) -> Outcome<Value<S>> {
    Ok(match literal {
        Literal::None => Value::None,
        Literal::Missing => Value::Unbound,
        Literal::NotANumber => Value::Missing,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Integer(digits) => {
            // Four bits for a digit are more than enough to say that there are too many.
            state.budget.check_bits(digits.len().saturating_mul(4) / 2)?;
            match IBig::from_str_with_radix_prefix(digits) {
                Ok((value, _)) => state.integer(value)?,
                Err(_) => return Err(Fault::new(Code::BadArgument, format!("`{digits}` is not an integer"))),
            }
        }
        Literal::Float(text) => match S::from_literal(text) {
            Some(value) => {
                if !is_known(&value, text) {
                    state.certainty.doubt_at(state.span);
                }
                Value::Float(state.followed(value))
            }
            None => return Err(Fault::new(Code::NotFinite, format!("`{text}` is too large"))),
        },
        Literal::Text(text) => state.text(text.clone())?,
    })
}

/// A value that is given as it is.
pub(super) fn given_value<S: Scalar>(state: &mut State<S>, given: &Given) -> Outcome<Value<S>> {
    match given {
        Given::Bool(value) => Ok(Value::Bool(*value)),
        Given::Integer(value) => state.integer(IBig::from(*value)),
        Given::Float(value) => {
            let Some(number) = S::from_written(*value) else {
                return Err(Fault::new(Code::NotFinite, format!("{value} is used where a number is required")));
            };
            let is_known = || <Rational as Scalar>::from_written(*value) == <Rational as Scalar>::from_f64(*value);
            if !S::EXACT && !number.is_rounded() && !is_known() {
                state.certainty.doubt_at(state.span);
            }
            Ok(Value::Float(state.followed(number)))
        }
        Given::List(elements) => {
            let elements = elements.iter().map(|element| given_value(state, element)).collect::<Outcome<Vec<_>>>()?;
            state.list(elements)
        }
    }
}

/// Whether a number is what the text says, or can be seen to be rounded. 9007199254740993.0 is neither: the double is 2⁵³,
/// which looks exact.
fn is_known<S: Scalar>(value: &S, text: &str) -> bool {
    if S::EXACT || value.is_rounded() {
        return true;
    }
    <Rational as Scalar>::from_literal(text) == <Rational as Scalar>::from_f64(value.to_f64())
}
