//! Doubles that do not underflow: a double times a power of 2²⁵⁶, cheap enough for inner loops.

/// A number that is not negative: `value`·2^(256·`steps`), with `value` 0 or between 2⁻²⁵⁶ and 2²⁵⁶.
///
/// A number may have one of two numbers of steps. Only added and multiplied: each operation is off by at most half a unit in the last place of its result, and 0 stays
/// what is impossible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    value: f64,
    steps: i32,
}

const UP: f64 = f64::from_bits((1023 + 256) << 52);
const DOWN: f64 = f64::from_bits((1023 - 256) << 52);

impl Scaled {
    /// 0.
    pub const ZERO: Scaled = Scaled { value: 0.0, steps: 0 };
    /// 1.
    pub const ONE: Scaled = Scaled { value: 1.0, steps: 0 };

    /// A double that is not negative.
    pub fn new(value: f64) -> Self {
        Scaled { value, steps: 0 }.settled()
    }

    #[inline]
    fn settled(mut self) -> Self {
        while self.value < DOWN && self.value != 0.0 {
            self.value *= UP;
            self.steps -= 1;
        }
        while self.value >= UP {
            self.value *= DOWN;
            self.steps += 1;
        }
        self
    }

    /// Whether this is exactly 0.
    pub fn is_zero(self) -> bool {
        self.value == 0.0
    }

    /// Product.
    #[inline]
    pub fn times(self, other: Self) -> Self {
        Scaled { value: self.value * other.value, steps: self.steps + other.steps }.settled()
    }

    /// Sum.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        if self.steps == other.steps {
            return Scaled { value: self.value + other.value, steps: self.steps }.settled();
        }
        let (large, small) = match (self.is_zero(), other.is_zero()) {
            (true, _) => return other,
            (_, true) => return self,
            _ if self.steps > other.steps => (self, other),
            _ => (other, self),
        };
        // The larger is at least 2⁻²⁵⁶ and the smaller, three steps lower, below 2⁻⁵¹²: less than half a unit in the last place.
        let moved = match large.steps - small.steps {
            1 => small.value * DOWN,
            2 => small.value * DOWN * DOWN,
            _ => 0.0,
        };
        Scaled { value: large.value + moved, steps: large.steps }.settled()
    }

    /// Quotient as a double; 0 or infinite where it is out of range. The divisor is not zero.
    pub fn over(self, other: Self) -> f64 {
        let ratio = self.value / other.value;
        match self.steps - other.steps {
            _ if ratio == 0.0 => 0.0,
            0 => ratio,
            steps => {
                let steps = steps.clamp(-12, 12);
                let by = if steps < 0 { DOWN } else { UP };
                (0..steps.abs()).fold(ratio, |ratio, _| ratio * by)
            }
        }
    }

    /// The natural logarithm.
    pub fn ln(self) -> f64 {
        self.value.ln() + f64::from(self.steps) * 256.0 * std::f64::consts::LN_2
    }

    /// A double, and the power of two that it is multiplied by.
    pub fn parts(self) -> (f64, i64) {
        (self.value, i64::from(self.steps) * 256)
    }

    /// e to a power.
    pub fn exp(power: f64) -> Self {
        let steps = (power / (256.0 * std::f64::consts::LN_2)).round();
        Scaled { value: (power - steps * 256.0 * std::f64::consts::LN_2).exp(), steps: steps as i32 }.settled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// `docs/proofs/counts.md`: whatever steps two numbers have come to, each operation is right to half a unit.
        #[test]
        fn every_operation_is_right_to_half_a_unit(
            a in (1u64 << 52..1 << 53, -308..204i32, -3..3i32), b in (1u64 << 52..1 << 53, -308..204i32, -3..3i32),
        ) {
            use crate::number::{Rational, Scalar};
            let exact = |value: f64| <Rational as Scalar>::from_f64(value).expect("finite");
            let power = |steps: i32| {
                let step = exact(if steps < 0 { DOWN } else { UP });
                (0..steps.abs()).fold(Rational::ONE, |power, _| power * &step)
            };
            // The same number may have one of two numbers of steps, with a value below or above 1.
            let number = |(digits, scale, steps): (u64, i32, i32)| Scaled { value: digits as f64 * 2f64.powi(scale), steps }.settled();
            let value = |scaled: Scaled| exact(scaled.value) * power(scaled.steps);
            let (a, b) = (number(a), number(b));
            let unit = exact(f64::EPSILON / 2.0);
            for (found, truth) in [(a.plus(b), value(a) + value(b)), (b.plus(a), value(a) + value(b)), (a.times(b), value(a) * value(b))] {
                let off = value(found) - &truth;
                let off = if off < Rational::ZERO { -off } else { off };
                proptest::prop_assert!(off <= &unit * &truth, "{a:?} {b:?} {found:?}");
                proptest::prop_assert!((DOWN..UP).contains(&found.value));
            }
        }
    }

    #[test]
    fn products_and_sums_keep_their_digits_far_below_doubles() {
        let small = Scaled::new(1e-300);
        let product = (0..50).fold(Scaled::ONE, |product, _| product.times(small));
        assert!((product.ln() + 15_000.0 * std::f64::consts::LN_10).abs() < 1e-9);
        assert_eq!(product.plus(product).over(product), 2.0);
        assert_eq!(product.plus(Scaled::ONE).over(Scaled::ONE), 1.0);
        let close = Scaled::new(1e-70).plus(Scaled::new(1e-85));
        assert!((close.over(Scaled::new(1e-70)) - (1.0 + 1e-15)).abs() < 3e-16);
        assert!(Scaled::ZERO.times(small).is_zero() && Scaled::ZERO.plus(small) == small);
    }
}
