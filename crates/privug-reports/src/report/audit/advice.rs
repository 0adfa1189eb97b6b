//! What to do next, and why somebody is at risk: one sentence each.

use super::reasons::group;
use super::words::{list, percent, short};
use crate::report::number;
use crate::report::three_digits;
use privug_analysis::audit::{Audit, Bound, Certainty, Finding, Rule, Verdict};
use privug_language::diagnostic::{Front, addressed};

/// What can be done about each rule that is broken, the gravest first, with options as a front end writes them.
pub(in crate::report) fn next_steps(audit: &Audit, front: Front) -> Vec<String> {
    let mut rules: Vec<Rule> = Vec::new();
    for reason in audit.reasons.iter().filter(|reason| reason.verdict != Verdict::Pass) {
        if !rules.contains(&reason.rule) {
            rules.push(reason.rule);
        }
    }
    let mut steps: Vec<String> = Vec::new();
    for step in rules.into_iter().map(|rule| remedy(audit, rule)) {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    if audit.verdict != Verdict::Pass {
        steps.push(
            "try changes out first: `--suppress NAME`, `--round UNIT` and `--noise` audit the release with that change"
                .to_owned(),
        );
    }
    steps.iter().map(|step| addressed(step, front)).collect()
}

fn remedy(audit: &Audit, rule: Rule) -> String {
    match rule {
        Rule::FullDisclosure => {
            "suppress one figure of each combination under “What discloses whom”, or publish larger \
                                 groups in which people differ"
                .to_owned()
        }
        Rule::AttributeDisclosure => {
            "publish larger groups, in which more people do not have the sensitive value, or fewer details about each group"
                .to_owned()
        }
        Rule::RelativeStd | Rule::MutualInformation | Rule::NearTruth => {
            "publish larger groups, or fewer figures about the same people, or add noise".to_owned()
        }
        Rule::MinimumFrequency => {
            let least = audit.policy.minimum_frequency.fail.or(audit.policy.minimum_frequency.review).unwrap_or(0.0);
            format!(
                "merge groups until each figure has at least {} contributors, or suppress the small ones",
                number(least)
            )
        }
        Rule::SmallCount => {
            "merge categories or groups until no count is small, or round all counts to a base (`--round 5`, \
                             `--round 'random(3)'`)"
                .to_owned()
        }
        Rule::ClassDisclosure => {
            "merge groups in which nearly everybody has the same value with groups in which people differ".to_owned()
        }
        Rule::RevealingZero => {
            "review each count of 0: if the value is impossible in that group, give it probability 0 in the prior; otherwise merge the group with another, or round"
                .to_owned()
        }
        Rule::Differencing => {
            "use the same groups in all tables, so that none can be subtracted from another to leave a few people"
                .to_owned()
        }
        Rule::Dominance | Rule::PPercent => {
            "merge figures that are dominated by one or two people with others, or suppress them".to_owned()
        }
        Rule::SameValue | Rule::NearBound => "merge the figure with others in which people differ, or suppress it".to_owned(),
        Rule::Recoverable => {
            "also suppress another figure in the same row and in the same column of the table".to_owned()
        }
        Rule::Unexamined => "review what no rule covers, and remove it if it is about few people".to_owned(),
        Rule::DiscreteSecret => {
            "use a discrete prior: `--prior 'Categorical(COLUMN.value_counts(normalize=True))'`".to_owned()
        }
        Rule::LDiversity | Rule::TCloseness => {
            "merge groups until the values in them are as mixed as in the whole table".to_owned()
        }
        Rule::KAnonymity => {
            "coarsen the columns that the attacker knows (age bands, regions), or remove rows".to_owned()
        }
        Rule::IntervalPercent => {
            "publish larger groups, or suppress more: the bounds implied by the release are too close to the true values".to_owned()
        }
        Rule::Unknown if audit.people.brackets.is_some() => {
            "use a prior that fits the data better, or publish larger groups (the caveats say why): what could not be computed may disclose".to_owned()
        }
        Rule::Unknown => {
            "publish fewer overlapping tables at once, and no median together with other figures about the same people: what could not be computed may disclose".to_owned()
        }
    }
}

/// Why somebody is at risk.
pub(in crate::report) fn why(audit: &Audit, entry: usize) -> String {
    let people = &audit.people;
    let by = audit.combinations.iter().find(|combination| combination.people.binary_search(&entry).is_ok());
    let from = by.filter(|by| !by.figures.is_empty()).map(|by| format!(", from {}", list(audit, &by.figures)));
    let from = from.unwrap_or_default();
    let Some(discrete) = &people.discrete else {
        // The gravest; of equally grave ones the first.
        let broken = audit.broken_rules(entry);
        let worst = broken.iter().map(|(_, verdict)| *verdict).max();
        let rule = broken.iter().find(|(_, verdict)| Some(*verdict) == worst).map(|(rule, _)| *rule);
        let own = people.broken_rules(entry, &audit.policy);
        let is_own = rule.is_none_or(|rule| own.iter().any(|(one, verdict)| *one == rule && Some(*verdict) == worst));
        if !is_own {
            return match rule {
                Some(Rule::FullDisclosure) => "the total over their rows can be computed exactly".to_owned(),
                _ => "the total over their rows is known too precisely".to_owned(),
            };
        }
        return match rule {
            Some(Rule::FullDisclosure) => format!("the secret can be computed exactly{from}"),
            Some(Rule::Unknown) => "what is learned could not be computed".to_owned(),
            Some(Rule::NearTruth) => format!(
                "the attacker comes within {} % of the truth with a probability of {} (before: {})",
                number(audit.policy.near_truth_percent),
                percent(people.near_truth_posterior[entry]),
                percent(people.near_truth_prior[entry])
            ),
            Some(Rule::IntervalPercent) => bounded(audit, entry),
            Some(_) => format!(
                "the attacker's uncertainty shrinks to {} of its prior value{}",
                percent(people.relative_std[entry]),
                smallest(audit, entry)
            ),
            None => format!(
                "no rule is broken; {} of the attacker's uncertainty remains",
                percent(people.relative_std[entry])
            ),
        };
    };
    let known = discrete.of(entry);
    let values = &discrete.values[known.column];
    if known.certainty == Certainty::Unknown {
        return "what is learned could not be computed".to_owned();
    }
    if let Some(code) = known.disclosed() {
        let value = short(&values[code].show());
        return format!("`{value}` is certain (before: {}){from}", percent(known.prior[code]));
    }
    let sensitive = &discrete.sensitive[known.column];
    let codes = (0..values.len()).filter(|code| sensitive[*code]);
    let most = codes
        .max_by(|a, b| (known.posterior[*a] - known.prior[*a]).total_cmp(&(known.posterior[*b] - known.prior[*b])));
    match most.filter(|code| known.posterior[*code] > known.prior[*code]) {
        Some(code) => format!(
            "the probability of `{}` goes from {} to {}",
            short(&values[code].show()),
            percent(known.prior[code]),
            percent(known.posterior[code])
        ),
        None => "no sensitive value became more likely".to_owned(),
    }
}

/// People whom no rule about people finds, but figures about them alone: who, and why.
pub(in crate::report) fn behind_figures(audit: &Audit) -> Vec<(Verdict, String, String)> {
    let mut found = Vec::new();
    let rules = [Rule::SameValue, Rule::NearBound];
    for figure in &audit.figures {
        let broken = figure.broken.iter().find(|(rule, _)| rules.contains(rule));
        let (Some((rule, verdict)), false) = (broken, figure.contributions.first.is_empty()) else { continue };
        let who = group(audit, figure.contributions.contributors, &figure.contributions.first);
        let name = short(&figure.name);
        let sentence = match (rule, &figure.contributions.near_bound) {
            (Rule::NearBound, Some(near)) => {
                let (side, end) = match near.bound {
                    Bound::Smallest => ("above", "smallest"),
                    Bound::Largest => ("below", "largest"),
                };
                let width = three_digits(near.width);
                format!("`{name}` shows that nobody is more than {width} {side} the {end} value of all")
            }
            _ => format!("`{name}` shows what everybody has"),
        };
        found.push((*verdict, who, sentence));
    }
    for reason in audit.reasons.iter().filter(|reason| !reason.finding.whom().is_empty()) {
        let (people, sentence) = match &reason.finding {
            Finding::Difference { people, outer, inner, .. } => {
                let figures: Vec<usize> = std::iter::once(*outer).chain(inner.iter().copied()).collect();
                (*people, format!("an amount about them alone follows from {}", list(audit, &figures)))
            }
            Finding::GroupValues { people, from, .. } => {
                (*people, format!("how many of them have a value follows from {}", list(audit, from)))
            }
            Finding::GroupSize { people, from, .. } => {
                (*people, format!("that they are so few follows from {}", list(audit, from)))
            }
            _ => continue,
        };
        found.push((reason.verdict, group(audit, people, reason.finding.whom()), sentence));
    }
    found.sort_by_key(|(verdict, ..)| std::cmp::Reverse(*verdict));
    found
}

/// Who has a bound within the percentage of the truth.
fn bounded(audit: &Audit, entry: usize) -> String {
    let close = |percents: &[f64]| percents.get(entry).is_some_and(|percent| percent.is_finite());
    let limit = audit.policy.interval_percent.fail.or(audit.policy.interval_percent.review);
    let within = |percents: &[f64]| close(percents) && limit.is_none_or(|limit| percents[entry] < limit);
    let shown = limit.map_or_else(String::new, |limit| format!(" to within {} %", number(limit)));
    let whose = match &audit.possible {
        Some(possible) if within(&possible.outsider_percent) => "anybody can bound the secret",
        Some(possible) if within(&possible.contributor_percent) => {
            "another contributor to the same figure, who knows their own value, can bound the secret"
        }
        _ => return format!("the values that remain possible could not be bounded{}", smallest(audit, entry)),
    };
    format!("{whose}{shown}, whatever their prior{}", smallest(audit, entry))
}

/// How small the smallest figure is that somebody is in.
fn smallest(audit: &Audit, entry: usize) -> String {
    match audit.people.smallest_frequency[entry] {
        people if audit.people.figures[entry] == 0 || people == u32::MAX => String::new(),
        1 => "; the only contributor to a figure".to_owned(),
        people => format!("; the smallest figure that includes them is about {} people", number(f64::from(people))),
    }
}

/// What the counts of people and figures come to, so that nobody wonders who it is that fails.
pub(in crate::report) fn whose_verdict(audit: &Audit) -> String {
    let people = |verdict: Verdict| audit.count(verdict);
    let figures = |verdict: Verdict| audit.figures.iter().filter(|figure| figure.verdict == verdict).count();
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{} {many}", number(count as f64)),
    };
    // Nobody wonders who fails: where it is figures only, that is said.
    let both = |verdict: Verdict, [one, many]: [&str; 2], nobody: &str| {
        let verb = |count: usize| if count == 1 { one } else { many };
        match (people(verdict), figures(verdict)) {
            (0, some) => format!("{} {}; {nobody}.", counted(some, "figure", "figures"), verb(some)),
            (some, 0) => format!("{} {}; no figure does by itself.", counted(some, "person", "people"), verb(some)),
            (some, others) => {
                format!("{} and {} {many}.", counted(some, "person", "people"), counted(others, "figure", "figures"))
            }
        }
    };
    match audit.verdict {
        Verdict::Pass => "No rule is broken for any person or figure.".to_owned(),
        Verdict::Review => match people(Verdict::Review) + figures(Verdict::Review) {
            0 => "The rules ask for a review of the release as a whole: see the reasons below.".to_owned(),
            _ => format!(
                "{} Nothing fails.",
                both(Verdict::Review, ["needs a review", "need a review"], "no person does")
            ),
        },
        Verdict::Fail => match people(Verdict::Fail) + figures(Verdict::Fail) {
            0 => "The release as a whole fails, though no person and no figure does by itself: see the reasons below."
                .to_owned(),
            _ => both(Verdict::Fail, ["breaks a rule", "break a rule"], "no person fails a rule"),
        },
    }
}
