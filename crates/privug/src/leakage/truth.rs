//! How close the attacker comes to a truth that the analyst knows.

use super::Knowledge;
use super::knowledge::Outcome;
use super::normal::{standard_cdf, standard_interval};
use crate::number::{DoubleDouble, Wide};

/// The attacker's knowledge held against the true value of the secret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgainstTruth {
    /// |prior mean − truth|.
    pub error_prior: f64,
    /// |posterior mean − truth|.
    pub error_posterior: f64,
    /// P(|X − truth| ≤ p·|truth|) before, for p of [`NEARNESS_PERCENT`].
    pub within_prior: [f64; 3],
    /// The same after.
    pub within_posterior: [f64; 3],
    /// How many posterior standard deviations the truth lies above the posterior mean; 0 or ±∞ when disclosed.
    pub z_posterior: f64,
    /// P(X ≤ truth) after, between 0 and 1.
    pub percentile_posterior: f64,
}

/// Near the truth means within this many percent of it.
pub const NEARNESS_PERCENT: [f64; 3] = [1.0, 5.0, 10.0];

impl Knowledge {
    /// Compares with the true value; `None` if it is not finite, or the knowledge is none.
    pub fn against_truth(&self, truth: f64) -> Option<AgainstTruth> {
        let valid = truth.is_finite() && self.prior_mean.is_finite() && self.outcome() != Outcome::Invalid;
        valid.then(|| {
            // The mean after is the mean before and a shift that may be far below its last digit.
            let before = DoubleDouble::from(self.prior_mean).sub(&truth.into());
            let after = before.add(&self.mean_shift.into()).to_f64();
            let before = before.to_f64();
            let within = |offset: f64, std_dev: f64| {
                NEARNESS_PERCENT.map(|percent| near_zero(offset, std_dev, percent / 100.0 * truth.abs()))
            };
            let z_posterior = if after == 0.0 { 0.0 } else { -after / self.posterior_std() };
            let known = self.posterior_variance == 0.0 && after == 0.0;
            AgainstTruth {
                error_prior: before.abs(),
                error_posterior: after.abs(),
                within_prior: within(before, self.prior_std()),
                within_posterior: within(after, self.posterior_std()),
                z_posterior,
                percentile_posterior: if known { 1.0 } else { standard_cdf(z_posterior) },
            }
        })
    }
}

/// P(|Y| ≤ radius) for Y ~ N(offset, std_dev²).
fn near_zero(offset: f64, std_dev: f64, radius: f64) -> f64 {
    if std_dev == 0.0 {
        return if offset.abs() <= radius { 1.0 } else { 0.0 };
    }
    standard_interval((-radius - offset) / std_dev, (radius - offset) / std_dev, 2.0 * radius / std_dev)
}
