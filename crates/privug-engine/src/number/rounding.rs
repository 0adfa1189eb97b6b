//! What an operation on doubles is off by, and what is taken for granted about numbers that were rounded before they came here:
//! the latter are assumptions, not bounds that are proved. `docs/proofs/rounded-numbers.md` says what they rest on, and what
//! happens where they fail.

/// Half a unit in the last place of 1: what one operation on doubles is off by at most, relative to its result.
pub const ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Mantissas up to this length are exact: one of a rounded number ends so early once in 2¹³ times, and those are known
/// where they come from (see `evaluate/literals.rs`). Longer ones have probably been rounded.
pub(super) const EXACT_MANTISSA_BITS: u32 = 40;

/// Bound on the relative error of a number that [was rounded](super::Scalar::is_rounded) before it met a random variable:
/// by a decimal that is no double, or by a few operations of the program.
pub const NUMBER_ERROR: f64 = 4.440_892_098_500_626e-16; // 2⁻⁵¹

/// Values that were written as doubles and agree up to this many units in the last place are the same published figure.
pub const VALUE_TOLERANCE_ULPS: f64 = 64.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Rational, Scalar};
    use proptest::prelude::*;

    /// A decimal as it is written, and its double.
    fn decimals() -> impl Strategy<Value = (Rational, f64)> {
        (1..1_000_000_000_000_000i64, -30..15i32).prop_map(|(digits, scale)| {
            let text = format!("{digits}.0e{scale}");
            let exact = <Rational as Scalar>::from_literal(&text).expect("a literal");
            (exact, text.parse().expect("a double"))
        })
    }

    fn is_within(value: f64, exact: &Rational) -> bool {
        let value = <Rational as Scalar>::from_f64(value).expect("finite");
        let off = value - exact;
        let bound = <Rational as Scalar>::from_f64(NUMBER_ERROR).expect("finite") * exact;
        -bound.clone() <= off && off <= bound
    }

    proptest! {
        #[test]
        fn decimals_and_one_operation_on_them_are_within_the_bound((a, x) in decimals(), (b, y) in decimals()) {
            prop_assert!(is_within(x, &a));
            prop_assert!(is_within(x + y, &(&a + &b)));
            prop_assert!(is_within(x * y, &(&a * &b)));
            prop_assert!(is_within(x / y, &(&a / &b)));
        }
    }

    #[test]
    fn a_difference_of_decimals_may_be_off_by_more_than_is_taken_for_granted() {
        // That is why it is an assumption: in doubles 0.3 − 0.1·3 is not 0, and the program is taken at its word.
        let tenth = <Rational as Scalar>::from_literal("0.1").expect("a literal");
        let exact = tenth * Rational::from(3) - <Rational as Scalar>::from_literal("0.3").expect("a literal");
        assert_eq!(exact, Rational::ZERO);
        assert!(!is_within(0.1 * 3.0 - 0.3, &exact));
    }

    #[test]
    fn a_rounded_decimal_looks_exact_about_once_in_8192_times() {
        let all = 400_000;
        let looks_exact = |number: &i32| {
            // Odd multiples of 10⁻⁷ are no doubles.
            let value = f64::from(2 * number + 1) / 1e7;
            !value.is_rounded()
        };
        let count = (0..all).filter(looks_exact).count();
        // 49 are expected, with a deviation of 7.
        assert!((20..80).contains(&count), "{count}");
    }
}
