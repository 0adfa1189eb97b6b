//! How well the attacker guesses: Bayes vulnerability, leakage ratios and differences, squared error.
//!
//! The attacker guesses the mean, which is the best guess for every tolerance because a normal density is symmetric and
//! falls from its mean, and wins within ±t. The gain depends on the standard deviation only, hence not on the values
//! that were seen: the posterior vulnerability is the same for every output, and its mean over them (Smith 2009;
//! Alvim, Chatzikokolakis, McIver, Morgan, Palamidessi & Smith 2020, chapters 4 and 5).

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, SQRT_2};

use super::Knowledge;
use super::knowledge::Outcome;
use privug_engine::gaussian::normal::standard_interval;

/// Below this many standard deviations, erf(z/√2) is √(2/π)·z to the last digit.
const LINEAR_BELOW: f64 = 1e-9;

impl Knowledge {
    /// Chance that the best guess was within ±`tolerance` before, V₀ = erf(t/(σ₀√2)).
    pub fn prior_vulnerability(&self, tolerance: f64) -> f64 {
        vulnerability(self.prior_variance, tolerance)
    }

    /// Chance that the best guess is within ±`tolerance` after, V₁ = erf(t/(σ₁√2)).
    pub fn posterior_vulnerability(&self, tolerance: f64) -> f64 {
        vulnerability(self.posterior_variance, tolerance)
    }

    /// V₁ − V₀ = 2·P(t/σ₀ < Z < t/σ₁), the width being t(σ₀ − σ₁)/(σ₀σ₁) = (t/σ₁)·q/(1 + s).
    pub fn additive_leakage(&self, tolerance: f64) -> f64 {
        match self.guess_outcome(tolerance) {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 0.0,
            Outcome::Disclosed => libm::erfc(tolerance / self.prior_std() * FRAC_1_SQRT_2),
            Outcome::Uncertain => {
                let (before, after) = (tolerance / self.prior_std(), tolerance / self.posterior_std());
                // Both within an infinite tolerance, or both beyond any doubt.
                if before == f64::INFINITY {
                    return 0.0;
                }
                let width = after * (self.relative_reduction() / (1.0 + self.std_ratio()));
                2.0 * standard_interval(before, after, width)
            }
        }
    }

    /// V₁/V₀ ≥ 1; for t → 0 its limit σ₀/σ₁.
    pub fn multiplicative_leakage(&self, tolerance: f64) -> f64 {
        match self.guess_outcome(tolerance) {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 1.0,
            Outcome::Uncertain if tolerance / self.posterior_std() < LINEAR_BELOW => self.density_leakage_limit(),
            Outcome::Disclosed | Outcome::Uncertain => {
                1.0 + self.additive_leakage(tolerance) / self.prior_vulnerability(tolerance)
            }
        }
    }

    /// Min-entropy leakage log₂(V₁/V₀) in bits; for t → 0 its limit log₂(σ₀/σ₁).
    pub fn min_entropy_leakage_bits(&self, tolerance: f64) -> f64 {
        match self.guess_outcome(tolerance) {
            Outcome::Invalid => return f64::NAN,
            Outcome::Constant => return 0.0,
            Outcome::Uncertain if tolerance / self.posterior_std() < LINEAR_BELOW => {
                return self.density_leakage_limit_bits();
            }
            Outcome::Disclosed | Outcome::Uncertain => {}
        }
        let relative_gain = self.additive_leakage(tolerance) / self.prior_vulnerability(tolerance);
        if relative_gain < f64::MAX {
            return relative_gain.ln_1p() / LN_2;
        }
        // V₀ = √(2/π)·t/σ₀ is too small for a double, or for its inverse; t = 0 gives ∞.
        let prior_log2 =
            tolerance.log2() - 0.5 * self.prior_variance.log2() - 0.5 * (0.5 * std::f64::consts::PI).log2();
        self.posterior_vulnerability(tolerance).log2() - prior_log2
    }

