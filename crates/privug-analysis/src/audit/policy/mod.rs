//! The rules that decide whether a release may be published, and their thresholds.

mod read;

pub use read::{PolicyTexts, read_policy};

use privug_language::words::number;

/// What a rule says; the worst of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Verdict {
    /// Nothing speaks against it.
    #[default]
    Pass,
    /// A person should look at it.
    Review,
    /// It must not be published like this.
    Fail,
}

impl Verdict {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Review => "review",
            Verdict::Fail => "fail",
        }
    }
}

/// One rule of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A figure has few contributors.
    MinimumFrequency,
    /// The largest contributors make up most of a figure: the (n, k) rule.
    Dominance,
    /// The second largest contributor can estimate the largest: the p% rule.
    PPercent,
    /// All contributors of a figure have the same value, or it lies at a bound of the data.
    SameValue,
    /// A figure is so near to a bound of the data that all contributors must be.
    NearBound,
    /// A suppressed figure follows from the published ones.
    Recoverable,
    /// Something is published that no other rule looks at.
    Unexamined,
    /// A secret column has few different values, which a Gaussian prior does not know.
    DiscreteSecret,
    /// A person's secret follows from the published figures.
    FullDisclosure,
    /// Little of the attacker's uncertainty about a person is left.
    RelativeStd,
    /// The release reveals much about a person.
    MutualInformation,
    /// The attacker is probably near the truth, and was not before.
    NearTruth,
    /// Hardly anything but the truth is possible.
    IntervalPercent,
    /// A count of few people.
    SmallCount,
    /// All people in a published group, or all but one, have the same value.
    ClassDisclosure,
    /// A published count of nobody excludes a value.
    RevealingZero,
    /// What a small group has follows from published figures by subtraction.
    Differencing,
    /// The values in a published group are not diverse.
    LDiversity,
    /// The values in a published group are distributed otherwise than in the whole table.
    TCloseness,
    /// Few rows of a released table agree in what is known of people.
    KAnonymity,
    /// A sensitive value has become likely.
    AttributeDisclosure,
    /// What is learned about somebody could not be worked out.
    Unknown,
}

impl Rule {
    /// Those about figures first, then those about people.
    pub const ALL: [Rule; 22] = [
        Rule::MinimumFrequency,
        Rule::Dominance,
        Rule::PPercent,
        Rule::SameValue,
        Rule::NearBound,
        Rule::Recoverable,
        Rule::Unexamined,
        Rule::DiscreteSecret,
        Rule::FullDisclosure,
        Rule::RelativeStd,
        Rule::MutualInformation,
        Rule::NearTruth,
        Rule::IntervalPercent,
        Rule::SmallCount,
        Rule::ClassDisclosure,
        Rule::RevealingZero,
        Rule::Differencing,
        Rule::LDiversity,
        Rule::TCloseness,
        Rule::KAnonymity,
        Rule::AttributeDisclosure,
        Rule::Unknown,
    ];

    /// The name in policies, flags and the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Rule::MinimumFrequency => "minimum_frequency",
            Rule::Dominance => "dominance",
            Rule::PPercent => "p_percent",
            Rule::SameValue => "same_value",
            Rule::NearBound => "near_bound",
            Rule::Recoverable => "recoverable",
            Rule::Unexamined => "unexamined",
            Rule::DiscreteSecret => "discrete_secret",
            Rule::FullDisclosure => "full_disclosure",
            Rule::RelativeStd => "relative_std",
            Rule::MutualInformation => "mutual_information_bits",
            Rule::NearTruth => "near_truth",
            Rule::IntervalPercent => "interval_percent",
            Rule::SmallCount => "small_count",
            Rule::ClassDisclosure => "class_disclosure",
            Rule::RevealingZero => "revealing_zero",
            Rule::Differencing => "differencing",
            Rule::LDiversity => "l_diversity",
            Rule::TCloseness => "t_closeness",
            Rule::KAnonymity => "k_anonymity",
            Rule::AttributeDisclosure => "attribute_disclosure",
            Rule::Unknown => "unknown",
        }
    }

    /// The rule of that name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// The values from which on a rule asks for a review, or fails; `None` is never.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thresholds {
    /// Asks for a review.
    pub review: Option<f64>,
    /// Fails.
    pub fail: Option<f64>,
}

