//! Python's arithmetic on all kinds of values.

use dashu_base::{BitTest, DivEuclid, EstimatedLog2, RemEuclid, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::budget::BYTES_PER_STEP;
use super::builtins::Counting;
use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Number, Value};
use super::{builtins, choices, containers, ndarray, random, statements, tables};
use crate::network::Affine;
use crate::number::{Constants, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, SetMethod};

/// `left operator right`
#[inline]
pub(super) fn binary<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    // What loops do most of the time; everything else takes the long way.
    match (operator, left, right) {
        (_, Value::Int(a), Value::Int(b)) => {
            if let Some(value) = binary_small(operator, *a, *b) {
                return Ok(value);
            }
        }
        (Binary::Add, Value::Float(a), Value::Float(b)) => return state.float(a.add(b)),
        (Binary::Multiply, Value::Float(a), Value::Float(b)) => return state.float(a.mul(b)),
        (Binary::Add, Value::Random { .. }, Value::Random { .. }) => {
            if let (Some(a), Some(b)) = (left.as_random(), right.as_random()) {
                return random::add(state, &a, &b, false);
            }
        }
        _ => {}
    }
    binary_slow(state, operator, left, right)
}

/// The result for integers where it needs no larger ones: with a divisor above 0, and a quotient of integers that are doubles, which
/// is rounded once.
#[inline]
fn binary_small<S: Scalar>(operator: Binary, a: i64, b: i64) -> Option<Value<S>> {
    let is_double = |value: i64| value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
    match operator {
        Binary::Add => a.checked_add(b).map(Value::Int),
        Binary::Subtract => a.checked_sub(b).map(Value::Int),
        Binary::Multiply => a.checked_mul(b).map(Value::Int),
        Binary::FloorDivide if b > 0 => Some(Value::Int(a.div_euclid(b))),
        Binary::Remainder if b > 0 => Some(Value::Int(a.rem_euclid(b))),
        Binary::Divide if b > 0 && !S::EXACT && is_double(a) && is_double(b) => {
            S::from_f64(a as f64 / b as f64).map(Value::Float)
        }
        Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => None,
    }
}

