//! What an attacker knew and knows about one secret: the input of every measure.

use privug_engine::gaussian::Normal;

/// A Gaussian secret before and after the outputs were seen.
///
/// Differences are fields of their own, because they carry digits that the difference of the rounded variances or
/// means has lost: a leak of 1e-12 is still right to 12 digits. What is not knowledge (a negative or infinite variance,
/// NaN) gives NaN measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knowledge {
    /// Mean before.
    pub prior_mean: f64,
    /// Variance before, v₀; 0 for a constant, about which there is nothing to learn.
    pub prior_variance: f64,
    /// Posterior mean − prior mean, d.
    pub mean_shift: f64,
    /// Variance after, v₁; exactly 0 if the secret is fully disclosed.
    pub posterior_variance: f64,
    /// r = v₀ − v₁, computed without cancellation.
    pub variance_reduction: f64,
    /// Variance that would be left if all outputs were seen; v₁ if they were.
    pub variance_if_all_published: f64,
    /// v₀ − `variance_if_all_published`, computed without cancellation; r if all outputs were seen.
    pub reduction_if_all_published: f64,
}

/// The cases in which the formulas differ, most by a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// v₀ = 0: nothing to learn.
    Constant,
    /// v₀ > 0 = v₁: everything was learned.
    Disclosed,
    /// v₀ ≥ v₁ > 0.
    Uncertain,
    /// Not knowledge at all.
    Invalid,
}

impl Knowledge {
    /// The knowledge after all outputs were seen.
    pub fn after_all_outputs(
        prior_mean: f64,
        prior_variance: f64,
        mean_shift: f64,
        posterior_variance: f64,
        variance_reduction: f64,
    ) -> Self {
        Knowledge {
            prior_mean,
            prior_variance,
            mean_shift,
            posterior_variance,
            variance_reduction,
            variance_if_all_published: posterior_variance,
            reduction_if_all_published: variance_reduction,
        }
    }

    /// Standard deviation before, σ₀.
    pub fn prior_std(&self) -> f64 {
        self.prior_variance.sqrt()
    }

    /// Standard deviation after, σ₁.
    pub fn posterior_std(&self) -> f64 {
        self.posterior_variance.sqrt()
    }

    /// Mean after, rounded; use the shift where a difference matters.
    pub fn posterior_mean(&self) -> f64 {
        self.prior_mean + self.mean_shift
    }

    /// The distribution before; `None` if it is none.
    pub fn prior(&self) -> Option<Normal> {
        Normal::new(self.prior_mean, self.prior_variance)
    }

    /// The distribution after; `None` if it is none.
    pub fn posterior(&self) -> Option<Normal> {
        Normal::new(self.posterior_mean(), self.posterior_variance)
    }

    /// Whether outputs that no value was seen of will tell more: then the mean is not known yet, only the variance.
    pub fn is_open(&self) -> bool {
        let seen = (self.posterior_variance, self.variance_reduction);
        seen != (self.variance_if_all_published, self.reduction_if_all_published)
    }

    /// The knowledge once all outputs are published, whatever their values are: the variance is the same for all of
    /// them. If it [is open](Self::is_open), the mean and its shift are those of what was seen, and not yet the last.
    pub fn as_if_published(&self) -> Self {
        Knowledge {
            posterior_variance: self.variance_if_all_published,
            variance_reduction: self.reduction_if_all_published,
            ..*self
        }
    }

    /// Whether a secret that was uncertain is now known exactly.
    pub fn fully_disclosed(&self) -> bool {
        self.outcome() == Outcome::Disclosed
    }

    pub(super) fn outcome(&self) -> Outcome {
        outcome(self.prior_variance, self.posterior_variance, self.variance_reduction, self.mean_shift)
    }

    /// How it would end if all outputs were seen; the shift plays no role.
    pub(super) fn outcome_if_all_published(&self) -> Outcome {
        outcome(self.prior_variance, self.variance_if_all_published, self.reduction_if_all_published, 0.0)
    }

    /// s = σ₁/σ₀ ≤ 1.
    pub(super) fn std_ratio(&self) -> f64 {
        self.posterior_std() / self.prior_std()
    }

    /// q = r/v₀ = 1 − v₁/v₀, between 0 and 1.
    pub(super) fn relative_reduction(&self) -> f64 {
        self.variance_reduction / self.prior_variance
    }

    /// σ₀ − σ₁ = r/(σ₀ + σ₁).
    pub(super) fn std_reduction(&self) -> f64 {
        self.variance_reduction / (self.prior_std() + self.posterior_std())
    }

    /// ln(v₀/v₁).
    pub(super) fn log_variance_ratio_nats(&self) -> f64 {
        log_variance_ratio_nats(self.posterior_variance, self.variance_reduction)
    }
}

fn outcome(prior_variance: f64, posterior_variance: f64, reduction: f64, shift: f64) -> Outcome {
    let variances = [prior_variance, posterior_variance, reduction];
    if variances.iter().any(|v| !v.is_finite() || *v < 0.0) || !shift.is_finite() {
        Outcome::Invalid
    } else if prior_variance == 0.0 {
        Outcome::Constant
    } else if posterior_variance == 0.0 {
        Outcome::Disclosed
    } else {
        Outcome::Uncertain
    }
}

/// ln((v + r)/v) = ln(1 + r/v) for a variance v left after a reduction r; ∞ if nothing is left, 0 if both are 0.
pub(super) fn log_variance_ratio_nats(variance_after: f64, reduction: f64) -> f64 {
    if reduction == 0.0 {
        return 0.0;
    }
    let ratio = reduction / variance_after;
    // The quotient overflows for 1e300/1e-300, the difference of logarithms does not (and cancels only when it is small).
    if ratio == f64::INFINITY { reduction.ln() - variance_after.ln() } else { ratio.ln_1p() }
}
