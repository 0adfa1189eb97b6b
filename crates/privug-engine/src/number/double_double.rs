//! Unevaluated sums of two doubles: about 32 significant digits at a few times the cost of one double.
//!
//! The algorithms are the error-free transformations of Dekker (1971) and Knuth, with the accurate addition and the
//! product of Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
//! arithmetic" (ACM TOMS 2017): AccurateDWPlusDW, DWPlusFP, DWTimesFP2, a product without fused operations, and DWDivDW2.
//! `docs/proofs/pairs.md` derives bounds that need no fused operations, and says in which range they hold.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Constants, Wide};

/// The number `high + low`, with |low| at most half a unit in the last place of `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

/// a + b as a rounded sum and its error, exactly.
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// The same for |a| ≥ |b|.
#[inline]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a · b as a rounded product and its error: exactly, if |a·b| ≥ 2⁻⁹⁶⁹ or a·b = 0.
///
/// Dekker's splitting instead of a fused multiply-add: the latter is a library call on processors that are not known
/// at compile time to have it. Factors beyond 2⁹⁷⁰ would overflow in the splitting, and take the slow call.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    const SPLIT: f64 = 134_217_729.0; // 2²⁷ + 1
    const LARGE: f64 = 1e292;
    let product = a * b;
    if a.abs() > LARGE || b.abs() > LARGE {
        return (product, a.mul_add(b, -product));
    }
    let (wide_a, wide_b) = (SPLIT * a, SPLIT * b);
    let (a_high, b_high) = (wide_a - (wide_a - a), wide_b - (wide_b - b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

impl DoubleDouble {
    /// `high + low`, normalised.
    #[inline]
    pub fn new(high: f64, low: f64) -> Self {
        let (high, low) = two_sum(high, low);
        DoubleDouble { high, low }
    }
}

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(value: f64) -> Self {
        DoubleDouble { high: value, low: 0.0 }
    }
}

impl PartialOrd for DoubleDouble {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.high.partial_cmp(&other.high) {
            Some(Ordering::Equal) => self.low.partial_cmp(&other.low),
            order => order,
        }
    }
}

impl Constants for DoubleDouble {
    #[inline]
    fn zero() -> Self {
        DoubleDouble { high: 0.0, low: 0.0 }
    }

    #[inline]
    fn one() -> Self {
        DoubleDouble { high: 1.0, low: 0.0 }
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.high == 0.0
    }

    #[inline]
    fn to_f64(&self) -> f64 {
        self.high
    }
}

impl Add for &DoubleDouble {
    type Output = DoubleDouble;

    #[inline]
    fn add(self, other: Self) -> DoubleDouble {
        let (sum, error) = two_sum(self.high, other.high);
        let (low_sum, low_error) = two_sum(self.low, other.low);
        let (sum, error) = fast_two_sum(sum, error + low_sum);
        let (high, low) = fast_two_sum(sum, low_error + error);
        DoubleDouble { high, low }
    }
}

impl Sub for &DoubleDouble {
    type Output = DoubleDouble;

    #[inline]
    fn sub(self, other: Self) -> DoubleDouble {
        self + &-*other
    }
}

impl Mul for &DoubleDouble {
    type Output = DoubleDouble;

    #[inline]
    fn mul(self, other: Self) -> DoubleDouble {
        let (product, error) = two_product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high + self.low * other.low;
        let (high, low) = fast_two_sum(product, error + cross);
        DoubleDouble { high, low }
    }
}

impl Div for &DoubleDouble {
    type Output = DoubleDouble;

    #[inline]
    fn div(self, other: Self) -> DoubleDouble {
        let first = self.high / other.high;
        let product = other.mul_narrow(&first);
        let rest = (self.high - product.high) + (self.low - product.low);
        let (high, low) = fast_two_sum(first, rest / other.high);
        DoubleDouble { high, low }
    }
}

impl Neg for DoubleDouble {
    type Output = DoubleDouble;

