//! Simple fractions: what rounded weights of a combination were meant to be.

use crate::number::Rational;

/// A fraction in its lowest terms; the denominator is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    pub numerator: i64,
    pub denominator: i64,
}

/// How far a weight may be from the fraction that it is taken for, relative to 1 or to itself. A wrong guess is found out.
const NEAR: f64 = 1e-8;
/// Fractions with larger denominators lie too close together to be told from each other.
const LARGEST_DENOMINATOR: i64 = 1 << 12;
const LARGEST_NUMERATOR: f64 = (1u64 << 40) as f64;

impl Fraction {
    /// The fraction with the smallest denominator near a number, among its convergents; `None` if none is near.
    pub(super) fn near(number: f64) -> Option<Self> {
        if !(number.abs() < LARGEST_NUMERATOR) {
            return None;
        }
        let near = NEAR * number.abs().max(1.0);
        let (mut before, mut last) = ((0, 1), (1, 0));
        let mut rest = number;
        loop {
            let whole = rest.floor();
            if whole.abs() > LARGEST_NUMERATOR {
                return None;
            }
            let digit = whole as i64;
            let next = |(a, b): (i64, i64), (c, d): (i64, i64)| {
                Some((digit.checked_mul(c)?.checked_add(a)?, digit.checked_mul(d)?.checked_add(b)?))
            };
            (before, last) = (last, next(before, last)?);
            let (numerator, denominator) = last;
            if denominator > LARGEST_DENOMINATOR {
                return None;
            }
            if (number - numerator as f64 / denominator as f64).abs() <= near {
                return Some(Fraction { numerator, denominator });
            }
            rest = 1.0 / (rest - whole);
        }
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn to_rational(self) -> Rational {
        Rational::from(self.numerator) / Rational::from(self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_simple_fraction_is_none() {
        for number in [std::f64::consts::PI, std::f64::consts::SQRT_2, 1e13, f64::NAN, f64::INFINITY, -1.0 / 9973.0] {
            assert_eq!(Fraction::near(number), None, "{number}");
        }
        assert_eq!(Fraction::near(1e-10), Some(Fraction { numerator: 0, denominator: 1 }));
        assert_eq!(Fraction::near(-3.0), Some(Fraction { numerator: -3, denominator: 1 }));
    }

    proptest! {
        #[test]
        fn a_rounded_fraction_is_found_again(numerator in -5_000..5_000i64, denominator in 1..2_000i64, off in -1.0..1.0f64) {
            let number = numerator as f64 / denominator as f64;
            let found = Fraction::near(number + off * 1e-12 * number.abs().max(1.0)).expect("it is one");
            prop_assert_eq!(found.numerator * denominator, numerator * found.denominator);
            prop_assert!(found.denominator > 0);
        }
    }
}