impl Thresholds {
    /// The verdict on something that should not exceed the thresholds.
    pub fn at_most(&self, value: f64) -> Verdict {
        self.crossed(|limit| value > limit)
    }

    /// The verdict on something that should not fall below the thresholds.
    pub fn at_least(&self, value: f64) -> Verdict {
        self.crossed(|limit| value < limit)
    }

    pub(super) fn crossed(&self, crosses: impl Fn(f64) -> bool) -> Verdict {
        match self {
            Thresholds { fail: Some(limit), .. } if crosses(*limit) => Verdict::Fail,
            Thresholds { review: Some(limit), .. } if crosses(*limit) => Verdict::Review,
            _ => Verdict::Pass,
        }
    }

    pub(super) fn is_off(&self) -> bool {
        self.review.is_none() && self.fail.is_none()
    }
}

/// All rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Fewer contributors than this.
    pub minimum_frequency: Thresholds,
    /// n of the (n, k) rule: how many of the largest contributors are taken together.
    pub dominance_largest: usize,
    /// k of the (n, k) rule: they make up more than this many percent of the figure.
    pub dominance: Thresholds,
    /// p of the p% rule: what the two largest leave is less than this many percent of the largest.
    pub p_percent: Thresholds,
    /// What it means that a figure's contributors all have the same value.
    pub same_value: Verdict,
    /// Less than this part of all values lies between the smallest or the largest of them and what a figure leaves possible.
    pub near_bound: Thresholds,
    /// What it leaves possible is narrower than this many percent of the standard deviation of the column.
    pub near_bound_percent: f64,
    /// What it means that a suppressed figure can be computed.
    pub recoverable: Verdict,
    /// What it means that something is published that no rule looks at.
    pub unexamined: Verdict,
    /// What it means that a secret column has few different values.
    pub discrete_secret: Verdict,
    /// What it means that a secret can be computed.
    pub full_disclosure: Verdict,
    /// Posterior standard deviation as a part of the prior one: less than this.
    pub relative_std: Thresholds,
    /// More bits than this.
    pub mutual_information_bits: Thresholds,
    /// Near means within this many percent of the truth.
    pub near_truth_percent: f64,
    /// The release must have raised the probability by at least this much; else the attacker was near before.
    pub near_truth_gain: f64,
    /// The attacker's probability of being near: more than this.
    pub near_truth: Thresholds,
    /// A bound on what is possible lies within this many percent of the truth.
    pub interval_percent: Thresholds,
    /// What is known after is compared with what the attacker would know without the person's record, instead of the prior.
    pub without_person: bool,
    /// Fewer people than this are counted.
    pub small_count: Thresholds,
    /// What it means that all people of a published group, or all but one, share a value.
    pub class_disclosure: Verdict,
    /// What it means that a count of nobody excludes a value.
    pub revealing_zero: Verdict,
    /// What it means that something about few people, or about a few large contributors, follows by subtraction.
    pub differencing: Verdict,
    /// Less diversity than this in a published group.
    pub l_diversity: Thresholds,
    /// A larger distance than this of a published group from the whole table.
    pub t_closeness: Thresholds,
    /// Fewer rows than this that agree in what is known of people.
    pub k_anonymity: Thresholds,
    /// The release must have raised a probability by at least this much.
    pub attribute_gain: f64,
    /// The attacker's probability of a sensitive value: more than this.
    pub attribute_disclosure: Thresholds,
    /// What it means that something could not be worked out; never nothing.
    pub unknown: Verdict,
}