/// What is computed with NaN is NaN, except for NaN⁰ and 1 to the power of NaN, which are 1.
fn binary_missing<S: Scalar>(
    state: &State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Option<Value<S>> {
    let is_number = |value: &Value<S>| value.as_random().is_some() || state.number(value).is_some();
    let equals = |value: &Value<S>, wanted: S| {
        state.number(value).and_then(|number| number.scalar()).is_some_and(|number| number == wanted)
    };
    match (left, right) {
        (Value::Missing, other) if operator == Binary::Power && equals(other, S::zero()) => {
            Some(Value::Float(S::one()))
        }
        (other, Value::Missing) if operator == Binary::Power && equals(other, S::one()) => Some(Value::Float(S::one())),
        (Value::Missing, Value::Missing) => Some(Value::Missing),
        (Value::Missing, other) | (other, Value::Missing) if is_number(other) => Some(Value::Missing),
        _ => None,
    }
}

pub(super) fn binary_slow<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if let (Some(_), _) | (_, Some(_)) = (left.uncounted(), right.uncounted()) {
        let uncounted = |value: &Value<S>| value.uncounted().unwrap_or_else(|| value.clone());
        if matches!(left, Value::Text(_)) || matches!(right, Value::Text(_)) {
            // A text as long as there are rows shows their number.
            let made = binary(state, operator, &uncounted(left), &uncounted(right))?;
            return statements::telling(state, made, &[left, right]);
        }
        return binary(state, operator, &uncounted(left), &uncounted(right));
    }
    if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
        return Ok(Value::Poison);
    }
    if matches!(left, Value::Dict(_))
        && let Some(joined) = builtins::counters::joined_counters(state, Counting::of_binary(operator), left, right)?
    {
        return Ok(joined);
    }
    if state.worlds.exist()
        && let Some(result) = choices::operators::binary_on_choices(state, operator, left, right)?
    {
        return Ok(result);
    }
    if matches!(left, Value::Frame(_)) || matches!(right, Value::Frame(_)) {
        if operator == Binary::MatrixMultiply {
            return tables::aggregate::dot_columns(state, left, right);
        }
        return tables::crosswise::frame_arithmetic(state, operator, left, right);
    }
    if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
        return tables::elementwise::binary_columns(state, operator, &left.plain(), &right.plain());
    }
    if tables::axes::is_axis(state, left) || tables::axes::is_axis(state, right) {
        let (left, right) = (tables::axes::axis_column(state, left)?, tables::axes::axis_column(state, right)?);
        return tables::elementwise::binary_columns(state, operator, &left.plain(), &right.plain());
    }
    if matches!(left, Value::Array(_)) || matches!(right, Value::Array(_)) || operator == Binary::MatrixMultiply {
        return ndarray::elementwise::binary_arrays(state, operator, left, right);
    }
    if let Some(result) = binary_missing(state, operator, left, right) {
        return Ok(result);
    }
    if left.is_numpy_scalar() || right.is_numpy_scalar() {
        return ndarray::kind::numpy_binary(state, operator, left, right);
    }
    if operator == Binary::Add
        && let Some(said) = statements::added_texts(state, left, right)?
    {
        return Ok(said);
    }
    if let (Some(a), Some(b)) = (left.as_random(), right.as_random()) {
        return match operator {
            Binary::Add => random::add(state, &a, &b, false),
            Binary::Subtract => random::add(state, &a, &b, true),
            Binary::Multiply => Err(Fault::hinted(
                Code::ProductOfRandom,
                "two random variables are multiplied, and their product is not Gaussian",
                "multiply by a number, or model the product with a `Normal` of its own",
            )),
            Binary::Divide => Err(division_by_random()),
            Binary::Power => Err(power_of_random()),
            Binary::FloorDivide | Binary::Remainder => Err(remainder_of_random(operator)),
            Binary::MatrixMultiply => Err(mismatch(operator, left, right)),
        };
    }
    match (left.as_random(), state.number(right)) {
        (Some(x), Some(number)) => return random_and_number(state, operator, &x, &number),
        (Some(_), None) => return Err(mismatch(operator, left, right)),
        (None, _) => {}
    }
    match (state.number(left), right.as_random()) {
        (Some(number), Some(x)) => match operator {
            Binary::Add | Binary::Multiply => random_and_number(state, operator, &x, &number),
            Binary::Subtract => match random::negate(&x).as_random() {
                Some(negated) => random_and_number(state, Binary::Add, &negated, &number),
                None => Err(mismatch(operator, left, right)),
            },
            Binary::Divide => Err(division_by_random()),
            Binary::Power => Err(power_of_random()),
            Binary::FloorDivide | Binary::Remainder => Err(remainder_of_random(operator)),
            Binary::MatrixMultiply => Err(mismatch(operator, left, right)),
        },
        (None, Some(_)) => Err(mismatch(operator, left, right)),
        (Some(a), None) if state.number(right).is_some() => {
            let b = state.number(right).unwrap_or(Number::Int(0));
            let result = binary_numbers(state, operator, a, b)?;
            state.number_value(result)
        }
        _ => binary_containers(state, operator, left, right),
    }
}

/// `x operator number`
fn random_and_number<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    x: &Affine<S>,
    number: &Number<S>,
) -> Outcome<Value<S>> {
    match (operator, number.exact_scalar()) {
        (Binary::Add, Some(by)) => random::shift(state, x, &by),
        (Binary::Subtract, Some(by)) => random::shift(state, x, &by.neg()),
        (Binary::Multiply, Some(by)) => random::scale(state, x, &by),
        // An integer that is no double is the sum of several.
        (Binary::Add | Binary::Subtract, None) => {
            let mut sum = x.clone();
            for part in random::number_parts(state, number)? {
                let part = if operator == Binary::Subtract { part.neg() } else { part };
                sum = random::shift(state, &sum, &part)?.as_random().unwrap_or(sum);
            }
            Ok(Value::random(sum))
        }
        (Binary::Multiply, None) => {
            let mut sum: Option<Affine<S>> = None;
            for part in random::number_parts(state, number)? {
                let Some(product) = random::scale(state, x, &part)?.as_random() else { continue };
                sum = match sum {
                    Some(sum) => random::add(state, &sum, &product, false)?.as_random(),
                    None => Some(product),
                };
            }
            Ok(sum.map_or(Value::Poison, Value::random))
        }
        (Binary::Divide, _) => {
            let by = random::met_number(state, number)?;
            random::divide(state, x, &by)
        }
        (Binary::Power, _) if state.scalar(number)? == S::one() => Ok(Value::random(x.clone())),
        (Binary::Power, _) => Err(power_of_random()),
        (Binary::FloorDivide | Binary::Remainder, _) => Err(remainder_of_random(operator)),
        (Binary::MatrixMultiply, _) => Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
    }
}

