//! Why a release fails or needs a review, in words: the one place where text, JSON and pages get them from.

use super::words::{list, listed, percent, short};
use crate::report::number;
use crate::report::three_digits;
use privug_analysis::audit::{
    Audit, Bound, BoundSide, Derivation, FigureStatus, Finding, NearBound, Policy, Reason, Rule, Thresholds, Verdict,
};

/// More figures than this are counted instead of listed.
const LISTED: usize = 3;

/// A reason as a sentence, without a full stop.
pub fn reason_sentence(audit: &Audit, reason: &Reason) -> String {
    let count = reason.count;
    let name = |place: &usize| format!("`{}`", audit.figures[*place].name);
    let names = |places: &[usize]| listed(places.iter().take(LISTED).map(name), places.len());
    match &reason.finding {
        Finding::People(first) => {
            let words = about_people(reason, &audit.policy, &audit.columns);
            format!("{words}: {}", named(audit, first, count))
        }
        Finding::Figures(first) if reason.rule == Rule::NearBound => {
            let words = about_figures(reason, &audit.policy);
            format!("{words}: {}", listed(first.iter().map(|place| near_bound(audit, *place)), count))
        }
        Finding::Figures(first) => {
            let words = about_figures(reason, &audit.policy);
            format!("{words}: {}", listed(first.iter().map(|place| called(audit, *place)), count))
        }
        Finding::FewValues { column, values } => {
            let values = counted(*values, "value", "different values");
            format!(
                "`{column}` has only {values}: a continuous prior ignores that, and figures reveal more about such a secret than is measured here"
            )
        }
        Finding::GroupSize { people, whom, from } => {
            let such = if from.is_empty() { String::new() } else { format!(" from {}", names(from)) };
            let who = group(audit, *people, whom);
            match count {
                1 => format!("the size of a group of {who} can be computed{such}"),
                count => format!(
                    "the sizes of {} small groups can be computed from counts; one of {who}{such}",
                    number(count as f64)
                ),
            }
        }
        Finding::Difference { people, whom, against, outer, inner, is_combined, broken } => {
            let rules: Vec<String> = broken.iter().map(|rule| format!("`{}`", rule.name())).collect();
            let who = match against {
                0 => group(audit, *people, whom),
                against => {
                    let one_side = counted(people.saturating_sub(*against), "person", "people");
                    format!(
                        "{one_side} minus that of {}{}",
                        counted(*against, "other", "others"),
                        in_brackets(audit, *people, whom)
                    )
                }
            };
            let from = match is_combined {
                false => format!("by subtracting {} from {}", list(audit, inner), name(outer)),
                true => {
                    let all: Vec<usize> = std::iter::once(*outer).chain(inner.iter().copied()).collect();
                    format!("from {} together", list(audit, &all))
                }
            };
            let how = format!("an amount for {who} follows {from}, and breaks {}", rules.join(" and "));
            match count {
                1 => how,
                count => format!(
                    "{} amounts follow by subtracting published figures, and break rules: {how}",
                    number(count as f64)
                ),
            }
        }
        Finding::GroupValues { people, whom, from } => {
            let who = group(audit, *people, whom);
            match count {
                1 => format!(
                    "how many people in a group of {who} have a value follows by subtracting published figures ({})",
                    names(from)
                ),
                count => format!(
                    "how many people in {} small groups have a value follows by subtracting published figures; the smallest group has {who} ({})",
                    number(count as f64),
                    names(from)
                ),
            }
        }
        Finding::ValueLeft { people, from } => more_sums(
            count,
            format!("that only one value remains possible for {} follows from {}", some(*people), names(from)),
        ),
        Finding::SuppressedTogether { people, parts, from } => more_sums(
            count,
            format!(
                "the suppressed {} together count {}, which follows from {}",
                names(parts),
                some(*people),
                names(from)
            ),
        ),
        Finding::GroupTogether { people, from } => more_sums(
            count,
            format!(
                "how many people in a group of {} have a value follows from {} combined",
                some(*people),
                names(from)
            ),
        ),
        Finding::TooMuchWork => format!("whether {} was too expensive to compute", in_question(audit, reason)),
        Finding::HiddenWeights => format!(
            "whether {} cannot be decided from groups in which weights differ; audit person by person to decide it",
            in_question(audit, reason)
        ),
        Finding::NothingJudged => {
            "every rule about what is learned about people is switched off: no rule examined the figures".to_owned()
        }
    }
}

