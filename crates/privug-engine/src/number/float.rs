//! `f64` as a scalar.

use std::cmp::Ordering;

use dashu_base::Approximation;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::double_double::{mantissa_bits, two_product, two_sum};
use super::rounding::EXACT_MANTISSA_BITS;
use super::{Constants, DoubleDouble, Scalar};

/// Below this the error of a product is too small for a double.
const SMALLEST_PRODUCT: f64 = 1e-290;

impl Constants for f64 {
    #[inline]
    fn zero() -> Self {
        0.0
    }

    #[inline]
    fn one() -> Self {
        1.0
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    #[inline]
    fn to_f64(&self) -> f64 {
        *self
    }
}

impl Scalar for f64 {
    type Wide = DoubleDouble;
    const EXACT: bool = false;

    fn from_integer(value: &IBig) -> Option<Self> {
        match value.to_f64() {
            Approximation::Exact(value) | Approximation::Inexact(value, _) => value.is_finite().then_some(value),
        }
    }

    #[inline]
    fn from_i64(value: i64) -> Self {
        value as f64
    }

    #[inline]
    fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(value)
    }

    fn from_literal(text: &str) -> Option<Self> {
        text.replace('_', "").parse().ok().filter(|value: &f64| value.is_finite())
    }

    #[inline]
    fn from_written(value: f64) -> Option<Self> {
        Self::from_f64(value)
    }

    fn from_ratio(value: &RBig) -> Self {
        Constants::to_f64(value)
    }

    #[inline]
    fn followed(self) -> Self {
        self
    }

    #[inline]
    fn known_to_be_rounded(self) -> Self {
        self
    }

    #[inline]
    fn followed_by(self, _double: f64) -> Self {
        self
    }

    #[inline]
    fn settled(&self) -> Self {
        *self
    }

    #[inline]
    fn double(&self) -> Option<f64> {
        Some(*self)
    }

    #[inline]
    fn exact_value(&self) -> Option<&RBig> {
        None
    }

    fn to_exact_string(&self) -> Option<String> {
        None
    }

    #[inline]
    fn joined(&self, other: &Self) -> Option<Self> {
        if *other == 0.0 {
            return Some(*self);
        }
        if *self == 0.0 {
            return Some(*other);
        }
        let (sum, rest) = two_sum(*self, *other);
        // What two rounded numbers leave of each other has the errors of both, and looks as if it had not.
        let kept = (!self.is_rounded() && !other.is_rounded())
            || (self.is_sign_negative() == other.is_sign_negative() && sum.is_rounded());
        (rest == 0.0 && kept).then_some(sum)
    }

    #[inline]
    fn exact_product(&self, other: &Self) -> Option<Self> {
        // Most factors are 1.
        if *self == 1.0 || *other == 1.0 || *self == 0.0 || *other == 0.0 {
            return Some(self * other);
        }
        let (product, rest) = two_product(*self, *other);
        // The rest of a product near the end of the range vanishes, whether or not there is one.
        (rest == 0.0 && product.abs() > SMALLEST_PRODUCT).then_some(product)
    }

    #[inline]
    fn exact_quotient(&self, other: &Self) -> Option<Self> {
        if *other == 1.0 || *self == 0.0 {
            return Some(self / other);
        }
        let quotient = self / other;
        (quotient.exact_product(other)? == *self).then_some(quotient)
    }

    #[inline]
    fn is_rounded(&self) -> bool {
        mantissa_bits(*self) > EXACT_MANTISSA_BITS
    }

    fn integer_parts(value: &IBig) -> Option<Vec<Self>> {
        let mut parts = Vec::new();
        let mut rest = value.clone();
        while parts.is_empty() || !rest.is_zero() {
            let part = Self::from_integer(&rest)?;
            rest -= Scalar::floor(&part);
            parts.push(part);
        }
        Some(parts)
    }

    fn powi(&self, exponent: i32) -> Self {
        // `powf` rounds once where `powi` multiplies repeatedly; Python uses the former.
        self.powf(f64::from(exponent))
    }

    fn floor(&self) -> IBig {
        RBig::try_from(f64::floor(*self)).map_or(IBig::ZERO, |value| value.trunc())
    }

    #[inline]
    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }

    fn cmp_integer(&self, other: &IBig) -> Option<Ordering> {
        RBig::try_from(*self).ok().map(|value| value.cmp(&RBig::from(other.clone())))
    }

    #[inline]
    fn bits(&self) -> usize {
        0
    }
}
