//! A coefficient in double precision that knows how far off it can be.

use privug_engine::number::{ROUNDOFF, Scalar};

/// What one operation on doubles is off by where its result underflows.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// A weight and a bound on its error, which is 0 where no operation has rounded; `docs/proofs/weights.md` has the proof.
///
/// Each operation finds its own rounding error (by a fused multiply-add or Knuth's sum) and adds a bound on it only where
/// there is one, so that sums and differences of whole numbers stay exact. The bounds themselves are rounded up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Weight {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Weight {
    /// The nearest weight to a coefficient.
    pub(super) fn of<S: Scalar>(coefficient: &S) -> Self {
        let value = coefficient.to_f64();
        let is_exact = S::from_f64(value).is_some_and(|back| back == *coefficient);
        Weight { value, error: if is_exact { 0.0 } else { up(ROUNDOFF * value.abs() + UNDERFLOW) } }
    }

    /// |ab − fl(ab)| ≤ u·|fl(ab)|, and the factors' own errors.
    pub(super) fn times(self, other: Weight) -> Weight {
        let value = self.value * other.value;
        let rounded =
            self.value.mul_add(other.value, -value) != 0.0 || is_tiny(value, self.value != 0.0 && other.value != 0.0);
        let mut error = if rounded { up(ROUNDOFF * value.abs() + UNDERFLOW) } else { 0.0 };
        if self.error != 0.0 || other.error != 0.0 {
            let inherited = self.error * (other.value.abs() + other.error) + self.value.abs() * other.error;
            // The product or quotient of an error may itself be too small for a double.
            error = up(error + up(inherited + UNDERFLOW));
        }
        Weight { value, error }
    }

    /// The quotient by a divisor that is not 0: |a/b − fl(a/b)| ≤ u·|fl(a/b)|.
    pub(super) fn over(self, divisor: Weight) -> Weight {
        let value = self.value / divisor.value;
        // The rest of the division vanishes where the quotient is tiny, and where the dividend is.
        let is_tiny = is_tiny(value, self.value != 0.0) || is_tiny(self.value, self.value != 0.0);
        let rounded = value.mul_add(-divisor.value, self.value) != 0.0 || is_tiny;
        let mut error = if rounded { up(ROUNDOFF * value.abs() + UNDERFLOW) } else { 0.0 };
        if self.error != 0.0 || divisor.error != 0.0 {
            let least = divisor.value.abs() - divisor.error;
            let inherited =
                if least > 0.0 { (self.error + value.abs() * divisor.error) / least } else { f64::INFINITY };
            // The product or quotient of an error may itself be too small for a double.
            error = up(error + up(inherited + UNDERFLOW));
        }
        Weight { value, error }
    }

    /// |a + b − fl(a + b)| ≤ u·|fl(a + b)|; sums never underflow.
    pub(super) fn plus(self, other: Weight) -> Weight {
        let value = self.value + other.value;
        let part = value - self.value;
        let lost = (self.value - (value - part)) + (other.value - part);
        let own = if lost == 0.0 { 0.0 } else { up(ROUNDOFF * value.abs()) };
        let inherited = self.error + other.error;
        Weight { value, error: if own == 0.0 && inherited == 0.0 { 0.0 } else { up(own + up(inherited)) } }
    }

    /// Whether this is 0; `None` if doubles cannot tell.
    pub(super) fn is_zero(self) -> Option<bool> {
        if self.value.abs() > self.error {
            Some(false)
        } else if self.error == 0.0 {
            Some(true)
        } else {
            None
        }
    }
}

/// Where the residual of a product or quotient can itself vanish below the smallest number.
fn is_tiny(value: f64, should_not_vanish: bool) -> bool {
    should_not_vanish && value.abs() < f64::MIN_POSITIVE / f64::EPSILON
}

