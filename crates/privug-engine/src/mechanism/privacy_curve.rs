//! What Gaussian noise guarantees: the exact trade-off δ(ε) of Gaussian differential privacy, its inverse, composition.
//!
//! A statistic of sensitivity Δ with noise of standard deviation σ is μ-GDP with μ = Δ/σ (Dong, Roth & Su, "Gaussian
//! differential privacy", JRSS B 2022, theorem 1) and ρ-zCDP with ρ = μ²/2 (Bun & Steinke, "Concentrated differential
//! privacy", TCC 2016, proposition 1.6). It is (ε, δ)-DP exactly for δ ≥ δ(ε) (Balle & Wang, "Improving the Gaussian
//! mechanism for differential privacy", ICML 2018, theorem 8).

use crate::gaussian::{PEAK_DENSITY, gaussian_exp, mills_difference, mills_ratio};
use crate::number::{Constants, DoubleDouble, Field, Wide};

/// Bound on the relative error of δ and of 1 − δ, whichever is the smaller.
///
/// `docs/proofs/privacy-curve.md` counts the roundings: 43 halves of a unit in the last place, if the functions of the system
/// are off by at most a unit each.
pub(super) const CURVE_ERROR: f64 = 22.0 * f64::EPSILON;

/// δ and 1 − δ, the smaller one to its last few digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Delta {
    pub delta: f64,
    pub complement: f64,
}

impl Delta {
    /// Whether δ ≤ `bound` for sure, in spite of rounding.
    pub fn is_surely_at_most(&self, bound: f64) -> bool {
        if bound <= 0.5 {
            self.delta <= bound * (1.0 - CURVE_ERROR)
        } else {
            // 1 − bound is exact here, and has the digits that matter.
            self.complement >= (1.0 - bound) * (1.0 + CURVE_ERROR)
        }
    }
}

/// δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), for ε ≥ 0 and μ > 0.
///
/// With a = ε/μ − μ/2 and b = a + μ, e^ε·φ(b) = φ(a), so δ = φ(a)·(M(a) − M(b)) and 1 − δ = φ(a)·(M(−a) + M(b)) with M
/// the Mills ratio: nothing overflows, and nothing cancels. a itself is formed in pairs of doubles, because far out an
/// error in it is magnified a-fold.
pub(super) fn gaussian_delta(epsilon: f64, mu: DoubleDouble) -> Delta {
    let mu_rounded = mu.to_f64();
    let (far, half) = (epsilon / mu_rounded, 0.5 * mu_rounded);
    let offset = if far < 2.0 * half + 100.0 {
        DoubleDouble::from(epsilon).div(&mu).sub(&mu.mul_narrow(&0.5))
    } else {
        // Clear without further digits, and perhaps infinite.
        DoubleDouble::from(far - half)
    };
    let a = offset.to_f64();
    // φ(40) is below the smallest double.
    if a > 50.0 {
        return Delta { delta: 0.0, complement: 1.0 };
    }
    if a < -50.0 {
        return Delta { delta: 1.0, complement: 0.0 };
    }
    let a_rest = offset.sub(&a.into()).to_f64();
    let density = PEAK_DENSITY * gaussian_exp(a) * (1.0 - a * a_rest);
    // M(a) grows without bound to the left, where δ ≥ 0.68 and only the complement has digits worth keeping.
    if a > -1.0 {
        let delta = density * mills_difference(a, mu_rounded);
        Delta { delta, complement: 1.0 - delta }
    } else {
        let complement = density * (mills_ratio(-a) + mills_ratio(a + mu_rounded));
        Delta { delta: 1.0 - complement, complement }
    }
}

/// The smallest δ for which μ-GDP implies (ε, δ)-DP; NaN unless ε ≥ 0 and μ ≥ 0.
pub fn delta_of_gdp(epsilon: f64, mu: f64) -> f64 {
    if !(epsilon >= 0.0 && mu >= 0.0) {
        f64::NAN
    } else if mu == 0.0 || epsilon == f64::INFINITY {
        // Noise without end hides everything, and an infinite ε promises nothing.
        0.0
    } else if mu == f64::INFINITY {
        1.0
    } else {
        gaussian_delta(epsilon, mu.into()).delta
    }
}

/// The smallest ε ≥ 0 for which μ-GDP implies (ε, δ)-DP, rounded up; NaN unless 0 < δ < 1 and μ ≥ 0.
///
/// Infinite if it exceeds every double.
pub fn epsilon_of_gdp(delta: f64, mu: f64) -> f64 {
    if !(delta > 0.0 && delta < 1.0 && mu >= 0.0) {
        return f64::NAN;
    }
    if mu == 0.0 {
        return 0.0;
    }
    smallest_double(0.0, f64::MAX, |epsilon| {
        mu < f64::INFINITY && gaussian_delta(epsilon, mu.into()).is_surely_at_most(delta)
    })
    .unwrap_or(f64::INFINITY)
}