/// The first of some people, as `row 3, 5 and 2 more`.
fn named(audit: &Audit, first: &[usize], count: usize) -> String {
    let label = match audit.names.label() {
        label if label.eq_ignore_ascii_case("name") => String::new(),
        label => format!("{label} "),
    };
    format!("{label}{}", listed(first.iter().map(|person| short(&audit.person_name(*person))), count))
}

/// The same behind what they are, where it is known who they are.
fn in_brackets(audit: &Audit, people: usize, first: &[usize]) -> String {
    if first.is_empty() { String::new() } else { format!(" ({})", named(audit, first, people)) }
}

/// So many people, and who they are.
pub(super) fn group(audit: &Audit, people: usize, first: &[usize]) -> String {
    format!("{}{}", counted(people, "person", "people"), in_brackets(audit, people, first))
}

/// A figure that leaves its contributors near a bound, and how near.
fn near_bound(audit: &Audit, place: usize) -> String {
    let name = called(audit, place);
    match &audit.figures[place].contributions.near_bound {
        Some(NearBound { bound: Bound::Smallest, width, .. }) => {
            format!("{name} (at most {} above the smallest)", three_digits(*width))
        }
        Some(NearBound { bound: Bound::Largest, width, .. }) => {
            format!("{name} (at most {} below the largest)", three_digits(*width))
        }
        None => name,
    }
}

fn some(people: i64) -> String {
    counted(people.max(0) as usize, "person", "people")
}

fn more_sums(count: usize, one: String) -> String {
    match count {
        1 => one,
        2 => format!("{one}; one more such sum follows"),
        count => format!("{one}; {} more such sums follow", number((count - 1) as f64)),
    }
}

/// What was too much to work out.
fn in_question(audit: &Audit, reason: &Reason) -> String {
    match reason.rule {
        Rule::Differencing if audit.people.discrete.is_some() => {
            "the values of small groups follow by combining published figures".to_owned()
        }
        Rule::Differencing => "amounts that follow by subtracting published figures break a rule".to_owned(),
        Rule::Recoverable => {
            let suppressed = match reason.count {
                1 => "the suppressed figure".to_owned(),
                count => format!("{} suppressed figures", number(count as f64)),
            };
            format!("{suppressed} can be computed from the published ones")
        }
        _ => "small groups can be computed from the published counts".to_owned(),
    }
}

/// A figure by its name, and what it is if that is not clear.
fn called(audit: &Audit, place: usize) -> String {
    let figure = &audit.figures[place];
    match &figure.status {
        FigureStatus::Unexamined { kind } => format!("`{}` ({kind})", figure.name),
        FigureStatus::Used | FigureStatus::Redundant { .. } | FigureStatus::Suppressed { .. } | FigureStatus::Count => {
            format!("`{}`", figure.name)
        }
    }
}

/// The threshold that a verdict is about.
fn limit(thresholds: &Thresholds, verdict: Verdict) -> String {
    let limit = if verdict == Verdict::Fail { thresholds.fail } else { thresholds.review.or(thresholds.fail) };
    limit.map_or(String::new(), number)
}

/// What is not so near: 1 − the threshold.
fn share(thresholds: &Thresholds, verdict: Verdict) -> String {
    let limit = if verdict == Verdict::Fail { thresholds.fail } else { thresholds.review };
    limit.map_or_else(|| "some".to_owned(), |limit| percent(1.0 - limit))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", number(count as f64)) }
}

