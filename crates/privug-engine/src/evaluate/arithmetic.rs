//! Python's arithmetic on all kinds of values.

use dashu_base::{BitTest, DivEuclid, EstimatedLog2, RemEuclid, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::budget::BYTES_PER_STEP;
use super::builtins::Counting;
use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Number, Value};
use crate::network::Affine;
use crate::number::{Constants, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, SetMethod};

impl<S: Scalar> State<S> {
    /// `left operator right`
    #[inline]
    pub(super) fn binary(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        // What loops do most of the time; everything else takes the long way.
        match (operator, left, right) {
            (Binary::Add, Value::Int(a), Value::Int(b)) => {
                if let Some(sum) = a.checked_add(*b) {
                    return Ok(Value::Int(sum));
                }
            }
            (Binary::Add, Value::Float(a), Value::Float(b)) => return self.float(a.add(b)),
            (Binary::Multiply, Value::Float(a), Value::Float(b)) => return self.float(a.mul(b)),
            (Binary::Add, Value::Random { .. }, Value::Random { .. }) => {
                if let (Some(a), Some(b)) = (left.as_random(), right.as_random()) {
                    return self.add(&a, &b, false);
                }
            }
            _ => {}
        }
        self.binary_slow(operator, left, right)
    }

    /// What is computed with NaN is NaN, except for NaN⁰ and 1 to the power of NaN, which are 1.
    fn binary_missing(&self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Option<Value<S>> {
        let is_number = |value: &Value<S>| value.as_random().is_some() || self.number(value).is_some();
        let equals = |value: &Value<S>, wanted: S| {
            self.number(value).and_then(|number| number.scalar()).is_some_and(|number| number == wanted)
        };
        match (left, right) {
            (Value::Missing, other) if operator == Binary::Power && equals(other, S::zero()) => {
                Some(Value::Float(S::one()))
            }
            (other, Value::Missing) if operator == Binary::Power && equals(other, S::one()) => {
                Some(Value::Float(S::one()))
            }
            (Value::Missing, Value::Missing) => Some(Value::Missing),
            (Value::Missing, other) | (other, Value::Missing) if is_number(other) => Some(Value::Missing),
            _ => None,
        }
    }

    pub(super) fn binary_slow(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        if let (Some(_), _) | (_, Some(_)) = (left.uncounted(), right.uncounted()) {
            let uncounted = |value: &Value<S>| value.uncounted().unwrap_or_else(|| value.clone());
            return self.binary(operator, &uncounted(left), &uncounted(right));
        }
        if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
            return Ok(Value::Poison);
        }
        if matches!(left, Value::Dict(_))
            && let Some(joined) = self.joined_counters(Counting::of_binary(operator), left, right)?
        {
            return Ok(joined);
        }
        if self.worlds.exist()
            && let Some(result) = self.binary_on_choices(operator, left, right)?
        {
            return Ok(result);
        }
        if matches!(left, Value::Frame(_)) || matches!(right, Value::Frame(_)) {
            return self.frame_arithmetic(operator, left, right);
        }
        if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
            return self.binary_columns(operator, &left.plain(), &right.plain());
        }
        if self.is_axis(left) || self.is_axis(right) {
            let (left, right) = (self.axis_column(left)?, self.axis_column(right)?);
            return self.binary_columns(operator, &left.plain(), &right.plain());
        }
        if matches!(left, Value::Array(_)) || matches!(right, Value::Array(_)) || operator == Binary::MatrixMultiply {
            return self.binary_arrays(operator, left, right);
        }
        if let Some(result) = self.binary_missing(operator, left, right) {
            return Ok(result);
        }
        if left.is_numpy_scalar() || right.is_numpy_scalar() {
            return self.numpy_binary(operator, left, right);
        }
        if let (Some(a), Some(b)) = (left.as_random(), right.as_random()) {
            return match operator {
                Binary::Add => self.add(&a, &b, false),
                Binary::Subtract => self.add(&a, &b, true),
                Binary::Multiply => Err(Fault::hinted(
                    Code::ProductOfRandom,
                    "two random variables are multiplied, and their product is not Gaussian",
                    "multiply by a number, or model the product with a `Normal` of its own",
                )),
                Binary::Divide => Err(division_by_random()),
                Binary::Power => Err(power_of_random()),
                Binary::FloorDivide | Binary::Remainder => Err(remainder_of_random(operator)),
                Binary::MatrixMultiply => Err(self.mismatch(operator, left, right)),
            };
        }
        match (left.as_random(), self.number(right)) {
            (Some(x), Some(number)) => return self.random_and_number(operator, &x, &number),
            (Some(_), None) => return Err(self.mismatch(operator, left, right)),
            (None, _) => {}
        }
        match (self.number(left), right.as_random()) {
            (Some(number), Some(x)) => match operator {
                Binary::Add | Binary::Multiply => self.random_and_number(operator, &x, &number),
                Binary::Subtract => match self.negate(&x).as_random() {
                    Some(negated) => self.random_and_number(Binary::Add, &negated, &number),
                    None => Err(self.mismatch(operator, left, right)),
                },
                Binary::Divide => Err(division_by_random()),
                Binary::Power => Err(power_of_random()),
                Binary::FloorDivide | Binary::Remainder => Err(remainder_of_random(operator)),
                Binary::MatrixMultiply => Err(self.mismatch(operator, left, right)),
            },
            (None, Some(_)) => Err(self.mismatch(operator, left, right)),
            (Some(a), None) if self.number(right).is_some() => {
                let b = self.number(right).unwrap_or(Number::Int(0));
                let result = self.binary_numbers(operator, a, b)?;
                self.number_value(result)
            }
            _ => self.binary_containers(operator, left, right),
        }
    }

    /// `x operator number`
    fn random_and_number(&mut self, operator: Binary, x: &Affine<S>, number: &Number<S>) -> Outcome<Value<S>> {
        match (operator, number.exact_scalar()) {
            (Binary::Add, Some(by)) => self.shift(x, &by),
            (Binary::Subtract, Some(by)) => self.shift(x, &by.neg()),
            (Binary::Multiply, Some(by)) => self.scale(x, &by),
            // An integer that is no double is the sum of several.
            (Binary::Add | Binary::Subtract, None) => {
                let mut sum = x.clone();
                for part in self.number_parts(number)? {
                    let part = if operator == Binary::Subtract { part.neg() } else { part };
                    sum = self.shift(&sum, &part)?.as_random().unwrap_or(sum);
                }
                Ok(Value::random(sum))
            }
            (Binary::Multiply, None) => {
                let mut sum: Option<Affine<S>> = None;
                for part in self.number_parts(number)? {
                    let Some(product) = self.scale(x, &part)?.as_random() else { continue };
                    sum = match sum {
                        Some(sum) => self.add(&sum, &product, false)?.as_random(),
                        None => Some(product),
                    };
                }
                Ok(sum.map_or(Value::Poison, Value::random))
            }
            (Binary::Divide, _) => {
                let by = self.met_number(number)?;
                self.divide(x, &by)
            }
            (Binary::Power, _) if self.scalar(number)? == S::one() => Ok(Value::random(x.clone())),
            (Binary::Power, _) => Err(power_of_random()),
            (Binary::FloorDivide | Binary::Remainder, _) => Err(remainder_of_random(operator)),
            (Binary::MatrixMultiply, _) => Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
        }
    }

    /// Lists, tuples and texts: `+` joins, `*` repeats.
    fn binary_containers(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        match (operator, left, right) {
            (Binary::Add, Value::List(a), Value::List(b)) => {
                let joined = self.joined(*a, *b)?;
                self.list(joined)
            }
            (Binary::Add, Value::Tuple(a), Value::Tuple(b)) => {
                let joined = self.joined(*a, *b)?;
                self.tuple(joined)
            }
            (Binary::Subtract, Value::Set(a), Value::Set(b)) => self.joined_sets(SetMethod::Difference, *a, *b),
            (Binary::Add, Value::Text(a), Value::Text(b)) => {
                let bytes = self.heap.text(*a).len() + self.heap.text(*b).len();
                self.budget.spend_steps(bytes as u64 / BYTES_PER_STEP)?;
                let joined = format!("{}{}", self.heap.text(*a), self.heap.text(*b));
                self.text(joined)
            }
            (Binary::Multiply, Value::List(list), count @ (Value::Int(_) | Value::Bool(_)))
            | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::List(list)) => {
                let repeated = self.whole(count, "the factor").and_then(|count| self.repeated(*list, count))?;
                self.list(repeated)
            }
            (Binary::Multiply, Value::Tuple(tuple), count @ (Value::Int(_) | Value::Bool(_)))
            | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::Tuple(tuple)) => {
                let repeated = self.whole(count, "the factor").and_then(|count| self.repeated(*tuple, count))?;
                self.tuple(repeated)
            }
            (Binary::Multiply, Value::Text(text), count @ (Value::Int(_) | Value::Bool(_)))
            | (Binary::Multiply, count @ (Value::Int(_) | Value::Bool(_)), Value::Text(text)) => {
                let count = self.whole(count, "the factor")?.max(0) as u64;
                let bytes = (self.heap.text(*text).len() as u64).saturating_mul(count);
                self.budget.check_elements(bytes / BYTES_PER_STEP)?;
                self.budget.spend_steps(bytes / BYTES_PER_STEP)?;
                let repeated = if bytes == 0 { String::new() } else { self.heap.text(*text).repeat(count as usize) };
                self.text(repeated)
            }
            _ => Err(self.mismatch(operator, left, right)),
        }
    }

    fn joined(&mut self, a: u32, b: u32) -> Outcome<Vec<Value<S>>> {
        let (a, b) = (self.heap.sequence(a), self.heap.sequence(b));
        let joined: Vec<_> = a.iter().chain(b).cloned().collect();
        self.budget.spend_steps(joined.len() as u64)?;
        Ok(joined)
    }

    pub(super) fn repeated(&mut self, list: u32, count: i64) -> Outcome<Vec<Value<S>>> {
        let count = count.max(0) as u64;
        let length = (self.heap.sequence(list).len() as u64).saturating_mul(count);
        // Counted before it is made: `[0] * 10**12` must not be tried.
        self.budget.check_elements(length)?;
        self.budget.spend_steps(length)?;
        let elements = self.heap.sequence(list);
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

    pub(super) fn mismatch(&self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Box<Fault> {
        let message = format!("`{}` does not take {} and {}", operator.symbol(), left.kind(), right.kind());
        Fault::new(Code::TypeMismatch, message)
    }

    fn binary_numbers(&mut self, operator: Binary, a: Number<S>, b: Number<S>) -> Outcome<Number<S>> {
        if let (Number::Int(a), Number::Int(b)) = (&a, &b) {
            let small = match operator {
                Binary::Add => a.checked_add(*b),
                Binary::Subtract => a.checked_sub(*b),
                Binary::Multiply => a.checked_mul(*b),
                Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => {
                    None
                }
            };
            if let Some(small) = small {
                return Ok(Number::Int(small));
            }
        }
        match (a.integer(), b.integer()) {
            (Some(a), Some(b)) => self.binary_integers(operator, a, b),
            _ => {
                let (a, b) = (self.scalar(&a)?, self.scalar(&b)?);
                self.binary_scalars(operator, &a, &b).map(Number::Float)
            }
        }
    }

    fn binary_integers(&mut self, operator: Binary, a: IBig, b: IBig) -> Outcome<Number<S>> {
        let divides = matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Remainder);
        if divides && b.is_zero() {
            return Err(Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?"));
        }
        match operator {
            Binary::Add | Binary::Subtract => self.budget.spend_product(a.bit_len().max(b.bit_len()), 1)?,
            Binary::Multiply | Binary::Divide | Binary::FloorDivide | Binary::Remainder => {
                self.budget.spend_product(a.bit_len(), b.bit_len())?;
            }
            Binary::Power | Binary::MatrixMultiply => {}
        }
        Ok(match operator {
            Binary::Add => Number::BigInt(a + b),
            Binary::Subtract => Number::BigInt(a - b),
            Binary::Multiply => {
                self.budget.check_bits(a.bit_len().saturating_add(b.bit_len()))?;
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
                let (a, b) = (self.scalar(&Number::BigInt(a))?, self.scalar(&Number::BigInt(b))?);
                Number::Float(self.binary_scalars(operator, &a, &b)?)
            }
            Binary::Power => {
                let exponent = usize::try_from(&b).unwrap_or(usize::MAX);
                // 0, 1 and -1 stay small whatever the exponent.
                if a.bit_len() > 1 {
                    // `as` saturates.
                    let bits = ((f64::from(a.log2_bounds().1) * exponent as f64) as usize).saturating_add(1);
                    self.budget.check_bits(bits)?;
                    self.budget.spend_product(bits, bits)?;
                    Number::BigInt(a.pow(exponent))
                } else {
                    let odd = b.bit(0);
                    Number::BigInt(if b.is_zero() || (!a.is_zero() && !odd) { IBig::ONE } else { a })
                }
            }
            Binary::MatrixMultiply => return Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
        })
    }

    pub(super) fn binary_scalars(&mut self, operator: Binary, a: &S, b: &S) -> Outcome<S> {
        let divides = matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Remainder);
        if divides && b.is_zero() {
            return Err(Fault::hinted(Code::DivisionByZero, "division by zero", "is a list empty?"));
        }
        let result = match operator {
            Binary::Add => a.add(b),
            Binary::Subtract => a.sub(b),
            Binary::Multiply => {
                self.budget.check_bits(a.bits().saturating_add(b.bits()))?;
                a.mul(b)
            }
            Binary::Divide => a.div(b),
            Binary::FloorDivide => self.floor_quotient(a, b)?,
            Binary::Remainder => {
                if decides_exactly(a, b) {
                    let quotient = self.floor_quotient(a, b)?;
                    a.sub(&quotient.mul(b))
                } else {
                    S::from_f64(python_remainder(a.to_f64(), b.to_f64())).unwrap_or_else(S::zero)
                }
            }
            Binary::Power => return self.power(a, b),
            Binary::MatrixMultiply => return Err(Fault::new(Code::TypeMismatch, "`@` does not take two numbers")),
        };
        self.finite(result)
    }

    fn floor_quotient(&mut self, a: &S, b: &S) -> Outcome<S> {
        if decides_exactly(a, b) {
            return self.scalar(&Number::BigInt(a.div(b).floor()));
        }
        S::from_f64(python_floor_quotient(a.to_f64(), b.to_f64()))
            .ok_or_else(|| Fault::new(Code::Overflow, "the quotient is too large for a double"))
    }

    /// `a ** b`
    pub(super) fn power(&mut self, a: &S, b: &S) -> Outcome<S> {
        let exponent = b.to_f64();
        if a.is_zero() && exponent < 0.0 {
            return Err(Fault::new(Code::DivisionByZero, "zero has no negative power"));
        }
        let whole = exponent.fract() == 0.0 && exponent.abs() <= 1e9;
        if whole && S::EXACT {
            self.budget.check_bits(a.bits().saturating_mul(exponent.abs() as usize))?;
            return self.finite(a.powi(exponent as i32));
        }
        let power = a.to_f64().powf(exponent);
        if power.is_nan() {
            let message = format!("{} has no real power {}", a.to_f64(), exponent);
            return Err(Fault::new(Code::DomainError, message));
        }
        self.irrational(power)
    }

    /// The double nearest to an irrational number; in exact arithmetic that is worth a note.
    pub(super) fn irrational(&mut self, value: f64) -> Outcome<S> {
        self.certainty.irrational = true;
        if S::EXACT {
            self.certainty.rounded.get_or_insert(self.span);
        }
        S::from_f64(value)
            .ok_or_else(|| Fault::hinted(Code::Overflow, "the result is too large for a double", "choose other units"))
    }

    /// `-value`
    pub(super) fn negative(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        match value {
            Value::Int(value) if *value != i64::MIN => Ok(Value::Int(-value)),
            Value::Float(value) => Ok(Value::Float(value.neg())),
            Value::Poison => Ok(Value::Poison),
            Value::Series(series) => self.negative_column(series),
            Value::Choice(_) => self.binary(Binary::Multiply, value, &Value::Int(-1)),
            Value::Array(_) if self.holds_choice(value, 0) => self.binary(Binary::Multiply, value, &Value::Int(-1)),
            Value::Array(handle) => {
                let array = self.heap.array(*handle).clone();
                self.map_array(&array, array.kind, |state, value| state.numpy_negative(value))
            }
            Value::NumpyBool(_) | Value::NumpyInt(_) | Value::NumpyFloat(_) => self.numpy_negative(value),
            _ => match (value.as_random(), self.number(value).and_then(|number| number.integer())) {
                (Some(x), _) => Ok(self.negate(&x)),
                (None, Some(integer)) => self.integer(-integer),
                (None, None) => Err(Fault::new(Code::TypeMismatch, format!("`-` does not take {}", value.kind()))),
            },
        }
    }

    /// `+value`
    pub(super) fn positive(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        match value {
            Value::Poison | Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Random { .. } => {
                Ok(value.clone())
            }
            Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
            Value::NumpyInt(_) | Value::NumpyFloat(_) => Ok(value.clone()),
            other => {
                let negated = self.negative(other)?;
                self.negative(&negated)
            }
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
