//! The normal distribution: probabilities that stay accurate in the far tails, and quantiles.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::special::{PEAK_DENSITY, gaussian_exp, integrate, mills_ratio};

/// A normal distribution; a variance of 0 is the constant `mean`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normal {
    mean: f64,
    variance: f64,
    std_dev: f64,
}

/// Φ(z) = P(Z ≤ z) for a standard normal Z, to about 1e-15 of itself even where it is 1e-300.
pub fn standard_cdf(z: f64) -> f64 {
    standard_survival(-z)
}

/// 1 − Φ(z) = P(Z > z) for a standard normal Z, to about 1e-15 of itself even where it is 1e-300.
pub fn standard_survival(z: f64) -> f64 {
    // In the upper tail, erfc(z/√2) itself would magnify the rounding of z/√2 by z².
    if z > 1.0 { PEAK_DENSITY * gaussian_exp(z) * mills_ratio(z) } else { 0.5 * libm::erfc(z * FRAC_1_SQRT_2) }
}

/// ln Φ(z), finite where Φ(z) underflows.
pub fn standard_log_cdf(z: f64) -> f64 {
    if z > 0.0 {
        (-standard_survival(z)).ln_1p()
    } else if z > -1.0 {
        standard_cdf(z).ln()
    } else {
        // Φ(z) = φ(z)·M(−z), M the Mills ratio.
        (PEAK_DENSITY * mills_ratio(-z)).ln() - 0.5 * z * z
    }
}

/// P(low < Z < high) for a standard normal Z, where `width` = high − low may be known better than its ends.
///
/// Never a difference of nearly equal numbers: two one-sided parts are added when the interval holds 0, the smaller
/// tails are subtracted when it is wide, and the density is integrated when it is narrow.
pub fn standard_interval(low: f64, high: f64, width: f64) -> f64 {
    if width == 0.0 {
        return 0.0;
    }
    if low < 0.0 && high > 0.0 {
        return 0.5 * (libm::erf(high * FRAC_1_SQRT_2) + libm::erf(-low * FRAC_1_SQRT_2));
    }
    let (near, far) = if low >= 0.0 { (low, high) } else { (-high, -low) };
    // From here to `far` the density falls at most by e^(−1.5), and 16 nodes integrate it exactly.
    if width * near.max(1.0) <= 1.0 {
        let falling = integrate(0.0, width, |step| (-step * (near + 0.5 * step)).exp());
        return PEAK_DENSITY * gaussian_exp(near) * falling;
    }
    standard_survival(near) - standard_survival(far)
}

/// ln P(low < Z < high) for a standard normal Z, to 4·(8 + z²) units of 2⁻⁵³ with z the end nearer to 0: finite where the
/// probability underflows, and with its digits however narrow the interval is (`docs/proofs/normal.md`).
pub fn standard_log_interval(low: f64, high: f64, width: f64) -> f64 {
    if width == 0.0 {
        return f64::NEG_INFINITY;
    }
    if low < 0.0 && high > 0.0 {
        return standard_interval(low, high, width).ln();
    }
    let (near, far) = if low >= 0.0 { (low, high) } else { (-high, -low) };
    // P/φ(near), as in `standard_interval`.
    let share = if width * near.max(1.0) <= 1.0 {
        integrate(0.0, width, |step| (-step * (near + 0.5 * step)).exp())
    } else {
        mills_ratio(near) - (-width * (near + 0.5 * width)).exp() * mills_ratio(far)
    };
    (PEAK_DENSITY * share).ln() - 0.5 * near * near
}

/// The z with Φ(z) = `probability`; ±∞ at 1 and 0, NaN outside [0, 1].
///
/// A rational first guess (Abramowitz & Stegun 26.2.23, off by 4.5e-4) and Halley steps on the tail itself, so that
/// 1e-300 is as good a probability as 0.3.
pub fn standard_quantile(probability: f64) -> f64 {
    if probability.is_nan() || !(0.0..=1.0).contains(&probability) {
        return f64::NAN;
    }
    // Near the middle the distance from ½ is exact, and the root is relative to it.
    let from_middle = probability - 0.5;
    if from_middle.abs() <= 0.25 {
        return central_quantile(from_middle);
    }
    if from_middle < 0.0 { -upper_quantile(probability) } else { upper_quantile(1.0 - probability) }
}

