//! The rules of statistical offices, on one published figure.
//!
//! With the contributions x₁ ≥ x₂ ≥ … ≥ 0 of the people behind a figure (each the absolute value of the sum over their
//! rows), and X = Σ xᵢ:
//!
//! - minimum frequency: there are fewer than n contributors, also without those who are outweighed (see `in_effect`);
//! - (n, k)-dominance: x₁ + … + xₙ > k % of X;
//! - p% rule: X − x₁ − x₂ < p % of x₁, so that the second largest contributor, who knows their own part, can estimate
//!   the largest to within p %;
//! - same value: the figure tells the value of every contributor, because all have the same or because it lies at a bound
//!   of the data;
//! - near bound: the figure is so near to a bound of the data that its contributors must be (see `near_bound`).
//!
//! Where X is 0, everybody contributes the same, which is 0: n of N contributors make up n/N of the figure, and the second
//! largest knows the largest exactly.

use super::contributions::Contributions;
use super::exact;
use super::in_effect::Because;
use super::policy::{Policy, Rule, Verdict};
use privug_engine::number::Constants;

/// What the noise must reach, in percent of the largest contribution, where the policy has no p% rule.
pub(super) const DEFAULT_PROTECTION_PERCENT: f64 = 10.0;

/// What hides somebody, in percent of what they add to a figure.
pub(super) fn protection_percent(policy: &Policy) -> f64 {
    policy.p_percent.fail.or(policy.p_percent.review).unwrap_or(DEFAULT_PROTECTION_PERCENT)
}

/// What the rules look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concentration {
    /// The part of the figure that the n largest contributors make up, in percent; `None` if nobody contributes.
    pub dominance_percent: Option<f64>,
    /// How closely the second largest contributor can estimate the largest, in percent of it; `None` if nobody
    /// contributes, or if there is noise and the largest contribution is 0.
    pub estimate_percent: Option<f64>,
}

/// How concentrated a figure is without noise, as doubles tell.
pub(super) fn doubles(found: &Contributions, policy: &Policy) -> Concentration {
    let part = |index: usize| found.largest.get(index).map_or(0.0, |(_, size)| *size);
    let dominant: f64 = found.largest.iter().take(policy.dominance_largest).map(|(_, size)| size).sum();
    // Of one or two contributors nothing is left, whatever rounding says.
    let rest = if found.contributors <= 2 { 0.0 } else { (found.total - part(0) - part(1)).max(0.0) };
    let share = match found.contributors {
        0 => None,
        count if found.total == 0.0 => Some(policy.dominance_largest.min(count) as f64 / count as f64),
        _ => Some(dominant / found.total),
    };
    let estimate = match found.contributors {
        0 => None,
        _ if part(0) == 0.0 => Some(0.0),
        _ => Some(100.0 * rest / part(0)),
    };
    Concentration { dominance_percent: share.map(|share| (100.0 * share).min(100.0)), estimate_percent: estimate }
}

/// How concentrated a figure is, published with noise of this standard deviation.
pub(super) fn concentration(found: &Contributions, noise_std: f64, policy: &Policy) -> Concentration {
    let Concentration { mut dominance_percent, mut estimate_percent } = doubles(found, policy);
    if let Some(exact) = &found.exact {
        dominance_percent = Some(Constants::to_f64(&exact.dominance_percent));
        estimate_percent = Some(Constants::to_f64(&exact.estimate_percent));
    }
    if noise_std > 0.0 {
        let largest = largest_part(found);
        let hidden = |percent: f64| (largest > 0.0).then(|| percent.max(100.0 * noise_std / largest));
        estimate_percent = estimate_percent.and_then(hidden);
    }
    Concentration { dominance_percent, estimate_percent }
}

fn largest_part(found: &Contributions) -> f64 {
    found.largest.first().map_or(0.0, |(_, size)| *size)
}