    /// σ₀/σ₁, the ratio of the highest densities: the multiplicative leakage of a guess that must be ever closer.
    pub fn density_leakage_limit(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 1.0,
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => self.prior_std() / self.posterior_std(),
        }
    }

    /// log₂(σ₀/σ₁) in bits; the mutual information, if all outputs were seen.
    pub fn density_leakage_limit_bits(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 0.0,
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => self.log_variance_ratio_nats() / (2.0 * LN_2),
        }
    }

    /// v₀/v₁ ≥ 1: how many times smaller the attacker's mean squared error has become.
    ///
    /// The mean squared error of the best guess is the variance (the mean minimises it).
    pub fn squared_error_ratio(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 1.0,
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => 1.0 + self.variance_reduction / self.posterior_variance,
        }
    }

    fn guess_outcome(&self, tolerance: f64) -> Outcome {
        if tolerance >= 0.0 { self.outcome() } else { Outcome::Invalid }
    }
}

/// P(|X − mean| ≤ t) = erf(t/(σ√2)); 1 for a constant, NaN for what is no variance or no tolerance.
fn vulnerability(variance: f64, tolerance: f64) -> f64 {
    if !(variance >= 0.0 && variance.is_finite() && tolerance >= 0.0) {
        f64::NAN
    } else if variance == 0.0 {
        1.0
    } else {
        libm::erf(tolerance / variance.sqrt() / SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::gaussian::testing::{assert_relative, simpson};
    use proptest::prelude::*;

    fn standard(r: f64) -> Knowledge {
        Knowledge::after_all_outputs(0.0, 1.0, 0.0, 1.0 - r, r)
    }

    #[test]
    fn vulnerabilities_and_their_leakage_agree_with_four_hundred_digits() {
        // (r, t, V₀, V₁, V₁ − V₀, log₂(V₁/V₀)): mpmath, 400 digits, from erf and erfc.
        for (r, t, prior, posterior, additive, min_entropy_bits) in [
            (1e-12, 1.0, 0.6826894921370859, 0.6826894921373279, 2.419707245192643e-13, 5.113451551911276e-13),
            (1e-100, 0.5, 0.3829249225480262, 0.3829249225480262, 1.7603266338214974e-101, 6.632147335984691e-101),
            (0.5, 0.001, 0.0007978844278221252, 0.0011283787909692365, 0.0003304943631471112, 0.4999997595508746),
            (0.5, 3.0, 0.9973002039367398, 0.9999779095030014, 0.0026777055662616034, 0.0038683795010356595),
            (0.5, 30.0, 1.0, 1.0, 9.813427854296374e-198, 1.4157783699515e-197),
            (0.9, 0.1, 0.07965567455405796, 0.24817036595415076, 0.1685146914000928, 1.639481807393259),
            (0.1, 8.0, 0.9999999999999988, 1.0, 1.210425802975483e-15, 1.7462753033167717e-15),
            (1e-06, 1e-12, 7.978845608028653e-13, 7.978849597454449e-13, 3.989425796083923e-19, 7.213478811184824e-07),
            (1e-09, 0.1, 0.07965567455405796, 0.07965567459375322, 3.969525477737338e-11, 7.18946233529243e-10),
        ] {
            let knowledge = standard(r);
            assert_relative(knowledge.prior_vulnerability(t), prior, 1e-15);
            assert_relative(knowledge.posterior_vulnerability(t), posterior, 1e-15);
            assert_relative(knowledge.additive_leakage(t), additive, 4e-15);
            assert_relative(knowledge.min_entropy_leakage_bits(t), min_entropy_bits, 4e-15);
            assert_relative(knowledge.multiplicative_leakage(t), posterior / prior, 4e-15);
        }
    }

    #[test]
    fn vulnerability_is_the_mass_within_the_tolerance_of_the_mean() {
        let knowledge = Knowledge::after_all_outputs(10.0, 4.0, 1.0, 1.0, 3.0);
        let (prior, posterior) = (knowledge.prior().expect("valid"), knowledge.posterior().expect("valid"));
        assert_relative(knowledge.prior_vulnerability(0.7), simpson(9.3, 10.7, |x| prior.density(x)), 1e-12);
        assert_relative(knowledge.posterior_vulnerability(0.7), simpson(10.3, 11.7, |x| posterior.density(x)), 1e-12);
    }

    #[test]
    fn for_a_vanishing_tolerance_the_leakage_is_the_ratio_of_standard_deviations() {
        let knowledge = Knowledge::after_all_outputs(0.0, 16.0, 0.0, 4.0, 12.0);
        for tolerance in [0.0, 1e-320, 1e-300, 1e-100, 1e-8] {
            assert_relative(knowledge.multiplicative_leakage(tolerance), 2.0, 1e-15);
            assert_relative(knowledge.min_entropy_leakage_bits(tolerance), 1.0, 1e-15);
        }
        assert_eq!([knowledge.density_leakage_limit(), knowledge.squared_error_ratio()], [2.0, 4.0]);
        assert_relative(knowledge.density_leakage_limit_bits(), knowledge.mutual_information_bits(), 1e-15);
    }

    #[test]
    fn a_disclosed_secret_is_guessed_for_sure_and_a_constant_always_was() {
        let disclosed = Knowledge::after_all_outputs(0.0, 1.0, 0.0, 0.0, 1.0);
        assert_eq!(disclosed.posterior_vulnerability(0.1), 1.0);
        // 1 − V₀ = erfc(0.1/√2) and 1/V₀, V₀ = 0.07965567455405796.
        assert_relative(disclosed.additive_leakage(0.1), 1.0 - 0.07965567455405796, 1e-15);
        assert_relative(disclosed.multiplicative_leakage(0.1), 1.0 / 0.07965567455405796, 1e-15);
        assert_relative(disclosed.min_entropy_leakage_bits(0.1), -0.07965567455405796f64.log2(), 1e-15);
        // V₀ = √(2/π)·1e-320: its logarithm is finite where its inverse is not.
        let expected = 0.5 * (0.5 * std::f64::consts::PI).log2() - 1e-320f64.log2();
        assert_relative(disclosed.min_entropy_leakage_bits(1e-320), expected, 1e-15);
        assert_eq!(disclosed.min_entropy_leakage_bits(0.0), f64::INFINITY);
        let constant = Knowledge::after_all_outputs(0.0, 0.0, 0.0, 0.0, 0.0);
        assert_eq!([constant.prior_vulnerability(0.0), constant.posterior_vulnerability(0.0)], [1.0, 1.0]);
        assert_eq!([constant.additive_leakage(0.0), constant.min_entropy_leakage_bits(0.0)], [0.0, 0.0]);
        assert_eq!([constant.multiplicative_leakage(0.0), constant.squared_error_ratio()], [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn leakage_is_never_negative_and_consistent(scale in -15.0..-1e-6f64, tolerance in -3.0..1.0f64) {
            let (knowledge, t) = (standard(10f64.powf(scale)), 10f64.powf(tolerance));
            let additive = knowledge.additive_leakage(t);
            prop_assert!(additive >= 0.0);
            let difference = knowledge.posterior_vulnerability(t) - knowledge.prior_vulnerability(t);
            prop_assert!((additive - difference).abs() < 1e-15);
            let bits = knowledge.min_entropy_leakage_bits(t);
            prop_assert!(bits >= 0.0 && bits <= knowledge.density_leakage_limit_bits() * (1.0 + 1e-14));
            prop_assert!((knowledge.multiplicative_leakage(t).log2() - bits).abs() < 1e-14);
        }

        #[test]
        fn nothing_panics_and_only_nonsense_gives_nan(v0 in 0.0..f64::MAX, share in 0.0..1.0f64, t in 0.0..f64::MAX) {
            let knowledge = Knowledge::after_all_outputs(0.0, v0, 0.0, v0 * (1.0 - share), v0 * share);
            for value in [knowledge.additive_leakage(t), knowledge.multiplicative_leakage(t), knowledge.min_entropy_leakage_bits(t)] {
                prop_assert!(value >= 0.0, "{}", value);
            }
            prop_assert!(knowledge.additive_leakage(-t - 1.0).is_nan());
            prop_assert!(knowledge.additive_leakage(f64::INFINITY) == 0.0);
        }
    }
}
