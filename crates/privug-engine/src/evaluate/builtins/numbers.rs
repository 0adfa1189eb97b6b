//! `abs`, `round`, `int`, `float` and the like: functions that take single numbers.

use dashu_base::{BitTest, Signed};
use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::{Arguments, given};
use super::{characters, vectors};
use crate::evaluate::tables::Roundings;
use crate::evaluate::{arithmetic, compare, containers, marked, statements, tables, text};
use crate::number::{Exact, Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, FormatSpecification};

/// Python refuses to read or write integers with more digits (`sys.set_int_max_str_digits`).
pub(super) const MAX_INTEGER_DIGITS: usize = 4300;

/// Integers are shifted by at most so many bits.
const MAX_SHIFT: i64 = 4096;

/// What cannot be done to a random variable.
pub(super) fn nonlinear(function: &str) -> Box<Fault> {
    let message = format!("`{function}` of a random variable is not Gaussian");
    Fault::hinted(Code::NonlinearFunction, message, "only sums, differences and multiples of random variables are")
}

/// A number that a function needs.
pub(in super::super) fn required_number<S: Scalar>(
    state: &State<S>,
    function: &str,
    value: &Value<S>,
) -> Outcome<Number<S>> {
    match state.number(value) {
        Some(number) => Ok(number),
        None if value.as_random().is_some() => Err(nonlinear(function)),
        None => Err(Fault::new(Code::TypeMismatch, format!("`{function}` takes a number, not {}", value.kind()))),
    }
}

/// `a << b` and `a >> b` of integers.
pub(super) fn shifted_bits<S: Scalar>(
    state: &mut State<S>,
    is_left: bool,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let symbol = if is_left { "<<" } else { ">>" };
    let [Some(value), Some(by)] = [0, 1].map(|place| arguments.values.get(place)) else {
        return Err(Fault::new(Code::WrongArguments, format!("`{symbol}` takes two integers")));
    };
    let amount = state.number(by).and_then(|number| if by.is_integer() { number.integer() } else { None });
    let (Some(amount), true) = (amount, value.is_integer()) else {
        let message = format!("`{symbol}` shifts integers, not {} by {}", value.kind(), by.kind());
        return Err(Fault::hinted(Code::BitOperator, message, "use `*` and `//` on numbers"));
    };
    let Some(amount) = i64::try_from(&amount).ok().filter(|amount| (0..=MAX_SHIFT).contains(amount)) else {
        return Err(Fault::new(Code::DomainError, format!("the shift must be between 0 and {MAX_SHIFT} bits")));
    };
    let power = arithmetic::binary(state, Binary::Power, &Value::Int(2), &Value::Int(amount))?;
    arithmetic::binary(state, if is_left { Binary::Multiply } else { Binary::FloorDivide }, value, &power)
}

pub(super) fn absolute<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("abs")?;
    if matches!(value, Value::Array(_)) || value.is_numpy_scalar() {
        return vectors::array_absolute(state, arguments);
    }
    let negative = match required_number(state, "abs", value)? {
        Number::Int(value) => value < 0,
        Number::BigInt(value) => value.is_negative(),
        Number::Float(value) if value.is_zero() => return Ok(Value::Float(S::zero())),
        Number::Float(value) => value < S::zero(),
    };
    if negative { arithmetic::negative(state, value) } else { arithmetic::positive(state, value) }
}

/// Rounds half to even, as Python does.
pub(super) fn round<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [value, digits] = arguments.bind("round", ["number", "ndigits"], 1, 2)?;
    let value = given(value)?.value;
    if tables::rounding::stays_unrounded(state, value.as_random().is_some(), "a figure")? {
        return marked::marked(state, value, false);
    }
    let number = required_number(state, "round", value)?;
    let digits = match digits.map(|digits| digits.value) {
        None | Some(Value::None) => None,
        Some(digits) => Some(containers::whole(digits, "the number of digits")?),
    };
    if let Some(integer) = number.integer() {
        return match digits {
            _ if value.is_numpy_scalar() => {
                Err(Fault::hinted(Code::TypeMismatch, "`round` of numpy's integers", "leave it out"))
            }
            Some(digits) if digits < 0 => {
                let rounded = round_integer(state, integer, digits.unsigned_abs())?;
                state.integer(rounded)
            }
            _ => state.integer(integer),
        };
    }
    let scalar = state.scalar(&number)?;
    match digits {
        None => state.integer(round_half_even(&scalar)),
        Some(digits) if matches!(value, Value::NumpyFloat(_)) && scalar.double().is_some() => {
            round_as_numpy(&scalar, digits).map(Value::NumpyFloat)
        }
        Some(digits) => {
            let rounded = round_decimals(state, &scalar, digits)?;
            Ok(if value.is_numpy_scalar() { Value::NumpyFloat(rounded) } else { Value::Float(rounded) })
        }
    }
}