/// The rules that are broken, and how badly.
///
/// Frequency, dominance and same value know nothing of noise. Where it is as large as the p% rule wants the uncertainty to
/// be, what they say is for a person to weigh. `scale` is how large a contribution is where all are 0: the spread of the
/// secret column.
pub(super) fn judge(found: &Contributions, noise_std: f64, scale: f64, policy: &Policy) -> Vec<(Rule, Verdict)> {
    if found.contributors == 0 {
        return Vec::new();
    }
    let Concentration { dominance_percent, estimate_percent } = concentration(found, noise_std, policy);
    let percent = protection_percent(policy);
    let largest = match largest_part(found) {
        0.0 => found.largest_weight * scale,
        largest => largest,
    };
    let is_hidden = noise_std > 0.0 && noise_std >= percent / 100.0 * largest;
    let soften = |verdict: Verdict| if is_hidden { verdict.min(Verdict::Review) } else { verdict };
    let dominance = match (&found.exact, dominance_percent) {
        (Some(exact), _) => exact::verdict(&policy.dominance, &exact.dominance_percent, false),
        (None, Some(share)) => policy.dominance.at_most(share),
        (None, None) => Verdict::Pass,
    };
    let estimate = match (&found.exact, estimate_percent) {
        (Some(exact), Some(percent)) if percent <= Constants::to_f64(&exact.estimate_percent) => {
            exact::verdict(&policy.p_percent, &exact.estimate_percent, true)
        }
        (_, Some(percent)) => policy.p_percent.at_least(percent),
        (_, None) => Verdict::Pass,
    };
    // Noise hides digits that are smaller.
    let few = || found.in_effect.iter().filter(|few| noise_std < percent / 100.0 * few.reach);
    let people = few().map(|few| few.people).min().unwrap_or(found.contributors);
    let verdicts = [
        (Rule::MinimumFrequency, soften(policy.minimum_frequency.at_least(people as f64))),
        (Rule::Dominance, soften(dominance)),
        (Rule::PPercent, estimate),
        (Rule::SameValue, if found.homogeneous { soften(policy.same_value) } else { Verdict::Pass }),
    ];
    let mut broken = verdicts.to_vec();
    // What its digits show is followed no further.
    if few().any(|few| few.because == Because::Digits) {
        broken.push((Rule::Unexamined, policy.unexamined));
    }
    // A figure that must not be published anyway need not be told to say too much of those who are not dominant.
    let near = found.near_bound.map_or(Verdict::Pass, |near| near.verdict(noise_std));
    if broken.iter().all(|(_, verdict)| *verdict < near) {
        broken.push((Rule::NearBound, near));
    }
    broken.retain(|(_, verdict)| *verdict != Verdict::Pass);
    broken
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
            ..Contributions::default()
        }
    }

    fn broken(parts: &[f64], noise_std: f64) -> Vec<Rule> {
        let fails = |(rule, verdict): (Rule, Verdict)| (verdict == Verdict::Fail).then_some(rule);
        judge(&sum(parts), noise_std, 1.0, &Policy::default()).into_iter().filter_map(fails).collect()
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
        let found = judge(&sum(&parts), 0.0, 1.0, &policy);
        assert_eq!(found, [(Rule::PPercent, Verdict::Fail)]);
        let estimate = concentration(&sum(&parts), 0.0, &policy).estimate_percent.expect("a number");
        assert!((estimate - 9.0).abs() < 1e-9);
        // A rest of 8 is 10 %, not less.
        parts[2..].fill(1.0);
        assert_eq!(judge(&sum(&parts), 0.0, 1.0, &policy), []);
    }

    #[test]
    fn a_single_contributor_breaks_every_rule() {
        assert_eq!(broken(&[5.0], 0.0), [Rule::MinimumFrequency, Rule::Dominance, Rule::PPercent]);
    }

    #[test]
    fn noise_that_hides_the_largest_leaves_the_others_to_a_person() {
        // 10 % of 5 is 0.5.
        let verdicts = |noise_std| judge(&sum(&[5.0]), noise_std, 1.0, &Policy::default());
        let review = [(Rule::MinimumFrequency, Verdict::Review), (Rule::Dominance, Verdict::Review)];
        assert_eq!(verdicts(0.5), review);
        assert_eq!(verdicts(0.49).iter().filter(|(_, verdict)| *verdict == Verdict::Fail).count(), 3);
    }

    #[test]
    fn a_total_of_zero_is_judged_and_tells_that_everybody_has_nothing() {
        assert_eq!(broken(&[], 0.0), []);
        // The second largest knows that the largest is 0; two of three make up two thirds.
        assert_eq!(broken(&[0.0; 10], 0.0), [Rule::PPercent]);
        let shares = concentration(&sum(&[0.0; 3]), 0.0, &Policy::default());
        assert_eq!((shares.dominance_percent.map(f64::round), shares.estimate_percent), (Some(67.0), Some(0.0)));
        // Noise that is small for the column does not hide it from the others.
        let zeros = Contributions { homogeneous: true, ..sum(&[0.0; 10]) };
        let verdicts = |noise_std| judge(&zeros, noise_std, 100.0, &Policy::default());
        assert_eq!(verdicts(9.0), [(Rule::SameValue, Verdict::Fail)]);
        assert_eq!(verdicts(10.0), [(Rule::SameValue, Verdict::Review)]);
    }
}