/// The z with P(Z > z) = `tail`, for tail < ¼.
fn upper_quantile(tail: f64) -> f64 {
    if tail == 0.0 {
        return f64::INFINITY;
    }
    let t = (-2.0 * tail.ln()).sqrt();
    let guess =
        t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    // Halley on Q(z) − tail, divided by φ(z): u = M(z) − tail/φ(z), z ← z + u/(1 − zu/2). The error goes 4.5e-4,
    // 1e-10, 1e-29 up to rounding. 1/φ(z) is taken in two factors because it overflows where the tail is subnormal.
    (0..3).fold(guess, |z, _| {
        let inverse_root = 1.0 / gaussian_exp(z * FRAC_1_SQRT_2);
        let u = mills_ratio(z) - tail * inverse_root * inverse_root * TAU.sqrt();
        z + u / (1.0 - 0.5 * z * u)
    })
}

/// The z with Φ(z) − ½ = `from_middle`, for |from_middle| ≤ ¼.
fn central_quantile(from_middle: f64) -> f64 {
    // Halley on erf(z/√2)/2 − from_middle, divided by φ(z). The first guess is the tangent at 0, off by less than 0.05.
    (0..4).fold(from_middle * TAU.sqrt(), |z, _| {
        let u = (0.5 * libm::erf(z * FRAC_1_SQRT_2) - from_middle) / (PEAK_DENSITY * gaussian_exp(z));
        z - u / (1.0 + 0.5 * z * u)
    })
}