    #[inline]
    fn neg(self) -> Self {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Wide for DoubleDouble {
    type Narrow = f64;
    // 16u²: division, the worst of the operations, is off by less than 15u² (`docs/proofs/pairs.md`).
    const UNIT_ROUNDOFF: f64 = 1.972_152_263_052_53e-31; // 2⁻¹⁰²

    #[inline]
    fn widen(value: &f64) -> Self {
        (*value).into()
    }

    #[inline]
    fn narrow(&self) -> f64 {
        self.high
    }

    #[inline]
    fn to_parts(&self) -> (f64, f64) {
        (self.high, self.low)
    }

    #[inline]
    fn add_narrow(&self, other: &f64) -> Self {
        let (sum, error) = two_sum(self.high, *other);
        let (high, low) = fast_two_sum(sum, self.low + error);
        DoubleDouble { high, low }
    }

    #[inline]
    fn mul_narrow(&self, other: &f64) -> Self {
        let (product, error) = two_product(self.high, *other);
        let (high, low) = fast_two_sum(product, self.low * other + error);
        DoubleDouble { high, low }
    }

    #[inline]
    fn times_power_of_two(&self, e: i32) -> Self {
        // One factor reaches as far as a double's exponent, the rest takes more of them.
        const STEP: i32 = 1000;
        let mut result = *self;
        let mut left = e;
        while left != 0 {
            let step = left.clamp(-STEP, STEP);
            let factor = f64::from_bits(((1023 + step) as u64) << 52);
            result = DoubleDouble { high: result.high * factor, low: result.low * factor };
            left -= step;
        }
        result
    }

    #[inline]
    fn operation_cost(&self) -> u64 {
        1
    }

    #[inline]
    fn mantissa_bits(&self) -> u32 {
        if self.low == 0.0 { mantissa_bits(self.high) } else { 106 }
    }
}

/// Bits from the leading to the trailing one of a double's mantissa.
#[inline]
pub(super) fn mantissa_bits(value: f64) -> u32 {
    const FRACTION_BITS: u32 = 52;
    if value == 0.0 {
        return 0;
    }
    let fraction = value.to_bits() & ((1 << FRACTION_BITS) - 1);
    1 + FRACTION_BITS - fraction.trailing_zeros().min(FRACTION_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::number::{Rational, Scalar};
    use proptest::prelude::*;

    fn exact(value: DoubleDouble) -> Rational {
        let part = |part: f64| <Rational as Scalar>::from_f64(part).expect("finite");
        part(value.high) + part(value.low)
    }

    fn double_doubles() -> impl Strategy<Value = DoubleDouble> {
        (-1e3..1e3f64, -40..40i32, -1.0..1.0f64, -60..-53i32).prop_map(|(high, scale, low, gap)| {
            let high = high * 10f64.powi(scale);
            DoubleDouble::new(high, high * low * 2f64.powi(gap))
        })
    }

    fn assert_close(got: DoubleDouble, want: Rational) {
        let error = exact(got) - &want;
        let bound = <Rational as Scalar>::from_f64(DoubleDouble::UNIT_ROUNDOFF).expect("finite");
        let within = &error * &error <= &want * &want * (&bound * &bound);
        assert!(within, "{got:?} is not {want}");
    }

    proptest! {
        #[test]
        fn every_operation_is_right_to_its_unit_roundoff(a in double_doubles(), b in double_doubles()) {
            assert_close(a.add(&b), exact(a) + exact(b));
            assert_close(a.add_narrow(&b.high), exact(a) + exact(b.high.into()));
            assert_close(a.sub(&b), exact(a) - exact(b));
            assert_close(a.mul(&b), exact(a) * exact(b));
            assert_close(a.mul_narrow(&b.high), exact(a) * exact(b.high.into()));
            if !b.is_zero() {
                assert_close(a.div(&b), exact(a) / exact(b));
            }
        }
    }

    /// Pairs with a low part that is as large as it can be, over the range that conditioning stays in.
    fn extreme(scales: std::ops::Range<i32>) -> impl Strategy<Value = DoubleDouble> {
        let high = (1u64 << 52..1 << 53, prop_oneof![Just(0u32), 0..52u32], scales, any::<bool>());
        let low = prop_oneof![Just(0.0), Just(1.0), Just(-1.0), -1.0..1.0f64, 0.999..1.0f64];
        (high, low).prop_map(|((digits, short, scale, negative), low)| {
            // Few digits, many digits, and all of them.
            let digits = (digits >> short << short) as f64;
            let high = if negative { -digits } else { digits } * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2);
            DoubleDouble::new(high, high * low * 2f64.powi(-53))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// `docs/proofs/pairs.md`: sums at any scale, with all kinds of cancellation.
        #[test]
        fn sums_are_right_however_much_cancels(
            a in extreme(-1000..900), b in extreme(-1000..900), close in -110..0i32, share in -1.0..1.0f64,
        ) {
            assert_close(a.add(&b), exact(a) + exact(b));
            assert_close(a.add_narrow(&b.high), exact(a) + exact(b.high.into()));
            // The same number but for its last digits, the other way round.
            let nearly = DoubleDouble::new(-a.high, -a.low * share).add_narrow(&(a.high * 2f64.powi(close)));
            assert_close(a.add(&nearly), exact(a) + exact(nearly));
            assert_close(a.sub(&a), exact(a) - exact(a));
        }

        /// Products and quotients, as long as they stay above 2⁻⁹⁰⁰ and below 2⁹⁰⁰.
        #[test]
        fn products_and_quotients_are_right_within_the_range(a in extreme(-480..400), b in extreme(-480..400)) {
            assert_close(a.mul(&b), exact(a) * exact(b));
            assert_close(a.mul_narrow(&b.high), exact(a) * exact(b.high.into()));
            assert_close(a.div(&b), exact(a) / exact(b));
        }

        /// The error of a product is a double down to 2⁻⁹⁶⁹, and no longer below.
        #[test]
        fn products_are_exact_in_two_doubles_down_to_their_range(a in extreme(-1022..-400), b in extreme(-600..900)) {
            let whole = exact(a.high.into()) * exact(b.high.into());
            let (product, error) = two_product(a.high, b.high);
            let least = <Rational as Scalar>::from_f64(2f64.powi(-969)).expect("finite");
            if product.is_finite() && (whole >= least || -whole.clone() >= least) {
                prop_assert!(exact(product.into()) + exact(error.into()) == whole, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn below_the_range_the_error_of_a_product_is_lost() {
        let (a, b) = (1.0 + f64::EPSILON, (1.0 + f64::EPSILON) * 2f64.powi(-1000));
        let (product, error) = two_product(a, b);
        assert_ne!(exact(product.into()) + exact(error.into()), exact(a.into()) * exact(b.into()));
    }

    #[test]
    fn mantissa_bits_tell_short_numbers_from_rounded_ones() {
        let bits = |value: f64| DoubleDouble::from(value).mantissa_bits();
        assert_eq!([bits(0.0), bits(1.0), bits(-0.5), bits(12.0), bits(1e15)], [0, 1, 1, 2, 35]);
        assert!(bits(0.1) > 50 && bits(1.0 / 3.0) > 50);
    }
}