fn about_people(reason: &Reason, policy: &Policy, columns: &[String]) -> String {
    let verdict = reason.verdict;
    let people = counted(reason.count, "person", "people");
    match reason.rule {
        Rule::FullDisclosure => {
            let secret = columns.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(" or ");
            format!("{secret} of {people} can be computed exactly from the published figures")
        }
        Rule::RelativeStd => {
            let limit = limit(&policy.relative_std, verdict);
            format!("the attacker's uncertainty about {people} shrinks to less than {limit} of its prior value")
        }
        Rule::MutualInformation => {
            let limit = limit(&policy.mutual_information_bits, verdict);
            let unit = if limit == "1" { "bit" } else { "bits" };
            format!("the release reveals more than {limit} {unit} about {people}")
        }
        Rule::NearTruth => format!(
            "the attacker's guess comes within {} % of the truth with a probability above {} for {people}",
            number(policy.near_truth_percent),
            limit(&policy.near_truth, verdict)
        ),
        Rule::IntervalPercent => {
            let limit = limit(&policy.interval_percent, verdict);
            let unknown = if verdict == Verdict::Review { ", or an unknown one," } else { "" };
            format!("a bound implied by the release{unknown} lies within {limit} % of the true value for {people}")
        }
        Rule::AttributeDisclosure => {
            let limit = limit(&policy.attribute_disclosure, verdict);
            format!("the probability of a sensitive value rises above {limit} for {people}")
        }
        Rule::Unknown => format!("what is learned about {people} could not be computed"),
        Rule::MinimumFrequency
        | Rule::Dominance
        | Rule::PPercent
        | Rule::SameValue
        | Rule::NearBound
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

fn about_figures(reason: &Reason, policy: &Policy) -> String {
    let (count, verdict) = (reason.count, reason.verdict);
    let figures = counted(count, "figure", "figures");
    let (has, is, its) = if count == 1 { ("has", "is", "its") } else { ("have", "are", "their") };
    let it = if count == 1 { "it" } else { "them" };
    match reason.rule {
        Rule::MinimumFrequency => {
            format!("{figures} {has} fewer than {} contributors", limit(&policy.minimum_frequency, verdict))
        }
        Rule::Dominance => {
            let percent = limit(&policy.dominance, verdict);
            let largest = match policy.dominance_largest {
                1 => "largest contributor accounts".to_owned(),
                largest => format!("{largest} largest contributors account"),
            };
            format!("{figures}: {its} {largest} for more than {percent} % of {it}")
        }
        Rule::PPercent => {
            let percent = limit(&policy.p_percent, verdict);
            let lets = if count == 1 { "lets" } else { "let" };
            format!("{figures} {lets} the second-largest contributor estimate the largest to within {percent} %")
        }
        Rule::SameValue => {
            let reveal = if count == 1 { "reveals" } else { "reveal" };
            format!("{figures} {reveal} the value of every contributor: all have the same value, or an extreme one")
        }
        Rule::NearBound => {
            let show = if count == 1 { "shows" } else { "show" };
            format!(
                "{figures} {show} that every contributor's value is near the smallest or the largest of all (which the attacker is assumed to know), nearer than {} of all values are",
                share(&policy.near_bound, verdict)
            )
        }
        Rule::Recoverable => format!("{figures} {is} suppressed, but can be computed from the published ones"),
        Rule::Unexamined => {
            let values = counted(count, "published value", "published values");
            format!("{values} {is} not covered by any rule, and may be about few people")
        }
        Rule::IntervalPercent => {
            let limit = limit(&policy.interval_percent, verdict);
            format!("{figures} {is} suppressed, but can be bounded to within {limit} %")
        }
        Rule::SmallCount => {
            let limit = limit(&policy.small_count, verdict);
            let are = if count == 1 { "is a count" } else { "are counts" };
            format!("{figures} {are} below {limit} people")
        }
        Rule::ClassDisclosure => {
            let reveal = if count == 1 { "reveals" } else { "reveal" };
            format!("{figures} {reveal} that all people in a group, or all but one, have the same value")
        }
        Rule::RevealingZero => {
            let exclude = if count == 1 { "excludes" } else { "exclude" };
            format!("{figures} {exclude} a value for a whole group: nobody has it")
        }
        Rule::KAnonymity => {
            let limit = limit(&policy.k_anonymity, verdict);
            format!("{figures} {is} about fewer than {limit} rows that agree in the known columns")
        }
        Rule::LDiversity => {
            let limit = limit(&policy.l_diversity, verdict);
            format!("{figures} {is} about groups with an entropy ℓ-diversity below {limit}")
        }
        Rule::TCloseness => {
            let limit = limit(&policy.t_closeness, verdict);
            format!(
                "{figures} {is} about groups whose distribution of values differs from that of the whole table by more than {limit}"
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

/// Why so little is possible for somebody, as a sentence without a full stop.
pub fn derivation_sentence(audit: &Audit, derivation: &Derivation) -> String {
    let label = audit.names.label();
    let named =
        |name: &str| if label.eq_ignore_ascii_case("name") { name.to_owned() } else { format!("{label} {name}") };
    let person = named(&audit.person_name(audit.persons.of_entry(derivation.entry)));
    let (bounded, is_point) = match derivation.side {
        BoundSide::Exactly => ("is", true),
        BoundSide::AtLeast => ("is at least", false),
        BoundSide::AtMost => ("is at most", false),
    };
    let real = if is_point { String::new() } else { format!(" (really {})", number(derivation.truth)) };
    let column = &audit.columns[derivation.column];
    let mut words = format!("`{column}` of {person} {bounded} {}{real}", number(derivation.bound));
    let secrets = counted(derivation.secrets, "secret", "secrets");
    let terms = combination(audit, derivation);
    words.push_str(&match (derivation.is_sum, derivation.value) {
        (true, Some(value)) if derivation.secrets == 1 => {
            format!(": {terms} = {} depends on no other secret", number(value))
        }
        (true, None) if derivation.secrets == 1 => format!(": {terms} depends on no other secret"),
        (true, Some(value)) => format!(": {terms} = {} is the sum of {secrets}", number(value)),
        (true, None) => format!(": {terms} reveals the sum of {secrets}"),
        (false, _) => format!(": it follows from {terms}"),
    });
    if let Some(insider) = derivation.insider {
        let of_these = if derivation.insider_contributes { " of these" } else { "" };
        words.push_str(&format!("; {} knows their own{of_these}", named(&audit.person_name(insider))));
    }
    if let Some(support) = &derivation.support {
        words.push_str(&format!("; everybody knows that `{support}`"));
    }
    words
}

/// `20 × `ward` − `others``
fn combination(audit: &Audit, derivation: &Derivation) -> String {
    let name = |place: usize| format!("`{}`", audit.figures[place].name);
    if derivation.times.is_empty() {
        let first: Vec<String> = derivation.figures.iter().take(2).map(|place| name(*place)).collect();
        return format!("{} figures ({}, …)", derivation.figures.len(), first.join(", "));
    }
    let mut terms = String::new();
    let (added, taken): (Vec<_>, Vec<_>) =
        derivation.figures.iter().zip(&derivation.times).partition(|(_, times)| **times >= 0.0);
    for (place, times) in added.into_iter().chain(taken) {
        let sign = match (terms.is_empty(), *times < 0.0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        let size = times.abs();
        let times = if (size - 1.0).abs() < 1e-9 { String::new() } else { format!("{} × ", number(size)) };
        terms.push_str(&format!("{sign}{times}{}", name(*place)));
    }
    terms
}
