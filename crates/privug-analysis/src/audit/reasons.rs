//! Why a release passes, needs a review or fails, in plain words.

use super::counts::SmallGroup;
use super::people::RULES;
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::release::People;
use super::result::{Figure, FigureStatus};
use super::verdicts::PersonVerdicts;
use privug_language::words::number;

/// More names than this are counted instead of listed.
const LISTED: usize = 5;

/// The rules about single figures.
const FIGURE_RULES: [Rule; 13] = [
    Rule::ClassDisclosure,
    Rule::SmallCount,
    Rule::MinimumFrequency,
    Rule::Dominance,
    Rule::PPercent,
    Rule::SameValue,
    Rule::RevealingZero,
    Rule::KAnonymity,
    Rule::LDiversity,
    Rule::TCloseness,
    Rule::Recoverable,
    Rule::Unexamined,
    Rule::IntervalPercent,
];

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

/// What reasons are found in.
pub(super) struct Grounds<'a> {
    pub(super) verdicts: &'a PersonVerdicts,
    pub(super) persons: &'a Persons,
    pub(super) names: &'a People,
    pub(super) figures: &'a [Figure],
    /// The secret columns.
    pub(super) columns: &'a [String],
    /// Those that have few different values, and how many.
    pub(super) discrete: &'a [(usize, usize)],
    /// The small groups that follow from counts, which begin among the figures here; `None` if that was too much to work
    /// out.
    pub(super) groups: Option<&'a [SmallGroup]>,
    pub(super) first_count: usize,
}

/// One reason for each rule that is broken, and for each of its thresholds; failures first.
pub(super) fn reasons(grounds: &Grounds<'_>, policy: &Policy) -> Vec<Reason> {
    let mut found = Vec::new();
    for rule in RULES {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let count = grounds.verdicts.count_of(rule, verdict);
            if count > 0 {
                let first = grounds.verdicts.whom(rule, verdict).take(LISTED);
                let name = |person| grounds.names.name(grounds.persons.first_row(person)).into_owned();
                let first: Vec<String> = first.map(name).collect();
                let words = about_people(rule, verdict, count, policy, grounds.columns);
                found.push(Reason { rule, verdict, count, words: with_names(words, &first, count) });
            }
        }
    }
    let figures = grounds.figures;
    for rule in FIGURE_RULES {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let broken = |figure: &&Figure| figure.broken.contains(&(rule, verdict));
            let count = figures.iter().filter(broken).count();
            if count > 0 {
                let first: Vec<String> = figures.iter().filter(broken).take(LISTED).map(called).collect();
                let words = about_figures(rule, verdict, count, policy);
                found.push(Reason { rule, verdict, count, words: with_names(words, &first, count) });
            }
        }
    }
    found
        .extend(grounds.discrete.iter().filter(|_| policy.discrete_secret != Verdict::Pass).map(|(column, values)| {
        let name = grounds.columns.get(*column).map_or("", String::as_str);
        let values = if *values == 1 { "one value".to_owned() } else { format!("{values} different values") };
        Reason {
            rule: Rule::DiscreteSecret,
            verdict: policy.discrete_secret,
            count: 1,
            words: format!(
                "`{name}` has only {values}: a prior with a density does not know that, and figures tell more about such a \
                 secret than is measured here"
            ),
        }
    }));
    found.extend(small_groups(grounds));
    found.sort_by_key(|reason| std::cmp::Reverse(reason.verdict));
    found
}

/// A figure by its name, and what it is if that is not clear.
fn called(figure: &Figure) -> String {
    match &figure.status {
        FigureStatus::Unexamined { kind } => format!("`{}` ({kind})", figure.name),
        FigureStatus::Used | FigureStatus::Redundant { .. } | FigureStatus::Suppressed { .. } | FigureStatus::Count => {
            format!("`{}`", figure.name)
        }
    }
}

