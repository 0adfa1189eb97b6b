//! Phrases that the text and the page share.

use crate::report::{number, number_near, shortened, three_digits};
use privug_analysis::audit::{Audit, Bracket, Certainty, Distributions, Figure, FigureStatus, Rule, Support, Verdict};
use privug_engine::sorting::CompactSort;

/// More names than this are counted instead of listed.
const LISTED: usize = 6;
/// Longer names lose their middle.
const LONGEST: usize = 48;

/// A name that fits into a table.
pub(in crate::report) fn short(name: &str) -> String {
    shortened(name, LONGEST)
}

/// Some of `count` names: `a, b and 3 more`.
pub(super) fn listed(first: impl Iterator<Item = impl AsRef<str>>, count: usize) -> String {
    let first: Vec<String> = first.map(|name| name.as_ref().to_owned()).collect();
    match count.saturating_sub(first.len()) {
        0 => first.join(", "),
        more => format!("{} and {} more", first.join(", "), number(more as f64)),
    }
}

/// `a`, `b` and 3 more.
pub(in crate::report) fn list(audit: &Audit, figures: &[usize]) -> String {
    let name = |figure: &usize| format!("`{}`", short(&audit.figures[*figure].name));
    let shown: Vec<String> = figures.iter().take(LISTED).map(name).collect();
    match (figures.len().saturating_sub(LISTED), shown.split_last()) {
        (0, Some((last, before))) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        (0, _) => shown.join(", "),
        (more, _) => format!("{} and {} more", shown.join(", "), number(more as f64)),
    }
}

/// What is taken to be possible, and why.
pub(in crate::report) fn support_words(support: &Support) -> String {
    match support.is_evident {
        true => format!("{}, inferred from the column", support.words),
        false => support.words.clone(),
    }
}

/// What the attacker knew: mean and standard deviation.
pub(in crate::report) fn prior(audit: &Audit, person: usize) -> String {
    if let Some(discrete) = &audit.people.discrete {
        return law(discrete, person, &discrete.of(person).prior);
    }
    with_spread(audit.people.prior_mean[person], audit.people.prior_variance[person].sqrt())
}

/// What the attacker knows.
pub(in crate::report) fn posterior(audit: &Audit, person: usize) -> String {
    if let Some(discrete) = &audit.people.discrete {
        return match discrete.of(person).certainty {
            Certainty::Unknown => "not known".to_owned(),
            Certainty::Exact | Certainty::Certified(_) => law(discrete, person, &discrete.of(person).posterior),
        };
    }
    let spread = with_spread(audit.people.posterior_mean[person], audit.people.posterior_variance[person].sqrt());
    match audit.people.brackets.as_ref().map(|brackets| brackets.of(person)) {
        Some(bracket) if !bracket.is_known() => "not known".to_owned(),
        Some(Bracket { interval: Some([low, high]), std_dev: Some([least, _]), .. }) if *least > 0.0 => {
            format!("{spread}; 95 % from {} to {}", three_digits(*low), three_digits(*high))
        }
        _ => spread,
    }
}

/// The likeliest values: `none 86.7 %, flu 10 %`.
fn law(discrete: &Distributions, person: usize, probabilities: &[f64]) -> String {
    const SHOWN: usize = 2;
    let values = &discrete.values[discrete.of(person).column];
    let mut order: Vec<usize> = (0..values.len()).filter(|code| probabilities[*code] > 0.0).collect();
    order.sort_compact_by(|a, b| probabilities[*b].total_cmp(&probabilities[*a]));
    if let [only] = order[..] {
        return format!("{} certainly", short(&values[only].show()));
    }
    let shown = order
        .iter()
        .take(SHOWN)
        .map(|code| format!("{} {}", short(&values[*code].show()), percent(probabilities[*code])));
    let more = if order.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
}

/// What the columns of people are called: being near the truth, or right about it.
pub(in crate::report) fn near_words(audit: &Audit) -> String {
    match audit.people.discrete {
        Some(_) => "probability of the truth".to_owned(),
        None => format!("within {} % of the truth", number(audit.policy.near_truth_percent)),
    }
}

fn with_spread(mean: f64, std_dev: f64) -> String {
    if std_dev == 0.0 {
        return format!("{} exactly", number(mean));
    }
    format!("{} ± {}", rounded_near(mean, std_dev), three_digits(std_dev))
}

