//! How well the attacker guesses: Bayes vulnerability, leakage ratios and differences, squared error.
//!
//! The attacker guesses the mean, which is the best guess for every tolerance because a normal density is symmetric and
//! falls from its mean, and wins within ±t. The gain depends on the standard deviation only, hence not on the values
//! that were seen: the posterior vulnerability is the same for every output, and its mean over them (Smith 2009;
//! Alvim, Chatzikokolakis, McIver, Morgan, Palamidessi & Smith 2020, chapters 4 and 5).

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, SQRT_2};

use super::Knowledge;
use super::knowledge::Outcome;
use super::normal::standard_interval;

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
        let prior_log2 = tolerance.log2() - 0.5 * self.prior_variance.log2() - 0.5 * (0.5 * std::f64::consts::PI).log2();
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