/// Lists, tuples and texts: `+` joins, `*` repeats.
fn binary_containers<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    match (operator, left, right) {
        (Binary::Add, Value::List(a), Value::List(b)) => {
            let joined = joined(state, *a, *b)?;
            state.list(joined)
        }
        (Binary::Add, Value::Tuple(a), Value::Tuple(b)) => {
            let joined = joined(state, *a, *b)?;
            state.tuple(joined)
        }
        (Binary::Subtract, Value::Set(a), Value::Set(b)) => {
            choices::sets::joined_sets(state, SetMethod::Difference, *a, *b)
        }
        (Binary::Add, Value::Text(a), Value::Text(b)) => {
            let bytes = state.heap.text(*a).len() + state.heap.text(*b).len();
            state.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
            let joined = format!("{}{}", state.heap.text(*a), state.heap.text(*b));
            let made = state.text(joined)?;
            statements::telling(state, made, &[left, right])
        }
        (Binary::Multiply, Value::List(list), count @ (Value::Int(_) | Value::Bool(_)))
        | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::List(list)) => {
            let repeated = containers::whole(count, "the factor").and_then(|count| repeated(state, *list, count))?;
            state.list(repeated)
        }
        (Binary::Multiply, Value::Tuple(tuple), count @ (Value::Int(_) | Value::Bool(_)))
        | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::Tuple(tuple)) => {
            let repeated = containers::whole(count, "the factor").and_then(|count| repeated(state, *tuple, count))?;
            state.tuple(repeated)
        }
        (Binary::Multiply, Value::Text(text), count @ (Value::Int(_) | Value::Bool(_)))
        | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::Text(text)) => {
            let count = containers::whole(count, "the factor")?.max(0) as u64;
            let bytes = (state.heap.text(*text).len() as u64).saturating_mul(count);
            state.budget.check_elements(bytes / BYTES_PER_STEP)?;
            state.budget.spend_steps(bytes / BYTES_PER_STEP)?;
            let repeated = if bytes == 0 { String::new() } else { state.heap.text(*text).repeat(count as usize) };
            let (text, made) = (Value::Text(*text), state.text(repeated)?);
            statements::telling(state, made, &[&text])
        }
        _ => Err(mismatch(operator, left, right)),
    }
}

fn joined<S: Scalar>(state: &mut State<S>, a: u32, b: u32) -> Outcome<Vec<Value<S>>> {
    let (a, b) = (state.heap.sequence(a), state.heap.sequence(b));
    let joined: Vec<_> = a.iter().chain(b).cloned().collect();
    state.budget.spend_steps(joined.len() as u64)?;
    Ok(joined)
}

pub(super) fn repeated<S: Scalar>(state: &mut State<S>, list: u32, count: i64) -> Outcome<Vec<Value<S>>> {
    let count = count.max(0) as u64;
    let length = (state.heap.sequence(list).len() as u64).saturating_mul(count);
    // Counted before it is made: `[0] * 10**12` must not be tried.
    state.budget.check_elements(length)?;
    state.budget.spend_steps(length)?;
    let elements = state.heap.sequence(list);
    // However often nothing is repeated, it takes no time.
    if elements.is_empty() {
        return Ok(Vec::new());
    }
    let mut repeated = Vec::with_capacity(length as usize);
    for _ in 0..count {
        repeated.extend_from_slice(elements);
    }
    Ok(repeated)
}

pub(super) fn mismatch<S: Scalar>(operator: Binary, left: &Value<S>, right: &Value<S>) -> Box<Fault> {
    let message = format!("`{}` does not take {} and {}", operator.symbol(), left.kind(), right.kind());
    Fault::new(Code::TypeMismatch, message)
}

fn binary_numbers<S: Scalar>(state: &mut State<S>, operator: Binary, a: Number<S>, b: Number<S>) -> Outcome<Number<S>> {
    if let (Number::Int(a), Number::Int(b)) = (&a, &b) {
        let small = match operator {
            Binary::Add => a.checked_add(*b),
            Binary::Subtract => a.checked_sub(*b),
            Binary::Multiply => a.checked_mul(*b),
            Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => None,
        };
        if let Some(small) = small {
            return Ok(Number::Int(small));
        }
    }
    match (a.integer(), b.integer()) {
        (Some(a), Some(b)) => binary_integers(state, operator, a, b),
        _ => {
            let (a, b) = (state.scalar(&a)?, state.scalar(&b)?);
            binary_scalars(state, operator, &a, &b).map(Number::Float)
        }
    }
}