/// μ = Δ/σ of Gaussian differential privacy.
pub fn mu_of_noise(sensitivity: f64, std_dev: f64) -> f64 {
    sensitivity / std_dev
}

/// ρ = Δ²/(2σ²) of zero-concentrated differential privacy.
pub fn rho_of_noise(sensitivity: f64, std_dev: f64) -> f64 {
    let mu = mu_of_noise(sensitivity, std_dev);
    0.5 * mu * mu
}

/// δ(ε) of a statistic of sensitivity Δ with Gaussian noise of standard deviation σ; NaN unless all are ≥ 0.
pub fn delta_of_noise(epsilon: f64, sensitivity: f64, std_dev: f64) -> f64 {
    let mu = mu_of_noise(sensitivity, std_dev);
    // The quotient rounded would lose digits where the curve is steep; out of range it has none.
    let steep = epsilon >= 0.0 && mu.is_normal() && sensitivity.is_normal() && std_dev.is_normal() && mu > 0.0;
    if steep { gaussian_delta(epsilon, ratio(sensitivity, std_dev)).delta } else { delta_of_gdp(epsilon, mu) }
}

/// a/b in pairs of doubles.
pub(super) fn ratio(a: f64, b: f64) -> DoubleDouble {
    DoubleDouble::from(a).div(&b.into())
}

/// What several μᵢ-GDP releases of the same data guarantee together: μ = √Σμᵢ² (Dong, Roth & Su 2022, corollary 2).
pub fn compose_gdp(mus: &[f64]) -> f64 {
    mus.iter().fold(0.0, |sum: f64, mu| sum.hypot(*mu))
}

/// What several ρᵢ-zCDP releases of the same data guarantee together: ρ = Σρᵢ (Bun & Steinke 2016, lemma 1.7).
pub fn compose_zcdp(rhos: &[f64]) -> f64 {
    rhos.iter().sum()
}

