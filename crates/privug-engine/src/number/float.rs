//! `f64` as a scalar.

use std::cmp::Ordering;

use dashu_base::Approximation;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{DoubleDouble, Scalar};

impl Scalar for f64 {
    type Wide = DoubleDouble;
    const EXACT: bool = false;

    fn zero() -> Self {
        0.0
    }

    fn one() -> Self {
        1.0
    }

    fn from_integer(value: &IBig) -> Option<Self> {
        match value.to_f64() {
            Approximation::Exact(value) | Approximation::Inexact(value, _) => value.is_finite().then_some(value),
        }
    }

    fn from_i64(value: i64) -> Self {
        value as f64
    }

    fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(value)
    }

    fn from_literal(text: &str) -> Option<Self> {
        text.replace('_', "").parse().ok().filter(|value: &f64| value.is_finite())
    }

    fn to_f64(&self) -> f64 {
        *self
    }

    fn to_exact_string(&self) -> Option<String> {
        None
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn sub(&self, other: &Self) -> Self {
        self - other
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn div(&self, other: &Self) -> Self {
        self / other
    }

    fn neg(&self) -> Self {
        -self
    }

    fn powi(&self, exponent: i32) -> Self {
        // `powf` rounds once where `powi` multiplies repeatedly; Python uses the former.
        self.powf(f64::from(exponent))
    }

    fn floor(&self) -> IBig {
        RBig::try_from(f64::floor(*self)).map_or(IBig::ZERO, |value| value.trunc())
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn cmp_integer(&self, other: &IBig) -> Option<Ordering> {
        RBig::try_from(*self).ok().map(|value| value.cmp(&RBig::from(other.clone())))
    }

    fn bits(&self) -> usize {
        0
    }
}
