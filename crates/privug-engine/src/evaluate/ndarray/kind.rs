//! What an array's elements are, and numpy's arithmetic on single ones: integers have 64 bits and stay integers, booleans
//! stay booleans, and what numpy would let wrap around is refused.

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use crate::evaluate::{arithmetic, builtins, choices, compare};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Logic};

/// The type of an array's elements (numpy's dtype): the larger one of two wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Kind {
    Bool,
    Int,
    /// Numbers and random variables.
    Float,
    Text,
}

impl Kind {
    /// What numpy calls it.
    pub(in super::super) fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Int => "int64",
            Kind::Float => "float64",
            Kind::Text => "str",
        }
    }

    pub(in super::super) fn from_name(name: &str) -> Option<Kind> {
        Some(match name {
            "bool" | "bool_" => Kind::Bool,
            "int" | "int64" | "int_" => Kind::Int,
            "float" | "float64" | "double" => Kind::Float,
            _ => return None,
        })
    }
}

/// What a single value is to numpy.
pub(in super::super) fn kind_of<S: Scalar>(value: &Value<S>) -> Outcome<Kind> {
    Ok(match value {
        Value::Bool(_) | Value::NumpyBool(_) => Kind::Bool,
        Value::Int(_) | Value::NumpyInt(_) => Kind::Int,
        Value::Float(_) | Value::NumpyFloat(_) | Value::Random { .. } => Kind::Float,
        Value::Text(_) => Kind::Text,
        Value::BigInt(_) => {
            let hint = "numpy's integers have 64 bits; write a float";
            return Err(Fault::hinted(Code::Overflow, "an integer is too large for an array", hint));
        }
        Value::Counted(_) => {
            let message = "a count of rows is put into an array, which would lose track of who is counted";
            return Err(Fault::hinted(Code::TypeMismatch, message, "publish it by itself, or keep it in a list"));
        }
        other => {
            let message = format!("an array holds numbers and random variables, not {}", other.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "keep other values in a list"));
        }
    })
}

/// A value as an element of an array: what numpy does on assignment.
pub(in super::super) fn cast<S: Scalar>(state: &State<S>, value: &Value<S>, kind: Kind) -> Outcome<Value<S>> {
    if value.as_random().is_some() {
        return match kind {
            Kind::Float => Ok(value.clone()),
            Kind::Bool | Kind::Int | Kind::Text => {
                let message = format!("a random variable is put into an array of {}", kind.name());
                let hint = "make the array of floats: `np.zeros(n)`, `np.array(values, dtype=float)`";
                Err(Fault::hinted(Code::RandomConversion, message, hint))
            }
        };
    }
    if choices::calls::is_choice(value) && choices::arrays::fits(state, value, kind) {
        return Ok(value.clone());
    }
    if let Value::Text(_) = value {
        return match kind {
            Kind::Text => Ok(value.clone()),
            Kind::Bool | Kind::Int | Kind::Float => Err(not_an_element(value, kind)),
        };
    }
    let Some(number) = state.number(value) else { return Err(not_an_element(value, kind)) };
    Ok(match (kind, number) {
        (Kind::Text, _) => return Err(not_an_element(value, kind)),
        (Kind::Bool, number) => Value::NumpyBool(match number {
            Number::Int(value) => value != 0,
            Number::BigInt(_) => true,
            Number::Float(value) => !value.is_zero(),
        }),
        (Kind::Int, Number::Int(value)) => Value::NumpyInt(value),
        (Kind::Int, Number::BigInt(_)) => return Err(too_large()),
        (Kind::Int, Number::Float(value)) => {
            // Towards zero.
            let whole = if value < S::zero() { -value.neg().floor() } else { value.floor() };
            Value::NumpyInt(i64::try_from(&whole).map_err(|_| too_large())?)
        }
        (Kind::Float, number) => Value::NumpyFloat(state.scalar(&number)?),
    })
}

fn not_an_element<S: Scalar>(value: &Value<S>, kind: Kind) -> Box<Fault> {
    let message = format!("{} is put into an array of {}", value.kind(), kind.name());
    Fault::new(Code::TypeMismatch, message)
}