impl Normal {
    /// N(mean, variance); `None` unless the mean is finite and the variance finite and not negative.
    pub fn new(mean: f64, variance: f64) -> Option<Self> {
        let valid = mean.is_finite() && variance.is_finite() && variance >= 0.0;
        valid.then(|| Normal { mean, variance, std_dev: variance.sqrt() })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The standard deviation.
    pub fn std_dev(&self) -> f64 {
        self.std_dev
    }

    /// Whether this is a constant.
    pub fn is_constant(&self) -> bool {
        self.std_dev == 0.0
    }

    /// How many standard deviations `x` lies above the mean; ±∞ or 0 for a constant.
    pub fn z_score(&self, x: f64) -> f64 {
        let distance = x - self.mean;
        if distance == 0.0 { 0.0 } else { distance / self.std_dev }
    }

    /// Density at `x`; for a constant, infinite at it and 0 elsewhere.
    pub fn density(&self, x: f64) -> f64 {
        let z = self.z_score(x);
        if self.is_constant() {
            return if z == 0.0 { f64::INFINITY } else { 0.0 };
        }
        PEAK_DENSITY * gaussian_exp(z) / self.std_dev
    }

    /// P(X ≤ x).
    pub fn cdf(&self, x: f64) -> f64 {
        // A constant is ≤ itself; its z would otherwise say one half.
        if self.is_constant() && x == self.mean { 1.0 } else { standard_cdf(self.z_score(x)) }
    }

    /// P(X > x).
    pub fn survival(&self, x: f64) -> f64 {
        if self.is_constant() && x == self.mean { 0.0 } else { standard_survival(self.z_score(x)) }
    }

    /// ln P(X ≤ x), finite where the probability underflows.
    pub fn log_cdf(&self, x: f64) -> f64 {
        if self.is_constant() && x == self.mean { 0.0 } else { standard_log_cdf(self.z_score(x)) }
    }

    /// P(low < X < high); 0 unless low < high. For a constant, whether it lies strictly inside.
    pub fn probability_between(&self, low: f64, high: f64) -> f64 {
        if low.is_nan() || high.is_nan() {
            return f64::NAN;
        }
        if low >= high {
            return 0.0;
        }
        if self.is_constant() {
            return if low < self.mean && self.mean < high { 1.0 } else { 0.0 };
        }
        standard_interval(self.z_score(low), self.z_score(high), (high - low) / self.std_dev)
    }

    /// ln P(low < X < high), finite where the probability underflows; −∞ unless low < high, and of a constant outside.
    pub fn log_probability_between(&self, low: f64, high: f64) -> f64 {
        if self.is_constant() || low.is_nan() || high.is_nan() || low >= high {
            return self.probability_between(low, high).ln();
        }
        standard_log_interval(self.z_score(low), self.z_score(high), (high - low) / self.std_dev)
    }

    /// Of what lies between the outer bounds, the part that lies between the inner ones; also where doubles end.
    pub fn share_between(&self, inner: (f64, f64), outer: (f64, f64)) -> f64 {
        /// Below this, probabilities have lost digits or soon will.
        const SMALL: f64 = 1e-280;
        let all = self.probability_between(outer.0, outer.1);
        if all >= SMALL || self.is_constant() {
            return self.probability_between(inner.0, inner.1) / all;
        }
        let logarithm = |(low, high): (f64, f64)| self.log_probability_between(low, high);
        (logarithm(inner) - logarithm(outer)).exp().min(1.0)
    }

    /// The x with P(X ≤ x) = `probability`; NaN outside [0, 1].
    pub fn quantile(&self, probability: f64) -> f64 {
        let z = standard_quantile(probability);
        if self.is_constant() && !z.is_nan() { self.mean } else { self.mean + self.std_dev * z }
    }

    /// The interval around the mean that holds X with probability `level`; `None` unless 0 ≤ level ≤ 1.
    ///
    /// For a normal distribution it is at once the equal-tailed and the shortest one.
    pub fn credible_interval(&self, level: f64) -> Option<(f64, f64)> {
        if !(0.0..=1.0).contains(&level) {
            return None;
        }
        // The tail is an exact half of an exact difference for level ≥ ½, unlike (1 + level)/2.
        let z = -standard_quantile(0.5 * (1.0 - level));
        let radius = if self.is_constant() { 0.0 } else { self.std_dev * z };
        Some((self.mean - radius, self.mean + radius))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::testing::{assert_relative, simpson};
    use proptest::prelude::*;

    #[test]
    fn tail_probabilities_agree_with_sixty_digits_down_to_1e_308() {
        // mpmath, 60 digits: erfc(z/√2)/2.
        for (z, expected) in [
            (0.0, 0.5),
            (0.5, 0.3085375387259869),
            (1.0, 0.15865525393145705),
            (1.5, 0.06680720126885807),
            (2.0, 0.02275013194817921),
            (3.0, 0.0013498980316300946),
            (5.0, 2.866515718791939e-07),
            (8.0, 6.220960574271784e-16),
            (13.5, 7.818807305657891e-42),
            (20.0, 2.7536241186062337e-89),
            (37.0, 5.725571222524577e-300),
            (37.5, 4.605353009581955e-308),
        ] {
            assert_relative(standard_survival(z), expected, 2e-15);
            assert_relative(standard_cdf(-z), expected, 2e-15);
            assert_relative(standard_cdf(z), 1.0 - expected, 4e-16);
        }
    }

    #[test]
    fn the_logarithm_of_a_probability_outlives_the_probability() {
        // mpmath, 60 digits: log(erfc(−z/√2)/2).
        for (z, expected) in [
            (-100000.0, -5000000012.431864),
            (-40.0, -804.6084420137538),
            (-10.0, -53.23128515051247),
            (-1.0, -1.8410216450092636),
            (-0.5, -1.1759117615936185),
            (0.0, -std::f64::consts::LN_2),
            (1.0, -0.17275377902344988),
            (5.0, -2.866516129637636e-07),
            (10.0, -7.619853024160525e-24),
        ] {
            assert_relative(standard_log_cdf(z), expected, 2e-15);
        }
        assert_eq!(standard_log_cdf(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(standard_log_cdf(f64::INFINITY), 0.0);
    }

    #[test]
    fn quantiles_agree_with_four_hundred_digits() {
        // mpmath, 400 digits: the root of log(erfc(z/√2)/2) = log p, p being the double.
        for (p, expected) in [
            (5e-324, -38.467405617144344),
            (1e-300, -37.0470962993612),
            (1e-100, -21.273453560965326),
            (1e-30, -11.464024688443615),
            (1e-16, -8.222082216130435),
            (1e-08, -5.612001244174789),
            (0.001, -3.0902323061678136),
            (0.025, -1.9599639845400543),
            (0.2, -0.8416212335729142),
            (0.25, -0.6744897501960817),
            (0.3, -0.5244005127080408),
            (0.49, -0.025068908258711057),
            (0.4999999999999991, -2.2263331397374137e-15),
            (0.5000001, 2.506628273311648e-07),
            (0.6, 0.2533471031357997),
            (0.75, 0.6744897501960817),
            (0.9, 1.2815515655446006),
            (0.975, 1.9599639845400538),
            (0.999, 3.090232306167813),
            (0.9999999999999999, 8.209536151601387),
        ] {
            assert_relative(standard_quantile(p), expected, 1e-15);
        }
        assert_eq!(standard_quantile(0.5), 0.0);
        assert_eq!(standard_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(standard_quantile(1.0), f64::INFINITY);
        for outside in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(standard_quantile(outside).is_nan());
        }
    }

    #[test]
    fn narrow_and_distant_intervals_keep_their_digits() {
        // mpmath, 200 digits, the ends being the doubles.
        let unit = Normal::new(0.0, 1.0).expect("valid");
        for (low, high, expected) in [
            (0.0, 1e-10, 3.989422804014327e-11),
            (3.0, 3.000001, 4.4318417647907715e-09),
            (-1.0, 2.0, 0.8185946141203637),
            (-1e-09, 3e-09, 1.5957691216057306e-09),
            (5.0, 6.0, 2.8566498423415623e-07),
            (20.0, 20.01, 5.003811501869158e-90),
            (37.0, 38.0, 5.7255712225245764e-300),
            (-8.0, -7.5, 3.1286820671681786e-14),
            (1.0, 2.0, 0.13590512198327784),
            (-30.0, -10.0, 7.619853024160525e-24),
        ] {
            assert_relative(unit.probability_between(low, high), expected, 2e-15);
            assert_relative(unit.probability_between(-high, -low), expected, 2e-15);
        }
    }

    #[test]
    fn interval_probabilities_are_the_integral_of_the_density() {
        let normal = Normal::new(3.0, 4.0).expect("valid");
        for (low, high) in [(-1.0, 2.0), (3.0, 3.5), (6.0, 9.0), (2.0, 4.0)] {
            let integral = simpson(low, high, |x| normal.density(x));
            assert_relative(normal.probability_between(low, high), integral, 1e-12);
        }
    }

    #[test]
    fn a_constant_lies_where_it_is() {
        let five = Normal::new(5.0, 0.0).expect("valid");
        assert_eq!([five.cdf(5.0), five.cdf(4.9), five.cdf(5.1)], [1.0, 0.0, 1.0]);
        assert_eq!([five.survival(5.0), five.survival(4.9), five.survival(5.1)], [0.0, 1.0, 0.0]);
        assert_eq!([five.probability_between(4.0, 6.0), five.probability_between(5.0, 6.0)], [1.0, 0.0]);
        assert_eq!(five.credible_interval(0.95), Some((5.0, 5.0)));
        assert_eq!(five.credible_interval(1.0), Some((5.0, 5.0)));
        assert_eq!(five.quantile(0.3), 5.0);
        assert_eq!([five.density(5.0), five.density(4.0)], [f64::INFINITY, 0.0]);
    }

    #[test]
    fn the_95_percent_interval_is_1_96_standard_deviations_to_each_side() {
        let normal = Normal::new(100.0, 25.0).expect("valid");
        // Tail (1 − 0.95)/2 at the double 0.95; z = 1.959963984540054 (mpmath), times σ = 5.
        let (low, high) = normal.credible_interval(0.95).expect("a level");
        assert_relative(low, 100.0 - 9.79981992270027, 1e-15);
        assert_relative(high, 100.0 + 9.79981992270027, 1e-15);
        assert_eq!(normal.credible_interval(1.0), Some((f64::NEG_INFINITY, f64::INFINITY)));
        assert_eq!(normal.credible_interval(0.0), Some((100.0, 100.0)));
        assert_eq!(normal.credible_interval(1.5), None);
        assert_eq!(normal.credible_interval(f64::NAN), None);
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        for (mean, variance) in
            [(f64::NAN, 1.0), (0.0, f64::NAN), (0.0, -1.0), (0.0, f64::INFINITY), (f64::INFINITY, 1.0)]
        {
            assert_eq!(Normal::new(mean, variance), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// `docs/proofs/normal.md`: the bounds that others build on, at any place and of any width.
        #[test]
        fn probabilities_and_their_logarithms_are_within_their_bounds(
            near in prop_oneof![0.0..2.0f64, 2.0..30.0f64, 29.0..37.0f64], scale in -12.0..1.5f64, mirrored in any::<bool>(),
        ) {
            use crate::gaussian::precise::{Fixed, survival};
            // The bits of the reference reach that far.
            let far = (near + 10f64.powf(scale)).min(38.0);
            let exact = survival(&Fixed::of(near)).minus(&survival(&Fixed::of(far)));
            let (low, high) = if mirrored { (-far, -near) } else { (near, far) };
            let unit = Normal::new(0.0, 1.0).expect("valid");
            let units = f64::EPSILON / 2.0 * (16.0 + 4.0 * near * near);
            let found = unit.probability_between(low, high);
            prop_assert!(found < 1e-300 || exact.relative_error(found) <= units, "{found:e} {:e}", exact.relative_error(found));
            // e to the logarithm, in the same arithmetic as the reference.
            let back = Fixed::of(unit.log_probability_between(low, high)).exp();
            let off = back.over(&exact).minus(&Fixed::one()).to_f64().abs();
            let units = f64::EPSILON / 2.0 * (32.0 + 4.0 * near * near);
            prop_assert!(off <= units, "{off:e} against {units:e}");
            let tail = survival(&Fixed::of(near));
            prop_assert!(tail.relative_error(standard_survival(near)) <= f64::EPSILON * 8.0);
        }
    }

    #[test]
    fn the_logarithm_of_an_interval_goes_on_where_doubles_end() {
        let unit = Normal::new(0.0, 1.0).expect("valid");
        // mpmath, 60 digits: log(erfc(z/√2)/2).
        assert_relative(unit.log_probability_between(40.0, f64::INFINITY), -804.6084420137538, 2e-15);
        assert_relative(unit.log_probability_between(f64::NEG_INFINITY, -100_000.0), -5000000012.431864, 2e-15);
        // A narrow piece far out has the density at it times its width, but for the slope.
        let narrow = unit.log_probability_between(60.0, 60.0 + 1e-9);
        let width: f64 = (60.0 + 1e-9) - 60.0;
        let expected = PEAK_DENSITY.ln() - 1800.0 + width.ln() - 30.0 * width;
        assert_relative(narrow, expected, 1e-15);
        assert_eq!(unit.log_probability_between(1.0, 1.0), f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn quantile_undoes_the_distribution_function(z in -37.0..8.0f64) {
            let p = standard_cdf(z);
            // Φ(z) is rounded: by half a unit in the last place, which moves z by ulp/φ(z).
            let slack = 2e-16 * p / (PEAK_DENSITY * gaussian_exp(z)) + 2e-15 * z.abs();
            prop_assert!((standard_quantile(p) - z).abs() <= 4.0 * slack);
        }

        #[test]
        fn parts_of_an_interval_add_up(a in -38.0..38.0f64, b in -38.0..38.0f64, c in -38.0..38.0f64) {
            let mut ends = [a, b, c];
            ends.sort_by(f64::total_cmp);
            let unit = Normal::new(0.0, 1.0).expect("valid");
            let parts = unit.probability_between(ends[0], ends[1]) + unit.probability_between(ends[1], ends[2]);
            let whole = unit.probability_between(ends[0], ends[2]);
            prop_assert!((whole - parts).abs() <= 1e-14 * whole);
        }

        #[test]
        fn no_input_panics(mean in any::<f64>(), variance in any::<f64>(), a in any::<f64>(), b in any::<f64>()) {
            if let Some(normal) = Normal::new(mean, variance) {
                let p = normal.probability_between(a, b);
                prop_assert!((0.0..=1.0).contains(&p) || a.is_nan() || b.is_nan(), "{}", p);
                let _ = (normal.cdf(a), normal.log_cdf(a), normal.quantile(b), normal.credible_interval(b));
            }
        }
    }
}
