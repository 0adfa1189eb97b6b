//! How close the attacker comes to a truth that the analyst knows.

use super::Knowledge;
use super::knowledge::Outcome;
use privug_engine::gaussian::normal::{standard_cdf, standard_interval};
use privug_engine::number::{Constants, DoubleDouble, Field};

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
    /// Compares with the true value; `None` if it is not finite or out of range, or the knowledge is none.
    pub fn against_truth(&self, truth: f64) -> Option<AgainstTruth> {
        // Infinite if any of them is, or if their difference is out of range.
        let offsets = [self.prior_mean - truth, self.prior_mean - truth + self.mean_shift];
        let valid = offsets.iter().all(|offset| offset.is_finite()) && self.outcome() != Outcome::Invalid;
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

impl Knowledge {
    /// P(|X − truth| ≤ percent/100·|truth|), before and after; `None` as for [`against_truth`](Self::against_truth).
    pub fn near_truth(&self, truth: f64, percent: f64) -> Option<[f64; 2]> {
        self.within_of_truth(truth, percent / 100.0 * truth.abs())
    }

    /// P(|secret − truth| ≤ radius) before and after; `None` where there is no such knowledge.
    pub fn within_of_truth(&self, truth: f64, radius: f64) -> Option<[f64; 2]> {
        let before = DoubleDouble::from(self.prior_mean).sub(&truth.into());
        let after = before.add(&self.mean_shift.into()).to_f64();
        let before = before.to_f64();
        let valid = before.is_finite() && after.is_finite() && self.outcome() != Outcome::Invalid;
        valid.then(|| [near_zero(before, self.prior_std(), radius), near_zero(after, self.posterior_std(), radius)])
    }
}

/// P(|Y| ≤ radius) for Y ~ N(offset, std_dev²).
fn near_zero(offset: f64, std_dev: f64, radius: f64) -> f64 {
    if std_dev == 0.0 {
        return if offset.abs() <= radius { 1.0 } else { 0.0 };
    }
    standard_interval((-radius - offset) / std_dev, (radius - offset) / std_dev, 2.0 * radius / std_dev)
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::gaussian::testing::{assert_relative, simpson};

    #[test]
    fn the_case_study_attacker_comes_3000_closer() {
        let knowledge = Knowledge::after_all_outputs(480_000.0, 100.0, 3000.0, 90.0, 10.0);
        let against = knowledge.against_truth(500_000.0).expect("finite");
        assert_eq!([against.error_prior, against.error_posterior], [20_000.0, 17_000.0]);
        // 17000 of √90 each.
        assert_relative(against.z_posterior, 17_000.0 / 90f64.sqrt(), 1e-15);
        assert_eq!(against.percentile_posterior, 1.0);
        // 10 % is 50 000 to each side, and the whole distribution lies within; 1 % is 5 000, and it lies without.
        assert_eq!(against.within_posterior, [0.0, 1.0, 1.0]);
    }

    #[test]
    fn nearness_is_the_integral_of_the_density_around_the_truth() {
        let knowledge = Knowledge::after_all_outputs(95.0, 100.0, 3.0, 16.0, 84.0);
        let against = knowledge.against_truth(100.0).expect("finite");
        let (prior, posterior) = (knowledge.prior().expect("valid"), knowledge.posterior().expect("valid"));
        for (index, radius) in [1.0, 5.0, 10.0].into_iter().enumerate() {
            let around =
                |normal: crate::leakage::Normal| simpson(100.0 - radius, 100.0 + radius, |x| normal.density(x));
            assert_relative(against.within_prior[index], around(prior), 1e-12);
            assert_relative(against.within_posterior[index], around(posterior), 1e-12);
            let near = knowledge.near_truth(100.0, radius).expect("finite");
            assert_eq!(near, [against.within_prior[index], against.within_posterior[index]]);
        }
        // (100 − 98)/4.
        assert_eq!(against.z_posterior, 0.5);
        assert_relative(against.percentile_posterior, posterior.cdf(100.0), 1e-15);
    }

    #[test]
    fn a_shift_below_the_last_digit_of_the_mean_still_counts() {
        // 480000 + 1e-12 rounds to 480000.
        let knowledge = Knowledge::after_all_outputs(480_000.0, 1.0, 1e-12, 1.0, 0.0);
        let against = knowledge.against_truth(480_000.0).expect("finite");
        assert_eq!([against.error_prior, against.error_posterior], [0.0, 1e-12]);
    }

    #[test]
    fn a_disclosed_secret_is_at_the_truth_or_not() {
        let disclosed = Knowledge::after_all_outputs(1.0, 4.0, 1.0, 0.0, 4.0);
        let right = disclosed.against_truth(2.0).expect("finite");
        assert_eq!(right.within_posterior, [1.0; 3]);
        assert_eq!([right.z_posterior, right.percentile_posterior], [0.0, 1.0]);
        let wrong = disclosed.against_truth(1.9).expect("finite");
        assert_eq!(wrong.within_posterior, [0.0, 0.0, 1.0]);
        assert_eq!([wrong.z_posterior, wrong.percentile_posterior], [f64::NEG_INFINITY, 0.0]);
        assert_eq!(disclosed.against_truth(f64::NAN), None);
        assert_eq!(disclosed.against_truth(f64::INFINITY), None);
        // Within any share of 0 is at 0, where a density has no mass.
        assert_eq!(disclosed.against_truth(0.0).expect("finite").within_prior, [0.0; 3]);
    }
}
