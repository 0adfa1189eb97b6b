//! Doubles that do not underflow: a double times a power of 2²⁵⁶, cheap enough for inner loops.

/// A number that is not negative: `value`·2^(256·`steps`), with `value` 0 or between 2⁻²⁵⁶ and 2²⁵⁶.
///
/// Only added and multiplied: each operation is off by at most half a unit in the last place of its result, and 0 stays
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
        // Two steps lower, it is below half a unit in the last place.
        let moved = if large.steps - small.steps == 1 { small.value * DOWN } else { 0.0 };
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