/// What is said of groups whose size follows from counts.
fn small_groups(grounds: &Grounds<'_>) -> Vec<Reason> {
    let rule = Rule::MinimumFrequency;
    let Some(groups) = grounds.groups else {
        let words =
            "whether small groups can be computed from the published counts was too much to work out".to_owned();
        let count = grounds.figures.len() - grounds.first_count;
        return vec![Reason { rule, verdict: Verdict::Review, count, words }];
    };
    let mut found = Vec::new();
    for verdict in [Verdict::Fail, Verdict::Review] {
        let meant = || groups.iter().filter(|group| group.verdict == verdict);
        let Some(least) = meant().min_by_key(|group| (group.from.is_empty(), group.people)) else { continue };
        let name = |place: &usize| format!("`{}`", grounds.figures[grounds.first_count + place].name);
        let mut from: Vec<String> = least.from.iter().take(LISTED).map(name).collect();
        if least.from.len() > LISTED {
            from.push(format!("{} more", least.from.len() - LISTED));
        }
        let people = if least.people == 1 { "1 person".to_owned() } else { format!("{} people", least.people) };
        let such = if from.is_empty() { String::new() } else { format!(" from {}", from.join(", ")) };
        let count = meant().count();
        let words = match count {
            1 => format!("the size of a group of {people} can be computed{such}"),
            count => format!(
                "the sizes of {} small groups can be computed from counts; one of {people}{such}",
                number(count as f64)
            ),
        };
        found.push(Reason { rule, verdict, count, words });
    }
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

fn about_people(rule: Rule, verdict: Verdict, count: usize, policy: &Policy, columns: &[String]) -> String {
    let people = if count == 1 { "1 person".to_owned() } else { format!("{} people", number(count as f64)) };
    match rule {
        Rule::FullDisclosure => {
            let secret = columns.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(" or ");
            format!("{secret} of {people} can be computed exactly from the published figures")
        }
        Rule::RelativeStd => {
            let limit = limit(policy.relative_std.review, policy.relative_std.fail, verdict);
            format!("the attacker's uncertainty about {people} shrinks to less than {limit} of what it was")
        }
        Rule::MutualInformation => {
            let limits = policy.mutual_information_bits;
            let limit = limit(limits.review, limits.fail, verdict);
            let unit = if limit == "1" { "bit" } else { "bits" };
            format!("the release reveals more than {limit} {unit} about {people}")
        }
        Rule::NearTruth => format!(
            "the attacker's guess comes within {} % of the truth with a probability above {} for {people}",
            number(policy.near_truth_percent),
            limit(policy.near_truth.review, policy.near_truth.fail, verdict)
        ),
        Rule::IntervalPercent => {
            let limit = limit(policy.interval_percent.review, policy.interval_percent.fail, verdict);
            let unknown = if verdict == Verdict::Review { ", or this is not known," } else { "" };
            format!("given what is possible at all, a bound{unknown} lies within {limit} % of the truth for {people}")
        }
        Rule::AttributeDisclosure => {
            let limit = limit(policy.attribute_disclosure.review, policy.attribute_disclosure.fail, verdict);
            format!(
                "the attacker gives {people} a sensitive value with a probability above {limit}, and did not before"
            )
        }
        Rule::Unknown => format!("what is learned about {people} was too much to work out"),
        Rule::MinimumFrequency
        | Rule::Dominance
        | Rule::PPercent
        | Rule::SameValue
        | Rule::Recoverable
        | Rule::Unexamined
        | Rule::SmallCount
        | Rule::ClassDisclosure
        | Rule::RevealingZero
        | Rule::Differencing
        | Rule::LDiversity
        | Rule::TCloseness
        | Rule::KAnonymity
        | Rule::DiscreteSecret => people,
    }
}

fn about_figures(rule: Rule, verdict: Verdict, count: usize, policy: &Policy) -> String {
    let figures = if count == 1 { "1 figure".to_owned() } else { format!("{} figures", number(count as f64)) };
    let (has, is, its) = if count == 1 { ("has", "is", "its") } else { ("have", "are", "their") };
    let it = if count == 1 { "it" } else { "them" };
    match rule {
        Rule::MinimumFrequency => {
            let limits = policy.minimum_frequency;
            format!("{figures} {has} fewer than {} people behind {it}", limit(limits.review, limits.fail, verdict))
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
        Rule::SameValue => {
            let tell = if count == 1 { "reveals" } else { "reveal" };
            format!("{figures} {tell} the value of everybody behind {it}: all have the same, or an extreme one")
        }
        Rule::Recoverable => format!("{figures} {is} suppressed, but can be computed from the published ones"),
        Rule::Unexamined => {
            let values = if count == 1 {
                "1 published value".to_owned()
            } else {
                format!("{} published values", number(count as f64))
            };
            format!("{values} {is} not covered by any rule, and may be about few people")
        }
        Rule::IntervalPercent => {
            let limit = limit(policy.interval_percent.review, policy.interval_percent.fail, verdict);
            format!("{figures} {is} suppressed, but what is possible lies within {limit} % of {it}")
        }
        Rule::SmallCount => {
            let limit = limit(policy.small_count.review, policy.small_count.fail, verdict);
            let count = if count == 1 { "counts" } else { "count" };
            format!("{figures} {count} fewer than {limit} people")
        }
        Rule::ClassDisclosure => {
            let tell = if count == 1 { "reveals" } else { "reveal" };
            format!("{figures} {tell} that all people of a group, or all but one, have the same value")
        }
        Rule::RevealingZero => {
            let exclude = if count == 1 { "excludes" } else { "exclude" };
            format!("{figures} {exclude} a value for a whole group: nobody has it")
        }
        Rule::KAnonymity => {
            let limit = limit(policy.k_anonymity.review, policy.k_anonymity.fail, verdict);
            format!("{figures} {is} about fewer than {limit} rows that agree in what is known of people")
        }
        Rule::LDiversity => {
            let limit = limit(policy.l_diversity.review, policy.l_diversity.fail, verdict);
            format!("{figures} {is} about groups with the diversity of fewer than {limit} equally frequent values")
        }
        Rule::TCloseness => {
            let limit = limit(policy.t_closeness.review, policy.t_closeness.fail, verdict);
            format!(
                "{figures} {is} about groups whose values are distributed otherwise than those of all, by more than {limit}"
            )
        }
        Rule::DiscreteSecret
        | Rule::FullDisclosure
        | Rule::RelativeStd
        | Rule::MutualInformation
        | Rule::NearTruth
        | Rule::Differencing
        | Rule::AttributeDisclosure
        | Rule::Unknown => figures,
    }
}