fn binary_integers<S: Scalar>(state: &mut State<S>, operator: Binary, a: IBig, b: IBig) -> Outcome<Number<S>> {
    let divides = matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Remainder);
    if divides && b.is_zero() {
        let fault = Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?");
        // Of `//` and `%`, Python's versions say different things.
        return Err(if operator == Binary::Divide { fault.saying("division by zero") } else { fault });
    }
    match operator {
        Binary::Add | Binary::Subtract => state.budget.spend_product(a.bit_len().max(b.bit_len()), 1)?,
        Binary::Multiply | Binary::Divide | Binary::FloorDivide | Binary::Remainder => {
            state.budget.spend_product(a.bit_len(), b.bit_len())?;
        }
        Binary::Power | Binary::MatrixMultiply => {}
    }
    Ok(match operator {
        Binary::Add => Number::BigInt(a + b),
        Binary::Subtract => Number::BigInt(a - b),
        Binary::Multiply => {
            state.budget.check_bits(a.bit_len().saturating_add(b.bit_len()))?;
            Number::BigInt(a * b)
        }
        Binary::Divide => {
            // The quotient is rounded once, as in Python, even where the integers are no doubles.
            if a.is_zero() && !S::EXACT {
                let zero = S::zero();
                return Ok(Number::Float(if b.is_negative() { zero.neg() } else { zero }));
            }
            let quotient = RBig::from_parts_signed(a, b);
            let scalar = if S::EXACT {
                S::from_integer(quotient.numerator())
                    .zip(S::from_integer(&quotient.denominator().clone().into()))
                    .map(|(a, b)| a.div(&b))
            } else {
                S::from_f64(Constants::to_f64(&quotient))
            };
            match scalar {
                Some(value) => Number::Float(value),
                None => return Err(Fault::new(Code::Overflow, "the quotient is too large for a double")),
            }
        }
        Binary::FloorDivide => Number::BigInt(floor_division(a, b).0),
        Binary::Remainder => Number::BigInt(floor_division(a, b).1),
        Binary::Power if b.is_negative() => {
            let (a, b) = (state.scalar(&Number::BigInt(a))?, state.scalar(&Number::BigInt(b))?);
            Number::Float(binary_scalars(state, operator, &a, &b)?)
        }
        Binary::Power => {
            let exponent = usize::try_from(&b).unwrap_or(usize::MAX);
            // 0, 1 and -1 stay small whatever the exponent.
            if a.bit_len() > 1 {
                // `as` saturates.
                let bits = ((f64::from(a.log2_bounds().1) * exponent as f64) as usize).saturating_add(1);
                state.budget.check_bits(bits)?;
                state.budget.spend_product(bits, bits)?;
                Number::BigInt(a.pow(exponent))
            } else {
                let odd = b.bit(0);
                Number::BigInt(if b.is_zero() || (!a.is_zero() && !odd) { IBig::ONE } else { a })
            }
        }
        Binary::MatrixMultiply => return Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
    })
}

pub(super) fn binary_scalars<S: Scalar>(state: &mut State<S>, operator: Binary, a: &S, b: &S) -> Outcome<S> {
    let divides = matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Remainder);
    if divides && b.is_zero() {
        return Err(Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?"));
    }
    let result = match operator {
        Binary::Add => a.add(b),
        Binary::Subtract => a.sub(b),
        Binary::Multiply => {
            state.budget.check_bits(a.bits().saturating_add(b.bits()))?;
            a.mul(b)
        }
        Binary::Divide => a.div(b),
        Binary::FloorDivide => floor_quotient(state, a, b)?,
        Binary::Remainder => {
            if decides_exactly(a, b) {
                let quotient = floor_quotient(state, a, b)?;
                a.sub(&quotient.mul(b))
            } else {
                S::from_f64(python_remainder(a.to_f64(), b.to_f64())).unwrap_or_else(S::zero)
            }
        }
        Binary::Power => return power(state, a, b),
        Binary::MatrixMultiply => return Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
    };
    state.finite(result)
}

fn floor_quotient<S: Scalar>(state: &mut State<S>, a: &S, b: &S) -> Outcome<S> {
    if decides_exactly(a, b) {
        return state.scalar(&Number::BigInt(a.div(b).floor()));
    }
    S::from_f64(python_floor_quotient(a.to_f64(), b.to_f64()))
        .ok_or_else(|| Fault::new(Code::Overflow, "the quotient is too large for a double"))
}

