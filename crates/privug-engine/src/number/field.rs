//! What all numbers of the engine have in common: they form a field, with the standard operators.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a field has besides its operators.
pub trait Constants {
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// Whether the number is zero.
    fn is_zero(&self) -> bool;
    /// The double that decides, or the one nearest to the number.
    fn to_f64(&self) -> f64;
}

/// A field. Everything with the standard operators on references is one.
///
/// Code that is generic over numbers calls methods: that references have operators (`for<'a> &'a S: Add<&'a S>`) does not
/// follow from a bound on `S`, and would have to be repeated wherever `S` is.
pub trait Field: Constants + Clone + Debug + PartialEq + PartialOrd + Send + Sync + 'static {
    /// Sum.
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    fn sub(&self, other: &Self) -> Self;
    /// Product.
    fn mul(&self, other: &Self) -> Self;
    /// Quotient; the divisor is not zero.
    fn div(&self, other: &Self) -> Self;
    /// Negation.
    fn neg(&self) -> Self;
}

impl<T> Field for T
where
    T: Constants + Clone + Debug + PartialEq + PartialOrd + Send + Sync + Neg<Output = T> + 'static,
    for<'a> &'a T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    #[inline]
    fn add(&self, other: &Self) -> Self {
        self + other
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        self - other
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    #[inline]
    fn div(&self, other: &Self) -> Self {
        self / other
    }

    #[inline]
    fn neg(&self) -> Self {
        -self.clone()
    }
}
