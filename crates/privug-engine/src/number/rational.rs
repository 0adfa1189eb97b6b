//! Exact rationals as a scalar, and as their own wide field.

use std::cmp::Ordering;

use dashu_base::{Approximation, BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Constants, Scalar, Wide};

/// Powers of ten above this are refused in literals: `1e1000000000` would fill the memory.
const MAX_DECIMAL_EXPONENT: i64 = 100_000;

impl Constants for RBig {
    fn zero() -> Self {
        RBig::ZERO
    }

    fn one() -> Self {
        RBig::ONE
    }

    fn is_zero(&self) -> bool {
        RBig::is_zero(self)
    }

    fn to_f64(&self) -> f64 {
        match self.to_f64() {
            Approximation::Exact(value) | Approximation::Inexact(value, _) => value,
        }
    }
}

impl Scalar for RBig {
    type Wide = RBig;
    const EXACT: bool = true;

    fn from_integer(value: &IBig) -> Option<Self> {
        Some(RBig::from(value.clone()))
    }

    fn from_i64(value: i64) -> Self {
        RBig::from(value)
    }

    fn from_f64(value: f64) -> Option<Self> {
        RBig::try_from(value).ok()
    }

    /// `12.5e-3` is 125/10⁴.
    fn from_literal(text: &str) -> Option<Self> {
        let text = text.replace('_', "");
        let (digits, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
            None => (text.as_str(), 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent = exponent.checked_sub(fraction.len() as i64)?;
        if exponent.abs() > MAX_DECIMAL_EXPONENT {
            return None;
        }
        let mantissa = IBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?;
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        Some(if exponent < 0 { RBig::from_parts(mantissa, power) } else { RBig::from(mantissa * IBig::from(power)) })
    }

    fn from_written(value: f64) -> Option<Self> {
        value.is_finite().then_some(())?;
        let magnitude = Self::from_literal(&format!("{:?}", value.abs()))?;
        Some(if value < 0.0 { -magnitude } else { magnitude })
    }

    fn from_ratio(value: &RBig) -> Self {
        value.clone()
    }

    fn followed(self) -> Self {
        self
    }

    fn known_to_be_rounded(self) -> Self {
        self
    }

    fn followed_by(self, _double: f64) -> Self {
        self
    }

    fn settled(&self) -> Self {
        self.clone()
    }

    fn double(&self) -> Option<f64> {
        None
    }

    fn exact_value(&self) -> Option<&RBig> {
        Some(self)
    }

    fn to_exact_string(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn joined(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }

    fn exact_product(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn exact_quotient(&self, other: &Self) -> Option<Self> {
        Some(self / other)
    }

    fn is_rounded(&self) -> bool {
        false
    }

    fn integer_parts(value: &IBig) -> Option<Vec<Self>> {
        Some(vec![RBig::from(value.clone())])
    }

    fn powi(&self, exponent: i32) -> Self {
        self.pow(exponent as isize)
    }

    fn floor(&self) -> IBig {
        RBig::floor(self)
    }

    fn is_finite(&self) -> bool {
        true
    }

    fn cmp_integer(&self, other: &IBig) -> Option<Ordering> {
        Some(self.cmp(&RBig::from(other.clone())))
    }

    fn bits(&self) -> usize {
        self.numerator().clone().unsigned_abs().bit_len() + self.denominator().bit_len()
    }
}

impl Wide for RBig {
    type Narrow = RBig;
    const UNIT_ROUNDOFF: f64 = 0.0;

    fn widen(value: &RBig) -> Self {
        value.clone()
    }

    fn narrow(&self) -> RBig {
        self.clone()
    }

    fn to_parts(&self) -> (f64, f64) {
        let high = Constants::to_f64(self);
        let low = <RBig as Scalar>::from_f64(high).map_or(0.0, |rounded| Constants::to_f64(&(self - rounded)));
        (high, low)
    }

    fn add_narrow(&self, other: &RBig) -> Self {
        self + other
    }

    fn mul_narrow(&self, other: &RBig) -> Self {
        self * other
    }

    fn times_power_of_two(&self, e: i32) -> Self {
        let power = RBig::from(UBig::ONE << e.unsigned_abs() as usize);
        if e < 0 { self / power } else { self * power }
    }

    fn operation_cost(&self) -> u64 {
        // Reducing a fraction takes time with the square of its length.
        let words = 1 + Scalar::bits(self) as u64 / 64;
        16 * words * words
    }

    fn mantissa_bits(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_the_decimal_they_show() {
        let read = |text: &str| RBig::from_literal(text).map(|value| value.to_string());
        assert_eq!(read("0.1").as_deref(), Some("1/10"));
        assert_eq!(read("480_000.50").as_deref(), Some("960001/2"));
        assert_eq!(read("1e-3").as_deref(), Some("1/1000"));
        assert_eq!(read("1.5E2").as_deref(), Some("150"));
        assert_eq!(read(".5").as_deref(), Some("1/2"));
        assert_eq!(read("5.").as_deref(), Some("5"));
        assert_eq!(read("1e999999999"), None);
    }

    #[test]
    fn floor_rounds_towards_minus_infinity() {
        let floor = |text: &str| Scalar::floor(&RBig::from_literal(text).unwrap()).to_string();
        assert_eq!([floor("2.5"), floor("2")], ["2", "2"]);
        assert_eq!(Scalar::floor(&-RBig::from_literal("2.5").unwrap()).to_string(), "-3");
    }
}