/// `a ** b`
pub(super) fn power<S: Scalar>(state: &mut State<S>, a: &S, b: &S) -> Outcome<S> {
    let exponent = b.to_f64();
    if a.is_zero() && exponent < 0.0 {
        return Err(Fault::new(Code::DivisionByZero, "zero has no negative power"));
    }
    let whole = exponent.fract() == 0.0 && exponent.abs() <= 1e9;
    if whole && S::EXACT {
        let bits = a.bits().saturating_mul(exponent.abs() as usize);
        if !state.certainty.follows_doubles || state.budget.check_bits(bits).is_ok() {
            state.budget.check_bits(bits)?;
            return state.finite(a.powi(exponent as i32));
        }
    }
    let power = a.to_f64().powf(exponent);
    if power.is_nan() {
        let message = format!("{} has no real power {}", a.to_f64(), exponent);
        return Err(Fault::new(Code::DomainError, message));
    }
    irrational(state, power)
}

/// The double nearest to an irrational number; in exact arithmetic that is worth a note.
pub(super) fn irrational<S: Scalar>(state: &mut State<S>, value: f64) -> Outcome<S> {
    state.certainty.irrational = true;
    let overflow = || Fault::hinted(Code::Overflow, "the result is too large for a double", "choose other units");
    let number = S::from_f64(value).ok_or_else(overflow)?;
    if !S::EXACT {
        return Ok(number);
    }
    if state.certainty.follows_doubles {
        state.certainty.rounded_at(state.span);
        return Ok(number.followed().known_to_be_rounded());
    }
    state.certainty.rounded.get_or_insert(state.span);
    Ok(number)
}

/// `-value`
pub(super) fn negative<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    match value {
        Value::Int(value) if *value != i64::MIN => Ok(Value::Int(-value)),
        Value::Float(value) => Ok(Value::Float(value.neg())),
        Value::Poison => Ok(Value::Poison),
        Value::Series(series) => tables::elementwise::negative_column(state, series),
        Value::Choice(_) => binary(state, Binary::Multiply, value, &Value::Int(-1)),
        Value::Array(_) if choices::lift::holds_choice(state, value, 0) => {
            binary(state, Binary::Multiply, value, &Value::Int(-1))
        }
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            ndarray::elementwise::map_array(state, &array, array.kind, |state, value| {
                ndarray::kind::numpy_negative(state, value)
            })
        }
        Value::NumpyBool(_) | Value::NumpyInt(_) | Value::NumpyFloat(_) => ndarray::kind::numpy_negative(state, value),
        _ => match (value.as_random(), state.number(value).and_then(|number| number.integer())) {
            (Some(x), _) => Ok(random::negate(&x)),
            (None, Some(integer)) => state.integer(-integer),
            (None, None) => Err(Fault::new(Code::TypeMismatch, format!("`-` does not take {}", value.kind()))),
        },
    }
}

/// `+value`
pub(super) fn positive<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    match value {
        Value::Poison | Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Random { .. } => Ok(value.clone()),
        Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
        Value::NumpyInt(_) | Value::NumpyFloat(_) => Ok(value.clone()),
        other => {
            let negated = negative(state, other)?;
            negative(state, &negated)
        }
    }
}

/// Whether no double decides.
fn decides_exactly<S: Scalar>(a: &S, b: &S) -> bool {
    a.double().is_none() && b.double().is_none()
}

/// Quotient and remainder with the remainder's sign that of the divisor.
fn floor_division(a: IBig, b: IBig) -> (IBig, IBig) {
    let remainder = IBig::from((&a).rem_euclid(&b));
    let quotient = (&a).div_euclid(&b);
    if b.is_negative() && !remainder.is_zero() { (quotient - IBig::ONE, remainder + b) } else { (quotient, remainder) }
}

/// As CPython: from the remainder, so that the quotient never overshoots.
fn python_floor_quotient(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn python_remainder(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    match remainder {
        // A zero has the sign of the divisor.
        0.0 => remainder.copysign(b),
        other if (other < 0.0) != (b < 0.0) => other + b,
        other => other,
    }
}

fn division_by_random() -> Box<Fault> {
    Fault::hinted(
        Code::DivisionByRandom,
        "dividing by a random variable does not give a Gaussian",
        "if the divisor is public, such as a count, use the number itself",
    )
}

fn power_of_random() -> Box<Fault> {
    Fault::hinted(
        Code::PowerOfRandom,
        "a power of a random variable is not Gaussian",
        "only sums, differences and multiples of random variables are",
    )
}

fn remainder_of_random(operator: Binary) -> Box<Fault> {
    let message = format!("`{}` of a random variable is not Gaussian", operator.symbol());
    Fault::hinted(Code::RemainderOfRandom, message, "use `/`")
}
