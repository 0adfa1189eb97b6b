//! Information measures: mutual information, Kullback-Leibler divergences and differential entropy, in bits.
//!
//! Symbols: prior N(m₀, v₀), posterior N(m₀ + d, v₁), r = v₀ − v₁, q = r/v₀, y = r/v₁.

use std::f64::consts::{E, LN_2, TAU};

use super::Knowledge;
use super::knowledge::{Outcome, log_variance_ratio_nats};
use privug_engine::gaussian::special::x_minus_ln_1p;
use privug_engine::number::{Constants, DoubleDouble, Field, Wide};

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
    let rest = unexplained(covariance, prior_variance, variance);
    if rest < -1e-9 {
        // No rounding explains that: the three are no covariance matrix.
        f64::NAN
    } else if rest <= 4.0 * f64::EPSILON {
        f64::INFINITY
    } else {
        -HALF_NAT_IN_BITS * rest.ln()
    }
}

/// 1 − c²/(v·w), the products in pairs of doubles.
fn unexplained(c: f64, v: f64, w: f64) -> f64 {
    // Powers of two near √v and √w: dividing by them is exact, and keeps the products in range.
    let root = |x: f64| (0.5 * x.log2()).round().exp2();
    let (root_v, root_w) = (root(v), root(w));
    let product = |a: f64, b: f64| DoubleDouble::from(a).mul_narrow(&b);
    let whole = product(v / root_v / root_v, w / root_w / root_w);
    let c = c / root_v / root_w;
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
            if projection.is_nan() || projection < 0.0 || left < 0.0 {
                // Nothing before it is right either.
                left = f64::NAN;
            }
            let share = HALF_NAT_IN_BITS * log_variance_ratio_nats(left, projection);
            left += projection;
            share
        })
        .collect();
    shares.reverse();
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::gaussian::testing::{assert_relative, simpson};
    use privug_engine::number::{Rational, Scalar};
    use proptest::prelude::*;

    /// N(0, 1) → N(d, 1 − r), for a given r.
    fn standard(r: f64, d: f64) -> Knowledge {
        Knowledge::after_all_outputs(0.0, 1.0, d, 1.0 - r, r)
    }

    /// (mean shift, posterior variance, reduction, D(post‖prior), D(prior‖post), mutual information) of the case study,
    /// prior variance 100, computed in rational arithmetic and rounded once. All its public programs have the first.
    const CASE_STUDY: [[f64; 6]; 4] = [
        [3000.0, 90.0, 10.0, 64_921.280_706_798_03, 72_134.756_192_625_94, 0.076_001_546_722_524_99],
        [
            2.0796747665955014e-5,
            99.999_999_930_677_5,
            6.932_249_221_985_005e-8,
            3.119_862_199_829_295e-12,
            3.1198622019920615e-12,
            5.000_560_789_115_327e-10,
        ],
        [
            4.159_349_522_378_385e-5,
            99.999_999_913_346_88,
            8.665_311_509_460_226e-8,
            1.2479448311952881e-11,
            1.2479448322766711e-11,
            6.250_700_973_936_377e-10,
        ],
        [
            0.00010571680028686474,
            99.999_999_909_014_24,
            9.098_577_080_578_155e-8,
            8.061_810_116_039_535e-11,
            8.061_810_123_374_635e-11,
            6.563_236_019_633_849e-10,
        ],
    ];

    #[test]
    fn the_case_study_is_reproduced_to_fourteen_digits() {
        for [shift, posterior, reduction, kl, reverse_kl, information] in CASE_STUDY {
            let knowledge = Knowledge::after_all_outputs(480_000.0, 100.0, shift, posterior, reduction);
            assert_relative(knowledge.kl_posterior_prior_bits(), kl, 1e-14);
            assert_relative(knowledge.kl_prior_posterior_bits(), reverse_kl, 1e-14);
            assert_relative(knowledge.mutual_information_bits(), information, 1e-14);
        }
    }

    #[test]
    fn each_output_alone_tells_what_the_case_study_says() {
        // The averages of 10, 20 and 40 incomes, each of variance 100: covariance 100/n, variance 100/n.
        for (people, expected) in
            [(10.0, 0.076_001_546_722_524_99), (20.0, 0.037_000_290_721_888_43), (40.0, 0.018262938012557003)]
        {
            let average = OutputAlone { covariance: 100.0 / people, variance: 100.0 / people, variance_left: None };
            assert_relative(output_mutual_information_bits(100.0, &average), expected, 1e-14);
        }
    }

    #[test]
    fn leaks_from_1e_300_to_1e300_bits_keep_their_digits() {
        let ln_2 = LN_2;
        for exponent in [-300, -200, -100, -30, -17] {
            let r = 10f64.powi(exponent);
            // ½ ln(1 + r) = r/2 up to r²/4, far below the last digit.
            assert_relative(standard(r, 0.0).mutual_information_bits(), r / (2.0 * ln_2), 1e-15);
        }
        for exponent in [-150, -100, -20, 20, 100, 150] {
            // Without reduction both divergences are d²/(2 ln 2).
            let d = 10f64.powi(exponent);
            assert_relative(standard(0.0, d).kl_posterior_prior_bits(), d * d / (2.0 * ln_2), 1e-15);
            assert_relative(standard(0.0, d).kl_prior_posterior_bits(), d * d / (2.0 * ln_2), 1e-15);
        }
        for exponent in [-150, -100, -20] {
            // −r − ln(1 − r) = r²/2 + r³/3 + …, halved.
            let r = 10f64.powi(exponent);
            assert_relative(standard(r, 0.0).kl_posterior_prior_bits(), r * r / (4.0 * ln_2), 1e-15);
            assert_relative(standard(r, 0.0).kl_prior_posterior_bits(), r * r / (4.0 * ln_2), 1e-15);
        }
    }

    #[test]
    fn divergences_agree_with_their_series_in_exact_arithmetic() {
        // −ln(1 − q) = Σ q^k/k, here to 60 terms: the rest is below 0.4^61.
        let series = |q: &Rational, from: i64| {
            (from..=60).fold(<Rational as Constants>::zero(), |sum, k| sum + q.pow(k as isize) / Rational::from(k))
        };
        for q in [1e-10, 1e-3, 0.1, 0.25, 0.4] {
            let exact_q = <Rational as Scalar>::from_f64(q).expect("finite");
            let rest = Rational::ONE - &exact_q;
            let knowledge = Knowledge::after_all_outputs(0.0, 1.0, 0.0, Constants::to_f64(&rest), q);
            let forward = series(&exact_q, 2);
            // y − ln(1 + y) with y = q/(1 − q), 1 + y = 1/(1 − q).
            let backward = &exact_q / &rest - series(&exact_q, 1);
            let bits = |nats: &Rational| Constants::to_f64(nats) * HALF_NAT_IN_BITS;
            assert_relative(knowledge.kl_posterior_prior_bits(), bits(&forward), 2e-15);
            assert_relative(knowledge.kl_prior_posterior_bits(), bits(&backward), 2e-15);
            assert_relative(knowledge.mutual_information_bits(), bits(&series(&exact_q, 1)), 2e-15);
        }
    }

    #[test]
    fn next_to_disclosure_every_measure_follows_the_variance_that_is_left() {
        for exponent in [-20, -100, -300] {
            let left = 10f64.powi(exponent);
            // v₀ = 1 = r to the last digit; ln(v₀/v₁) = −exponent·ln 10.
            let knowledge = Knowledge::after_all_outputs(0.0, 1.0, 0.0, left, 1.0);
            let log_ratio = -f64::from(exponent) * 10f64.ln();
            assert_relative(knowledge.mutual_information_bits(), log_ratio / (2.0 * LN_2), 1e-15);
            assert_relative(knowledge.kl_posterior_prior_bits(), (log_ratio - 1.0) / (2.0 * LN_2), 1e-15);
            assert_relative(knowledge.kl_prior_posterior_bits(), (1.0 / left - log_ratio) / (2.0 * LN_2), 1e-15);
        }
        // Where the ratio of the variances overflows, its logarithm does not: 600 ln 10.
        let extreme = Knowledge::after_all_outputs(0.0, 1e300, 0.0, 1e-300, 1e300);
        assert_relative(extreme.mutual_information_bits(), 600.0 * 10f64.log2() / 2.0, 1e-15);
    }

    #[test]
    fn a_disclosed_secret_and_a_constant_have_every_measure() {
        let disclosed = Knowledge::after_all_outputs(0.0, 4.0, 1.0, 0.0, 4.0);
        assert!(disclosed.fully_disclosed());
        assert_eq!(disclosed.mutual_information_bits(), f64::INFINITY);
        assert_eq!(disclosed.kl_posterior_prior_bits(), f64::INFINITY);
        assert_eq!(disclosed.kl_prior_posterior_bits(), f64::INFINITY);
        assert_eq!(disclosed.posterior_entropy_bits(), f64::NEG_INFINITY);
        let constant = Knowledge::after_all_outputs(7.0, 0.0, 0.0, 0.0, 0.0);
        assert!(!constant.fully_disclosed());
        assert_eq!(constant.mutual_information_bits(), 0.0);
        assert_eq!(constant.kl_posterior_prior_bits(), 0.0);
        assert_eq!(constant.kl_prior_posterior_bits(), 0.0);
        assert_eq!(constant.prior_entropy_bits(), f64::NEG_INFINITY);
    }

    #[test]
    fn outputs_that_were_not_seen_count_for_mutual_information_only() {
        let knowledge = Knowledge {
            variance_if_all_published: 0.25,
            reduction_if_all_published: 0.75,
            ..Knowledge::after_all_outputs(0.0, 1.0, 0.0, 1.0, 0.0)
        };
        // ½ log₂(1/0.25) = 1.
        assert_relative(knowledge.mutual_information_bits(), 1.0, 1e-15);
        assert_eq!(knowledge.kl_posterior_prior_bits(), 0.0);
    }

    #[test]
    fn the_mean_divergence_over_all_outputs_is_the_mutual_information() {
        // Over the outputs the shift is N(0, r).
        for r in [1e-6, 0.3, 0.9] {
            let density = |d: f64| (-0.5 * d * d / r).exp() / (TAU * r).sqrt();
            let end = 12.0 * r.sqrt();
            let mean = simpson(-end, end, |d| density(d) * standard(r, d).kl_posterior_prior_bits());
            assert_relative(mean, standard(r, 0.0).mutual_information_bits(), 1e-10);
        }
    }

    #[test]
    fn divergences_are_the_integrals_that_define_them() {
        let knowledge = Knowledge::after_all_outputs(10.0, 4.0, 1.5, 1.0, 3.0);
        let (prior, posterior) = (knowledge.prior().expect("valid"), knowledge.posterior().expect("valid"));
        let divergence = |p: crate::leakage::Normal, q: crate::leakage::Normal| {
            simpson(-10.0, 30.0, |x| {
                let (at_p, at_q) = (p.density(x), q.density(x));
                if at_p == 0.0 || at_q == 0.0 { 0.0 } else { at_p * (at_p / at_q).log2() }
            })
        };
        assert_relative(knowledge.kl_posterior_prior_bits(), divergence(posterior, prior), 1e-10);
        assert_relative(knowledge.kl_prior_posterior_bits(), divergence(prior, posterior), 1e-10);
        let entropy = simpson(-10.0, 30.0, |x| -prior.density(x) * prior.density(x).log2());
        assert_relative(knowledge.prior_entropy_bits(), entropy, 1e-10);
    }

    #[test]
    fn an_output_that_is_nearly_the_secret_keeps_the_digits_its_inputs_have() {
        // c = v = 1, w = 1 + 2⁻⁴⁰: 1 − ρ² = 2⁻⁴⁰/(1 + 2⁻⁴⁰), so 20 bits and a little.
        let gap = 2f64.powi(-40);
        let nearly = OutputAlone { covariance: 1.0, variance: 1.0 + gap, variance_left: None };
        assert_relative(output_mutual_information_bits(1.0, &nearly), 20.0 + gap / (2.0 * LN_2), 1e-15);
        // The same at the ends of the range.
        let scaled = OutputAlone { covariance: 1.0, variance: (1.0 + gap) * 2f64.powi(1000), variance_left: None };
        assert_relative(output_mutual_information_bits(2f64.powi(-1000), &scaled), 20.0, 1e-12);
        // A residual that is known goes further.
        let left = OutputAlone { covariance: 1.0, variance: 1.0, variance_left: Some(2f64.powi(-200)) };
        assert_relative(output_mutual_information_bits(1.0, &left), 100.0, 1e-15);
        let same = OutputAlone { covariance: 3.0, variance: 3.0, variance_left: None };
        assert_eq!(output_mutual_information_bits(3.0, &same), f64::INFINITY);
        let impossible = OutputAlone { covariance: 2.0, variance: 1.0, variance_left: None };
        assert!(output_mutual_information_bits(1.0, &impossible).is_nan());
    }

    #[test]
    fn the_share_that_completes_a_disclosure_is_infinite_and_redundant_outputs_add_nothing() {
        // 1 → ½ → 0 → 0: half a bit, everything, nothing.
        let shares = chain_shares_bits(&[0.5, 0.5, 0.0], 0.0);
        assert_relative(shares[0], 0.5, 1e-15);
        assert_eq!(&shares[1..], [f64::INFINITY, 0.0]);
        assert_eq!(chain_shares_bits(&[0.0, 0.0], 0.0), [0.0, 0.0]);
        assert_eq!(chain_shares_bits(&[], 1.0), [0.0; 0]);
        assert!(chain_shares_bits(&[1.0, -1.0], 1.0)[0].is_nan());
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_whole(
            scales in proptest::collection::vec(-40.0..3.0f64, 1..20),
            left in 1e-12..1e3f64,
        ) {
            let projections: Vec<f64> = scales.iter().map(|scale| 10f64.powf(*scale)).collect();
            let reduction: f64 = projections.iter().sum();
            let whole = Knowledge::after_all_outputs(0.0, left + reduction, 0.0, left, reduction).mutual_information_bits();
            let shares = chain_shares_bits(&projections, left);
            prop_assert!(shares.iter().all(|share| *share >= 0.0));
            prop_assert!((shares.iter().sum::<f64>() / whole - 1.0).abs() < 1e-13);
        }

        #[test]
        fn more_reduction_is_more_information_and_divergences_are_not_negative(
            a in 0.0..1.0f64, b in 0.0..1.0f64, d in -5.0..5.0f64,
        ) {
            let (less, more) = (standard(a.min(b), d), standard(a.max(b), d));
            prop_assert!(less.mutual_information_bits() <= more.mutual_information_bits());
            prop_assert!(less.kl_posterior_prior_bits() <= more.kl_posterior_prior_bits() * (1.0 + 1e-14));
            prop_assert!(less.kl_prior_posterior_bits() >= 0.0);
        }

        #[test]
        fn nothing_panics(v in any::<[f64; 7]>(), projections in any::<Vec<f64>>()) {
            let knowledge = Knowledge {
                prior_mean: v[0], prior_variance: v[1], mean_shift: v[2], posterior_variance: v[3],
                variance_reduction: v[4], variance_if_all_published: v[5], reduction_if_all_published: v[6],
            };
            let _ = (knowledge.mutual_information_bits(), knowledge.kl_posterior_prior_bits());
            let _ = (knowledge.kl_prior_posterior_bits(), knowledge.prior_entropy_bits());
            let _ = chain_shares_bits(&projections, v[0]);
            let output = OutputAlone { covariance: v[0], variance: v[1], variance_left: None };
            let _ = output_mutual_information_bits(v[2], &output);
        }
    }
}