/// A little more, so that the roundings of a bound are within it: each bound above takes at most four operations.
fn up(bound: f64) -> f64 {
    bound * (1.0 + 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::number::Rational;

    fn rational(value: f64) -> Rational {
        <Rational as Scalar>::from_f64(value).expect("finite")
    }

    fn bound_holds(weight: Weight, truth: &Rational) -> bool {
        let off = rational(weight.value) - truth;
        let off = if off < Rational::ZERO { -off } else { off };
        off <= rational(weight.error)
    }

    #[test]
    fn bounds_hold_and_whole_numbers_have_none() {
        let mut state = 12_345_u64;
        let mut next = || {
            // A linear congruence is random enough to vary digits and exponents.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mantissa = ((state >> 12) as f64) / 1e9 - 2e6;
            mantissa * 2f64.powi((state % 40) as i32 - 20)
        };
        for _ in 0..2_000 {
            let (a, b, c, d) = (next(), next(), next(), next());
            let of = |value: f64| Weight { value, error: 0.0 };
            let found = of(a).times(of(b)).plus(of(c)).over(of(d)).times(of(a));
            let truth = (rational(a) * rational(b) + rational(c)) / rational(d) * rational(a);
            assert!(bound_holds(found, &truth), "{a} {b} {c} {d}: {found:?}");
            // What is left after everything cancels is not told apart from 0, unless it is.
            let left = of(a).times(of(b)).plus(of(c)).plus(of(a).times(of(-b))).plus(of(-c));
            assert_ne!(left.is_zero(), Some(false), "{a} {b} {c}");
        }
        let whole = Weight { value: 3.0, error: 0.0 };
        let six = whole.times(Weight { value: 4.0, error: 0.0 }).over(Weight { value: 2.0, error: 0.0 });
        assert_eq!(six, Weight { value: 6.0, error: 0.0 });
        assert_eq!(six.plus(Weight { value: -6.0, error: 0.0 }).is_zero(), Some(true));
        let third = Weight { value: 1.0, error: 0.0 }.over(whole);
        assert_eq!(third.is_zero(), Some(false));
        assert_eq!(third.plus(third).plus(third).plus(Weight { value: -1.0, error: 0.0 }).is_zero(), None);
    }

    /// Sequences of operations over all sizes of numbers, subnormal ones too, with terms that nearly cancel.
    #[test]
    fn bounds_hold_whatever_the_sizes_are() {
        let mut state = 2_026_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let number = |random: &mut dyn FnMut(u64) -> u64| {
            let digits = ((random(1 << 30) << 23 | random(1 << 23)) >> random(53)) as f64;
            let scale = match random(5) {
                0 => -1074,
                1 => random(60) as i32 - 1060,
                2 => 440 + random(80) as i32,
                3 => -480 - random(80) as i32,
                _ => random(60) as i32 - 30,
            };
            let sign = if random(2) == 0 { 1.0 } else { -1.0 };
            sign * digits * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2)
        };
        let (mut decided, mut cancelled) = (0, 0);
        for _ in 0..20_000 {
            let start = number(&mut random);
            let spoiled = if random(2) == 0 { 0.0 } else { start.abs() * 1e-9 };
            let mut found = Weight { value: start, error: spoiled };
            // With an error to begin with, the truth may be anywhere within it.
            let mut truth = rational(start) + rational(spoiled) / Rational::from(2);
            for _ in 0..1 + random(5) {
                let next = number(&mut random);
                let other = Weight { value: next, error: 0.0 };
                match random(4) {
                    0 => (found, truth) = (found.plus(other), truth + rational(next)),
                    1 => (found, truth) = (found.times(other), truth * rational(next)),
                    2 if next != 0.0 => (found, truth) = (found.over(other), truth / rational(next)),
                    _ => {
                        cancelled += 1;
                        truth -= rational(found.value);
                        found = found.plus(Weight { value: -found.value, error: 0.0 });
                    }
                }
                if !(found.value.is_finite() && found.error.is_finite()) {
                    assert_ne!(found.is_zero(), Some(true), "{found:?}");
                    break;
                }
                assert!(bound_holds(found, &truth), "{found:?}");
                if let Some(is_zero) = found.is_zero() {
                    decided += 1;
                    assert_eq!(is_zero, truth == Rational::ZERO, "{found:?}");
                }
            }
        }
        assert!(decided > 10_000 && cancelled > 5_000, "{decided} {cancelled}");
    }
}