impl Default for Policy {
    fn default() -> Self {
        let thresholds = |review, fail| Thresholds { review, fail };
        Policy {
            minimum_frequency: thresholds(None, Some(10.0)),
            dominance_largest: 2,
            dominance: thresholds(None, Some(85.0)),
            p_percent: thresholds(None, Some(10.0)),
            same_value: Verdict::Fail,
            // To know somebody to be in the lower half of all is one bit, as half of the standard deviation is.
            near_bound: thresholds(Some(0.75), Some(0.5)),
            near_bound_percent: 50.0,
            recoverable: Verdict::Review,
            unexamined: Verdict::Review,
            discrete_secret: Verdict::Review,
            full_disclosure: Verdict::Fail,
            // The mean of five equals leaves √0.8 of each one's standard deviation, and passes; half of it is one bit.
            relative_std: thresholds(Some(0.89), Some(0.5)),
            // Of one Gaussian secret it is −log₂ of the relative standard deviation: the same rule in another unit.
            mutual_information_bits: thresholds(None, None),
            near_truth_percent: 10.0,
            near_truth_gain: 0.1,
            near_truth: thresholds(Some(0.5), Some(0.9)),
            // The p of the p% rule.
            interval_percent: thresholds(None, Some(10.0)),
            without_person: false,
            small_count: thresholds(Some(10.0), Some(3.0)),
            class_disclosure: Verdict::Fail,
            revealing_zero: Verdict::Review,
            differencing: Verdict::Fail,
            l_diversity: thresholds(None, None),
            t_closeness: thresholds(None, None),
            k_anonymity: thresholds(None, Some(5.0)),
            attribute_gain: 0.1,
            attribute_disclosure: thresholds(Some(0.5), Some(0.9)),
            unknown: Verdict::Review,
        }
    }
}

