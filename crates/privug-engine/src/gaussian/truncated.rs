//! A standard normal variable that is known to lie between two bounds.

use super::normal::Normal;
use super::special::integrate;

/// Beyond this the closed form is a difference of nearly equal numbers.
const FAR_OUT: f64 = 3.0;

/// Mean and variance of a standard normal variable between two bounds, where `width` = high − low may be known better than
/// its ends. `None` unless low < high.
///
/// The closed forms E = (φ(a) − φ(b))/P and V = 1 + (a·φ(a) − b·φ(b))/P − E² lose all digits where V is small: between bounds that
/// are close, and far out, where it is 1/a². There the moments are integrals of positive functions, in which nothing
/// cancels (`docs/proofs/normal.md`).
pub fn truncated_moments(low: f64, high: f64, width: f64) -> Option<(f64, f64)> {
    if width.is_nan() || width <= 0.0 || low >= high {
        return None;
    }
    if high <= 0.0 && low < 0.0 {
        return truncated_moments(-high, -low, width).map(|(mean, variance)| (-mean, variance));
    }
    let near = low.max(0.0);
    if width * near.max(1.0) <= 1.0 {
        return Some(integrated(low, &[(0.0, width)]));
    }
    if near >= FAR_OUT {
        // low·s + s²/2 = 45 at the end, and e^(−45) of the whole lies beyond.
        let end = (90.0 / ((low * low + 90.0).sqrt() + low)).min(width);
        let parts = [0.0, 0.0625, 0.125, 0.25, 0.5, 1.0];
        let panels: Vec<(f64, f64)> = parts.windows(2).map(|part| (part[0] * end, (part[1] - part[0]) * end)).collect();
        return Some(integrated(low, &panels));
    }
    let unit = Normal::new(0.0, 1.0)?;
    let inside = unit.probability_between(low, high);
    let at = |z: f64| if z.is_finite() { unit.density(z) } else { 0.0 };
    let times = |z: f64| if z.is_finite() { z * unit.density(z) } else { 0.0 };
    let mean = (at(low) - at(high)) / inside;
    Some((mean, 1.0 + (times(low) - times(high)) / inside - mean * mean))
}

/// The moments of low + s with s in these panels (start and width), its density in proportion to e^(−s·(low + s/2)).
fn integrated(low: f64, panels: &[(f64, f64)]) -> (f64, f64) {
    let weight = |s: f64| (-s * (low + 0.5 * s)).exp();
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        panels.iter().map(|(start, width)| integrate(*start, *width, |s| of(s) * weight(s))).sum()
    };
    let all = sum(&|_| 1.0);
    let step = sum(&|s| s) / all;
    (low + step, sum(&|s| (s - step) * (s - step)) / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::precise::{Fixed, density, survival};
    use proptest::prelude::*;

    /// The closed forms, to hundreds of digits.
    fn exact(low: f64, high: f64) -> (Fixed, Fixed) {
        let (a, b) = (Fixed::of(low), Fixed::of(high));
        let inside = survival(&a).minus(&survival(&b));
        let mean = density(&a).minus(&density(&b)).over(&inside);
        let spread = a.times(&density(&a)).minus(&b.times(&density(&b))).over(&inside);
        let variance = Fixed::one().plus(&spread).minus(&mean.times(&mean));
        (mean, variance)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn moments_keep_their_digits_between_any_bounds(
            low in prop_oneof![-3.0..3.0f64, 3.0..5.0f64, 5.0..37.0f64], scale in -9.0..1.0f64, mirrored in any::<bool>(),
        ) {
            let high = low + 10f64.powf(scale);
            let width = high - low;
            let (mean, variance) = exact(low, high);
            let (found, spread) = if mirrored {
                let (found, spread) = truncated_moments(-high, -low, width).expect("an interval");
                (-found, spread)
            } else {
                truncated_moments(low, high, width).expect("an interval")
            };
            prop_assert!((mean.to_f64() - found).abs() <= 1e-14 * (1.0 + found.abs()), "{found} of {low} to {high}");
            prop_assert!(variance.relative_error(spread) <= 1e-11, "{spread:e} of {low} to {high}");
        }
    }

    #[test]
    fn a_tail_where_doubles_end_has_moments() {
        // Far out s·a is nearly exponential: E = a + 1/a − 2/a³ + 10/a⁵ …, V = 1/a² − 6/a⁴ + 50/a⁶ …
        let a = 1000.0_f64;
        let (mean, variance) = truncated_moments(a, f64::INFINITY, f64::INFINITY).expect("an interval");
        assert!((mean - a - (1.0 / a - 2.0 / a.powi(3))).abs() < 1e-12);
        assert!((variance * a * a - (1.0 - 6.0 / a.powi(2) + 50.0 / a.powi(4))).abs() < 1e-12);
        assert_eq!(truncated_moments(1.0, 1.0, 0.0), None);
        let (mean, variance) = truncated_moments(f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY).expect("an interval");
        assert_eq!((mean, variance), (0.0, 1.0));
    }
}
