//! Powers of two, and the range of doubles.

use crate::number::{Constants, Scalar, Wide};

/// A number too large or too small for doubles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutOfRange;

/// The e with 2ᵉ ≤ |value| < 2ᵉ⁺¹; 0 for zero, and far out for what is not finite.
pub(super) fn exponent(value: f64) -> i32 {
    let biased = ((value.to_bits() >> 52) & 0x7ff) as i32;
    match biased {
        0 if value == 0.0 => 0,
        // Subnormal numbers have lost digits; anything below the normal range serves to say so.
        0 => -1074,
        0x7ff => i32::MAX / 4,
        _ => biased - 1023,
    }
}

/// 2ᵉ as a double, saturating to 0 and infinity.
pub(super) fn power_of_two(e: i32) -> f64 {
    2f64.powi(e)
}

/// number · 2ᵉ; far beyond the range of doubles it does not matter how far.
pub(super) fn scale<W: Wide>(number: &W, e: i32) -> W {
    if e == 0 { number.clone() } else { number.times_power_of_two(e.clamp(-3000, 3000)) }
}

/// Σ number · 2ᵉ, of numbers near 2⁻ᵉ (or of any, if e is 0). Every addition waits for the one before it, so several sums
/// go on at the same time.
pub(super) fn sum_scaled<W: Wide>(numbers: &[W::Narrow], e: i32) -> W {
    const SUMS: usize = 4;
    /// Sums of numbers beyond 2 to this power could leave the range of doubles.
    const FAR: i32 = 600;
    if e.abs() > FAR {
        return numbers.iter().fold(W::zero(), |sum, number| sum.add(&scale(&W::widen(number), e)));
    }
    let (rows, rest) = numbers.as_chunks::<SUMS>();
    let mut total = rest.iter().fold(W::zero(), |sum, number| sum.add_narrow(number));
    if let Some((first, rows)) = rows.split_first() {
        let mut sums = first.each_ref().map(W::widen);
        for row in rows {
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum = sum.add_narrow(number);
            }
        }
        total = sums.iter().fold(total, |total, sum| total.add(sum));
    }
    scale(&total, e)
}

/// number · 2ᵉ as a scalar; a variance must neither overflow nor vanish.
pub(super) fn narrow_variance<W: Wide>(number: &W, e: i32) -> Result<W::Narrow, OutOfRange> {
    if number.is_zero() {
        return Ok(W::Narrow::zero());
    }
    let narrow = scale(number, e).narrow();
    let size = narrow.to_f64().abs();
    // Also of rationals: results are reported as doubles, and a variance of 0 would be a disclosure.
    let fits = size.is_finite() && size >= f64::MIN_POSITIVE;
    if fits { Ok(narrow) } else { Err(OutOfRange) }
}

/// variance · factor² · 4ᵉ as a scalar: as a variance, it must neither overflow nor vanish on the way.
pub(super) fn narrow_scaled_variance<W: Wide>(
    variance: &W,
    factor: &W::Narrow,
    e: i32,
) -> Result<W::Narrow, OutOfRange> {
    let power = if W::Narrow::EXACT { 0 } else { exponent(factor.to_f64()) };
    let unit = scale(&W::widen(factor), -power);
    narrow_variance(&variance.mul(&unit).mul(&unit), 2 * (e + power))
}

/// number · 2ᵉ as a scalar; a mean or a covariance may vanish, but not overflow.
pub(super) fn narrow_finite<W: Wide>(number: &W, e: i32) -> Result<W::Narrow, OutOfRange> {
    let narrow = scale(number, e).narrow();
    if narrow.to_f64().is_finite() { Ok(narrow) } else { Err(OutOfRange) }
}

/// The natural logarithm of a positive number, also of rationals beyond the range of doubles.
pub fn natural_logarithm<W: Wide>(number: &W) -> f64 {
    const STEP: i32 = 900;
    let (mut number, mut shift) = (number.clone(), 0);
    // A rational of a million bits takes a thousand steps; a double takes none.
    loop {
        let size = number.to_f64();
        if size.is_infinite() {
            (number, shift) = (scale(&number, -STEP), shift + STEP);
        } else if size < f64::MIN_POSITIVE {
            (number, shift) = (scale(&number, STEP), shift - STEP);
        } else {
            return size.ln() + f64::from(shift) * std::f64::consts::LN_2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{DoubleDouble, Rational};

    #[test]
    fn exponents_are_floors_of_logarithms() {
        assert_eq!([exponent(1.0), exponent(-3.0), exponent(0.24), exponent(0.0)], [0, 1, -3, 0]);
        assert!(exponent(f64::INFINITY) > 2000 && exponent(f64::NAN) > 2000 && exponent(1e-310) < -1022);
    }

    #[test]
    fn a_variance_that_would_vanish_or_overflow_is_refused() {
        let one = DoubleDouble::from(1.5);
        assert_eq!(narrow_variance(&one, -1000), Ok(1.5 * 2f64.powi(-1000)));
        assert_eq!(narrow_variance(&one, -1030), Err(OutOfRange));
        assert_eq!(narrow_variance(&one, 1030), Err(OutOfRange));
        assert_eq!(narrow_variance(&DoubleDouble::from(0.0), 1030), Ok(0.0));
    }

    #[test]
    fn a_variance_does_not_vanish_because_its_factor_is_tiny() {
        let variance = DoubleDouble::from(3.0);
        assert_eq!(narrow_scaled_variance(&variance, &1e-200, 0), Err(OutOfRange));
        assert_eq!(narrow_scaled_variance(&variance, &-0.5, 1), Ok(3.0));
        assert_eq!(narrow_scaled_variance(&variance, &0.0, 0), Ok(0.0));
        assert_eq!(narrow_scaled_variance(&variance, &2f64.powi(-600), 500), Ok(3.0 * 2f64.powi(-200)));
    }

    #[test]
    fn sums_are_those_of_the_numbers() {
        for (count, e) in [(0, 0), (1, 3), (3, -700), (4, 0), (9, 700), (1000, -40)] {
            let unit = 2f64.powi(-e);
            let numbers: Vec<f64> = (1..=count).map(|number| f64::from(number) * unit).collect();
            let sum: DoubleDouble = sum_scaled(&numbers, e);
            assert_eq!(sum.to_f64(), f64::from(count * (count + 1) / 2), "{count} numbers of 2^{e}");
        }
    }

    #[test]
    fn logarithms_reach_beyond_doubles() {
        let huge = Rational::from_literal("1e400").expect("a literal");
        assert!((natural_logarithm(&huge) - 400.0 * 10f64.ln()).abs() < 1e-9);
        let tiny = Rational::from_literal("1e-400").expect("a literal");
        assert!((natural_logarithm(&tiny) + 400.0 * 10f64.ln()).abs() < 1e-9);
    }
}
