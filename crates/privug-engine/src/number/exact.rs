//! Exact rationals as the scalar of whole programs, where wanted beside the doubles that Python would have.
//!
//! When doubles cannot decide, a program runs again in rationals. What Python decides by its doubles (comparisons, `int`,
//! `str`, keys) must then be decided as before, or another program would run: so its plain numbers carry the double of
//! the first run along, computed by the same operations, and all that decides looks at that. Numbers lose it where they
//! become coefficients ([`settled`](Scalar::settled)).
//!
//! A plain number is what Python computes, not what was meant: where it is further from the rational than
//! [`NUMBER_ERROR`], or looks exact and is not, the rational becomes the double. So a number that meets a random
//! variable is off by no more than its double was taken to be.
//!
//! Irrational numbers, and rationals with too many digits, are the doubles that Python has. They are known to be rounded,
//! and so is what is computed from them: what their last digits would decide stays open, as it does in doubles. What is
//! exactly zero with them is nothing in what Python publishes either.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{Constants, Field, NUMBER_ERROR, Scalar, Wide};

/// A rational number and, in a program that follows its first run in doubles, the double it was there.
#[derive(Clone)]
pub struct Exact {
    value: RBig,
    double: Option<f64>,
    is_rounded: bool,
}

impl From<RBig> for Exact {
    fn from(value: RBig) -> Self {
        Exact { value, double: None, is_rounded: false }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.double {
            Some(double) => write!(formatter, "{} ({double:?})", self.value),
            None => write!(formatter, "{}", self.value),
        }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.double.is_none() && other.double.is_none() {
            return Some(self.value.cmp(&other.value));
        }
        Constants::to_f64(self).partial_cmp(&Constants::to_f64(other))
    }
}

impl Exact {
    /// The rational number.
    pub fn ratio(&self) -> &RBig {
        &self.value
    }

    /// The result of an operation.
    fn computed(&self, other: &Self, value: RBig, on_doubles: impl Fn(f64, f64) -> f64) -> Self {
        let is_rounded = self.is_rounded || other.is_rounded;
        if self.double.is_none() && other.double.is_none() {
            return Exact { value, double: None, is_rounded };
        }
        let found = Self::beside(value, on_doubles(Constants::to_f64(self), Constants::to_f64(other)));
        Exact { is_rounded, ..found }
    }

    /// A rational and the double that Python has computed in its place.
    fn beside(value: RBig, double: f64) -> Self {
        // What is not finite is refused before it is used.
        let exact = RBig::try_from(double).unwrap_or(RBig::ZERO);
        let keeps = exact == value || {
            let off = Constants::to_f64(&(&value - &exact)).abs();
            double.is_rounded() && off <= NUMBER_ERROR * double.abs()
        };
        let value = if keeps || !double.is_finite() { value } else { exact };
        Exact { value, double: Some(double), is_rounded: false }
    }
}

impl Constants for Exact {
    fn zero() -> Self {
        RBig::ZERO.into()
    }

    fn one() -> Self {
        RBig::ONE.into()
    }

    fn is_zero(&self) -> bool {
        match self.double {
            Some(double) => double == 0.0,
            None => self.value.is_zero(),
        }
    }

    fn to_f64(&self) -> f64 {
        self.double.unwrap_or_else(|| Constants::to_f64(&self.value))
    }
}

impl Add for &Exact {
    type Output = Exact;

    fn add(self, other: Self) -> Exact {
        self.computed(other, &self.value + &other.value, |a, b| a + b)
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, other: Self) -> Exact {
        self.computed(other, &self.value - &other.value, |a, b| a - b)
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, other: Self) -> Exact {
        self.computed(other, &self.value * &other.value, |a, b| a * b)
    }
}

impl Div for &Exact {
    type Output = Exact;

    fn div(self, other: Self) -> Exact {
        self.computed(other, &self.value / &other.value, |a, b| a / b)
    }
}

impl Neg for Exact {
    type Output = Exact;

    fn neg(self) -> Self {
        Exact { value: -self.value.clone(), double: self.double.map(|double| -double), is_rounded: self.is_rounded }
    }
}

impl Scalar for Exact {
    type Wide = Exact;
    const EXACT: bool = true;

    fn from_integer(value: &IBig) -> Option<Self> {
        Some(RBig::from(value.clone()).into())
    }

    fn from_i64(value: i64) -> Self {
        RBig::from(value).into()
    }

    fn from_f64(value: f64) -> Option<Self> {
        <RBig as Scalar>::from_f64(value).map(Exact::from)
    }

    fn from_literal(text: &str) -> Option<Self> {
        <RBig as Scalar>::from_literal(text).map(Exact::from)
    }

    fn from_written(value: f64) -> Option<Self> {
        <RBig as Scalar>::from_written(value).map(Exact::from)
    }

    fn from_ratio(value: &RBig) -> Self {
        value.clone().into()
    }

    fn followed(self) -> Self {
        let double = Constants::to_f64(&self);
        Exact { double: Some(double), ..self }
    }

    fn followed_by(self, double: f64) -> Self {
        Exact { is_rounded: self.is_rounded, ..Exact::beside(self.value, double) }
    }

