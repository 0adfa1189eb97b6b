//! Why a release passes, needs a review or fails, in plain words.

use super::people::PeopleColumns;
use super::policy::{Policy, Rule, Verdict};
use super::release::People;
use super::result::Figure;
use privug_language::words::number;

/// More names than this are counted instead of listed.
const LISTED: usize = 5;

/// What one rule says about a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rule.
    pub rule: Rule,
    /// What it says.
    pub verdict: Verdict,
    /// About how many figures or people.
    pub count: usize,
    /// A sentence without a full stop.
    pub words: String,
}

/// One reason for each rule that is broken, and for each of its thresholds; failures first.
pub(super) fn reasons(
    people: &PeopleColumns,
    names: &People,
    figures: &[Figure],
    policy: &Policy,
    secret: &str,
) -> Vec<Reason> {
    let mut found = Vec::new();
    for (rule, tally) in people.tallies(policy) {
        for (verdict, count) in [(Verdict::Fail, tally.fail), (Verdict::Review, tally.review)] {
            if count > 0 {
                let broken = |person: &usize| people.broken_rules(*person, policy).contains(&(rule, verdict));
                let first = (0..people.len()).filter(|person| people.verdict[*person] >= verdict).filter(broken);
                let first: Vec<String> = first.take(LISTED).map(|person| names.name(person).into_owned()).collect();
                let words = about_people(rule, verdict, count, policy, secret);
                found.push(Reason { rule, verdict, count, words: with_names(words, &first, count) });
            }
        }
    }
    for rule in [Rule::MinimumFrequency, Rule::Dominance, Rule::PPercent, Rule::Recoverable] {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let broken = |figure: &&Figure| figure.broken.contains(&(rule, verdict));
            let count = figures.iter().filter(broken).count();
            if count > 0 {
                let first: Vec<String> =
                    figures.iter().filter(broken).take(LISTED).map(|figure| format!("`{}`", figure.name)).collect();
                let words = about_figures(rule, verdict, count, policy);
                found.push(Reason { rule, verdict, count, words: with_names(words, &first, count) });
            }
        }
    }
    found.sort_by_key(|reason| std::cmp::Reverse(reason.verdict));
    found
}

fn with_names(words: String, first: &[String], count: usize) -> String {
    let more = count - first.len();
    let more = if more > 0 { format!(" and {} more", number(more as f64)) } else { String::new() };
    format!("{words}: {}{more}", first.join(", "))
}

fn limit(review: Option<f64>, fail: Option<f64>, verdict: Verdict) -> String {
    let limit = if verdict == Verdict::Fail { fail } else { review.or(fail) };
    limit.map_or(String::new(), number)
}

fn about_people(rule: Rule, verdict: Verdict, count: usize, policy: &Policy, secret: &str) -> String {
    let people = if count == 1 { "1 person".to_owned() } else { format!("{} people", number(count as f64)) };
    match rule {
        Rule::FullDisclosure => format!("`{secret}` of {people} can be computed exactly from the published figures"),
        Rule::RelativeStd => {
            let limit = limit(policy.relative_std.review, policy.relative_std.fail, verdict);
            format!("the attacker's uncertainty about {people} shrinks to less than {limit} of what it was")
        }
        Rule::MutualInformation => {
            let limits = policy.mutual_information_bits;
            let limit = limit(limits.review, limits.fail, verdict);
            let unit = if limit == "1" { "bit" } else { "bits" };
            format!("the release tells more than {limit} {unit} about {people}")
        }
        Rule::NearTruth => format!(
            "the attacker's guess comes within {} % of the truth with a probability above {} for {people}",
            number(policy.near_truth_percent),
            limit(policy.near_truth.review, policy.near_truth.fail, verdict)
        ),
        Rule::MinimumFrequency | Rule::Dominance | Rule::PPercent | Rule::Recoverable => people,
    }
}

fn about_figures(rule: Rule, verdict: Verdict, count: usize, policy: &Policy) -> String {
    let figures = if count == 1 { "1 figure".to_owned() } else { format!("{} figures", number(count as f64)) };
    let (has, is, its) = if count == 1 { ("has", "is", "its") } else { ("have", "are", "their") };
    match rule {
        Rule::MinimumFrequency => {
            let limits = policy.minimum_frequency;
            format!("{figures} {has} fewer than {} contributors", limit(limits.review, limits.fail, verdict))
        }
        Rule::Dominance => {
            let percent = limit(policy.dominance.review, policy.dominance.fail, verdict);
            let largest = match policy.dominance_largest {
                1 => "largest contributor".to_owned(),
                largest => format!("{largest} largest contributors"),
            };
            format!("{figures} {is} made up by {its} {largest} to more than {percent} %")
        }
        Rule::PPercent => {
            let percent = limit(policy.p_percent.review, policy.p_percent.fail, verdict);
            let lets = if count == 1 { "lets" } else { "let" };
            format!("{figures} {lets} the second largest contributor estimate the largest to within {percent} %")
        }
        Rule::Recoverable => format!("{figures} {is} suppressed, but can be computed from the published ones"),
        Rule::FullDisclosure | Rule::RelativeStd | Rule::MutualInformation | Rule::NearTruth => figures,
    }
}