impl Policy {
    /// What people's knowledge after is compared with, as policies and the JSON call it.
    pub fn baseline(&self) -> &'static str {
        if self.without_person { "without_person" } else { "prior" }
    }

    /// Whether all rules are off that look at every figure that depends on a secret.
    pub(super) fn judges_no_secret(&self) -> bool {
        let thresholds = [
            self.minimum_frequency,
            self.dominance,
            self.p_percent,
            self.relative_std,
            self.mutual_information_bits,
            self.near_truth,
        ];
        self.full_disclosure == Verdict::Pass && thresholds.iter().all(Thresholds::is_off)
    }

    /// Whether all rules are off that look at every figure of a discrete secret.
    pub(super) fn judges_no_category(&self) -> bool {
        let thresholds =
            [self.minimum_frequency, self.small_count, self.mutual_information_bits, self.attribute_disclosure];
        let levels = [self.full_disclosure, self.class_disclosure, self.revealing_zero];
        levels.iter().all(|level| *level == Verdict::Pass) && thresholds.iter().all(Thresholds::is_off)
    }

    /// A rule in words, with its thresholds; `None` if it is turned off.
    pub fn describe(&self, rule: Rule) -> Option<String> {
        let level =
            |verdict: Verdict, words: &str| (verdict != Verdict::Pass).then(|| format!("{} {words}", verdict.name()));
        let limits = |thresholds: &Thresholds, side: &str, words: &str| {
            let one = |verdict: Verdict, limit: Option<f64>| {
                limit.map(|limit| format!("{} {side} {}", verdict.name(), number(limit)))
            };
            let both = [one(Verdict::Fail, thresholds.fail), one(Verdict::Review, thresholds.review)];
            let both = both.into_iter().flatten().collect::<Vec<_>>().join(", ");
            (!thresholds.is_off()).then(|| format!("{both} {words}"))
        };
        match rule {
            Rule::MinimumFrequency => limits(&self.minimum_frequency, "below", "contributors to a figure or a count"),
            Rule::Dominance => match self.dominance_largest {
                1 => limits(&self.dominance, "above", "% of a figure contributed by the largest contributor"),
                largest => limits(
                    &self.dominance,
                    "above",
                    &format!("% of a figure contributed by the {largest} largest contributors"),
                ),
            },
            Rule::PPercent => {
                limits(&self.p_percent, "below", "% error when the second-largest contributor estimates the largest")
            }
            Rule::SameValue => {
                level(self.same_value, "if all contributors have the same value, or a figure is at a bound of the data")
            }
            Rule::NearBound => {
                let percent = number(self.near_bound_percent);
                let words = format!(
                    "of all values as near to a bound of the data as every contributor is shown to be, within {percent} % of the standard deviation"
                );
                limits(&self.near_bound, "below", &words)
            }
            Rule::Unexamined => level(self.unexamined, "if something is published that no rule covers"),
            Rule::DiscreteSecret => {
                level(self.discrete_secret, "if a secret has few distinct values, which a Gaussian prior ignores")
            }
            Rule::Recoverable => {
                level(self.recoverable, "if a suppressed figure can be computed from the published ones")
            }
            Rule::FullDisclosure => {
                level(self.full_disclosure, "if a secret can be computed from the published figures")
            }
            Rule::RelativeStd => limits(&self.relative_std, "below", "of the attacker's standard deviation remaining"),
            Rule::MutualInformation => limits(&self.mutual_information_bits, "above", "bits"),
            Rule::NearTruth => {
                let (percent, gain) = (number(self.near_truth_percent), number(self.near_truth_gain));
                let words =
                    format!("probability of being within {percent} % of the true value, if raised by {gain} or more");
                limits(&self.near_truth, "above", &words)
            }
            Rule::IntervalPercent => limits(
                &self.interval_percent,
                "below",
                "% of the true value between it and a bound, for outsiders and for every contributor",
            ),
            Rule::SmallCount => limits(&self.small_count, "below", "people counted, if there are any"),
            Rule::ClassDisclosure => {
                level(self.class_disclosure, "if all people of a published group, or all but one, have the same value")
            }
            Rule::RevealingZero => level(self.revealing_zero, "if a count of 0 excludes a possible value"),
            Rule::Differencing => {
                level(self.differencing, "if a difference of published figures breaks a rule for published figures")
            }
            Rule::LDiversity => limits(&self.l_diversity, "below", "equally frequent values in a published group"),
            Rule::TCloseness => limits(
                &self.t_closeness,
                "above",
                "distance of the values in a published group from those of the whole table",
            ),
            Rule::KAnonymity => {
                limits(&self.k_anonymity, "below", "rows of a released table that agree in the known columns")
            }
            Rule::AttributeDisclosure => {
                let gain = number(self.attribute_gain);
                let words = format!("probability of a sensitive value, if raised by {gain} or more");
                limits(&self.attribute_disclosure, "above", &words)
            }
            Rule::Unknown => level(self.unknown, "if what is learned about somebody could not be computed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_itself_is_still_allowed() {
        let frequency = Thresholds { review: Some(20.0), fail: Some(10.0) };
        let verdicts = [9.0, 10.0, 19.0, 20.0].map(|count| frequency.at_least(count));
        assert_eq!(verdicts, [Verdict::Fail, Verdict::Review, Verdict::Review, Verdict::Pass]);
        let share = Thresholds { review: None, fail: Some(85.0) };
        assert_eq!([85.0, 85.1].map(|percent| share.at_most(percent)), [Verdict::Pass, Verdict::Fail]);
        assert_eq!(Thresholds::default().at_least(f64::NEG_INFINITY), Verdict::Pass);
    }

    #[test]
    fn every_rule_is_found_by_its_name_and_has_words() {
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.name()), Some(rule));
            let on = Thresholds { review: None, fail: Some(1.0) };
            let policy = Policy { mutual_information_bits: on, l_diversity: on, t_closeness: on, ..Policy::default() };
            assert!(
                policy.describe(rule).is_some_and(|words| words.starts_with("fail") || words.starts_with("review"))
            );
        }
    }
}