    fn known_to_be_rounded(self) -> Self {
        Exact { is_rounded: true, ..self }
    }

    fn settled(&self) -> Self {
        Exact { double: None, ..self.clone() }
    }

    fn double(&self) -> Option<f64> {
        self.double
    }

    fn exact_value(&self) -> Option<&RBig> {
        Some(&self.value)
    }

    fn to_exact_string(&self) -> Option<String> {
        self.double.is_none().then(|| self.value.to_string())
    }

    fn joined(&self, other: &Self) -> Option<Self> {
        // What rounded numbers leave of each other has the errors of both, and looks as if it had not.
        let is_known =
            !(self.is_rounded || other.is_rounded) || (self.value < RBig::ZERO) == (other.value < RBig::ZERO);
        (is_known || self.value.is_zero() || other.value.is_zero()).then(|| Field::add(self, other))
    }

    fn exact_product(&self, other: &Self) -> Option<Self> {
        (!self.is_rounded || !other.is_rounded).then(|| Field::mul(self, other))
    }

    fn exact_quotient(&self, other: &Self) -> Option<Self> {
        (!self.is_rounded || !other.is_rounded).then(|| Field::div(self, other))
    }

    fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    fn integer_parts(value: &IBig) -> Option<Vec<Self>> {
        Some(vec![RBig::from(value.clone()).into()])
    }

    fn powi(&self, exponent: i32) -> Self {
        let value = Scalar::powi(&self.value, exponent);
        let power = match self.double {
            Some(double) => Exact::beside(value, Scalar::powi(&double, exponent)),
            None => value.into(),
        };
        Exact { is_rounded: self.is_rounded, ..power }
    }

    fn floor(&self) -> IBig {
        match self.double {
            Some(double) => Scalar::floor(&double),
            None => RBig::floor(&self.value),
        }
    }

    fn is_finite(&self) -> bool {
        self.double.is_none_or(f64::is_finite)
    }

    fn cmp_integer(&self, other: &IBig) -> Option<Ordering> {
        match self.double {
            Some(double) => double.cmp_integer(other),
            None => self.value.cmp_integer(other),
        }
    }

    fn bits(&self) -> usize {
        Scalar::bits(&self.value)
    }
}

/// Conditioning knows no doubles beside rationals.
impl Wide for Exact {
    type Narrow = Exact;
    const UNIT_ROUNDOFF: f64 = 0.0;

    fn widen(value: &Exact) -> Self {
        value.settled()
    }

    fn narrow(&self) -> Exact {
        self.clone()
    }

    fn to_parts(&self) -> (f64, f64) {
        self.value.to_parts()
    }

    fn add_narrow(&self, other: &Exact) -> Self {
        (&self.value + &other.value).into()
    }

    fn mul_narrow(&self, other: &Exact) -> Self {
        (&self.value * &other.value).into()
    }

    fn times_power_of_two(&self, e: i32) -> Self {
        self.value.times_power_of_two(e).into()
    }

    fn operation_cost(&self) -> u64 {
        self.value.operation_cost()
    }

    fn mantissa_bits(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(text: &str) -> Exact {
        <Exact as Scalar>::from_literal(text).expect("a literal").followed()
    }

    #[test]
    fn doubles_decide_and_rationals_stay() {
        let sum = Field::add(&followed("0.1"), &followed("0.2"));
        assert_ne!(sum, followed("0.3"));
        assert_eq!(sum.settled(), followed("0.3").settled());
        assert_eq!((sum.ratio().to_string(), sum.double()), ("3/10".to_owned(), Some(0.1 + 0.2)));
        let product = Field::mul(&followed("0.29"), &<Exact as Scalar>::from_i64(100));
        assert_eq!((Scalar::floor(&product), product.ratio().clone()), (IBig::from(28), RBig::from(29)));
    }

    #[test]
    fn what_python_loses_is_lost() {
        let sum = Field::add(&followed("1e17"), &followed("1"));
        assert_eq!(sum.ratio().to_string(), "100000000000000000");
        let rest = Field::sub(&Field::add(&followed("1e9"), &followed("0.1")), &followed("1e9"));
        assert_eq!(Some(rest.ratio().clone()), RBig::try_from((1e9 + 0.1) - 1e9).ok());
        let mut total = followed("0");
        for _ in 0..100_000 {
            total = Field::add(&total, &followed("0.1"));
        }
        let double = (0..100_000).fold(0.0, |sum, _| sum + 0.1);
        assert_eq!(total.double(), Some(double));
        let off = total.ratio() - RBig::try_from(double).expect("finite");
        assert!(Constants::to_f64(&off).abs() <= NUMBER_ERROR * double);
    }

    #[test]
    fn without_doubles_nothing_is_rounded() {
        let plain = |text: &str| <Exact as Scalar>::from_literal(text).expect("a literal");
        assert_eq!(Field::add(&plain("0.1"), &plain("0.2")), plain("0.3"));
        assert_eq!(Field::add(&plain("1e17"), &plain("1")).to_exact_string().as_deref(), Some("100000000000000001"));
    }
}
