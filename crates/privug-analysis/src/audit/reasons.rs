//! Why a release passes, needs a review or fails, as data; `report/audit/reasons.rs` puts it into words.

use super::counts::CountsFound;
use super::people::RULES;
use super::policy::{Policy, Rule, Verdict};
use super::result::Figure;
use super::verdicts::PersonVerdicts;
use privug_engine::sorting::CompactSort;

/// More names than this are counted instead of listed.
pub(super) const LISTED: usize = 5;

/// The rules about single figures.
const FIGURE_RULES: [Rule; 14] = [
    Rule::ClassDisclosure,
    Rule::SmallCount,
    Rule::MinimumFrequency,
    Rule::Dominance,
    Rule::PPercent,
    Rule::SameValue,
    Rule::NearBound,
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
    /// What was found.
    pub finding: Finding,
}

/// What a rule has found. Figures are places in those of the audit, people are numbers of persons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// People who break the rule: the first of them.
    People(Vec<usize>),
    /// Figures that break the rule: the first of them.
    Figures(Vec<usize>),
    /// A secret column has few different values, and the prior does not know that.
    FewValues {
        /// `table.column`
        column: String,
        /// How many.
        values: usize,
    },
    /// The size of a small group follows from counts: the smallest one.
    GroupSize {
        /// How many people it has.
        people: usize,
        /// The first of them.
        whom: Vec<usize>,
        /// The counts.
        from: Vec<usize>,
    },
    /// An amount follows by subtracting figures, and breaks rules: that of the fewest people.
    Difference {
        /// How many people are behind it.
        people: usize,
        /// The first of them; nobody where these are groups.
        whom: Vec<usize>,
        /// How many of them are subtracted from the others.
        against: usize,
        /// What is subtracted from.
        outer: usize,
        /// What is subtracted.
        inner: Vec<usize>,
        /// Whether it is another combination of these figures, which overlap.
        is_combined: bool,
        /// The rules.
        broken: Vec<Rule>,
    },
    /// What a small group has follows by subtracting figures: the smallest one.
    GroupValues {
        /// How many people it has.
        people: usize,
        /// The first of them.
        whom: Vec<usize>,
        /// The figures.
        from: Vec<usize>,
    },
    /// How many people have a value that is left follows from figures.
    ValueLeft {
        /// How many have it.
        people: i64,
        /// The figures.
        from: Vec<usize>,
    },
    /// What suppressed counts add up to follows from figures.
    SuppressedTogether {
        /// How many people they count together.
        people: i64,
        /// The suppressed counts.
        parts: Vec<usize>,
        /// The figures.
        from: Vec<usize>,
    },
    /// What a group has together follows from figures.
    GroupTogether {
        /// How many people it has.
        people: i64,
        /// The figures.
        from: Vec<usize>,
    },
    /// Whether this is so was too much to work out.
    TooMuchWork,
    /// Groups of people with weights of their own do not say whether this is so.
    HiddenWeights,
    /// Every rule about what is learned of people is switched off.
    NothingJudged,
}

impl Finding {
    /// The first of the people whom it is about, where these are known.
    pub fn whom(&self) -> &[usize] {
        match self {
            Finding::People(whom)
            | Finding::GroupSize { whom, .. }
            | Finding::Difference { whom, .. }
            | Finding::GroupValues { whom, .. } => whom,
            Finding::Figures(_)
            | Finding::FewValues { .. }
            | Finding::ValueLeft { .. }
            | Finding::SuppressedTogether { .. }
            | Finding::GroupTogether { .. }
            | Finding::TooMuchWork
            | Finding::HiddenWeights
            | Finding::NothingJudged => &[],
        }
    }
}

/// What reasons are found in.
pub(super) struct Grounds<'a> {
    pub(super) verdicts: &'a PersonVerdicts,
    pub(super) figures: &'a [Figure],
    /// The secret columns.
    pub(super) columns: &'a [String],
    /// Those that have few different values, and how many.
    pub(super) discrete: &'a [(usize, usize)],
    /// The small groups that follow from counts, which begin among the figures here; `None` if that was too much to work
    /// out.
    pub(super) counts: Option<&'a CountsFound>,
    pub(super) first_count: usize,
}

/// One reason for each rule that is broken, and for each of its thresholds; failures first.
pub(super) fn reasons(grounds: &Grounds<'_>, policy: &Policy) -> Vec<Reason> {
    let mut found = Vec::new();
    for rule in RULES {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let count = grounds.verdicts.count_of(rule, verdict);
            if count > 0 {
                let first = grounds.verdicts.whom(rule, verdict).take(LISTED).collect();
                found.push(Reason { rule, verdict, count, finding: Finding::People(first) });
            }
        }
    }
    for rule in FIGURE_RULES {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let broken = |(_, figure): &(usize, &Figure)| figure.broken.contains(&(rule, verdict));
            let count = grounds.figures.iter().enumerate().filter(broken).count();
            if count > 0 {
                let first = grounds.figures.iter().enumerate().filter(broken).take(LISTED).map(|(place, _)| place);
                found.push(Reason { rule, verdict, count, finding: Finding::Figures(first.collect()) });
            }
        }
    }
    if policy.discrete_secret != Verdict::Pass {
        let (rule, verdict) = (Rule::DiscreteSecret, policy.discrete_secret);
        found.extend(grounds.discrete.iter().map(|(column, values)| {
            let column = grounds.columns.get(*column).cloned().unwrap_or_default();
            Reason { rule, verdict, count: 1, finding: Finding::FewValues { column, values: *values } }
        }));
    }
    found.extend(small_groups(grounds));
    found.sort_compact_by_key(|reason| std::cmp::Reverse(reason.verdict));
    found
}

/// Groups whose size follows from counts.
fn small_groups(grounds: &Grounds<'_>) -> Vec<Reason> {
    let rule = Rule::MinimumFrequency;
    let count = grounds.figures.len() - grounds.first_count;
    let too_much = Reason { rule, verdict: Verdict::Review, count, finding: Finding::TooMuchWork };
    let Some(CountsFound { groups, is_open, .. }) = grounds.counts else { return vec![too_much] };
    let mut found: Vec<Reason> = is_open.then_some(too_much).into_iter().collect();
    for verdict in [Verdict::Fail, Verdict::Review] {
        let meant = || groups.iter().filter(|group| group.verdict == verdict);
        let Some(least) = meant().min_by_key(|group| (group.from.is_empty(), group.people)) else { continue };
        let from = least.from.iter().map(|place| grounds.first_count + place).collect();
        let finding = Finding::GroupSize { people: least.people, whom: least.whom.clone(), from };
        found.push(Reason { rule, verdict, count: meant().count(), finding });
    }
    found
}