/// `a operator b` for single numbers, by numpy's rules.
pub(in super::super) fn numpy_binary<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    a: &Value<S>,
    b: &Value<S>,
) -> Outcome<Value<S>> {
    if a.as_random().is_some() || b.as_random().is_some() {
        return arithmetic::binary(state, operator, &a.plain(), &b.plain());
    }
    if !is_number(a) || !is_number(b) {
        return Err(arithmetic::mismatch(operator, a, b));
    }
    match kind_of(a)?.max(kind_of(b)?) {
        Kind::Bool => {
            let (a, b) = (compare::truth(state, a)?, compare::truth(state, b)?);
            match operator {
                Binary::Add => Ok(Value::NumpyBool(a | b)),
                Binary::Multiply => Ok(Value::NumpyBool(a & b)),
                Binary::Divide if b => Ok(Value::NumpyFloat(S::from_i64(i64::from(a)))),
                Binary::Divide => Err(division_by_zero()),
                Binary::Subtract => Err(Fault::hinted(
                    Code::TypeMismatch,
                    "numpy does not subtract booleans",
                    "use `^`, or multiply by 1 first",
                )),
                Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => {
                    let message = format!("`{}` of numpy's booleans", operator.symbol());
                    Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"))
                }
            }
        }
        Kind::Int => {
            let (a, b) = (whole_number(state, a)?, whole_number(state, b)?);
            let result = match operator {
                Binary::Add => a.checked_add(b),
                Binary::Subtract => a.checked_sub(b),
                Binary::Multiply => a.checked_mul(b),
                Binary::FloorDivide | Binary::Remainder | Binary::Divide if b == 0 => {
                    return Err(division_by_zero());
                }
                Binary::FloorDivide => {
                    a.checked_div(b).map(|quotient| quotient - i64::from(a % b != 0 && (a < 0) != (b < 0)))
                }
                Binary::Remainder => a.checked_rem(b).map(|remainder| {
                    if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
                }),
                Binary::Divide => {
                    // Each is rounded to a double first, as numpy does.
                    let quotient = S::from_i64(a).div(&S::from_i64(b));
                    return state.finite(quotient).map(Value::NumpyFloat);
                }
                Binary::Power if b < 0 => {
                    let hint = "make one of them a float";
                    let message = "numpy's integers have no negative powers";
                    return Err(Fault::hinted(Code::DomainError, message, hint));
                }
                Binary::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)).or(match a {
                    0 | 1 => Some(a),
                    -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
                    _ => None,
                }),
                Binary::MatrixMultiply => return Err(Fault::new(Code::TypeMismatch, "`@` does not take numbers")),
            };
            result.map(Value::NumpyInt).ok_or_else(too_large)
        }
        Kind::Float => {
            let (a, b) = (
                builtins::vectors::parameter(state, "a number", a)?,
                builtins::vectors::parameter(state, "a number", b)?,
            );
            arithmetic::binary_scalars(state, operator, &a, &b).map(Value::NumpyFloat)
        }
        Kind::Text => Err(arithmetic::mismatch(operator, a, b)),
    }
}

/// An integer of 64 bits.
fn whole_number<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<i64> {
    match state.number(value) {
        Some(Number::Int(value)) => Ok(value),
        _ => Err(too_large()),
    }
}

pub(in super::super) fn is_number<S: Scalar>(value: &Value<S>) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::NumpyBool(_)
            | Value::NumpyInt(_)
            | Value::NumpyFloat(_)
    )
}

/// `-a`
pub(in super::super) fn numpy_negative<S: Scalar>(state: &mut State<S>, a: &Value<S>) -> Outcome<Value<S>> {
    match a {
        Value::NumpyBool(_) => {
            Err(Fault::hinted(Code::TypeMismatch, "numpy does not negate booleans with `-`", "use `~`"))
        }
        Value::NumpyInt(value) => value.checked_neg().map(Value::NumpyInt).ok_or_else(too_large),
        Value::NumpyFloat(value) => Ok(Value::NumpyFloat(value.neg())),
        other => arithmetic::negative(state, other),
    }
}

/// `a & b`, `a | b`, `a ^ b` of booleans and integers; the result is numpy's if one of them is.
pub(in super::super) fn logic_scalars<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    a: &Value<S>,
    b: &Value<S>,
) -> Outcome<Value<S>> {
    let is_numpy = a.is_numpy_scalar() || b.is_numpy_scalar();
    if let (Value::Bool(x) | Value::NumpyBool(x), Value::Bool(y) | Value::NumpyBool(y)) = (a, b) {
        let result = match operator {
            Logic::And => x & y,
            Logic::Or => x | y,
            Logic::Xor => x ^ y,
        };
        return Ok(if is_numpy { Value::NumpyBool(result) } else { Value::Bool(result) });
    }
    let integer = |value: &Value<S>| state.number(value).and_then(|number| number.integer());
    let (Some(x), Some(y)) = (integer(a), integer(b)) else {
        if a.as_random().is_some() || b.as_random().is_some() {
            let message = format!("`{}` of a random variable is not Gaussian", operator.symbol());
            let hint = "only sums, differences and multiples of random variables are";
            return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
        }
        let message = format!("`{}` does not take {} and {}", operator.symbol(), a.kind(), b.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    };
    // numpy takes no integers that do not fit into 64 bits.
    if is_numpy && [&x, &y].iter().any(|value| i64::try_from(*value).is_err()) {
        return Err(too_large());
    }
    let result: IBig = match operator {
        Logic::And => x & y,
        Logic::Or => x | y,
        Logic::Xor => x ^ y,
    };
    if is_numpy {
        return i64::try_from(&result).map(Value::NumpyInt).map_err(|_| too_large());
    }
    state.integer(result)
}

/// `~a`
pub(in super::super) fn invert_scalar<S: Scalar>(a: &Value<S>) -> Outcome<Value<S>> {
    match a {
        Value::NumpyBool(value) => Ok(Value::NumpyBool(!value)),
        Value::NumpyInt(value) => Ok(Value::NumpyInt(!value)),
        other => Err(Fault::new(Code::TypeMismatch, format!("`~` does not take {}", other.kind()))),
    }
}

pub(in super::super) fn too_large() -> Box<Fault> {
    let hint = "numpy's integers have 64 bits and would wrap around; use floats";
    Fault::hinted(Code::Overflow, "an integer of an array is too large", hint)
}

fn division_by_zero() -> Box<Fault> {
    Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?")
}