/// The smallest double in [low, high] where a condition that is false below and true above holds; `None` if nowhere.
///
/// Nonnegative doubles are ordered like their bits, so that 64 halvings find the last digit at any magnitude.
pub(super) fn smallest_double(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(low) {
        return Some(low);
    }
    if !holds(high) {
        return None;
    }
    let (mut fails, mut holding) = (low.to_bits(), high.to_bits());
    while holding - fails > 1 {
        let middle = fails + (holding - fails) / 2;
        if holds(f64::from_bits(middle)) { holding = middle } else { fails = middle }
    }
    Some(f64::from_bits(holding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::normal::standard_cdf;
    use crate::gaussian::testing::assert_relative;
    use proptest::prelude::*;

    /// (ε, μ, δ): mpmath, 700 digits, from Φ as it stands.
    const CURVE: [(f64, f64, f64); 18] = [
        (0.0, 1e-09, 3.989422804014327e-10),
        (0.0, 1.0, 0.3829249225480262),
        (0.0, 20.0, 1.0),
        (1e-06, 1e-07, 7.47456399187038e-32),
        (1e-06, 0.001, 0.0003984426624712682),
        (0.5, 0.1, 6.856582455838737e-09),
        (0.5, 1.0, 0.23842170813487662),
        (1.0, 0.03, 9.407867856139858e-247),
        (1.0, 3.0, 0.7876007413603845),
        (2.0, 10.0, 0.9999984703947975),
        (10.0, 0.5, 9.855120610850166e-89),
        (10.0, 4.0, 0.23369880786218616),
        (100.0, 12.0, 0.007994672298606885),
        (10000.0, 109.0, 5.101955799649916e-304),
        (10000.0, 150.0, 1.0),
        (0.001, 2.7e-05, 1.0574408717281254e-306),
        (0.01, 0.01, 0.0008373242674773423),
        (3.0, 0.1, 7.304806101754676e-200),
    ];

    #[test]
    fn the_curve_agrees_with_seven_hundred_digits() {
        for (epsilon, mu, expected) in CURVE {
            assert_relative(delta_of_gdp(epsilon, mu), expected, 6.0 * f64::EPSILON);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// `docs/proofs/privacy-curve.md`: a search for points where the curve is off by more than its bound.
        #[test]
        fn the_curve_is_within_its_bound_of_hundreds_of_digits(
            offset in prop_oneof![-3.0..3.0f64, -30.0..30.0f64, -1.2..-0.8f64], mu_scale in -4.0..1.5f64,
        ) {
            use crate::gaussian::precise::{Fixed, survival};
            let mu = 10f64.powf(mu_scale);
            let epsilon = mu * (offset + 0.5 * mu);
            prop_assume!((0.0..200.0).contains(&epsilon));
            let (e, m) = (Fixed::of(epsilon), Fixed::of(mu));
            let a = e.over(&m).minus(&m.times(&Fixed::of(0.5)));
            let exact = survival(&a).minus(&e.exp().times(&survival(&a.plus(&m))));
            let found = gaussian_delta(epsilon, mu.into());
            prop_assume!(found.delta > 1e-250 && found.complement > 1e-250);
            let off = if found.delta <= 0.5 {
                exact.relative_error(found.delta)
            } else {
                Fixed::one().minus(&exact).relative_error(found.complement)
            };
            prop_assert!(off <= CURVE_ERROR, "ε {epsilon:e}, μ {mu:e}: off by {off:e}");
        }
    }

    #[test]
    fn the_complement_keeps_its_digits_where_delta_is_nearly_one() {
        // ε = 0: 1 − δ = 2Φ(−μ/2).
        for mu in [3.0, 10.0, 20.0, 60.0] {
            let complement = gaussian_delta(0.0, mu.into()).complement;
            assert_relative(complement, 2.0 * standard_cdf(-0.5 * mu), 2e-15);
        }
    }

    #[test]
    fn the_ends_of_the_curve_are_what_they_must_be() {
        assert_eq!([delta_of_gdp(1.0, 0.0), delta_of_gdp(1.0, f64::INFINITY)], [0.0, 1.0]);
        assert_eq!([delta_of_gdp(f64::INFINITY, 1.0), delta_of_gdp(1.0, 1e-320)], [0.0, 0.0]);
        assert_eq!(delta_of_gdp(f64::MAX, f64::MAX), 1.0);
        assert!(delta_of_gdp(-1.0, 1.0).is_nan() && delta_of_gdp(1.0, f64::NAN).is_nan());
        assert!(epsilon_of_gdp(0.0, 1.0).is_nan() && epsilon_of_gdp(1.0, 1.0).is_nan());
        assert_eq!(epsilon_of_gdp(0.1, f64::INFINITY), f64::INFINITY);
        assert_eq!(epsilon_of_gdp(0.1, 0.0), 0.0);
        // δ(0) = 2Φ(½) − 1 = 0.383 for μ = 1: any larger δ needs no ε at all.
        assert_eq!(epsilon_of_gdp(0.39, 1.0), 0.0);
    }

    #[test]
    fn releases_compose_like_the_sides_of_a_right_triangle() {
        assert_eq!(compose_gdp(&[3.0, 4.0]), 5.0);
        assert_eq!(compose_gdp(&[]), 0.0);
        // ρ = μ²/2: 4.5 + 8 = 12.5.
        assert_eq!(compose_zcdp(&[4.5, 8.0]), 12.5);
        assert_eq!([mu_of_noise(6.0, 2.0), rho_of_noise(6.0, 2.0)], [3.0, 4.5]);
        // n releases with σ·√n each are one release with σ.
        let parts = [mu_of_noise(1.0, 2.0); 16];
        assert_relative(delta_of_gdp(1.0, compose_gdp(&parts)), delta_of_noise(1.0, 1.0, 0.5), 1e-15);
    }

    proptest! {
        #[test]
        fn the_inverse_undoes_the_curve(mu_scale in -6.0..2.0f64, delta_scale in -290.0..-0.5f64) {
            let (mu, delta) = (10f64.powf(mu_scale), 10f64.powf(delta_scale));
            let epsilon = epsilon_of_gdp(delta, mu);
            prop_assert!(delta_of_gdp(epsilon, mu) <= delta);
            if epsilon > 0.0 {
                // A little less is not enough.
                let b = epsilon / mu + 0.5 * mu;
                let less = epsilon - 1e-9 * (epsilon + mu / (1.0 + b));
                prop_assert!(less < 0.0 || delta_of_gdp(less, mu) > delta);
            }
        }

        #[test]
        fn more_epsilon_is_less_delta_and_more_mu_is_more(e in 0.0..20.0f64, mu in 1e-3..10.0f64, more in 1.001..2.0f64) {
            prop_assert!(delta_of_gdp(e * more, mu) <= delta_of_gdp(e, mu) * (1.0 + 1e-14));
            prop_assert!(delta_of_gdp(e, mu * more) >= delta_of_gdp(e, mu) * (1.0 - 1e-14));
        }

        #[test]
        fn no_input_panics(a in any::<f64>(), b in any::<f64>(), c in any::<f64>()) {
            let delta = delta_of_noise(a, b, c);
            prop_assert!(delta.is_nan() || (0.0..=1.0).contains(&delta));
            let epsilon = epsilon_of_gdp(a, b);
            prop_assert!(epsilon.is_nan() || epsilon >= 0.0);
        }
    }
}