/// The multiple of 10ⁿ that is nearest to an integer; of two, the even one.
pub(in crate::evaluate) fn round_integer<S: Scalar>(state: &mut State<S>, integer: IBig, places: u64) -> Outcome<IBig> {
    let bits = integer.bit_len();
    // 10ⁿ is more than twice as large then.
    if places > bits as u64 {
        return Ok(IBig::ZERO);
    }
    state.budget.spend_product(bits, bits)?;
    let unit = IBig::from(10).pow(places as usize);
    let whole = round_half_even(&Exact::from(Rational::from(integer) / Rational::from(unit.clone())));
    Ok(whole * unit)
}

/// The decimal with so many digits that is nearest to a number: exact before it is rounded, as in CPython.
fn round_decimals<S: Scalar>(state: &mut State<S>, value: &S, digits: i64) -> Outcome<S> {
    let double = value.double();
    // Beyond these, nothing or everything of a double is left.
    if double.is_some() && digits > 400 {
        return Ok(value.clone());
    }
    if digits < -400 {
        return Ok(value.sub(value));
    }
    let digits = digits as i32;
    if let Some(double) = double.filter(|_| digits >= 0) {
        let rounded = format!("{:.*}", digits as usize, double).parse().ok().and_then(S::from_written);
        return Ok(rounded.unwrap_or_else(|| value.clone()));
    }
    let ratio = match double {
        Some(double) => Rational::try_from(double).ok(),
        None => value.exact_value().cloned(),
    };
    let Some(ratio) = ratio else { return Ok(value.clone()) };
    let unit = Rational::from(10).pow(digits as isize);
    let whole = round_half_even(&Exact::from(ratio * &unit));
    let rounded = Rational::from(whole) / unit;
    let Some(double) = double else {
        let numerator = state.scalar(&Number::BigInt(rounded.numerator().clone()))?;
        let denominator = state.scalar(&Number::BigInt(rounded.denominator().clone().into()))?;
        return state.finite(numerator.div(&denominator));
    };
    // A zero keeps the sign.
    let nearest = rounded.to_f64().value();
    let nearest = if nearest == 0.0 { nearest.copysign(double) } else { nearest };
    S::from_written(nearest).ok_or_else(|| Fault::new(Code::Overflow, "the rounded number is too large for a double"))
}

/// numpy multiplies, rounds and divides.
pub(in super::super) fn round_as_numpy<S: Scalar>(value: &S, digits: i64) -> Outcome<S> {
    if digits.abs() > 300 {
        return Err(Fault::new(Code::BadArgument, "numpy rounds to at most 300 digits here"));
    }
    let unit = 10f64.powi(digits.unsigned_abs() as i32);
    let value = value.to_f64();
    let rounded =
        if digits >= 0 { (value * unit).round_ties_even() / unit } else { (value / unit).round_ties_even() * unit };
    S::from_written(rounded).ok_or_else(|| Fault::new(Code::Overflow, "the rounded number is too large for a double"))
}

pub(super) fn to_float<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    match arguments.one("float")? {
        Value::Text(handle) => {
            let text = state.heap.text(*handle).trim().to_owned();
            state.budget.spend_steps(text.len() as u64)?;
            match S::from_literal(&text).filter(|_| is_number_text(&text)) {
                Some(value) => state.float(value),
                None => Err(Fault::new(Code::BadArgument, format!("`{text}` is not an ordinary number"))),
            }
        }
        // It is a float already.
        value if value.as_random().is_some() => Ok(value.clone()),
        Value::Missing => Ok(Value::Missing),
        value => {
            let number = required_number(state, "float", value)?;
            let scalar = state.scalar(&number)?;
            state.float(scalar)
        }
    }
}