/// As many digits as the spread makes sense of.
fn rounded_near(mean: f64, std_dev: f64) -> String {
    let decimals = (1.0 - std_dev.log10().floor()).clamp(0.0, 12.0);
    let unit = 10f64.powf(decimals);
    let rounded = (mean * unit).round() / unit;
    if rounded.is_finite() && (mean * unit).abs() < 1e15 { number_near(rounded, 1.0 / unit) } else { number(mean) }
}

/// A part as a percentage.
pub(in crate::report) fn percent(part: f64) -> String {
    privug_language::words::percent(part, 1)
}

/// The attacker's probability of being near the truth, before and after.
pub(in crate::report) fn near_truth(audit: &Audit, person: usize) -> String {
    let (before, after) = (audit.people.near_truth_prior[person], audit.people.near_truth_posterior[person]);
    format!("{} → {}", percent(before), percent(after))
}

/// The names of broken rules.
pub(in crate::report) fn rules(broken: &[(Rule, Verdict)]) -> String {
    broken.iter().map(|(rule, _)| rule.name()).collect::<Vec<_>>().join(", ")
}

/// How many people are behind a figure.
pub(in crate::report) fn people_behind(figure: &Figure) -> String {
    match figure.status {
        FigureStatus::Unexamined { .. } => "?".to_owned(),
        _ => number(figure.contributions.contributors as f64),
    }
}

/// `3 fail, 0 review, 12 pass`
pub(in crate::report) fn figures_counted(audit: &Audit) -> String {
    let count = |verdict: Verdict| audit.figures.iter().filter(|figure| figure.verdict == verdict).count() as f64;
    let [fail, review, pass] = [Verdict::Fail, Verdict::Review, Verdict::Pass].map(|one| number(count(one)));
    format!("{fail} fail, {review} review, {pass} pass")
}

/// How closely the second largest contributor can estimate the largest.
pub(in crate::report) fn estimate(figure: &Figure) -> String {
    match figure.concentration.estimate_percent {
        Some(percent) if percent > 1000.0 => "> 1000 %".to_owned(),
        Some(percent) => self::percent(percent / 100.0),
        None => "–".to_owned(),
    }
}

/// What is published of a figure, with the noise it has.
pub(in crate::report) fn published(figure: &Figure) -> String {
    match (figure.is_published(), figure.noise_std > 0.0) {
        (false, _) => "–".to_owned(),
        (true, _) if figure.published.is_nan() => "–".to_owned(),
        (true, false) => number(figure.published),
        (true, true) => format!("{} ± {}", number(figure.published), three_digits(figure.noise_std)),
    }
}

/// What a figure's status means, with the figures it follows from.
pub(in crate::report) fn implied(audit: &Audit, figure: &Figure) -> Option<String> {
    match &figure.status {
        FigureStatus::Used => None,
        FigureStatus::Count => Some("a count".to_owned()),
        FigureStatus::Unexamined { kind } => Some(format!("{kind}, not covered by any rule")),
        FigureStatus::Redundant { implied_by } if implied_by.is_empty() => Some("known beforehand".to_owned()),
        FigureStatus::Redundant { implied_by } => Some(format!("follows from {}", list(audit, implied_by))),
        FigureStatus::Suppressed { recovered_from, posterior_std } if recovered_from.is_empty() => {
            let known = if posterior_std.is_finite() {
                format!(", known to ± {}", three_digits(*posterior_std))
            } else {
                String::new()
            };
            Some(format!("suppressed{known}"))
        }
        FigureStatus::Suppressed { recovered_from, .. } => {
            Some(format!("suppressed, but follows from {}", list(audit, recovered_from)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_matter() {
        assert_eq!(with_spread(483_000.0, 90f64.sqrt()), "483,000 ± 9.49");
        assert_eq!(with_spread(90_000.000_000_000_01, 0.0), "90,000 exactly");
        assert_eq!(with_spread(3.271_592_6, 0.012), "3.272 ± 0.012");
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(short(&"x".repeat(100)).chars().count(), LONGEST / 2 + 3 + LONGEST / 3);
        assert_eq!(short("by group[21-30, male]"), "by group[21-30, male]");
    }
}
