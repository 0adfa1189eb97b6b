//! Information measures: mutual information, Kullback-Leibler divergences and differential entropy, in bits.
//!
//! Symbols: prior N(m₀, v₀), posterior N(m₀ + d, v₁), r = v₀ − v₁, q = r/v₀, y = r/v₁.

use std::f64::consts::{E, LN_2, TAU};

use super::Knowledge;
use super::knowledge::{Outcome, log_variance_ratio_nats};
use super::special::x_minus_ln_1p;
use crate::number::{DoubleDouble, Wide};

/// ½/ln 2: half a natural logarithm, in bits.
pub(super) const HALF_NAT_IN_BITS: f64 = 0.5 / LN_2;

impl Knowledge {
    /// Mutual information between the secret and all outputs, in bits: I(X; Y) = ½ log₂(v₀/v) with v the variance that
    /// all outputs leave (Cover & Thomas 2006, §8.5: difference of Gaussian entropies).
    ///
    /// Computed as ½ log₂(1 + (v₀ − v)/v). It does not depend on the values seen. ∞ if the outputs disclose the secret,
    /// 0 for a constant.
    pub fn mutual_information_bits(&self) -> f64 {
        match self.outcome_if_all_published() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => 0.0,
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => {
                HALF_NAT_IN_BITS
                    * log_variance_ratio_nats(self.variance_if_all_published, self.reduction_if_all_published)
            }
        }
    }

    /// D(posterior ‖ prior) in bits: ½ (v₁/v₀ − 1 − ln(v₁/v₀) + d²/v₀)/ln 2 (Kullback & Leibler 1951, for normals).
    ///
    /// How surprising the attacker's knowledge of now is to the attacker of before. Its mean over all outputs is the
    /// mutual information. ∞ when disclosed: a point is singular to a density.
    pub fn kl_posterior_prior_bits(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => divergence_of_constants(self.mean_shift),
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => {
                let shift = self.mean_shift / self.prior_std();
                HALF_NAT_IN_BITS * self.entropy_excess_nats() + HALF_NAT_IN_BITS * shift * shift
            }
        }
    }

    /// −q − ln(1 − q), nonnegative.
    fn entropy_excess_nats(&self) -> f64 {
        let q = self.relative_reduction();
        // Next to disclosure 1 − q has no digits left, but ln(v₀/v₁) has.
        if q < 0.5 { x_minus_ln_1p(-q) } else { self.log_variance_ratio_nats() - q }
    }

    /// D(prior ‖ posterior) in bits: ½ (v₀/v₁ − 1 − ln(v₀/v₁) + d²/v₁)/ln 2, that is y − ln(1 + y) and the shift.
    ///
    /// ∞ when disclosed.
    pub fn kl_prior_posterior_bits(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => divergence_of_constants(self.mean_shift),
            Outcome::Disclosed => f64::INFINITY,
            Outcome::Uncertain => {
                let y = self.variance_reduction / self.posterior_variance;
                let shift = self.mean_shift / self.posterior_std();
                HALF_NAT_IN_BITS * x_minus_ln_1p(y) + HALF_NAT_IN_BITS * shift * shift
            }
        }
    }

    /// Differential entropy before, in bits relative to the secret's unit.
    pub fn prior_entropy_bits(&self) -> f64 {
        entropy_bits(self.prior_variance)
    }

    /// Differential entropy after, in bits relative to the secret's unit; −∞ when disclosed.
    pub fn posterior_entropy_bits(&self) -> f64 {
        entropy_bits(self.posterior_variance)
    }
}

/// Two constants are the same distribution or singular to each other.
fn divergence_of_constants(shift: f64) -> f64 {
    if shift == 0.0 { 0.0 } else { f64::INFINITY }
}

/// Differential entropy of N(m, variance) in bits: ½ log₂(2πe·variance) (Cover & Thomas 2006, example 8.1.2).
///
/// −∞ for a constant; NaN for what is no variance.
pub fn entropy_bits(variance: f64) -> f64 {
    if variance.is_nan() || variance < 0.0 { f64::NAN } else { 0.5 * (TAU * E).log2() + 0.5 * variance.log2() }
}

/// How one output and the secret vary together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutputAlone {
    /// Covariance of the output with the secret.
    pub covariance: f64,
    /// The output's own variance.
    pub variance: f64,
    /// Variance of the secret that is left when this output alone is seen, where it is known better than
    /// v₀ − covariance²/variance.
    pub variance_left: Option<f64>,
}

/// Mutual information between the secret and one output alone, in bits: −½ log₂(1 − ρ²), ρ their correlation
/// (Cover & Thomas 2006, example 8.5.1).
///
/// Without `variance_left`, 1 − ρ² is found from the exact products v₀·w − c²; below the rounding of the inputs
/// (4 units in the last place of 1) it cannot be told from 0 and the output counts as a disclosure: ∞.
pub fn output_mutual_information_bits(prior_variance: f64, output: &OutputAlone) -> f64 {
    let OutputAlone { covariance, variance, variance_left } = *output;
    let numbers = [prior_variance, covariance, variance, variance_left.unwrap_or(0.0)];
    if numbers.iter().any(|x| !x.is_finite()) || [0, 2, 3].iter().any(|&i| numbers[i] < 0.0) {
        return f64::NAN;
    }
    if prior_variance == 0.0 || variance == 0.0 || covariance == 0.0 {
        return 0.0;
    }
    // ρ as a product of ratios near 1, which neither overflows nor underflows.
    let correlation = (covariance / prior_variance.sqrt()) / variance.sqrt();
    let correlation_squared = correlation * correlation;
    if let Some(left) = variance_left {
        return HALF_NAT_IN_BITS * log_variance_ratio_nats(left, correlation_squared * prior_variance);
    }
    if correlation_squared < 0.5 {
        return -HALF_NAT_IN_BITS * (-correlation_squared).ln_1p();
    }
    let scale = prior_variance.sqrt() * variance.sqrt();
    let rest = unexplained(covariance / scale, prior_variance / scale, variance / scale);
    if rest <= 4.0 * f64::EPSILON { f64::INFINITY } else { -HALF_NAT_IN_BITS * rest.ln() }
}

/// 1 − c²/(v·w), the products in pairs of doubles.
fn unexplained(c: f64, v: f64, w: f64) -> f64 {
    let product = |a: f64, b: f64| DoubleDouble::from(a).mul_narrow(&b);
    let whole = product(v, w);
    whole.sub(&product(c, c)).div(&whole).to_f64()
}

/// What each output adds after the earlier ones, in bits: share_l = ½ log₂(1 + p_l/u_l) with the projections p_l ≥ 0
/// and u_l = `variance_if_all_published` + Σ_{m>l} p_m the variance left after output l.
///
/// The shares add up to the mutual information with all outputs: chain rule, I(X; Y₁…Y_k) = Σ I(X; Y_l | Y₁…Y_{l−1})
/// (Cover & Thomas 2006, theorem 2.5.2). An output that adds nothing has share 0, the one that completes a disclosure ∞.
pub fn chain_shares_bits(projections: &[f64], variance_if_all_published: f64) -> Vec<f64> {
    let mut left = variance_if_all_published;
    let mut shares: Vec<f64> = projections
        .iter()
        .rev()
        .map(|&projection| {
            if !(projection >= 0.0 && left >= 0.0) {
                return f64::NAN;
            }
            let share = HALF_NAT_IN_BITS * log_variance_ratio_nats(left, projection);
            left += projection;
            share
        })
        .collect();
    shares.reverse();
    shares
}