pub(super) fn to_int<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [value, base] = arguments.bind("int", ["x", "base"], 1, 2)?;
    let value = given(value)?.value;
    if let Some(base) = base {
        return characters::integer_in_base(state, value, base.value);
    }
    // An integer of it is a figure that is rounded down or up, where one is published.
    let is_figure = !matches!(value, Value::Text(_) | Value::Counted(_) | Value::Bool(_))
        && !matches!(state.tables.roundings, Roundings::None);
    if is_figure && tables::rounding::stays_unrounded(state, value.as_random().is_some(), "a figure")? {
        return marked::marked(state, value, false);
    }
    match value {
        Value::Text(_) => characters::integer_in_base(state, value, &Value::Int(10)),
        Value::Counted(_) => Ok(value.clone()),
        value if value.as_random().is_some() => Err(conversion("int")),
        value => match required_number(state, "int", value)? {
            Number::Float(value) => {
                let whole = if value < S::zero() { -value.neg().floor() } else { value.floor() };
                state.integer(whole)
            }
            number => state.number_value(number),
        },
    }
}

pub(super) fn to_bool<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    compare::truth(state, arguments.one("bool")?).map(Value::Bool)
}

pub(super) fn to_text<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("str")?;
    let is_published = !matches!(state.tables.roundings, Roundings::None);
    match value {
        // As `f"{value}"`.
        value if is_published && statements::is_number(value) => {
            statements::format(state, value, FormatSpecification::PLAIN)
        }
        value if value.as_random().is_some() => Err(conversion("str")),
        value => {
            let text = text::python_text(state, value)?;
            let made = state.text(text)?;
            statements::telling(state, made, &[value])
        }
    }
}

pub(super) fn pow<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [base, exponent, modulus] = arguments.bind("pow", ["base", "exp", "mod"], 2, 3)?;
    let (base, exponent) = (given(base)?.value, given(exponent)?.value);
    let Some(modulus) = modulus.filter(|modulus| !matches!(modulus.value, Value::None)) else {
        return arithmetic::binary(state, Binary::Power, base, exponent);
    };
    let base = containers::whole(base, "the base")?;
    let exponent = containers::whole(exponent, "the exponent")?;
    let modulus = containers::whole(modulus.value, "the modulus")?;
    if exponent < 0 {
        let hint = "write the inverse as a positive power";
        return Err(Fault::hinted(Code::BadArgument, "a negative power modulo a number", hint));
    }
    if modulus == 0 {
        return Err(Fault::new(Code::DivisionByZero, "a power modulo zero"));
    }
    // Python's remainder has the sign of the modulus.
    let (size, mut square) = (i128::from(modulus).abs(), i128::from(base).rem_euclid(i128::from(modulus).abs()));
    let (mut power, mut left) = (1 % size, exponent);
    while left > 0 {
        if left & 1 == 1 {
            power = power * square % size;
        }
        square = square * square % size;
        left >>= 1;
    }
    let signed = if modulus < 0 && power != 0 { power - size } else { power };
    Ok(Value::Int(signed as i64))
}

/// Whether Python's `float` reads a text; underscores stand between digits only.
fn is_number_text(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-' | b'_');
    text.bytes().all(is_part) && (!text.contains('_') || has_separated_digits(text))
}

/// Whether every underscore stands between two digits.
fn has_separated_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(u8::is_ascii_digit);
    let fine = |(place, byte): (usize, &u8)| {
        *byte != b'_' || (is_digit(place.checked_sub(1)) && is_digit(place.checked_add(1)))
    };
    bytes.iter().enumerate().all(fine)
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

/// `format(value, specification)`
pub(super) fn formatted<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [value, specification] = arguments.bind("format", ["value", "format_spec"], 1, 2)?;
    let how = match specification.map(|specification| specification.value) {
        None => String::new(),
        Some(Value::Text(text)) => state.heap.text(*text).to_owned(),
        Some(other) => {
            return Err(Fault::new(Code::TypeMismatch, format!("a value is shown as {}", other.kind())));
        }
    };
    tables::publish::look(state, || format!("`{how}`"));
    let Some(known) = FormatSpecification::read(&how) else {
        let hint = "such as `03d`, `,.0f`, `>8.2f` and `.1%` are supported";
        return Err(Fault::hinted(Code::FormatSpecification, format!("`{how}` is no supported format"), hint));
    };
    statements::format(state, given(value)?.value, known)
}
