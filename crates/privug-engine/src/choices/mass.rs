//! Probabilities that do not underflow.

use dashu_base::BitTest;
use dashu_int::IBig;

use crate::number::{Rational, Scalar};

/// A probability: a number times a power of two. Rationals need no power.
///
/// Probabilities are added and multiplied only, and none is negative: each operation is off by at most half a unit in the
/// last place of its own result, and errors never cancel digits (`docs/proofs/choices.md`).
#[derive(Debug, Clone, PartialEq)]
pub struct Mass<S> {
    value: S,
    exponent: i64,
}

/// Doubles below 2⁻²⁵⁶ are moved up by so much.
const STEP: i32 = 256;

/// The smallest positive double.
const SMALLEST: f64 = f64::from_bits(1);

/// A probability as a double: 0 only if it is exactly 0.
pub fn to_probability<S: Scalar>(p: &S) -> f64 {
    let nearest = p.to_f64();
    if nearest == 0.0 && !p.is_zero() { SMALLEST } else { nearest }
}

impl<S: Scalar> Mass<S> {
    /// 0.
    pub fn zero() -> Self {
        Mass { value: S::zero(), exponent: 0 }
    }

    /// 1.
    pub fn one() -> Self {
        Mass { value: S::one(), exponent: 0 }
    }

    /// A probability as it is.
    pub fn of(value: S) -> Self {
        Mass { value, exponent: 0 }.scaled()
    }

    /// A number times a power of two.
    pub fn new(value: S, exponent: i64) -> Self {
        Mass { value, exponent }.scaled()
    }

    /// e to a power, as near as doubles can tell.
    pub fn exp(power: f64) -> Self {
        let exponent = (power / std::f64::consts::LN_2).floor();
        if !exponent.is_finite() {
            return Mass::zero();
        }
        // ln 2 in two parts, so that the difference of large numbers keeps its digits.
        let (high, low) = (6.931_471_803_691_238e-1, 1.908_214_929_270_588e-10);
        let rest = (power - exponent * high) - exponent * low;
        Mass { value: S::from_f64(rest.exp()).unwrap_or_else(S::zero), exponent: exponent as i64 }
    }

    /// Whether this is exactly 0.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    fn scaled(mut self) -> Self {
        if S::EXACT || self.value.is_zero() {
            return self;
        }
        let power = |e: i32| S::from_f64(2f64.powi(e)).unwrap_or_else(S::one);
        while self.value < power(-STEP) {
            self.value = self.value.mul(&power(STEP));
            self.exponent -= i64::from(STEP);
        }
        while self.value > power(STEP) {
            self.value = self.value.mul(&power(-STEP));
            self.exponent += i64::from(STEP);
        }
        self
    }

    /// Product.
    pub fn mul(&self, other: &Self) -> Self {
        Mass { value: self.value.mul(&other.value), exponent: self.exponent + other.exponent }.scaled()
    }

    /// Quotient; the divisor is not zero.
    pub fn div(&self, other: &Self) -> Self {
        Mass { value: self.value.div(&other.value), exponent: self.exponent - other.exponent }.scaled()
    }

    /// Sum.
    pub fn add(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let distance = large.exponent - small.exponent;
        // The smaller is below half a unit in the last place of what can be told apart.
        if distance > 1500 {
            return large.clone();
        }
        let mut moved = small.value.clone();
        let mut left = distance;
        while left > 0 {
            let step = left.min(512);
            moved = moved.mul(&S::from_f64(2f64.powi(-(step as i32))).unwrap_or_else(S::one));
            left -= step;
        }
        Mass { value: large.value.add(&moved), exponent: large.exponent }.scaled()
    }

    /// The scalar. What is possible but too small for a double is the smallest double: only what is impossible is 0.
    pub fn scalar(&self) -> S {
        let value = self.unfloored();
        if value.is_zero() && !self.is_zero() { S::from_f64(SMALLEST).unwrap_or(value) } else { value }
    }

    fn unfloored(&self) -> S {
        if self.exponent == 0 {
            return self.value.clone();
        }
        let clamped = self.exponent.clamp(-4000, 4000) as i32;
        let mut value = self.value.clone();
        let mut left = clamped;
        while left != 0 {
            let step = left.clamp(-512, 512);
            value = value.mul(&S::from_f64(2f64.powi(step)).unwrap_or_else(S::one));
            left -= step;
        }
        value
    }

    /// The number, and the power of two that it is multiplied by.
    pub fn parts(&self) -> (&S, i64) {
        (&self.value, self.exponent)
    }

    /// The natural logarithm.
    pub fn ln(&self) -> f64 {
        let value = self.value.exact_value().map_or_else(|| self.value.to_f64().ln(), ln_of_ratio);
        value + self.exponent as f64 * std::f64::consts::LN_2
    }

    /// Whether this is the larger.
    pub fn is_above(&self, other: &Self) -> bool {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => self.div(other).scalar() > S::one(),
        }
    }
}

/// The logarithm of a positive ratio, which may be too small or too large for a double.
fn ln_of_ratio(ratio: &Rational) -> f64 {
    ln_of_integer(ratio.numerator()) - ln_of_integer(&IBig::from(ratio.denominator().clone()))
}

fn ln_of_integer(value: &IBig) -> f64 {
    let spare = value.bit_len().saturating_sub(64);
    let top = (value.clone() >> spare).to_f64().value();
    top.ln() + spare as f64 * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_do_not_underflow() {
        let small = Mass::of(1e-200_f64);
        let product = (0..10).fold(Mass::one(), |product, _| product.mul(&small));
        assert!((product.ln() + 2000.0 * 10f64.ln()).abs() < 1e-9);
        assert_eq!(product.scalar(), 5e-324);
        assert_eq!(Mass::<f64>::zero().scalar(), 0.0);
        let twice = product.add(&product);
        assert!((twice.div(&product).scalar() - 2.0).abs() < 1e-15);
        assert!(twice.is_above(&product) && !product.is_above(&twice));
    }

    #[test]
    fn powers_of_e_keep_their_digits() {
        for power in [-1e5, -800.0, -0.5, 0.0, 0.3, 700.0] {
            assert!((Mass::<f64>::exp(power).ln() - power).abs() <= 1e-15 * power.abs().max(1.0) * 4.0);
        }
    }

    #[test]
    fn sums_align_their_powers() {
        let (large, small) = (Mass::of(1.0), Mass::of(1e-170_f64).mul(&Mass::of(1e-170)));
        assert_eq!(large.add(&small).scalar(), 1.0);
        let difference = small.add(&Mass::of(1e-300)).div(&Mass::of(1e-300)).scalar();
        assert!((difference - 1.0).abs() < 1e-15);
    }
}
