//! The rules of statistical offices, on one published figure.
//!
//! With the contributions x₁ ≥ x₂ ≥ … ≥ 0 of the people behind a figure, and X = Σ xᵢ:
//!
//! - minimum frequency: there are fewer than n contributors;
//! - (n, k)-dominance: x₁ + … + xₙ > k % of X;
//! - p% rule: X − x₁ − x₂ < p % of x₁, so that the second largest contributor, who knows their own part, can estimate
//!   the largest to within p %.

use super::contributions::Contributions;
use super::policy::{Policy, Rule, Verdict};

/// What the noise must reach, in percent of the largest contribution, where the policy has no p% rule.
const DEFAULT_PROTECTION_PERCENT: f64 = 10.0;

/// What the rules look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concentration {
    /// The part of the figure that the n largest contributors make up, in percent; `None` if there is nothing.
    pub dominance_percent: Option<f64>,
    /// How closely the second largest contributor can estimate the largest, in percent of it; `None` if that is 0.
    pub estimate_percent: Option<f64>,
}

/// How concentrated a figure is, published with noise of this standard deviation.
pub(super) fn concentration(found: &Contributions, noise_std: f64, policy: &Policy) -> Concentration {
    let part = |index: usize| found.largest.get(index).map_or(0.0, |(_, size)| *size);
    let dominant: f64 = found.largest.iter().take(policy.dominance_largest).map(|(_, size)| size).sum();
    // Of one or two contributors nothing is left, whatever rounding says.
    let rest = if found.contributors <= 2 { 0.0 } else { (found.total - part(0) - part(1)).max(0.0) };
    Concentration {
        dominance_percent: (found.total > 0.0).then(|| (100.0 * dominant / found.total).min(100.0)),
        estimate_percent: (part(0) > 0.0).then(|| 100.0 * rest.max(noise_std) / part(0)),
    }
}

/// The rules that are broken, and how badly.
///
/// Frequency and dominance know nothing of noise. Where it is as large as the p% rule wants the uncertainty to be, what
/// they say is for a person to weigh.
pub(super) fn judge(found: &Contributions, noise_std: f64, policy: &Policy) -> Vec<(Rule, Verdict)> {
    if found.contributors == 0 {
        return Vec::new();
    }
    let Concentration { dominance_percent, estimate_percent } = concentration(found, noise_std, policy);
    let percent = policy.p_percent.fail.or(policy.p_percent.review).unwrap_or(DEFAULT_PROTECTION_PERCENT);
    let largest = found.largest.first().map_or(0.0, |(_, size)| *size);
    let is_hidden = noise_std > 0.0 && noise_std >= percent / 100.0 * largest;
    let soften = |verdict: Verdict| if is_hidden { verdict.min(Verdict::Review) } else { verdict };
    let verdicts = [
        (Rule::MinimumFrequency, soften(policy.minimum_frequency.at_least(found.contributors as f64))),
        (Rule::Dominance, soften(dominance_percent.map_or(Verdict::Pass, |share| policy.dominance.at_most(share)))),
        (Rule::PPercent, estimate_percent.map_or(Verdict::Pass, |percent| policy.p_percent.at_least(percent))),
    ];
    verdicts.into_iter().filter(|(_, verdict)| *verdict != Verdict::Pass).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Thresholds;

    /// A sum of these contributions, which descend.
    fn sum(parts: &[f64]) -> Contributions {
        Contributions {
            contributors: parts.len(),
            total: parts.iter().sum(),
            largest: parts.iter().copied().enumerate().take(3).collect(),
            largest_weight: 1.0,
            noise_variance: 0.0,
        }
    }

    fn broken(parts: &[f64], noise_std: f64) -> Vec<Rule> {
        let fails = |(rule, verdict): (Rule, Verdict)| (verdict == Verdict::Fail).then_some(rule);
        judge(&sum(parts), noise_std, &Policy::default()).into_iter().filter_map(fails).collect()
    }

    #[test]
    fn ten_equal_contributors_are_enough_and_nine_are_not() {
        assert_eq!(broken(&[1.0; 10], 0.0), []);
        assert_eq!(broken(&[1.0; 9], 0.0), [Rule::MinimumFrequency]);
    }

    #[test]
    fn two_that_make_up_more_than_85_percent_dominate() {
        // 60 + 25 of 100 is 85 %, not more; the rest is 15 of 60, 25 %.
        let mut parts = vec![60.0, 25.0];
        parts.extend([15.0 / 8.0; 8]);
        assert_eq!(broken(&parts, 0.0), []);
        // 60 + 26 of 100.
        parts[1] = 26.0;
        parts[2..].fill(14.0 / 8.0);
        assert_eq!(broken(&parts, 0.0), [Rule::Dominance]);
        let shares = concentration(&sum(&parts), 0.0, &Policy { dominance_largest: 1, ..Policy::default() });
        assert_eq!(shares.dominance_percent, Some(60.0));
    }

    #[test]
    fn the_second_largest_estimates_the_largest_if_the_rest_is_small() {
        // The rest is 7.2 of 80, 9 %: the second can tell the largest to within 9 %.
        let mut parts = vec![80.0, 12.0];
        parts.extend([0.9; 8]);
        let policy = Policy { dominance: Thresholds::default(), ..Policy::default() };
        let found = judge(&sum(&parts), 0.0, &policy);
        assert_eq!(found, [(Rule::PPercent, Verdict::Fail)]);
        let estimate = concentration(&sum(&parts), 0.0, &policy).estimate_percent.expect("a number");
        assert!((estimate - 9.0).abs() < 1e-9);
        // A rest of 8 is 10 %, not less.
        parts[2..].fill(1.0);
        assert_eq!(judge(&sum(&parts), 0.0, &policy), []);
    }

    #[test]
    fn a_single_contributor_breaks_every_rule() {
        assert_eq!(broken(&[5.0], 0.0), [Rule::MinimumFrequency, Rule::Dominance, Rule::PPercent]);
    }

    #[test]
    fn noise_that_hides_the_largest_leaves_the_others_to_a_person() {
        // 10 % of 5 is 0.5.
        let verdicts = |noise_std| judge(&sum(&[5.0]), noise_std, &Policy::default());
        let review = [(Rule::MinimumFrequency, Verdict::Review), (Rule::Dominance, Verdict::Review)];
        assert_eq!(verdicts(0.5), review);
        assert_eq!(verdicts(0.49).iter().filter(|(_, verdict)| *verdict == Verdict::Fail).count(), 3);
    }

    #[test]
    fn a_figure_without_contributors_or_of_zeros_breaks_no_share_rule() {
        assert_eq!(broken(&[], 0.0), []);
        assert_eq!(broken(&[0.0; 10], 0.0), []);
    }
}
