//! `abs`, `round`, `int`, `float` and the like: functions that take single numbers.

use dashu_base::Signed;
use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::{Arguments, given};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// What cannot be done to a random variable.
pub(super) fn nonlinear(function: &str) -> Box<Fault> {
    let message = format!("`{function}` of a random variable is not Gaussian");
    Fault::hinted(Code::NonlinearFunction, message, "only sums, differences and multiples of random variables are")
}

impl<S: Scalar> State<S> {
    /// A number that a function needs.
    pub(super) fn required_number(&self, function: &str, value: &Value<S>) -> Outcome<Number<S>> {
        match self.number(value) {
            Some(number) => Ok(number),
            None if value.as_random().is_some() => Err(nonlinear(function)),
            None => Err(Fault::new(Code::TypeMismatch, format!("`{function}` takes a number, not {}", value.kind()))),
        }
    }

    pub(super) fn absolute(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("abs")?;
        let negative = match self.required_number("abs", value)? {
            Number::Int(value) => value < 0,
            Number::BigInt(value) => value.is_negative(),
            Number::Float(value) => value < S::zero(),
        };
        if negative { self.negative(value) } else { Ok(value.clone()) }
    }

    /// Rounds half to even, as Python does.
    pub(super) fn round(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [value, digits] = arguments.bind("round", ["number", "ndigits"], 1, 2)?;
        let value = given(value)?.value;
        let number = self.required_number("round", value)?;
        let digits = match digits.map(|digits| digits.value) {
            None | Some(Value::None) => None,
            Some(digits) => Some(self.whole(digits, "the number of digits")?),
        };
        if let Some(value) = number.integer() {
            return match digits {
                Some(digits) if digits < 0 => {
                    Err(Fault::new(Code::BadArgument, "integers are rounded to whole numbers only"))
                }
                _ => self.integer(value),
            };
        }
        let scalar = self.scalar(&number)?;
        match digits {
            None => self.integer(round_half_even(&scalar)),
            Some(digits) => {
                let digits = digits.clamp(-400, 400) as i32;
                if scalar.double().is_none() {
                    let unit = S::from_i64(10).powi(digits);
                    let whole = round_half_even(&scalar.mul(&unit));
                    let whole = self.scalar(&Number::BigInt(whole))?;
                    self.float(whole.div(&unit))
                } else {
                    // The decimal rendering is exact before it is rounded, as CPython's is.
                    let value = scalar.to_f64();
                    let rounded = if digits >= 0 {
                        format!("{value:.*}", digits as usize).parse().unwrap_or(value)
                    } else {
                        let unit = 10f64.powi(-digits);
                        (value / unit).round_ties_even() * unit
                    };
                    self.float(S::from_written(rounded).unwrap_or(scalar))
                }
            }
        }
    }

    pub(super) fn to_float(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        match arguments.one("float")? {
            Value::Text(handle) => {
                let text = self.heap.text(*handle).trim().to_owned();
                match S::from_literal(&text) {
                    Some(value) => self.float(value),
                    None => Err(Fault::new(Code::BadArgument, format!("`{text}` is not an ordinary number"))),
                }
            }
            value if value.as_random().is_some() => Err(conversion("float")),
            value => {
                let number = self.required_number("float", value)?;
                let scalar = self.scalar(&number)?;
                self.float(scalar)
            }
        }
    }

    pub(super) fn to_int(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        match arguments.one("int")? {
            Value::Text(handle) => {
                let text = self.heap.text(*handle).trim().replace('_', "");
                self.check_bits(text.len().saturating_mul(2))?;
                match IBig::from_str_radix(&text, 10) {
                    Ok(value) => self.integer(value),
                    Err(_) => Err(Fault::new(Code::BadArgument, format!("`{text}` is not an integer"))),
                }
            }
            value if value.as_random().is_some() => Err(conversion("int")),
            value => match self.required_number("int", value)? {
                Number::Float(value) => {
                    let whole = if value < S::zero() { -value.neg().floor() } else { value.floor() };
                    self.integer(whole)
                }
                number => self.number_value(number),
            },
        }
    }

    pub(super) fn to_bool(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        self.truth(arguments.one("bool")?).map(Value::Bool)
    }

    pub(super) fn to_text(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("str")?;
        if value.as_random().is_some() {
            return Err(conversion("str"));
        }
        let text = self.show(value);
        self.text(text)
    }

    pub(super) fn pow(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [base, exponent] = arguments.bind("pow", ["base", "exp"], 2, 2)?;
        self.binary(Binary::Power, given(base)?.value, given(exponent)?.value)
    }
}

fn conversion(function: &str) -> Box<Fault> {
    let message = format!("`{function}` of a random variable: it has no single value");
    Fault::hinted(Code::RandomConversion, message, "remove the conversion")
}

pub(super) fn round_half_even<S: Scalar>(value: &S) -> IBig {
    let floor = value.floor();
    let above = &floor + IBig::ONE;
    // Twice the distance to the floor, compared with one.
    let doubled = value.add(value);
    let middle = &floor + &above;
    match doubled.cmp_integer(&middle) {
        Some(std::cmp::Ordering::Less) => floor,
        Some(std::cmp::Ordering::Greater) => above,
        _ => {
            if (&floor % IBig::from(2)).is_zero() {
                floor
            } else {
                above
            }
        }
    }
}
